"""Stability at every number of features equals the measure and its jackknife, and the random band equals simulation."""

from itertools import combinations

import numpy as np
import pytest
from measure_support import checked_profile
from scipy.stats import hypergeom
from snapshot_support import check_refusals
from support import slow

import stabcore as sc
from stabcore.analysis import stability_profile as module
from stabcore.analysis.stability_profile import random_profile, stability_profile
from stabcore.measures import chance
from stabcore.measures.random_sets import random_pair_moments

M, D = 6, 14
MEASURES = ("jaccard", "rbo", "kuncheva", "phi", "nogueira", "effective")


def scores(random_state=0, runs=M, d=D, noise=0.7):
    rng = np.random.default_rng(random_state)
    return np.linspace(2, 0, d) + noise * rng.normal(size=(runs, d))


def similarities():
    A = np.random.default_rng(1).random((D, D)) * (np.random.default_rng(2).random((D, D)) < 0.3)
    C = np.maximum(A, A.T)
    np.fill_diagonal(C, 1)
    groups = sc.Similarity.from_groups({"a": [0, 3, 5, 9], "b": [1, 2]}, n_features=D)
    return {
        "groups": groups,
        "sparse": sc.Similarity.from_matrix(C),
        "identity": sc.Similarity.identity(D),
        "edited groups": groups.edited({(0, 3): 0.4, (6, 7): 0.8}),
    }


@pytest.mark.parametrize(
    ("measure", "name"), [*((measure, "") for measure in MEASURES[:-1]), *(("effective", name) for name in similarities())]
)
def test_every_k_equals_the_measure_of_the_k_best(measure, name, monkeypatch):
    similarity = similarities().get(name)
    curve = checked_profile(sc.Selections.from_scores(scores()), measure, similarity, level=0.9)
    assert curve["k"].tolist() == list(range(1, D + 1)) and curve["value"].notna().sum() == D - (measure not in ("jaccard", "rbo"))
    alone = random_profile(M, D, curve["k"], measure, similarity=similarity, level=0.9)
    band = curve[["random", "random_low", "random_high"]].to_numpy()
    assert band == pytest.approx(alone[["value", "low", "high"]].to_numpy(), nan_ok=True)
    monkeypatch.setattr(module, "BLOCK", 40)  # counts pairs in blocks
    checked_profile(sc.Selections.from_scores(scores()), measure, similarity, level=0.9)


def test_the_curve_stops_where_the_first_run_stops_ranking():
    given = scores()
    given[2, 5:] = np.nan
    given[4, 3:12] = np.nan
    runs = sc.Selections.from_scores(given)
    for measure in MEASURES:
        curve = checked_profile(runs, measure, similarities()["groups"] if measure == "effective" else None, level=0.9)
        assert curve["k"].tolist() == [1, 2, 3, 4, 5]  # runs 3 and 5 rank 14 − 9 features each
    some = stability_profile(runs, "jaccard", sizes=[5, 3, 3, 6, 14], baseline=False)
    assert some["k"].tolist() == [3, 5] and list(some) == ["k", "value", "low", "high"]
    whole = stability_profile(runs, "jaccard").set_index("k")["value"]
    assert some["value"].tolist() == pytest.approx(whole[[3, 5]].tolist(), abs=1e-12)


@pytest.mark.parametrize("measure", ["jaccard", "dice", "lustgarten", "wald", "kappa", "unadjusted", "npog"])
def test_fast_and_general_formulas_equal_the_measure(measure):
    checked_profile(sc.Selections.from_scores(scores(runs=5, d=9)), measure, level=0.9)
    linear = module.is_linear(sc.measures.catalog.entry(measure).function.pair, np.arange(1.0, 10), 9)
    assert linear == (measure != "jaccard")


def test_two_runs_have_no_interval_and_ties_are_broken_once():
    curve = stability_profile(sc.Selections.from_scores(scores(runs=2)), "jaccard")
    assert curve["value"].notna().all() and curve[["low", "high"]].isna().all(axis=None) and curve["random"].notna().all()
    runs = sc.Selections.from_scores(np.round(scores()))
    curve = stability_profile(runs, "nogueira").set_index("k")["value"]
    values = [sc.stability(runs.top(D).top(k), "nogueira").value for k in (2, 5, 9)]
    assert values == pytest.approx(curve[[2, 5, 9]].tolist(), abs=1e-12)


@pytest.mark.parametrize(("measure", "k"), [("jaccard", 4), ("rbo", 5), slow("phi", 4), slow("nogueira", 1), slow("nogueira", 11)])
def test_mean_and_spread_of_random_ranking_equal_simulation(measure, k):
    rng = np.random.default_rng(3)
    drawn = (sc.Selections.from_scores(rng.random((5, D))).top(k) for _ in range(600))
    found = np.array([sc.stability(runs, measure).value for runs in drawn])
    band = random_profile(5, D, [k], measure, level=0.6826894921370859).iloc[0]  # one standard deviation to each side
    sd = band["high"] - band["value"]
    assert band["value"] - band["low"] == pytest.approx(sd)
    assert found.mean() == pytest.approx(band["value"], abs=4 * sd / np.sqrt(len(found)))
    assert found.std(ddof=1) == pytest.approx(sd, rel=0.15)


def enumerated_sd(C, k, runs):
    """Standard deviation of `effective` over random k-sets from its definition, by listing all pairs of sets."""
    d = len(C)
    Z = np.array([[f in chosen for f in range(d)] for chosen in combinations(range(d), k)], dtype=float)
    sizes, shared = np.einsum("if,fg,ig->i", Z, C, Z), Z @ C @ Z.T
    h = (sizes[:, None] + sizes[None, :]) / 2 - shared
    zeta_1, zeta_2 = h.mean(axis=1).var(), h.var()
    variance = (2 * (runs - 2) * zeta_1 + zeta_2) * 2 / (runs * (runs - 1))  # of a mean over pairs (Hoeffding)
    return np.sqrt(variance) / np.trace(C @ np.cov(Z.T, bias=True))


@pytest.mark.parametrize("name", similarities())
def test_the_band_of_effective_is_exact(name):
    for d, k in ((2, 1), (3, 2), (4, 2), (7, 1), (7, 6), (9, 4)):
        similarity = similarities()[name].among(np.arange(d))
        for runs in (2, 5):
            band = random_profile(runs, d, [k], "effective", similarity=similarity, level=0.6826894921370859).iloc[0]
            assert band["value"] == 0
            assert band["high"] == pytest.approx(enumerated_sd(similarity.block(np.arange(d)), k, runs), abs=1e-12)


@pytest.mark.parametrize("measure", ["kuncheva", "phi", "jaccard"])
def test_the_spread_of_random_pairs_is_that_of_a_hypergeometric_sum(measure):
    pair = chance.kuncheva.pair if measure == "kuncheva" else sc.measures.catalog.entry(measure).function.pair
    ks = np.arange(1, 24)
    mean, sd = module._random_pair_moments(pair, ks, 23)
    expected = np.array([random_pair_moments(pair, k, k, 23) for k in ks])
    assert np.column_stack([mean, sd]) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("a", "b", "d"), [(1, 1, 1), (3, 5, 9), (9, 9, 9), (0, 4, 9), (700, 800, 1000), (2000, 1500, 1_000_000), (50, 50, 10_000_000)]
)
def test_random_pairs_have_the_moments_of_scipys_hypergeometric(a, b, d):
    r = np.arange(max(0, a + b - d), min(a, b) + 1)
    law = hypergeom(d, a, b).pmf(r)
    mean, sd = random_pair_moments(lambda r, a, b, d: r, a, b, d)
    assert mean == pytest.approx((law * r).sum(), rel=1e-7, abs=1e-9)
    assert sd == pytest.approx(np.sqrt((law * (r - a * b / d) ** 2).sum()), rel=1e-6, abs=1e-7)
    for some in (r[0], r[len(r) // 2]):
        found, _ = random_pair_moments(lambda r, a, b, d, some=some: np.where(r == some, 1.0, 0.0), a, b, d)
        assert found == pytest.approx(law[some - r[0]], rel=1e-6, abs=1e-12)
    assert np.isnan(random_pair_moments(chance.phi.pair, 0, 3, 6)[0])


def test_wrong_arguments_are_refused():
    cases = [
        *({"measure": measure} for measure in ("spearman_ranks", "importance_weighted", "effective")),
        *({"sizes": sizes} for sizes in ([0, 3], [2.5], [], [15, 20])),
        *({"level": 95}, {"selections": sc.Selections.from_matrix(np.eye(3))}),
        {"measure": "effective", "similarity": sc.Similarity.identity(D + 1)},
    ]
    right = {"selections": sc.Selections.from_scores(scores())}
    check_refusals("analysis/wrong_profiles", lambda wrong: stability_profile(**right | wrong), cases)
