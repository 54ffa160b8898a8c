"""Report: its answer, its files, two questions kept with the project, and the names of saved figures."""

import ast
import json
from functools import wraps

import pandas as pd
from page_support import fine, fine_page, page_text
from project_support import brought, sample
from support import ROOT

import stabcore as sc
from pages.parts import pictures, report, session
from stabcore.reporting.results import summary_sentences
from stabcore.reporting.subject import FILTERED, Subject
from stabcore.teaching.catalog import LESSONS

PLACE = {"show_figure": 3, "show_folded_table": 1}  # which argument is the key


def downloads(app):
    """What can be downloaded, also of the other files."""
    app.session_state["report-files"] = True  # the popover is open
    return {button.label for button in fine(app.run()).get("download_button")}


def test_the_report_is_made_once_for_several_downloads(monkeypatch):
    made, files = [], {}

    @wraps(report.page)
    def page(*asked, **how):
        made.append(how)
        return make_page(*asked, **how)

    make_page = report.page
    monkeypatch.setattr(report, "page", page)
    monkeypatch.setattr(report, "show_file_button", lambda label, make, *_, **how: files.setdefault(label, []).append(make))
    app = fine_page("report", sample())
    fine(app.run())
    first, second = files["Download report"]
    assert first() == second() == second() and made.count({}) == 1, "the preview names an option"


def test_the_answer_is_the_panel_size_and_files_are_made_on_request(small):
    project = small(scenario={"base": "none"}, scenario_name="nothing")
    app = fine_page("report", project)
    result = sc.open_study(project.store, named=True)
    subject = Subject(result, sc.Similarity.identity(len(result.features), result.features))
    assert f"{int(subject.panel['in_panel'].sum())} feature" in page_text(app) and summary_sentences(subject)[0] not in page_text(
        app
    )
    app.session_state["report-paragraph"] = True  # the popover is open
    first = subject.panel[subject.panel["in_panel"]].iloc[0]
    assert f"{first['feature']} in {first['frequency']:.0%} (95% CI {100 * first['low']:.0f} to" in fine(app.run()).code[0].value
    assert {"study.py", "study.toml", "Download report", "Download everything (zip)"} < downloads(app)


def test_answers_about_the_table_are_kept_and_reach_the_report(small):
    project = small()
    app = fine_page("report", project)
    app.radio(key="asked_filtered").set_value("yes")
    app.text_area(key="asked_source").set_value("Ward <b>7</b>")
    fine(app.run())
    assert project.settings["asked"] == {"filtered": "yes", "source": "Ward <b>7</b>"}
    again = fine_page("report", project)
    assert again.radio(key="asked_filtered").value == "yes" and again.text_area(key="asked_source").value == "Ward <b>7</b>"
    again.toggle(key="report_shown__widget").set_value(True)
    shown = fine(again.run()).get("iframe")[0].proto.srcdoc
    assert "Ward &lt;b&gt;7&lt;/b&gt;" in shown and shown.count(FILTERED["yes"].replace("'", "&#39;")) >= 2


def test_uploaded_selections_have_a_report_and_no_script():
    app = fine_page("report", brought(pd.DataFrame([[1, 1, 0], [1, 0, 1], [1, 1, 0]], columns=list("abc"))))
    assert "Download report" in downloads(app) and "study.py" not in downloads(app)


def names_of(*kinds):
    """The beginnings of the keys of figures and tables, as written in the pages."""
    for path in (ROOT / "pages").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
            for key in node.args[PLACE[called] :][:1] if called in kinds and path.name != "figures.py" else []:
                parts = [key.body, key.orelse] if isinstance(key, ast.IfExp) else [key]
                yield from (part.value for part in parts if isinstance(part, ast.Constant))
                yield from (part.values[0].value for part in parts if isinstance(part, ast.JoinedStr))


def test_every_figure_has_a_name_in_words():
    found = set(names_of(*PLACE))
    assert len(found) > 50 and {key for key in found if key.rstrip("-") not in pictures.NAMES} == {"without-"}
    assert pictures.figure_title("without-run") != pictures.figure_title("without-outer fold")
    assert pictures.figure_title("grid-2") == pictures.figure_title("grid") and "Nogueira" in pictures.figure_title(
        "front-nogueira"
    )
    key, lesson = next(iter(LESSONS.items()))
    assert pictures.figure_title(f"lesson-{key}") == f"Lesson {lesson.question}"
    session_keys = {value for name, value in vars(session).items() if name.isupper() and isinstance(value, str)}
    assert not session_keys & {key for key in names_of("show_figure") if not key.endswith("-")}, (
        "the marks in a picture are kept by its key"
    )


def test_file_names_are_harmless_and_name_study_figure_and_scenario():
    long = "Stability by number of features by Classic stability (Nogueira)"
    names = {"../../etc/passwd": "etc passwd", "a:b|c<d>": "a b c d", "  x\n\ty ": "x y", "...": "", long: long.partition(" (")[0]}
    assert {text: pictures._safe_part(text) for text in names} == names and len(
        pictures._safe_part("ä" * 200)
    ) == pictures.MAX_NAME_LENGTH
    figure = fine_page("maps", sample("alzheimer_ad", scenario_name="mine"), shown_selector="Lasso").get("plotly_chart")[0]
    parts = json.loads(figure.proto.config)["toImageButtonOptions"]["filename"].split(" - ")
    assert parts[0].startswith("Early Alzheimer") and parts[2] == "Lasso" and parts[3:] == ["mine", "170 mm"]
