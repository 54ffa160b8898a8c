"""Data: guesses that are confirmed or undone, and a table on its side that is turned and turned back."""

import numpy as np
import pandas as pd
from page_support import fine, fine_page, patients, press, said, table, text_of
from shape_support import CLASSES, SAMPLES, measured, on_its_side, series_matrix

from pages.workspace.project import Project


def file(name, data):
    made = Project.create()
    made.save(kind="table", name=name, table=made.keep(name, data))
    return made


def test_a_guessed_outcome_is_marked_and_nothing_is_taken_before_it_is_confirmed():
    made = table(patients())
    app = fine_page("data", made)
    assert "only a guess, by its name" in text_of(app.warning) and "roles" not in made.settings and not app.metric
    app.button(key="confirm-target").click().run()
    assert made.settings["roles"]["target"] == "outcome" and "guess" not in text_of(fine(app).warning) and app.metric
    assert "guess" not in text_of(fine_page("data", made).warning)  # nor after a reload


def test_another_outcome_needs_no_confirmation():
    made = table(patients().assign(level=["a", "b"] * 20))
    app = fine_page("data", made)
    app.selectbox(key="target").select("level").run()
    fine(app)
    assert made.settings["roles"]["target"] == "level"


def test_patients_are_preset_said_and_undone(monkeypatch):
    made = table(patients().assign(PatNr=np.arange(40) // 2 + 500))
    app = fine_page("data", made)
    assert app.selectbox(key="same_patient").value == "PatNr" and "20 different ones" in said(app)
    app.button(key="confirm-target").click().run()
    fine(app)
    assert made.settings["roles"] == {"target": "outcome", "exclude": [], "same_patient": "PatNr"}
    tree = "streamlit.testing.v1.element_tree._format_value_for_widget"  # which cannot choose an option that is None
    monkeypatch.setattr(tree, lambda how, value: value if str(value).startswith("No,") else how(value))
    app.selectbox(key="same_patient").select_index(0).run()
    assert "same_patient" not in made.settings["roles"] and "not kept together now" in said(fine(app))
    assert fine_page("data", made).selectbox(key="same_patient").value is None  # undone stays undone


def test_a_time_is_left_out_and_its_event_offered_as_the_outcome():
    frame = patients().assign(time=np.linspace(1, 900, 40).round(), status=[0, 1] * 20)
    made = table(frame)
    app = fine_page("data", made)
    assert app.multiselect(key="exclude").value == ["time", "status"] and "survival data" in said(app)
    app.button(key="event-0").click().run()
    assert app.selectbox(key="target").value == "status" and app.multiselect(key="exclude").value == ["time"]
    assert made.settings["roles"] == {"target": "status", "exclude": ["time"]}
    app.selectbox(key="target").select("outcome").run()  # and back, by hand
    app.multiselect(key="exclude").select("status").run()
    app.selectbox(key="target").select("status").run()  # what is left out becomes the outcome
    fine(app)
    assert made.settings["roles"] == {"target": "status", "exclude": ["time"]}


def test_a_table_on_its_side_is_turned_and_brought_back():
    side = on_its_side(measured())
    head = pd.DataFrame([["diagnosis", *CLASSES]], columns=side.columns)
    made = table(pd.concat([head, side.astype(object)]))
    original = made.settings["table"]
    app = fine_page("data", made)
    assert "seems to lie on its side" in text_of(app.warning)
    app.button(key="turn").click().run()
    assert "12 rows and 10 columns" in said(fine(app)) and "was turned" in said(app)
    assert app.selectbox(key="target").value == "diagnosis" and "only a guess" in text_of(app.warning)
    app.button(key="confirm-target").click().run()
    assert made.settings["roles"] == {"target": "diagnosis", "exclude": ["sample"]}
    assert [one.value for one in fine(app).metric][:2] == ["12", "8"]
    app.button(key="turn-back").click().run()
    assert made.settings["table"] == original and "seems to lie on its side" in text_of(fine(app).warning)
    app.button(key="upright").click().run()
    assert "on its side" not in text_of(fine(app).warning)
    app.button(key="turn-anyway").click().run()
    assert "12 rows" in said(fine(app))


def test_classes_come_from_a_second_file():
    made = file("x.csv", measured().rename_axis("sample").reset_index().to_csv(index=False).encode())
    app = fine_page("data", made)
    second = pd.DataFrame({"accession": SAMPLES[::-1], "disease": CLASSES[::-1]}).to_csv(index=False).encode()
    app.file_uploader(key="second-file").upload("classes.csv", second, "text/csv").run()
    app.button(key="add-second").click().run()
    assert app.selectbox(key="target").value == "disease" and "Added from the second file" in said(fine(app))
    app.button(key="turn-back").click().run()
    assert "disease" not in app.selectbox(key="target").options


def test_a_series_matrix_offers_what_it_tells_of_its_samples():
    made = file(
        "GSE1_series_matrix.txt", series_matrix(measured(), [[f"tissue: {c}" for c in CLASSES], ["Sex: F", "Sex: M", "Sex: M"] * 4])
    )
    app = fine_page("data", made)
    assert app.selectbox(key="target").value is None and "'tissue', 'Sex'" in said(app)
    app.selectbox(key="target").select("tissue").run()
    fine(app)
    assert set(made.settings["roles"]["exclude"]) == {"sample", "title", "source", "Sex"}
    assert app.metric[1].value == "8"


def test_a_column_of_names_of_people_is_left_out_told_and_taken_back_with_a_warning():
    made = table(patients().assign(Name=["Ada", "Bo", "Cy", "Dee"] * 10))
    app = fine_page("data", made)
    assert app.multiselect(key="exclude").value == ["Name"] and "hold names of people" in said(app)
    app.button(key="confirm-target").click().run()
    assert made.settings["roles"]["exclude"] == ["Name"] and "private and no measurement" not in text_of(fine(app).warning)
    app.multiselect(key="exclude").set_value([]).run()
    assert "private and no measurement" in text_of(fine(app).warning) and made.settings["roles"]["exclude"] == []


def test_a_gene_that_came_twice_in_a_turned_table_is_asked_about_when_its_set_is_brought():
    side = on_its_side(measured())
    side.iloc[1, 0] = side.iloc[0, 0]
    head = pd.DataFrame([["diagnosis", *CLASSES]], columns=side.columns)
    made, gene = table(pd.concat([head, side.astype(object)])), str(side.iloc[0, 0])
    app = fine_page("data", made)
    app.button(key="turn").click().run()
    assert made.settings["again"] == {f"{gene} (2)": gene} and "1 name came more than once" in said(fine(app))
    app.button(key="confirm-target").click().run()
    made.save(scenario={"base": "groups"}, scenario_name="mine")
    app = press(fine_page("groups", made), "group_way__widget", "file")
    app.file_uploader(key="group-file").upload("g.gmt", f"A\t\t{gene}\t{side.iloc[2, 0]}\n".encode(), "text/plain").run()
    app.button(key="take-groups").click().run()
    assert f"such as '{gene} (2)'" in text_of(fine(app).warning).replace("\\", "") and not made.settings["scenario"].get("groups")
    app.button(key="repeats-join").click().run()
    assert made.settings["scenario"]["groups"] == {"A": [gene, f"{gene} (2)", str(side.iloc[2, 0])]}
    assert "Put into the sets of the name that they share" in said(fine(app)) and "came again" not in text_of(app.warning)
    app = fine_page("data", made)
    app.button(key="turn-back").click().run()
    assert made.settings["again"] == {}
