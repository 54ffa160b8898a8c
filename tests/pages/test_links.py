"""Links to read-only copies: the same numbers, every what-if answers, nothing is stored, and a copy of one's own can be made."""

from urllib.parse import parse_qs, urlparse

import pytest
from page_support import RESULTS, drawer, fine, keys_of, metrics, numbers, open_page, opened_at, project_of, url_parameters, walk
from project_support import files
from support import slow

from pages.parts.screen import NUMBERS
from pages.workspace import links
from pages.workspace.project import Project
from pages.workspace.projects import projects

WHAT_IFS = {
    "other_feature_count": ["1"],
    "feature_count": ["4"],
    "stability_section": ["agreement"],
    "measures_overlap": ["jaccard", "dice"],
    "panel_section": ["overlap"],
    "panel_threshold": ["60"],
    "panel_selector": ["mRMR"],
    "shown_selector": ["mRMR"],
    "map_kind": ["importance"],
    "feature_order": ["name"],
    "pareto_section": ["trade_off"],
    "pareto_gamma": ["0.25"],
    "count_section": ["runs"],
    "count_precision": ["0.1"],
    "what_if": ["pairs"],
    "pair": ["d", "e"],
    "scenario": ["nothing"],
    "highlighted": ["1.2"],
}


def sent(app):
    """The parts of the address of the link on the page, after it is made."""
    app.session_state["link"] = True  # the popover is open
    app.run()
    if any(button.key == "make-link" for button in app.button):
        app.button(key="make-link").click().run()
    return parse_qs(urlparse(fine(app).code[0].value).query)


@pytest.mark.parametrize(
    "page", ["whatif", "panel", *map(slow, ("stability", "maps", "feature_count", "feature_profile", "pareto", "report"))]
)
def test_a_link_shows_the_same_numbers_on_every_result_screen(page, small):
    project = small()
    numbers_open = drawer(page, NUMBERS)
    first = fine(opened_at(page, {"id": [project.id], **WHAT_IFS}, **numbers_open))
    link = url_parameters(first)
    assert {name: link.get(name) for name in WHAT_IFS} == WHAT_IFS  # also what this page does not show
    viewer = fine(opened_at(page, {**link, "id": [links.make_copy(project).id]}, **numbers_open))
    assert numbers(viewer) == numbers(first) and url_parameters(viewer) | {"id": link["id"]} == link
    assert len(str(numbers(first))) > 100
    assert page not in ("stability", "panel") or numbers(fine(open_page(page, project, **numbers_open))) != numbers(first)


def test_a_link_leads_to_a_copy_with_its_choices_not_to_the_project(small):
    project = small()
    app = fine(open_page("panel", project))
    app.slider(key="panel_threshold__widget").set_value(80).run()
    query = sent(app)
    assert query["panel_threshold"] == ["80"] and query["id"] != [project.id] and query["scenario"] == ["correlated"]
    viewer = fine(opened_at("panel", query))
    assert viewer.slider(key="panel_threshold__widget").value == 80 and metrics(viewer) == metrics(fine(app.run()))
    assert sent(viewer)["id"] == query["id"] and not {"make-link", "withdraw"} & keys_of(viewer), "a viewer sends on the same link"
    project.save(scenario={"base": "none"}, scenarios={}, scenario_name="nothing")
    assert metrics(fine(opened_at("panel", query))) == metrics(viewer), "what the sender does later is not seen"
    assert [work.id for work in projects()] == [project.id]


def test_choices_of_a_viewer_survive_a_reload_and_are_not_stored(small):
    project = small()
    copy = links.make_copy(project)
    before, stored = files(copy), files(project)
    first, second = (fine(open_page("whatif", copy)) for _ in range(2))
    first.slider(key="whatif-threshold").set_value(0.9).run()
    assert fine(second.run()).slider(key="whatif-threshold").value == 0.8
    again = fine(opened_at("whatif", fine(first).query_params))
    assert again.slider(key="whatif-threshold").value == 0.9 and numbers(again) == numbers(first)
    for key, value in (("undo", 0.8), ("redo", 0.9)):
        first.button(key=key).click().run()
        assert fine(first).slider(key="whatif-threshold").value == value
    fine(first.switch_page("pages/similarity.py").run())
    assert first.slider(key="scenario-threshold").value == 0.9
    first.selectbox(key="scenario-base").select("groups").run()
    again = fine(opened_at("similarity", fine(first).query_params))
    assert again.selectbox(key="scenario-base").value == "groups" and again.selectbox(key="scenario_here").value == "groups"
    assert files(copy) == before and files(project) == stored


def test_what_an_address_says_of_a_scenario_does_no_harm(small):
    project = small()
    for work in (project, links.make_copy(project)):
        before = files(work)
        for said in ("{", "9" * 5000, '{"name": "correlated", "threshold": 7}', '{"name": "x", "base": ["none"]}'):
            assert fine(opened_at("similarity", {"id": [work.id], "scenario_changes": [said]})).title and files(work) == before


def test_every_screen_of_a_read_only_copy_answers_and_stores_nothing(small):
    copy = links.make_copy(small())
    app, before = fine(open_page("start", copy)), files(copy)
    for page in walk(app, ("learn", *RESULTS)):
        assert "own-copy" in keys_of(app) and "forget" not in keys_of(app) and files(copy) == before, page
        if page in RESULTS:
            assert [app.button(key=key).proto.shortcut for key in ("undo", "redo")] == ["alt+z", "alt+y"]
    for page in ("study", "data"):
        app = fine(open_page(page, copy))
        assert "own-copy" in keys_of(app) and app.info and not app.main.selectbox and files(copy) == before
    app.button(key="own-copy-here").click().run()
    assert fine(app).selectbox(key="target").value == "outcome" and project_of(app).read_only_since is None


def test_a_copy_of_ones_own_has_what_was_tried_and_lives_apart(small):
    project = small()
    query = sent(fine(open_page("panel", project, **{"panel_threshold": 80})))
    app = fine(opened_at("whatif", query))
    app.slider(key="whatif-threshold").set_value(0.9).run()
    app.button(key="own-copy").click().run()
    copy = project_of(app)
    assert copy.id not in (project.id, query["id"][0]) and copy.read_only_since is None and app.query_params["id"] == copy.id
    assert copy.settings["scenario"]["threshold"] == 0.9 == app.slider(key="whatif-threshold").value
    assert app.session_state["panel_threshold"] == 80
    app.slider(key="whatif-threshold").set_value(0.8).run()
    assert copy.settings["scenario"]["threshold"] == 0.8
    assert [linked.settings["scenario"].get("threshold", 0.5) for linked in (project, links.current_copy(project))] == [0.5, 0.5]


def test_links_are_taken_back_and_go_with_their_project(small):
    project = small()
    app = fine(open_page("stability", project))
    query = sent(app)
    app.button(key="withdraw").click().run()
    assert not fine(app).code and Project.find(query["id"][0]) is None
    viewer = fine(opened_at("start", query))
    assert viewer.warning and "id" not in viewer.session_state
    query = sent(app)
    app.button(key="forget").click().run()
    assert Project.find(query["id"][0]) is None and Project.find(project.id) is None
