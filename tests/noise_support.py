"""Simulated predictions, results and tables without signal, or with a known one."""

from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

import stabcore as sc
from stabcore.resampling.catalog import plan_settings
from stabcore.study.study_result import StudyResult
from stabcore.study.task_result import TaskResult

LABELS = ("amber", "birch", "cedar", "delta")


# ---- predictions of two selectors ----

PLANS = {
    "once": sc.RepeatedKFold(10),
    "kfold": sc.RepeatedKFold(10, 5),
    "subsample": sc.Subsample(50, 0.05),
    "subsample 20%": sc.Subsample(50, 0.2),
    "bootstrap": sc.Bootstrap(50),
    "half": sc.ComplementaryPairs(25),
}
EQUALS = ("unsteady", "suited", "alike", "by run")


def tasks(hits, held_out, target):
    """One outcome per run, with held-out rows that are predicted correctly where hits is true."""
    return [
        SimpleNamespace(run=run, held_out=np.asarray(rows), predicted=np.where(hit, target[rows], 1 - target[rows]))
        for run, (hit, rows) in enumerate(zip(hits, held_out, strict=True))
    ]


@lru_cache
def _held_out(plan, n, seed):
    """The held-out rows of every run, from one of a few draws, because drawing is slow."""
    return [PLANS[plan].resample(run, np.arange(n) % 2, seed).held_out for run in range(PLANS[plan].n_runs)]


def predictions(rng, plan, kind="unsteady", n=300, chances=(0.8, 0.8)):
    """(outcomes of the first, of the second, target): each is right with its own chance on a new patient, by construction.

    kind: "unsteady": the first is right on the same patients in every run, the second on others each time. "suited": each has
    patients of its own on which it is nearly always right. "alike": both find the same patients hard. "by run": the models of a run
    are good or bad together on all of its rows.
    """
    target, held_out = np.arange(n) % 2, _held_out(plan, n, int(rng.integers(20)))
    by_row = np.tile(np.array(chances)[:, None], n)
    if kind == "unsteady":
        by_row[0] = rng.random(n) < chances[0]
    elif kind == "suited":
        by_row = np.where(rng.random((2, n)) < np.array(chances)[:, None], 0.97, 0.03)
    elif kind == "alike":
        by_row = np.clip(by_row + np.where(rng.random(n) < 0.5, 0.2, -0.2), 0, 1)
    by_run = rng.choice([-0.03, 0.03], (2, len(held_out))) if kind == "by run" else np.zeros((2, len(held_out)))
    return (
        *(
            tasks(
                [rng.random(len(rows)) < by_row[model][rows] + by_run[model, run] for run, rows in enumerate(held_out)],
                held_out,
                target,
            )
            for model in (0, 1)
        ),
        target,
    )


# ---- a result of selectors of which none is better ----


class Simulated(StudyResult):
    """A StudyResult with simulated tasks in memory."""

    def __init__(self, tasks, plan, target, features, k):
        self.settings = {
            "selectors": [{"label": label} for label in dict.fromkeys(task.selector for task in tasks)],
            "plan": plan_settings(plan),
            "n_selected": k,
            "classifier": "3nn",
            "random_state": 0,
            "n_permutations": 0,
            "n_seeds": 1,
            "permutation_runs": "all",
        }
        self.features, self.classes, self.target, self.notes = features, ("well", "sick"), target, []
        self.lots, self.shares = 0, {}
        self.store = SimpleNamespace(
            meta=lambda key, default=None: default,
            tasks=lambda columns=None, **_: tasks,
            every_task=lambda columns=None, selector=None: tasks,
        )


@dataclass(frozen=True)
class Regime:
    """Parameters of a simulated result: runs, patients, features, selected features (None: random), noise of scores.

    halves: whether the runs are pairs of halves, and stabilities compare these.
    """

    runs: int = 20
    patients: int = 100
    features: int = 20
    k: int | None = 5
    noise: float = 1.0
    selectors: int = 4
    halves: bool = False


REGIMES = {
    "usual": Regime(),
    "few runs": Regime(runs=5),
    "three runs": Regime(runs=3),
    "few patients": Regime(patients=24),
    "own sizes": Regime(k=None),
    "many runs": Regime(runs=50),
    "halves": Regime(runs=50, halves=True),
    "halves, own sizes": Regime(runs=30, halves=True, k=None),
}


def simulated(seed, regime=Regime(), best=False, labels=LABELS):
    """A StudyResult of selectors with equal distributions. With `best`, the first is truly better in everything.

    Runs are independent given the preferences of each selector, as intervals assume. Selectors share the effects of a resample.
    Odd selectors are right on the same patients in every run, even ones on different patients.
    """
    rng = np.random.default_rng([seed, regime.runs, regime.patients])
    target = rng.permutation(regime.patients) % 2
    plan = sc.ComplementaryPairs(regime.runs // 2) if regime.halves else sc.Subsample(regime.runs, 0.2)
    held_out = [plan.resample(run, target, seed).held_out for run in range(regime.runs)]
    shared = rng.normal(size=(regime.runs, regime.features))
    made = []
    labels = labels[: regime.selectors]
    for number, label in enumerate(labels):
        better = best and number == 0
        noise = regime.noise * (0.2 if better else 1)
        scores = np.linspace(2, -2, regime.features) + noise * (0.6 * shared + 0.8 * rng.normal(size=shared.shape))
        chance = np.full(regime.patients, 0.99 if better else 0.7)
        if number % 2:
            chance = (rng.random(regime.patients) < 0.7).astype(float)
        for run in range(regime.runs):
            k = regime.k or (3 if better else int(rng.integers(3, 9)))
            made.append(_outcome(label, run, scores[run], k, held_out[run], target, chance, rng))
    found = Simulated(made, plan, target, tuple(f"f{i}" for i in range(regime.features)), regime.k or 5)
    found.lots, found.shares = seed, {label: 1.0 if best and label == labels[0] else 0.5 for label in labels}
    return found.as_compared()


def _outcome(label, run, scores, k, held_out, target, chance, rng):
    order = np.argsort(-scores)
    ranking = np.empty(len(scores))
    ranking[order] = np.arange(1, len(scores) + 1)
    right = rng.random(len(held_out)) < chance[held_out]
    predicted = np.where(right, target[held_out], 1 - target[held_out])
    likely = np.where(predicted == 1, 0.5, 0.0) + 0.5 * rng.random(len(held_out))
    return TaskResult(
        label,
        run,
        scores=scores,
        ranking=ranking,
        importances=np.where(ranking <= k, np.exp(scores), 0.0),
        selected=np.sort(order[:k]),
        held_out=held_out,
        predicted=predicted,
        probability=np.column_stack([1 - likely, likely]).ravel(),
        seconds=0.0,
    )


# ---- tables without a signal, and one with a known one ----


def noise_table(rng, kind="plain", rows=60, features=12):
    """DataFrame of features that have nothing to do with its column `outcome`. kind: a key of TABLES."""
    frame = pd.DataFrame(rng.normal(size=(rows, features)), columns=[f"f{i}" for i in range(features)])
    return TABLES[kind](rng, frame).assign(outcome=lambda made: OUTCOMES.get(kind, _two_classes)(rng, made))


def _two_classes(rng, frame):
    return np.array(["well", "sick"])[rng.permutation(len(frame)) % 2]


def _known(rng, frame):
    """Three features carry signal, the first most."""
    merit = frame[["f0", "f1", "f2"]].to_numpy() @ [2.0, 1.5, 1.0] + rng.normal(size=len(frame))
    return np.where(merit > np.median(merit), "sick", "well")


def _categories(rng, frame):
    return frame.assign(
        **{f"f{i}": np.array(list("uvwxyz"))[rng.integers(0, n_levels, len(frame))] for i, n_levels in ((0, 6), (1, 2))}
    )


def _blocks(rng, frame):
    """Four blocks of features, correlated by 0.8 inside."""
    shared = np.repeat(rng.normal(size=(len(frame), 4)), frame.shape[1] // 4, axis=1)
    return np.sqrt(0.8) * shared + np.sqrt(0.2) * frame


def _one_factor(rng, frame):
    """All features correlated by 0.5, and by 0.8 inside of four blocks."""
    return np.sqrt(0.5) * rng.normal(size=(len(frame), 1)) + np.sqrt(0.5) * _blocks(rng, frame)


TABLES = {
    "plain": lambda rng, frame: frame,
    "blocks": _blocks,
    "one factor": _one_factor,
    "few patients": lambda rng, frame: frame.iloc[:16],
    "rare class": lambda rng, frame: frame,
    "categories": _categories,
    "gaps": lambda rng, frame: frame.mask(rng.random(frame.shape) < [0.3, *[0.05] * (frame.shape[1] - 1)]),
    "ties": lambda rng, frame: frame.round().clip(-1, 1),
    "three classes": lambda rng, frame: frame,
    "numbers": lambda rng, frame: frame,
    "known": lambda rng, frame: frame,
}
OUTCOMES = {
    "rare class": lambda rng, made: np.where(rng.permutation(len(made)) < 6, "sick", "well"),
    "three classes": lambda rng, made: np.array(list("abc"))[rng.permutation(len(made)) % 3],
    "numbers": lambda rng, made: rng.normal(size=len(made)),
    "known": _known,
}


class Here(Executor):
    """An executor that runs each task at once in this process."""

    def submit(self, work, /, *given, **named):
        done = Future()
        done.set_result(work(*given, **named))
        return done


def noise_study(seed, kind="plain", selectors=("variance", "random"), plan=None, folder=None, **options):
    """StudyResult of fast selectors on such a table. folder: for its file."""
    frame = noise_table(np.random.default_rng([seed, len(kind)]), kind)
    data = sc.Dataset.from_frame(frame, target="outcome", name=kind)
    made = sc.Study(
        data, list(selectors), plan=plan or sc.RepeatedKFold(5), k=3, random_state=seed, **{"n_permutations": 0, **options}
    )
    return made.run(executor=Here(), store=folder / f"{kind}-{seed}.stab" if folder else None)
