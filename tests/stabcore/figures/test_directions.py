"""Sentences and picture of which way features go: words of the table, every outcome, what is not known."""

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn

import stabcore as sc
from stabcore.analysis.effects import effects
from stabcore.figures.directions import draw_directions, finding_directions, frame_directions, looks, sentence_effect

Y = np.arange(40) % 2


def told(outcome, **how):
    """Effects in a table of a that rises, b that falls, c that two rows know, and a category."""
    rng = np.random.default_rng(1)
    known = np.where(Y * np.arange(40) > 36, np.arange(40.0), np.nan)
    frame = pd.DataFrame({"a": Y * 2 + rng.normal(size=40), "b": -3.0 * Y + rng.normal(size=40), "c": known,
                          "sex": np.where(Y + rng.normal(size=40) > 0.5, "f", "m")})
    return effects(sc.Dataset.from_frame(frame.assign(outcome=outcome), target="outcome", **how))


def panel_of(names, stay):
    return pd.DataFrame({"feature": names, "stays": [name in stay for name in names], "frequency": 0.8})


def test_ways_of_the_panel_are_counted_in_words_of_the_table():
    table = told(np.where(Y, "sick", "well"))
    frame = frame_directions(panel_of(["a", "b", "sex"], "ab"), table)
    ways = [f"1 {table.set_index('feature').loc[name, 'direction']}" for name in "ab"]
    assert finding_directions(frame) == f"Of the panel: {ways[0]} and {ways[1]}."
    assert finding_directions(frame.assign(stays=False)).startswith("No feature is in the panel")
    assert abs(frame["sign"]).tolist() == [1, 1, 1] and frame["sign"].sum() in (1, -1)
    three = frame_directions(panel_of(["a", "b"], "ab"), told(np.resize(["x", "y", "z"], 40)))
    assert "of the variance of 2 features of the panel (η²)" in finding_directions(three) and not three["sign"].any()


def test_the_picture_has_a_row_a_feature_with_its_interval_and_marks_the_way():
    table = told(np.where(Y, "sick", "well"))
    figure = drawn(draw_directions(frame_directions(panel_of(["a", "b", "c"], "ab"), table)))
    assert {one["name"] for one in figure["data"]} == {"goes up", "goes down"}
    assert [(one["text"], one["y"]) for one in figure["layout"]["annotations"]] == [("not known", 0)]
    a = table.set_index("feature").loc["a"]
    text = next(text for one in figure["data"] for text in one["text"] if text.startswith("a:"))
    assert text == f"a: {a['effect']:.2f} [{a['low']:.2f}, {a['high']:.2f}]<br>{a['direction']}"


def test_a_row_without_an_effect_says_why():
    """What parts the classes perfectly has a way, but no size: the difference divides by nothing."""
    frame = pd.DataFrame({"up": Y * 1.0, "down": 2.0 - Y, "few": np.where(np.arange(40) > 37, Y, np.nan),
                          "usual": Y + np.linspace(0, 1, 40)})
    table = effects(sc.Dataset.from_frame(frame.assign(outcome=np.where(Y, "sick", "well")), target="outcome"))
    shown = frame_directions(panel_of(["up", "usual", "down", "few"], ["up"]), table)
    figure = drawn(draw_directions(shown))
    said = {one["y"]: one["text"] for one in figure["layout"]["annotations"]}
    up, down = (f"{way}, without exception" for way in (("goes up", "goes down") if table["auc"][0] == 1 else
                                                        ("goes down", "goes up")))
    assert said == {3: up, 1: down, 0: "not known"} and sum(len(one["x"]) for one in figure["data"]) == 1


def test_one_feature_is_told_with_its_size_in_the_units_of_the_table_and_in_the_runs():
    table = told(np.where(Y, "sick", "well")).assign(same_sign=0.96, exaggeration=[0.123, -0.05, np.nan, 0.001])
    a, b, c, sex = (table.iloc[i] for i in range(4))
    sentence = sentence_effect(a, "Lasso")
    assert sentence.startswith(f"a is {a['direction']}: a standardised difference of {a['effect']:.2f} [{a['low']:.2f}, ")
    assert f"an AUC of {a['auc']:.2f} [" in sentence and f"medians differ by {a['median']:.3g} [" in sentence
    assert sentence.endswith("It goes the same way in the rows of 96% of the runs. In the runs of Lasso that selected it, it looks "
                             "12% larger than in all.")
    assert "5% smaller than in all" in sentence_effect(b, "Lasso") and "is not known" in sentence_effect(c, "Lasso")
    assert "medians" not in sentence_effect(sex, "Lasso") and "as large as in all" in sentence_effect(sex, "Lasso")
    for share, words in ((1.45, "looks 2.5 times as large"), (30.0, "looks more than 10 times"), (-1.2, "goes the other way")):
        assert words in sentence_effect(pd.concat([a.drop("exaggeration"), pd.Series({"exaggeration": share})]), "Lasso")
    assert [looks(share) for share in (np.nan, -3.0, -0.2, 0.0, 0.4, 1.45, 412.0)] == [
        "", "goes the other way", "20% smaller", "as large", "40% larger", "2.5 times as large", "more than 10 times as large"]
    assert "No run of Lasso selected it" in sentence_effect(a.drop("exaggeration").to_frame().T.assign(exaggeration=np.nan).iloc[0],
                                                            "Lasso")


@pytest.mark.parametrize("outcome, how, words", [
    (np.resize(["x", "y", "z"], 40), {}, "a has a size but no direction: a share explained (η²) of"),
    (Y + np.linspace(0, 1, 40), {"target_as": "number"}, "a rises with outcome: a rank correlation of")], ids=["classes", "number"])
def test_other_outcomes_have_their_own_sentence(outcome, how, words):
    assert sentence_effect(told(outcome, **how).iloc[0]).startswith(words)
