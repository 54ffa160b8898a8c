"""Worth of predicted risks: values of rms, definitions by loops, and the optimism by a slow bootstrap."""

import numpy as np
import pytest
from scipy import optimize
from support import golden

from stabcore.inference import predictive_worth as worths


def made(n=90, p=3, random_state=0):
    rng = np.random.default_rng(random_state)
    X = rng.standard_normal((n, p))
    return X, (rng.random(n) < 1 / (1 + np.exp(-X @ np.linspace(0.3, 1, p)))).astype(float)


def test_measures_equal_those_of_rms():
    values = golden("survival_actg175.json")["calibration"]
    risk, happened = np.array(values["p"]), np.array(values["y"])
    found = dict(zip(worths.MEASURES, worths.worth(risk, happened, [])[0], strict=True))
    printed = values["stats"]
    names = {"concordance": "C (ROC)", **{name.lower(): name for name in ("Brier", "Intercept", "Slope", "E90")}}
    for measure, name in names.items():
        assert found[measure] == pytest.approx(printed[name], abs=5e-4)
    errors = np.abs(risk - worths.smoothed_event_shares(risk, happened, risk))
    assert errors.mean() == pytest.approx(printed["Eavg"], abs=5e-4) and errors.max() == pytest.approx(printed["Emax"], abs=5e-4)
    assert found["e50"] == np.median(errors)


def test_measures_equal_their_definitions():
    X, happened = made()
    risk = np.round(1 / (1 + np.exp(-0.7 * X[:, 2] + 0.4)), 2)  # with ties
    found = dict(zip(worths.MEASURES, worths.worth(risk, happened, [])[0], strict=True))
    pairs = [np.sign(a - b) / 2 + 0.5 for a in risk[happened > 0] for b in risk[happened == 0]]
    assert found["concordance"] == pytest.approx(np.mean(pairs))
    assert worths.recalibration(np.full(10, 0.3), np.arange(10) % 2) == pytest.approx((np.nan, np.nan), nan_ok=True)
    thresholds = np.array([0.1, 0.25, 0.4, 0.62, 0.99])
    for t, value in zip(thresholds, worths.net_benefit(risk, happened, thresholds), strict=True):
        treated = risk >= t
        assert value == pytest.approx((treated & (happened > 0)).sum() / 90 - (treated & (happened == 0)).sum() / 90 * t / (1 - t))
    assert np.isnan(worths.worth(risk, np.ones(90), [0.5])[0]).all()


def test_smoothing_is_a_weighted_line_at_every_point():
    X, happened = made(60)
    risk = 1 / (1 + np.exp(-X[:, 0]))
    for point in (risk.min(), risk.max()):
        distance = np.abs(risk - point)
        width = np.sort(distance)[40 - 1]
        weight = np.where(distance < width, (1 - (distance / width) ** 3) ** 3, 0)
        line = np.polynomial.Polynomial.fit(risk, happened, 1, w=np.sqrt(weight))
        assert worths.smoothed_event_shares(risk, happened, [point])[0] == pytest.approx(line(point))
    assert np.isnan(worths.worth(risk, happened, [0.0, 0.5])[1]).tolist() == [True, False]


def test_the_optimism_equals_a_slow_bootstrap():
    X, happened = made()
    drawn = [np.random.default_rng(seed).integers(90, size=90) for seed in range(15)]
    judge = lambda risk, rows: worths.worth(risk, happened[rows], [])[0]  # noqa: E731
    on_drawn, whole = worths.optimism(
        lambda rows: worths.predicted_risks(X, worths.logistic_weights(X[rows], happened[rows])), judge, drawn
    )
    slow = []
    for rows in drawn:
        Z = np.column_stack([X, np.ones(90)])
        fit = optimize.minimize(
            lambda w, rows=rows, Z=Z: np.logaddexp(0, Z[rows] @ w).sum() - happened[rows] @ (Z[rows] @ w), np.zeros(4), tol=1e-10
        )
        risk = 1 / (1 + np.exp(-Z @ fit.x))
        slow.append(worths.worth(risk[rows], happened[rows], [])[0] - worths.worth(risk, happened, [])[0])
    np.testing.assert_allclose((on_drawn - whole).mean(axis=0), np.mean(slow, axis=0), atol=2e-4)


def test_a_separated_table_has_finite_weights():
    X, _ = made()
    assert np.isfinite(worths.logistic_weights(X, (X[:, 0] > 0).astype(float))).all()


def test_the_interval_of_the_slope_is_that_of_the_sandwich():
    X, happened = made(300)
    risk, patient = worths.predicted_risks(X, worths.logistic_weights(X, happened)), np.arange(300) // 2
    rows = np.column_stack([np.ones(300), np.log(risk / (1 - risk))])
    inverse = np.linalg.inv(rows.T @ np.diag(risk * (1 - risk)) @ rows)
    scores = rows * (happened - risk)[:, None]
    of_patients = sum(np.outer(both, both) for both in scores[::2] + scores[1::2])
    (of_intercept, both), (_, v) = inverse @ of_patients @ inverse
    (low, high), middle = worths.recalibration_intervals(risk, happened, patient, 3), -both / v
    assert (low + high) / 2 == pytest.approx([middle * v, 1 - v])
    reach = 1.959964 * np.sqrt([of_intercept + 3 * (middle * v) ** 2, v + 3 * v**2])
    assert (high - low) / 2 == pytest.approx(reach, rel=1e-5)
    assert np.isnan(worths.recalibration_intervals(np.full(10, 0.3), np.arange(10) % 2, np.arange(10), 3)).all()
