"""Selection beyond given columns: each family against a slow version, and against a known truth."""

import numpy as np
import pandas as pd
import pytest
from contract_support import information
from given_support import aged, slow_partial_f, with_constant
from scipy.stats import rankdata
from support import ROOT, golden, need, slow

from stabcore.base.errors import InputError
from stabcore.base.target import MORE, NUMBER, TIME, TWO
from stabcore.classifiers.catalog import FREE_PENALTY
from stabcore.data.encoding import discretise
from stabcore.data.feature_table import FeatureTable, as_table
from stabcore.selectors.base import refuse_given
from stabcore.selectors.catalog import BY_KEY, ENTRIES, selector
from stabcore.selectors.given import Given
from stabcore.selectors.linear import boosted_weights
from stabcore.selectors.solvers.penalised import Logistic, Squared

REFUSE = {"information_gain", "relieff", "auc_mrmr", "augmented"}
BLIND = {"variance", "random"}
JUDGING = [entry.key for entry in ENTRIES if entry.build.takes_given and entry.key not in BLIND]
TREES = {"trees": 15}
FAST = {"random_forest": TREES, "random_forest_permutation": TREES, "survival_forest": TREES, "gbm": {"rounds": 20}}
FAST |= {"boruta": {"trees": 6, "rounds": 8}, "estimator": {"parameters": {"n_estimators": 15}}}
SHUFFLING = ("estimator", "random_forest", "random_forest_permutation", "survival_forest", "boruta")
SOME = ("mim", "lasso", "svm", "random_forest", "gbm", "estimator", "anova_f")  # of each family
# ranks of a copy are not linear in it, and hybrid RFE may keep it for its variance
NO_COPIES = ("auc", "concordance", "hybrid_rfe")
INFORMATION = ("mim", "mrmr", "jmi", "cmim")


def make(key):
    return selector(key, **FAST.get(key, {}))


def kind_of(key):
    return TWO if TWO in BY_KEY[key].targets else TIME


# ---- every selector ----


@pytest.mark.parametrize("key", list(BY_KEY))
def test_selectors_accept_given_columns_or_refuse_them(key):
    need(key)
    X, y, given = aged(3, kind_of(key), d=8)
    assert BY_KEY[key].build.takes_given == (key not in REFUSE)
    if key in REFUSE:
        with pytest.raises(InputError):
            make(key).fit(X, y, rng=0, k=2, given=given)
        return
    first, second = (make(key).fit(X, y, rng=4, k=2, given=given) for _ in range(2))
    assert first.scores_.tobytes() == second.scores_.tobytes() and first.scores_.shape == first.importances_.shape == (8,)
    assert (np.nan_to_num(first.importances_) >= 0).all() and len(first.select(2)) <= 2


@pytest.mark.parametrize("key", [key for key in JUDGING if key not in SHUFFLING])
def test_units_and_coding_of_given_columns_do_not_matter(key):
    need(key)
    X, y, given = aged(4, kind_of(key), d=6)
    frame = pd.DataFrame({"age": given[:, 0] * 12 - 100, "sex": np.where(given[:, 1] == 1, "w", "m")})
    if key in INFORMATION:  # categories are strata, numbers are regressed out
        frame["sex"] = given[:, 1] * 3
    twice = np.column_stack([given, given @ [2.0, -1.0], np.ones(len(given))])  # linearly dependent columns count once
    first, *others = (make(key).fit(X, y, rng=0, k=3, given=form).scores_ for form in (given, frame, twice))
    for other in others:
        np.testing.assert_allclose(first, other, rtol=1e-6)


@pytest.mark.parametrize("key", [key for key in JUDGING if key not in NO_COPIES])
def test_a_copy_of_a_given_column_adds_nothing(key):
    need(key)
    X, y, given = aged(5, kind_of(key), d=8)
    X[:, 0] = given[:, 0] * 2 - 3
    fitted = make(key).fit(X, y, rng=0, k=4, given=given)
    assert 0 not in fitted.select(4)
    assert not fitted.scores_[0] > np.nanmin(np.delete(fitted.scores_, 0))


@pytest.mark.parametrize("key", [*SOME, *NO_COPIES])
def test_markers_of_age_are_noise_once_age_is_given(key):
    """Few tables, with one selector per family and those that may keep a copy. The next test has all selectors."""
    need(key)
    found = selected(key, range(3))
    assert found["without"]["by_age"] >= 0.7 and found["with"]["by_age"] <= 0.5
    assert found["with"]["of_its_own"] >= 0.4  # about 0.1 for noise


@pytest.mark.parametrize(("key", "kind"), [slow(key, kind) for key in JUDGING for kind in (TWO, MORE, NUMBER, TIME)])
def test_markers_of_age_are_selected_as_often_as_noise(key, kind):
    """A marker of age may be selected as often as noise, plus two standard errors of 100 tables."""
    need(key)
    if kind not in BY_KEY[key].targets:
        pytest.skip(f"not defined for {kind}")
    found = selected(key, range(100), kind)
    assert found["without"]["by_age"] >= 0.9
    assert found["with"]["by_age"] <= found["with"]["noise"] + 0.06  # two standard errors of 100 tables
    assert found["with"]["of_its_own"] >= found["without"]["of_its_own"] - 0.05


ROLES = {"by_age": slice(0, 1), "of_its_own": slice(1, 4), "noise": slice(4, None)}


def selected(key, seeds, kind=None):
    """Return {without or with: {role: share of its features among the best six}}."""
    found = {"without": [], "with": []}
    for seed in seeds:
        X, y, given = aged(seed, kind or kind_of(key))
        for name, always in (("without", None), ("with", given)):
            chosen = np.isin(np.arange(X.shape[1]), make(key).fit(X, y, rng=seed, k=6, given=always).select(6))
            found[name].append([chosen[role].mean() for role in ROLES.values()])
    return {name: dict(zip(ROLES, np.mean(rows, axis=0).round(3).tolist(), strict=True)) for name, rows in found.items()}


# ---- one feature at a time ----


def test_rao_scores_agree_with_r():
    printed = golden("survival_actg175.json")["logistic"]
    frame = pd.read_csv(ROOT / "sample_data" / printed["table"])
    y = (frame[printed["target"]] == printed["positive"]).to_numpy().astype(int)
    names = [row["feature"] for row in printed["adjusted"]]
    found = selector("welch_t").fit(frame[names], y, rng=0, given=frame[printed["given"]])
    np.testing.assert_allclose(found.scores_**2, [row["rao"] for row in printed["adjusted"]], rtol=1e-6, atol=1e-8)


def slow_logistic_score(x, y, given):
    """Rao score test of x added to the logistic model of given columns, from the full information matrix."""
    Z = with_constant(given)
    weights = np.zeros(Z.shape[1])
    for _ in range(100):
        p = 1 / (1 + np.exp(-Z @ weights))
        weights += np.linalg.solve(Z.T @ (Z * (p * (1 - p))[:, None]), Z.T @ (y - p))
    p = 1 / (1 + np.exp(-Z @ weights))
    both = np.column_stack([Z, x])
    score, information = both.T @ (y - p), both.T @ (both * (p * (1 - p))[:, None])
    return float(score @ np.linalg.solve(information, score))


def test_score_tests_match_the_full_information_matrix():
    X, y, given = aged(6, n=80, d=7)
    X[::5, 2] = np.nan
    found = selector("welch_t").fit(X, y, rng=0, given=given).scores_
    rows = [~np.isnan(X[:, f]) for f in range(7)]
    expected = [slow_logistic_score(X[r, f], y[r], given[r]) ** 0.5 for f, r in enumerate(rows)]
    np.testing.assert_allclose(found, expected, rtol=1e-7)
    ranked = [slow_logistic_score(rankdata(X[r, f]), y[r], given[r]) ** 0.5 for f, r in enumerate(rows)]
    inside = y.sum()
    unit = np.sqrt(81 / (12 * inside * (80 - inside)))
    np.testing.assert_allclose(selector("auc").fit(X, y, rng=0, given=given).scores_, np.minimum(np.array(ranked) * unit, 0.5))


@pytest.mark.parametrize("kind", [TWO, MORE])
def test_partial_f_matches_sums_of_squares(kind):
    X, y, given = aged(8, kind, n=90, d=5)
    X[3::11, 4] = np.nan
    rows = [~np.isnan(X[:, f]) for f in range(5)]
    expected = [slow_partial_f(X[r, f], y[r], given[r]) for f, r in enumerate(rows)]
    np.testing.assert_allclose(selector("anova_f").fit(X, y, rng=0, given=given).scores_, expected, rtol=1e-8)


@pytest.mark.parametrize(("key", "kind"), [("welch_t", TWO), ("auc", TWO), ("anova_f", MORE), ("cox_score", TIME)])
def test_category_beyond_given_columns_ranks_first_by_chance(key, kind):
    """Without effects, a category of six levels that follows age ranks first as often as each of four numbers.

    With more than two classes the middle one is not linear in age, so the levels do not depend on age.
    """
    first, rng = 0, np.random.default_rng(0)
    for seed in range(60):
        X, y, given = aged(seed, kind, n=120, d=5, own_effect=0.0)
        levels = np.digitize(
            given[:, 0] * (kind != MORE) + 60 * (kind == MORE) + 10 * rng.standard_normal(120), [45, 52, 60, 68, 75]
        ).astype(float)
        table = FeatureTable(np.column_stack([X[:, :2], rng.standard_normal((120, 2)), levels]), np.arange(5) == 4, tuple("abcde"))
        first += int(make(key).fit(table, y, rng=seed, given=given).select(1)[0] == 4)
    assert 4 <= first <= 22, first  # 12 by chance


# ---- information ----


@pytest.mark.parametrize("key", INFORMATION)
def test_information_within_strata(key):
    X, y, _ = aged(14, n=160, d=6)
    sex = np.arange(160) % 2
    given = pd.DataFrame({"sex": np.where(sex == 1, "w", "m")})
    found = selector(key, standardised=False).fit(X, y, rng=0, given=given)
    left = X - np.where(sex[:, None] == 1, X[sex == 1].mean(axis=0), X[sex == 0].mean(axis=0))
    codes = discretise(as_table(left))[0].astype(int)
    if key == "mim":
        assert found.scores_ == pytest.approx([slow_criterion(key, codes, y, sex, f, []) for f in range(6)], abs=1e-6)
    order = np.argsort(found.ranking_).tolist()
    for step, chosen in enumerate(order):
        before, rest = order[:step], order[step:]
        worth = {f: slow_criterion(key, codes, y, sex, f, before) for f in rest}
        assert worth[chosen] == pytest.approx(max(worth.values()), abs=1e-6)


def slow_criterion(key, codes, y, strata, f, before):
    relevance = information(codes[:, f], y, strata)
    before = before if key != "mim" else []
    beyond = [information(codes[:, f], y, codes[:, s] * 2 + strata) for s in before]
    if key == "mrmr":
        return relevance - np.mean([information(codes[:, f], codes[:, s], strata) for s in before] or [0])
    return (np.sum(beyond) if before else relevance) if key == "jmi" else min([relevance, *beyond])


def test_information_refuses_unsuitable_given_columns():
    frame = as_table(pd.DataFrame({"a": np.arange(60.0), "stage": list("uvw") * 20}))
    few = as_table(pd.DataFrame({"centre": [f"c{i % 6}" for i in range(60)]}))
    for given in (as_table(pd.DataFrame({"age": np.arange(60.0)})), few):
        with pytest.raises(InputError):
            refuse_given(selector("mim"), given, frame)
    refuse_given(selector("mim"), as_table(pd.DataFrame({"sex": list("mw") * 30})), frame)


# ---- models ----


@pytest.mark.parametrize("loss", [Squared, Logistic])
def test_boosting_refits_the_given_columns_every_round(loss):
    X, y, given = aged(11, TWO, n=100, d=5)
    columns = ((X - X.mean(axis=0)) / X.std(axis=0)).T
    always = Given.from_table(as_table(given)).columns
    of_target, Z = loss(y.astype(float)), np.vstack([np.ones(100), always])

    def refitted(margin):
        for _ in range(30):
            curved = Z * of_target.curvature(margin)
            margin = margin - np.linalg.solve(curved @ Z.T, Z @ of_target.residual(margin)) @ Z
        return margin

    weights, margin = np.zeros(5), refitted(np.full(100, of_target.intercept()))
    for _ in range(25):
        fits = columns @ -of_target.residual(margin) / 100
        best = np.abs(fits).argmax()
        weights[best] += 0.1 * of_target.boosting_scale * fits[best]
        margin = refitted(margin + 0.1 * of_target.boosting_scale * fits[best] * columns[best])
    found = boosted_weights(np.vstack([columns, np.ones(100)]), of_target, 25, 0.1, np.random.default_rng(0), given=always)
    np.testing.assert_allclose(found[:5], weights, rtol=1e-9 if loss is Squared else 1e-3, atol=1e-4)


def test_a_support_vector_machine_leaves_given_columns_nearly_free():
    from sklearn.svm import SVC

    X, y, given = aged(12, n=90, d=5)
    Z = with_constant(given)
    left = X - Z @ np.linalg.lstsq(Z, X, rcond=None)[0]
    standard = (given - given.mean(axis=0)) / given.std(axis=0)
    model = SVC(kernel="linear", C=0.5, tol=1e-6).fit(np.column_stack([left / left.std(axis=0), FREE_PENALTY**-0.5 * standard]), y)
    found = selector("svm").fit(X, y, rng=0, given=given)
    np.testing.assert_allclose(found.scores_, model.coef_[0, :5] ** 2, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize(("kind", "times"), [(TWO, 5), *(slow(kind, 100) for kind in (TWO, NUMBER, TIME))])
def test_knockoffs_beyond_given_columns_control_the_fdr(kind, times):
    """Fifteen of forty features and the outcome depend on age. Without age given, the filter selects them."""
    shares = {"without": [], "with": []}
    for seed in range(times):
        X, y, given = aged(seed, kind, n=300, age_effect=1.0)
        X[:, 10:25] += 0.8 * (given[:, :1] - 60) / 10
        for name, always in (("without", None), ("with", given)):
            fitted = selector("knockoff_filter", fdr=0.2).fit(X, y, rng=seed, given=always)
            chosen = np.flatnonzero(~np.isnan(fitted.ranking_))
            shares[name].append(1 - np.isin(chosen, [1, 2, 3]).mean() if len(chosen) else 0.0)
    assert np.mean(shares["with"]) <= (0.2 if times == 100 else 0.35)
    assert np.mean(shares["without"]) > 0.3  # clearly above the 0.2 that is promised


def test_final_models_need_the_given_columns():
    X, y, given = aged(13, d=4)
    with pytest.raises(InputError):
        selector("lasso").fit(X, y, rng=0, k=2, given=given).predict(X)
