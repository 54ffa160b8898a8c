"""Estimates: what is drawn stands in the frame, number by number; gaps, one selector and sentences."""

import json

import numpy as np
import pandas as pd
import pytest
from figure_support import KEYS, drawn, numbers, table

from stabcore.figures import estimates
from stabcore.figures.style import GREY
from stabcore.selectors.baseline import is_baseline


def undefined(made, label, *keys):
    """The same table with some numbers of one selector missing."""
    for key in keys:
        made.loc[label, [key, f"{key}_low", f"{key}_high"]] = np.nan
    return made


def test_estimates_draw_the_frame_and_the_frame_is_the_table():
    made = undefined(table(["a", "b", "c", "d"]), "c", "effective")
    frame = estimates.frame_estimates(made, KEYS)
    figure = drawn(estimates.draw_estimates(frame))
    order = made["nogueira"].sort_values().index.tolist()
    assert figure["layout"]["yaxis"]["ticktext"] == order
    for key, trace in zip(KEYS, figure["data"]):
        own = made.loc[order]
        assert numbers(trace["x"]) == pytest.approx(own[key].to_numpy(), nan_ok=True)
        assert np.round(numbers(trace["y"])).tolist() == [0, 1, 2, 3]
        error = trace["error_x"]
        assert numbers(trace["x"]) + numbers(error["array"]) == pytest.approx(own[f"{key}_high"].to_numpy(), nan_ok=True)
        assert numbers(trace["x"]) - numbers(error["arrayminus"]) == pytest.approx(own[f"{key}_low"].to_numpy(), nan_ok=True)
        shown = frame[frame["measure"] == key].set_index("selector").loc[order]
        assert trace["text"] == [f"{label}<br>{text}" for label, text in shown["text"].items()]
        assert shown["value"].to_numpy() == pytest.approx(own[key].to_numpy(), nan_ok=True)
    assert "nan" not in json.dumps(figure["data"][1]["text"])


def test_numbers_are_written_as_people_write_them():
    assert estimates.written(0.5, 0.4, 0.612) == "0.50 [0.40, 0.61]" and estimates.written(0.5, np.nan, np.nan) == "0.50"
    assert estimates.written(np.nan, np.nan, np.nan) == "undefined" and estimates.written(-0.001, -0.004,
                                                                                          0.002) == "0.00 [0.00, 0.00]"


def test_estimates_of_one_selector_of_one_measure_and_of_nothing_defined():
    one = estimates.frame_estimates(table(["only"]), ["nogueira"])
    assert len(drawn(estimates.draw_estimates(one))["data"]) == 1
    said = f"only brings its own list back to {one['value'][0]:.2f} (1: always the same list); random sets would give 0."
    assert estimates.finding_estimates(one) == said
    nothing = estimates.frame_estimates(undefined(table(["x", "y"]), ["x", "y"], *KEYS), KEYS)
    drawn(estimates.draw_estimates(nothing))
    assert estimates.finding_estimates(nothing) == "No selector has a stability that is defined."
    assert set(nothing["text"]) == {"undefined"}


# ---- who is most and least stable ----

def pairs(*clear):
    """Comparisons of which these are clear, "a>b"."""
    rows = [(one[0], one[2], 0.3, 0.2, 0.4, 0.001) for one in clear]
    return pd.DataFrame(rows, columns=["first", "second", "difference", "low", "high", "p_holm"])


def found(values, *clear, floors=None):
    made = table(list(values), keys=["nogueira"]).assign(nogueira=list(values.values()))
    known = {"nogueira": pd.DataFrame({"floor": floors, "floor_low": np.nan, "floor_high": np.nan}, index=made.index)}
    return estimates.finding_estimates(estimates.frame_estimates(made, ["nogueira"], known if floors else None), pairs(*clear))


def test_only_who_is_clearly_apart_is_named_as_most_or_least():
    three = {"a": 0.2, "b": 0.9, "c": 0.55}
    zero = "; random sets would give 0."
    assert found(three, "b>a", "b>c", "c>a") == f"b brings its own list back most often (0.90), a least often (0.20){zero}"
    assert found(three, "b>a", "b>c") == f"b brings its own list back most often (0.90){zero}", "the others are merely the others"
    assert found(three, "b>a", "c>a") == f"a brings its own list back least often (0.20){zero}"
    assert found(three, "b>a") == f"No selector brings its own list back clearly more often than all others (0.20 to 0.90){zero}"
    assert found(three) == ("All 3 selectors bring back their own lists, none clearly more often than another (0.20 to 0.90; "
                            f"1: always the same list){zero}")
    nothing_compared = estimates.finding_estimates(estimates.frame_estimates(table(["a", "b"]), KEYS))
    assert nothing_compared.startswith("Both selectors bring back their own lists, none clearly more often")
    five = {**three, "d": 0.86, "e": 0.85}
    above_others = [f"{one}>{other}" for one in "bde" for other in "ac"]
    assert found(five, *above_others, "c>a") == (
        "b, d and e bring back their own lists most often (0.85 to 0.90, no clear difference between them), "
        f"a least often (0.20){zero}")
    assert "most often (0.85 to 0.90), a" in found(five, *above_others, "c>a", "b>e"), "b and e are apart, so level is not said"


def test_a_baseline_is_never_the_best_nor_the_least_and_is_drawn_last():
    with_it = {"a": 0.5, "b": 0.6, "Random ranking (baseline)": 0.0, "random": 0.99}
    assert found(with_it, "a>R", "b>R") == found({"a": 0.5, "b": 0.6})
    frame = estimates.frame_estimates(table(list(with_it), keys=["nogueira"]).assign(nogueira=list(with_it.values())), ["nogueira"])
    figure = drawn(estimates.draw_estimates(frame))
    assert figure["layout"]["yaxis"]["ticktext"] == ["Random ranking<br>(baseline)", "random", "a", "b"]
    assert [one["marker"]["color"] for one in figure["data"]] == [figure["data"][0]["marker"]["color"], GREY]
    assert figure["data"][1]["showlegend"] is False
    assert estimates.finding_estimates(frame[frame["selector"].map(is_baseline)]) == "No selector has a stability that is defined."


def test_the_finding_tells_what_there_would_be_without_any_signal():
    assert found({"a": 0.5, "b": 0.6}, floors=[0.4, 0.4]).endswith("; random sets would give 0, a study without any signal 0.40.")
    assert found({"a": 0.5, "b": 0.6}, floors=[0.4, 0.3]).endswith("a study without any signal 0.30 to 0.40.")
    assert "signal" not in found({"a": 0.5, "random": 0.6}, floors=[np.nan, 0.0]), "that of a baseline is no study's"


def test_floors_are_drawn_where_they_are_known_with_their_range():
    made = table(["a", "b"])
    known = pd.DataFrame({"floor": [0.3, np.nan], "floor_low": [0.2, np.nan], "floor_high": [0.45, np.nan]}, index=["a", "b"])
    frame = estimates.frame_estimates(made, KEYS, {"nogueira": known})
    tick = next(one for one in drawn(estimates.draw_estimates(frame))["data"] if one["name"] == estimates.FLOOR)
    assert numbers(tick["x"]).tolist() == [0.3] and tick["text"] == ["a<br>without any signal: 0.30 [0.20, 0.45]"]
    assert numbers(tick["error_x"]["array"]) == pytest.approx([0.15])
    assert numbers(tick["error_x"]["arrayminus"]) == pytest.approx([0.1])
    assert frame.set_index(["selector", "measure"])["floor"].notna().tolist() == [True, False, False, False]
    assert not [one for one in drawn(estimates.draw_estimates(estimates.frame_estimates(made, KEYS)))["data"]
                if one["name"] == estimates.FLOOR]
    wide = estimates.wide_estimates(frame)
    assert wide.columns.tolist() == ["Nogueira (classic stability)", "Nogueira (classic stability) without any signal",
                                     "Effective stability"]
    assert wide.iloc[:, 1].tolist() == ["0.30", "not known"]


# ---- one selector ----

WELL, BADLY = "come back well", "do not clearly come back more often than without any signal"


@pytest.mark.parametrize("value, low, high, floor, most, word", [
    (0.75, 0.7, 0.8, np.nan, np.nan, WELL), (0.74, 0.7, 0.8, np.nan, np.nan, "come back moderately"),
    (0.39, 0.3, 0.5, np.nan, np.nan, "come back poorly"),
    (0.09, 0.05, 0.12, np.nan, np.nan, "come back hardly more often than random sets"),
    (0.3, -0.1, 0.7, np.nan, np.nan, "do not clearly come back more often than random sets"),
    (-0.11, -0.2, 0.01, np.nan, np.nan, "do not clearly come back more often than random sets"),
    (-0.11, -0.11, -0.11, np.nan, np.nan, "come back less often than random sets"),
    (0.76, 0.74, 0.78, 0.72, np.nan, "come back poorly"), (0.76, 0.74, 0.78, 0.72, 0.81, BADLY),
    (0.93, 0.92, 0.94, 0.72, 0.81, "come back well"),
    (0.71, 0.7, 0.73, 0.72, np.nan, BADLY), (0.5, 0.4, 0.6, 0.72, 0.81, BADLY), (1.0, np.nan, np.nan, 1.0, np.nan, BADLY),
    (1.0, 0.9, np.nan, 0.72, 0.81, WELL), (0.8, np.nan, np.nan, np.nan, np.nan, WELL)])
def test_how_features_come_back_is_judged_against_the_floor(value, low, high, floor, most, word):
    assert estimates.comes_back(value, low, high, floor, most) == word


def test_the_sentence_of_a_selector():
    row = table(["a"]).assign(**dict.fromkeys([*estimates.AT_FLOOR, "change_low", "change_high"], np.nan)).iloc[0]
    row[["nogueira", "nogueira_low", "nogueira_high", "effective"]] = [0.8, 0.7, 0.9, 0.8]
    assert estimates.sentence("a", row) == "a: about 5 features a run, which come back well (0.80 [0.70, 0.90])."
    row[["floor", "floor_low", "floor_high"]] = [0.4, 0.3, 0.5]
    said = "a: about 5 features a run, which come back moderately (0.80 [0.70, 0.90]; without any signal 0.40 [0.30, 0.50])"
    assert estimates.sentence("a", row) == f"{said}."
    row[["effective", "effective_low", "effective_high"]] = [0.9, np.nan, np.nan]
    for low, high, change in ((0.05, 0.15, "rises to 0.90"), (-0.2, -0.1, "falls to 0.90"), (np.nan, np.nan, "is 0.90"),
                              (-0.1, 0.2, "is 0.90, not clearly a change")):
        row[["change_low", "change_high"]] = low, high
        assert estimates.sentence("a", row) == f"{said}; when related features stand for each other it {change}."
    row["mean_size"] = 1.2
    assert estimates.sentence("a", row).startswith("a: about 1 feature a run, which comes back moderately")
    row["nogueira_low"] = 0.1
    assert estimates.sentence("a", row).startswith("a: about 1 feature a run, which does not clearly come back more often than")
    row["effective"] = 0.8 + 1e-9
    assert "stand for each other" not in estimates.sentence("a", row)
    assert estimates.sentence("random", row) == "random: chosen by lot, 1 feature a run (0.80 [0.10, 0.90]); random sets give 0."
    row[["nogueira", "nogueira_note"]] = np.nan, "every run selected nothing"
    assert estimates.sentence("a", row) == "a: the agreement is undefined, because every run selected nothing."


def test_what_the_words_mean_is_said_once():
    def about(floor, shuffles=0, note=""):
        return " ".join(estimates.judged(pd.DataFrame({"floor": floor, "shuffles": shuffles, "note": note}, index=["a", "random"])))

    assert "a filter that ranks features one by one" in about([0.7, 0.0]) and "a study without any signal" in about([0.7, 0.0])
    assert "over 5 shuffles" in about([0.7, 0.0], 5)
    unknown = about([np.nan, 0.0], note="how these runs were made is not known")
    assert unknown.count("is not known") == 1 and "what random sets would show" in unknown
    assert "An own plan says nothing." in about([np.nan, np.nan], note="an own plan says nothing")


# ---- notes ----

def test_a_note_says_whom_it_is_about_and_is_said_once():
    def noted(*notes):
        frame = pd.DataFrame({"selector": ["a", "b", "a", "b"], "label": ["Jaccard", "Jaccard", "Dice", "Dice"], "note": notes})
        return estimates.notes(frame)

    assert noted("", "", "", "") == [] and noted("why", "why", "why", "why") == ["why."]
    assert noted("why", "", "why", "") == ["Jaccard and Dice of a: why."]
    assert noted("why", "why", "", "other") == ["Jaccard of every selector: why.", "Dice of b: other."]
    assert noted("why", "why", "why", "") == ["Jaccard of every selector; Dice of a: why."]


def test_the_range_of_the_floor_leaves_out_who_does_not_look_at_the_outcome():
    floors = {"nogueira": pd.DataFrame({"floor": [0.2, 0.3, 1.0], "floor_low": np.nan, "floor_high": np.nan, "shuffles": 0,
                                        "note": "", "blind": [False, False, True]}, index=["a", "b", "variance"])}
    shown = estimates.frame_estimates(table(["a", "b", "variance"]), ["nogueira"], floors)
    assert "without any signal 0.20 to 0.30" in estimates.finding_estimates(shown)


def test_how_changes_were_judged_is_said_where_one_is_told():
    rows = pd.DataFrame({"change_low": [0.1, -0.2, np.nan], "change_high": [0.3, 0.2, np.nan]}, index=["a", "b", "random"])
    assert estimates.by_itself(rows) == [estimates.BY_ITSELF] == estimates.by_itself(-rows.rename(columns={
        "change_low": "change_high", "change_high": "change_low"}))
    assert estimates.by_itself(rows.drop("a")) == estimates.by_itself(rows.drop("b")) == []
    assert estimates.by_itself(rows.drop(columns=["change_low", "change_high"])) == []
