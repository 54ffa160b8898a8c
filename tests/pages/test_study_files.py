"""Study files that were brought: what they are is told, their table can be added and the study continued; damaged ones."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from page_support import COLUMNS, fine, fine_page, new_app, open_page, patients, said, sample, study_file

import stabcore as sc
from pages.workspace.project import Project
from stabcore.similarity.files import write_scenario
from stabcore.similarity.scenario import Scenario
from stabcore.study.loading import load_study
from stabcore.study.store import Store

PAGES = ("start", "data", "groups", "study", "stability", "maps", "profiles", "whatif", "passport", "pareto")


@pytest.fixture
def mailed(tmp_path):
    """A study of which half is done, with two scenarios of C in its file."""
    file = study_file(tmp_path / "mailed.stab", patients(), ["mim", ("lasso", {})], sc.Subsample(6, 0.2), runs=3)
    Store(file).set_meta(
        scenarios=[write_scenario("pairs", Scenario(edits=(("ALT", "AST", 1.0),))), write_scenario("nothing", Scenario())]
    )
    Store(file).seal()
    return file


def upload(app, content, name="mailed.stab"):
    app.file_uploader(key="selections").set_value((name, content, "application/octet-stream")).run()
    return app.button(key="use-selections").click().run()


def opened(file):
    app = fine(upload(open_page("start"), file.read_bytes()))
    return app, Project.find(app.session_state["id"])


# ---- what it is ----


def test_a_brought_study_shows_what_it_is(mailed):
    app, here = opened(mailed)
    assert here.settings["kind"] == "study" and "Add the table" in [one.label for one in app.button]
    told = app.dataframe[0].value.set_index("what")["value"]
    assert told["Outcome"].startswith("outcome: sick (") and told["Rows and features"] == "40 rows, 4 features"
    assert told["Tasks"] == "6 done, 0 failed, of 12" and told["Seed"] == "1" and told["As it was when the study ended"] == "yes"
    assert told["Fingerprint of the table"] and told["Begun"].startswith("20") and "numpy" in told["Made with"]


def test_a_brought_study_whose_file_is_gone_says_so(mailed):
    app, here = opened(mailed)
    here.store.unlink()
    app.run()
    assert not app.exception and any("The study file of this work is no longer here" in one.value for one in app.info)


def test_its_scenarios_travel_inside(mailed):
    app, here = opened(mailed)
    assert list(here.settings["scenarios"]) == ["pairs", "nothing"] and here.settings["scenario_name"] == "pairs"
    assert here.settings["scenario"]["edits"] == [["ALT", "AST", 1.0]] and "2 scenarios of C came with it" in said(app)
    for page in PAGES[2:]:
        fine(app.switch_page(f"pages/{page}.py").run())


def test_the_file_for_a_colleague_holds_the_scenarios(mailed):
    from pages.parts.study import study_file

    app, here = opened(mailed)
    copy = here.folder / "again.stab"
    Store(here.store).copy(copy, scenarios=['name = "x"\n'])
    assert Store(copy).meta("scenarios") == ['name = "x"\n'] and Store(copy).intact() and callable(study_file.packed)


# ---- its table ----


def test_its_table_is_added_and_the_study_continued(mailed):
    app, here = opened(mailed)
    frame = patients().assign(note="x", visit=range(40))
    app.file_uploader(key="study-table").set_value(("t.csv", patients().to_csv(index=False).encode(), "text/csv")).run()
    app = fine(app.button(key="add-study-table").click().run())
    assert here.settings["roles"] == {"target": "outcome", "exclude": []} and here.store.name == "study.stab"
    assert "3 of 6" not in app.error and any("Go on with what is missing" in one.label for one in app.button)
    with ThreadPoolExecutor(1) as executor:
        found = load_study(here.folder / "study.toml").run(executor, store=here.store)
    assert len(found.store.finished()) == found.total == 12
    assert set(frame) - set(patients()) == {"note", "visit"}


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda frame: frame.drop(columns="AST"), "no column 'AST'"),
        (lambda frame: frame.assign(ALT=frame["ALT"] + 1e-9), "other values"),
        (lambda frame: frame.iloc[:-1], "39"),
        (lambda frame: frame.iloc[::-1], "other values"),
    ],
)
def test_another_table_is_refused_and_nothing_changed(mailed, change, wrong):
    app, here = opened(mailed)
    before = dict(here.settings)
    app.file_uploader(key="study-table").set_value(("t.csv", change(patients()).to_csv(index=False).encode(), "text/csv")).run()
    app.button(key="add-study-table").click().run()
    assert not app.exception and wrong in app.error[0].value.replace("\\", "") and here.settings == before


def test_what_names_own_code_is_shown_and_never_run(tmp_path):
    class Mine:
        def fit(self, X, y):
            self.scores_ = X.std(axis=0)

    data = sc.Dataset.from_frame(patients(), target="outcome")
    with ThreadPoolExecutor(1) as executor:
        sc.Study(data, {"mine": Mine(), "mim": "mim"}, sc.Subsample(4, 0.2), k=2, n_permutations=0).run(
            executor, store=tmp_path / "own.stab"
        )
    app, here = opened(tmp_path / "own.stab")
    app.file_uploader(key="study-table").set_value(("t.csv", patients().to_csv(index=False).encode(), "text/csv")).run()
    app = app.button(key="add-study-table").click().run()
    assert not app.exception and any("never run from one" in one.value for one in app.warning)
    assert not (here.folder / "study.toml").exists()
    with pytest.raises(sc.InputError, match="name code of their own"):
        here.write_study({"study": {}, "selector": [{"own": "os:system"}]})


# ---- damaged ----


def test_a_damaged_study_file_is_a_sentence_and_what_was_open_stays(mailed):
    earlier = sample()
    app = upload(open_page("start", earlier), mailed.read_bytes()[:9000])
    assert not app.exception and "damaged" in app.error[0].value and app.session_state["id"] == earlier.id
    assert app.query_params["id"] in (earlier.id, [earlier.id])
    assert sorted(path.name for path in earlier.folder.parent.iterdir()) == [earlier.id]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("broken", ["store", "settings", "table", "scenario"])
def test_every_page_has_a_sidebar_and_a_way_out_whatever_is_broken(broken, page, tmp_path):
    file = study_file(tmp_path / "s.stab", patients(), ["mim", "welch_t"], sc.Subsample(4, 0.2))
    made = Project.create()
    made.save(
        kind="table",
        name="t",
        table=made.keep("t.csv", patients().to_csv(index=False).encode()),
        roles={"target": "outcome", "exclude": []},
        store="study.stab",
    )
    (made.folder / "study.stab").write_bytes(file.read_bytes())
    app = fine(open_page("start", made))
    if broken == "store":
        content = bytearray(file.read_bytes())
        content[-4096:] = bytes(4096)
        (made.folder / "study.stab").write_bytes(content[: len(content) // 4096 * 4096 - 4096])
    elif broken == "settings":
        (made.folder / "workspace.json").write_text('{"kind": "ta')
    elif broken == "table":
        (made.folder / made.settings["table"]).unlink()
    else:
        made.save(scenario={"base": 3, "groups": 7, "edits": [1]})
    app = (app if page == "start" else app.switch_page(f"pages/{page}.py")).run()
    assert not app.exception, app.exception[0].value
    assert app.title and any(one.key == "forget" for one in app.sidebar.button)
    assert page in ("start", "data") or app.error or app.sidebar.caption
    app.sidebar.button(key="forget").click().run()
    assert not app.exception and not made.folder.exists()


def test_an_address_with_absurd_numbers_is_no_fault():
    made = sample()
    app = new_app()
    app.query_params["id"], app.query_params["f"] = made.id, "1" * 5000 + ".2." + "٣" * 40 + ".." + "9" * 9
    fine(app.switch_page("pages/stability.py").run())
    assert app.session_state["picked"] == [sc.open_study(made.store).features[2]]


def test_a_changed_study_file_is_told(mailed):
    with sqlite3.connect(mailed) as base:
        base.execute("UPDATE task SET seconds = seconds + 1")
    app, _ = opened(mailed)
    assert app.dataframe[0].value.set_index("what")["value"]["As it was when the study ended"].startswith("no")
    app = fine_page("stability", Project.find(app.session_state["id"]))
    assert "not as it was when the study ended" in said(app) and COLUMNS
