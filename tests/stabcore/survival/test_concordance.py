"""Concordance, survival curves and prediction errors against values of R and their definitions."""

import numpy as np
import pytest
from survival_support import of_r, simulated, slow_concordance

from stabcore.base.target import survival_target
from stabcore.survival.concordance import (
    UNO,
    brier_losses,
    censoring_curve,
    chance_deviation,
    column_concordances,
    concordance,
    concordance_influence,
    evaluation_times,
    kaplan_meier,
)


@pytest.mark.parametrize("name", ["actg175", "pbc"])
def test_concordance_agrees_with_r(name):
    printed, columns, target = of_r(name)
    values = np.array(list(columns.values()))
    risk = np.array(printed["full_model"]["coef"]) @ values
    assert concordance(risk, target) == pytest.approx(printed["full_model"]["harrell"], abs=1e-9)
    assert concordance(risk, target, UNO) == pytest.approx(printed["full_model"]["uno"], abs=1e-9)
    sign = np.array([np.sign(row["coef"]) for row in printed["univariate"]])
    one_by_one = column_concordances(values * sign[:, None], target)
    np.testing.assert_allclose(one_by_one, [row["concordance"] for row in printed["univariate"]], atol=1e-9)


def slow_uncensored(target, t):
    """Share of rows that are not censored before t. Events precede censoring at equal times."""
    time, event, share = target["time"], target["event"], 1.0
    for s in np.unique(time[~event & (time < t)]):
        share *= 1 - (~event & (time == s)).sum() / ((time > s) | ((time == s) & ~event)).sum()
    return share


@pytest.mark.parametrize("tied", [False, True])
def test_concordance_matches_a_loop_over_pairs(tied):
    rng = np.random.default_rng(0)
    _, target = simulated(rng, 45, tied=tied)
    risk = np.round(rng.standard_normal(45), 1)
    assert concordance(risk, target) == pytest.approx(slow_concordance(risk, target))
    assert column_concordances(risk[None], target)[0] == pytest.approx(slow_concordance(risk, target))
    weight = {t: 1 / slow_uncensored(target, t) ** 2 for t in target["time"]}
    assert concordance(risk, target, UNO) == pytest.approx(slow_concordance(risk, target, weight.get))


def test_no_comparable_pair_has_no_concordance():
    assert np.isnan(concordance(np.arange(3.0), survival_target([1, 2, 3], [False, False, True])))
    assert column_concordances(np.arange(3.0)[None], survival_target([1, 2, 3], [False] * 3)).tolist() == [0.5]


def test_chance_spread_matches_shuffled_numbers():
    rng = np.random.default_rng(1)
    _, target = simulated(rng, 30, tied=True)
    values = column_concordances(rng.standard_normal((20_000, 30)), target)
    assert values.std() == pytest.approx(chance_deviation(target), rel=0.02) and abs(values.mean() - 0.5) < 0.003


def test_influence_is_the_change_without_a_row():
    rng = np.random.default_rng(2)
    _, target = simulated(rng, 60)
    risk = rng.standard_normal(60) - target["time"]
    value, parts, shares = concordance_influence(risk, target)
    left_out = np.array([concordance(np.delete(risk, i), np.delete(target, i)) for i in range(60)])
    assert np.corrcoef(value - left_out, parts)[0, 1] > 0.99
    jackknife = 59 / 60 * ((left_out - left_out.mean()) ** 2).sum()
    assert (parts**2).sum() == pytest.approx(jackknife, rel=0.15) and shares.sum() == pytest.approx(2)


def test_survival_curves_step_by_step():
    target = survival_target([1, 2, 2, 3, 4, 4], [True, True, False, False, True, False])
    curve = kaplan_meier(target)
    assert curve.at(np.array([0.5, 1, 2, 3.9, 4])).tolist() == pytest.approx([1, 5 / 6, 5 / 6 * 4 / 5, 2 / 3, 1 / 3])
    assert curve.before(np.array([1, 2])).tolist() == pytest.approx([1, 5 / 6])
    free = censoring_curve(target)  # at 2 the event precedes the censored row
    assert free.at(np.array([1, 2, 3, 4])).tolist() == pytest.approx([1, 3 / 4, 3 / 4 * 2 / 3, 0])
    assert [slow_uncensored(target, t) for t in (2, 3, 4)] == pytest.approx([1, 3 / 4, 1 / 2])


def test_brier_score_by_its_definition():
    rng = np.random.default_rng(3)
    _, target = simulated(rng, 40)
    times, free = evaluation_times(target), censoring_curve(target)
    survival = np.exp(-np.outer(rng.uniform(0.2, 2, 40), times))
    slow = np.zeros(40)
    for i in range(40):
        errors = [0.0]
        for s, t in zip(survival[i], times, strict=True):
            if target["time"][i] > t:
                errors.append((1 - s) ** 2 / slow_uncensored(target, np.nextafter(t, np.inf)))
            else:
                errors.append(s**2 / slow_uncensored(target, target["time"][i]) if target["event"][i] else 0.0)
        slow[i] = np.trapezoid(errors, [0, *times]) / times[-1]
    np.testing.assert_allclose(brier_losses(survival, target, times, free), slow, rtol=1e-9)


def test_brier_score_is_proper_and_unaffected_by_censoring():
    rng, means = np.random.default_rng(4), []
    for censored in (0.0, 0.5):
        X, target = simulated(rng, 6000, 1, (1.0,), censored)
        times = np.linspace(0.05, 0.8, 16)
        truth = np.exp(-np.outer(np.exp(X[:, 0]), times))
        means.append(
            [brier_losses(curve, target, times, censoring_curve(target)).mean() for curve in (truth, truth**1.4, truth**0.7)]
        )
    assert all(row[0] < min(row[1:]) for row in means) and means[0][0] == pytest.approx(means[1][0], rel=0.04)
