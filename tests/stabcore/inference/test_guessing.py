"""Better than always naming the larger class: against plain counting, on tables without signal, and on one with."""

from types import SimpleNamespace

import numpy as np
import pytest
from guessing_support import CLEARLY_BETTER, false_alarms, outcomes

import stabcore as sc
from stabcore.inference.guessing import against_guessing
from stabcore.study.scores import beats_guessing


def halves(target, right, seed=0, runs=6):
    """Outcomes of runs that hold out a random half and predict each row rightly with this probability."""
    rng, n = np.random.default_rng(seed), len(target)
    made = []
    for _ in range(runs):
        held = np.sort(rng.permutation(n)[:n // 2])
        hit = rng.random(len(held)) < right
        predicted = np.where(hit, target[held], 1 - target[held])
        made.append(SimpleNamespace(held_out=held, predicted=predicted,
                                    probability=np.column_stack([1 - predicted, predicted]).astype(float)))
    return made


def test_the_excess_is_what_plain_counting_gives():
    target = np.repeat([0, 1], [30, 10])
    done = halves(target, 0.7)
    seen = {i: [] for i in range(40)}
    for one in done:
        for row, predicted in zip(one.held_out, one.predicted, strict=True):
            seen[row].append(predicted == target[row])
    share = {row: np.mean(hits) for row, hits in seen.items() if hits}
    rows = np.array(list(share))
    accuracy = np.mean([share[row] - (target[row] == 0) for row in rows])
    assert against_guessing(done, target, "accuracy")[0] == pytest.approx(accuracy)
    by_class = [np.mean([share[row] for row in rows if target[row] == one]) for one in (0, 1)]
    assert against_guessing(done, target, "balanced_accuracy")[0] == pytest.approx(np.mean(by_class) - 0.5)


def test_one_run_of_all_rows_has_twice_the_variance_of_delong():
    rng = np.random.default_rng(1)
    target, risk = np.repeat([0, 1], [25, 15]), rng.random(40) + np.repeat([0, 0.3], [25, 15])
    done = [SimpleNamespace(held_out=np.arange(40), predicted=(risk > 0.6).astype(int),
                            probability=np.column_stack([1 - risk, risk]))]
    excess, se, p = against_guessing(done, target, "auc")
    pairs = risk[target == 1][:, None] > risk[target == 0][None, :]
    assert excess == pytest.approx(pairs.mean() - 0.5)
    parts = [side - side.mean() for side in (pairs.mean(axis=1), pairs.mean(axis=0))]
    delong = sum((one ** 2).sum() / len(one) ** 2 for one in parts)
    assert se ** 2 == pytest.approx(2 * delong * 40 / 39) and 0 < p < 0.5


def test_rows_of_one_patient_count_together():
    target = np.tile(np.repeat([0, 1], 10), 2)
    done = halves(target, 0.6, runs=40)
    alone, together = (against_guessing(done, target, "balanced_accuracy", who)[1] for who in (None, np.tile(np.arange(20), 2)))
    copies = [SimpleNamespace(held_out=np.r_[one.held_out % 20, one.held_out % 20 + 20], predicted=np.tile(one.predicted, 2))
              for one in done]
    same = against_guessing(copies, target, "balanced_accuracy", np.tile(np.arange(20), 2))[1]
    assert same > 1.2 * against_guessing(copies, target, "balanced_accuracy")[1] and alone > 0 < together


@pytest.mark.parametrize("kind", ["independent", "blocks", "one factor"])
def test_a_useless_classifier_is_called_better_in_about_5_of_100_tables(kind):
    """The longer run is bench_guessing.py: 1 to 9 of 100 for every plan and classifier there."""
    assert false_alarms(sc.Half(10), kind, tables=60, seed=4) <= 0.15         # P(more than 9 of 60 at 8%) < 2%


def test_a_good_classifier_is_called_better():
    assert false_alarms(sc.Half(10), "independent", tables=12, seed=5, effect=1.2) == 1


def result_of(outcomes_of, target, classes=("a", "b")):
    """A result with these outcomes of each selector."""
    return SimpleNamespace(ready=list(outcomes_of), target=target, classes=classes, patients=None,
                           finished_outcomes=outcomes_of.__getitem__)


def test_selectors_are_corrected_for_asking_about_all_and_baselines_left_out():
    target = np.repeat([0, 1], 30)
    made = {"good": halves(target, 0.8, 1, 20), "useless": halves(target, 0.5, 2, 20), "random": halves(target, 0.9, 3, 20)}
    result = result_of(made, target)
    frame = beats_guessing(result, "balanced_accuracy")
    assert list(frame.index) == ["good", "useless"] and frame["better"].tolist() == [True, False]
    low = frame["p_value"].min()
    assert frame.loc["good", "p_holm"] == pytest.approx(min(2 * low, 1)) and (frame["guess"] == 0.5).all()
    assert frame["value"].tolist() == pytest.approx([0.8, 0.5], abs=0.1) and CLEARLY_BETTER == 0.05
    with pytest.raises(sc.InputError, match="no score 'brier'"):
        beats_guessing(result, "brier")


def test_nothing_is_known_of_numbers_of_selections_and_of_too_few_rows():
    assert beats_guessing(result_of({"a": []}, np.array([0.5, 0.7]), classes=()), "accuracy").empty
    target = np.repeat([0, 1], 5)
    few = [SimpleNamespace(held_out=np.array([0, 1, 5]), predicted=np.array([0, 0, 1]), probability=None)]
    assert np.isnan(against_guessing(few, target)).all() and np.isnan(against_guessing([], target)).all()
    frame = beats_guessing(result_of({"a": few}, target), "accuracy")
    assert frame["better"].isna().all()
    assert len(outcomes(sc.Half(2), np.random.default_rng(0).normal(size=(20, 5)), np.repeat([0, 1], 10), 0, "mean", 2)) == 4
