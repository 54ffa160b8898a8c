"""Data: the place of the table and each mend of its cells, with one click, undone, kept, and applied to a corrected file."""

import tomllib

import pytest
from file_support import workbook
from messy_support import messy_rows, messy_sheet, messy_workbook
from page_support import click, fine, open_page, page_text, upload
from project_support import patients, uploaded
from support import slow
from table_shapes_support import SHAPES

from stabcore.study.loading import load_study
from stabcore.study.settings import check_settings

# {kind of question about cells: a table that asks it}
WITHOUT_ANSWER = ("two units in a column", "percentages and shares")
ASKING = [name for name, shape in SHAPES.items() if shape.asks and "Outcome" in shape.true and name not in WITHOUT_ANSWER]
CELLS = {SHAPES[name].asks[0]: name for name in ASKING}
STUDY = {"study": {"k": 2}, "plan": {"kind": "subsample", "n_runs": 3}, "selector": [{"key": "mim"}]}


def opened(data, name, **settings):
    """A project with an uploaded table and its Data page."""
    project = uploaded(name, data, **settings)
    app = open_page("data", project)
    if any(button.key == "confirm-target" for button in app.button):
        app.button(key="confirm-target").click().run()
    return project, app


def offers(app):
    return [button for button in app.button if button.key and button.key.startswith("offer-")]


def data_of_study(project):
    project.write_study(STUDY)
    return load_study(project.folder / "study.toml").data


@pytest.mark.parametrize("name", [name if number % 4 == 0 else slow(name) for number, name in enumerate(CELLS.values())])
def test_each_mend_is_one_click_listed_and_undone(name):
    shape = SHAPES[name]
    project, app = opened(shape.data, shape.file, roles={"target": "Outcome", "exclude": ["ID"]})
    asked_first = name == "capitals that vary"  # which classes there are has to be known first
    assert bool(app.error) == asked_first
    first = len(offers(app))
    offers(app)[0].click().run()
    assert len(project.settings["choices"]["mends"]) == 1 and len(offers(fine(app))) < first
    app.button(key="undo-0").click().run()
    assert bool(app.error) == asked_first and project.settings["choices"] == {} and len(offers(app)) == first


def test_a_messy_workbook_needs_one_click_and_the_study_repeats_it():
    project, app = opened(messy_workbook(), "messy.xlsx")
    assert "2 features" in page_text(fine(app)) and app.warning and project.settings["roles"]["set_aside"] is True
    assert data_of_study(project).features == ("Age", "Smoker"), "it also runs with columns set aside"
    click(app, "mend-all")
    assert all(part in page_text(app) for part in ("60 rows", "6 features", "gesund in 30 rows", "krank in 30 rows"))
    assert "set_aside" not in project.settings["roles"] and not offers(app)
    data = data_of_study(project)
    written = tomllib.loads((project.folder / "study.toml").read_text(encoding="utf-8"))
    check_settings(written, "study.toml")
    assert len(written["data"]["mends"]) == 5 and len(data.mended) == 5 and data.units["Dose"] == "mg"
    assert data.features == ("Age", "CRP", "IL6", "Dose", "Smoker", "Weight")


def place(app, name):
    return next(control for control in (*app.selectbox, *app.number_input) if control.key == f"place-{name}")


def test_sheet_lines_and_decimal_sign_can_be_chosen():
    project, app = opened(messy_workbook(), "messy.xlsx")
    assert [place(app, name).value for name in ("sheet", "header", "units")] == ["Data", 5, 6]
    assert any("Data" in caption.value and "Cover" in caption.value for caption in app.caption)
    place(app, "last").set_value(50).run()
    assert project.settings["choices"] == {"last": 50} and "44 rows" in page_text(fine(app))
    place(app, "decimal").select(",").run()
    assert project.settings["choices"] == {"last": 50, "decimal": ","} and fine(app)
    place(app, "units").select(0).run()
    assert not app.exception and project.settings["choices"]["units"] == 0
    place(app, "header").select(4).run()  # merged cells: not every column has a name there
    assert not app.exception and app.error
    for name, value in (("header", 5), ("sheet", "Cover"), ("sheet", "Data")):
        place(app, name).select(value).run()
        assert not app.exception
    assert project.settings["choices"]["sheet"] == "Data" and "last" not in project.settings["choices"] and fine(app)


def test_a_table_above_another_one_is_read_alone():
    rows = [["id", "CRP", "age", "outcome"], *([f"P{i}", i % 7, i, "yes" if i % 2 else "no"] for i in range(20))]
    _, app = opened(workbook({"S": [*rows, [], ["id", "outcome"], ["P1", "no"], ["P2", "yes"]]}), "two.xlsx")
    assert "second table" in app.error[0].value and place(app, "last").value is None
    place(app, "last").set_value(21).run()
    assert "20 rows" in page_text(fine(app))


def test_a_corrected_file_takes_over_every_choice():
    project, app = opened(messy_workbook(), "messy.xlsx")
    app.button(key="mend-all").click().run()
    before, corrected = project.settings["choices"], messy_rows()
    corrected[0][1] = 99
    uploader = f"corrected-{project.settings['table']}"
    fine(upload(app, uploader, "fixed.xlsx", messy_workbook(corrected), "replace-table"))
    assert project.settings["choices"] == before and project.settings["name"] == "fixed.xlsx"
    assert "99" in str(app.dataframe[-1].value["example"].tolist())
    file = project.settings["table"]
    assert f"corrected-{file}" != uploader and not any(button.key == "replace-table" for button in app.button)
    upload(app, f"corrected-{file}", "other.csv", patients().to_csv(index=False), "replace-table")
    assert not app.exception and app.error and project.settings["table"] == file


def test_a_slip_in_the_outcome_is_mended_undone_and_kept_by_the_study():
    frame = patients()
    frame.loc[3, "outcome"] = "sikc"
    project, app = opened(frame.to_csv(index=False).encode(), "t.csv")
    assert len(app.error) == 1 and len(offers(app)) == 3
    next(button for button in offers(app) if "well" in button.label).click().run()
    assert not offers(fine(app)) and "sick in" in page_text(app) and "sikc in" not in page_text(app)
    data = data_of_study(project)
    assert data.classes == ("sick", "well") and data.n_rows == 40
    app.button(key="undo-0").click().run()
    assert project.settings["choices"] == {} and len(offers(app)) == 3


def test_marks_are_kept_lost_columns_are_named_and_cells_stay_text():
    shape = SHAPES["usual marks"]
    project, app = opened(shape.data, shape.file, roles={"target": "Outcome", "exclude": ["ID"]})
    click(app, "keep-0")
    assert project.settings["choices"]["mends"] == [{"do": "keep", "columns": ["IL6"], "cells": ["NA"]}]
    assert "and 3 feature" in page_text(app) and len(offers(app)) == 1
    mends = [{"do": "missing", "columns": ["gone"], "cells": ["n.d."]}]
    project, app = opened(patients().to_csv(index=False).encode(), "t.csv", choices={"mends": mends})
    assert not app.exception and "'gone'" in app.error[0].value.replace("\\", "")
    click(app, "undo-0")
    assert project.settings["choices"] == {}
    rows = messy_rows()
    rows[3][2] = "![x](http://evil.example/a.png)<b>"
    sheet = messy_sheet(rows)
    sheet[4] = [name if name != "CRP" else "[CRP](http://evil.example)" for name in sheet[4]]
    _, app = opened(workbook({"<script>": sheet}), "x.xlsx")
    asked = next(line.value for line in fine(app).markdown if "evil" in line.value and "![" not in line.value)
    assert "](http" not in asked and "<b>" not in asked.replace("\\<", "")
    next(box for box in app.multiselect if box.key.startswith("columns-")).set_value(["IL6"]).run()
    next(button for button in offers(app) if "offer-missing" in button.key).click().run()
    assert fine(app)
