"""Runs that count as one unit in intervals: pairs, repeats and copies, for every plan and in a study."""

from types import SimpleNamespace

import numpy as np
import pytest
from interval_support import filtered, holds, table
from study_support import data
from support import slow

import stabcore as sc
from stabcore.study.agreement import run_units


def tasks(plan, held_out=lambda run: [run], runs=None):
    runs = range(plan.n_runs) if runs is None else runs
    return [SimpleNamespace(run=run, held_out=np.array(held_out(run), dtype="<i4")) for run in runs]


@pytest.mark.parametrize(
    ("plan", "units", "phrase"),
    [
        *((plan, None, "") for plan in (sc.Subsample(4), sc.Bootstrap(4), sc.NestedKFold(2, 3))),
        (sc.ComplementaryPairs(5), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4], "the 10 runs as 5 pairs"),
        (sc.RepeatedKFold(2, 5), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4], "the 10 runs as 5 repeats"),
        (sc.LeaveOneSiteOut("city", tuple("abc"), (0, 1, 2)), None, "58% to 63%"),
        *((plan, None, "too wide") for plan in (sc.ComplementaryPairs(4), sc.RepeatedKFold(10))),
    ],
)
def test_plans_define_units_of_runs(plan, units, phrase):
    found, sentence = run_units(plan, [task for task in tasks(plan) if plan.measures_stability(task.run)])
    assert found == units and phrase in sentence and bool(phrase) == bool(sentence)


@pytest.mark.parametrize(
    ("plan", "held_out", "units"),
    [
        (sc.Subsample(6), lambda run: [run % 2, 9], [0, 1] * 3),
        (sc.ComplementaryPairs(6), lambda run: [(0, 1, 1, 0)[run] if run < 4 else run], [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]),
        (sc.RepeatedKFold(7, 6), lambda run: [run % 7], [*range(7)] * 6),
        (sc.Bootstrap(5), lambda run: [1, 2], None),  # bootstrap samples differ
        (sc.NestedKFold(2, 2), lambda run: [1, 2], None),
        (sc.Subsample(5), lambda run: [], None),
    ],
)
def test_runs_on_the_same_rows_are_one_unit(plan, held_out, units):
    found, sentence = run_units(plan, tasks(plan, held_out))
    assert found == units and bool(sentence) == bool(units)


def test_units_of_an_unfinished_study():
    plan = sc.ComplementaryPairs(25)
    assert run_units(plan, tasks(plan, runs=[0, 1, 2, 3, 4, 5]))[0] is None
    assert run_units(plan, tasks(plan, runs=[0, 1, 2, 3, 4, 5, 6, 8, 9]))[0] == [0, 0, 1, 1, 2, 2, 3, 4, 4]


def test_study_of_complementary_pairs_counts_pairs():
    options = {"k": 3, "random_state": 5, "classifier": "none", "n_permutations": 0}
    study = sc.Study(data(), ["mim", "random"], plan=sc.ComplementaryPairs(6), **options).run(n_jobs=1)
    runs = study.selections("mim", 2)
    assert runs.units.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    found, note = sc.stability(runs), study.table()["nogueira_note"]
    assert (found.n_runs, found.n_units) == (12, 6) and "12 runs as 6 pairs" in found.warnings[-1]
    assert found.warnings[-1] in note["mim"]
    first, second, paired = study.paired("mim", "random")
    assert paired and first.n_units == second.n_units == 6 and sc.compare(first, second).n_units == 6


def test_repeated_resamples_do_not_narrow_intervals():
    rng, patients = np.random.default_rng(0), np.repeat(np.arange(14), 5)
    y = (np.arange(14) % 2)[patients]
    X = rng.normal(size=(14, 40))[patients] + 0.5 * rng.normal(size=(70, 40)) + np.outer(y, np.arange(40) < 5)
    outs = [np.flatnonzero(patients == rng.integers(14)) for _ in range(50)]  # drawn with repetition
    different = len({rows.tobytes() for rows in outs})

    class WithRepetition(sc.Subsample):
        def resample(self, run, target, seed, patients=None):
            return SimpleNamespace(rows=np.setdiff1d(np.arange(70), outs[run]), held_out=outs[run])

    runs = filtered(WithRepetition(50), X, y, 0)
    found, naive = sc.stability(runs), sc.stability(runs.in_units(None), interval="jackknife")
    assert found.n_units == different <= 14 and f"Only {different} of 50" in found.warnings[-1]
    assert found.value == naive.value and found.se > 1.5 * naive.se


@pytest.mark.parametrize(
    "plan",
    [
        sc.ComplementaryPairs(10),
        sc.NestedKFold(3, 5),
        *map(slow, (sc.RepeatedKFold(5, 6), sc.Subsample(20, 0.2), sc.Bootstrap(20))),
    ],
)
def test_intervals_of_every_plan_cover_without_excess_width(plan):
    X, y = table(2, rows=60)
    found = [sc.stability(filtered(plan, X, y, seed), interval="jackknife") for seed in range(90)]
    value = np.array([estimate.value for estimate in found])
    assert np.mean([holds(estimate, value.mean()) for estimate in found]) >= 0.86
    assert 0.8 < np.mean([estimate.se for estimate in found]) / value.std(ddof=1) < 1.3
