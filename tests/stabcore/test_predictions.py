"""McNemar's test: published numbers, a slow version row by row, its level when rows are predicted over and over, and groups."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binomtest
from stabcore.mcnemar import COLUMNS, indistinguishable, mcnemar

import stabcore as sc
from stabcore.comparison import holm


def outcomes(hits, held_out, target):
    """One outcome a run: rows held out, predicted rightly where hits say so."""
    return [SimpleNamespace(run=run, held_out=np.asarray(rows), predicted=np.where(hit, target[rows], 1 - target[rows]))
            for run, (hit, rows) in enumerate(zip(hits, held_out, strict=True))]


def table(both, first, second, neither):
    """Two selectors' 2 × 2 table as the outcomes of a 3-fold cross-validation."""
    a = np.repeat([True, True, False, False], [both, first, second, neither])
    b = np.repeat([True, False, True, False], [both, first, second, neither])
    order = np.random.default_rng(0).permutation(len(a))
    target = np.arange(len(a)) % 2
    folds = np.array_split(order, 3)
    return (*(outcomes([hit[rows] for rows in folds], folds, target) for hit in (a, b)), target)


def drawn(rng, n=30, runs=12, left_out=9):
    """Two selectors over subsamples, rows predicted several times."""
    target = rng.integers(0, 2, n)
    held_out = [rng.permutation(n)[:left_out] for _ in range(runs)]
    chance = rng.random((2, n))
    return target, *(outcomes([rng.random(left_out) < chance[one][rows] for rows in held_out], held_out, target) for one in (0, 1))


# ---- one pair ----

@pytest.mark.parametrize(("cells", "p"), [
    ((59, 6, 16, 80), 0.0525), ((101, 59, 121, 33), 4.434e-6), ((794, 150, 86, 570), 3.716e-5), ((7, 1, 5, 3), 0.21875),
    ((3, 4, 4, 3), 1.0), ((0, 0, 5, 0), 0.0625)])
def test_known_tables(cells, p):
    first, second, target = table(*cells)
    found = mcnemar(first, second, target)
    assert (found.only_first_right, found.only_second_right) == cells[1:3] and not found.note
    assert found.p == pytest.approx(p, rel=1e-3)
    back = mcnemar(second, first, target)
    assert (back.only_first_right, back.only_second_right, back.p) == (cells[2], cells[1], found.p)


def by_hand(first, second, target, unit):
    """Each unit's runs counted one prediction after another."""
    lead = dict.fromkeys(unit, 0)
    for one in first:
        for other in second:
            if one.run == other.run and one.predicted is not None and other.predicted is not None:
                for row, p, q in zip(one.held_out, one.predicted, other.predicted, strict=True):
                    lead[unit[row]] += int(p == target[row]) - int(q == target[row])
    b, c = sum(v > 0 for v in lead.values()), sum(v < 0 for v in lead.values())
    return b, c, binomtest(b, b + c).pvalue if b + c else 1.0


@pytest.mark.parametrize("seed", range(8))
def test_a_row_counts_once_and_so_does_a_patient(seed):
    rng = np.random.default_rng(seed)
    target, first, second = drawn(rng)
    patients = rng.integers(0, 9, 30)
    for unit, argument in ((range(30), None), (patients, patients)):
        found = mcnemar(first, second, target, argument)
        b, c, p = by_hand(first, second, target, unit)
        assert (found.only_first_right, found.only_second_right) == (b, c) and found.p == pytest.approx(p)
    assert found.only_first_right + found.only_second_right <= 9


def test_saying_everything_twice_changes_nothing():
    target, first, second = drawn(np.random.default_rng(1))
    again = [[*one, *(SimpleNamespace(run=o.run + 99, held_out=o.held_out, predicted=o.predicted) for o in one)]
             for one in (first, second)]
    assert mcnemar(*again, target) == mcnemar(first, second, target)
    assert mcnemar(first[::-1], second, target) == mcnemar(first, second, target)


def test_only_runs_that_both_have():
    target, first, second = drawn(np.random.default_rng(2))
    second[3] = SimpleNamespace(run=3, held_out=first[3].held_out, predicted=None)
    found = mcnemar(first[2:], second[:8], target)
    assert found == mcnemar([first[i] for i in (2, 4, 5, 6, 7)], [second[i] for i in (2, 4, 5, 6, 7)], target)


def test_never_apart_and_nothing_predicted():
    target, first, _ = drawn(np.random.default_rng(3))
    same = mcnemar(first, first, target)
    assert same.p == 1 and same.only_first_right == same.only_second_right == 0 and "same rows" in same.note
    silent = [SimpleNamespace(run=o.run, held_out=o.held_out, predicted=None) for o in first]
    for other in (silent, [], [SimpleNamespace(run=0, held_out=np.zeros(0, int), predicted=np.zeros(0, int))]):
        found = mcnemar(first, other, target)
        assert np.isnan(found.p) and found.note == "No run has predictions of both."


def test_leads_that_cancel_are_no_difference():
    target = np.array([0, 1])
    first = outcomes([[True, True], [False, False]], [[0, 1]] * 2, target)
    second = outcomes([[False, False], [True, True]], [[0, 1]] * 2, target)
    found = mcnemar(first, second, target)
    assert found.p == 1 and "as often" in found.note


def test_runs_of_two_studies_are_refused():
    target, first, second = drawn(np.random.default_rng(4))
    second[5] = SimpleNamespace(run=5, held_out=np.sort(second[5].held_out), predicted=second[5].predicted)
    with pytest.raises(sc.InputError, match="Run 5 of the two selectors holds out different rows"):
        mcnemar(first, second, target)


def test_the_level_holds_when_rows_are_predicted_over_and_over():
    """Neither selector is better, but each errs on rows of its own in nearly every run: pooled, that looks like a difference."""
    rng = np.random.default_rng(7)
    n, runs, trials = 60, 40, 400
    target = np.zeros(n, dtype=int)
    rejected, pooled = 0, 0
    for _ in range(trials):
        chance = rng.permuted(np.tile([[0.9], [0.2]], n), axis=0)       # each row suits one of the two
        held_out = [rng.permutation(n)[:12] for _ in range(runs)]
        first, second = (outcomes([rng.random(12) < chance[one][rows] for rows in held_out], held_out, target) for one in (0, 1))
        rejected += mcnemar(first, second, target).p < 0.05
        hit, other = (np.concatenate([one.predicted == 0 for one in side]) for side in (first, second))
        b, c = int((hit & ~other).sum()), int((~hit & other).sum())
        pooled += binomtest(b, b + c).pvalue < 0.05
    assert rejected <= trials * 0.05 + 3 * np.sqrt(trials * 0.05 * 0.95)
    assert rejected > 0
    assert pooled > 0.2 * trials


def test_a_real_difference_is_found():
    rng = np.random.default_rng(8)
    target = np.zeros(80, dtype=int)
    held_out = [rng.permutation(80)[:16] for _ in range(30)]
    good, bad = (outcomes([rng.random(16) < chance for _ in held_out], held_out, target) for chance in (0.9, 0.6))
    found = mcnemar(good, bad, target)
    assert found.p < 1e-6 and found.only_first_right > 5 * found.only_second_right


# ---- all selectors of a study ----

def study(rng, chances, n=80, runs=10):
    target = rng.integers(0, 2, n)
    held_out = np.array_split(rng.permutation(n), runs)
    return {label: outcomes([rng.random(len(rows)) < chance for rows in held_out], held_out, target)
            for label, chance in chances.items()}, target


def test_all_pairs_with_holms_correction():
    by_label, target = study(np.random.default_rng(0), {"a": 0.9, "b": 0.85, "c": 0.6})
    patients = np.arange(80) // 2
    for who in (None, patients):
        found, _ = indistinguishable(by_label, target, who)
        assert list(found.columns) == list(COLUMNS)
        assert list(zip(found["first"], found["second"], strict=True)) == list(combinations("abc", 2))
        for row in found.itertuples():
            one = mcnemar(by_label[row.first], by_label[row.second], target, who)
            assert (row.only_first_right, row.only_second_right, row.p) == (one.only_first_right, one.only_second_right, one.p)
        np.testing.assert_array_equal(found["p_holm"], holm(found["p"].to_numpy()))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("level", [0.05, 0.6])
def test_groups_are_the_largest_sets_of_labels_alike(seed, level):
    labels = dict(zip("abcdef", np.linspace(0.95, 0.55, 6), strict=True))
    by_label, target = study(np.random.default_rng(seed), labels)
    found, groups = indistinguishable(by_label, target, level=level)
    p = {frozenset(pair): value for *pair, value in zip(found["first"], found["second"], found["p_holm"], strict=True)}
    alike = [set(members) for size in range(1, 7) for members in combinations(labels, size)
             if all(p[frozenset(pair)] >= level for pair in combinations(members, 2))]
    largest = {frozenset(one) for one in alike if not any(one < other for other in alike)}
    assert {frozenset(group) for group in groups} == largest and len(groups) == len(largest)
    errors = {label: sum((one.predicted != target[one.held_out]).sum() for one in runs) for label, runs in by_label.items()}
    assert min(errors, key=errors.get) in groups[0] or errors[groups[0][0]] == min(errors.values())
    assert [errors[group[0]] for group in groups] == sorted(errors[group[0]] for group in groups)
    assert all([errors[one] for one in group] == sorted(errors[one] for one in group) for group in groups)


def test_a_selector_without_predictions_is_in_no_group():
    by_label, target = study(np.random.default_rng(1), {"a": 0.9, "b": 0.9, "silent": 0.5})
    by_label["silent"] = [SimpleNamespace(run=0, held_out=np.arange(3), predicted=None)]
    found, groups = indistinguishable(by_label, target)
    assert groups == [("a", "b")] or groups == [("b", "a")]
    row = found.set_index(["first", "second"]).loc[("a", "silent")]
    assert np.isnan(row["p"]) and np.isnan(row["p_holm"]) and "No run" in row["note"]
    assert found["p_holm"][0] == found["p"][0]                # the pairs without a test are not corrected for
    assert indistinguishable({"a": by_label["a"]}, target)[1] == [("a",)]
    nothing, groups = indistinguishable({}, target)
    assert nothing.empty and list(nothing.columns) == list(COLUMNS) and groups == []
