"""Selectors for a time to an event: against R, slow versions and the contract of selectors."""

import numpy as np
import pandas as pd
import pytest
from contract_support import check
from scipy import stats
from support import need
from survival_support import of_r, simulated, slow_log_likelihood, standardised

from stabcore.base.errors import InputError
from stabcore.base.target import TIME
from stabcore.selectors.catalog import BY_KEY, selector
from stabcore.selectors.linear import boosted_weights
from stabcore.selectors.solvers import penalised
from stabcore.selectors.solvers.penalised import Cox, Problem

KEYS = [key for key, entry in BY_KEY.items() if TIME in entry.targets]
LOOKING = [key for key in KEYS if BY_KEY[key].looks_at_outcome]
FREE = ("lasso", "elastic_net", "group_lasso", "glm_boosting")


@pytest.mark.parametrize("key", KEYS)
def test_forms_of_the_outcome_give_equal_results(key):
    need(key)
    X, y = simulated(np.random.default_rng(0), 90, 6, (1.0, 0.0, -0.8))
    fits = [
        selector(key).fit(X, form, rng=0, k=2)
        for form in (y, y, np.column_stack([y["time"], y["event"]]), pd.DataFrame({"time": y["time"], "dead": y["event"]}))
    ]
    check(fits[0], 6, 2)
    assert len({fit.scores_.tobytes() for fit in fits}) == 1
    if key in LOOKING:
        assert fits[0].select(2).tolist() == [0, 2]


@pytest.mark.parametrize("key", KEYS)
def test_gaps_categories_constants_and_empty_columns(key):
    need(key)
    rng = np.random.default_rng(1)
    X, y = simulated(rng, 80, 3, (1.2,), tied=True)
    X[::6, 1] = np.nan
    stage = rng.choice(["I", "II", "III"], 80).astype(object)
    stage[4] = None
    frame = pd.DataFrame(X, columns=list("abc")).assign(stage=pd.Categorical(stage), two=rng.choice(["x", "y"], 80))
    fitted = selector(key).fit(frame.assign(constant=0.1, empty=np.nan), y, rng=0, k=4)
    check(fitted, 7, 4)
    if key in LOOKING:
        assert fitted.select(1).tolist() == [0] and not {5, 6} & set(fitted.select(4))


@pytest.mark.parametrize("key", [key for key in LOOKING if key not in (*FREE, "knockoff_filter", "survival_forest")])
def test_scores_follow_columns_and_the_order_of_times(key):
    X, y = simulated(np.random.default_rng(2), 60, 5, (0.7,), tied=True)
    order, later = np.array([3, 0, 4, 1, 2]), y.copy()
    later["time"] = np.exp(y["time"] / 10)
    fitted = selector(key).fit(X, y, rng=0)
    np.testing.assert_allclose(selector(key).fit(X[:, order], y, rng=0).scores_, fitted.scores_[order], rtol=1e-9)
    np.testing.assert_allclose(selector(key).fit(X, later, rng=0).scores_, fitted.scores_, rtol=1e-9)


@pytest.mark.parametrize("key", [key for key in BY_KEY if key not in KEYS])
def test_other_selectors_refuse_survival_times(key):
    X, y = simulated(np.random.default_rng(3), 40, 4)
    with pytest.raises(InputError):
        selector(key).fit(X, y)


@pytest.mark.parametrize("name", ["actg175", "pbc"])
def test_univariate_scores_agree_with_r(name):
    printed, columns, target = of_r(name)
    frame = pd.DataFrame(columns)
    score, order = (selector(key).fit(frame, target, rng=0).scores_ for key in ("cox_score", "concordance"))
    np.testing.assert_allclose(score**2, [row["score"] for row in printed["univariate"]], rtol=1e-6)
    np.testing.assert_allclose(order, [abs(row["concordance"] - 0.5) for row in printed["univariate"]], atol=1e-9)


@pytest.mark.parametrize("key", ["cox_score", "concordance"])
def test_category_without_signal_ranks_as_a_number(key):
    first = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X, y = simulated(rng, 60, 4)
        frame = pd.DataFrame(X).assign(levels=rng.choice(list("abcdef"), 60))
        frame.columns = list("abcde")
        first += int(selector(key).fit(frame, y, rng=0).select(1)[0] == 4)
    assert stats.binomtest(first, 60, 0.2).pvalue > 0.005, first


def solve(problem, penalty, rng):
    before = None
    for model in penalised.solution_path(problem, rng):
        if model.penalty < penalty:
            return penalised.solution_at(problem, before, model, penalty, rng)
        before = model
    raise AssertionError("the path ends before")


@pytest.mark.parametrize("name", ["actg175", "pbc"])
@pytest.mark.parametrize("key", ["cox_lasso", "cox_lasso_with_given"])
def test_lasso_agrees_with_glmnet(name, key):
    """glmnet stops within 1e-7 of the minimum, so its weights are close and its objective is slightly above ours."""
    printed, columns, target = of_r(name)
    rows, deviation = standardised(columns)
    free = [list(columns).index(feature) for feature in printed["given"]] if key.endswith("given") else []
    rest = [i for i in range(len(rows)) if i not in free]
    problem = Problem(rows[rest], Cox(target), np.ones(len(rest), dtype=int), given=rows[free] if free else None)
    for printed_penalty, printed_weights in zip(printed[key]["lambda"], printed[key]["coef"], strict=True):
        penalty = printed_penalty * len(rows) / len(rest)  # glmnet scales penalty factors to the number of columns
        model, weights, theirs = solve(problem, penalty, np.random.default_rng(0)), np.zeros(len(rows)), printed_weights * deviation
        weights[np.array(rest)[model.active]], weights[free] = model.weights, model.free

        def objective(w, penalty=penalty):
            return -slow_log_likelihood(w @ rows, target, efron=False) / len(target) + penalty * np.abs(w[rest]).sum()

        np.testing.assert_allclose(weights, theirs, atol=1e-3)
        assert 0 <= objective(theirs) - objective(weights) + 1e-12 < 1e-6
        gradient = rows @ problem.loss.residual(weights @ rows) / len(target)
        assert np.abs(gradient[free]).max(initial=0) < 1e-8
        inside, signs = np.array(rest)[model.active], np.sign(model.weights)
        np.testing.assert_allclose(gradient[inside], -penalty * signs, rtol=1e-7)
        assert (np.abs(gradient[rest]) <= penalty * (1 + 1e-7)).all()


def test_boosting_matches_a_slow_version():
    X, y = simulated(np.random.default_rng(6), 50, 4, (1.0,), tied=True)
    rows, weights = np.vstack([standardised(X.T)[0], np.ones(50)]), np.zeros(5)
    for _ in range(12):

        def loss(margin):
            return -slow_log_likelihood(margin, y, efron=False)

        margin = weights @ rows
        slope = np.array([(loss(margin + 1e-5 * e) - loss(margin - 1e-5 * e)) / 2e-5 for e in np.eye(50)])
        fits = -rows @ slope / 50
        best = int(np.abs(fits).argmax())
        weights[best] += 0.1 * fits[best]
    np.testing.assert_allclose(boosted_weights(rows, Cox(y), 12, 0.1, np.random.default_rng(0)), weights, atol=1e-7)
