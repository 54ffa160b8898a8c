"""Where people sign in: the way in, and every way by which one person tries to reach what belongs to another."""

import pytest
from page_support import fine, keys_of, new_app, text_of
from project_support import files, patients, table

from pages.server import sign_in
from pages.workspace import links, people
from pages.workspace.project import Project
from pages.workspace.projects import QUOTA_EACH, projects
from stabcore.study.working_files import StudyLock

AUTH = {
    "redirect_uri": "http://localhost:8501/oauth2callback",
    "cookie_secret": "s" * 32,
    "client_id": "a",
    "client_secret": "b",
    "server_metadata_url": "http://127.0.0.1:9/.well-known/openid-configuration",
}
CLIENT, SHARED = ({name: AUTH[name] for name in names} for names in (sign_in.REQUIRED_ENTRIES, ("redirect_uri", "cookie_secret")))
ANNE = {"is_logged_in": True, "iss": "https://id.example.org", "sub": "anne", "name": "Anne [x](http://evil.org)"}
BERT = {**ANNE, "sub": "bert", "name": "Bert"}
NEW = {"is_logged_in": False}
ID = {name: people.person_from_claims(claims) for name, claims in (("anne", ANNE), ("bert", BERT))}


@pytest.fixture
def annes(small):
    """A project of Anne's, with results."""
    project = small(title="Anne's secret")
    people.set_owner(project.folder, ID["anne"])
    return project


@pytest.fixture
def berts():
    """A table of Bert's."""
    project = table(patients(), name="berts.csv")
    people.set_owner(project.folder, ID["bert"])
    return project


def app_of(user, page="start", **query):
    """A screen as somebody sees it who comes by an address."""
    app = new_app()
    app.user = user
    for name, text in query.items():
        app.query_params[name] = text
    return (app if page == "start" else app.switch_page(f"pages/{page}.py")).run()


def everything(app):
    """All that stands on a screen."""
    words = text_of((*app.title, *app.markdown, *app.caption, *app.info, *app.warning, *app.error, *app.success))
    return words + " ".join(str(part.value) for part in (*app.dataframe, *app.metric))


def at_the_door(app):
    return [title.value for title in app.title] == ["Sign in"] and "id" not in app.session_state


def ids(name):
    return [project.id for project in projects(ID[name])]


def test_no_screen_shows_anything_before_sign_in(annes):
    for claims in (NEW, {**ANNE, "sub": ""}, {**ANNE, "iss": None}):  # whom a provider does not name gets in nowhere
        for page in ("start", "data", "whatif", "learn") if claims is NEW else ("stability",):
            app = app_of(claims, page, id=annes.id)
            assert at_the_door(app) and not app.exception and len(app.button) <= 1 and bool(app.error) == (claims is not NEW), page
            assert "wine" not in everything(app) and annes.title not in everything(app), page


def test_each_provider_has_a_button_and_missing_settings_are_named(monkeypatch):
    monkeypatch.setattr(sign_in, "find_spec", lambda name: True)
    for settings, ways in ((AUTH, 1), ({**SHARED, "clinic": CLIENT, "other": CLIENT}, 2)):
        monkeypatch.setattr(sign_in, "read_settings", lambda settings=settings: settings)
        assert len(app_of(NEW).button) == ways
    monkeypatch.setattr(sign_in, "find_spec", lambda name: None)
    app = app_of(NEW)
    assert app.error and not app.button


def test_what_is_missing_to_sign_in_is_named():
    assert sign_in.describe_fault(AUTH, True) == sign_in.describe_fault({**SHARED, "clinic": CLIENT}, True) == ""
    assert list(sign_in.providers({**SHARED, "clinic": CLIENT})) == ["clinic"] and list(sign_in.providers(AUTH)) == ["default"]
    assert sign_in.describe_fault(AUTH, False) and sign_in.describe_fault({**AUTH, "redirect_uri": "https://x.org/"}, True)
    for name in AUTH:
        assert f"auth.{name}" in sign_in.describe_fault({**AUTH, name: ""}, True)
    assert "auth.clinic.client_id" in sign_in.describe_fault({**SHARED, "clinic": {**CLIENT, "client_id": ""}}, True)


def test_the_signed_in_person_is_shown_as_text_and_can_sign_out(annes):
    app = fine(app_of(ANNE, "stability", id=annes.id))
    caption = app.sidebar.caption[0].value
    assert "Anne \\[x\\]" in caption and "http://" not in caption and "sign-out" in keys_of(app)
    app.button(key="sign-out").click().run()
    assert [title.value for title in app.title] == ["Sign in"] and app.user == NEW
    assert "sign-out" not in keys_of(fine(new_app().run())), "where nobody signs in, nothing is said of it"


def test_the_address_of_a_project_of_another_person_does_not_exist(annes):
    lock, before = StudyLock(annes.folder / "study.stab"), files(annes)
    assert lock.acquire(), "a study of hers runs"
    for page in ("start", "data", "study", "whatif"):
        theirs, nothing = app_of(BERT, page, id=annes.id), app_of(BERT, page, id="x" * 22)
        assert everything(theirs) == everything(nothing) and keys_of(theirs) == keys_of(nothing) and theirs.warning
        assert theirs.query_params == nothing.query_params or annes.id not in str(nothing.query_params)
        assert "id" not in theirs.session_state
    lock.release()
    assert {name: text for name, text in files(annes).items() if name in before} == before


def test_a_session_loses_a_project_of_another_person(annes):
    app = new_app(id=annes.id)
    app.user = BERT
    assert "id" not in app.switch_page("pages/study.py").run().session_state and not app.exception
    app = fine(app_of(ANNE, "whatif", id=annes.id))
    assert app.session_state["id"] == annes.id
    app.user, before = BERT, files(annes)  # who signs in next in the same tab
    fine(app.run())
    assert "id" not in app.session_state and not app.slider and "secret" not in everything(app) and files(annes) == before


def test_start_lists_copies_and_forgets_ones_own_projects_alone(annes, berts, monkeypatch):
    old, before = table(patients(), name="old.csv"), files(annes)
    app = fine(app_of(BERT))
    assert "berts.csv" in everything(app) and annes.title not in everything(app) and "old.csv" not in everything(app)
    assert f"open-project-{berts.id}" in keys_of(app) and not any(other in str(keys_of(app)) for other in (annes.id, old.id))
    app.button(key=f"copy-{berts.id}").click().run()
    assert len(ids("bert")) == 2 and len(ids("anne")) == 1
    monkeypatch.setenv(QUOTA_EACH, "0.000001")
    app.button(key=f"copy-{berts.id}").click().run()
    assert app.error and len(ids("bert")) == 2, "a full quota of one's own is said"
    for identity in ids("bert"):
        app.button(key=f"forget-{identity}").click().run()
    assert ids("bert") == [] and files(annes) == before and Project.find(old.id) == old


def test_what_is_opened_or_pasted_belongs_to_whoever_did_so():
    apps = {name: fine(app_of(user)) for name, user in (("anne", ANNE), ("bert", BERT))}
    for app in apps.values():
        app.button(key="open-wine").click().run()
    assert [ids(name) for name in apps] == [[app.session_state["id"]] for app in apps.values()] and projects() == []
    app = fine(app_of(BERT))
    app.text_area(key="table-text").set_value(patients().to_csv(index=False, sep="\t")).run()
    app.button(key="use-table").click().run()
    assert app.session_state["id"] in ids("bert") and len(ids("bert")) == 2 and projects() == []


def test_a_link_shows_a_read_only_copy_to_signed_in_people_only(annes):
    copy, before = links.make_copy(annes), files(annes)
    app = fine(app_of(BERT, "whatif", id=copy.id))
    frozen = files(copy)
    app.slider(key="whatif-threshold").set_value(0.9).run()
    assert not {"forget", "withdraw", "make-link"} & set(keys_of(fine(app))) and files(copy) == frozen and ids("bert") == []
    app.button(key="own-copy").click().run()
    mine = fine(app).session_state["id"]
    assert ids("bert") == [mine] and people.owner_of(Project(mine).folder) == ID["bert"]
    assert files(annes) == before and ids("anne") == [annes.id] and annes.id not in everything(app)
    assert at_the_door(app_of(NEW, "whatif", id=copy.id))
    annes.delete_links()
    assert "id" not in app_of(BERT, "whatif", id=copy.id).session_state
