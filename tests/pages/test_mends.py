"""Data: the place of the table and each mend of its cells, with one click, undone, kept, and applied to a corrected file."""

import tomllib

import pytest
from file_support import workbook
from messy_support import messy_rows, messy_sheet, messy_workbook
from page_support import fine, open_page, patients, said
from table_shapes_support import SHAPES

from pages.workspace.project import Project
from stabcore.study.loading import load_study
from stabcore.study.settings import check_settings


def opened(data, name, **settings):
    """The Data page of a table that was uploaded, and its workspace."""
    made = Project.create()
    made.save(kind="table", name=name, table=made.keep(name, data), **settings)
    app = open_page("data", made)
    if any(one.key == "confirm-target" for one in app.button):
        app.button(key="confirm-target").click().run()
    return made, app


def offers(app):
    return [one for one in app.button if one.key and one.key.startswith("offer-")]


def metrics(app):
    return {one.label: one.value for one in app.metric}


CELLS = [name for name, shape in SHAPES.items() if shape.asks and "Outcome" in shape.true and name != "two units in a column"]


@pytest.mark.parametrize("name", CELLS)
def test_each_mend_is_one_click_listed_and_undone(name):
    shape = SHAPES[name]
    roles = {"target": "Outcome", "exclude": ["ID"]}
    made, app = opened(shape.data, shape.file, roles=roles)
    asked_first = name == "capitals that vary"  # which classes there are has to be known first
    assert bool(app.error) == asked_first
    first = len(offers(app))
    offers(app)[0].click().run()
    fine(app)
    assert len(made.settings["choices"]["mends"]) == 1 and len(offers(app)) < first
    app.button(key="undo-0").click().run()
    assert bool(app.error) == asked_first
    assert made.settings["choices"] == {} and len(offers(app)) == first


def test_a_messy_workbook_needs_one_click_and_the_study_repeats_it(tmp_path):
    made, app = opened(messy_workbook(), "messy.xlsx")
    fine(app)
    assert metrics(app)["Features"] == "2" and any("Set aside" in one.value for one in app.warning)
    assert made.settings["roles"]["set_aside"] is True
    app.button(key="mend-all").click().run()
    fine(app)
    assert metrics(app) == {"Rows": "60", "Features": "6", "Classes": "2", "Smallest class": "30"}
    assert "half the limit" in said(app) and "set_aside" not in made.settings["roles"] and not offers(app)
    made.write_study({"study": {"k": 2}, "plan": {"kind": "subsample", "n_runs": 3}, "selector": [{"key": "mim"}]})
    written = tomllib.loads((made.folder / "study.toml").read_text(encoding="utf-8"))
    check_settings(written, "study.toml")
    data = load_study(made.folder / "study.toml").data
    assert len(written["data"]["mends"]) == 5 and len(data.mended) == 5 and data.units["Dose"] == "mg"
    assert data.features == ("Age", "CRP", "IL6", "Dose", "Smoker", "Weight")


def test_the_study_runs_with_a_column_set_aside():
    made, app = opened(messy_workbook(), "messy.xlsx")
    fine(app)
    made.write_study({"study": {"k": 2}, "plan": {"kind": "subsample", "n_runs": 3}, "selector": [{"key": "mim"}]})
    assert load_study(made.folder / "study.toml").data.features == ("Age", "Smoker")


def test_usual_marks_for_missing_are_taken_listed_and_taken_back_like_every_mend():
    shape = SHAPES["usual marks"]
    made, app = opened(shape.data, shape.file, roles={"target": "Outcome", "exclude": ["ID"]})
    fine(app)
    assert "1 cell holding 'NA' in 'IL6' was read as missing. This was done without a question." in said(app)
    app.button(key="keep-0").click().run()
    fine(app)
    assert made.settings["choices"]["mends"] == [{"do": "keep", "columns": ["IL6"], "cells": ["NA"]}]
    assert "kept as texts" in said(app) and metrics(app)["Features"] == "3" and len(offers(app)) == 1
    app.button(key="undo-0").click().run()
    fine(app)
    assert made.settings["choices"] == {} and metrics(app)["Features"] == "4" and not offers(app)


def test_a_mend_in_some_columns_only():
    made, app = opened(messy_workbook(), "messy.xlsx")
    picked = next(one for one in app.multiselect if one.key.startswith("columns-"))
    picked.set_value(["IL6"]).run()
    next(one for one in offers(app) if "missing" in one.key and "offer-missing" in one.key).click().run()
    fine(app)
    assert made.settings["choices"]["mends"][0]["columns"] == ["IL6"]
    assert any("Weight" in one.value and "k.A." in one.value.replace("\\", "") for one in app.markdown)


def place(app, name):
    return next(one for one in (*app.selectbox, *app.number_input) if one.key == f"place-{name}")


def test_sheet_lines_and_decimal_sign_can_be_chosen():
    made, app = opened(messy_workbook(), "messy.xlsx")
    assert place(app, "sheet").value == "Data" and place(app, "header").value == 5 and place(app, "units").value == 6
    place(app, "last").set_value(50).run()
    fine(app)
    assert made.settings["choices"] == {"last": 50} and metrics(app)["Rows"] == "44"
    place(app, "decimal").select(",").run()
    fine(app)
    assert made.settings["choices"] == {"last": 50, "decimal": ","}
    place(app, "units").select(0).run()
    assert not app.exception and made.settings["choices"]["units"] == 0 and "45 rows and" in said(app)
    place(app, "header").select(4).run()  # merged cells: not every column has a name there
    assert not app.exception and "no name" in app.error[0].value
    place(app, "header").select(5).run()
    fine(app)
    place(app, "sheet").select("Cover").run()
    assert not app.exception
    place(app, "sheet").select("Data").run()
    fine(app)
    assert made.settings["choices"]["sheet"] == "Data" and "last" not in made.settings["choices"]


def test_a_corrected_file_takes_over_every_choice():
    made, app = opened(messy_workbook(), "messy.xlsx")
    app.button(key="mend-all").click().run()
    before = made.settings["choices"]
    corrected = messy_rows()
    corrected[0][1] = 99
    uploader = f"corrected-{made.settings['table']}"
    app.file_uploader(key=uploader).set_value(("fixed.xlsx", messy_workbook(corrected), "")).run()
    app.button(key="replace-table").click().run()
    fine(app)
    assert made.settings["choices"] == before and made.settings["name"] == "fixed.xlsx"
    assert "99" in str(app.dataframe[-1].value["example"].tolist())
    file = made.settings["table"]
    assert f"corrected-{file}" != uploader and not any(one.key == "replace-table" for one in app.button)  # offered no more
    other = patients().to_csv(index=False).encode()
    app.file_uploader(key=f"corrected-{file}").set_value(("other.csv", other, "")).run()
    app.button(key="replace-table").click().run()
    assert not app.exception and "does not have" in app.error[0].value and made.settings["table"] == file


def test_decisions_about_a_column_that_is_gone_can_be_taken_back():
    mends = [{"do": "missing", "columns": ["gone"], "cells": ["n.d."]}]
    made, app = opened(patients().to_csv(index=False).encode(), "t.csv", choices={"mends": mends})
    assert not app.exception and "'gone'" in app.error[0].value.replace("\\", "")
    app.button(key="undo-0").click().run()
    fine(app)
    assert made.settings["choices"] == {}


def test_hostile_names_and_cells_stay_text():
    rows = messy_rows()
    rows[3][2] = "![x](http://evil.example/a.png)<b>"
    sheet = messy_sheet(rows)
    sheet[4] = [name if name != "CRP" else "[CRP](http://evil.example)" for name in sheet[4]]
    made, app = opened(workbook({"<script>": sheet}), "x.xlsx")
    fine(app)
    asked = next(one.value for one in app.markdown if "evil" in one.value and "![" not in one.value)
    assert "](http" not in asked and "<b>" not in asked.replace("\\<", "")


def test_a_slip_in_the_outcome_is_asked_about_answered_undone_and_repeated_by_the_study():
    frame = patients()
    frame.loc[3, "outcome"] = "sikc"
    made, app = opened(frame.to_csv(index=False).encode(), "t.csv")
    (error,) = [one.value for one in app.error]
    assert "only one row" in error and "1 row only (line 5). Is that a slip?" in said(app)
    labels = {one.label: one for one in offers(app)}
    assert list(labels) == ["Read as 'sick'", "Read as 'well'", "Missing, row left out"]
    labels["Read as 'well'"].click().run()
    fine(app)
    assert not offers(app) and metrics(app)["Classes"] == "2"
    assert "1 cell holding 'sikc' in 'outcome' was read as 'well'." in said(app)
    made.write_study({"study": {"k": 2}, "plan": {"kind": "subsample", "n_runs": 3}, "selector": [{"key": "mim"}]})
    data = load_study(made.folder / "study.toml").data
    assert data.classes == ("sick", "well") and data.n_rows == 40
    app.button(key="undo-0").click().run()
    assert made.settings["choices"] == {} and len(offers(app)) == 3
