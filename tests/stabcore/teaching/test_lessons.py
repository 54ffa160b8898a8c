"""Every lesson: its known answers, simulation beside theory, the same picture for the same seed, words for every setting."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from stabcore.plots.lessons import CLASS, GUESS, draw_lesson, frame_lesson
from stabcore.teaching import chain, chosen_means, copies, more_patients, more_runs, shuffled, threshold
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import EXACT, SIMULATED, THEORY, agreement, answer, fresh_seed, seed_of, top, verdict

KNOWN = {  # {lesson: [(settings, {what: value}, within)]}, from the papers and by hand
    "blind_labs": [
        ({"k": 20, "d": 100}, {"shared": 4, "jaccard": 0.113}, 5e-4),
        ({"k": 50, "d": 100}, {"shared": 25, "jaccard": 0.335}, 5e-4),
    ],
    "shared_rows": [
        ({"left_out": out, "k": k}, {"floor": value, "halves": 0}, 3e-3)  # 40 000 pairs of runs: ± 0.001
        for out, k, value in ((5, 20, 0.7138), (10, 20, 0.6009), (50, 20, 0.1623), (5, 5, 0.6613), (5, 60, 0.6869))
    ],
    "twins": [
        ({"c": 0.0, "runs": 50}, {"stability": 0}, 1e-12),
        ({"c": 1.0, "runs": 50}, {"stability": 1}, 1e-12),
        ({"c": 0.4, "runs": 10}, {"stability": 4 / 13}, 1e-12),
    ],
    "chain": [({"threshold": 0.8, "neighbours": 0.75}, {"cut": 0.4118}, 1e-3)],
    "forest_seed": [({"trees": 100}, {"stability": 0.73}, 0.05)],
    "more_runs": [({"runs": 100}, {"factor": 0.7071}, 1e-4)],
    "threshold": [({"threshold": at, "q": 20}, {"bound": value}, 1e-9) for at, value in ((60, 2), (75, 0.8), (90, 0.5))],
    "chosen_means": [
        ({"effect": at, "level": 5}, {"overstated": times, "power": power}, 6e-3)
        for at, times, power in ((1, 2.45, 0.17), (2, 1.39, 0.52), (3, 1.09, 0.85))
    ],
    "shuffled": [
        ({"selector": key}, {"stability": value}, within)
        for key, value, within in (
            ("variance", 1, 0.01),
            ("relieff", 0.7, 0.12),
            ("lasso", 0.66, 0.12),
            ("random_forest", 0.47, 0.12),
            ("random", 0, 0.03),
        )
    ],
    "more_patients": [
        ({"patients": n, "effect": 0.3}, {"true": true, "runs": runs, "halves": halves}, 0.012)
        for n, true, runs, halves in (
            (100, 0.18, 0.68, 0.006),
            (200, 0.34, 0.72, 0.029),
            (500, 0.70, 0.84, 0.18),
            (1000, 0.93, 0.95, 0.51),
            (2000, 1.00, 1.00, 0.88),
        )
    ],
    "copies": [({"copies": 1, "taken": "all"}, {"nogueira": (5 + 35**2 / 1000 - 40**2 / 1005) / (40 - 40**2 / 1005)}, 1e-12)],
    "inside_folds": [({"markers": 5000, "patients": 50, "k": 20}, {"outside": 0.96, "inside": 0.5}, 6e-3)],
}
REPEATS = {"threshold": 60, "inside_folds": 40, "copies": 40, "shared_rows": 60}


def ends(lesson):
    """The usual settings, and both ends of the first control."""
    usual, first = lesson.settings(), lesson.controls[0]
    return [usual, *({**usual, first.key: value} for value in (first.values[0], first.values[-1]))]


def test_there_are_twelve_and_each_has_a_known_answer():
    assert list(LESSONS) == list(KNOWN) and len(LESSONS) == 12


@pytest.mark.parametrize("key", LESSONS)
def test_theory_gives_the_known_answers(key):
    for at, values, within in KNOWN[key]:
        found = LESSONS[key].theory(**at)
        assert {name: found[name] for name in values} == pytest.approx(values, abs=within), at


@pytest.mark.parametrize("key", LESSONS)
def test_simulation_comes_within_four_standard_errors_of_theory(key):
    lesson = LESSONS[key]
    for at in ends(lesson):
        known = lesson.theory(**at)
        for name, values in lesson.simulate(np.random.default_rng(20), REPEATS.get(key, 200), **at).items():
            error = max(values.std(ddof=1) / np.sqrt(len(values)), 1e-9)
            assert abs(values.mean() - known[name]) < 4 * error, (at, name, values.mean(), known[name])


@pytest.mark.parametrize("key", LESSONS)
def test_the_answer_is_that_of_its_seed_and_everything_drawn_is_in_its_table(key):
    lesson = LESSONS[key]
    one, same, other = (answer(lesson, lesson.settings(), seed) for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(one.table, same.table)
    assert one.sentence == same.sentence and not one.table.equals(other.table)
    assert set(one.table["kind"]) == {EXACT if lesson.exact else THEORY, SIMULATED}
    assert set(one.table["series"]) == set(lesson.series) and one.table["y"].notna().all()
    assert one.drawn in set(one.table.loc[one.table["kind"] == SIMULATED, "y"])
    draw_lesson(frame_lesson(one), one)


@pytest.mark.parametrize("key", LESSONS)
def test_points_elsewhere_stay_while_the_first_control_moves(key):
    lesson = LESSONS[key]
    first, usual = lesson.controls[0], lesson.settings()
    others = [value for value in first.values if value != usual[first.key]]
    moved = answer(lesson, {**usual, first.key: others[0]}, 1).table
    stays, before = (
        table[(table["kind"] == SIMULATED) & (table["x"] == others[-1])].reset_index(drop=True)
        for table in (moved, answer(lesson, usual, 1).table)
    )
    pd.testing.assert_frame_equal(stays, before)


@pytest.mark.parametrize("key", LESSONS)
def test_words_are_there_for_every_setting(key):
    lesson = LESSONS[key]
    assert lesson.question.endswith("?") and lesson.controls and len(lesson.controls) <= 3 and lesson.source and lesson.insight
    for values in product(*(one.values for one in lesson.controls)):
        at = lesson.settings(dict(zip((one.key for one in lesson.controls), values)))
        assert tuple(at.values()) == values  # what an address says comes back, also as text
        assert lesson.settings({name: str(value) for name, value in at.items()}) == at
        known, truth = lesson.theory(**at), lesson.truth(at)
        said = lesson.describe(at, known, {**known, **dict.fromkeys(lesson.series, 0.5)})
        assert said.endswith(".") and "nan" not in said and "?" in lesson.ask(at)
        assert truth in lesson.guess.choices if lesson.guess.choices else lesson.guess.low <= truth <= lesson.guess.high
        assert verdict(lesson, truth, at).endswith(("is close.", "That is right."))


def test_what_is_said_of_the_chain_is_so():
    for at in chain.LESSON.controls[0].values:
        C = chain.similarity_of(0.75, at)
        assert (chain.theory(at, 0.75)["cut"] > 1) == (np.linalg.eigvalsh(C).min() < -1e-9)
    assert np.linalg.eigvalsh(chain.similarity_of(0.75)).min() > 0 and chain.theory(0.6, 0.75)["whole"] < 1


def test_copies_move_the_measures_as_the_paper_found():
    for taken, ways in (
        ("all", (copies.GROWS, copies.GROWS, copies.STAYS)),
        ("one", (copies.FALLS, copies.STAYS, copies.FALLS)),
        ("most", (copies.GROWS, copies.FALLS, copies.STAYS)),
    ):
        assert tuple(copies.trend(taken, name) for name in copies.SERIES) == ways, taken
    assert copies.theory(10, "most")["effective"] < copies.theory(4, "most")["effective"] < copies.theory(1, "most")["effective"]


def test_more_runs_narrow_one_and_leave_the_other():
    few, twice, many = (more_runs.theory(runs) for runs in (200, 400, 10**6))
    assert twice["runs"] / few["runs"] == pytest.approx(np.sqrt(0.5), abs=0.01)
    assert twice["patients"] / few["patients"] > 0.99 and many["runs"] < 1e-3 and many["patients"] > 0.08


def test_a_filter_stays_below_the_bound():
    for at, q in product((60, 75, 90), (10, 20, 40)):
        known = threshold.theory(at, q)
        assert known["filter"] < known["bound"]


def test_who_never_looks_at_the_outcome_is_the_most_stable():
    assert shuffled.most_stable() == "variance" and more_patients.TRUE == 20


def test_a_weak_effect_is_overstated_most():
    times = [chosen_means.theory(effect, 5)["overstated"] for effect in chosen_means.LESSON.controls[0].values]
    assert times == sorted(times, reverse=True) and times[-1] > 1


def test_sets_and_their_agreement():
    chosen = top(np.array([[3.0, 1.0, 2.0, 0.0], [0.0, 1.0, 2.0, 3.0]]), 2)
    assert chosen.tolist() == [[True, False, True, False], [False, False, True, True]]
    assert agreement(chosen[0], chosen[1]) == 0 and agreement(chosen[0], chosen[0]) == 1


@pytest.mark.parametrize(
    ("told", "seed"), [("7", 7), (None, 1), ("", 1), ("-3", 1), ("x", 1), ("9" * 30, 1), ("1000007", 7), ("²", 1)]
)
def test_a_seed_is_read_or_the_usual_one(told, seed):
    assert seed_of(told) == seed and 0 <= fresh_seed() < 10**6


@pytest.mark.parametrize(
    ("key", "told", "read"),
    [
        ("twins", "0.5", 0.5),
        ("twins", "7", None),
        ("twins", "nan", None),
        ("twins", "x", None),
        ("chain", "no", "no"),
        ("chain", "<b>", None),
    ],
)
def test_a_guess_from_an_address_is_one_that_can_be_made(key, told, read):
    assert LESSONS[key].guess.read(told) == read


def test_settings_that_nobody_offers_are_the_usual_ones():
    assert LESSONS["blind_labs"].settings({"k": "999999", "d": "<b>"}) == LESSONS["blind_labs"].settings()


def test_guess_and_class_stand_in_the_picture():
    lesson = LESSONS["blind_labs"]
    one = answer(lesson, {**lesson.settings(), "k": 50}, 1)
    frame = frame_lesson(one, 8.0, lesson.settings(), (3.0, 5.0))
    assert frame[frame["kind"] == GUESS][["x", "y"]].to_numpy().tolist() == [[20, 8]]
    assert frame[frame["kind"] == CLASS][["x", "y"]].to_numpy().tolist() == [[50, 3], [50, 5]]
    assert {GUESS, CLASS} <= {trace.name for trace in draw_lesson(frame, one).data}
    assert GUESS not in set(frame_lesson(answer(LESSONS["chain"], LESSONS["chain"].settings()), "no")["kind"])
