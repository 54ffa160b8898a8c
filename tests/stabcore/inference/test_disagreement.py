"""Sources of disagreement: shares of patients, missing values and seeds, which add up to 1."""

from itertools import combinations, product

import numpy as np
import pytest
from noise_support import Here, noise_study
from seed_support import _cut, drawn, share_of_seed
from study_support import study
from support import slow

import stabcore as sc
from stabcore.inference.disagreement import SOURCES, disagreement_sources


def by_seed(fits):
    """disagreement_sources of fits that differ by their seed."""
    return disagreement_sources({(repeat, 0): fit for repeat, fit in enumerate(fits)})


def slow_parts(fits):
    """[patients, missing, seed] from the definition: half the mean squared difference over pairs of fits, one pair at a time."""
    Z = {key: fit.selection_matrix.toarray() for key, fit in fits.items()}
    runs, d = next(iter(Z.values())).shape

    def half_difference(pairs):
        return np.mean([((a - b) ** 2).sum() / (2 * d) for a, b in pairs])

    same_filling = [(Z[a][i], Z[b][i]) for a, b in combinations(Z, 2) if a[1] == b[1] == 0 for i in range(runs)]
    seed = half_difference(same_filling) if same_filling else 0.0
    two_runs = half_difference([(Z[a][i], Z[b][j]) for a, b in product(Z, Z) for i, j in product(range(runs), repeat=2) if i != j])
    if not any(imputation for _, imputation in Z):
        return np.array([two_runs - seed, 0.0, seed])
    # fits of the first imputation count as one, the frequency is that of all fits
    first = [key for key in Z if key[1] == 0]
    weight = {key: 1 / len(first) if key in first else 1.0 for key in Z}
    pairs = [(a, b, weight[a] * weight[b]) for a, b in combinations(Z, 2) if a[1] != b[1]]
    both = sum(w * np.mean([(Z[a][i] * Z[b][i]).sum() / d for i in range(runs)]) for a, b, w in pairs) / sum(w for *_, w in pairs)
    within = np.mean([Z[key].sum() / (runs * d) for key in Z]) - both
    return np.array([two_runs - within, within - seed, seed])


def drawn_three(rng, runs, imputations=3, repeats=2, d=60, variances=(0.4, 0.3, 0.3)):
    """{(repeat, imputation): Selections} of Z = 1[merit_f + patients_rf + gaps_rfi + seed_rfis > 0], and the true shares.

    variances: of patients, missing values and seed in the normal scores, from which the shares for selections follow.
    """
    merit, deviations = rng.normal(size=d), np.sqrt(variances)
    patients = merit + deviations[0] * rng.normal(size=(runs, d))
    fits = {}
    for imputation in range(imputations):
        filled = patients + deviations[1] * rng.normal(size=patients.shape)
        for repeat in range(repeats if imputation == 0 else 1):
            chosen = filled + deviations[2] * rng.normal(size=filled.shape) > 0
            fits[repeat, imputation] = sc.Selections.from_matrix(chosen.astype(int))
    within_filling, within_run = (share_of_seed(merit, *parts) for parts in _cut(*deviations))
    return fits, np.array([1 - within_run, within_run - within_filling, within_filling])


@pytest.mark.parametrize(("imputations", "repeats"), [(1, 5), (3, 1), (4, 2)])
def test_the_shares_are_those_of_a_slow_loop(imputations, repeats):
    fits, _ = drawn_three(np.random.default_rng([imputations, repeats]), 7, imputations, repeats, d=30)
    found, parts = disagreement_sources(fits), slow_parts(fits)
    assert found["disagreement"] == pytest.approx(parts.sum())
    shares = parts / parts.sum()
    positive = np.maximum(shares, 0)
    assert [found[source] for source in SOURCES] == pytest.approx(positive / positive.sum())
    assert sum(found[source] for source in SOURCES) == pytest.approx(1)
    assert (found["seed"] == 0) == (repeats == 1) and (imputations > 1 or found["missing"] == 0)
    rest = [[place for place in range(7) if place != run] for run in range(7)]
    left_out = [slow_parts({key: fit.take(places) for key, fit in fits.items()}) for places in rest]
    left_out = np.array([part / part.sum() for part in left_out])
    half = 2.4469118487916806 * np.sqrt(6 / 7 * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))  # t, 6 degrees of freedom
    middle = np.clip(7 * shares - 6 * left_out.mean(axis=0), 0, 1)
    for i, source in enumerate(SOURCES):
        if left_out[:, i].std() > 1e-12:
            ends = found[f"{source}_low"], found[f"{source}_high"]
            assert ends == pytest.approx(np.clip([middle[i] - half[i], middle[i] + half[i]], 0, 1))


def test_disagreement_is_that_of_the_stability_and_pairs_are_left_out_together():
    fits, _ = drawn_three(np.random.default_rng(5), 20, 1, 1)
    runs = fits[0, 0]
    share = runs.frequencies.mean()
    assert disagreement_sources(fits)["disagreement"] == pytest.approx((1 - sc.stability(runs).value) * share * (1 - share))
    fits, _ = drawn(np.random.default_rng(3), 12)
    alone, pairs = by_seed(fits), by_seed([fit.in_units(np.arange(12) // 2) for fit in fits])
    assert alone["seed"] == pairs["seed"] and alone["seed_low"] != pairs["seed_low"]


@pytest.mark.parametrize(
    ("variances", "studies"),
    [((0.4, 0.3, 0.3), 50), slow((0.8, 0.1, 0.1), 200), slow((0.1, 0.1, 0.8), 200), slow((0.5, 0.5, 1e-9), 200)],
)
def test_known_shares_are_found_and_their_intervals_cover(variances, studies):
    """The mean over studies of 50 runs is near the truth."""
    rng = np.random.default_rng(17)
    drawings = (drawn_three(rng, 50, 5, variances=variances) for _ in range(studies))
    pairs = [(disagreement_sources(fits), truth) for fits, truth in drawings]
    found = np.array([[shares[source] for source in SOURCES] for shares, _ in pairs])
    truth = np.array([truth for _, truth in pairs])
    np.testing.assert_allclose(found.mean(axis=0), truth.mean(axis=0), atol=0.01 if studies == 200 else 0.02)
    for i, source in enumerate(SOURCES):
        if truth[:, i].mean() > 0.02:  # near 0 the interval is cut
            held = np.mean([shares[f"{source}_low"] <= share[i] <= shares[f"{source}_high"] for shares, share in pairs])
            assert held >= 0.88


def test_shares_without_disagreement_and_of_the_seed_alone():
    same = sc.Selections.from_matrix([[1, 1, 0, 0]] * 5)
    found = by_seed([same, same])
    assert np.isnan(found["seed"]) and found["note"]
    fits, _ = drawn(np.random.default_rng(0), 60, seed_share=1.0)
    alone = by_seed(fits)
    assert alone["seed"] > 0.95 and 0.9 < alone["seed_low"] < 1 == alone["seed_high"]  # never an interval without width
    rows = by_seed([fits[0], fits[0]])
    assert (rows["seed"], rows["missing"], rows["patients"]) == (0, 0, 1) and np.isnan(rows["seed_low"])
    two = by_seed([fit.take([0, 1]) for fit in fits])
    assert two["seed"] >= 0 and np.isnan(two["seed_low"]) and "three runs" in two["note"]


def test_intervals_need_enough_differences_and_are_never_points():
    """Two fits of 30 runs of 10 features, which differ in 14 or 15 selections."""
    shares = []
    for different in (14, 15):
        rng, fits = np.random.default_rng(1), np.tile(np.arange(10) < 4, (2, 30, 1)).astype(int)
        fits[1, rng.choice(30, different, replace=False), rng.integers(4, 10, different)] = 1
        shares.append(by_seed([sc.Selections.from_matrix(fit) for fit in fits]))
    few, enough = shares
    assert np.isnan(few["seed_low"]) and np.isnan(few["patients_high"]) and "15" in few["note"]
    assert few["seed"] == enough["seed"] == 1 and enough["note"] == ""
    assert enough["seed_low"] < 0.99 and enough["patients_high"] > 0.01


@pytest.mark.parametrize("studies", [60, slow(400)])
def test_intervals_cover_where_few_features_vary(studies):
    """About two of ten features vary between runs. Without a smallest number of differences, 71 to 88% covered."""
    rng, held = np.random.default_rng(23), []
    for _ in range(studies):
        fits, truth = drawn(rng, 40, d=10, seed_share=0.8, spread=0.15)
        found = by_seed(fits)
        if not np.isnan(found["seed_low"]):
            held.append(found["seed_low"] <= truth <= found["seed_high"])
    assert len(held) > studies / 4 and np.mean(held) >= (0.85 if studies < 100 else 0.9)


def test_a_study_repeats_the_fits_of_random_selectors():
    selectors = {"mim": "mim", "random_forest": ("random_forest", {"trees": 10}), "random": "random"}
    made = study(selectors=selectors, runs=5, n_seeds=3).run(Here())
    assert made.total == 15 + 2 * 2 * 5
    found = made.disagreement_sources()
    assert list(found.index) == ["random_forest", "random"] and (found["runs"] == 5).all()
    for k in (None, 2):
        for label, row in made.disagreement_sources(k).iterrows():
            parts = slow_parts({(repeat, 0): made.selections(label, k, repeat=repeat) for repeat in range(3)})
            assert row["disagreement"] == pytest.approx(parts.sum())
            assert row["seed"] == pytest.approx(np.clip(parts[2] / parts.sum(), 0, 1), abs=1e-12)
    same = made.selections("random_forest").scores == made.selections("random_forest", repeat=1).scores
    assert not same.all()  # another seed, on the same rows
    halves = noise_study(0, selectors=("random",), plan=sc.ComplementaryPairs(3), n_seeds=2).disagreement_sources()
    assert 0.3 < halves.loc["random", "seed"] <= 1
