"""Profiles: at every k the measure itself with its own jackknife, and a random band that simulation confirms."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import hypergeom

import stabcore as sc
from stabcore import profiles
from stabcore.measures import chance, overlap
from stabcore.measures.random_sets import random_pair
from stabcore.profiles import profile, random_profile

M, D = 6, 14
MEASURES = ("jaccard", "kuncheva", "phi", "nogueira", "effective")


def scores(seed=0, runs=M, d=D, noise=0.7):
    rng = np.random.default_rng(seed)
    return np.linspace(2, 0, d) + noise * rng.normal(size=(runs, d))


def relations():
    A = np.random.default_rng(1).random((D, D)) * (np.random.default_rng(2).random((D, D)) < 0.3)
    C = np.maximum(A, A.T)
    np.fill_diagonal(C, 1)
    groups = sc.Relation.from_groups({"a": [0, 3, 5, 9], "b": [1, 2]}, n_features=D)
    return {"groups": groups, "sparse": sc.Relation.from_matrix(C), "identity": sc.Relation.identity(D),
            "edited groups": groups.edited({(0, 3): 0.4, (6, 7): 0.8})}


# ---- the curve is the measure, k by k ----

def check(runs, measure, relation=None):
    curve = profile(runs, measure, relation=relation, level=0.9)
    for row in curve.itertuples():
        found = sc.stability(runs.top(row.k), measure, relation=relation, interval="jackknife", level=0.9)
        assert (row.value, row.low, row.high) == pytest.approx((found.value, found.low, found.high), abs=1e-9, nan_ok=True), row.k
    return curve


@pytest.mark.parametrize("measure", MEASURES[:-1])
def test_every_k_equals_the_measure_of_the_k_best(measure):
    curve = check(sc.Preferences.from_scores(scores()), measure)
    assert curve["k"].tolist() == list(range(1, D + 1)) and curve["value"].notna().sum() == D - (measure != "jaccard")


@pytest.mark.parametrize("name", relations())
def test_every_k_equals_effective_of_the_k_best(name):
    curve = check(sc.Preferences.from_scores(scores()), "effective", relations()[name])
    assert curve["value"].notna().sum() == D - 1


def test_ties_are_broken_once_for_the_whole_curve():
    runs = sc.Preferences.from_scores(np.round(scores()))
    once = runs.top(D)
    for measure in ("jaccard", "nogueira"):
        curve = profile(runs, measure)
        assert [sc.stability(once.top(k), measure).value for k in (2, 5, 9)] == pytest.approx(
            curve.set_index("k")["value"][[2, 5, 9]].tolist(), abs=1e-12)


def test_the_curve_stops_where_the_first_run_stops_ranking():
    given = scores()
    given[2, 5:] = np.nan
    given[4, 3:12] = np.nan
    runs = sc.Preferences.from_scores(given)
    for measure in MEASURES:
        curve = check(runs, measure, relations()["groups"] if measure == "effective" else None)
        assert curve["k"].tolist() == [1, 2, 3, 4, 5]           # run 5 ranks 14 − 9 features, run 3 as many
    assert profile(runs, "jaccard", sizes=[3, 5, 6, 14])["k"].tolist() == [3, 5]


def test_some_sizes_are_taken_from_the_whole_curve():
    runs = sc.Preferences.from_scores(scores())
    for measure, relation in (("jaccard", None), ("phi", None), ("effective", relations()["sparse"])):
        whole = profile(runs, measure, relation=relation, baseline=False).set_index("k")
        some = profile(runs, measure, relation=relation, sizes=[9, 2, 2, 13], baseline=False)
        assert some["k"].tolist() == [2, 9, 13] and list(some) == ["k", "value", "low", "high"]
        assert some["value"].tolist() == pytest.approx(whole["value"][[2, 9, 13]].tolist(), abs=1e-12)


@pytest.mark.parametrize("cells", [1, 3 * M * D])
def test_effective_in_pieces_is_the_same(cells, monkeypatch):
    runs, relation = sc.Preferences.from_scores(scores()), relations()["edited groups"]
    whole = profile(runs, "effective", relation=relation)
    monkeypatch.setattr(profiles, "CELLS", cells)
    assert profile(runs, "effective", relation=relation).to_numpy() == pytest.approx(whole.to_numpy(), abs=1e-12, nan_ok=True)


def test_two_runs_have_a_curve_without_an_interval():
    curve = profile(sc.Preferences.from_scores(scores(runs=2)), "jaccard")
    assert curve["value"].notna().all() and curve[["low", "high"]].isna().all(axis=None) and curve["random"].notna().all()


def test_runs_alike_agree_completely_at_every_k():
    runs = sc.Preferences.from_scores(np.tile(scores()[0], (5, 1)))
    for measure in MEASURES:
        curve = profile(runs, measure, relation=relations()["groups"], baseline=False).dropna()
        assert curve[["value", "low", "high"]].to_numpy() == pytest.approx(np.ones((len(curve), 3)), abs=1e-9)


# ---- what ranking at random gives ----

def simulated(measure, k, relation=None, runs=5, d=D, times=600, seed=3):
    """Values of the measure over studies of random sets, straight from its pairs."""
    rng = np.random.default_rng(seed)
    return np.array([sc.stability(sc.Preferences.from_scores(rng.random((runs, d))).top(k), measure, relation=relation).value
                     for _ in range(times)])


@pytest.mark.parametrize("measure", ["jaccard", "phi", "nogueira"])
@pytest.mark.parametrize("k", [1, 4, 11])
def test_mean_and_spread_of_random_ranking_equal_simulation(measure, k):
    found = simulated(measure, k)
    band = random_profile(5, D, [k], measure, level=0.6826894921370859).iloc[0]          # one standard deviation to each side
    sd = band["high"] - band["value"]
    assert band["value"] - band["low"] == pytest.approx(sd)
    assert found.mean() == pytest.approx(band["value"], abs=4 * sd / np.sqrt(len(found)))
    assert found.std(ddof=1) == pytest.approx(sd, rel=0.15)


@pytest.mark.parametrize("k", [2, 7])
def test_mean_and_spread_of_effective_under_random_ranking_equal_simulation(k):
    relation = relations()["groups"]
    found = simulated("effective", k, relation)
    band = random_profile(5, D, [k], "effective", relation=relation, level=0.6826894921370859).iloc[0]
    assert band["value"] == 0 and abs(found.mean()) < 4 * found.std() / np.sqrt(len(found))
    assert found.std(ddof=1) == pytest.approx(band["high"], rel=0.35)               # the band itself rests on 60 random studies


def test_the_spread_of_effective_between_the_sizes_that_are_drawn():
    relation = sc.Relation.from_groups({"g": range(10)}, n_features=60)
    ks = np.arange(1, 60)
    half = random_profile(4, 60, ks, "effective", relation=relation)["high"].to_numpy()
    drawn = simulated("effective", 33, relation, runs=4, d=60, times=300).std(ddof=1) * 1.96
    assert half[32] == pytest.approx(drawn, rel=0.35) and np.isfinite(half).all() and (half > 0).all()
    for k in (1, 59):                                           # both ends are drawn themselves, from the same rankings
        assert half[k - 1] == pytest.approx(random_profile(4, 60, [k], "effective", relation=relation)["high"][0])


def test_the_baseline_of_a_profile_is_that_of_its_runs_and_features():
    runs = sc.Preferences.from_scores(scores())
    for measure, relation in (("jaccard", None), ("effective", relations()["sparse"])):
        curve = profile(runs, measure, relation=relation, level=0.8)
        alone = random_profile(M, D, curve["k"], measure, relation=relation, level=0.8)
        assert curve[["random", "random_low", "random_high"]].to_numpy() == pytest.approx(
            alone[["value", "low", "high"]].to_numpy(), nan_ok=True)


@pytest.mark.parametrize("a, b, d", [(1, 1, 1), (1, 1, 2), (3, 5, 9), (9, 9, 9), (0, 4, 9), (400, 30, 1000), (700, 800, 1000),
                                     (2000, 1500, 1_000_000), (50, 50, 10_000_000)])
def test_random_pairs_have_the_moments_of_scipys_hypergeometric(a, b, d):
    r = np.arange(max(0, a + b - d), min(a, b) + 1)
    law = hypergeom(d, a, b).pmf(r)
    mean, sd = random_pair(lambda r, a, b, d: r, a, b, d)
    assert mean == pytest.approx((law * r).sum(), rel=1e-7, abs=1e-9)
    assert sd == pytest.approx(np.sqrt((law * (r - a * b / d) ** 2).sum()), rel=1e-6, abs=1e-7)
    for some in (r[0], r[len(r) // 2]):
        found, _ = random_pair(lambda r, a, b, d, some=some: np.where(r == some, 1.0, 0.0), a, b, d)
        assert found == pytest.approx(law[some - r[0]], rel=1e-6, abs=1e-12)


def test_the_expected_overlap_is_that_of_all_sets():
    everything = [set(c) for c in combinations(range(6), 3)]
    values = [len(a & b) / len(a | b) for a in everything for b in everything]
    assert random_pair(overlap.jaccard.pair, 3, 3, 6) == pytest.approx((np.mean(values), np.std(values)))
    assert np.isnan(random_pair(chance.phi.pair, 0, 3, 6)[0])


# ---- refused ----

@pytest.mark.parametrize("make, said", [
    (lambda runs: profile(runs, "spearman_ranks"), "needs a measure of sets; spearman_ranks is not one"),
    (lambda runs: profile(runs, "importance_weighted"), "needs a measure of sets"),
    (lambda runs: profile(runs, "nope"), "no stability measure 'nope'"),
    (lambda runs: profile(runs, "effective"), "give relation="),
    (lambda runs: profile(runs, sizes=[0, 3]), "whole numbers from 1 up"),
    (lambda runs: profile(runs, sizes=[2.5]), "whole numbers from 1 up"),
    (lambda runs: profile(runs, sizes=[]), "whole numbers from 1 up"),
    (lambda runs: profile(runs, sizes=[15, 20]), "ranks 14 features, so it cannot select 15"),
    (lambda runs: profile(runs, level=95), "between 0 and 1, for example 0.95; found 95"),
    (lambda runs: profile(sc.Preferences.from_selection_matrix(np.eye(3))), "needs a ranking"),
    (lambda runs: profile(runs, "effective", relation=sc.Relation.identity(D + 1)), "about 15 features, the runs are about 14"),
])
def test_wrong_questions_get_sentences(make, said):
    with pytest.raises(sc.InputError, match=said):
        make(sc.Preferences.from_scores(scores()))
