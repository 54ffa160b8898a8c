"""Report: three sentences, the files, two questions that are kept with the work."""

import pandas as pd
from page_support import brought, fine, fine_page, said, sample

import stabcore as sc
from pages.workspace.project import Project
from stabcore.reporting.results import in_short
from stabcore.reporting.subject import FILTERED, Subject


def test_the_sentences_are_those_of_the_core():
    app = fine_page("report", sample(scenario={"base": "none", "groups": {}}))
    result = sc.open_study(Project.find(app.session_state["id"]).store, named=True)
    for sentence in in_short(Subject(result, sc.Similarity.identity(len(result.features), result.features))):
        assert sentence in said(app).replace("\\", ""), sentence
    labels = [one.label for one in app.get("download_button")]
    assert {"All tables (CSV)", "study.py", "study.toml"} <= set(labels) and "Download report.html" not in labels
    fine(app.button(key="report-html").click().run())
    assert "Download report.html" in [button.label for button in app.get("download_button")]
    fine(app.button(key="report-zip").click().run())
    assert {"Download everything.zip"} == {button.label for button in app.get("download_button") if "Download" in button.label}


def test_answers_on_data_are_kept_with_the_work_and_reach_the_report():
    app = fine_page("data", sample())
    app.radio(key="asked-filtered").set_value("yes")
    app.text_area(key="asked-source").set_value("Ward <b>7</b>")
    fine(app.run())
    here = Project.find(app.session_state["id"])
    assert here.settings["asked"] == {"filtered": "yes", "source": "Ward <b>7</b>"}
    again = fine_page("report", here)
    assert again.radio(key="asked-filtered").value == "yes" and again.text_area(key="asked-source").value == "Ward <b>7</b>"
    again.toggle(key="report-shown__widget").set_value(True)
    shown = fine(again.run()).get("iframe")[0].proto.srcdoc
    assert "Ward &lt;b&gt;7&lt;/b&gt;" in shown and shown.count(FILTERED["yes"].replace("'", "&#39;")) >= 2


def test_brought_selections_have_a_report_and_no_script():
    app = fine_page("report", brought(pd.DataFrame([[1, 1, 0], [1, 0, 1], [1, 1, 0]], columns=["a", "b", "c"])))
    labels = [one.label for one in app.get("download_button")]
    assert app.button(key="report-html").label == "The report (HTML)" and "study.py" not in labels
    assert "Which runs of which table made these selections is not known" in said(app)
