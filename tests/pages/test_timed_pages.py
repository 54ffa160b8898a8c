"""Every screen with a time to an event: chosen on Data, and as outcome of a study."""

import shutil

import numpy as np
import pandas as pd
import pytest
from page_support import PAGES, RESULTS, fine, fine_page, text_of, walk
from project_support import studied, study_file, table
from survival_support import simulated

import stabcore as sc
from pages.parts import session


def followed(n=90):
    X, target = simulated(np.random.default_rng(0), n, 6, (1.2, -1.0))
    frame = pd.DataFrame(np.round(X, 3), columns=["ALT", "AST", "EGFR", "age", "CRP", "LDH"])
    frame["stage"] = np.random.default_rng(1).choice(["I", "II", "III"], n)
    return frame.assign(os_time=np.round(100 * target["time"] + 1, 1), os_event=target["event"].astype(int))


ROLES = {"target": ["os_time", "os_event"], "exclude": [], "event": ["1"]}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    data = sc.Dataset.from_frame(followed(), target=("os_time", "os_event"))
    path = tmp_path_factory.mktemp("timed") / "s.stab"
    return study_file(path, data, ["cox_score", "lasso", "random"], sc.ComplementaryPairs(5), n_permutations=2)


def project(file):
    """The study beside its table."""
    made = table(followed(), roles=ROLES)
    shutil.copy(file, made.folder / "study.stab")
    made.save(store="study.stab")
    return made


def test_every_page_of_a_study_of_times_with_its_table_and_without(file):
    for made, pages in ((project(file), PAGES), (studied(file), RESULTS)):
        app = fine_page("stability", made)
        for page in walk(app, pages):
            assert app.title, page
        assert app.session_state[session.PARETO_SCORE] == "harrell"
    app = fine_page("panel", project(file), **{session.PANEL_SECTION: "risk"})
    assert "had no event" in text_of(app.markdown)


def test_a_pair_is_offered_chosen_and_kept():
    made = table(followed())
    app = fine_page("data", made)
    app.button(key="event-0").click().run()
    assert fine(app).selectbox(key=session.TARGET).value == ("os_time", "os_event")
    assert app.multiselect(key=f"{session.HAPPENED}-os_event").value == ["1"]
    assert made.settings["roles"]["target"] == ["os_time", "os_event"] and made.settings["roles"]["event"] == ["1"]
    app = fine_page("study", made)
    assert app.session_state[session.SELECTORS][:2] == ["cox_score", "concordance"]
    assert app.session_state[session.CLASSIFIER] == "cox"


def test_a_pair_that_is_left_is_no_feature_of_another_outcome():
    made = table(followed().assign(age=np.linspace(40, 70, 90)))
    app = fine_page("data", made)
    app.button(key="event-0").click().run()
    fine(app.selectbox(key=session.TARGET).set_value("os_event").run())
    assert made.settings["roles"]["target"] == "os_event" and made.settings["roles"]["exclude"] == ["os_time"]
    app.button(key="event-0").click().run()
    fine(app.selectbox(key=session.TARGET).set_value("stage").run())
    assert set(made.settings["roles"]["exclude"]) == {"os_time", "os_event"}
    app.selectbox(key=session.TARGET).set_value(()).run()
    app.selectbox(key=session.TIME).set_value("age").run()  # columns that nobody recognised
    app.selectbox(key=session.EVENT).set_value("os_event").run()
    assert fine(app) and made.settings["roles"]["target"] == ["age", "os_event"]
    assert made.settings["roles"]["exclude"] == ["os_time"]
    fine(app.selectbox(key=session.TARGET).set_value("stage").run())
    assert set(made.settings["roles"]["exclude"]) == {"os_time", "os_event", "age"}


def test_dates_and_words_are_asked_about():
    frame = followed().drop(columns=["os_time", "os_event"])
    begin = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(90), "D")
    frame = frame.assign(entry=begin.strftime("%Y-%m-%d"), last_visit=(begin + pd.Timedelta(days=200)).strftime("%Y-%m-%d"))
    frame.loc[:40, "last_visit"] = (begin[:41] + pd.to_timedelta(np.arange(41), "D")).strftime("%Y-%m-%d")
    made = table(frame.assign(status=np.array(["alive", "dead", "relapse"])[np.arange(90) % 3]))
    app = fine_page("data", made)
    app.button(key="event-0").click().run()
    assert fine(app).selectbox(key=session.TARGET).value == ("entry", "last_visit", "status")
    assert "target" not in made.settings.get("roles", {})  # which words are the event is not clear
    app.multiselect(key=f"{session.HAPPENED}-status").set_value(["dead"]).run()
    assert fine(app) and made.settings["roles"]["event"] == ["dead"]
