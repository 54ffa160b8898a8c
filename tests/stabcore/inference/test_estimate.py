"""Intervals: the jackknife against its formula, widths at every level, and refused levels."""

import json
import pickle

import numpy as np
import pytest
from scipy.stats import norm, t
from support import random_selection, slow

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.inference.estimate import stability, stability_from_frequencies
from stabcore.measures.catalog import ENTRIES
from stabcore.selections.selections import Selections


def runs(random_state=0, M=12, d=30):
    return sc.Selections.from_matrix(random_selection(np.random.default_rng(random_state), M, d, 4, 12))


@pytest.mark.parametrize("measure", ["jaccard", "phi", "nogueira", "effective"])
def test_the_jackknife_error_equals_its_formula(measure):
    study, similarity = runs(), sc.Similarity.from_groups({"a": range(6)}, n_features=30)
    without = np.array(
        [
            sc.stability(sc.Selections.from_matrix(np.delete(study.selected, i, axis=0)), measure, similarity=similarity).value
            for i in range(12)
        ]
    )
    found = sc.stability(study, measure, similarity=similarity, interval="jackknife")
    assert found.se**2 == pytest.approx(11 / 12 * ((without - without.mean()) ** 2).sum())


@pytest.mark.parametrize(("interval", "level"), [("published", 0.5), ("published", 0.95), ("jackknife", 0.999)])
def test_the_level_sets_the_width_of_the_interval(interval, level):
    found = sc.stability(runs(), level=level, interval=interval)
    deviate = norm.ppf((1 + level) / 2) if interval == "published" else t.ppf((1 + level) / 2, 11)
    assert (found.low, found.high) == pytest.approx((found.value - deviate * found.se, found.value + deviate * found.se))
    assert found.level == level and found.n_runs == 12


def test_intervals_of_nogueira_cover_in_repeated_studies():
    """With few runs, only the interval of the jackknife covers."""
    rng, p = np.random.default_rng(1), np.r_[np.full(5, 0.9), np.full(15, 0.1)]
    truth = 1 - (p * (1 - p)).mean() / (p.mean() * (1 - p.mean()))

    def covered(n_runs, interval):
        studies = (sc.stability(sc.Selections.from_matrix(rng.random((n_runs, 20)) < p), interval=interval) for _ in range(200))
        return np.mean([found.low <= truth <= found.high for found in studies])

    assert 0.90 <= covered(60, None) <= 0.98 and covered(6, "published") < 0.90 < 0.92 <= covered(6, "jackknife")
    for n_runs, method in ((6, "jackknife"), (50, "published"), (300, "published")):
        study = sc.Selections.from_matrix(rng.random((n_runs, 20)) < p)
        usual, jackknife = sc.stability(study), sc.stability(study, interval="jackknife")
        assert (usual.method, jackknife.method) == (method, "jackknife") and usual.value == jackknife.value
    assert jackknife.se == pytest.approx(usual.se, rel=0.05)


def test_the_text_of_an_estimate():
    found = sc.stability(runs(), "jaccard")
    assert str(found) == f"jaccard {found.value:.2f} (95% CI {found.low:.2f} to {found.high:.2f}), {found.n_runs} runs"
    assert float(found) == found.value and found == pickle.loads(pickle.dumps(found)) != sc.stability(runs())
    assert json.loads(json.dumps(found.to_dict()))["value"] == found.value == found.to_frame()["value"].item()
    nothing = sc.stability(sc.Selections.from_matrix(np.zeros((3, 4))))
    assert nothing.reason in str(nothing)
    assert nothing == pickle.loads(pickle.dumps(nothing)) and nothing.to_dict()["value"] is None


@pytest.mark.filterwarnings("error")
def test_no_pair_left_gives_a_reason_and_no_warning():
    found = sc.stability(sc.Selections.from_matrix(np.zeros((3, 4))), "jaccard", undefined="skip")
    assert np.isnan(found.value) and found.reason


def test_a_failing_measure_does_not_hide_the_others():
    found = sc.stability(runs(), ["nogueira", "effective", "importance_weighted", "jaccard"])
    assert list(found) == ["nogueira", "effective", "importance_weighted", "jaccard"]
    assert np.isfinite(found["nogueira"].value) and np.isfinite(found["jaccard"].value)
    assert "similarity=" in found["effective"].reason and "needs importances" in found["importance_weighted"].reason
    with pytest.raises(sc.InputError):
        sc.stability(runs(), ["nogueira", "nope"])


OVERLAP = [entry.key for entry in ENTRIES if entry.family == "overlap"]
SCATTERED = sc.Selections.from_lists([[0, 1, 2], [2, 3, 4], [4, 5, 0], [6, 7, 8], [8, 9]], n_features=10)


@pytest.mark.parametrize("measure", OVERLAP)
def test_the_interval_of_a_corrected_overlap_goes_below_0(measure):
    found = sc.stability(SCATTERED, measure, corrected=True)
    half = t.ppf(0.975, 4) * found.se
    assert -1 < found.value - half < 0 and found.low == pytest.approx(found.value - half, abs=1e-12)
    assert found.high == pytest.approx(min(found.value + half, 1), abs=1e-12)
    assert sc.stability(SCATTERED, measure).low >= 0
    if same := {"dice": "kappa", "hamming": "kappa", "ochiai": "unadjusted"}.get(measure):  # equals this measure
        theirs = sc.stability(SCATTERED, same)
        ours, theirs = ((estimate.value, estimate.low, estimate.high, estimate.se) for estimate in (found, theirs))
        assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("measure", ["intersection_count", "intersection_mbm", "yu"])
def test_the_interval_of_a_mean_count_reaches_above_1(measure):
    similarity = sc.Similarity.from_groups({"a": [0, 3, 6]}, n_features=10)
    found = sc.stability(SCATTERED, measure, similarity=similarity, corrected=False)
    assert found.high == pytest.approx(found.value + t.ppf(0.975, 4) * found.se) and found.high > 1 and found.low == 0
    assert sc.stability(SCATTERED, measure, similarity=similarity).low < 0


def test_uncorrected_shared_information_is_between_0_and_1():
    rows, similarity = np.eye(6)[[0, 0, 1, 2]], sc.Similarity.from_groups({"a": [0, 1]}, n_features=6)
    found = sc.stability(sc.Selections.from_weights(rows), "shared_information", similarity=similarity, corrected=False)
    half = t.ppf(0.975, 3) * found.se
    assert found.value - half < 0 == found.low and found.value + half > 1 == found.high


def test_stability_from_frequencies():
    rng = np.random.default_rng(0)
    Z = (rng.random((rng.integers(2, 40), 15)) < rng.random(15)).astype(int)
    runs = Selections.from_matrix(Z)
    found = stability_from_frequencies(runs.frequencies, runs.n_runs)
    assert found.value == pytest.approx(stability(runs).value, abs=1e-12) and np.isnan(found.low) and found.no_interval
    for shares in (np.zeros(4), np.ones(4)):
        assert np.isnan(stability_from_frequencies(shares, 5).value)
    for shares, n_runs in (([0.5, 2], 3), ([0.5], 1), ([], 3), ([np.nan, 0.5], 3)):
        with pytest.raises(InputError):
            stability_from_frequencies(shares, n_runs)


def one_group(rng, n_runs):
    """Runs that mostly select the first of six groups of five, and sometimes many features of the second group."""
    shared = np.repeat(rng.normal(size=(n_runs, 6)), 5, axis=1)
    scores = np.linspace(2, -2, 30) + 0.3 * (np.sqrt(0.8) * shared + np.sqrt(0.2) * rng.normal(size=(n_runs, 30)))
    return sc.Selections.from_scores(scores).top(6)


@pytest.mark.parametrize(("n_runs", "studies"), [(10, 150), slow(20, 400)])
def test_the_lower_limit_of_effective_stability_allows_for_its_skewness(n_runs, studies):
    """Symmetric intervals covered in 70% of tables with 10 runs, and in 82% with 20."""
    groups = sc.Similarity.from_groups({f"g{i}": range(5 * i, 5 * i + 5) for i in range(4)}, n_features=30)
    rng = np.random.default_rng(4)
    truth = sc.stability(one_group(rng, 3000), "effective", similarity=groups).value
    found = [sc.stability(one_group(rng, n_runs), "effective", similarity=groups) for _ in range(studies)]
    held = np.mean([estimate.low <= truth and not estimate.high < truth for estimate in found])
    assert held >= 0.82
    skewed = next(estimate for estimate in found if 0 < estimate.high < 1 and estimate.se > 0.02)
    assert skewed.value - skewed.low > 1.1 * (skewed.high - skewed.value)
    assert skewed.p_value(skewed.low) == pytest.approx(0.025)
    classic = sc.stability(one_group(rng, n_runs))
    assert classic.value - classic.low == pytest.approx(classic.high - classic.value) or classic.high == 1
