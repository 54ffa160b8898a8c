"""Where people sign in: the way in, and every way by which one person tries to reach what belongs to another."""

import pytest
from page_support import PAGES, fine, new_app, patients, said, table, text_of
from small_work_support import small, small_file

from pages.server import sign_in
from pages.workspace import links, people
from pages.workspace.project import Project
from pages.workspace.projects import projects

AUTH = {
    "redirect_uri": "http://localhost:8501/oauth2callback",
    "cookie_secret": "s" * 32,
    "client_id": "a",
    "client_secret": "b",
    "server_metadata_url": "http://127.0.0.1:9/.well-known/openid-configuration",
}
ANNE = {"is_logged_in": True, "iss": "https://id.example.org", "sub": "anne", "name": "Anne [x](http://evil.org)"}
BERT = {**ANNE, "sub": "bert", "name": "Bert"}
NEW = {"is_logged_in": False}
ID = {name: people.person_of(claims) for name, claims in (("anne", ANNE), ("bert", BERT))}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return small_file(tmp_path_factory.mktemp("study"))


@pytest.fixture
def annes(file):
    """A work of Anne's, with results."""
    made = small(file, title="Anne's secret")
    people.give(made.folder, ID["anne"])
    return made


def app_of(user, page="start", **query):
    """A screen as somebody sees it who comes by an address."""
    app = new_app()
    app.user = user
    for name, text in query.items():
        app.query_params[name] = text
    return (app if page == "start" else app.switch_page(f"pages/{page}.py")).run()


def everything(app):
    """All that stands on a screen."""
    return text_of((*app.title, *app.markdown, *app.caption, *app.info, *app.warning, *app.error, *app.success)) + " ".join(
        str(one.value) for one in (*app.dataframe, *app.metric)
    )


def files(work):
    return {path.name: path.read_bytes() for path in work.folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("page", PAGES)
def test_before_somebody_has_signed_in_no_screen_shows_anything(page, annes):
    for query in ({}, {"id": annes.id}):
        app = app_of(NEW, page, **query)
        assert [one.value for one in app.title] == ["Sign in"] and not app.exception
        assert "wine" not in everything(app) and annes.title not in everything(app) and len(app.button) <= 1
        assert "id" not in app.session_state


def test_a_way_in_for_each_provider_and_a_sentence_where_something_is_missing(monkeypatch):
    monkeypatch.setattr(sign_in, "read_settings", lambda: AUTH)
    monkeypatch.setattr(sign_in, "find_spec", lambda name: True)
    assert [one.label for one in app_of(NEW).button] == ["Sign in"]
    one = {name: AUTH[name] for name in sign_in.NEEDED}
    monkeypatch.setattr(
        sign_in, "read_settings", lambda: {"redirect_uri": AUTH["redirect_uri"], "cookie_secret": "x", "clinic": one, "other": one}
    )
    assert [one.label for one in app_of(NEW).button] == ["Sign in with clinic", "Sign in with other"]
    assert "this link goes on to what it shows" in everything(app_of(NEW, id="x" * 22))
    monkeypatch.setattr(sign_in, "find_spec", lambda name: None)
    app = app_of(NEW)
    assert "pip install 'stabcore[server]'" in text_of(app.error) and not app.button


@pytest.mark.parametrize("claims", [{**ANNE, "sub": ""}, {"is_logged_in": True}, {**ANNE, "iss": None}])
def test_whom_a_provider_does_not_name_gets_in_nowhere(claims, annes):
    app = app_of(claims, "stability", id=annes.id)
    assert [one.value for one in app.title] == ["Sign in"] and "without saying who it is" in text_of(app.error)


def test_who_has_signed_in_is_told_as_text_and_can_sign_out(annes):
    app = fine(app_of(ANNE, "stability", id=annes.id))
    captions = [one.value for one in app.sidebar.caption]
    assert captions[0].startswith(":material/person: Signed in as **Anne \\[x\\]") and "http://" not in captions[0]
    assert any(one.key == "sign-out" for one in app.button) and "you alone can open it" in text_of(app.sidebar.caption)
    app.button(key="sign-out").click().run()
    assert [one.value for one in app.title] == ["Sign in"] and app.user == NEW


def test_without_sign_in_nothing_is_said_of_it():
    app = fine(new_app().run())
    assert not any(one.key == "sign-out" for one in app.button) and "Signed in" not in everything(app)


@pytest.mark.parametrize("page", PAGES)
def test_an_address_of_somebody_elses_work_is_one_that_does_not_exist(page, annes):
    before = files(annes)
    theirs, nothing = app_of(BERT, page, id=annes.id), app_of(BERT, page, id="x" * 22)
    assert everything(theirs) == everything(nothing) and "or is somebody else's" in everything(theirs)
    assert theirs.query_params == nothing.query_params or annes.id not in str(nothing.query_params)
    assert "id" not in theirs.session_state and files(annes) == before
    assert [one.key for one in theirs.button] == [one.key for one in nothing.button]


def test_a_session_that_holds_somebody_elses_work_loses_it(annes):
    app = new_app(id=annes.id)
    app.user = BERT
    assert "id" not in app.switch_page("pages/study.py").run().session_state and not app.exception


def test_who_signs_in_next_in_the_same_tab_does_not_go_on_with_the_work(annes):
    app = fine(app_of(ANNE, "whatif", id=annes.id))
    assert app.session_state["id"] == annes.id
    app.user, before = BERT, files(annes)
    fine(app.run())
    assert "id" not in app.session_state and not app.slider and "secret" not in everything(app) and files(annes) == before


def test_start_lists_copies_and_forgets_ones_own_works_alone(annes):
    bert = table(patients(), name="berts.csv")
    people.give(bert.folder, ID["bert"])
    old, before = table(patients(), name="old.csv"), files(annes)
    app = fine(app_of(BERT))
    assert "berts.csv" in everything(app) and annes.title not in everything(app) and "old.csv" not in everything(app)
    assert "Your works on this server" in everything(app)
    keys = [one.key for one in app.button]
    assert f"open-work-{bert.id}" in keys and not any(annes.id in str(key) or old.id in str(key) for key in keys)
    app.button(key=f"copy-{bert.id}").click().run()
    assert len(projects(ID["bert"])) == 2 and len(projects(ID["anne"])) == 1
    for one in projects(ID["bert"]):
        app.button(key=f"forget-{one.id}").click().run()
    assert projects(ID["bert"]) == [] and files(annes) == before and Project.find(old.id) == old


def test_a_bundled_study_that_somebody_has_open_is_not_shared():
    first, second = fine(app_of(ANNE)), fine(app_of(BERT))
    for app in (first, second):
        app.button(key="open-wine").click().run()
    assert fine(first).session_state["id"] != fine(second).session_state["id"]
    assert [one.id for one in projects(ID["anne"])] == [first.session_state["id"]]
    assert [one.id for one in projects(ID["bert"])] == [second.session_state["id"]] and projects() == []


def test_what_is_pasted_and_brought_belongs_to_whoever_did_so(file):
    app = fine(app_of(BERT))
    app.text_area(key="table-text").set_value(patients().to_csv(index=False, sep="\t")).run()
    app.button(key="use-table").click().run()
    assert [one.id for one in projects(ID["bert"])] == [app.session_state["id"]] and projects() == []


def test_a_link_shows_a_read_only_copy_to_who_has_signed_in_and_leads_no_further(annes):
    copy, before = links.freeze(annes), files(annes)
    app = fine(app_of(BERT, "whatif", id=copy.id))
    kept = files(copy)
    app.slider(key="whatif-threshold").set_value(0.9).run()
    assert "read-only copy" in said(fine(app)) and not any(one.key in ("forget", "withdraw", "make-link") for one in app.button)
    assert files(copy) == kept and projects(ID["bert"]) == []
    app.button(key="own-copy").click().run()
    own = fine(app).session_state["id"]
    assert [one.id for one in projects(ID["bert"])] == [own] and people.owner_of(Project(own).folder) == ID["bert"]
    assert files(annes) == before and [one.id for one in projects(ID["anne"])] == [annes.id]
    assert annes.id not in everything(app)
    assert "Sign in" in everything(app_of(NEW, "whatif", id=copy.id))
    links.withdraw(annes)
    assert "or is somebody else's" in everything(app_of(BERT, "whatif", id=copy.id))


def test_a_study_that_runs_is_its_owners_to_see_and_to_cancel(annes):
    from stabcore.study.working_files import StudyLock, cancel_file

    lock = StudyLock(annes.folder / "study.stab")
    assert lock.acquire()
    app = app_of(BERT, "study", id=annes.id)
    assert not any(one.key in ("cancel", "resume", "start", "pilot") for one in app.button)
    assert not cancel_file(annes.folder / "study.stab").exists() and "running" not in everything(app)
    lock.release()


def test_a_full_quota_of_ones_own_is_said(monkeypatch):
    from pages.workspace.projects import QUOTA_EACH

    bert = table(patients(), name="berts.csv")
    people.give(bert.folder, ID["bert"])
    monkeypatch.setenv(QUOTA_EACH, "0.000001")
    app = fine(app_of(BERT))
    app.button(key=f"copy-{bert.id}").click().run()
    assert "Your projects may take" in text_of(app.error) and len(projects(ID["bert"])) == 1


def test_what_is_missing_to_sign_in_is_said():
    one, shared = {name: AUTH[name] for name in sign_in.NEEDED}, {name: AUTH[name] for name in ("redirect_uri", "cookie_secret")}
    assert sign_in.describe_fault(AUTH, True) == sign_in.describe_fault({**shared, "clinic": one, "other": one}, True) == ""
    assert list(sign_in.providers({**shared, "clinic": one})) == ["clinic"] and list(sign_in.providers(AUTH)) == ["default"]
    assert "pip install 'stabcore[server]'" in sign_in.describe_fault(AUTH, False)
    for name in AUTH:
        assert f"no auth.{name}." in sign_in.describe_fault({**AUTH, name: ""}, True)
    assert "no auth.clinic.client_id" in sign_in.describe_fault({**shared, "clinic": {**one, "client_id": ""}}, True)
    assert "/oauth2callback at its end" in sign_in.describe_fault({**AUTH, "redirect_uri": "https://x.org/"}, True)
