"""The floor on every screen with a stability: drawn with its name, and another one for another k, plan or scenario."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from page_support import brought, figures, fine_page, patients, said, sample, studied, study_file

import stabcore as sc

NAME = "without any signal"


def named(app):
    """What is called the floor in the figures of a page: names of traces and of lines, with the number in them."""
    drawn = [one for figure in figures(app) for one in (*figure["data"], *figure["layout"].get("shapes", ()))]
    return [one["name"] for one in drawn if NAME in str(one.get("name", ""))]


def alone(**settings):
    """The bundled wines where nothing stands for anything else, so that the effective stability has the classic floor."""
    return sample(scenario={"base": "none", "groups": {}}, **settings)


@pytest.fixture(scope="module")
def by_plan(tmp_path_factory):
    """A study of halves and one that leaves out 5%."""
    folder = tmp_path_factory.mktemp("plans")
    return {plan.kind: study_file(folder / f"{plan.kind}.stab", patients("abcdefgh"), ["mim", "welch_t"], plan)
            for plan in (sc.Subsample(6, 0.05), sc.Half(3))}


@pytest.mark.parametrize("page, session", [
    ("profiles", {}), ("profiles", {"profile": "marginal"}), ("whatif", {}), ("whatif", {"what_if": "parts"}),
    ("profiles", {"profile": "runs"}), ("pareto", {}), *(("pareto", {"": one}) for one in ("weigh", "change", "size", "studies"))])
def test_it_is_drawn_and_named(page, session):
    assert named(fine_page(page, alone(), **session))


@pytest.mark.parametrize("session", [{}, {"what_if": "parts"}])
def test_it_moves_with_k(session):
    first, second = (named(fine_page("whatif", alone(), cardinality_free=True, cardinality=k, **session)) for k in (3, 9))
    assert first and second and first != second


def test_on_profiles_the_sentence_moves_with_k():
    told = [re.search(r"without any signal: (\d\.\d+)", said(fine_page("profiles", alone(), cardinality=k)))[1] for k in (3, 9)]
    assert told == [f"{sc.noise_floor(sc.Half(25), k, 13):.2f}" for k in (3, 9)]


@pytest.mark.parametrize("page", ["pareto", "whatif"])
def test_it_moves_with_the_plan(by_plan, page):
    session = {"what_if": "parts"} if page == "whatif" else {}
    few, half = (named(fine_page(page, studied(by_plan[kind]), **session)) for kind in ("subsample", "half"))
    assert few and half and few != half


def test_it_moves_with_the_scenario():
    related = sample(scenario={"base": "groups", "groups": {"a": ["alcohol", "ash"]}})
    app = fine_page("pareto", alone())      # effective stability is the classic one here: one picture, which has the floor
    assert (len(figures(app)), len(named(app))) == (1, 1) and "only shuffling the outcome can tell" not in said(app)
    app = fine_page("pareto", related)      # its floor is not known for the picture of the effective stability beside it
    assert (len(figures(app)), len(named(app))) == (2, 1) and "only shuffling the outcome can tell" in said(app)


def test_maps_and_passport_tell_how_many_would_come_as_often(by_plan):
    few, half = (said(fine_page("maps", studied(by_plan[kind]))) for kind in ("subsample", "half"))
    told = [re.search(r"without any signal about (\d+) of 8 would", text)[0] for text in (few, half)]
    assert told[0] != told[1]
    assert re.search(r"Without any signal about \d+ of 13 features", said(fine_page("passport", alone())))


@pytest.mark.parametrize("page", ["profiles", "whatif", "pareto"])
def test_brought_selections_have_none_and_that_is_said_once(page):
    scores = pd.DataFrame(np.random.default_rng(0).normal(size=(8, 10)), columns=[f"f{i}" for i in range(10)])
    app = fine_page(page, brought(scores, "scores"), **({"what_if": "parts"} if page == "whatif" else {}))
    assert not named(app) and said(app).count("nobody knows how they came about") == 1
    assert NAME not in json.dumps([figure["data"] for figure in figures(app)])


# ---- what stands beside the effective numbers ----

@pytest.mark.parametrize("page", ["profiles", "whatif", "pareto", "passport"])
def test_cautions_about_c_and_where_it_comes_from_stand_where_it_is_read(page):
    text = said(fine_page(page, sample(scenario={"base": "correlation", "threshold": 0.0, "groups": {}})))
    assert "estimated from the same rows and taken as known" in text and "tr(CΣ⁰) ≈ 0" in text
    assert "estimated from the same rows" not in said(fine_page(page, alone()))


def test_how_much_hangs_on_c_is_computed_on_request():
    app = fine_page("whatif", sample())
    assert "C alone would move" not in said(app)
    fine = app.toggle(key="uncertain__widget").set_value(True).run()
    assert not fine.exception and "C alone would move the effective stability of" in said(fine)


# ---- with a control by shuffling ----

@pytest.fixture(scope="module")
def shuffled(tmp_path_factory):
    return study_file(tmp_path_factory.mktemp("control") / "control.stab", patients("abcdefgh"), ["mim", "relieff"],
                      sc.Subsample(6, 0.1), control=2)


@pytest.mark.parametrize("page, session", [("profiles", {}), ("whatif", {"what_if": "parts"}), ("pareto", {})])
def test_each_selector_has_its_own_floor(shuffled, page, session):
    related = {"base": "groups", "groups": {"g": ["a", "b"]}}
    made = studied(shuffled)
    made.save(scenario=related)
    app = fine_page(page, made, **session)
    assert named(app)
    if "what_if" not in session:
        assert "outcome shuffled 2 times" in said(app)


def test_a_frequency_has_a_line_to_pass(shuffled):
    assert any("outcome shuffled" in str(one.get("name")) for one in figures(fine_page("passport", studied(shuffled)))[0]["data"])
    assert "With the outcome shuffled no feature came in more than" in said(fine_page("maps", studied(shuffled)))
    assert fine_page("whatif", studied(shuffled), what_if="groups")
