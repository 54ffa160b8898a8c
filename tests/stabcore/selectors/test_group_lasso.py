"""The group lasso: against a slow solver and the optimality conditions, and how whole groups are chosen."""

import numpy as np
import pandas as pd
import pytest
from linear_support import data, full, number, optimality, path_of, proximal_gradient, standardised

from stabcore.base.errors import InputError
from stabcore.selectors.catalog import selector

SIZES = [3, 1, 4, 2, 2]


def named(sizes):
    """Groups of these sizes of the features f1, f2, … in their order."""
    ends = np.cumsum(sizes)
    return {f"group {g}": [f"f{i + 1}" for i in range(end - size, end)] for g, (size, end) in enumerate(zip(sizes, ends))}


@pytest.mark.parametrize("squared", [False, True], ids=["classes", "number"])
def test_solutions_equal_a_slow_solver(squared):
    X, y = data(100, 12, 2)
    y = number(X) if squared else y
    columns = standardised(X)
    for model in path_of(columns, y, SIZES, squared=squared)[1:12:6]:
        intercept, weights = proximal_gradient(columns, y, model.penalty, SIZES, squared=squared, steps=8000)
        np.testing.assert_allclose(full(model, 12), weights, atol=1e-6)
        assert model.intercept == pytest.approx(intercept, abs=1e-6)


@pytest.mark.parametrize("squared", [False, True], ids=["classes", "number"])
@pytest.mark.parametrize(("n", "sizes", "seed"), [(30, SIZES, 0), (60, [5] * 8, 1), (25, [1, 7, 3, 9] * 5, 2), (8, [2, 3], 3)])
def test_every_model_of_the_path_is_optimal(n, sizes, seed, squared):
    X, y = data(n, sum(sizes), seed)
    y = number(X, seed) if squared else y
    columns = standardised(X)
    models = path_of(columns, y, sizes, squared=squared)
    assert len(models) > 3
    assert max(optimality(columns, y, model, sizes, squared=squared) for model in models) < 1e-7


@pytest.mark.parametrize("target", ["classes", "three classes", "number"])
def test_groups_of_one_make_the_lasso(target):
    X, y = data(80, 30, 4)
    y = {"classes": y, "three classes": y + (X[:, 0] > 1), "number": number(X)}[target]
    lasso, ours = selector("lasso").fit(X, y, rng=0, k=6), selector("group_lasso").fit(X, y, rng=0, k=6)
    np.testing.assert_array_equal(ours.ranking_, lasso.ranking_)
    np.testing.assert_array_equal(ours.importances_, lasso.importances_)
    assert [ours.select(k).tolist() for k in (1, 4, 9)] == [lasso.select(k).tolist() for k in (1, 4, 9)]


@pytest.mark.parametrize("target", ["classes", "three classes", "number"])
def test_a_group_is_in_or_out_as_a_whole(target):
    X, y = data(120, 12, 3)
    y = {"classes": y, "three classes": y + (X[:, 0] > 1), "number": number(X)}[target]
    order = np.random.default_rng(0).permutation(12)  # the members of a group need not lie next to each other
    groups = {name: [f"f{order[int(f[1:]) - 1] + 1}" for f in members] for name, members in named(SIZES).items()}
    fitted = selector("group_lasso", groups=groups).fit(X, y, rng=0, k=12)
    members = [sorted(int(f[1:]) - 1 for f in names) for names in groups.values()]
    sizes = [0]
    for k in range(1, 13):
        chosen = set(fitted.select(k).tolist())
        whole = [group for group in members if set(group) <= chosen]
        assert sum(map(len, whole)) == len(chosen) <= k
        sizes.append(len(chosen))
    assert sizes == sorted(sizes) and sizes[-1] == 12
    assert all(len(set(fitted.scores_[group])) == 1 for group in members)
    assert len(set(fitted.scores_)) == 5
    assert (fitted.importances_ > 0).all()


def test_the_first_group_follows_the_target_most_for_its_size():
    X, y = data(100, 12, 2)
    columns = standardised(X)
    gradient = columns @ (y - y.mean())
    ends = np.cumsum(SIZES)
    pull = [np.linalg.norm(gradient[end - size : end]) / np.sqrt(size) for size, end in zip(SIZES, ends)]
    first = int(np.argmax(pull))
    fitted = selector("group_lasso", groups=named(SIZES)).fit(X, y, rng=0)
    assert np.flatnonzero(fitted.scores_ == -1).tolist() == list(range(ends[first] - SIZES[first], ends[first]))


def test_features_in_no_group_are_alone():
    X, y = data(100, 6, 2)
    fitted = selector("group_lasso", groups={"pair": ["f2", "f5"]}).fit(X, y, rng=0)
    assert fitted.scores_[1] == fitted.scores_[4]
    assert len(set(fitted.scores_)) == 5
    assert fitted.warnings_ == []


def test_the_columns_of_a_category_come_in_together():
    rng = np.random.default_rng(0)
    site = rng.integers(0, 4, 150)
    y = (np.array([0.1, 0.9, 0.2, 0.8])[site] > rng.random(150)).astype(int)
    frame = pd.DataFrame({"noise": rng.normal(size=150), "site": pd.Categorical(site.astype(str)), "weak": rng.normal(size=150)})
    fitted = selector("group_lasso", groups={"pair": ["site", "weak"]}).fit(frame, y, rng=0, k=2)
    assert fitted.select(2).tolist() == [1, 2]
    assert fitted.importances_[1] > fitted.importances_[2] > 0 == fitted.importances_[0]
    constant = frame.assign(constant=1.0)  # it has no column and does not come in with its group
    fitted = selector("group_lasso", groups={"pair": ["site", "constant"]}).fit(constant, y, rng=0, k=2)
    assert 3 not in fitted.select(4)


def test_a_first_group_larger_than_k_leaves_nothing():
    X, y = data(100, 6, 2)
    groups = {"all": [f"f{i}" for i in range(1, 7)]}
    fitted = selector("group_lasso", groups=groups).fit(X, y, rng=0, k=5)
    assert fitted.select(5).tolist() == [] and fitted.select(6).tolist() == list(range(6))
    assert fitted.importances_.tolist() == [0] * 6


@pytest.mark.parametrize(
    "groups", [{"a": ["f1", "nothing like it"]}, {"a": ["f1", "f2"], "b": ["f2", "f3"]}, {"a": "f1"}, [["f1", "f2"]]]
)
def test_groups_that_make_no_sense_are_refused(groups):
    X, y = data()
    with pytest.raises(InputError):
        selector("group_lasso", groups=groups).fit(X, y, rng=0)


def test_separable_classes_and_copies():
    X = np.random.default_rng(0).normal(size=(40, 4))
    fitted = selector("group_lasso", groups=named([2, 2])).fit(X, X[:, 0] > 0, rng=0, k=4)
    assert fitted.scores_[:2].tolist() == [-1, -1]
    assert np.isfinite(fitted.importances_).all()
    X, y = data(60, 4, 1)
    first = {
        tuple(selector("group_lasso", groups=named([2, 2, 2, 2])).fit(np.column_stack([X, X]), y, rng=seed).select(2))
        for seed in range(12)
    }
    assert len(first) == 2
