"""Curves over thresholds with shuffled runs: slow versions of every value, and the leading selector."""

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.analysis.whatif import CorrelationBins, floor_curves, standings
from stabcore.analysis.whatif.thresholds import BEHIND, LEADS
from stabcore.inference.estimate import measure_terms
from stabcore.inference.noise_floor import stability_with_floor
from stabcore.measures.catalog import entry

D, K = 12, 4


def in_pairs(rng, pairs, strength):
    """Runs of `pairs` pairs of halves that select by scores of one table."""
    base = strength * np.where(np.arange(D) < K, 1.0, 0.0)
    runs = sc.Selections.from_scores(base + rng.normal(size=(2 * pairs, D))).top(K)
    return runs.in_units(np.repeat(np.arange(pairs), 2))


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(1)
    return pd.DataFrame(0.8 * np.repeat(rng.normal(size=(80, 4)), 3, axis=1) + 0.6 * rng.normal(size=(80, D)))


def test_floors_equal_those_of_each_similarity_alone(table):
    rng = np.random.default_rng(2)
    runs, shuffled, share = {"a": in_pairs(rng, 10, 1.0)}, {"a": [in_pairs(rng, 2, 0.0) for _ in range(5)]}, 10 / 190
    made = floor_curves(runs, shuffled, CorrelationBins.of(table, thresholds=(0.0, 0.3, 0.6, 0.9, 1.0)), share)
    for row in made.itertuples():
        C = sc.Similarity.from_correlation(table, threshold=row.threshold)
        values = []
        for shuffle in shuffled["a"]:
            within = np.mean([sc.stability(shuffle.take([2 * i, 2 * i + 1]), "effective", similarity=C).value for i in range(2)])
            between = np.mean([sc.stability(shuffle.take([i, j]), "effective", similarity=C).value for i in (0, 1) for j in (2, 3)])
            values.append(share * within + (1 - share) * between)
            slow = measure_terms(shuffle, entry("effective"), C, {}).weighted_value(share)
            assert values[-1] == pytest.approx(slow, nan_ok=True)
        assert row.floor == pytest.approx(np.mean(values), nan_ok=True)
        of_screens = stability_with_floor(runs["a"], shuffled["a"], "effective", C, share)
        for name in ("floor", "floor_low", "floor_high", "floor_sd", "floor_se", "p"):
            assert getattr(row, name) == pytest.approx(of_screens[name], nan_ok=True), name


def test_a_better_selector_leads_and_equal_ones_do_not(table):
    bins, found, equal = CorrelationBins.of(table, thresholds=(0.9, 1.0)), 0, 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        shuffled = {label: [in_pairs(rng, 2, 0.0) for _ in range(20)] for label in "ab"}
        for better in (2.5, 1.0):
            runs = {"a": in_pairs(rng, 25, better), "b": in_pairs(rng, 25, 1.0)}
            lead = standings(runs, floor_curves(runs, shuffled, bins, 25 / 1225), bins)
            first = lead[(lead["selector"] == "a") & (lead["threshold"] == 1.0)]["standing"].item()
            anyone = (lead[lead["threshold"] == 1.0]["standing"] == LEADS).any()
            found, equal = found + (better > 1 and first == LEADS), equal + (better == 1 and anyone)
    assert found == 4 and equal <= 1


def test_leaders_are_above_the_floor(table):
    rng = np.random.default_rng(0)
    runs = {label: in_pairs(rng, 10, 0.0) for label in "ab"}
    shuffled = {label: [in_pairs(rng, 2, 3.0) for _ in range(20)] for label in "ab"}
    bins = CorrelationBins.of(table, thresholds=(1.0,))
    assert (standings(runs, floor_curves(runs, shuffled, bins, 0.05), bins)["standing"] == BEHIND).all()
