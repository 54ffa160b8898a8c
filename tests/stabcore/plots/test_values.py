"""Values as they are written, tables of estimates, and who is level as shown."""

import numpy as np
import pandas as pd
import pytest
from figure_support import KEYS, table

from stabcore.base.text import all_of, be, join_tied, joined, plural, rounded, several, verb_for
from stabcore.plots import comparisons, estimates, feature_profile, front_comparison, whatif
from stabcore.plots.similarity import finding_tree
from stabcore.plots.values import format_estimate, highest, highest_and_lowest


def test_numbers_are_written_as_people_write_them():
    assert format_estimate(0.5, 0.4, 0.612) == "0.50 [0.40, 0.61]" and format_estimate(0.5, np.nan, np.nan) == "0.50"
    assert format_estimate(np.nan, np.nan, np.nan) == "undefined" and format_estimate(-0.001, -0.004, 0.002) == "0.00 [0.00, 0.00]"


def test_a_note_says_whom_it_is_about_and_is_said_once():
    def noted(*notes):
        frame = pd.DataFrame({"selector": ["a", "b", "a", "b"], "label": ["Jaccard", "Jaccard", "Dice", "Dice"], "note": notes})
        return estimates.describe_notes(frame)

    assert noted("", "", "", "") == [] and noted("why", "why", "why", "why") == ["why."]
    assert noted("why", "", "why", "") == ["Jaccard and Dice of a: why."]
    assert noted("why", "why", "", "other") == ["Jaccard of every selector: why.", "Dice of b: other."]
    assert noted("why", "why", "why", "") == ["Jaccard of every selector; Dice of a: why."]


def test_the_table_of_measures_has_their_floors_beside_them():
    made = table(["a", "b"])
    known = pd.DataFrame({"floor": [0.3, np.nan], "floor_low": [0.2, np.nan], "floor_high": [0.45, np.nan]}, index=["a", "b"])
    frame = estimates.table_estimates(made, KEYS, {"nogueira": known})
    assert frame.set_index(["selector", "measure"])["floor"].notna().tolist() == [True, False, False, False]
    wide = estimates.wide_estimates(frame)
    assert wide.shape == (2, 3) and wide.iloc[:, 1].tolist() == ["0.30", "not known"]
    assert estimates.wide_estimates(estimates.table_estimates(made, KEYS)).shape == (2, 2)


LABELS = ["lasso", "gbm", "cmim", "mim", "jmi"]


def values(*given, name="value"):
    return pd.DataFrame({"selector": LABELS[: len(given)], name: given})


def test_words_for_one_and_for_several():
    assert [join_tied(LABELS[:n]) for n in (1, 2, 3, 4, 5)] == [
        "lasso",
        "lasso and gbm",
        "lasso, gbm and cmim",
        "lasso, gbm and 2 others",
        "lasso, gbm and 3 others",
    ]
    assert joined(LABELS[:3], "or") == "lasso, gbm or cmim" and join_tied(LABELS, 4, "or") == "lasso, gbm, cmim or 2 others"
    assert (all_of(2, "run"), all_of(7, "outer fold")) == ("both runs", "all 7 outer folds")
    assert [several(n, "feature") for n in (0, 1, 2)] == ["0 features", "1 feature", "2 features"]
    assert (plural(1, "row"), plural(1.5, "row"), verb_for(1, "come"), verb_for(0, "come"), be(1), be(2)) == (
        "row",
        "rows",
        "comes",
        "come",
        "is",
        "are",
    )
    assert (rounded(-0.004), rounded(np.float64(0.126)), rounded(-0.006)) == ("0.00", "0.13", "-0.01")


def test_level_is_what_looks_the_same():
    assert highest("abc", [0.498, 0.502, 0.4]) == ["a", "b"] and highest("abc", [0.498, 0.502, 0.4], decimals=3) == ["b"]
    assert highest_and_lowest("abc", [-0.001, 0.001, 0.0])[:2] == (list("abc"), list("abc"))
    assert highest_and_lowest("abcd", [0.9, 0.1, 0.1, 0.9]) == (["a", "d"], ["b", "c"], 0.9, 0.1)


# ---- most and least ----


def test_pairs_of_selectors():
    def said(*rows):
        frame = pd.DataFrame(rows, columns=["first", "second", "difference", "p_holm"])
        return comparisons.finding_comparisons(frame.assign(low=0.1, high=0.9, note="why", baseline=False))

    a, b, c = ("x", "y", 0.5, 0.01), ("x", "z", 0.501, 0.01), ("y", "z", -0.001, 0.9)
    assert said(a, b, c) == (
        "x from y and x from z differ most in stability, by 0.50 each; 2 of 3 pairs of selectors differ clearly in these runs."
    )
    assert said(a, b).startswith("All of them differ most in stability, by 0.50 each; 2 of 2 pairs")
    assert said(a, c) == (
        "x and y differ most in stability, by 0.50 [0.10, 0.90]; 1 of 2 pairs of selectors differs clearly in these runs."
    )
    assert said(c) == "y and z do not clearly differ in stability: 0.00 [0.10, 0.90]."
    assert said(c, c) == "None of the 2 pairs of selectors clearly differs in stability; they may differ by up to 0.90."
    assert said(("x", "y", 0.5, np.nan)) == "No two selectors can be compared in stability. Nothing is said of 1 pair: why."
    assert said(("x", "y", np.nan, np.nan)) == "No two selectors can be compared in stability."
    assert said(a, ("x", "z", 0.2, np.nan)).endswith(
        "1 of 1 pair of selectors differs clearly in these runs. Nothing is said of 1 pair: why."
    )


def test_pairs_of_measures():
    frame = pd.DataFrame({"selector": "a", "size": 1.0, "jaccard": [1, 2, 3, 4], "dice": [1, 2, 3, 4], "nogueira": [1, 2, 3, 4]})
    assert comparisons.finding_agreement(frame) == (
        "Over 4 selections, all 3 pairs of measures tell equally the same story (rank correlation 1.00)."
    )
    said = comparisons.finding_agreement(frame.assign(nogueira=[4, 3, 2, 1]))
    assert "Dice and Jaccard tell most nearly the same story (rank correlation 1.00), Nogueira" in said
    assert said.endswith("with Jaccard and Nogueira (classic stability) with Dice least (-1.00).")


def test_studies():
    frame = front_comparison.frame_studies({"one": table(LABELS[:3]).assign(accuracy=0.5, nogueira=0.5)}, "nogueira")
    assert front_comparison.finding_studies(frame) == (
        "In this one study all 3 selectors are dominated equally often, by 0 other selectors."
    )
    made = table(LABELS[:3]).assign(accuracy=[0.5, 0.5, 0.1], nogueira=[0.5, 0.5, 0.1])
    assert front_comparison.finding_studies(front_comparison.frame_studies({"one": made}, "nogueira")) == (
        "In this one study lasso and gbm are dominated least, by 0 other selectors; in another one cmim may be dominated as little."
    )
    often = front_comparison.frame_studies({f"{i}": made for i in range(8)}, "nogueira")
    assert front_comparison.finding_studies(often).endswith(
        "lasso and gbm are dominated least, by 0.00 other selectors on average."
    )


def test_groups_of_the_tree():
    class Tree:
        features = tuple("abcdef")

    assert finding_tree(Tree, {"1": ["a", "b"], "2": ["c", "d"]}, 0.5).endswith("into 2 groups; all have 2 each.")
    assert finding_tree(Tree, {"1": ["a", "b"], "2": ["c", "d"], "3": ["e"]}, 0.5).endswith("3 groups; the 2 largest have 2 each.")


# ---- what moves most ----


@pytest.mark.parametrize(
    ("finding", "column", "name"),
    [
        (whatif.finding_left_out_features, "feature", ""),
        (lambda frame: whatif.finding_left_out_runs(frame, "feature"), "part", "feature "),
    ],
)
def test_what_moves_the_stability_most(finding, column, name):
    def said(*changes):
        return finding(pd.DataFrame({column: list("abcdef")[: len(changes)], "value": 1.0, "change": changes}))

    assert said(1e-7, -4e-4, 0.0) == "No single feature moves the stability."
    assert said(-0.2, 0.1) == f"Without {name}a, stability would fall by 0.200 to 1.00; no other feature moves it more."
    assert said(0.1, -0.1001, 0.0) == (f"{name}a and {name}b move the stability most: by 0.100 each, when it alone is left out.")
    assert said(*[0.1] * 5) == "All 5 features move the stability equally: by 0.100 each, when it alone is left out."


def test_the_group_that_matters_most():
    def said(*effects):
        return whatif.finding_group_effects(
            pd.DataFrame([("pqr"[i], *one) for i, one in enumerate(effects)], columns=["group", "effect_alone", "effect_last"])
        )

    assert said((0.0, 1e-5)) == "No group moves the stability, neither alone nor as the last of all groups."
    assert said((0.1, 0.0), (0.0, -0.1), (0.0, 0.0)) == "p and q matter most: each moves stability by up to 0.100."
    assert said((0.1, 0.0), (0.0, -0.1)) == "Both groups matter equally: each moves stability by up to 0.100."
    assert said((0.1, 0.0), (0.0, 0.05)) == (
        "p matters most: switched on alone it raises stability by 0.100, and as the last of all groups it changes nothing."
    )


# ---- one feature ----


def test_who_takes_a_feature_most_often():
    def said(*given):
        return feature_profile.finding_frequency(values(*given, name="frequency"), "f")

    assert said(0.4, 0.4, 0.1) == "f is selected in 40% of the runs of lasso and gbm, where it comes most often."
    assert said(0.4, 0.402) == "f is selected in 40% of the runs of both selectors."
    assert said(0.4) == "f is selected in 40% of the runs of lasso." and said(0.0, 0.0) == "No selector takes f in any run."


def test_who_ranks_a_feature_most_steadily():
    def said(**ranks):
        frame = pd.DataFrame([(label, rank) for label, own in ranks.items() for rank in own], columns=["selector", "rank"])
        return feature_profile.finding_ranks(frame, "f", 50)

    assert said(a=[1, 3], b=[2, 9]) == (
        "Among 50 features f ranks most steadily with a: between 1 and 3 in all 2 runs; "
        "with the next, b, between 2 and 9 in all 2 runs."
    )
    assert (
        said(a=[1, 3], b=[7, 9], c=[1, 9])
        == "Among 50 features f ranks most steadily with a and b: in all runs its ranks lie up to 2 apart."
    )
    assert said(a=[1, 3], b=[2, 9], c=[1, 8]).endswith("; with b and c, the next, nine of ten lie up to 7 apart.")
    assert (
        said(a=[1, 1], b=[2, 2])
        == "Among 50 features f ranks equally steadily with both selectors: in all runs its rank is the same."
    )
    assert said(a=[4, 4]) == "Among 50 features f ranks with a at 4 in all 2 runs."
    assert said(a=[99, *range(2, 21), 1], b=[3] * 19 + [40, 41]) == (  # one run at either edge says little
        "Among 50 features f ranks most steadily with a: between 2 and 20 in 19 of 21 runs; "
        "with the next, b, between 3 and 40 in 20 of 21 runs."
    )
