"""Effect sizes against loops and other libraries, and their intervals against simulated patients."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score
from support import slow

from stabcore.inference import effect_sizes as es


@pytest.fixture(scope="module")
def cells():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 6)).round(1), rng.integers(0, 2, 40)
    X[:, 0] += 2 * y
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 5] = 3.0
    return X, y


def without_gaps(X, y, f):
    measured = ~np.isnan(X[:, f])
    return X[measured, f], y[measured]


def test_effect_sizes_equal_those_of_other_libraries(cells):
    X, y = cells
    auc, d, median = (effect(X, y)[0] for effect in (es.area_under_curve, es.standardised_difference, es.median_difference))
    for f in range(6):
        x, of = without_gaps(X, y, f)
        a, b = x[of == 1], x[of == 0]
        assert auc[f] == pytest.approx(roc_auc_score(of, x))
        assert median[f] == pytest.approx(np.median(a) - np.median(b))
        if f < 5:
            t = stats.ttest_ind(a, b).statistic
            assert d[f] == pytest.approx(t * np.sqrt(1 / len(a) + 1 / len(b)))
    assert np.isnan(d[5]) and auc[5] == 0.5
    value, low, high = es.area_under_curve(np.arange(10.0)[:, None], np.repeat([0, 1], 5))
    assert value == 1 and high == pytest.approx(1) and 0.4 < low < 0.95  # separated classes keep an interval with a width
    assert es.area_under_curve(np.arange(4.0)[:, None], np.array([0, 0, 1, 1]))[0] == 1
    assert np.isnan(es.area_under_curve(np.arange(4.0)[:, None], np.array([0, 1, 1, 1]))[0])


def test_shares_explained_and_rank_correlations_are_those_of_scipy(cells):
    X, _ = cells
    rng = np.random.default_rng(1)
    y, amount = rng.integers(0, 3, 40), rng.normal(size=40)
    explained, related = es.share_explained(X, y)[0], es.rank_correlation(X, amount)[0]
    for f in range(5):
        x, of = without_gaps(X, y, f)
        F = stats.f_oneway(*(x[of == c] for c in range(3))).statistic
        assert explained[f] == pytest.approx(F * 2 / (F * 2 + len(x) - 3))
        x, of = without_gaps(X, amount, f)
        assert related[f] == pytest.approx(stats.spearmanr(x, of).statistic)
    assert np.isnan(explained[5]) and np.isnan(related[5])
    for name in ("area_under_curve", "standardised_difference", "median_difference", "share_explained", "rank_correlation"):
        estimate = getattr(es, name)  # patients with one row each change nothing
        assert np.allclose(estimate(X[:, :5], y % 2, np.arange(40)), estimate(X[:, :5], y % 2), equal_nan=True)


def coverage(estimate, draw, truth, rounds=150):
    inside = 0
    for seed in range(rounds):
        X, y = draw(np.random.default_rng(seed))
        _, low, high = estimate(X, y)
        inside += np.mean((low <= truth) & (truth <= high))
    return inside / rounds


@pytest.mark.parametrize(("n_rows", "shift"), [(1, 0.0), slow(1, 2.0), (2, 0.8)])
def test_intervals_cover_the_true_effect(n_rows, shift):
    """60 patients with one row each, or two similar rows. Counted as 120 patients, intervals covered in only 84 of 100."""
    patients, means, own = np.repeat(np.arange(60), n_rows), np.array([0.0, 0.5, 1.0]), 1.0 if n_rows == 1 else 0.15
    two, three = patients % 2, patients % 3

    def rows(rng):
        return np.sqrt(1 - own) * rng.normal(size=(60, 8))[patients] + np.sqrt(own) * rng.normal(size=(len(patients), 8))

    def line(rng):
        amount = rng.normal(size=60)[patients]
        return 0.5 * amount[:, None] + np.sqrt(0.75) * rows(rng), amount

    def of_two(rng):
        return rows(rng) + shift * two[:, None], two

    for estimate, draw, truth, least, most in (
        (es.area_under_curve, of_two, stats.norm.cdf(shift / np.sqrt(2)), 0.90, 0.985),
        (es.standardised_difference, of_two, shift, 0.93, 0.98),
        (es.median_difference, of_two, shift, 0.90, 0.985),
        (es.share_explained, lambda rng: (rows(rng) + means[three][:, None], three), means.var() / (means.var() + 1), 0.92, 0.98),
        (es.rank_correlation, line, 6 / np.pi * np.arcsin(0.25), 0.92, 0.98),
    ):
        found = coverage(lambda X, of, estimate=estimate: estimate(X, of, patients), draw, truth, 100)
        assert least <= found <= most if n_rows == 1 else 0.91 <= found <= 0.985, estimate
    assert n_rows == 1 or coverage(es.standardised_difference, of_two, shift, 100) < 0.90


def test_shares_are_rarely_above_0_in_a_rare_class_of_another_spread():
    """10 of 90 rows with three times the spread. By one variance, 21% of the intervals were above 0."""
    y, above = np.repeat([0, 1, 2], [40, 40, 10]), []
    for seed in range(60):
        X = np.random.default_rng(seed).normal(size=(90, 8)) * np.where(y == 2, 3, 1)[:, None]
        above.append(es.share_explained(X, y)[1] > 0)
    assert np.mean(above) <= 0.09


def test_areas_cover_in_a_rare_class_of_another_spread():
    """15 of 100 rows with three times the spread. The interval of exponential distributions covered in 86%."""
    y = (np.arange(100) < 15).astype(int)
    spread, shift, truth = 1 + 2 * y[:, None], 0.5 * y[:, None], stats.norm.cdf(0.5 / np.sqrt(10))
    found = coverage(es.area_under_curve, lambda rng: (rng.normal(size=(100, 8)) * spread + shift, y), truth)
    assert 0.92 <= found <= 0.98


@pytest.mark.parametrize("cases", [10, slow(20)])
def test_differences_cover_in_a_rare_class_of_a_skewed_feature(cases):
    """The formula for normal features covered in 78 of 100 tables."""
    y = np.repeat([0, 1], [9 * cases, cases])

    def skewed(rng):
        return np.exp(1.2 * (rng.normal(size=(10 * cases, 8)) + 0.8 * y[:, None])), y

    mean, variance = np.exp(0.72 + 0.96 * np.array([0, 1])), np.expm1(1.44) * np.exp(1.44 + 1.92 * np.array([0, 1]))
    truth = np.subtract(*mean[::-1]) / np.sqrt(np.average(variance, weights=[9 * cases - 1, cases - 1]))
    assert coverage(es.standardised_difference, skewed, truth) >= 0.88


@pytest.mark.parametrize("limits", [(0.8,), slow((-0.5, 0.8)), slow((-1, -0.3, 0.3, 1))])
def test_differences_of_medians_cover_with_few_distinct_values(limits):
    """Of two values, the median is 0 in one class and 1 in the other, and often differs in a table."""
    y = np.repeat([0, 1], 30)

    def few(rng):
        return np.digitize(rng.normal(size=(60, 8)) + 0.9 * y[:, None], limits).astype(float), y

    normal = stats.norm.cdf
    middle = [np.searchsorted(normal(np.array(limits) - shift), 0.5) for shift in (0, 0.9)]
    assert coverage(es.median_difference, few, middle[1] - middle[0]) >= 0.93


N = 80
Y = np.arange(N) % 2


def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 6)) + Y[:, None] * np.array([0, 0.5, 1, 2, 0, 1])
    X[:, 2] += X[:, 1]
    X[:, 4] = np.round(X[:, 4])
    X[rng.random((N, 6)) < 0.05] = np.nan
    X[:, 5] = X[:, 5] > 0.5
    return X, Y + 0.4 * rng.normal(size=N), np.floor(1.5 * Y + 0.7 * rng.normal(size=N)).clip(0)


CASES = {
    "difference": (es.difference_contributions, es.standardised_difference, 0),
    "area": (es.area_contributions, es.area_under_curve, 0),
    "rank": (es.rank_correlation_contributions, es.rank_correlation, 1),
    "rank of few values": (es.rank_correlation_contributions, es.rank_correlation, 2),
}


@pytest.mark.parametrize("name", CASES)
def test_the_covariance_is_that_of_the_jackknife(name):
    contributions, estimate, which = CASES[name]
    X, *outcomes = table()
    y = [Y, *outcomes][which]
    left_out = np.array([estimate(np.delete(X, i, axis=0), np.delete(y, i))[0] for i in range(N)])
    left_out -= left_out.mean(axis=0)
    parts, slow = contributions(X, y), (N - 1) / N * left_out.T @ left_out
    fast = parts.T @ parts
    scale = np.sqrt(np.outer(np.diag(slow), np.diag(slow)))
    assert np.abs(fast - slow).max() < 0.12 * scale.max() and np.diag(fast) / np.diag(slow) == pytest.approx(1, abs=0.12)
    off = (fast / np.sqrt(np.outer(np.diag(fast), np.diag(fast))) - slow / scale)[np.triu_indices(6, 1)]
    assert np.abs(off).max() < 0.03 and np.abs(parts.sum(axis=0)).max() < 0.05


def test_rows_of_one_patient_are_one_contribution():
    X, *_ = table()
    patients = np.arange(N) // 2
    whole, of_patients = es.area_contributions(X, Y), es.area_contributions(X, Y, patients)
    assert of_patients == pytest.approx(whole[::2] + whole[1::2])
    assert (es.difference_contributions(np.zeros((N, 1)), Y) == 0).all(), "nothing varies"
