"""Sentences of replication are what the tables say; pictures have the band and every feature."""

import numpy as np
import pytest
from figure_support import drawn

import stabcore as sc
from stabcore.figures import replication
from stabcore.study.results import Results


def result(seed, names="abcdefghij"):
    pull = np.linspace(6, 0, len(names))
    scores = np.random.default_rng(seed).normal(size=(12, len(names))) + pull
    return Results({"one": sc.Preferences.from_scores(scores, features=list(names)).top(3)})


def test_the_sentence_counts_what_both_put_first_beside_random_orders():
    table = sc.concordance(result(1), result(2))
    row = table.set_index("k").loc[3]
    said = replication.finding_concordance(table, 3)
    assert f"share {row['common']:.0f} of the first 3 features" in said and f"({row['low']:.0f} to {row['high']:.0f})" in said
    assert "p = " not in said
    tested = table.assign(beside="shuffled", p=0.004, clear=True)
    assert "p = 0.004" in replication.finding_concordance(tested, 3)
    groups = sc.Relation.from_groups({"g": ["a", "b"]}, features=list("abcdefghij"))
    assert "similar features" in replication.finding_concordance(sc.concordance(result(1), result(2), groups), 3)


def test_the_picture_has_the_curve_in_its_band():
    table = sc.concordance(result(1), result(1))
    frame = replication.frame_concordance(table)
    assert frame["shared"].eq(1).all() and len(frame) == 10
    band, curve = drawn(replication.draw_concordance(frame, 3))["data"]
    assert list(curve["y"]) == [1.0] * 10 and len(band["x"]) == 20


def test_what_comes_back_is_counted_and_what_the_other_does_not_know_is_told():
    table = sc.replicated(result(1), result(1))
    many = int(table["in_first"].sum())
    assert many and replication.finding_replicated(table) == (
        f"{many} of the {many} features of this panel are in that of the other study too.")
    known = sc.replicated(result(1), result(1, "bcdefghijk"))
    assert "; the other study does not know 1." in replication.finding_replicated(known)
    assert replication.finding_replicated(table.assign(in_first=False)).startswith("There is no feature")
    figure = drawn(replication.draw_replicated(replication.frame_replicated(table), 0.75))
    assert [one.get("name") for one in figure["data"][1:]] == ["these results", "the other study"]
    assert [len(one["x"]) for one in figure["data"]] == [3 * len(table), len(table), len(table)]


@pytest.mark.parametrize("verdict, words, alone", [
    ("yes", "2 of the 2 features", "is in that of the other study too"), ("related", "for 2 more a stand-in", "but a stand-in is"),
    ("no", "None of the 2 features", "is not in that of the other study."), ("unknown", "does not know 2", "is not known to the")])
def test_other_verdicts_in_words(verdict, words, alone):
    table = sc.replicated(result(1), result(1)).head(2).assign(replicates=verdict, in_first=True)
    assert words in replication.finding_replicated(table)
    assert f"The only feature of this panel {alone}" in replication.finding_replicated(table.head(1)).replace(
        "is not in that of the other study, but", "but")
