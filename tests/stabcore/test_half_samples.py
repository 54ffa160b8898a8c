"""Shares of half-samples on the front: the same as counting fronts by hand; who is equal shares it, who is better in all has it."""

import numpy as np
import pandas as pd
import pytest
from noise_support import LABELS, REGIMES, simulated

import stabcore as sc
from stabcore.analysis import pareto
from stabcore.analysis.pareto import front, front_shares


def test_the_shares_are_those_of_fronts_counted_one_by_one():
    found = simulated(3)
    C = sc.Relation.from_groups({"a": found.features[:2]}, features=found.features)
    halves = pareto._halves(np.arange(20), 30, np.random.default_rng(0))
    for measure, relation in (("nogueira", None), ("effective", C), ("jaccard", None)):
        times = pd.Series(0.0, index=list(LABELS))
        for half in halves:
            kept = np.flatnonzero(half)
            table = pd.DataFrame({label: {
                "stability": sc.stability(found.preferences(label).take(kept), measure, relation=relation).value,
                "accuracy": np.mean([found.run_scores(label)[i + 1] for i in kept])} for label in LABELS}).T
            times += front(table.round(12))["on_front"]
        told = front_shares(found, measure, relation=relation, halves=30)
        pd.testing.assert_series_equal(told, times / 30, check_names=False)


def test_the_best_in_everything_is_always_there_and_equals_share_it():
    best = front_shares(simulated(1, best=True))
    assert best["amber"] == 1 and best[["birch", "cedar", "delta"]].max() == 0
    mean = pd.DataFrame([front_shares(simulated(seed, REGIMES["few runs"])) for seed in range(12)]).mean()
    assert mean.between(0.15, 0.85).all()           # of four that are equal nobody is there always, and nobody never


def test_random_rankings_do_not_compete_and_too_few_runs_say_nothing():
    found = simulated(2, labels=("amber", "random"))
    assert front_shares(found)["amber"] == 1 and np.isnan(front_shares(found)["random"])
    assert front_shares(simulated(2, REGIMES["three runs"])).empty
    brought = sc.Results({"one": found.preferences("amber")})
    assert front_shares(brought).empty


def test_runs_that_belong_together_are_drawn_together():
    halves = pareto._halves(np.repeat(np.arange(6), 2), 20, np.random.default_rng(1))
    assert (halves[:, ::2] == halves[:, 1::2]).all() and (halves.sum(axis=1) == 6).all()
    with pytest.raises(sc.InputError):
        front_shares(simulated(2), "no such measure")
