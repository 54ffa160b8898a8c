"""Comparisons of predictions: published values, slow versions, false alarms, detectable differences, and groups."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from guessing_support import CLEARLY_BETTER, false_alarms
from guessing_support import tasks as outcomes_of_noise
from interval_support import equal_selectors
from noise_support import EQUALS, predictions, tasks
from scipy.stats import norm, t
from support import slow

import stabcore as sc
from stabcore.base.holm import holm
from stabcore.inference.comparison import sign_flip_p_value
from stabcore.inference.predictions import (
    COLUMNS,
    calibration,
    compare_predictions,
    indistinguishable,
    maximal_groups,
    p_value_at_double_variance,
)
from stabcore.study.performance import beats_guessing
from stabcore.study.run_scores import excess_over_guessing


def table(both, first, second, neither):
    """Two selectors' 2 × 2 table as the outcomes of a 3-fold cross-validation."""
    a = np.repeat([True, True, False, False], [both, first, second, neither])
    b = np.repeat([True, False, True, False], [both, first, second, neither])
    order = np.random.default_rng(0).permutation(len(a))
    target = np.arange(len(a)) % 2
    folds = np.array_split(order, 3)
    return (*(tasks([hit[rows] for rows in folds], folds, target) for hit in (a, b)), target)


def drawn(rng, n=30, runs=12, left_out=9):
    """Two selectors over subsamples, rows predicted several times."""
    target = rng.integers(0, 2, n)
    held_out = [rng.permutation(n)[:left_out] for _ in range(runs)]
    chance = rng.random((2, n))
    return target, *(tasks([rng.random(left_out) < chance[i][rows] for rows in held_out], held_out, target) for i in (0, 1))


# ---- one pair ----


@pytest.mark.parametrize(
    ("cells", "p"),
    [
        *(((59, 6, 16, 80), 0.0525), ((101, 59, 121, 33), 4.434e-6), ((794, 150, 86, 570), 3.716e-5)),
        *(((7, 1, 5, 3), 0.21875), ((3, 4, 4, 3), 1.0), ((0, 0, 5, 0), 0.0625)),
    ],
)
def test_known_tables(cells, p):
    first, second, target = table(*cells)
    found = compare_predictions(first, second, target)
    assert (found.first_ahead, found.second_ahead) == cells[1:3] and found.test == "McNemar" and not found.note
    assert found.p_value == pytest.approx(p_value_at_double_variance(p), rel=1e-3) == 2 * norm.sf(norm.isf(p / 2) / 2**0.5)
    assert found.difference == pytest.approx((cells[1] - cells[2]) / sum(cells))
    back = compare_predictions(second, first, target)
    assert (back.first_ahead, back.second_ahead, back.p_value) == (cells[2], cells[1], found.p_value)
    assert (back.difference, back.low, back.high) == pytest.approx((-found.difference, -found.high, -found.low))


@pytest.mark.parametrize("cells", [(59, 6, 16, 80), (0, 3, 0, 9)])
def test_the_interval_adds_one_unit_to_each_count(cells):
    """Bonett and Price: (b + 1)/(n + 2) − (c + 1)/(n + 2), with twice the variance of these shares and Student's t."""
    found = compare_predictions(*table(*cells))
    b, c = ((count + 1) / (sum(cells) + 2) for count in cells[1:3])
    se = np.sqrt(2 * (b + c - (b - c) ** 2) / (sum(cells) + 2))
    half = t.ppf(0.975, sum(cells) + 1) * se
    assert (found.low, found.high, found.se) == pytest.approx((b - c - half, b - c + half, se))


def by_hand(first, second, target, unit):
    """Mean difference of each unit, from predictions one by one."""
    lead = {}
    for run_a in first:
        for run_b in second:
            if run_a.run == run_b.run and run_a.predicted is not None and run_b.predicted is not None:
                for row, p, q in zip(run_a.held_out, run_a.predicted, run_b.predicted, strict=True):
                    lead.setdefault(unit[row], []).append(int(p == target[row]) - int(q == target[row]))
    return np.array([np.mean(leads) for leads in lead.values()])


def test_each_row_or_patient_counts_once_by_its_mean():
    rng = np.random.default_rng(0)
    target, first, second = drawn(rng)
    patients = rng.integers(0, 9, 30)
    for unit, argument in ((range(30), None), (patients, patients)):
        found, mean = compare_predictions(first, second, target, argument), by_hand(first, second, target, unit)
        assert (found.first_ahead, found.second_ahead) == ((mean > 0).sum(), (mean < 0).sum()) and found.units == len(mean)
        assert found.difference == pytest.approx(mean.mean()) and found.test == "sign-flip"
        assert found.p_value == pytest.approx(p_value_at_double_variance(sign_flip_p_value(mean)))
        assert found.low < found.difference < found.high
    assert found.units <= 9


def test_only_common_runs_count():
    target, first, second = drawn(np.random.default_rng(2))
    again = [
        [*runs, *(SimpleNamespace(run=o.run + 99, held_out=o.held_out, predicted=o.predicted) for o in runs)]
        for runs in (first, second)
    ]
    assert compare_predictions(*again, target) == compare_predictions(first[::-1], second, target)
    second[3] = SimpleNamespace(run=3, held_out=first[3].held_out, predicted=None)
    found = compare_predictions(first[2:], second[:8], target)
    assert found == compare_predictions([first[i] for i in (2, 4, 5, 6, 7)], [second[i] for i in (2, 4, 5, 6, 7)], target)


def test_equal_predictions_and_no_predictions():
    target, first, _ = drawn(np.random.default_rng(3))
    same = compare_predictions(first, first, target)
    assert same.p_value == 1 and same.first_ahead == same.second_ahead == 0 and "same rows" in same.note
    assert same.low < -0.05 and same.high > 0.05, "equal predictions on few rows do not exclude a difference"
    silent = [SimpleNamespace(run=o.run, held_out=o.held_out, predicted=None) for o in first]
    for other in (silent, [], [SimpleNamespace(run=0, held_out=np.zeros(0, int), predicted=np.zeros(0, int))]):
        found = compare_predictions(first, other, target)
        assert np.isnan([found.p_value, found.difference, found.low]).all() and found.note


def test_runs_of_two_studies_are_refused():
    target, first, second = drawn(np.random.default_rng(4))
    second[5] = SimpleNamespace(run=5, held_out=np.sort(second[5].held_out), predicted=second[5].predicted)
    with pytest.raises(sc.InputError):
        compare_predictions(first, second, target)


@pytest.mark.parametrize(
    ("plan", "kind"),
    [
        ("kfold", "unsteady"),
        *(slow(plan, "unsteady") for plan in ("once", "subsample", "bootstrap")),
        *(slow("kfold", kind) for kind in EQUALS[1:]),
    ],
)
def test_selectors_of_equal_accuracy_rarely_differ(plan, kind):
    """A majority vote per row would differ in 81 of 100 tables (bootstrap) and in 37 (repeated folds)."""
    rng, differ, missed = np.random.default_rng([7, *map(ord, plan + kind)]), 0, 0
    for _ in range(100):
        found = compare_predictions(*predictions(rng, plan, kind, n=300))
        differ += found.p_value < 0.05
        missed += not found.low <= 0 <= found.high
    assert differ <= 12 and missed <= 12  # 5 are expected, more than 12 have probability 1/700


def test_models_of_equal_selectors_rarely_differ_without_signal():
    """Every row also trains the models of others. McNemar's test alone had p < 0.05 in 20 of 100 tables."""
    p = equal_selectors(sc.RepeatedKFold(10, 3), 80, "predictions")
    assert (p < 0.05).mean() <= 0.12


def test_the_detectable_difference():
    """0.90 against 0.80 with 100 rows and 28 pairs is nearly always missed. The detectable difference is about 0.31."""
    rng = np.random.default_rng(9)

    def simulated(other):
        found = [compare_predictions(*predictions(rng, "once", "unsteady", n=100, chances=(0.9, other))) for _ in range(60)]
        return np.mean([result.p_value < 0.05 / 28 for result in found]), np.mean([result.detectable(28) for result in found])

    seen, smallest = simulated(0.8)
    assert seen < 0.25 and smallest == pytest.approx(0.31, abs=0.03)
    seen, smallest = simulated(0.56)
    assert smallest == pytest.approx(0.36, abs=0.03) and seen >= 0.65, "a difference of this size is detected in about 8 of 10"
    few = compare_predictions(*predictions(rng, "once", "unsteady", n=20))
    assert np.isinf(few.detectable(28)) and few.detectable() < 1 and np.isnan(compare_predictions([], [], np.zeros(3)).detectable())


# ---- all selectors of a study ----


def study(rng, chances, n=80, runs=10):
    target = rng.integers(0, 2, n)
    held_out = np.array_split(rng.permutation(n), runs)
    return {
        label: tasks([rng.random(len(rows)) < chance for rows in held_out], held_out, target) for label, chance in chances.items()
    }, target


def test_all_pairs_with_holms_correction():
    by_label, target = study(np.random.default_rng(0), {"a": 0.9, "b": 0.85, "c": 0.6})
    patients = np.arange(80) // 2
    for who in (None, patients):
        found, _ = indistinguishable(by_label, target, who)
        assert list(found.columns) == list(COLUMNS)
        assert list(zip(found["first"], found["second"], strict=True)) == list(combinations("abc", 2))
        for row in found.itertuples():
            comparison = compare_predictions(by_label[row.first], by_label[row.second], target, who)
            for part in ("difference", "low", "high", "p_value", "units", "first_ahead", "second_ahead", "test", "note"):
                assert getattr(row, part) == getattr(comparison, part), part
            assert row.detectable == comparison.detectable(3) > comparison.detectable()
        np.testing.assert_array_equal(found["p_holm"], holm(found["p_value"].to_numpy()))
        assert set(found["test"]) == {"McNemar" if who is None else "sign-flip"}


@pytest.mark.parametrize(("seed", "level"), [(0, 0.05), (1, 0.6)])
def test_groups_are_the_largest_sets_of_indistinguishable_selectors(seed, level):
    labels = dict(zip("abcdef", np.linspace(0.95, 0.55, 6), strict=True))
    by_label, target = study(np.random.default_rng(seed), labels)
    found, groups = indistinguishable(by_label, target, level=level)
    alike = {frozenset(pair) for *pair, p in zip(found["first"], found["second"], found["p_holm"], strict=True) if p >= level}
    assert sorted(map(sorted, groups)) == sorted(map(sorted, maximal_groups(list(labels), alike)))
    errors = {label: sum((run.predicted != target[run.held_out]).sum() for run in runs) for label, runs in by_label.items()}
    assert min(errors, key=errors.get) in groups[0] or errors[groups[0][0]] == min(errors.values())
    assert [errors[group[0]] for group in groups] == sorted(errors[group[0]] for group in groups)
    assert all([errors[label] for label in group] == sorted(errors[label] for label in group) for group in groups)


def test_all_largest_sets_are_found_in_order():
    labels = list("gfedcba")
    for seed in range(20):
        rng = np.random.default_rng(seed)
        alike = {frozenset(pair) for pair in combinations(labels, 2) if rng.random() < 0.2 + 0.04 * seed}
        every = [
            combination
            for size in range(1, 8)
            for combination in combinations(labels, size)
            if all(frozenset(pair) in alike for pair in combinations(combination, 2))
        ]
        largest = [labels_alike for labels_alike in every if not any(set(labels_alike) < set(larger) for larger in every)]
        assert maximal_groups(labels, alike) == sorted(largest, key=lambda group: [labels.index(name) for name in group])
    numbers = list(range(40))  # nearly all are alike, so a search through every subset would not end
    alike = {frozenset(pair) for pair in combinations(numbers, 2)} - {frozenset((0, number)) for number in range(1, 5)}
    assert maximal_groups(numbers, alike) == [(0, *numbers[5:]), tuple(numbers[1:])]


def test_selectors_without_common_predictions_have_no_result():
    by_label, target = study(np.random.default_rng(1), {"a": 0.9, "b": 0.9, "silent": 0.5})
    by_label["silent"] = [SimpleNamespace(run=0, held_out=np.arange(3), predicted=None)]
    found, groups = indistinguishable(by_label, target)
    assert groups == [("a", "b")] or groups == [("b", "a")]
    row = found.set_index(["first", "second"]).loc[("a", "silent")]
    assert np.isnan(row["p_value"]) and np.isnan(row["p_holm"]) and "No run" in row["note"]
    assert found["p_holm"][0] == found["p_value"][0]  # the pairs without a test are not corrected for
    by_label["b"], by_label["silent"] = by_label["b"][:5], by_label["b"][5:]
    assert all(len(group) == 2 and "a" in group for group in indistinguishable(by_label, target)[1])
    assert indistinguishable({"a": by_label["a"]}, target)[1] == []
    nothing, groups = indistinguishable({}, target)
    assert nothing.empty and list(nothing.columns) == list(COLUMNS) and groups == []


# ---- better than always naming the larger class ----


def halves(target, right, random_state=0, runs=6):
    """Outcomes of runs that hold out a random half and predict each row correctly with this probability."""
    rng, n = np.random.default_rng(random_state), len(target)
    made = []
    for _ in range(runs):
        held = np.sort(rng.permutation(n)[: n // 2])
        hit = rng.random(len(held)) < right
        predicted = np.where(hit, target[held], 1 - target[held])
        probability = np.column_stack([1 - predicted, predicted]).astype(float)
        made.append(SimpleNamespace(held_out=held, predicted=predicted, probability=probability))
    return made


def test_the_excess_equals_a_plain_count():
    target = np.repeat([0, 1], [30, 10])
    done = halves(target, 0.7)
    accuracy = np.mean([np.mean(task.predicted == target[task.held_out]) - np.mean(target[task.held_out] == 0) for task in done])
    assert excess_over_guessing(done, target, "accuracy")[0] == pytest.approx(accuracy)
    by_patient = excess_over_guessing(done, target, "accuracy", np.arange(40) // 2)
    assert by_patient[1] != excess_over_guessing(done, target, "accuracy")[1]
    truth, said = (np.concatenate(parts) for parts in zip(*((target[task.held_out], task.predicted) for task in done), strict=True))
    by_class = [np.mean(said[truth == number] == number) for number in (0, 1)]
    assert excess_over_guessing(done, target, "balanced_accuracy")[0] == pytest.approx(np.mean(by_class) - 0.5)


def test_one_run_of_all_rows_has_twice_the_variance_of_delong():
    rng = np.random.default_rng(1)
    target, risk = np.repeat([0, 1], [25, 15]), rng.random(40) + np.repeat([0, 0.3], [25, 15])
    done = [
        SimpleNamespace(held_out=np.arange(40), predicted=(risk > 0.6).astype(int), probability=np.column_stack([1 - risk, risk]))
    ]
    excess, se, p = excess_over_guessing(done, target, "auc")
    pairs = risk[target == 1][:, None] > risk[target == 0][None, :]
    assert excess == pytest.approx(pairs.mean() - 0.5)
    parts = [side - side.mean() for side in (pairs.mean(axis=1), pairs.mean(axis=0))]
    delong = sum((side**2).sum() / len(side) / (len(side) - 1) for side in parts)
    assert se**2 == pytest.approx(2 * delong) and p == pytest.approx(t.sf(excess / se, 14))


@pytest.mark.parametrize("kind", ["independent", slow("blocks"), slow("one factor")])
def test_useless_classifiers_are_better_in_about_5_of_100_tables(kind):
    """bench_guessing.py is the longer version, with 1 to 9 of 100 for every plan and classifier."""
    assert false_alarms(sc.ComplementaryPairs(10), kind, tables=30, random_state=4) <= 0.2  # P(more than 6 of 30 at 8%) = 1%
    assert false_alarms(sc.ComplementaryPairs(10), kind, tables=4, random_state=5, effect=1.5) == 1


def result_of(outcomes_of, target, classes=("a", "b")):
    """A result with these outcomes of each selector."""
    return SimpleNamespace(
        finished_selectors=list(outcomes_of), target=target, classes=classes, patients=None, finished_tasks=outcomes_of.__getitem__
    )


def test_p_values_are_corrected_and_baselines_left_out():
    target = np.repeat([0, 1], 30)
    made = {"good": halves(target, 0.8, 1, 20), "useless": halves(target, 0.5, 2, 20), "random": halves(target, 0.9, 3, 20)}
    result = result_of(made, target)
    frame = beats_guessing(result, "balanced_accuracy")
    assert list(frame.index) == ["good", "useless"] and frame["better"].tolist() == [True, False]
    low = frame["p_value"].min()
    assert frame.loc["good", "p_holm"] == pytest.approx(min(2 * low, 1)) and (frame["guess"] == 0.5).all()
    assert frame["value"].tolist() == pytest.approx([0.8, 0.5], abs=0.1) and CLEARLY_BETTER == 0.05
    with pytest.raises(sc.InputError):
        beats_guessing(result, "brier")


def test_numeric_outcomes_and_few_rows_have_no_result():
    assert beats_guessing(result_of({"a": []}, np.array([0.5, 0.7]), classes=()), "accuracy").empty
    target = np.repeat([0, 1], 5)
    few = [SimpleNamespace(held_out=np.array([0, 1, 5]), predicted=np.array([0, 0, 1]), probability=None)]
    assert np.isnan(excess_over_guessing(few, target)).all() and np.isnan(excess_over_guessing([], target)).all()
    frame = beats_guessing(result_of({"a": few}, target), "accuracy")
    assert frame["better"].isna().all()
    X = np.random.default_rng(0).normal(size=(20, 5))
    assert len(outcomes_of_noise(sc.ComplementaryPairs(2), X, np.repeat([0, 1], 10), 0, "mean", 2)) == 4


def test_calibration_is_a_local_mean():
    rng = np.random.default_rng(1)
    chances = rng.random(4000)
    curve = calibration(chances, rng.random(4000) < chances, [0.2, 0.5, 0.8])
    assert curve == pytest.approx([0.2, 0.5, 0.8], abs=0.05)
    near = [0.45, 0.5, 0.9]
    weights = [(1 - 0.5**3) ** 3, 1.0]
    assert calibration(near, [1, 0, 1], [0.5])[0] == pytest.approx(weights[0] / sum(weights))
    assert np.isnan(calibration(near, [1, 0, 1], [0.1])[0])
