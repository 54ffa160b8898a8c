"""Start: bundled studies, a pasted table, and the list of projects."""

import os

from page_support import click, fine, new_app, open_page, project_of, pull
from project_support import bundled, patients, sample, table

from pages.parts.screen import NUMBERS
from pages.parts.start.picture import BLUE, panel_html
from pages.workspace.project import Project
from pages.workspace.projects import projects
from stabcore.io.table import read_table


def paste_table(app, text):
    app.text_area(key="table-text").set_value(text).run()
    return app.button(key="use-table").click().run()


def test_a_bundled_study_opens_with_one_click_and_takes_no_space():
    for _ in range(2):
        app = click(new_app().run(), f"open-{bundled().key}")
    (made,) = projects()
    assert made.id == app.session_state["id"] and made.project.sample.key == bundled().key
    assert len(pull(app, NUMBERS).dataframe[0].value) == 8
    assert made.size < 10_000 and set(made.project.settings["scenario"]["groups"]) == set(
        read_table(bundled().groups).frame["group"]
    )
    made.project.save(title="mine")
    click(new_app().run(), f"open-{bundled().key}")
    assert len(projects()) == 2


def test_a_pasted_table_leads_to_data_and_a_wrong_one_is_a_sentence():
    app = fine(paste_table(open_page("start"), patients().to_csv(index=False, sep="\t")))
    project = project_of(app)
    assert app.selectbox(key="target").value == "outcome" and "roles" not in project.settings and app.warning, "it is a guess"
    assert not click(app, "confirm-target").warning
    assert project.settings["roles"] == {"target": "outcome", "exclude": []}
    project = sample()
    app = paste_table(open_page("start", project), "a,b\n1,2\n3\n")
    assert not app.exception and "3" in app.error[0].value and app.session_state["id"] == project.id


def test_projects_are_renamed_copied_opened_and_forgotten():
    project = table(patients(), name="one.csv")
    app = fine(open_page("start", project))
    assert app.button(key=f"open-project-{project.id}").disabled
    app.text_input(key=f"name-{project.id}").set_value("**bold** <b>")
    next(button for button in app.button if button.label == "Rename").click().run()
    assert project.title == "**bold** <b>" and any("\\*\\*bold" in line.value for line in app.markdown)
    click(app, f"copy-{project.id}")
    (copy,) = {work.id for work in projects()} - {project.id}
    click(app, f"open-project-{copy}")
    assert app.session_state["id"] == copy
    click(app.switch_page("pages/start.py").run(), f"forget-{copy}")
    assert Project.find(copy) is None and "id" not in app.session_state and [work.id for work in projects()] == [project.id]


def test_old_projects_are_forgotten_together_and_only_when_asked():
    made = [table(patients(), name=f"t{number}.csv") for number in range(5)]
    for project in made[:3]:
        for path in (*project.folder.iterdir(), project.folder):
            os.utime(path, (1e9, 1e9))
    app = click(fine(open_page("start", made[0])), "forget-untouched")  # the one that is open stays
    assert {work.id for work in projects()} == {project.id for project in (made[0], *made[3:])} and app.title


def test_names_in_the_picture_of_a_bundled_study_stay_text():
    drawn = panel_html({"<b>x</b>": 0.5, "tau": 0.9}, 0.75, 0.4)
    assert "&lt;b&gt;x" in drawn and "<b>" not in drawn and drawn.count(BLUE) == 1
