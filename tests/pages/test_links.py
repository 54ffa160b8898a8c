"""Links to read-only copies: the same numbers, every what-if answers, nothing is stored, and a copy of one's own can be made."""

from urllib.parse import parse_qs, urlparse

import pytest
from page_support import PAGES, fine, metrics, new_app, open_page, patients, said, table, text_of
from small_work_support import small, small_file

from pages.workspace import links
from pages.workspace.project import Project
from pages.workspace.projects import projects


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return small_file(tmp_path_factory.mktemp("study"))


def files(workspace):
    return {path.name: path.read_bytes() for path in workspace.folder.iterdir()}


def numbers(app):
    """All that a person reads on the screen itself."""
    shown = [text_of(getattr(app.main, kind)) for kind in ("markdown", "caption", "info", "metric")]
    return " ".join(shown), [one.proto.spec for one in app.get("plotly_chart")], [str(one.value) for one in app.dataframe]


def opened(page, query):
    """A link in another browser."""
    app = new_app()
    for name, texts in query.items():
        app.query_params[name] = texts
    return fine(app.switch_page(f"pages/{page}.py").run())


def sent(app):
    """What the address of the link on the page says, once it is made."""
    app.session_state["link"] = True  # the popover is open
    app.run()
    if any(one.key == "make-link" for one in app.button):
        app.button(key="make-link").click().run()
    return parse_qs(urlparse(fine(app).code[0].value).query)


def test_a_link_leads_to_a_copy_with_what_is_chosen_and_not_to_the_work(file):
    made = small(file)
    app = fine(open_page("panel", made))
    app.slider(key="panel-threshold__widget").set_value(80).run()
    query = sent(app)
    assert query["share"] == ["80"] and query["id"] != [made.id] and query["scenario"] == ["correlated"]
    viewer = opened("panel", query)
    assert said(viewer).count("80") and viewer.slider(key="panel-threshold__widget").value == 80
    assert metrics(viewer) == metrics(fine(app.run()))
    made.save(scenario={"base": "none"}, scenarios={}, scenario_name="nothing")
    assert metrics(opened("panel", query)) == metrics(viewer), "what the sender does later is not seen"
    assert [one.id for one in projects()] == [made.id]


@pytest.mark.parametrize("page", ["stability", "maps", "profiles", "whatif", "passport", "panel", "pareto", "report"])
def test_a_link_shows_the_same_numbers_on_every_result_screen(page, file):
    made = small(file)
    asked = {"other-k": ["1"], "k": ["4"], "selector": ["Lasso"], "share": ["60"], "scenario": ["nothing"], "f": ["1.2"]}
    first = opened(page, {"id": [made.id], **asked})
    viewer = opened(page, {"id": [links.freeze(made).id], **asked})
    assert numbers(viewer) == numbers(first) and len(numbers(first)[0]) > 100


def test_what_a_viewer_tries_is_theirs_alone_and_nothing_is_stored(file):
    made = small(file)
    copy = links.freeze(made)
    before, kept = files(copy), files(made)
    first, second = (fine(open_page("whatif", copy)) for _ in range(2))
    first.slider(key="whatif-threshold").set_value(0.9).run()
    assert "|ρ| ≥ 0.90" in said(fine(first)) and "|ρ| ≥ 0.90" not in said(fine(second.run()))
    first.button(key="undo").click().run()
    assert "|ρ| ≥ 0.50" in said(fine(first))
    first.button(key="redo").click().run()
    fine(first.switch_page("pages/groups.py").run())
    assert first.slider(key="scenario-threshold").value == 0.9
    first.radio(key="scenario-base").set_value("none").run()
    assert fine(first).selectbox(key="scenario-here").value != "correlated"
    assert files(copy) == before and files(made) == kept


def test_what_a_viewer_tries_survives_a_reload_by_the_address_alone(file):
    copy = links.freeze(small(file))
    before, app = files(copy), fine(open_page("whatif", copy))
    app.slider(key="whatif-threshold").set_value(0.9).run()
    again = opened("whatif", {name: [texts] for name, texts in fine(app).query_params.items()})
    assert again.slider(key="whatif-threshold").value == 0.9 and numbers(again) == numbers(app)
    assert "changed in another tab" not in said(again) and files(copy) == before
    app.switch_page("pages/groups.py").run()
    app.radio(key="scenario-base").set_value("groups").run()
    again = opened("groups", {name: [texts] for name, texts in fine(app).query_params.items()})
    assert again.radio(key="scenario-base").value == "groups" and again.selectbox(key="scenario-here").value == "groups"


@pytest.mark.parametrize(
    "told",
    [
        "{",
        "[]",
        "{}",
        '{"name": "correlated", "threshold": 7}',
        '{"name": 3, "base": "x"}',
        "9" * 5000,
        '{"name": "correlated", "groups": {"a": ["b"]}}',
        '{"name": "x", "base": ["none"]}',
        "null",
    ],
)
def test_what_an_address_tells_of_a_scenario_does_no_harm(told, file):
    made = small(file)
    copy = links.freeze(made)
    for work in (made, copy):
        before = files(work)
        app = opened("stability", {"id": [work.id], "tried": [told]})
        assert "|ρ| ≥ 0.50" in said(app) or "stands for itself" in said(app)
        assert files(work) == before


@pytest.mark.parametrize("page", PAGES)
def test_every_screen_of_a_read_only_copy_answers_and_stores_nothing(page, file):
    copy = links.freeze(small(file))
    before = files(copy)
    app = fine(open_page(page, copy))
    assert any(one.key == "own-copy" for one in app.button) and not any(one.key == "forget" for one in app.button)
    assert files(copy) == before
    if page in ("data", "study"):
        assert "read-only copy" in text_of(app.info) and not app.main.selectbox


def test_a_copy_of_ones_own_has_what_was_tried_and_lives_apart(file):
    made = small(file)
    query = sent(fine(open_page("panel", made, **{"panel-threshold": 80})))
    app = opened("whatif", query)
    app.slider(key="whatif-threshold").set_value(0.9).run()
    app.button(key="own-copy").click().run()
    own = Project.find(fine(app).session_state["id"])
    assert own.id not in (made.id, query["id"][0]) and own.frozen is None and app.query_params["id"] == own.id
    assert own.settings["scenario"]["threshold"] == 0.9 and app.slider(key="whatif-threshold").value == 0.9
    assert app.session_state["panel-threshold"] == 80
    app.slider(key="whatif-threshold").set_value(0.8).run()
    assert own.settings["scenario"]["threshold"] == 0.8
    assert made.settings["scenario"].get("threshold", 0.5) == 0.5 == links.current(made).settings["scenario"].get("threshold", 0.5)


def test_a_table_is_not_changed_through_a_link():
    made = table(patients(), roles={"target": "outcome", "exclude": []})
    copy = links.freeze(made)
    app = fine(open_page("data", copy))
    assert "read-only copy" in text_of(app.info)
    app.button(key="own-copy-here").click().run()
    assert fine(app).selectbox(key="target").value == "outcome" and Project.find(app.session_state["id"]).frozen is None


def test_links_are_taken_back_and_go_with_their_work(file):
    made = small(file)
    app = fine(open_page("stability", made))
    query = sent(app)
    app.button(key="withdraw").click().run()
    assert not fine(app).code and Project.find(query["id"][0]) is None
    viewer = new_app()
    viewer.query_params["id"] = query["id"]
    assert "not on this computer" in fine(viewer.run()).warning[0].value
    query = sent(app)
    app.button(key="forget").click().run()
    assert Project.find(query["id"][0]) is None and Project.find(made.id) is None


def test_a_viewer_sends_on_the_link_that_was_sent(file):
    copy = links.freeze(small(file))
    app = fine(open_page("stability", copy))
    assert sent(app)["id"] == [copy.id] and not any(one.key in ("make-link", "withdraw") for one in app.button)
