"""The frame of every screen: drawers below the figure, analyses in place of it, the menu, the way on."""

import re

import pytest
from page_support import ANALYSES, PAGES, TITLES, drawer, figures, fine, fine_page, keys_of, page_of, press, pull, url_parameters
from project_support import patients, sample, table
from support import slow

from pages.parts import layout
from pages.parts.screen import LIMITATIONS, MORE, NUMBERS, READING, Screen

ALWAYS = {"start", "learn"}
WITH_TABLE = {*ALWAYS, "data", "study", "similarity"}
CONTROLS = {"selectbox", "multiselect", "slider", "select_slider", "number_input", "text_input", "text_area", "radio", "toggle"}
FOLDS = {"popover", "expander"}


def test_drawers_open_one_at_a_time_and_limitations_are_counted(small):
    app = fine_page("stability", small())
    before = len(app.caption), len(app.dataframe)
    opened = {name: (len(pull(app, name).caption), len(app.dataframe)) for name in (READING, NUMBERS, MORE, LIMITATIONS)}
    captions, tables = before
    assert list(opened.values()) == [(captions + 1, tables), (captions, tables + 1), before, (captions + 1, tables)]
    (row,) = [group for group in app.button_group if group.key.startswith("drawer-")]
    counted = next(int(found[1]) for option in row.options if (found := re.search(r"Limitations \((\d+)\)", str(option))))
    assert counted == len(re.findall(r"^\d+\. ", app.main.caption[-1].value, re.MULTILINE)) > 0
    press(app, f"drawer-{TITLES['stability']}", None)
    assert (len(app.caption), len(app.dataframe)) == before and "open-stability_section-selectors" not in keys_of(app)


def test_a_text_is_explained_once_also_as_a_part_of_another():
    frame = Screen(head=None)
    frame.explain("correlated: 6 pairs.", "", "6 pairs.", "Click.")
    frame.explain("Click.")
    assert frame.reading == ["correlated: 6 pairs.", "Click."]


@pytest.mark.parametrize(("page", "name"), [("panel", "paths"), slow("stability", "selectors"), slow("pareto", "trade_off")])
def test_an_analysis_takes_the_place_of_the_figure_and_leads_back(page, name, small):
    app, key = fine_page(page, small(), **drawer(page, MORE)), ANALYSES[page]
    drawn, address = figures(app), url_parameters(app)
    fine(app.button(key=f"open-{key}-{name}").click().run())
    assert figures(app) != drawn and app.header[0].value and name in [texts[0] for texts in url_parameters(app).values()]
    fine(app.button(key=f"back-{key}").click().run())
    assert figures(app) == drawn and url_parameters(app) == address and not app.header
    fine(app.button(key="undo").click().run())
    assert app.session_state[key] == name, "the way back is a step like any other"


def test_every_analysis_that_is_offered_opens_in_its_group(small):
    app = fine_page("panel", small(), **drawer("panel", MORE))
    offered = [button.key for button in app.button if button.key.startswith("open-panel_section-")]
    assert len(offered) == len(set(offered)) == int(re.search(r"\d+", str(app.button_group[-1].options[-1]))[0])


def in_sight(part):
    """The kinds of everything in a part of a page that is not folded."""
    yield part.type
    if part.type not in FOLDS:
        for inner in getattr(part, "children", {}).values():
            yield from in_sight(inner)


@pytest.mark.parametrize("page", ["data", "study", "report", "feature_profile"])
def test_three_controls_are_in_sight(page, small):
    shown = list(in_sight(fine_page(page, small()).main))
    assert 1 <= sum(kind in CONTROLS for kind in shown) <= 3, shown


@pytest.mark.parametrize("loaded", ["nothing", "a table", "results"])
def test_the_menu_shows_what_has_something_to_show(loaded, monkeypatch):
    project = {"nothing": lambda: None, "a table": lambda: table(patients()), "results": sample}[loaded]()
    monkeypatch.setattr(layout.session, "project_of_address", lambda: project)
    shown = layout.page_visibilities()
    assert set(shown) | ALWAYS == set(PAGES)
    wanted = {"nothing": ALWAYS, "a table": WITH_TABLE, "results": set(PAGES) - {"feature_profile", "check"}}[loaded]
    assert {page for page, how in shown.items() if how == "visible"} | ALWAYS == wanted


def test_next_leads_where_it_says(small):
    assert "next" not in keys_of(fine_page("study", table(patients(), roles={"target": "outcome"}))), "nothing has run yet"
    app, leads = fine_page("start", small()), {}
    for page in PAGES:
        fine(app.switch_page(f"pages/{page}.py").run())
        for button in [button for button in app.button if button.key == "next"]:
            fine(button.click().run())
            assert app.session_state["page"] == button.label.removeprefix("Next: ")
            leads[page] = page_of(app)
    assert leads.keys() > {"data", "study", "stability", "panel"} and leads["panel"] == "report"


def test_a_profile_keeps_its_feature_when_it_is_highlighted(small):
    app = fine_page("feature_profile", small(), **{"feature": "c", "highlighted": ["a"]})
    fine(app.button(key="highlight").click().run())
    assert app.session_state["feature"] == "c" and app.session_state["highlighted"] == ["a", "c"]
