"""The address of a screen holds every what-if, shows changes of another tab, and can do no harm."""

import re

import pytest
from page_support import PAGES, fine, numbers, open_page, opened_at, text_of, url_parameters
from support import ROOT, slow

from pages.parts import address, session
from pages.parts.learn import lessons
from stabcore.teaching.catalog import LESSONS

# of each kind, what no screen offers
STRANGE = {
    address.WHOLE: "9" * 12,
    address.NUMBER: "-1e11",
    address.SWITCH: "1",
    address.NAME: "__import__('os')",
    address.NAMES: "<b>*x*</b>",
    address.WHOLES: "77",
}
HOSTILE = (
    *("9" * 5000, "-1", "1e400", "nan", "", "\x00", "\u202e٣", "../../etc/passwd", "<script>alert(1)</script>", "a\nb", "0.1.2"),
    *("True", "__class__", "{{7*7}}", "x" * 2_000, "💥", "[1, 2]", "%00%2e", "' OR 1=1 --"),
)
NAMES = sorted({session.HIGHLIGHTED, "paper", "utm"} | address.ADDRESS_NAMES | lessons.NAMES)


def test_names_in_the_address_are_unique_and_spare_those_of_the_app():
    keys = [value for name, value in vars(session).items() if name.isupper() and isinstance(value, str)]
    assert len(keys) > 40 and len(set(keys)) == len(keys)
    assert not ({session.ID, session.HIGHLIGHTED} | lessons.NAMES) & set(address.FIELDS)


def test_every_key_that_results_screens_keep_is_in_the_address():
    in_url = {name for name, value in vars(session).items() if isinstance(value, str) and value in address.FIELDS} | {"tuned_key"}
    sources = [path for path in (ROOT / "pages").rglob("*.py") if "learn" not in path.parts and path.name != "session.py"]
    bound_keys = {
        name
        for path in sources
        for name in re.findall(r"session\.bound(?:_range)?\(\s*session\.(\w+)", path.read_text(encoding="utf-8"))
    }
    bound_keys.remove("PICTURE_FORMAT")  # how a file is saved changes nothing that is shown
    assert len(bound_keys) > 20 and bound_keys <= in_url, bound_keys - in_url


def test_a_lesson_keeps_its_own_address_beside_that_of_the_project(small):
    lesson = next(candidate for candidate in LESSONS.values() if "k" in {control.key for control in candidate.controls})
    k = next(control for control in lesson.controls if control.key == "k")
    asked = {"lesson": [lesson.key], "k": [str(k.nearest("3"))], "seed": ["7"], "panel_threshold": ["60"], "utm": ["x"]}
    app = fine(opened_at("learn", {"id": small().id, **asked}))
    assert {name: url_parameters(app).get(name) for name in asked} == asked
    fine(app.switch_page("pages/panel.py").run())
    assert app.slider(key="panel_threshold__widget").value == 60


def test_values_are_of_their_kind_or_none_and_lists_have_a_limit():
    for text in HOSTILE:
        for kind, of in ((address.WHOLE, int), (address.NUMBER, float), (address.SWITCH, bool), (address.NAME, str)):
            assert isinstance(address.parse_value([text], kind), (of, type(None)))
        assert all(isinstance(name, str) and name for name in address.parse_value([text] * 3, address.NAMES) or ())
    assert len(address.parse_value([str(i) for i in range(5000)], address.NAMES)) == address.MAX_NAMES
    assert address.parse_value([""], address.NAMES) == [] and address.parse_value([], address.NAMES) is None
    assert address.parse_value(["2", "0"], address.WHOLES) == [2, 0] and address.parse_value(["2", "x"], address.WHOLES) is None


def chosen(project):
    """The choices of a project. Data writes the roles of all columns there, whatever the address holds."""
    return {**project.settings, "roles": project.settings["roles"]["target"]}


@pytest.mark.parametrize("turn", [None, 0, *map(slow, range(1, len(HOSTILE)))])
def test_any_address_draws_every_screen_and_stores_nothing(turn, small):
    """None: of each kind, what no screen offers. Else some hostile text for every name, another one at every turn."""
    project = small()
    before = chosen(project)
    strange = {key: [STRANGE[kind]] for key, kind in address.FIELDS.items()}
    hostile = {name: [HOSTILE[(i + (turn or 0)) % len(HOSTILE)]] * (1 + i % 3) for i, name in enumerate(NAMES)}
    app = opened_at("stability", {**(strange if turn is None else hostile), "id": project.id})
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception and (app.title or app.header or app.subheader) and app.sidebar.button(key="forget"), page
        assert turn is not None or not app.error, page
    assert app.session_state["id"] == project.id and chosen(project) == before and address.ADDRESS_READ in app.session_state


def test_an_unknown_id_opens_nothing(home):
    for text in ("x" * 22, "../../etc/passwd", "\x00" * 22, "a" * 20_000):
        app = opened_at("start", {"id": text})
        assert fine(app).warning and "id" not in app.session_state and not home.exists()


def test_another_id_opens_that_project_and_leaves_both_as_they_are(small):
    first, second = small(), small()
    before = chosen(first), chosen(second)
    app = fine(open_page("stability", first, stability_section="selectors"))
    app.query_params["id"] = "x" * 22
    assert fine(app.run()).warning and app.session_state["id"] == first.id
    app.query_params["id"] = second.id  # what Back, or a link that is pasted, does
    fine(app.switch_page("pages/panel.py").run())
    assert app.session_state["id"] == second.id and app.sidebar.button(key="forget") and "feature_count" not in app.session_state
    assert (chosen(first), chosen(second)) == before


def test_a_link_opens_its_scenario_and_leaves_that_of_others(small):
    project = small()
    first = fine(open_page("similarity", project))
    link = url_parameters(first)
    assert link["scenario"] == ["correlated"]
    fine(opened_at("similarity", {**link, "scenario": ["nothing"], "scenario_seen": ["00000000"]}))
    assert project.settings["scenario_name"] == "correlated"
    other = fine(opened_at("similarity", {"id": project.id, "scenario": ["nothing"]}))
    assert other.selectbox(key="scenario_switch").value == "nothing" and numbers(other) != numbers(first)
    assert numbers(fine(first.run())) == numbers(fine(opened_at("similarity", link)))


def test_another_tab_is_notified_once_of_a_changed_scenario(small):
    project = small()
    tab = fine(open_page("stability", project))
    link, quiet = url_parameters(tab), len(fine(tab.run()).info)
    changed = {**project.settings["scenario"], "threshold": 0.9}
    project.save(scenario=changed, scenarios={**project.settings["scenarios"], "correlated": changed})
    assert "“correlated”" in text_of(fine(tab.run()).info) and len(tab.info) == quiet + 1
    assert len(fine(tab.run()).info) == quiet
    assert len(fine(opened_at("stability", link)).info) == quiet + 1, "it changed since this link was made"
    other = fine(open_page("similarity", project))
    quiet_groups = len(other.info)
    other.slider(key="scenario-threshold").set_value(0.7).run()
    assert len(fine(other).info) == quiet_groups and project.settings["scenario"]["threshold"] == 0.7
    project.save(scenarios={"nothing": project.settings["scenarios"]["nothing"]}, scenario_name="nothing", scenario=None)
    assert len(fine(tab.run()).info) > quiet, "it is not there any more"
