"""Kalousis' S_W uses the weights of all features, not only those of selected ones."""

from itertools import combinations

import numpy as np
import pytest
from noise_support import Here
from scipy.stats import pearsonr
from study_support import study

import stabcore as sc
from stabcore.measures.catalog import available_measures
from stabcore.study.results import Results

WEIGH, ORDER = ("svm", "relieff", "information_gain"), ("svm_rfe", "mrmr", "lasso", "auc_mrmr")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return study((*WEIGH, *ORDER)).run(Here(), store=tmp_path_factory.mktemp("study") / "weights.stab")


@pytest.mark.parametrize("label", WEIGH)
def test_it_uses_all_weights_and_does_not_depend_on_k(found, label):
    weights = [np.nan_to_num(task.scores) for task in found.store.tasks(label)]  # 0 for features outside the model
    slow = np.mean([pearsonr(a, b)[0] for a, b in combinations(weights, 2)])
    at_study_k, at_one = (sc.stability(found.selections(label, k), "pearson_scores") for k in (None, 1))
    assert at_study_k.value == pytest.approx(slow, abs=1e-12) and at_study_k == at_one
    selected = [sc.stability(found.selections(label, k), "pearson_weights").value for k in (3, 2)]
    assert len({round(value, 6) for value in (at_study_k.value, *selected)}) == 3  # weights of selected features depend on k


@pytest.mark.parametrize("label", ORDER)
def test_selectors_that_only_rank_features_have_none(found, label):
    estimate = sc.stability(found.selections(label), "pearson_scores")
    assert np.isnan(estimate.value) and "but no weights" in estimate.reason and np.isnan(estimate.low)
    keys = {entry.key for entry in available_measures(found.selections(label))}
    assert "pearson_scores" in keys  # available, but missing with a reason
    table = found.table(["pearson_scores"])
    assert np.isnan(table.loc[label, "pearson_scores"]) and np.isfinite(table.loc["svm", "pearson_scores"])


def test_partly_unknown_weights_have_no_correlation():
    scores = np.random.default_rng(0).random((4, 5))
    scores[2, 3] = np.nan
    estimate = sc.stability(sc.Selections.from_scores(scores), "pearson_scores")
    assert np.isnan(estimate.value) and "3 of 6 pairs" in estimate.reason and "partly unknown" in estimate.reason
    rest = sc.stability(sc.Selections.from_scores(scores), "pearson_scores", undefined="skip")
    assert rest.value == pytest.approx(np.corrcoef(scores[[0, 1, 3]])[np.triu_indices(3, 1)].mean())


@pytest.mark.parametrize(("kind", "has_weights"), [("scores", True), ("ranks", False)])
def test_uploaded_ranks_are_not_weights(kind, has_weights):
    runs = Results.from_files([("a,b,c,d\n1,2,3,4\n2,1,3,4\n1,3,2,4\n", {"name": "x.csv", "label": "x", "kind": kind})])
    estimate = sc.stability(runs.selections("x"), "pearson_scores")
    assert np.isfinite(estimate.value) == has_weights and bool(estimate.reason) != has_weights
