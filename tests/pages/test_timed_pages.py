"""A time to an event: chosen on Data, and as outcome of a study. Every screen of it: test_every_page.py."""

import numpy as np
import pandas as pd
from page_support import drawer, fine, fine_page, keys_of, text_of
from project_support import followed, table

from pages.parts import session
from pages.parts.screen import MORE


def test_concordance_is_the_score_and_risks_are_without_event(timed):
    assert fine_page("pareto", timed).session_state[session.PARETO_SCORE] == "harrell"
    app = fine_page("panel", timed, **{session.PANEL_SECTION: "risk"})
    assert "had no event" in text_of(app.markdown)
    offered = keys_of(fine_page("panel", timed, **drawer("panel", MORE)))
    assert {f"open-{session.PANEL_SECTION}-{name}" for name in ("risk", "clinical")} & offered == {
        f"open-{session.PANEL_SECTION}-risk"
    }


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
