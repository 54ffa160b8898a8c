"""Empirical Bayes over all features, against direct sums, known effects, tables without signal, and correlated features."""

import numpy as np
import pytest
from scipy.stats import nct
from shrinkage_support import TRUTHS, chosen, drawn
from support import slow

from stabcore.inference import shrinkage
from stabcore.inference.effect_sizes import difference_contributions, error_of_difference


def means(kind, truth, tables=30):
    """Measured, shrunken and true effect of the selected features, and the share of intervals that cover it."""
    return np.concatenate(chosen(tables, kind, truth), axis=1).mean(axis=1)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ten", "independent"),
        ("five", "factor"),
        *(slow(*setting) for setting in (("twenty", "independent"), ("twenty", "factor"), ("ten", "factor"))),
    ],
)
def test_shrunken_effects_are_nearer_to_the_truth(name, kind):
    measured, shrunken, true, inside = means(kind, TRUTHS[name])
    assert measured / true > 1.07 and 0.8 < shrunken / true < 1.2
    assert abs(shrunken / true - 1) < abs(measured / true - 1) and inside > 0.88


@pytest.mark.parametrize("kind", [slow("independent"), "blocks", slow("factor")])
def test_selected_effects_shrink_to_nearly_0_without_signal(kind):
    measured, shrunken, true, inside = means(kind, ())
    assert measured > 0.5 and true == 0 and shrunken <= 0.2 and inside > 0.88


@pytest.mark.slow
@pytest.mark.parametrize(("patients", "cases"), [(40, 4), slow(100, 10)])
def test_intervals_hold_0_without_signal_if_a_class_is_rare(patients, cases):
    """Few cases gave common factors by chance. Of 4 cases, the intervals then contained 0 for 79 of 100 features."""
    y, inside = (np.arange(patients) < cases).astype(int), []
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=(patients, 100))
        value, error, bend = error_of_difference(X, y)
        _, low, high = shrinkage.shrunken_effects(value, error, bend, difference_contributions(X, y))
        inside.append((low <= 0) & (high >= 0))
    assert np.mean(inside) >= 0.97


def test_shrunken_effects_in_blocks_are_rather_too_small():
    measured, shrunken, true, _ = means("blocks", TRUTHS["ten"])
    assert measured / true > 1.4 and 0.5 < shrunken / true < 1.15


def test_the_likelihood_is_that_of_the_noncentral_t():
    t, effects = np.array([0.5, 3.0, 5.0]), np.array([0.0, 2.0, 4.0])
    densities = shrinkage.likelihood(t, np.full(3, 1 / 196), effects)
    exact = np.array([[nct.pdf(value, 98, effect) if effect else nct.pdf(value, 98, 1e-9) for effect in effects] for value in t])
    assert densities / densities[1, 1] == pytest.approx(exact / exact[1, 1], rel=0.12)


def test_the_posterior_is_that_of_direct_sums():
    """The share of features with an effect, and its distribution, are enumerated. Features are independent given both."""
    t, bend = np.array([0.3, -1.2, 2.5, 4.0]), np.full(4, 1 / 196)
    kinds, likely = shrinkage.effect_priors().T, shrinkage.likelihood(t, bend, shrinkage.GRID)
    none, density = likely[:, shrinkage.ZERO], np.zeros(likely.shape)
    density[:, shrinkage.ZERO] = shrinkage.NO_EFFECT_ODDS
    for share in np.geomspace(0.5 / 4, shrinkage.MAX_SHARE, shrinkage.N_SHARES):
        for kind in kinds:
            posterior = share * likely * kind / none[:, None]
            posterior[:, shrinkage.ZERO] += 1 - share
            evidence = posterior.sum(axis=1)
            density += np.prod(evidence) / shrinkage.N_SHARES / len(kinds) * posterior / evidence[:, None]
    slow = density / density.sum(axis=1, keepdims=True)
    mean, low, high = shrinkage.sparse_posterior(t, bend)
    assert mean == pytest.approx(slow @ shrinkage.GRID)
    for ends, tail in ((low, 0.025), (high, 0.975)):
        assert np.abs(ends - shrinkage.GRID[(np.cumsum(slow, axis=1) < tail).sum(axis=1)]).max() <= shrinkage.GRID_STEP / 2


def test_large_and_missing_estimates_and_scales():
    rng = np.random.default_rng(1)
    value = np.array([0.05, -0.3, 3.0, np.nan, 0.4])
    error, bend, parts = np.full(5, 0.2), np.full(5, 1 / 196), rng.normal(size=(50, 5))
    mean, low, high = shrinkage.shrunken_effects(value, error, bend, parts)
    assert mean[2] == 3.0 and np.isnan([mean[3], low[3], high[3]]).all() and low[2] < 3.0 < high[2]
    assert (np.abs(mean[[0, 1, 4]]) < np.abs(value[[0, 1, 4]])).all()
    again = shrinkage.shrunken_effects(10 * value, 10 * error, bend, parts)
    mirrored = shrinkage.shrunken_effects(-value, error, bend, parts)
    assert again[0] == pytest.approx(10 * mean, nan_ok=True) and mirrored[0] == pytest.approx(-mean, nan_ok=True)
    assert mirrored[1] == pytest.approx(-high, nan_ok=True)
    nothing = shrinkage.shrunken_effects(np.full(2, np.nan), np.ones(2), np.zeros(2), np.zeros((3, 2)))
    assert np.isnan(np.stack(nothing)).all()


def test_a_common_factor_is_removed_with_enough_features():
    X, y, _ = drawn(3, "factor")
    value, error, bend = error_of_difference(X, y)
    shift, doubt, (common, rest) = shrinkage.common_shift(value / error, difference_contributions(X, y))
    assert rest == pytest.approx(np.sqrt(0.5), abs=0.15) and np.abs(common).mean() > np.abs(shift).mean() and (doubt > 0).all()
    left = (value / error - common) / rest
    assert np.abs(left.mean()) < 0.3 and left.std() == pytest.approx(1, abs=0.2)
    assert not np.any(shrinkage.common_shift(value[:8], difference_contributions(X[:, :8], y))[0])
