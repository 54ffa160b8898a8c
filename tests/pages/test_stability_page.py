"""Stability: measures by family, selectors in pairs, measures over sizes, which measure to take."""

import json
import sqlite3

import numpy as np
import pandas as pd
import pytest
from page_support import brought, fine, fine_page, nested, patients, press, said, sample, studied, study_file, text_of

import stabcore as sc


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
    assert f"({RESTS})" in next(one.value for one in app.markdown if one.value.startswith("- Mutual")).replace("\\", "")
    tables = [one.value for one in app.dataframe]
    assert tables[0].set_index("selector").loc[MIM, ["folds", "planned"]].tolist() == [2, 3]
    assert tables[1].loc[MIM, "runs"] == "9 of 12" and tables[1].loc["Random ranking (baseline)", "runs"] == "12"
    assert fine_page("passport", lossy).dataframe[0].value.set_index("selector").loc[MIM, "runs"] == "9 of 12"
    app = fine_page("pareto", lossy, **{"pareto-chosen": [MIM]})
    assert any(one.value["runs"].tolist() == ["9 of 12"] for one in app.dataframe if "runs" in one.value)


def test_the_measure_inside_the_folds_is_named_and_chosen(tmp_path):
    app = fine_page("stability", nested(tmp_path))
    assert "Jaccard inside each outer fold" in said(app)
    assert app.selectbox(key="inside-folds__widget").options[:3] == ["Jaccard", "Pearson of all weights", "Spearman of ranks"]
    first = app.dataframe[0].value["average"].tolist()
    app.selectbox(key="inside-folds__widget").select("spearman_ranks").run()
    assert "Spearman of ranks inside each outer fold" in said(fine(app)) and app.dataframe[0].value["average"].tolist() != first


def drawn(app):
    """The names beside the symbols of the first picture."""
    figure = json.loads(app.get("plotly_chart")[0].proto.spec)
    return {trace.get("name") for trace in figure["data"]}


def test_the_effective_measure_is_drawn_only_where_it_tells_something_of_its_own(tmp_path):
    names = drawn(fine_page("stability", sample()))
    assert any("stand for each other" in name for name in names if name), names
    alone = studied(study_file(tmp_path / "a.stab", patients("abcdef", 48), ["mim", "variance"], sc.Subsample(4)))
    names = drawn(fine_page("stability", alone))
    assert names and not any("ffective" in name or "stand for each other" in name for name in names if name), names


def test_halves_speak_of_patients_first(tmp_path):
    halves = studied(study_file(tmp_path / "half.stab", patients("abcdef", 48), ["mim", "variance", "random"], sc.Half(5)))
    app = fine_page("stability", halves)
    assert not any("stand for each other" in name for name in drawn(app) if name)
    assert next(one.value for one in app.markdown).replace("\\", "").startswith("**Two separate halves of the patients share ")
    assert "Each half has half of the patients" in said(app) and "Variance: two separate halves share" in said(app)
    assert "without any signal its halves would share as much" in said(app) and "Random ranking (baseline): two" in said(app)


def test_what_there_would_be_without_any_signal_is_told_or_why_not(tmp_path):
    few = study_file(tmp_path / "few.stab", patients("abcdef", 48), ["mim", "random"], sc.Subsample(6, 0.05))
    app = fine_page("stability", studied(few))
    assert "a study without any signal 0." in said(app) and said(app).count("a filter that ranks features one by one") == 1
    runs = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (6, 5)), columns=list("abcde"))
    assert said(fine_page("stability", brought(runs))).count("How these runs were made is not known") == 1


def test_controls_of_stability():
    app = fine_page("stability", sample())
    before = [one.value for one in app.markdown if one.value.startswith("- ")]
    app.toggle(key="cardinality_free__widget").set_value(True).run()
    app.slider(key="cardinality__widget").set_value(7).run()
    after = [one.value for one in fine(app).markdown if one.value.startswith("- ")]
    assert before != after and "of 7 features" in after[0]


def test_whose_dice_is_there_where_it_was_asked_and_else_how_to_ask(tmp_path):
    assert "Whose dice?” on Study" in said(fine_page("stability", sample()))
    file = study_file(tmp_path / "d.stab", patients("abcdef", 48), ["mim", "random_forest", "random"], sc.Half(3), repeat_seeds=2)
    app = press(fine_page("stability", studied(file)), "section__widget", "dice")
    assert "Whose dice?” on Study" not in said(app) and "its own" in said(app)
    before = text_of(app.markdown)
    app.toggle(key="cardinality_free__widget").set_value(True).run()
    app.slider(key="cardinality__widget").set_value(4).run()
    assert text_of(fine(app).markdown) != before
    again = fine_page("stability", sample(), section="dice")
    assert "Choose measures" in str([one.label for one in again.expander])       # a study without repeats opens as usual


def test_measures_are_chosen_by_family():
    app = fine_page("stability", sample())
    families = {"overlap": ["dice", "davis"], "chance": ["kuncheva", "somol"], "similarity": ["yu", "intersection_mbm"],
                "weights": ["spearman_ranks", "canberra"], "information": ["shared_information"]}
    for family, keys in families.items():
        app = press(app, f"measures_{family}__widget", keys)
    shown = fine(app).dataframe[0].value
    assert len(shown) == 8 and len(shown.columns) == 9 and "Yu" in shown.columns
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
    assert any("tell most nearly the same story" in one.value for one in app.markdown)
    app.multiselect(key="agreeing__widget").set_value(["nogueira"]).run()
    assert any("at least two" in one.value for one in fine(app).info)


def test_which_measure_for_my_question():
    app = press(fine_page("stability", sample()), "section__widget", "which")
    assert len(app.dataframe[0].value) == len(sc.measures())
    press(app, "wishes__widget", ["chance", "interchangeable", "weighted_decomposition"])
    assert fine(app).dataframe[0].value["measure"].tolist() == ["Shared information"]
    press(app, "wishes__widget", ["bounds", "interchangeable", "chance"])
    assert app.warning
