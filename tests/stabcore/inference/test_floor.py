"""The floor in closed form: against the bivariate normal distribution itself, resamples as they are drawn, and filters on noise."""

from itertools import combinations

import numpy as np
import pytest

import stabcore as sc
from stabcore.errors import InputError
from stabcore.inference import noise_floor

PLANS = [sc.Subsample(12, 0.05), sc.Subsample(12, 0.2), sc.Bootstrap(12), sc.KFold(6, 2), sc.Nested(4, 3), sc.Half(6)]


def slow_floor(rho, k, d):
    """P₂ from four values of the bivariate normal distribution function, as it is defined."""
    from scipy.stats import multivariate_normal, norm

    share = k / d
    c = norm.ppf(1 - share / 2)
    both = multivariate_normal([0, 0], [[1, rho], [rho, 1]])
    p2 = 1 - 2 * (1 - share) + both.cdf([c, c]) - 2 * both.cdf([c, -c]) + both.cdf([-c, -c])
    return (p2 - share ** 2) / (share * (1 - share))


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.kind)
@pytest.mark.parametrize("k, d", [(1, 10), (20, 130), (20, 1000), (120, 130)])
def test_the_floor_is_that_of_the_bivariate_normal(plan, k, d):
    slow = sum(weight * slow_floor(rho, k, d) for rho, weight in plan.shared_rows())
    assert sc.noise_floor(plan, k, d) == pytest.approx(slow, abs=2e-5)


@pytest.mark.parametrize("k, d, expected", [
    (20, 130, [0.7215, 0.6080, 0.4510, 0.5872, 0.1660]), (20, 1000, [0.6632, 0.5326, 0.3642, 0.5094, 0.1116]),
    (10, 10_000, [0.5691, 0.4150, 0.2369, 0.3889, 0.0410]), (5, 20, [0.7234, 0.6094, 0.4495, 0.5884, 0.1586])])
def test_known_floors(k, d, expected):
    plans = [sc.Subsample(50, 0.05), sc.Subsample(50, 0.1), sc.Subsample(50, 0.2), sc.KFold(10), sc.Bootstrap(50)]
    assert [sc.noise_floor(plan, k, d) for plan in plans] == pytest.approx(expected, abs=5e-5)


def test_one_pair_of_halves_shares_nothing():
    assert sc.noise_floor(sc.Half(1), 20, 130) == 0


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.kind)
def test_shared_rows_are_those_that_the_plan_draws(plan):
    target = np.repeat([0, 1], 60)
    runs = [run for run in range(plan.runs) if plan.measures_stability(run)]
    drawn = []
    for seed in range(8):
        times = {run: np.bincount(plan.resample(run, target, seed).rows, minlength=120).astype(float) for run in runs}
        for a, b in combinations(runs, 2):
            x, y = times[a], times[b]
            if plan.kind == "half" and a // 2 == b // 2:
                assert not (x * y).any()
            drawn.append((x @ y) / np.sqrt((x @ x) * (y @ y)))
    expected = sum(rho * weight for rho, weight in plan.shared_rows())
    assert sum(weight for _, weight in plan.shared_rows()) == pytest.approx(1)
    assert np.mean(drawn) == pytest.approx(expected, abs=0.012)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.kind)
def test_a_filter_on_noise_is_as_stable_as_the_floor_says(plan):
    """|Welch t| on tables without any signal: mean over 25 tables within 0.02, as far as 25 tables can tell."""
    n, d, k = 200, 130, 20
    target, rng, values = np.repeat([0, 1], n // 2), np.random.default_rng(8), []
    runs = [run for run in range(plan.runs) if plan.measures_stability(run)]
    for table in range(25):
        x = rng.standard_normal((n, d))
        scores = []
        for run in runs:
            rows = plan.resample(run, target, table).rows
            a, b = x[rows[target[rows] == 0]], x[rows[target[rows] == 1]]
            scores.append(np.abs(a.mean(0) - b.mean(0)) / np.sqrt(a.var(0, ddof=1) / len(a) + b.var(0, ddof=1) / len(b)))
        values.append(sc.stability(sc.Preferences.from_scores(np.array(scores)).top(k)).value)
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert abs(np.mean(values) - sc.noise_floor(plan, k, d)) < 0.02 + 2 * error


def test_a_curve_is_the_same_as_its_points_and_rises_with_what_runs_share():
    ks = np.arange(1, 131)
    curve = sc.noise_floor(sc.Subsample(50, 0.05), ks, 130)
    assert curve[19] == sc.noise_floor(sc.Subsample(50, 0.05), 20, 130) and np.isnan(curve[-1])
    assert (curve[:-1] > sc.noise_floor(sc.Subsample(50, 0.2), ks, 130)[:-1]).all()


@pytest.mark.parametrize("k", [0, 131, np.nan, [1, 0]])
def test_a_cardinality_that_cannot_be_is_refused(k):
    with pytest.raises(InputError, match="1 to 130 of 130"):
        sc.noise_floor(sc.Bootstrap(50), k, 130)


@pytest.mark.parametrize("rho", [0.05, 0.5, 0.95, 0.999])
def test_the_integral_has_enough_nodes(rho):
    cuts = [0.01, 4.0, 15.0]
    assert noise_floor._covariance(np.array(cuts), rho) == pytest.approx([_fine(cut, rho) for cut in cuts], abs=1e-7)


def _fine(cut, rho, steps=200_001):
    t = np.linspace(0, np.arcsin(rho), steps)
    inside = np.exp(-cut / (1 + np.sin(t))) - np.exp(-cut / (1 - np.sin(t)))
    return np.trapezoid(inside, t) / np.pi


# ---- what follows from it ----

def scores(rng, runs, features, rho):
    """Scores of exchangeable runs: any two have correlation ρ."""
    return np.sqrt(rho) * rng.normal(size=features) + np.sqrt(1 - rho) * rng.normal(size=(runs, features))
