"""Data asks: events of REDCap, nuisance columns, blanks that predict, rows of one patient; classes are merged."""

import numpy as np
import pandas as pd
from page_support import fine, open_page
from redcap_support import redcap_export

from pages.workspace.project import Project

N = 80


def opened(frame, **settings):
    made = Project.create()
    made.save(kind="table", name="t.csv", table=made.keep("t.csv", frame.to_csv(index=False).encode()), **settings)
    return made, open_page("data", made)


def press(app, label):
    next(one for one in app.button if one.label == label).click().run()
    fine(app)


def metrics(app):
    return {one.label: one.value for one in app.metric}


def clinic(rng, y):
    return pd.DataFrame({"ALT": rng.normal(30, 5, len(y)).round(1), "AST": rng.normal(30, 5, len(y)).round(1), "outcome": y})


def test_events_of_redcap_are_joined_by_one_click_and_come_back():
    made, app = opened(redcap_export())
    fine(app)
    app.button(key="join-events").click().run()
    fine(app)
    app.button(key="confirm-target").click().run()
    fine(app)
    assert metrics(app)["Rows"] == "40" and metrics(app)["Features"] == "6"
    assert not any(one.key == "join-events" for one in app.button)
    app.button(key="turn-back").click().run()
    assert any(one.key == "join-events" for one in app.button)
    app.button(key="events-apart").click().run()
    fine(app)
    assert not any(one.key == "join-events" for one in app.button) and made.settings["events_apart"] is True


def test_a_treatment_is_asked_about_and_kept_or_left_out():
    rng = np.random.default_rng(0)
    frame = clinic(rng, ["ill", "well"] * (N // 2)).assign(rx=rng.integers(1, 3, N))
    made, app = opened(frame, roles={"target": "outcome", "exclude": []})
    fine(app)
    assert metrics(app)["Features"] == "3"
    press(app, "Keep as a feature")
    assert made.settings["kept_columns"] == ["rx"] and not any(one.label == "Keep as a feature" for one in app.button)
    made.save(kept_columns=[])
    app = open_page("data", made)
    press(app, "Leave out")
    assert made.settings["roles"]["exclude"] == ["rx"] and metrics(app)["Features"] == "2"


def test_blanks_that_predict_can_become_the_feature():
    rng = np.random.default_rng(1)
    y = np.array(["ill", "well"] * (N // 2))
    frame = clinic(rng, y)
    frame["AST"] = frame["AST"].where((y == "well") | (rng.random(N) > 0.6))
    made, app = opened(frame, roles={"target": "outcome", "exclude": []})
    fine(app)
    press(app, "Use only blank or not")
    assert made.settings["choices"]["mends"] == [{"do": "blank", "columns": ["AST"]}]
    assert metrics(app)["Features"] == "2" and not any(one.label == "Use only blank or not" for one in app.button)


def test_one_row_of_each_patient_is_one_click():
    rng = np.random.default_rng(2)
    who = np.repeat(np.arange(N // 2), 2)
    frame = clinic(rng, np.where(who % 2, "ill", "well")).assign(patient_id=who, sex=np.where(who % 3, "f", "m"))
    made, app = opened(frame, roles={"target": "outcome", "exclude": [], "same_patient": "patient_id"})
    fine(app)
    press(app, "Use one row of each patient")
    assert made.settings["choices"]["mends"] == [{"do": "first", "columns": ["patient_id"]}]
    assert metrics(app)["Rows"].startswith("40")


def test_classes_are_merged_left_out_and_undone_on_data():
    rng = np.random.default_rng(3)
    made, app = opened(clinic(rng, ["mild", "severe", "none", "dead"] * (N // 4)), roles={"target": "outcome", "exclude": []})
    fine(app)
    app.multiselect(key="classes-chosen").set_value(["mild", "severe"]).run()
    app.button(key="merge-classes").click().run()
    fine(app)
    assert metrics(app)["Classes"] == "3" and made.settings["choices"]["mends"][0]["into"] == "mild or severe"
    app.multiselect(key="classes-chosen").set_value(["dead"]).run()
    app.button(key="leave-out-classes").click().run()
    fine(app)
    assert metrics(app)["Classes"] == "2" and metrics(app)["Rows"] == "60"
    app.button(key="undo-1").click().run()
    app.button(key="undo-0").click().run()
    fine(app)
    assert metrics(app)["Classes"] == "4"


def test_the_first_answers_never_touch_the_outcome():
    rng = np.random.default_rng(4)
    frame = clinic(rng, ["<50", ">=50", "45", "61"] * (N // 4)).assign(
        CRP=[f"{value:.1f} mg/l" for value in rng.normal(90, 5, N)], IL6=["<2", *map(str, range(1, N))]
    )
    made, app = opened(frame, roles={"target": "outcome", "exclude": []})
    fine(app)
    app.button(key="mend-all").click().run()
    fine(app)
    assert all("outcome" not in mend["columns"] for mend in made.settings["choices"]["mends"])
    assert metrics(app)["Features"] == "4" and metrics(app)["Classes"] == "4"


def test_a_second_column_of_names_becomes_groups():
    rng = np.random.default_rng(6)
    genes = 60
    level = rng.normal(8, 3, (genes, 1))
    lines = pd.DataFrame(level + rng.normal(0, 0.3, (genes, 16)), columns=[f"GSM{1000 + i}" for i in range(16)]).round(2)
    lines.insert(0, "ID_REF", [f"{1000 + i}_at" for i in range(genes)])
    lines.insert(1, "Symbol", [f"G{i // 2}" for i in range(genes)])
    made, app = opened(lines)
    fine(app)
    app.selectbox(key="groups-in").set_value("Symbol").run()
    app.button(key="turn").click().run()
    fine(app)
    groups = made.settings["named_groups"]
    assert len(groups) == genes // 2 and groups["G0"] == ["1000_at", "1001_at"]
    app.button(key="turn-back").click().run()
    assert made.settings["named_groups"] == {}
