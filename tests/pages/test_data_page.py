"""Data: roles of columns, guesses that are confirmed or undone, tables on their side, and what is asked about a table."""

import numpy as np
import pandas as pd
from dataset_support import redcap_export
from page_support import click, figures, fine, fine_page, keys_of, open_page, page_text, press, upload
from project_support import patients, table, uploaded
from shape_support import CLASSES, SAMPLES, measured, on_its_side

N = 80
ROLES = {"target": "outcome", "exclude": []}


def opened(frame, **settings):
    """A project with a table and its Data page."""
    project = table(frame, **settings)
    return project, fine_page("data", project)


def answer(app, label):
    next(button for button in app.button if button.label == label).click().run()
    return fine(app)


# ---- the shortest way ----


def mixed(**columns):
    """A table with a mark for missing and a limit in one column."""
    return patients(("ALT", "AST", "age"), N).round(2).assign(CRP=["n.b.", "<5", *map(str, range(5, N + 3))], **columns)


def test_one_click_accepts_suggestions_and_starts_the_study():
    project, app = opened(mixed())
    assert {"run-suggested", "confirm-target"} <= keys_of(app) and "next" not in keys_of(app) and "roles" not in project.settings
    app.button(key="run-suggested").click().run()
    try:
        assert app.session_state["page"] == "Study" and project.is_running
        assert project.settings["roles"]["target"] == "outcome"
        assert {mend["do"] for mend in project.settings["choices"]["mends"]} == {"missing", "half"}
        begun = project.last_settings
        assert begun["study"]["k"] == 2 and begun["plan"]["kind"] == "complementary_pairs" and len(begun["selector"]) == 8
    finally:
        project.cancel_study()


def test_the_study_does_not_start_from_data_with_open_decisions():
    noise = np.random.default_rng(1).normal(size=N)
    leak = {"copy": np.where(mixed()["outcome"] == "sick", "yes", "no")}
    for left in (
        leak,
        {"IL6": [f"{i},{200 + i}" for i in range(1, N + 1)]},
        {"blank": np.where(mixed()["outcome"] == "sick", noise, np.nan)},
    ):
        _, app = opened(mixed(**left))
        assert "confirm-target" in keys_of(app) and "run-suggested" not in keys_of(app)


# ---- roles ----


def test_target_columns_and_patients_are_chosen():
    project, app = opened(patients().assign(visit=np.arange(40) // 2))
    click(app, "confirm-target")
    app.multiselect(key="exclude").select("age").run()
    app.selectbox(key="same_patient").select("visit").run()
    assert project.settings["roles"] == {"target": "outcome", "exclude": ["age"], "same_patient": "visit"}
    assert "40 rows of 20 patients" in page_text(fine(app)) and "3 features" in page_text(app) and "sick in" in page_text(app)
    app.selectbox(key="target").select("ALT").run()
    assert "sick in" not in page_text(fine(app)) and "3 features" in page_text(app)
    app.radio(key="target-as-ALT").set_value("classes").run()  # 40 classes of one row
    assert not app.exception and "ALT" in app.error[0].value
    app.radio(key="target-as-ALT").set_value("number").run()
    assert "target_as" not in project.settings["roles"]
    app.selectbox(key="target").select("outcome").run()
    fine(app)


def test_a_column_of_patients_is_preset_or_asked_about():
    frame = patients().assign(PatNr=np.arange(40) // 2 + 500, visit=np.arange(40) % 2)
    project, app = opened(frame)
    assert app.selectbox(key="same_patient").value == "PatNr"
    click(app, "confirm-target")
    assert project.settings["roles"] == {**ROLES, "same_patient": "PatNr"}
    project.save(roles=ROLES)
    app = fine_page("data", project)
    assert app.selectbox(key="same_patient").value is None, "undone stays undone"
    (asked,) = (warning.value for warning in app.warning if "PatNr" in warning.value)
    assert "visit" not in asked
    project.save(roles={**ROLES, "same_patient": "PatNr"})
    assert not any("PatNr" in warning.value for warning in fine_page("data", project).warning)


# ---- the shape of a table ----


def test_notes_on_the_file_are_counted_while_they_are_folded():
    content = patients(("ALT", "AST"), N).to_csv(index=False)
    for separator, count in ((",", ""), (";", " (1 note)")):
        app = fine_page("data", uploaded("x.csv", content.replace(",", separator).encode()))
        (folded,) = [box.label for box in app.expander if box.label.startswith("More settings")]
        assert folded.split(",")[0].endswith(f"read{count}")


def test_a_transposed_table_is_turned_and_turned_back():
    side = on_its_side(measured())
    head = pd.DataFrame([["diagnosis", *CLASSES]], columns=side.columns)
    project, app = opened(pd.concat([head, side.astype(object)]))
    original = project.settings["table"]
    assert not any(key.startswith("offer-") for key in keys_of(app)), "cells are asked about once rows are samples"
    assert click(app, "turn").selectbox(key="target").value == "diagnosis" and app.warning
    click(app, "confirm-target")
    assert project.settings["roles"] == {"target": "diagnosis", "exclude": ["sample"]}
    assert "12 rows" in page_text(app) and "8 features" in page_text(app)
    assert "turn" in keys_of(click(app, "turn-back")) and project.settings["table"] == original
    assert "turn" not in keys_of(click(app, "upright"))
    assert "turn-back" in keys_of(click(app, "turn-anyway"))


def test_classes_come_from_a_second_file():
    app = fine_page("data", uploaded("x.csv", measured().rename_axis("sample").reset_index().to_csv(index=False).encode()))
    second = pd.DataFrame({"accession": SAMPLES[::-1], "disease": CLASSES[::-1]}).to_csv(index=False).encode()
    upload(app, "second-file", "classes.csv", second)
    assert click(app, "add-second").selectbox(key="target").value == "disease"
    assert "disease" not in click(app, "turn-back").selectbox(key="target").options


def test_a_gene_with_two_columns_is_asked_about_when_sets_are_uploaded():
    side = on_its_side(measured())
    side.iloc[1, 0] = side.iloc[0, 0]
    head = pd.DataFrame([["diagnosis", *CLASSES]], columns=side.columns)
    gene, other = str(side.iloc[0, 0]), str(side.iloc[2, 0])
    project, app = opened(pd.concat([head, side.astype(object)]))
    click(app, "turn")
    assert project.settings["again"] == {f"{gene} (2)": gene}
    click(app, "confirm-target")
    project.save(scenario={"base": "groups"}, scenario_name="mine")
    groups = press(fine_page("similarity", project), "groups_by__widget", "file")
    upload(groups, "group-file", "g.gmt", f"A\t\t{gene}\t{other}\n".encode())
    assert f"'{gene} (2)'" in click(groups, "take-groups").warning[0].value.replace("\\", "")
    assert not project.settings["scenario"].get("groups")
    assert not click(groups, "repeats-join").warning
    assert project.settings["scenario"]["groups"] == {"A": [gene, f"{gene} (2)", other]}
    click(fine_page("data", project), "turn-back")
    assert project.settings["again"] == {}


def test_a_second_column_of_names_becomes_groups():
    rng, genes = np.random.default_rng(6), 60
    values = rng.normal(8, 3, (genes, 1)) + rng.normal(0, 0.3, (genes, 16))
    lines = pd.DataFrame(values, columns=[f"GSM{1000 + i}" for i in range(16)]).round(2)
    lines.insert(0, "ID_REF", [f"{1000 + i}_at" for i in range(genes)])
    lines.insert(1, "Symbol", [f"G{i // 2}" for i in range(genes)])
    project, app = opened(lines)
    app.selectbox(key="groups-in").set_value("Symbol").run()
    click(app, "turn")
    groups = project.settings["named_groups"]
    assert len(groups) == genes // 2 and groups["G0"] == ["1000_at", "1001_at"]
    click(app, "turn-back")
    assert project.settings["named_groups"] == {}


# ---- what is asked ----


def clinic(rng, y):
    return pd.DataFrame({"ALT": rng.normal(30, 5, len(y)).round(1), "AST": rng.normal(30, 5, len(y)).round(1), "outcome": y})


def test_redcap_events_are_joined_by_one_click_and_separated_again():
    project, app = opened(redcap_export())
    click(app, "join-events")
    click(app, "confirm-target")
    assert "40 rows" in page_text(app) and "and 6 feature" in page_text(app) and "join-events" not in keys_of(app)
    assert "join-events" in keys_of(click(app, "turn-back"))
    assert "join-events" not in keys_of(click(app, "events-apart")) and project.settings["events_apart"] is True


def test_treatments_predictive_gaps_and_same_patients_are_asked_about():
    rng, y, who = np.random.default_rng(0), np.array(["ill", "well"] * (N // 2)), np.repeat(np.arange(N // 2), 2)
    project, app = opened(clinic(rng, y).assign(rx=rng.integers(1, 3, N)), roles=ROLES)
    answer(app, "Keep as a feature")
    assert project.settings["kept_columns"] == ["rx"] and "and 3 feature" in page_text(app)
    project.save(kept_columns=[])
    app = answer(open_page("data", project), "Leave out")
    assert project.settings["roles"]["exclude"] == ["rx"] and "and 2 feature" in page_text(app)
    frame = clinic(np.random.default_rng(2), np.where(who % 2, "ill", "well"))
    frame = frame.assign(patient_id=who, sex=np.where(who % 3, "f", "m"))
    project, app = opened(frame, roles={**ROLES, "same_patient": "patient_id"})
    answer(app, "Use one row of each patient")
    assert project.settings["choices"]["mends"] == [{"do": "first", "columns": ["patient_id"]}]
    assert "40 rows" in page_text(app)
    rng = np.random.default_rng(1)
    frame = clinic(rng, y)
    frame["AST"] = frame["AST"].where((y == "well") | (rng.random(N) > 0.6))
    project, app = opened(frame, roles=ROLES)
    answer(app, "Use only blank or not")
    assert project.settings["choices"]["mends"] == [{"do": "blank", "columns": ["AST"]}] and "and 2 feature" in page_text(app)


def test_classes_are_merged_left_out_and_undone():
    project, app = opened(clinic(np.random.default_rng(3), ["mild", "severe", "none", "dead"] * (N // 4)), roles=ROLES)
    app.multiselect(key="classes-chosen").set_value(["mild", "severe"]).run()
    click(app, "merge-classes")
    assert "severe in 40 rows" in page_text(app) and project.settings["choices"]["mends"][0]["into"] == "mild or severe"
    app.multiselect(key="classes-chosen").set_value(["dead"]).run()
    click(app, "leave-out-classes")
    assert "dead in" not in page_text(app) and "60 rows" in page_text(app)
    for key in ("undo-1", "undo-0"):
        click(app, key)
    assert "dead in 20 rows" in page_text(app)


# ---- what the table holds ----


def drawn_names(app):
    """{name of a row: what stands at its bar} of every figure of the page."""
    found = {}
    for figure in figures(app):
        bars = next(trace for trace in figure["data"] if trace["type"] == "bar")
        found |= dict(zip(figure["layout"]["yaxis"]["ticktext"], bars["text"]))
    return found


def test_the_figure_counts_patients_and_missing_cells():
    frame = patients(("ALT", "AST", "age"), N).assign(who=np.arange(N) // 2)
    frame.loc[:19, "AST"] = np.nan
    sick = frame["outcome"] == "sick"
    _, app = opened(frame, roles={"target": "outcome", "exclude": ["who"]})
    rows = drawn_names(app)
    assert rows["sick"].split()[0] == str(sick.sum()) and rows["AST"] == " 20 (25%)"
    assert "No feature" not in page_text(app) and figures(app)[1]["layout"]["yaxis"]["ticktext"] == ["AST", "2 complete"]
    _, app = opened(frame.drop(columns="AST"), roles={"target": "outcome", "exclude": [], "same_patient": "who"})
    assert drawn_names(app)["sick"].split()[0] == str(frame["who"][sick].nunique())
    assert len(figures(app)) == 1 and "No feature" in page_text(app)
