"""Studies of a time to an event: plans, files, scores, the noise floor, and refusals."""

import numpy as np
import pandas as pd
import pytest
from support import slow
from survival_support import simulated, slow_concordance

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.inference.noise_floor import noise_floor, shuffled_outcome
from stabcore.selectors.catalog import selector
from stabcore.study.loading import load_study
from stabcore.study.rerun import matching_roles, settings_text
from stabcore.study.run_scores import brier_without_features, excess_over_guessing, mean_scores
from stabcore.survival.concordance import censoring_curve, concordance, evaluation_times, kaplan_meier
from stabcore.survival.cox import baseline_hazard, fit_cox


def table(seed=0, n=90, d=8, weights=(1.0, -0.8)):
    X, target = simulated(np.random.default_rng(seed), n, d, weights)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(d)])
    return frame.assign(days=target["time"], status=np.where(target["event"], "dead", "alive"))


def centres(run=True):
    """A study that leaves out each of three centres. With run=False all events are in one centre."""
    frame = table().assign(site=np.array(["x", "y", "z"])[np.arange(90) % 3])
    if not run:
        frame.loc[frame["site"] != "x", "status"] = "alive"
    data = sc.Dataset.from_frame(frame, target=("days", "status"), exclude=["site"], event=["dead"])
    return sc.Study(data, ["cox_score", "lasso"], plan=sc.LeaveOneSiteOut("site"), k=2, random_state=1, n_permutations=0)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    data, selectors = sc.Dataset.from_frame(table(), target=("days", "status")), ["cox_score", "lasso", "glm_boosting", "random"]
    study = sc.Study(data, selectors, plan=sc.ComplementaryPairs(6), k=3, random_state=1, n_permutations=3)
    return data, study, study.run(n_jobs=1, store=tmp_path_factory.mktemp("timed") / "s.stab", progress=False)


def test_runs_find_the_features_and_predict_held_out_rows(made):
    _, _, result = made
    assert result.classes == () and not result.progress()["failed"].any()
    for label in ("cox_score", "lasso"):
        assert (result.selections(label).selection_matrix[:, :2].mean(axis=0) > 0.8).all()
    scores = result.accuracy()
    assert (scores.loc[["cox_score", "lasso"], "harrell"] > 0.65).all() and scores.loc["random", "harrell"] < 0.65
    assert (scores["harrell_low"] < scores["harrell"]).all() and (scores["uno"] < scores["uno_high"]).all()
    assert (scores.loc[["cox_score", "lasso"], "brier"] < brier_without_features(result.target)).all()
    assert not {"accuracy", "balanced_accuracy", "auc", "auc_runs"} & set(scores) and (scores["scored_runs"] == 12).all()


def test_scores_match_cox_models_of_the_selected_features(made):
    data, study, result = made
    task = result.finished_tasks("cox_score")[3]
    drawn = study.plan.resample(3, data.target, 1, None)
    X = np.asarray(data.table.values)[:, task.selected]
    mean, deviation = X[drawn.rows].mean(axis=0), X[drawn.rows].std(axis=0)
    columns = ((X - mean) / deviation).T
    learned = data.target[drawn.rows]
    weights = fit_cox(columns[:, drawn.rows], learned, ridge=1.0).weights
    np.testing.assert_allclose(task.probability, weights @ columns[:, drawn.held_out], rtol=1e-5)
    hazard = baseline_hazard(weights @ columns[:, drawn.rows], learned, evaluation_times(data.target))
    np.testing.assert_allclose(task.baseline, hazard, rtol=1e-8)
    value = slow_concordance(task.probability, data.target[drawn.held_out])
    assert result.run_scores("cox_score", "harrell")[4] == pytest.approx(value)
    value = concordance(task.probability, data.target[drawn.held_out], "uno", censoring_curve(data.target))
    assert result.run_scores("cox_score", "uno")[4] == pytest.approx(value)


def test_selectors_are_compared_and_judged_by_concordance(made):
    _, _, result = made
    judged = result.beats_guessing()
    assert judged["score"].tolist() == ["harrell"] * 3 and judged["better"].all() and (judged["guess"] == 0.5).all()
    compared = result.compare_scores("lasso", "random", "harrell")
    assert 0 < compared.difference < 0.2 and compared.low < compared.difference < compared.high
    with pytest.raises(InputError):
        result.compare_scores("lasso", "random", "accuracy")
    assert {"value", "floor", "beyond"} <= set(result.noise_floor().columns) and "harrell" in repr(result)
    assert np.isnan(result.table(k=2)["harrell"]).all()


def test_study_file_keeps_times_and_is_continued(made, tmp_path):
    data, study, result = made
    again = sc.open_study(result.path)
    assert (again.target == data.target).all() and again.settings["data"]["event"] == ["dead"]
    assert study.run(n_jobs=1, store=result.path, progress=False).digest() == result.digest()
    roles = matching_roles(table(), again.settings, again.features)
    assert roles["target"] == ["days", "status"] and roles["event"] == ["dead"]
    (tmp_path / "study.toml").write_text(settings_text(again.settings, data), encoding="utf-8")
    table().to_csv(tmp_path / "table.csv", index=False)
    assert load_study(tmp_path / "study.toml").settings() == study.settings()


def test_centres_are_left_out():
    result = centres().run(n_jobs=1, progress=False)
    assert result.selections("lasso").n_runs == 3 and result.table()["harrell"].between(0.5, 1).all()


def test_analyses_that_need_classes_refuse_other_outcomes(made):
    data, _, result = made
    for ask in (
        *(lambda: sc.risk_instability(data, result, "lasso"), lambda: sc.random_search(data, n=1)),
        *(lambda: centres().run(n_jobs=1, progress=False).centres(), lambda: centres(run=False)),
    ):
        with pytest.raises(InputError):
            ask()


@pytest.mark.parametrize("classifier", ["3nn", "ridge", "svm", "own"])
def test_classifiers_of_other_outcomes_are_refused(classifier):
    X, target = simulated(np.random.default_rng(6), 40, 3)
    with pytest.raises(InputError):
        sc.Study(X, target, "cox_score", classifier=classifier)
    with pytest.raises(InputError):
        sc.Study(X, target, "mim")


def test_scores_without_features_and_without_pairs():
    _, target = simulated(np.random.default_rng(7), 400, 1, censored=0.01)
    curve, times = kaplan_meier(target), evaluation_times(target)
    square = np.array([0.0, *[s * (1 - s) for s in curve.at(times)]])  # all have the same curve, without censoring
    whole = np.trapezoid(square, [0, *times]) / times[-1]
    assert brier_without_features(target) == pytest.approx(whole, rel=0.05)
    assert all(np.isnan(value) for value in excess_over_guessing([], target, "harrell"))
    assert np.isnan(mean_scores([], target, ("harrell",))["harrell"])


def floors_of_shuffles(n_shuffles, n, d=60, k=6):
    """Return the values of n_shuffles shuffles of (time, event), and the closed form."""
    X, target = simulated(np.random.default_rng(8), n, d, tied=True)
    plan, values = sc.ComplementaryPairs(4), []
    for number in range(1, n_shuffles + 1):
        y = shuffled_outcome(target, None, 0, number)
        chosen = np.zeros((plan.n_runs, d), dtype=int)
        for run in range(plan.n_runs):
            rows = plan.resample(run, y, number).rows
            chosen[run, selector("cox_score").fit(X[rows], y[rows], rng=run, k=k).select(k)] = 1
        values.append(sc.stability(chosen).value)
    return np.array(values), noise_floor(plan, k, d)


@pytest.mark.parametrize(("n_shuffles", "n", "least", "errors"), [(25, 200, 0.8, 5), slow(200, 800, 0.93, 3)])
def test_closed_form_noise_floor_matches_shuffles(n_shuffles, n, least, errors):
    """Few rows give slightly less: 0.109 and 0.125 of 0.138, with 120 and 400 rows."""
    values, floor = floors_of_shuffles(n_shuffles, n)
    error = errors * values.std() / np.sqrt(n_shuffles)
    assert least * floor - error < values.mean() < floor + error


def studies(tables, weights, plan, n, d=10, k=3):
    """Return [(row of the accuracy table, p against chance)] of the Cox score on simulated tables, and mean concordance."""
    found = []
    for seed in range(tables):
        X, target = simulated(np.random.default_rng([9, seed]), n, d, weights)
        result = sc.Study(X, target, "cox_score", plan=plan, k=k, random_state=seed, n_permutations=0).run(n_jobs=1, progress=False)
        found.append((result.accuracy().iloc[0], excess_over_guessing(result.finished_tasks("cox_score"), target, "harrell")[2]))
    return found


def share_covered(found, score):
    mean = np.mean([row[score] for row, _ in found])
    return np.mean([row[f"{score}_low"] <= mean <= row[f"{score}_high"] for row, _ in found])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plan", "weights"),
    [
        *((sc.ComplementaryPairs(10), weights) for weights in ((), (0.5, 0.5))),
        *((sc.Subsample(20, 0.1), ()), (sc.RepeatedKFold(5, 4), (0.5, 0.5)), (sc.Bootstrap(20), ())),
    ],
)
def test_intervals_cover_the_mean_over_tables(plan, weights):
    found = studies(100, weights, plan, 100)
    for score in ("harrell", "uno", "brier"):
        assert share_covered(found, score) >= 0.9, score
    if not weights:
        assert np.mean([p < 0.05 for _, p in found]) <= 0.09


def test_intervals_and_false_alarms_in_few_tables():
    found = studies(12, (), sc.ComplementaryPairs(5), 60, 6)
    assert share_covered(found, "harrell") >= 0.75 and np.mean([p < 0.05 for _, p in found]) <= 0.25


def test_shuffles_keep_time_and_event_together():
    _, target = simulated(np.random.default_rng(5), 50, 1)
    other, by_patient = shuffled_outcome(target, None, 0, 1), shuffled_outcome(target, np.arange(50) // 5, 0, 1)
    assert sorted(other.tolist()) == sorted(target.tolist()) and (other != target).any()
    assert sorted(by_patient.reshape(10, 5).tolist()) == sorted(target.reshape(10, 5).tolist())
