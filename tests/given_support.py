"""Tables with markers that depend only on age, and slow versions of tests beyond given columns."""

import numpy as np

from stabcore.base.target import MORE, NUMBER, TIME, TWO, survival_target


def aged(seed, kind=TWO, n=200, d=40, own_effect=0.8, age_effect=2.0):
    """Return (X (n, d), outcome, given (n, 2)). Feature 0 depends on age, 1–3 have own effects, the others are noise."""
    rng = np.random.default_rng([9, seed])
    age, sex = rng.standard_normal(n), rng.integers(0, 2, n).astype(float)
    X = rng.standard_normal((n, d))
    X[:, 0] = 0.8 * age + 0.6 * X[:, 0]
    eta = age_effect * age + 0.5 * sex + own_effect * X[:, 1:4].sum(axis=1)
    return X, outcome_of(rng, kind, eta), np.column_stack([60 + 10 * age, sex])


def outcome_of(rng, kind, eta):
    """Draw an outcome with log-odds, mean or log hazard eta."""
    n = len(eta)
    if kind == NUMBER:
        return eta + rng.standard_normal(n)
    if kind == TIME:
        time, end = rng.exponential(size=n) * np.exp(-eta), 2 * rng.exponential(size=n)
        return survival_target(np.minimum(time, end), time <= end)
    if kind == MORE:
        return np.digitize(eta + rng.logistic(size=n), [-1.0, 1.0])
    return (rng.random(n) < 1 / (1 + np.exp(-eta))).astype(int)


def with_constant(given):
    return np.column_stack([np.ones(len(given)), given])


def slow_partial_f(x, y, given):
    """Partial F of the classes in the linear model of x with given columns, from residual sums of squares."""
    Z = with_constant(given)
    classes = (y[:, None] == np.unique(y)[1:]).astype(float)
    sums = []
    for design in (Z, np.column_stack([Z, classes])):
        sums.append(((x - design @ np.linalg.lstsq(design, x, rcond=None)[0]) ** 2).sum())
    spare, rest = classes.shape[1], len(x) - Z.shape[1] - classes.shape[1]
    return (sums[0] - sums[1]) / spare / (sums[1] / rest)
