"""Cox partial likelihood against values of R, its definition, and numerical derivatives."""

import numpy as np
import pytest
from survival_support import of_r, simulated, slow_log_likelihood, standardised

from stabcore.survival.cox import BRESLOW, EFRON, RiskSets, baseline_hazard, fit_cox, joint_score_statistic, score_statistics


@pytest.mark.parametrize("name", ["actg175", "pbc"])
def test_single_features_agree_with_r(name):
    printed, columns, target = of_r(name)
    rows, deviation = standardised(columns)
    score, variance = score_statistics(rows, target)
    np.testing.assert_allclose(score**2 / variance, [printed_row["score"] for printed_row in printed["univariate"]], rtol=1e-9)
    empty = RiskSets.of(target).hazards(np.zeros(len(target))).loss
    for row, unit, printed_row in zip(rows, deviation, printed["univariate"], strict=True):
        model = fit_cox(row[None], target)
        assert model.converged and model.weights[0] / unit == pytest.approx(printed_row["coef"], rel=1e-6)
        assert np.sqrt(model.covariance[0, 0]) / unit == pytest.approx(printed_row["se"], rel=1e-6)
        assert 2 * (empty - model.loss) == pytest.approx(printed_row["lr"], rel=1e-6)


@pytest.mark.parametrize("name", ["actg175", "pbc"])
def test_features_beyond_given_columns_agree_with_r(name):
    printed, columns, target = of_r(name)
    given = standardised({feature: columns[feature] for feature in printed["given"]})[0]
    added = standardised({printed_row["feature"]: columns[printed_row["feature"]] for printed_row in printed["adjusted"]})[0]
    score, variance = score_statistics(added, target, given)
    np.testing.assert_allclose(score**2 / variance, [printed_row["score"] for printed_row in printed["adjusted"]], rtol=1e-6)
    loss = fit_cox(given, target).loss
    for row, printed_row in zip(added, printed["adjusted"], strict=True):
        assert 2 * (loss - fit_cox(np.vstack([given, row]), target).loss) == pytest.approx(printed_row["lr"], rel=1e-6)


@pytest.mark.parametrize("name", ["actg175", "pbc"])
def test_all_features_together_agree_with_r(name):
    printed, columns, target = of_r(name)
    rows, deviation = standardised(columns)
    model = fit_cox(rows, target)
    np.testing.assert_allclose(model.weights / deviation, printed["full_model"]["coef"], rtol=1e-6)
    assert -model.loss == pytest.approx(printed["full_model"]["loglik"][1], rel=1e-10)


@pytest.mark.parametrize("ties", [EFRON, BRESLOW])
def test_likelihood_and_derivatives_match_the_definition(ties):
    rng = np.random.default_rng(0)
    X, target = simulated(rng, 40, 3, tied=True)
    margin, sets = rng.standard_normal(40), RiskSets.of(target, ties)
    hazards = sets.hazards(margin)
    assert hazards.loss == pytest.approx(-slow_log_likelihood(margin, target, ties == EFRON))

    def loss(weights):
        return -slow_log_likelihood(margin + X @ weights, target, ties == EFRON)

    step = 1e-4 * np.eye(3)
    slope = [(loss(e) - loss(-e)) / 2e-4 for e in step]
    bend = [[(loss(a + b) - loss(a - b) - loss(b - a) + loss(-a - b)) / 4e-8 for a in step] for b in step]
    np.testing.assert_allclose(X.T @ hazards.residual(), slope, rtol=1e-6)
    np.testing.assert_allclose(hazards.information(X.T), bend, rtol=1e-5)
    np.testing.assert_allclose(X.T @ np.array([hazards.hessian_product(x) for x in X.T]).T, bend, rtol=1e-5)
    assert abs(hazards.residual().sum()) < 1e-10  # observed events equal expected ones


def test_group_scores_equal_the_log_rank_test():
    rng = np.random.default_rng(1)
    _, target = simulated(rng, 60)
    group, time, event = rng.integers(0, 3, 60), target["time"], target["event"]
    score, variance, observed, spread = 0.0, 0.0, np.zeros(3), np.zeros((3, 3))
    for t in time[event]:
        share = np.bincount(group[time >= t], minlength=3) / (time >= t).sum()
        observed += (np.arange(3) == group[(time == t) & event][0]) - share
        spread += np.diag(share) - np.outer(share, share)
        score, variance = observed[0], spread[0, 0]
    ours = score_statistics((group == 0)[None].astype(float), target)
    assert ours[0][0] == pytest.approx(score) and ours[1][0] == pytest.approx(variance)
    levels = np.array([group == 0, group == 1, group == 2], dtype=float)
    statistic, degrees = joint_score_statistic(levels, target)
    assert degrees == 2 and statistic == pytest.approx(observed[:2] @ np.linalg.solve(spread[:2, :2], observed[:2]))


def test_scores_without_signal_are_standard_normal():
    rng = np.random.default_rng(2)
    _, target = simulated(rng, 80, tied=True)
    score, variance = score_statistics(rng.standard_normal((4000, 80)), target)
    z = score / np.sqrt(variance)
    assert abs(z.mean()) < 0.06 and abs(z.std() - 1) < 0.04 and 0.04 < (np.abs(z) > 1.96).mean() < 0.062


def test_ridge_keeps_weights_finite_without_a_maximum():
    _, target = simulated(np.random.default_rng(3), 30)
    order = -target["time"][None] / target["time"].std()
    assert np.isfinite(fit_cox(order, target).weights).all()  # stopped early, because the feature orders all events
    model = fit_cox(order, target, ridge=1.0)
    gradient = order @ RiskSets.of(target).hazards(model.weights @ order).residual() + model.weights
    assert model.converged and abs(gradient[0]) < 1e-6 and model.weights[0] > 1


def test_baseline_hazard_equals_nelson_aalen():
    _, target = simulated(np.random.default_rng(5), 25, tied=True)
    time, event = target["time"], target["event"]
    times = np.array([0.0, 2.0, 5.0, 1000.0])
    slow = [sum(1 / (time >= t).sum() for t in time[event] if t <= end) for end in times]
    np.testing.assert_allclose(baseline_hazard(np.zeros(25), target, times), slow)
    np.testing.assert_allclose(baseline_hazard(np.full(25, 2.0), target, times), np.array(slow) / np.exp(2.0))
