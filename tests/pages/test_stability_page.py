"""Stability: measures by family, selectors in pairs, measures over sizes, which measure to take."""

import sqlite3

import numpy as np
import pandas as pd
import pytest
from page_support import brought, figures, fine, fine_page, nested, patients, press, said, sample, studied, study_file, text_of

import stabcore as sc
from pages.parts.pictures import NARROW
from stabcore.inference.noise_floor import NO_FLOOR_OF_UPLOADED
from stabcore.plots.noise_floor import NOT_MEASURED


@pytest.fixture
def lossy(tmp_path):
    """A nested study of which one selector lost three runs and one outer fold."""
    made = nested(tmp_path)
    with sqlite3.connect(made.folder / "study.stab") as base:
        base.execute("UPDATE task SET status = 'failed', message = 'no' WHERE selector = 'mim' AND run IN (4, 5, 6, 13)")
    return made


MIM = "Mutual information (MIM)"
RESTS = "rests on 9 of 12 runs (3 failed), its accuracy on 2 of 3 outer folds (1 failed)"


@pytest.mark.parametrize("page", ["stability", "maps", "profiles", "pareto", "passport", "whatif"])
def test_wherever_runs_are_missing_that_stands_beside_the_numbers(page, lossy, tmp_path):
    assert f"{MIM}: {RESTS}" in said(fine_page(page, lossy))
    assert "rests on" not in said(fine_page(page, sample()))


def test_tables_say_how_many_runs_each_row_rests_on(lossy):
    app = fine_page("stability", lossy)
    tables = [one.value for one in app.dataframe]
    assert tables[0].set_index("selector").loc[MIM, "runs"] == RESTS
    assert tables[1].set_index("selector").loc[MIM, ["folds", "planned"]].tolist() == [2, 3]
    assert tables[2].loc[MIM, "runs"] == "9 of 12" and tables[2].loc["Random ranking (baseline)", "runs"] == "12"
    assert fine_page("passport", lossy).dataframe[0].value.set_index("selector").loc[MIM, "runs"] == "9 of 12"
    app = fine_page("pareto", lossy, **{"pareto-chosen": [MIM]})
    assert any(one.value["runs"].tolist() == ["9 of 12"] for one in app.dataframe if "runs" in one.value)


def test_the_measure_inside_the_folds_is_named_and_chosen(tmp_path):
    app = fine_page("stability", nested(tmp_path))
    assert "Jaccard inside each outer fold" in said(app)
    assert app.selectbox(key="inside-folds__widget").options[:3] == ["Jaccard", "Pearson of all weights", "Spearman of ranks"]
    first = app.dataframe[1].value["average"].tolist()
    app.selectbox(key="inside-folds__widget").select("spearman_ranks").run()
    assert "Spearman of ranks inside each outer fold" in said(fine(app)) and app.dataframe[1].value["average"].tolist() != first


@pytest.fixture(scope="module")
def controlled(tmp_path_factory):
    """A study of halves with its control, of a table in which one feature tells the outcome."""
    return study_file(
        tmp_path_factory.mktemp("control") / "half.stab",
        patients("abcdef", 96),
        ["mim", "variance", "random"],
        sc.ComplementaryPairs(8),
        n_permutations=20,
    )


def heads(app):
    """What stands above the panels of the first picture."""
    return [one["text"] for one in figures(app)[0]["layout"]["annotations"] if one.get("yref") == "paper" and "<b>" in one["text"]]


def test_panels_are_those_that_tell_something_of_their_own(tmp_path, controlled):
    assert len(heads(fine_page("stability", sample()))) == 3
    alone = studied(study_file(tmp_path / "a.stab", patients("abcdef", 48), ["mim", "variance"], sc.Subsample(4)))
    assert len(heads(fine_page("stability", alone))) == 1
    assert len(heads(fine_page("stability", studied(controlled)))) == 2, "halves, and all runs; nothing is similar"


def test_each_selector_stands_beside_its_own_noise_floor(controlled):
    app = fine_page("stability", studied(controlled))
    shown, own = app.dataframe[0].value, sc.open_study(controlled).split_half("kappa")
    assert shown["selector"].tolist() == ["Mutual information (MIM)", "Variance", "Random ranking (baseline)"]
    assert shown["p"].tolist() == own["p"].tolist() and own["shuffles"].tolist() == [20, 0, 0]
    floor = next(one for one in figures(app)[0]["data"] if one["type"] == "bar")
    assert floor["base"] == pytest.approx([own["floor_low"].iloc[0]], abs=1e-6)
    assert "Two separate halves of the patients share" in said(app)
    assert [one.proto.id for one in app.get("plotly_chart") if NARROW in one.proto.id], "a telephone has a picture of its own"


def test_without_a_control_nobody_is_judged_and_it_is_said_how_to_measure_the_floor(tmp_path):
    few = studied(
        study_file(tmp_path / "few.stab", patients("abcdef", 48), ["mim", "random"], sc.Subsample(6, 0.05), n_permutations=0)
    )
    runs = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (6, 5)), columns=list("abcde"))
    for made, why in ((few, NOT_MEASURED), (brought(runs), NO_FLOOR_OF_UPLOADED)):
        app = fine_page("stability", made)
        assert said(app).count(why) == 1 and list(app.dataframe[0].value) == ["selector", "value"]
        assert {one["type"] for one in figures(app)[0]["data"]} == {"scatter"}


def test_controls_of_stability():
    app = fine_page("stability", sample())
    before = app.dataframe[0].value["value"].tolist()
    app.toggle(key="cardinality_free__widget").set_value(True).run()
    app.slider(key="cardinality__widget").set_value(7).run()
    assert fine(app).dataframe[0].value["value"].tolist() != before and "of 7 features" in said(app)


def test_whose_dice_is_there_where_it_was_asked_and_else_how_to_ask(tmp_path):
    assert "Whose dice?” on Study" in said(fine_page("stability", sample()))
    file = study_file(
        tmp_path / "d.stab", patients("abcdef", 48), ["mim", "random_forest", "random"], sc.ComplementaryPairs(3), n_seeds=2
    )
    app = press(fine_page("stability", studied(file)), "section__widget", "dice")
    assert "Whose dice?” on Study" not in said(app) and "its own" in said(app)
    before = text_of(app.markdown)
    app.toggle(key="cardinality_free__widget").set_value(True).run()
    app.slider(key="cardinality__widget").set_value(4).run()
    assert text_of(fine(app).markdown) != before
    again = fine_page("stability", sample(), section="dice")
    assert "Choose measures" in str([one.label for one in again.expander])  # a study without repeats opens as usual


def test_measures_are_chosen_by_family():
    app = fine_page("stability", sample())
    families = {
        "overlap": ["dice", "davis"],
        "chance": ["kuncheva", "somol"],
        "similarity": ["yu", "intersection_mbm"],
        "weights": ["spearman_ranks", "canberra"],
        "information": ["shared_information"],
    }
    for family, keys in families.items():
        app = press(app, f"measures_{family}__widget", keys)
    shown = fine(app).dataframe[1].value
    measures = [name for name in shown.columns if not name.endswith(": noise floor")]
    assert len(shown) == 8 and len(measures) == 9 and "Yu" in measures
    assert "Yu: noise floor" in shown.columns and "Davis: noise floor" not in shown.columns  # no mean over pairs of runs
    assert any("interval is rough" in one.value for one in app.caption), "what a measure warns of is said"
    for family in families:
        press(app, f"measures_{family}__widget", [])
    fine(app)


def test_selectors_are_compared_in_pairs():
    app = press(fine_page("stability", sample()), "section__widget", "selectors")
    assert any("of 21 pairs of selectors differ clearly" in one.value for one in app.markdown)
    assert any("with more runs any difference becomes clear" in one.value for one in app.caption)
    app.selectbox(key="compared_by__widget").select("importance_weighted").run()
    fine(app)


def test_measures_are_compared_over_sizes():
    app = press(fine_page("stability", sample()), "section__widget", "agreement")
    assert any("have a rank correlation of" in one.value for one in app.markdown)
    app.multiselect(key="agreeing__widget").set_value(["nogueira"]).run()
    assert any("at least two" in one.value for one in fine(app).info)


def test_which_measure_for_my_question():
    app = press(fine_page("stability", sample()), "section__widget", "which")
    assert len(app.dataframe[1].value) == len(sc.list_measures())
    press(app, "wishes__widget", ["chance", "interchangeable", "weighted_decomposition"])
    assert fine(app).dataframe[1].value["measure"].tolist() == ["Shared information"]
    press(app, "wishes__widget", ["bounds", "interchangeable", "chance"])
    assert app.warning
