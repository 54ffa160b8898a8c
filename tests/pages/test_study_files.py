"""Uploaded study files: their description, adding their table, continuing the study, damaged files."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from page_support import fine, open_page, project_of, upload
from project_support import patients, sample, study_file
from support import slow

import stabcore as sc
from stabcore.similarity.files import write_scenario
from stabcore.similarity.scenario import Scenario
from stabcore.study.loading import load_study
from stabcore.study.store import Store

UNCHANGED = "Unchanged since the study ended"
PAGES = ("start", "data", "similarity", "study", "stability", "maps", "feature_count", "whatif", "feature_profile", "pareto")


@pytest.fixture(scope="module")
def half(tmp_path_factory):
    """A study of which half is done, with two scenarios of C in its file."""
    file = study_file(tmp_path_factory.mktemp("half") / "s.stab", patients(), ["mim", "mrmr"], sc.Subsample(6, 0.2), runs=3)
    scenarios = {"pairs": Scenario(edits=(("ALT", "AST", 1.0),)), "nothing": Scenario()}
    Store(file).set_meta(scenarios=[write_scenario(name, scenario) for name, scenario in scenarios.items()])
    Store(file).seal()
    return file.read_bytes()


def mailed(app, content):
    return upload(app, "selections", "mailed.stab", content, "use-selections")


def opened(content):
    app = fine(mailed(open_page("start"), content))
    return app, project_of(app)


def about(app):
    """The description of the study."""
    return app.dataframe[0].value.set_index("what")["value"]


def add_table(app, frame):
    return upload(app, "study-table", "t.csv", frame.to_csv(index=False), "add-study-table")


def test_an_uploaded_study_is_described_and_keeps_its_scenarios(half):
    app, project = opened(half)
    assert project.settings["kind"] == "study" and len(about(app)) > 8
    assert about(app)["Tasks"].startswith("6 done") and about(app)["Seed"] == "1" and about(app)[UNCHANGED] == "yes"
    assert list(project.settings["scenarios"]) == ["pairs", "nothing"] and project.settings["scenario_name"] == "pairs"
    assert project.settings["scenario"]["edits"] == [["ALT", "AST", 1.0]]
    for page in PAGES[2:]:
        fine(app.switch_page(f"pages/{page}.py").run())
    copy = project.folder / "again.stab"
    Store(project.store).copy(copy, scenarios=['name = "x"\n'])
    assert Store(copy).meta("scenarios") == ['name = "x"\n'] and Store(copy).intact(), "as it is sent to others"
    copy.write_bytes(half)
    with sqlite3.connect(copy) as base:
        base.execute("UPDATE task SET seconds = seconds + 1")
    app, project = opened(copy.read_bytes())
    assert about(app)[UNCHANGED].startswith("no")
    project.store.unlink()
    app.run()
    assert not app.exception and app.info


def test_its_table_is_added_and_the_study_continued(half):
    app, project = opened(half)
    fine(add_table(app, patients()))
    assert project.settings["roles"] == {"target": "outcome", "exclude": []} and project.store.name == "study.stab"
    with ThreadPoolExecutor(1) as executor:
        found = load_study(project.folder / "study.toml").run(executor, store=project.store)
    assert len(found.store.finished()) == found.total == 12


def test_another_table_is_refused_and_nothing_changed(half):
    app, project = opened(half)
    before, frame = dict(project.settings), patients()
    for other in (frame.drop(columns="AST"), frame.assign(ALT=frame["ALT"] + 1e-9), frame.iloc[:-1], frame.iloc[::-1]):
        add_table(app, other)
        assert not app.exception and app.error and project.settings == before


def test_what_names_code_of_its_own_is_shown_and_never_run(tmp_path):
    class Mine:
        def fit(self, X, y):
            self.scores_ = X.std(axis=0)

    file = study_file(tmp_path / "mine.stab", patients(), {"mine": Mine(), "mim": "mim"}, sc.Subsample(4, 0.2))
    app, project = opened(file.read_bytes())
    add_table(app, patients())
    assert not app.exception and app.warning and not (project.folder / "study.toml").exists()
    with pytest.raises(sc.InputError):
        project.write_study({"study": {}, "selector": [{"own": "os:system"}]})


def test_a_damaged_study_file_is_a_sentence_and_what_was_open_stays(half):
    earlier = sample()
    app = mailed(open_page("start", earlier), half[:9000])
    assert not app.exception and app.error and app.session_state["id"] == earlier.id
    assert app.query_params["id"] in (earlier.id, [earlier.id])
    assert [path.name for path in earlier.folder.parent.iterdir()] == [earlier.id]


def damage(project, part):
    """Break a part of a project."""
    if part == "store":
        content = (project.folder / "study.stab").read_bytes()[:-4096]
        (project.folder / "study.stab").write_bytes(content[: len(content) // 4096 * 4096 - 4096])
    elif part == "settings":
        (project.folder / "workspace.json").write_text('{"kind": "ta')
    elif part == "table":
        (project.folder / project.settings["table"]).unlink()
    else:
        project.save(scenario={"base": 3, "groups": 7, "edits": [1]})


@pytest.mark.parametrize("part", ["store", slow("settings"), slow("table"), "scenario"])
def test_every_page_has_a_sidebar_and_a_way_out_whatever_is_broken(part, small):
    project = small()
    app = fine(open_page("start", project))
    damage(project, part)
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, (page, app.exception[0].value)
        assert app.title and any(button.key == "forget" for button in app.sidebar.button)
        assert page in ("start", "data") or app.error or app.sidebar.caption
    app.sidebar.button(key="forget").click().run()
    assert not app.exception and not project.folder.exists()
