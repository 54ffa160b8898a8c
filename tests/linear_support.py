"""Data and optimality conditions of penalised linear models."""

import numpy as np


def data(n=80, d=6, random_state=0):
    """Correlated columns and two classes that follow them."""
    rng = np.random.default_rng(random_state)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.4 * rng.normal(size=(d, d)))
    y = (X @ rng.normal(size=d) + 2 * rng.normal(size=n) > 0.5).astype(int)
    return X, y


def number(X, random_state=0):
    """A numeric target that depends on the columns."""
    rng = np.random.default_rng(random_state)
    return X @ rng.normal(size=X.shape[1]) + 2 * rng.normal(size=len(X)) + 30


def sparse_logistic(**options):
    """A logistic regression of scikit-learn with an L1 penalty, in old and new versions."""
    from sklearn.linear_model import LogisticRegression

    l1 = {"l1_ratio": 1.0} if LogisticRegression().penalty == "deprecated" else {"penalty": "l1"}
    return LogisticRegression(**l1, solver="liblinear", **options)


def standardised(X):
    return np.ascontiguousarray(((X - X.mean(axis=0)) / X.std(axis=0)).T)


def residual(margin, y, squared):
    return margin - y if squared else 1 / (1 + np.exp(-margin)) - y


def groups_of(sizes):
    ends = np.cumsum(sizes)
    return [slice(end - size, end) for size, end in zip(sizes, ends)]


def optimality(columns, y, model, sizes=None, share=1.0, squared=False):
    """Largest violation of the optimality conditions, as a share of the penalty."""
    w = np.zeros(len(columns))
    w[model.active] = model.weights
    rest = residual(model.intercept + w @ columns, y, squared) / len(y)
    gradient = columns @ rest + model.penalty * (1 - share) * w
    off = [abs(rest.sum())]
    for group in groups_of(np.ones(len(columns), dtype=int) if sizes is None else sizes):
        bound, norm = model.penalty * share * np.sqrt(len(w[group])), np.linalg.norm(w[group])
        if norm > 0:
            off.append(np.abs(gradient[group] + bound * w[group] / norm).max())
        else:
            off.append(np.linalg.norm(gradient[group]) - bound)
    return max(off) / model.penalty


def full(model, p):
    """(p,) the weights of a model, zero for inactive columns."""
    weights = np.zeros(p)
    weights[model.active] = model.weights
    return weights
