"""Scores on held-out rows: against plain loops and scikit-learn, for every plan, and without predictions."""

from types import SimpleNamespace

import numpy as np
import pytest
from interval_support import equal_selectors, simulated_accuracies
from scipy.stats import spearmanr, t
from sklearn.metrics import accuracy_score, balanced_accuracy_score, roc_auc_score
from support import slow

import stabcore as sc
from stabcore.study.performance import SCORES, compare_scores
from stabcore.study.run_scores import mean_scores


def scored(done, target, patients=None):
    return mean_scores(done, target, SCORES, patients)


def outcome(run, held_out, target, rng, classes=2, right=0.7):
    """A finished run that predicts this share of rows correctly."""
    truth = target[held_out]
    predicted = np.where(rng.random(len(truth)) < right, truth, rng.integers(0, classes, len(truth)))
    score = rng.dirichlet(np.ones(classes), len(truth)) / 2 + np.eye(classes)[predicted] / 2
    return SimpleNamespace(
        run=run,
        held_out=np.asarray(held_out),
        predicted=predicted,
        probability=score.ravel(),
        selected=np.arange(run % 3 + 1),
        seconds=run / 2,
    )


def unpredicted(run):
    rows = np.zeros(0, dtype=int)
    nothing = None if run % 2 else rows
    return SimpleNamespace(run=run, selected=np.arange(5), seconds=1, held_out=rows, predicted=nothing, probability=nothing)


def balanced(done, target, classes):
    """Mean over classes of the share of correct predictions in all runs, by plain loops."""
    truth, said = (np.concatenate(parts) for parts in zip(*((target[task.held_out], task.predicted) for task in done), strict=True))
    return sum((said[truth == c] == c).mean() for c in range(classes)) / classes


SCORE_OF = {  # by scikit-learn
    "accuracy": lambda task, target: accuracy_score(target[task.held_out], task.predicted),
    "balanced_accuracy": lambda task, target: balanced_accuracy_score(target[task.held_out], task.predicted),
    "auc": lambda task, target: roc_auc_score(target[task.held_out], task.probability.reshape(-1, 2)[:, 1]),
}


def folds(target, n_folds, rng):
    return [outcome(run, part, target, rng) for run, part in enumerate(np.array_split(rng.permutation(len(target)), n_folds))]


def interval(values, ratio, added=0.0, instead=None):
    """Corrected t interval of Nadeau and Bengio, with an added variance or another one, by plain loops."""
    m = len(values)
    spread = sum((v - sum(values) / m) ** 2 for v in values) / (m - 1)
    half = t.ppf(0.975, m - 1) * ((1 / m + ratio) * spread + added if instead is None else instead + spread / m) ** 0.5
    return max(0, sum(values) / m - half), min(1, sum(values) / m + half)


def test_folds_are_scored_one_by_one():
    rng = np.random.default_rng(0)
    target = np.arange(60) % 2  # every fold holds out equal numbers of both classes
    done = [outcome(run, rng.permutation(10) + 10 * run, target, rng) for run in range(6)]
    row = scored(done, target)
    for score, of in SCORE_OF.items():
        values = [of(task, target) for task in done]
        assert row[score] == pytest.approx(np.mean(values))
        assert (row[f"{score}_low"], row[f"{score}_high"]) == pytest.approx(interval(values, 1 / 5))  # 1/(N − 1)
    assert (row["scored_runs"], row["auc_runs"]) == (6, 6)


def test_subsamples_use_held_out_over_learned():
    rng = np.random.default_rng(1)
    target = np.arange(40) % 2
    done = [outcome(run, rng.choice(40, 8, replace=False), target, rng) for run in range(12)]
    values = [SCORE_OF["accuracy"](task, target) for task in done]
    row = scored(done, target)
    share, held = np.mean(values), {row for task in done for row in task.held_out}
    of_row = [
        sum(
            (task.predicted[place] == target[row]) - share
            for task in done
            for place, other in enumerate(task.held_out)
            if other == row
        )
        for row in held
    ]
    alone = sum((total / (8 * 12)) ** 2 for total in of_row) * len(of_row) / (len(of_row) - 1)
    assert 2 < 12 * 8 / len(of_row) < 4
    assert (row["accuracy_low"], row["accuracy_high"]) == pytest.approx(interval(values, 8 / 32, alone))


def test_halves_count_patients_as_independent():
    rng = np.random.default_rng(4)
    target = np.arange(40) % 2
    done = [outcome(run, rng.choice(40, 20, replace=False), target, rng) for run in range(10)]
    values = [SCORE_OF["accuracy"](task, target) for task in done]
    row, share = scored(done, target), np.mean(values)

    def of_single(patient):
        """Variance over patients if each were predicted once: patient gives that of a row."""
        total = 0.0
        for one in {patient(row) for row in range(40)}:
            runs = [
                sum(
                    (task.predicted[place] == target[row]) - share for place, row in enumerate(task.held_out) if patient(row) == one
                )
                for task in done
                if one in map(patient, task.held_out)
            ]
            total += np.mean(np.square(runs)) / 40**2
        return total

    found = row["accuracy_low"], row["accuracy_high"]
    assert found == pytest.approx(interval(values, 1, instead=of_single(lambda row: row)))
    assert of_single(lambda row: row) == pytest.approx(share * (1 - share) / 40, rel=0.05)
    twice = scored(done, target, patients=np.arange(40) // 2)
    assert twice["accuracy"] == row["accuracy"]
    assert twice["accuracy_low"] == pytest.approx(interval(values, 1, instead=of_single(lambda row: row // 2))[0])
    area = [SCORE_OF["auc"](task, target) for task in done if len(set(target[task.held_out])) == 2]
    assert row["auc_low"] <= interval(area, 1)[0] + 1e-12


@pytest.mark.parametrize(
    "plan", [sc.Subsample(30, 0.1), sc.RepeatedKFold(10), slow(sc.Bootstrap(30)), slow(sc.ComplementaryPairs(15))]
)
def test_intervals_of_every_plan_cover_new_tables(plan):
    """Intervals cover the mean of 40 tables of 60 patients and 60 features, five of which differ by 0.6."""
    value, low, high = simulated_accuracies(plan, 40, 0.6, random_state=1).T
    held = ((low <= value.mean()) & (value.mean() <= high)).mean()
    assert held >= 0.85, held


def test_rare_class_counts_as_much_as_the_common_one():
    """Always predicting the common class has balanced accuracy 0.5, even if the rare class is rarely held out."""
    rng = np.random.default_rng(8)
    target = np.r_[np.ones(10, dtype=int), np.zeros(90, dtype=int)]
    done = [outcome(run, rng.choice(100, 10, replace=False), target, rng) for run in range(40)]
    for task in done:
        task.predicted[:] = 0
    row = scored(done, target)
    assert (row["balanced_accuracy"], row["balanced_accuracy_low"], row["balanced_accuracy_high"]) == pytest.approx((0.5, 0.5, 0.5))
    assert row["accuracy"] > 0.8


def test_too_few_patients_of_a_class_have_no_interval():
    rng = np.random.default_rng(8)
    for n, has in ((9, False), (10, True)):
        target = np.r_[np.ones(n, dtype=int), np.zeros(50, dtype=int)]
        row = scored([outcome(run, rng.permutation(len(target))[:30], target, rng) for run in range(20)], target)
        assert (
            np.isfinite([row[f"{score}_{end}"] for score in ("balanced_accuracy", "auc") for end in ("low", "high")]).all() == has
        )
        assert np.isfinite([row["accuracy_low"], row["auc"], row["balanced_accuracy"]]).all()
        patients = np.arange(len(target)) // 2  # half as many patients
        assert np.isnan(scored([outcome(0, np.arange(40), target, rng)] * 3, target, patients)["auc_low"])


def test_interval_of_balanced_accuracy_covers():
    """95% intervals cover the true value with independent held-out rows and a rare class in some runs only."""
    rng, hits, truth = np.random.default_rng(9), 0, (0.9 + 0.6) / 2
    for _ in range(100):
        done = []
        target = (rng.random(4000) < 0.15).astype(int)
        for run in range(40):
            held_out = np.arange(100 * run, 100 * run + 10)
            task = outcome(run, held_out, target, rng)
            right = rng.random(10) < np.where(target[held_out] == 1, 0.6, 0.9)
            task.predicted = np.where(right, target[held_out], 1 - target[held_out])
            done.append(task)
        row = scored(done, target)
        hits += row["balanced_accuracy_low"] <= truth <= row["balanced_accuracy_high"]
    assert 0.9 <= hits / 100 <= 0.99


@pytest.mark.parametrize("often", [0, 1, 3])
def test_a_class_never_held_out_has_no_balanced_accuracy(often):
    rng = np.random.default_rng(10)
    target, rows = np.r_[np.ones(20, dtype=int), np.zeros(60, dtype=int)], np.arange(4)
    done = [
        outcome(run, np.r_[rows + 4 * run if run < often else [], rows + 20 + 4 * run].astype(int), target, rng) for run in range(5)
    ]
    row = scored(done, target)
    assert np.isnan(row["balanced_accuracy"]) == (often == 0)
    assert np.isnan([row["balanced_accuracy_low"], row["balanced_accuracy_high"]]).all() == (often < 3)


def test_scores_with_missing_predictions_and_few_runs():
    rng = np.random.default_rng(3)
    target = np.r_[np.zeros(15, dtype=int), np.ones(15, dtype=int)]
    both = [outcome(run, rng.permutation(30)[:18], target, rng) for run in range(3)]
    alone = [outcome(3, [0, 1, 2], target, rng), outcome(4, [17], target, rng)]
    row = scored([*both, unpredicted(5), *alone], target)
    aucs = [SCORE_OF["auc"](task, target) for task in both]
    assert row["auc"] == pytest.approx(np.mean(aucs)) and (row["scored_runs"], row["auc_runs"]) == (5, 3)
    assert row["auc_low"] < interval(aucs, 18 / 12)[0] and row["auc_high"] <= 1  # over runs that have one
    assert row["balanced_accuracy"] == pytest.approx(balanced([*both, *alone], target, 2))
    assert np.isnan(scored(alone, target)["auc"])
    three = np.arange(60) % 3
    done = [outcome(run, rng.choice(60, 12, replace=False), three, rng, 3) for run in range(4)]
    row = scored(done, three)
    assert np.isnan([row["auc"], row["auc_low"], row["auc_high"]]).all() and row["auc_runs"] == 0
    assert row["balanced_accuracy"] == pytest.approx(balanced(done, three, 3))
    few = scored(done[:2], three)
    assert 0 <= few["accuracy"] <= 1 and np.isnan([few["accuracy_low"], few["accuracy_high"]]).all()
    nothing = scored([unpredicted(0)], np.arange(12) % 2)
    assert nothing.pop("scored_runs") == nothing.pop("auc_runs") == 0 and np.isnan(list(nothing.values())).all()
    always = scored([outcome(run, np.arange(run, 60, 3), three, rng, 3, right=1) for run in range(3)], three)
    assert (always["accuracy"], always["accuracy_low"], always["accuracy_high"]) == (1, 1, 1)


def variance_alone(score, first, second, target):
    """Variance of a difference of scores over rows that are predicted once, in runs of equal size and classes, by plain loops."""

    def of_row(task, place):
        row = task.held_out[place]
        if score != "auc":
            return float(task.predicted[place] == target[row])
        risk = np.asarray(task.probability).reshape(-1, 2)[:, 1]
        others = [risk[i] for i, other in enumerate(task.held_out) if target[other] != target[row]]
        above = np.mean([(risk[place] > other) + 0.5 * (risk[place] == other) for other in others])
        return above if target[row] == 1 else 1 - above

    of_class = {0: [], 1: []}
    for one, other in zip(first, second):
        for place, row in enumerate(one.held_out):
            of_class[target[row]].append(of_row(one, place) - of_row(other, place))
    if score == "accuracy":
        return np.var(of_class[0] + of_class[1], ddof=1) / 60
    share = 0.25 if score == "balanced_accuracy" else 1
    return sum(share * np.var(values, ddof=1) / len(values) for values in of_class.values())


@pytest.mark.parametrize("score", SCORES)
def test_a_difference_of_scores_is_paired_by_run(score):
    rng = np.random.default_rng(11)
    target = np.arange(60) % 2
    held_out = [rng.permutation(10) + 10 * run for run in range(6)]
    first, second = ([outcome(run, rows, target, rng, right=right) for run, rows in enumerate(held_out)] for right in (0.9, 0.5))
    values = np.array([SCORE_OF[score](a, target) - SCORE_OF[score](b, target) for a, b in zip(first, second)])
    found = compare_scores(first, second[::-1], target, score)
    alone = variance_alone(score, first, second, target)
    se = (2.5 * alone + values.var(ddof=1) / 6) ** 0.5
    assert (found.difference, found.se, found.n_runs) == (pytest.approx(values.mean()), pytest.approx(se), 6)
    half = t.ppf(0.975, 5) * se
    assert (found.low, found.high) == pytest.approx((values.mean() - half, values.mean() + half))
    assert found.p_value == pytest.approx(2 * t.sf(abs(values.mean()) / se, 5)) and not found.reason
    back = compare_scores(second, first, target, score)
    assert (back.difference, back.p_value) == pytest.approx((-found.difference, found.p_value))
    few = compare_scores(first[:3], second[1:], target, score)
    assert few.n_runs == 2 and np.isnan([few.low, few.p_value]).all() and "at least 3 runs" in few.reason


@pytest.mark.parametrize(
    ("plan", "score", "cases", "effect", "tables"),
    [
        (sc.Subsample(30, 0.1), "auc", 0.5, 0.0, 60),
        (sc.RepeatedKFold(10, 3), "auc", 0.1, 0.0, 60),
        *(
            slow(plan, score, cases, effect, 200)
            for plan in (sc.Subsample(50, 0.05), sc.RepeatedKFold(10, 5), sc.ComplementaryPairs(25))
            for score in SCORES
            for cases, effect in ((0.5, 0.0), (0.2, 0.7), (0.1, 0.0))
        ),
    ],
)
def test_equal_selectors_rarely_differ_clearly(plan, score, cases, effect, tables):
    """The correction of Nadeau and Bengio alone had p < 0.05 in 8 to 31 of 100 tables."""
    p = equal_selectors(plan, tables, score, effect, cases=cases)
    assert np.isfinite(p).all() and (p < 0.05).mean() <= 0.08 + 2 * (0.05 * 0.95 / tables) ** 0.5


def simulated_numbers(plan, tables, score, n=60, d=30, random_state=0):
    """Return (tables, 3): a score of a numeric outcome and its interval, by least squares on the five best of d features."""
    rows = []
    for table in range(tables):
        rng = np.random.default_rng([random_state, n, table])
        X = rng.normal(size=(n, d))
        y, done = X[:, :3].sum(axis=1) / 2 + rng.normal(size=n), []
        for run in range(plan.n_runs):
            drawn = plan.resample(run, y, table)
            A, b = X[drawn.rows], y[drawn.rows] - y[drawn.rows].mean()
            best = np.argsort(-np.abs(A.T @ b))[:5]
            weights = np.linalg.lstsq(A[:, best], b, rcond=None)[0]
            guess = y[drawn.rows].mean() + X[drawn.held_out][:, best] @ weights
            done.append(SimpleNamespace(run=run, held_out=drawn.held_out, probability=guess))
        scores = mean_scores(done, y, (score,))
        rows.append([scores[score], scores[f"{score}_low"], scores[f"{score}_high"]])
    return np.array(rows)


@pytest.mark.parametrize(
    ("plan", "score"),
    [
        (sc.Subsample(30, 0.05), "r2"),
        (sc.RepeatedKFold(10, 3), "mae"),
        *(slow(plan, score) for plan in (sc.Subsample(50, 0.1), sc.ComplementaryPairs(25)) for score in ("r2", "mae", "spearman")),
    ],
)
def test_intervals_of_scores_of_numbers_cover_new_tables(plan, score):
    """With three held-out rows, a mean of the R² of runs had an interval that covered in 50 of 100 tables."""
    value, low, high = simulated_numbers(plan, 80, score).T
    assert np.mean((low <= value.mean()) & (value.mean() <= high)) >= 0.88


@pytest.mark.parametrize("score", ["r2", "mae", "spearman"])
def test_scores_of_numbers_by_their_definition(score):
    rng = np.random.default_rng(15)
    y = rng.normal(size=40)
    held_out = [rng.permutation(40)[:size] for size in (4, 6, 9, 5)]
    done = [SimpleNamespace(held_out=rows, probability=y[rows] + rng.normal(size=len(rows))) for rows in held_out]
    errors = [[y[i] - guess for i, guess in zip(task.held_out, task.probability)] for task in done]
    means = [np.mean([y[i] for i in range(40) if i not in task.held_out]) for task in done]
    total = sum((y[i] - mean) ** 2 for task, mean in zip(done, means) for i in task.held_out)
    expected = {
        "r2": 1 - sum(error**2 for of_run in errors for error in of_run) / total,
        "mae": np.mean([np.mean(np.abs(of_run)) for of_run in errors]),
        "spearman": np.mean([spearmanr(y[task.held_out], task.probability).statistic for task in done]),
    }
    assert mean_scores(done, y, (score,))[score] == pytest.approx(expected[score])


def test_undefined_differences_of_scores_give_a_reason():
    rng = np.random.default_rng(12)
    target = np.arange(30) % 2
    done = folds(target, 5, rng)
    same = compare_scores(done, done, target)
    assert same.difference == 0 and np.isnan([same.low, same.p_value]).all() and "same in every run" in same.reason
    nothing = compare_scores(done, [unpredicted(run) for run in range(5)], target)
    assert np.isnan(nothing.difference) and "no run" in nothing.reason
    assert "no run" in compare_scores(done, done, np.arange(30) % 3, "auc").reason
    rare = compare_scores(done, folds(target, 5, rng), (np.arange(30) == 0).astype(int), "balanced_accuracy")
    assert np.isnan(rare.p_value) and "of each class" in rare.reason
    with pytest.raises(sc.InputError):
        compare_scores(done, done, target, "f1")
