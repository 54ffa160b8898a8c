"""Recursive elimination against loops of scikit-learn fits and slow versions."""

import numpy as np
import pandas as pd
import pytest
from recursive_support import data, standardised
from scipy.stats import ttest_ind
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from support import slow

from stabcore.data.encoding import Design
from stabcore.data.feature_table import as_table
from stabcore.selectors.catalog import selector


def order(fitted):
    return np.argsort(fitted.ranking_)


def slow_rounds(Z, y, model, share, k):
    """Features left in each round, best first, with absolute weights. One round has exactly k."""
    left = list(range(Z.shape[1]))
    while True:
        size = np.abs(model.fit(Z[:, left], y).coef_) ** (2 if isinstance(model, SVC) else 1)
        strength = dict(zip(left, size.sum(axis=0), strict=True))
        left = sorted(left, key=lambda f: -strength[f])
        yield left, strength
        if len(left) == 1:
            return
        stay = len(left) - max(1, int(share * len(left)))
        left = left[: max(stay, k) if len(left) > k else stay]


def slow_order(rounds):
    """Features in reverse order of removal."""
    rounds = [left for left, _ in rounds]
    placed = []
    for left in rounds[::-1]:
        placed += [f for f in left if f not in placed]
    return placed


@pytest.mark.parametrize(
    ("key", "model", "options"),
    [
        ("svm_rfe", SVC(kernel="linear", C=0.5, tol=1e-6), {}),
        ("svm_rfe", SVC(kernel="linear", C=5, tol=1e-6), {"cost": 5.0, "share": 0.3}),
        ("svm_rfe", SVC(kernel="linear", C=0.5, tol=1e-6), {"share": 0.0}),
        ("logistic_rfe", LogisticRegression(C=0.5, tol=1e-8, max_iter=10_000), {}),
        (
            "logistic_rfe",
            LogisticRegression(C=1 / 20, tol=1e-8, max_iter=10_000),
            {"penalty": 10.0, "final_penalty": 10.0, "share": 0.5},
        ),
    ],
    ids=str,
)
def test_order_of_removal_matches_a_loop_of_fits(key, model, options):
    n, d = (90, 12) if options.get("share") == 0 else (40, 60)
    X, y = data(n, d, random_state=1)
    k = 7
    made = selector(key, **options)
    fitted = made.fit(X, y, rng=0, k=k)
    assert order(fitted).tolist() == slow_order(list(slow_rounds(standardised(X), y, model, made.share, 0)))
    assert fitted.scores_[order(fitted)].tolist() == list(range(d, 0, -1))
    last, strength = next(removal for removal in slow_rounds(standardised(X), y, model, made.share, k) if len(removal[0]) == k)
    expected = [strength[f] if f in last else 0 for f in range(d)]
    np.testing.assert_allclose(fitted.importances_, expected, atol=1e-4 * max(expected))


def test_columns_of_a_feature_are_removed_together():
    X, y = data(60, 4)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(
        site=np.array(["u", "v", "w", "x"])[rng.integers(0, 4, 60)], sex=np.where(y ^ (rng.random(60) < 0.2), "m", "f")
    )
    table = as_table(frame)
    design, Z = Design.of(table, contrasts=True)
    feature = design.feature
    fitted = selector("logistic_rfe").fit(frame, y, rng=0, k=3)
    left, gone = set(range(6)), []
    while len(left) > 1:
        columns = np.isin(feature, list(left))
        squares = LogisticRegression(C=0.5, tol=1e-9, max_iter=10_000).fit(Z[:, columns], y).coef_[0] ** 2
        usual = {f: squares[feature[columns] == f].mean() for f in left}
        gone.append(min(left, key=usual.get))
        left.remove(gone[-1])
    assert order(fitted)[::-1].tolist() == [*gone, *left]


def criterion(X, y, mix):
    t = np.abs(ttest_ind(X[y == 0], X[y == 1], equal_var=False).statistic)
    v = X.var(axis=0, ddof=1)
    return mix * (t - t.min()) / np.ptp(t) + (1 - mix) * (v - v.min()) / np.ptp(v)


@pytest.mark.parametrize("mix", [0.0, 0.3, 1.0])
def test_hybrid_with_k_forced_equals_the_univariate_filter(mix):
    X, y = data()
    fitted = selector("hybrid_rfe", forced=8, mix=mix).fit(X, y, rng=0, k=8)
    assert order(fitted)[:8].tolist() == np.argsort(-criterion(X, y, mix))[:8].tolist()
    more = selector("hybrid_rfe", forced=50, mix=mix).fit(X, y, rng=0, k=8)  # the best 8 of them
    assert order(more)[:8].tolist() == order(fitted)[:8].tolist()


def test_hybrid_by_hand():
    X, y = data(60, 30, random_state=2)
    Z, N, k, shrinkage, contrast = standardised(X), 3, 7, 0.4, 5.0
    top = np.argsort(-criterion(X, y, 0.5))[:N].tolist()
    left, ranks, sizes = list(range(30)), [], [30]
    while len(left) > k:
        factor = np.where(np.isin(left, top), shrinkage, 1)
        model = LogisticRegression(C=0.5, tol=1e-9, max_iter=10_000).fit(Z[:, left] / factor, y)
        weights = dict(zip(left, np.abs(model.coef_[0]) / factor, strict=True))
        ranked = top + sorted((f for f in left if f not in top), key=lambda f: -weights[f])
        left = ranked[: max(k, len(left) - max(1, len(left) // 5))]
        ranks.append({f: ranked.index(f) + 1 for f in left})
        sizes.append(len(left))
    score = {f: 30 / k * np.prod([(sizes[s + 1] - r[f] + 1) / (sizes[s] - r[f] + 1) for s, r in enumerate(ranks)]) for f in left}
    assert score[top[0]] == pytest.approx(1) and 0 < min(score.values()) < 1
    scale = 1 / np.sqrt([1 + contrast * (1 - score[f]) for f in left])
    final = LogisticRegression(C=1 / (2 * 0.7), tol=1e-9, max_iter=10_000).fit(Z[:, left] * scale, y)

    fitted = selector("hybrid_rfe", forced=N, shrinkage=shrinkage, contrast=contrast, final_penalty=0.7).fit(X, y, rng=0, k=k)
    assert fitted.select(k).tolist() == sorted(left)
    assert order(fitted)[:N].tolist() == top
    np.testing.assert_allclose(fitted.importances_[left], np.abs(final.coef_[0]) * scale, rtol=1e-5)


@pytest.mark.parametrize("key", ["svm", "logistic_rfe", "hybrid_rfe", slow("svm_rfe")])
def test_equal_columns_are_ranked_at_random(key):
    X, y = data(30, 15)
    X[:, 7] = X[:, 3] = X[:, 12]
    options = {"forced": 2} if key == "hybrid_rfe" else {}
    first = [np.argmin(selector(key, **options).fit(X, y, rng=seed, k=5).ranking_[[3, 7, 12]]) for seed in range(20)]
    assert set(first) == {0, 1, 2}
