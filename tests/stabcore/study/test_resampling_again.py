"""Few possible resamples: none comes again while others are left, and that is counted right."""

from collections import Counter

import numpy as np
import pytest
from study_support import resamples

import stabcore as sc
from stabcore.study import resampling
from stabcore.study.lots import without_repetition

SKEWED = np.repeat([0, 1, 2], [100, 15, 5])


# ---- few possible resamples ----

def marks(found):
    return [tuple(one.held_out) for one in found]


@pytest.mark.parametrize("rows", [1, 5])
def test_of_fourteen_patients_none_comes_again_while_others_are_left(rows):
    target, patients = np.repeat(np.arange(14) % 2, rows), np.repeat(np.arange(14), rows)
    found = marks(resamples(sc.Subsample(50), target, 1, patients))
    for first in range(0, 42, 14):
        assert len(set(found[first:first + 14])) == 14
    assert sorted(Counter(found).values()) == [3] * 6 + [4] * 8
    assert sc.Subsample(50).different(target, 1, patients) == 14 and sc.Subsample(9).different(target, 1, patients) == 9


def test_what_is_drawn_before_changes_no_run_and_a_run_can_be_made_alone():
    target = np.repeat([0, 1], [10, 3])
    found = marks(resamples(sc.Subsample(40, 0.1), target, 2))
    for run in (39, 17, 3, 0):
        without_repetition.cache_clear()
        assert tuple(sc.Subsample(40, 0.1).resample(run, target, 2).held_out) == found[run]
        assert tuple(sc.Subsample(run + 2, 0.1).resample(run, target, 2).held_out) == found[run]


def test_not_to_repeat_does_not_change_the_share_of_a_class():
    """Of 10 and 3 rows there are 10 ways to leave one out and 30 to leave two out, but a case is due in 3 runs of 10 only."""
    target, held = np.repeat([0, 1], [10, 3]), np.zeros(2)
    for seed in range(20):
        found = resamples(sc.Subsample(40, 0.1), target, seed)
        held += sum(np.bincount(target[one.held_out], minlength=2) for one in found)
        counted = Counter(marks(found))
        assert sorted(counted.values()) == [1] * 12 + [2] * 2 + [3] * 8
    assert held / 800 == pytest.approx([1, 0.3])


def test_halves_do_not_come_again_while_others_are_left():
    target = np.repeat([0, 1], [4, 2])                      # 6 · 2 / 2 ways to part them
    found = resamples(sc.Half(12), target, 3)
    pairs = [frozenset([tuple(a.rows), tuple(b.rows)]) for a, b in zip(found[::2], found[1::2])]
    assert len(set(pairs[:6])) == len(set(pairs[6:])) == 6 and set(Counter(pairs).values()) == {2}
    assert sc.Half(12).different(target, 3) == 12           # both halves of six pairs


@pytest.mark.parametrize("sizes", [(4, 2), (3, 4), (3, 3), (5, 2), (6,), (5,), (2, 2, 3)])
def test_the_ways_to_draw_are_counted_right(sizes):
    target = np.repeat(np.arange(len(sizes)), sizes)
    strata = [np.flatnonzero(target == c) for c in range(len(sizes))]
    rng = np.random.default_rng(0)
    for plan in (sc.Half(5), sc.Subsample(5, 0.2), sc.Subsample(5, 0.4)):
        seen = {frozenset(tuple(left) for _, left in plan.split(strata, rng)) for _ in range(3000)}
        assert plan._ways(strata) == pytest.approx(len(seen))


def test_draws_that_lose_a_class_are_no_dead_end_and_repeat_less_than_by_luck():
    target, first = np.repeat([0, 1], [4, 2]), []           # 14 of the 15 ways to leave two out keep both classes
    for seed in range(20):
        found = marks(resamples(sc.Subsample(56, 0.34, stratified=False), target, seed))
        assert len(set(found)) == 14 and max(Counter(found).values()) <= 6
        first.append(len(set(found[:14])))
    assert np.mean(first) > 11                              # by luck 14 · (1 − (13/14)¹⁴) = 9.0


def test_a_draw_that_cannot_keep_the_classes_fails_alone():
    target, failed = np.repeat([0, 1], [99, 1]), 0          # two of 100 are learned from, seldom the only one of its class
    for run in range(40):
        try:
            assert target[sc.Subsample(40, 0.98, stratified=False).resample(run, target, 1).rows].tolist() == [0, 1]
        except sc.InputError:
            failed += 1
    assert 0 < failed < 20


def test_where_no_draw_comes_again_every_one_is_the_first_of_its_stream(monkeypatch):
    target = np.repeat([0, 1], [40, 20])                    # 2 and 1 of them: 15 600 ways
    for plan in (sc.Subsample(20), sc.Half(10)):
        usual = marks(resamples(plan, target, 5))
        monkeypatch.setattr(resampling, "FEW", 0)
        assert len(set(usual)) == 20 and marks(resamples(plan, target, 5)) == usual
        monkeypatch.undo()


def test_the_draws_of_earlier_versions_are_kept_where_every_class_has_a_whole_number_or_one_is_drawn():
    kept = {(40, 20): [9, 23, 51], (30, 30): [26, 36, 55], (59,): [25, 44, 58]}
    for sizes, rows in kept.items():
        assert sc.Subsample().resample(0, np.repeat(np.arange(len(sizes)), sizes), 1).held_out.tolist() == rows


def test_equal_runs_are_said_before_they_are_run():
    target = np.arange(14) % 2
    said = sc.Subsample(50).repetition(target, 1, np.arange(14))
    assert said.startswith("50 runs, 14 different ones: 14 patients can be resampled in few ways.")
    assert sc.KFold(14, 5).repetition(target, 1).startswith("70 runs, 14 different ones: 14 rows")
    for plan in (sc.Subsample(14), sc.KFold(14), sc.KFold(5, 3), sc.Bootstrap(50), sc.Nested(3, 2), sc.Half(5)):
        assert plan.repetition(target, 1) == ""
    assert sc.Subsample(50).repetition(SKEWED, 1) == ""
