"""Lasso, elastic net and group lasso: against scikit-learn and the optimality conditions."""

import warnings

import numpy as np
import pandas as pd
import pytest
from linear_support import data, full, number, optimality, standardised
from support import slow

from stabcore.base.errors import InputError
from stabcore.selectors.catalog import selector
from stabcore.selectors.solvers import penalised
from stabcore.selectors.solvers.penalised import Logistic, Problem, Squared

SIZES = [3, 1, 4, 2, 2]
BOTH = pytest.mark.parametrize("squared", [False, True], ids=["classes", "number"])
KINDS = pytest.mark.parametrize("target", ["classes", "three classes", "number"])


def columns_and_target(n, d, seed, squared):
    X, y = data(n, d, seed)
    return standardised(X), number(X, seed) if squared else y


def with_target(target, *shape):
    X, y = data(*shape)
    return X, {"classes": y, "three classes": y + (X[:, 0] > 1), "number": number(X)}[target]


def elastic(share):
    """Arguments of scikit-learn's LogisticRegression. Versions before 1.8 also need the kind of penalty."""
    from sklearn.linear_model import LogisticRegression

    return {"l1_ratio": share} | ({} if LogisticRegression().penalty == "deprecated" else {"penalty": "elasticnet"})


def logistic_weights(columns, y, penalty, share=1.0):
    """Weights of an elastic net by scikit-learn."""
    from sklearn.linear_model import LogisticRegression

    options = {"solver": "saga", "tol": 1e-9, "max_iter": 20_000, "random_state": 0} | elastic(share)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it does not always reach so small a tolerance
        return LogisticRegression(C=1 / (len(y) * penalty), **options).fit(columns.T, y).coef_[0]


# ---- the path ----


def path_of(columns, y, sizes=None, share=1.0, squared=False):
    """All models of the path of the package."""
    sizes = np.ones(len(columns), dtype=int) if sizes is None else np.asarray(sizes)
    problem = Problem(columns, (Squared if squared else Logistic)(y.astype(float)), sizes, share)
    return list(penalised.solution_path(problem, np.random.default_rng(0)))


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_solutions_equal_scikit_learn(share):
    from sklearn.linear_model import ElasticNet

    columns, y = columns_and_target(60, 100, 5, squared=True)
    models = path_of(columns, y, share=share, squared=True)
    assert models[0].penalty == pytest.approx(np.abs(columns @ (y - y.mean())).max() / len(y) / share)
    for model in models[1:40:6]:
        theirs = ElasticNet(alpha=model.penalty, l1_ratio=share, tol=1e-12, max_iter=100_000).fit(columns.T, y)
        np.testing.assert_allclose(full(model, 100), theirs.coef_, atol=1e-6)
        assert model.intercept == pytest.approx(theirs.intercept_)
    columns, y = columns_and_target(60, 30, 2, squared=False)
    for model in path_of(columns, y, share=share)[2:12:8]:
        np.testing.assert_allclose(full(model, 30), logistic_weights(columns, y, model.penalty, share), atol=1e-5)


@BOTH
@pytest.mark.parametrize(
    ("n", "sizes", "share"),
    [
        *((30, [1] * 5, 1.0), (25, [1] * 80, 1.0), (200, [1] * 40, 1.0), (25, [1] * 80, 0.1), (60, [1] * 20, 0.5)),
        *((25, [1, 7, 3, 9] * 5, 1.0), (8, [2, 3], 1.0)),
    ],
)
def test_every_model_of_the_path_is_optimal(n, sizes, share, squared):
    columns, y = columns_and_target(n, sum(sizes), 1, squared)
    models = path_of(columns, y, sizes, share, squared)
    penalties = [model.penalty for model in models]
    assert len(models) > 3 and penalties == sorted(penalties, reverse=True) and not len(models[0].active)
    assert max(optimality(columns, y, model, sizes, share, squared) for model in models) < 1e-7


@pytest.mark.parametrize("sizes", [None, [2, 5, 1] * 10])
def test_models_between_path_points_are_optimal(sizes):
    columns, y = columns_and_target(60, 80, 4, squared=False)
    widths = np.ones(80, dtype=int) if sizes is None else np.array(sizes)
    problem = Problem(columns, Logistic(y.astype(float)), widths)
    models = list(penalised.solution_path(problem, np.random.default_rng(0)))
    for earlier, later in zip(models[2:20], models[3:21]):
        penalty = earlier.penalty * (later.penalty / earlier.penalty) ** 0.9
        found = penalised.solution_at(problem, earlier, later, penalty, np.random.default_rng(0))
        assert found.penalty == penalty and optimality(columns, y, found, sizes) < 1e-7


@pytest.mark.parametrize(
    ("sizes", "share", "squared"),
    [slow(None, 0.3, False), slow(None, 0.3, True), slow([2, 5, 1] * 25, 1.0, False), ([2, 5, 1] * 25, 1.0, True)],
)
def test_screening_misses_no_column(monkeypatch, sizes, share, squared):
    X, y = data(50, 200, 7)
    X[:, 60:90] = X[:, 30:60]  # copies are as close as possible
    y = number(X) if squared else y
    columns = standardised(X)
    watched = []
    make = penalised._NearGroups.from_residual
    monkeypatch.setattr(penalised._NearGroups, "from_residual", lambda *given: watched.append(made := make(*given)) or made)
    everything = path_of(columns, y, sizes, share, squared)
    assert [len(watch.where) for watch, _ in watched] == [200]
    monkeypatch.setattr(penalised, "_MAX_ALL_NEAR", 0)
    models = path_of(columns, y, sizes, share, squared)
    assert len(watched) > 5 and min(len(watch.where) for watch, _ in watched) < 60
    assert max(optimality(columns, y, model, sizes, share, squared) for model in models) < 1e-7
    place = np.r_[:60, 30:60, 90:200] if sizes is None else np.arange(200)  # a copy counts as the column
    order = [list(dict.fromkeys(place[f] for model in found for f in model.active)) for found in (everything, models)]
    assert len(order[0]) > 20 and order[0] == order[1]


# ---- ranking and selection ----


def test_order_of_entry_agrees_with_least_angle_regression():
    from sklearn.linear_model import lars_path

    X, _ = data(100, 30, 3)
    y = number(X, 1)
    _, _, weights = lars_path(standardised(X).T, y - y.mean(), method="lasso")
    entered = list(dict.fromkeys(f for step in weights.T for f in np.flatnonzero(step)))
    assert np.argsort(selector("lasso").fit(X, y, rng=0).ranking_).tolist()[:20] == entered[:20]


@pytest.mark.slow
def test_importances_are_weights_of_the_model_with_k_features():
    X, y = data()
    fitted = selector("lasso").fit(X, y, rng=0, k=3)
    assert np.flatnonzero(fitted.importances_).tolist() == fitted.select(3).tolist()
    columns, low, high = standardised(X), 1e-4, 1.0  # the sum of the weights falls with the penalty
    for _ in range(16):
        middle = np.sqrt(low * high)
        total = np.abs(logistic_weights(columns, y, middle)).sum()
        low, high = (middle, high) if total > fitted.importances_.sum() else (low, middle)
    np.testing.assert_allclose(np.abs(logistic_weights(columns, y, low)), fitted.importances_, rtol=1e-3, atol=1e-4)
    times_1, times_100 = (selector("lasso").fit(X, number(X) * unit, rng=0, k=4) for unit in (1, 100))
    np.testing.assert_allclose(times_100.importances_, 100 * times_1.importances_, rtol=1e-6)


def test_at_most_k_features_are_selected():
    X, y = data(200, 40, 3)
    fitted = selector("lasso").fit(X, y, rng=0)
    sizes = {len(found) for found in fitted._path_features}
    for k in range(1, 41):
        assert len(fitted.select(k)) == max(size for size in sizes if size <= k)
    assert len(fitted.select(10)) == 10


def test_lasso_takes_one_copy_and_elastic_net_both():
    X, y = data()
    X, chosen = np.column_stack([X, X[:, :3]]), set()
    for seed in range(10):
        fitted = selector("lasso").fit(X, y, rng=seed)
        assert [int(np.isnan(fitted.ranking_[[f, f + 6]]).sum()) for f in range(3)] == [1, 1, 1]
        chosen |= set(fitted.select(9).tolist())
    assert chosen == set(range(9))
    fitted = selector("elastic_net").fit(X, y, rng=0, k=7)
    assert fitted.scores_[0] == fitted.scores_[6]
    assert fitted.importances_[0] == pytest.approx(fitted.importances_[6], rel=1e-6)
    assert all({0, 6} <= set(chosen) or not {0, 6} & set(chosen) for chosen in map(fitted.select, range(1, 8)))


def test_more_classes_are_one_against_the_rest():
    X, _ = data(150, 5, 4)
    y = np.argmax(X[:, :3] + np.random.default_rng(0).normal(size=(150, 3)), axis=1)
    fitted = selector("lasso", length=5).fit(X, y, rng=0)
    strongest = np.abs(np.stack([standardised(X) @ ((y == c) - np.mean(y == c)) for c in range(3)])).max(axis=0)
    assert fitted.ranking_[strongest.argmax()] == 1
    first = [selector("lasso").fit(X, (y == c).astype(int), rng=0).select(1)[0] for c in range(3)]
    assert set(fitted.select(5)) >= set(first)


def test_incomplete_path_warns(monkeypatch):
    X, y = data()
    monkeypatch.setattr(penalised, "_MAX_STEPS", 1)
    assert selector("lasso").fit(X, y, rng=0).select(3).tolist() == []


@KINDS
@pytest.mark.parametrize(("key", "options"), [("elastic_net", {"lasso_share": 1.0}), ("group_lasso", {})])
def test_elastic_net_and_group_lasso_reduce_to_the_lasso(key, options, target):
    X, y = with_target(target, 60, 16, 4)
    lasso, ours = selector("lasso").fit(X, y, rng=0, k=6), selector(key, **options).fit(X, y, rng=0, k=6)
    np.testing.assert_array_equal(ours.ranking_, lasso.ranking_)
    np.testing.assert_array_equal(ours.importances_, lasso.importances_)
    assert [ours.select(k).tolist() for k in (1, 4, 9)] == [lasso.select(k).tolist() for k in (1, 4, 9)]


# ---- groups ----


def named(sizes):
    """Groups of these sizes, of the features f1, f2, … in order."""
    ends = np.cumsum(sizes)
    return {f"group {g}": [f"f{i + 1}" for i in range(end - size, end)] for g, (size, end) in enumerate(zip(sizes, ends))}


@KINDS
def test_groups_enter_as_a_whole(target):
    X, y = with_target(target, 120, 12, 3)
    order = np.random.default_rng(0).permutation(12)  # the members of a group need not lie next to each other
    groups = {name: [f"f{order[int(f[1:]) - 1] + 1}" for f in members] for name, members in named(SIZES).items()}
    fitted = selector("group_lasso", groups=groups).fit(X, y, rng=0, k=12)
    members = [sorted(int(f[1:]) - 1 for f in names) for names in groups.values()]
    sizes = [0]
    for k in range(1, 13):
        chosen = set(fitted.select(k).tolist())
        assert sum(len(group) for group in members if set(group) <= chosen) == len(chosen) <= k
        sizes.append(len(chosen))
    assert sizes == sorted(sizes) and sizes[-1] == 12
    assert all(len(set(fitted.scores_[group])) == 1 for group in members) and len(set(fitted.scores_)) == 5
    assert (fitted.importances_ > 0).all()


def test_first_group_is_strongest_for_its_size():
    X, y = data(100, 12, 2)
    gradient, ends = standardised(X) @ (y - y.mean()), np.cumsum(SIZES)
    pull = [np.linalg.norm(gradient[end - size : end]) / np.sqrt(size) for size, end in zip(SIZES, ends)]
    first = int(np.argmax(pull))
    fitted = selector("group_lasso", groups=named(SIZES)).fit(X, y, rng=0)
    assert np.flatnonzero(fitted.scores_ == -1).tolist() == list(range(ends[first] - SIZES[first], ends[first]))
    fitted = selector("group_lasso", groups=named([12])).fit(X, y, rng=0, k=11)
    assert fitted.select(11).tolist() == [] and fitted.select(12).tolist() == list(range(12)) and not fitted.importances_.any()


def test_columns_of_a_category_enter_together():
    rng = np.random.default_rng(0)
    site = rng.integers(0, 4, 150)
    y = (np.array([0.1, 0.9, 0.2, 0.8])[site] > rng.random(150)).astype(int)
    frame = pd.DataFrame({"noise": rng.normal(size=150), "site": pd.Categorical(site.astype(str)), "weak": rng.normal(size=150)})
    fitted = selector("group_lasso", groups={"pair": ["site", "weak"]}).fit(frame, y, rng=0, k=2)
    assert fitted.select(2).tolist() == [1, 2]
    assert fitted.importances_[1] > fitted.importances_[2] > 0 == fitted.importances_[0]
    constant = frame.assign(constant=1.0)  # it has no column and does not enter with its group
    fitted = selector("group_lasso", groups={"pair": ["site", "constant"]}).fit(constant, y, rng=0, k=2)
    assert 3 not in fitted.select(4)


@pytest.mark.parametrize(
    "groups", [{"a": ["f1", "nothing like it"]}, {"a": ["f1", "f2"], "b": ["f2", "f3"]}, {"a": "f1"}, [["f1", "f2"]]]
)
def test_invalid_groups_are_refused(groups):
    X, y = data()
    with pytest.raises(InputError):
        selector("group_lasso", groups=groups).fit(X, y, rng=0)
