"""What-ifs in the address: a link shows the same numbers, a wrong one does no harm, another tab is told of a changed scenario."""

import re

import pytest
from page_support import PAGES, fine, new_app, open_page, patients, studied, study_file, text_of
from support import ROOT

import stabcore as sc
from pages.parts import address, scenarios, session
from pages.parts.learn import lessons
from stabcore.teaching.catalog import LESSONS

FEATURES = "abcdef"
WHAT_IFS = {
    "other-k": ["1"],
    "features": ["4"],
    "section": ["agreement"],
    "measures-overlap": ["jaccard", "dice"],
    "panel": ["together"],
    "share": ["60"],
    "panel-of": ["Lasso"],
    "explored": ["Lasso"],
    "order": ["name"],
    "front": ["weigh"],
    "gamma": ["0.25"],
    "profile": ["runs"],
    "within": ["0.1"],
    "bands": [""],
    "question": ["pairs"],
    "pair": ["b", "c"],
}
STRANGE = {
    address.WHOLE: "9" * 12,
    address.NUMBER: "-1e11",
    address.SWITCH: "1",
    address.NAME: "__import__('os')",
    address.NAMES: "<b>*x*</b>",
    address.WHOLES: "77",
}
EMPTY = {address.WHOLE: "0", address.NUMBER: "0", address.SWITCH: "0", address.NAME: "None", address.NAMES: "", address.WHOLES: ""}
HOSTILE = ("9" * 5000, "-1", "nan", "1e400", "", "__import__('os')", "\x00", "٣", "<b>*x*</b>", "None", "x" * 100)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A study of two selectors on six features: what is said is the same as of a large one, and sooner."""
    path = tmp_path_factory.mktemp("study") / "study.stab"
    return study_file(path, patients(FEATURES, 48), ["mim", "lasso"], sc.Subsample(8, 0.5))


def work(file, **settings):
    """A workspace with that study and its table, in which correlated features stand for each other."""
    made = studied(file)
    made.save(
        table=made.keep("table.csv", patients(FEATURES, 48).to_csv(index=False).encode()),
        roles={"target": "outcome"},
        **{"scenario": {"base": "correlation", "groups": {}}, **settings},
    )
    return made


def linked(page, made, asked):
    """A page of the app, opened by a link in a browser that has never been there."""
    app = new_app()
    app.query_params["id"] = made.id
    for name, texts in asked.items():
        app.query_params[name] = texts
    return app.switch_page(f"pages/{page}.py").run()


def texts(app):
    """What the address says, as lists."""
    return {name: [one] if isinstance(one, str) else list(one) for name, one in app.query_params.items()}


def numbers(app):
    """All that a person reads."""
    shown = [text_of(getattr(app, kind)) for kind in ("markdown", "caption", "info", "metric")]
    return shown, [one.proto.spec for one in app.get("plotly_chart")], [str(one.value) for one in app.dataframe]


@pytest.mark.parametrize("page", ["stability", "profiles", "panel", "pareto"])
def test_a_link_shows_the_same_as_the_session_that_it_was_copied_from(page, file):
    made = work(file)
    first = fine(linked(page, made, WHAT_IFS))
    link = texts(first)
    assert {name: link.get(name) for name in WHAT_IFS} == WHAT_IFS  # also what this page does not show
    again = fine(linked(page, made, link))
    assert numbers(again) == numbers(first) and texts(again) == link
    assert numbers(fine(open_page(page, made))) != numbers(first)  # so the what-ifs do something


def test_what_is_chosen_is_in_the_address_and_what_is_usual_is_not(file):
    made = work(file)
    app = fine(open_page("panel", made))
    before = texts(app)
    assert before["id"] == [made.id] and not {"share", "panel", "panel-of", "features"} & set(before)
    app.slider(key="panel-threshold__widget").set_value(80).run()
    assert texts(fine(app))["share"] == ["80"]
    app.slider(key="panel-threshold__widget").set_value(75).run()
    assert texts(fine(app)) == before


@pytest.mark.parametrize("of_kind", [STRANGE, EMPTY], ids=["strange", "empty"])
def test_what_an_address_cannot_mean_does_no_harm(of_kind, file):
    """Values of the right kind that no screen offers; texts of another kind are dropped before, see below."""
    made = work(file)
    before = dict(made.settings)
    app = linked("stability", made, {short: [of_kind[kind]] for short, kind in address.FIELDS.values()})
    assert address.READ in fine(app).session_state
    for page in PAGES:
        if page not in ("start", "data", "study", "stability", "learn"):
            fine(app.switch_page(f"pages/{page}.py").run())
    assert dict(made.settings) == before


@pytest.mark.parametrize("text", HOSTILE)
def test_values_are_of_their_kind_or_none(text):
    for kind, sort in ((address.WHOLE, int), (address.NUMBER, float), (address.SWITCH, bool), (address.NAME, str)):
        assert isinstance(address.value_of([text], kind), (sort, type(None)))
    assert all(isinstance(one, str) and one for one in address.value_of([text] * 3, address.NAMES) or ())
    assert len(address.value_of([str(i) for i in range(5000)], address.NAMES)) == address.MOST
    assert address.value_of([""], address.NAMES) == [] and address.value_of([], address.NAMES) is None
    assert address.value_of(["2", "0"], address.WHOLES) == [2, 0] and address.value_of(["2", "x"], address.WHOLES) is None


def test_names_in_the_address_are_unique_and_spare_those_of_the_app():
    shorts = [short for short, _ in address.FIELDS.values()]
    assert len(set(shorts)) == len(shorts) and not ({session.ID, session.HIGHLIGHTED_IN_ADDRESS} | lessons.NAMES) & set(shorts)


def test_a_lesson_keeps_its_own_address_beside_that_of_the_work(file):
    lesson = next(one for one in LESSONS.values() if "k" in {control.key for control in one.controls})
    made, k = work(file), next(control for control in lesson.controls if control.key == "k")
    asked = {"lesson": [lesson.key], "k": [str(k.nearest("3"))], "random_state": ["7"], "share": ["60"], "utm": ["x"]}
    app = fine(linked("learn", made, asked))
    assert {name: texts(app).get(name) for name in asked} == asked
    fine(app.switch_page("pages/panel.py").run())
    assert app.slider(key="panel-threshold__widget").value == 60


def test_every_key_that_results_screens_keep_is_in_the_address():
    said = {name for name, value in vars(session).items() if isinstance(value, str) and value in address.FIELDS} | {"tuned"}
    kept = set()
    for path in (ROOT / "pages").rglob("*.py"):
        if "learn" not in path.parts and path.name != "session.py":  # lessons have an address of their own
            kept |= set(re.findall(r"session\.bound(?:_range)?\(\s*session\.(\w+)", path.read_text(encoding="utf-8")))
    assert len(kept) > 20 and kept <= said, kept - said


# ---- the scenario ----


def changed_elsewhere(made, threshold):
    made.save(
        scenario={**made.settings["scenario"], "threshold": threshold},
        scenarios={
            **made.settings["scenarios"],
            made.settings["scenario_name"]: {**made.settings["scenario"], "threshold": threshold},
        },
    )


def two(file):
    kept = {
        name: one.settings()
        for name, one in {"nothing": scenarios.Scenario(), "correlated": scenarios.Scenario(base="correlation")}.items()
    }
    return work(file, scenarios=kept, scenario=kept["correlated"], scenario_name="correlated")


def test_a_link_opens_its_scenario_and_leaves_that_of_others(file):
    made = two(file)
    first = fine(open_page("stability", made))
    link = texts(first)
    assert link["scenario"] == ["correlated"]
    fine(linked("stability", made, {**link, "scenario": ["nothing"], "as": ["00000000"]}))
    assert made.settings["scenario_name"] == "correlated"
    other = fine(linked("stability", made, {"scenario": ["nothing"]}))
    assert other.selectbox(key="scenario-switch").value == "nothing" and numbers(other) != numbers(first)
    assert numbers(fine(first.run())) == numbers(fine(linked("stability", made, link)))


def test_another_tab_is_told_that_the_scenario_changed_and_the_one_that_changed_it_is_not(file):
    made = two(file)
    tab = fine(open_page("stability", made))
    link = texts(tab)
    assert "changed in another tab" not in text_of(fine(tab.run()).info)
    changed_elsewhere(made, 0.9)
    assert "“correlated” was changed in another tab" in text_of(fine(tab.run()).info)
    assert "changed in another tab" not in text_of(fine(tab.run()).info)  # once
    assert "since this link was made" in text_of(fine(linked("stability", made, link)).info)
    own = fine(open_page("groups", made))
    own.slider(key="scenario-threshold").set_value(0.7).run()
    assert "changed in another tab" not in text_of(fine(own).info) and made.settings["scenario"]["threshold"] == 0.7
    made.save(scenarios={"nothing": made.settings["scenarios"]["nothing"]}, scenario_name="nothing", scenario=None)
    assert "is not there any more" in text_of(fine(tab.run()).info)
