"""Features that a model does not use are neither ranked nor selected, in models and in studies."""

import numpy as np
import pandas as pd
import pytest
from linear_support import sparse_logistic
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import stabcore as sc
from stabcore.data.encoding import Design
from stabcore.data.feature_table import as_table
from stabcore.plots.profiles import frame_profiles
from stabcore.selectors.estimator import as_selector
from stabcore.study.summary import fewer_selected_table


def l1(C=0.1):
    return sparse_logistic(C=C, random_state=0)


def noise(random_state=0, n=80, d=30, informative=2):
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, d))
    X[:, :informative] += 1.2 * y[:, None]
    return X, y


@pytest.mark.parametrize("model", [l1(), make_pipeline(StandardScaler(), l1())], ids=["alone", "in a pipeline"])
def test_a_feature_without_weight_is_neither_ranked_nor_selected(model):
    X, y = noise()
    standardised = Design.of(as_table(X))[1]
    support = np.flatnonzero(l1().fit(standardised, y).coef_[0])
    fitted = as_selector(model).fit(X, y, rng=0, k=20)
    assert 0 < len(support) < 20
    assert fitted.select(20).tolist() == support.tolist()
    assert np.flatnonzero(~np.isnan(fitted.ranking_)).tolist() == support.tolist()
    assert np.isnan(np.delete(fitted.scores_, support)).all() and not np.delete(fitted.importances_, support).any()
    assert len(fitted.warnings_) == 1
    assert as_selector(model).fit(X, y, rng=0, k=1).warnings_ == []


@pytest.fixture(scope="module")
def studied():
    """A study of one model under two names, one that selects nothing, and a filter."""
    X, y = noise(n=60, d=40)
    data = sc.Dataset.from_frame(pd.DataFrame(X).add_prefix("f").assign(y=np.array(["ill", "well"])[y]), target="y")
    return sc.Study(
        data,
        {
            "one": l1(0.2),
            "other": l1(0.2),
            "empty": l1(1e-4),
            "t": "welch_t",
            "forest": ("random_forest", {"trees": 5}),
            "same forest": ("random_forest", {"trees": 5}),
        },
        plan=sc.ComplementaryPairs(5),
        k=15,
        n_permutations=0,
    ).run(n_jobs=1)


def test_study_reports_runs_that_select_fewer(studied):
    fewer, sizes = fewer_selected_table(studied), studied.selections("one").sizes
    assert fewer.loc["empty"].tolist() == [15, 0, 0, 10, 10]
    assert fewer.loc["one"].tolist() == [15, sizes.min(), sizes.max(), (sizes < 15).sum(), 10]
    assert "t" not in fewer.index


def test_empty_runs_are_handled(studied):
    table = studied.table(["nogueira", "jaccard"])
    assert np.isnan(table.loc["empty", "nogueira"]) and table.loc["empty", "nogueira_note"]
    assert np.isfinite(table.loc["one", "nogueira"])
    curves = frame_profiles({label: studied.selections(label) for label in studied.selectors}, "nogueira")
    ends = curves.groupby("selector")["k"].max()
    assert "empty" not in ends and ends["t"] == 36 and ends["one"] == studied.selections("one").n_ranked < 15
    assert studied.accuracy().loc["empty", "mean_size"] == 0
    assert np.isfinite(studied.accuracy().loc["empty", "accuracy"])
