"""Data: the roles of columns, and findings that one click mends."""

import numpy as np
from page_support import fine, fine_page, patients, table, text_of


def test_data_takes_target_columns_and_patients():
    made = table(patients().assign(visit=np.arange(40) // 2))
    app = fine_page("data", made)
    app.button(key="confirm-target").click().run()
    app.multiselect(key="exclude").select("age").run()
    app.selectbox(key="same_patient").select("visit").run()
    fine(app)
    assert made.settings["roles"] == {"target": "outcome", "exclude": ["age"], "same_patient": "visit"}
    assert [one.value for one in app.metric] == ["40", "3", "2", app.metric[3].value] and "20 patients" in text_of(app.caption)
    app.selectbox(key="target").select("ALT").run()
    assert [one.label for one in fine(app).metric] == ["Rows", "Features"]
    app.radio(key="target-as-ALT").set_value("classes").run()  # 40 classes of one row
    assert not app.exception and "ALT" in app.error[0].value
    app.radio(key="target-as-ALT").set_value("number").run()
    assert "target_as" not in made.settings["roles"]
    app.selectbox(key="target").select("outcome").run()
    fine(app)


def test_data_findings_can_be_mended_with_one_click():
    made = table(patients().assign(copy=patients()["ALT"]), roles={"target": "outcome", "exclude": []})
    app = fine_page("data", made)
    mends = [one for one in app.button if one.key and one.key.startswith("mend-")]
    mends[0].click().run()
    fine(app)
    assert len(made.settings["roles"]["exclude"]) == 1


def test_a_column_that_may_say_who_a_row_belongs_to_is_asked_about():
    frame = patients().assign(PatNr=[f"P{i // 2}" for i in range(40)], visit=np.arange(40) % 2)
    said = " ".join(one.value for one in fine_page("data", table(frame, roles={"target": "outcome", "exclude": []})).warning)
    assert "PatNr" in said and "one patient" in said and "visit" not in said
    asked = table(frame, roles={"target": "outcome", "exclude": [], "same_patient": "PatNr"})
    assert not any("PatNr" in one.value for one in fine_page("data", asked).warning)
