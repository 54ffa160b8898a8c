"""Check: selections made anywhere are checked in one step, nothing is stored, and names stay text."""

from page_support import drawer, figures, fine, new_app, text_of
from support import ROOT

import stabcore as sc
from pages.parts.check import CANDIDATES, EXAMPLE, SCHEME
from pages.parts.screen import READING
from pages.workspace.projects import projects

PEERS = ROOT / "tests" / "stabcore" / "io" / "peers"
LISTS = "ALT, AST\nALT, EGFR\nALT, AST\n"


def checked(text, files=(), **settings):
    """The page after a click on its button."""
    app = new_app().run()
    app.switch_page("pages/check.py").run()
    if files:
        for path in files:
            app.file_uploader(key="check-files").upload(path.name, path.read_bytes())
        app.run()
    else:
        app.text_area(key="check-text").set_value(text).run()
    for key, value in settings.items():
        box = app.selectbox(key="check-plan") if key == "plan" else app.number_input(key=f"check-{key}")
        box.set_value(value).run()
    return app.button(key="check-now").click().run()


def test_pasted_selections_are_checked_and_no_project_is_made():
    app = fine(checked(LISTS, d=20, plan="bootstrap"))
    expected = sc.check(LISTS, n_features=20, plan="bootstrap")
    assert app.code[0].value == "\n".join(expected.sentences["selections"])
    assert f"{expected.stability['value'][0]:.2f}" in text_of(app.main.markdown)
    (drawn,) = figures(app)
    shown = [name.removeprefix("<b>").removesuffix("</b>") for name in drawn["layout"]["yaxis"]["ticktext"]]
    assert shown == expected.panel["feature"].tolist()
    assert not app.expander[0].proto.expanded, "the selections are folded below their answer"
    assert not projects() and "id" not in app.session_state
    app = fine(app.button(key="check-open").click().run())
    (project,) = projects()
    assert app.session_state["id"] == project.id and project.project.has_results


def test_the_scheme_asks_for_what_the_number_of_runs_does_not_tell():
    app = new_app().run().switch_page("pages/check.py").run()
    app.text_area(key="check-text").set_value(LISTS).run()
    app.selectbox(key="check-plan").set_value("subsample").run()
    app.number_input(key="check-test_size").set_value(0.2).run()
    app = fine(app.button(key="check-now").click().run())
    assert app.code[0].value == "\n".join(sc.check(LISTS, plan="subsample:test_size=0.2").sentences["selections"])
    app = app.selectbox(key="check-plan").set_value("complementary_pairs").run()
    assert not app.code, "what was found is forgotten once something else is asked"
    app = app.button(key="check-now").click().run()
    assert not app.exception and app.error and not app.code  # three runs are no pairs


def test_frequencies_need_the_number_of_runs_and_files_are_joined():
    text = (PEERS / "mixomics_stable.csv").read_text(encoding="utf-8")
    app = checked(text)
    assert not app.exception and app.error and not app.code
    app = fine(checked(text, runs=20, d=12))
    assert app.code[0].value == "\n".join(sc.check(text, n_runs=20, n_features=12).sentences["selections"])
    assert not [button for button in app.button if button.key == "check-open"]
    files = [PEERS / f"boruta_attStats_{number}.csv" for number in (1, 2, 3)]
    app = fine(checked("", files))
    assert app.code[0].value.splitlines()[1:] == list(*[sentences[1:] for sentences in sc.check(files).sentences.values()])


def test_hostile_names_stay_text():
    name = "![x](http://evil.test/a.png)"
    app = fine(checked(f"run\t{name}\t<b>y</b>\n1\t1\t0\n2\t1\t1\n"))
    app.session_state[next(iter(drawer("check", READING)))] = READING
    app = fine(app.run())
    assert name in app.code[0].value
    for part in (*app.markdown, *app.caption):
        assert "![x](http" not in part.value and (part.value.startswith("<style>") or "<b>y" not in part.value)


def test_the_example_fills_in_the_form_and_is_checked():
    app = fine(new_app().run().switch_page("pages/check.py").run())
    app = fine(app.button(key="check-example").click().run())
    expected = sc.check(EXAMPLE, n_features=CANDIDATES, plan=SCHEME)
    assert app.code[0].value == "\n".join(expected.sentences["selections"])
    assert app.text_area(key="check-text").value == EXAMPLE and app.number_input(key="check-d").value == CANDIDATES
    again = fine(app.button(key="check-now").click().run())
    assert again.code[0].value == app.code[0].value
