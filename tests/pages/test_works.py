"""The list of works on Start, and addresses: Back, links, works of another tab, works that are gone."""

import os

from page_support import fine, new_app, open_page, patients, sample, table, text_of

from pages.workspace.project import Project
from pages.workspace.projects import projects


def button(app, key):
    return app.button(key=key)


def test_start_without_works_shows_no_list():
    app = fine(open_page("start"))
    assert "Go on with a work" not in text_of(app.header)


def test_a_work_is_opened_from_the_list():
    first, second = table(patients(), name="one.csv"), sample()
    app = fine(open_page("start", second))
    assert app.button(key=f"open-work-{second.id}").disabled
    fine(button(app, f"open-work-{first.id}").click().run())
    assert app.session_state["id"] == first.id and app.title[0].value == "What is in the table?"
    assert second.folder.exists()


def test_rename_copy_and_forget():
    made = table(patients(), name="one.csv")
    app = fine(open_page("start", made))
    app.text_input(key=f"name-{made.id}").set_value("**bold** <b>")
    next(one for one in app.button if one.label == "Rename").click().run()
    assert made.title == "**bold** <b>" and any("\\*\\*bold" in one.value and "open now" in one.value for one in app.markdown)
    fine(button(app, f"copy-{made.id}").click().run())
    assert len(projects()) == 2
    fine(button(app, f"forget-{made.id}").click().run())
    assert Project.find(made.id) is None and "id" not in app.session_state and len(projects()) == 1


def test_of_many_works_the_latest_stand_first_and_the_rest_can_be_seen():
    for number in range(12):
        table(patients(), name=f"t{number}.csv")
    app = fine(open_page("start"))
    assert len([one for one in app.button if one.key.startswith("open-work-")]) == 12
    assert any(one.label == "9 earlier works" for one in app.expander)


# ---- addresses ----


def test_back_to_another_work_opens_it_and_changes_neither():
    first, second = sample(), table(patients(), roles={"target": "outcome", "exclude": []})
    before = dict(first.settings), dict(second.settings)
    app = fine(open_page("stability", first, section="selectors"))
    app.query_params["id"] = second.id  # what Back, or a link that is pasted, does
    fine(app.switch_page("pages/data.py").run())
    assert app.session_state["id"] == second.id and "cardinality" not in app.session_state
    assert (dict(Project.find(first.id).settings), dict(Project.find(second.id).settings)) == before


def test_an_unknown_work_is_said_and_the_open_one_stays():
    for wrong in ("x" * 22, "../../etc", "y" * 5000):
        app = new_app()
        app.query_params["id"] = wrong
        assert "not on this computer" in fine(app.run()).warning[0].value and "id" not in app.session_state
    made = sample()
    app = fine(open_page("start", made))
    app.query_params["id"] = "x" * 22
    assert "not on this computer" in fine(app.run()).warning[0].value and app.session_state["id"] == made.id


def test_a_work_that_another_tab_forgot_is_said():
    made = sample()
    app = fine(open_page("stability", made))
    made.forget()
    app.run()
    assert not app.exception and "not on this computer" in app.warning[0].value and "id" not in app.session_state


# ---- room ----


def test_bundled_studies_that_are_opened_again_and_again_cost_nothing():
    for _ in range(2):
        fine(button(new_app().run(), "open-wine").click().run())
    (one,) = projects()
    assert one.size < 10_000
    one.project.save(title="mine")
    fine(button(new_app().run(), "open-wine").click().run())
    assert len(projects()) == 2


def test_old_works_are_forgotten_together_and_only_when_asked():
    made = [table(patients(), name=f"t{number}.csv") for number in range(5)]
    for one in made[:3]:
        for path in (*one.folder.iterdir(), one.folder):
            os.utime(path, (1e9, 1e9))
    app = fine(open_page("start", made[0]))  # the one that is open stays
    assert any("5 projects take" in one.value for one in app.caption)
    fine(button(app, "forget-untouched").click().run())
    assert {one.id for one in projects()} == {one.id for one in (made[0], *made[3:])}
