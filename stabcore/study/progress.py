"""The progress of a study, while it runs and from its file: finished and failed tasks, remaining time, missing runs."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.resampling.draws import LearningCurve

if TYPE_CHECKING:
    from stabcore.study.result_data import ResultData, StudyData
    from stabcore.study.task_result import TaskResult


def planned_tasks(result: StudyData) -> int:
    """Planned tasks: runs, runs with the outcome shuffled, and runs with another seed."""
    return len(result.selectors) * result.plan.n_runs + sum(_planned_extra_tasks(result, label) for label in result.selectors)


def seconds_left(result: StudyData, n_jobs: int = 1) -> float | None:
    """Estimate with this number of workers, from the times of finished tasks. See StudyResult.seconds_left."""
    ended = {label: _ended_tasks(result, label) for label in result.selectors}
    if not all(first for first, _ in ended.values()):
        return None
    left = 0.0
    for label, (first, besides) in ended.items():
        each = float(np.mean([task.seconds for task in besides] or [task.fit_seconds for task in first]))
        left += (result.plan.n_runs - len(first)) * float(np.mean([task.seconds for task in first]))
        left += (_planned_extra_tasks(result, label) - len(besides)) * each
    return left / n_jobs


def progress(result: StudyData) -> pd.DataFrame:
    """DataFrame, one row per selector: tasks done, failed and planned (runs, shuffles and refits), mean seconds per run."""
    rows = []
    for label in result.selectors:
        first, besides = _ended_tasks(result, label)
        status = [task.status for task in (*first, *besides)]
        rows.append(
            {
                "selector": label,
                "done": status.count("done"),
                "failed": status.count("failed"),
                "planned": result.plan.n_runs + _planned_extra_tasks(result, label),
                "seconds_a_run": float(np.mean([task.seconds for task in first])) if first else np.nan,
            }
        )
    return pd.DataFrame(rows).set_index("selector")


def done_words(result: StudyData) -> dict[str, str]:
    """{selector: finished and planned runs, and those with the outcome shuffled, another seed, other imputations}."""
    words, refits = {}, result.n_runs * (result.settings["n_seeds"] - 1)
    for label in result.selectors:
        first, besides = _ended_tasks(result, label)
        planned = {
            "runs": result.plan.n_runs,
            "with the outcome shuffled": _planned_shuffles(result, label),
            "with another seed": refits * _is_random(result, label),
            "with other imputations": _planned_imputations(result),
        }
        done = dict.fromkeys(planned, 0) | {"runs": sum(task.status == "done" for task in first)}
        for task in besides:
            part = "the outcome shuffled" if task.shuffle else "another seed" if task.repeat else "other imputations"
            done[f"with {part}"] += task.status == "done"
        failed = sum(task.status == "failed" for task in (*first, *besides))
        words[label] = ", ".join(f"{done[part]} of {number} {part}" for part, number in planned.items() if number)
        words[label] += f" ({failed} failed)" if failed else ""
    return words


def messages(result: StudyData) -> pd.DataFrame:
    """DataFrame of failures and warnings: selector, kind, message, number of runs, and the first of them."""
    runs_of: dict[tuple[str, str, str], list[int]] = {}
    for task in result.store.every_task(("message", "warnings", "redrawn")):
        texts = [("warning", text) for text in task.warnings if task.first]  # those of a shuffle do not concern the data
        if task.status == "failed":
            kind = "failed" + (" when shuffled" if task.shuffle else "" if task.first else " when repeated")
            texts.append((kind, task.message))
        if task.redrawn and task.first:
            texts.append(("redrawn", "a resample lost a class and was drawn again"))
        for kind, text in texts:
            runs_of.setdefault((task.selector, kind, text), []).append(task.run + 1)
    rows = [
        {"selector": label, "kind": kind, "message": text, "runs": len(runs), "first_run": min(runs)}
        for (label, kind, text), runs in runs_of.items()
    ]
    return pd.DataFrame(rows, columns=["selector", "kind", "message", "runs", "first_run"])


def failures(result: StudyData) -> dict[str, str]:
    """{selector: the number of failed runs and the reason, as a sentence} of selectors with failed runs."""
    missing = missing_runs(result).set_index("selector")
    failed = missing[missing["failed"] > 0]
    return {
        str(label): f"{label} failed in {row['failed']} of {row['planned']} runs. {most_frequent_failure(result, str(label))}"
        for label, row in failed.iterrows()
    }


def most_frequent_failure(result: StudyData, selector: str | None = None) -> str:
    """The most frequent reason of failed runs, of one selector or of all, as a sentence. Empty without failures."""
    table = messages(result)
    table = table if selector is None else table[table["selector"] == selector]
    failed = table[table["kind"].str.startswith("failed")].groupby("message")["runs"].sum()
    if failed.empty:
        return ""
    return f"The most frequent reason: {' '.join(str(failed.idxmax()).removeprefix('InputError: ').split())}"


def missing_runs(result: ResultData) -> pd.DataFrame:
    """The selectors with failed or unfinished runs, as in `missing_runs_table`. Empty for uploaded selections."""
    if result.plan is None:
        return missing_runs_table({})
    plan, agreeing = result.plan, result.plan.agreeing_runs
    outer = [] if isinstance(plan, LearningCurve) else sorted({*range(plan.n_runs)} - {*agreeing})  # its other runs give no error
    return missing_runs_table(result.run_status(), result.selectors, agreeing=agreeing, folds=outer)


def missing_runs_table(status, selectors=(), agreeing=(), folds=()):
    """DataFrame of the selectors with missing runs.

    Columns: selector, runs, planned, failed, waiting, scored, to_score, sentence.

    status: {(selector, run): "done" or "failed"} of ended tasks. agreeing: numbers of the runs that measure stability. folds:
    numbers of the runs that only give the error (outer folds). runs, planned: finished and planned runs among the agreeing.
    failed and waiting count the others. scored, to_score: finished and planned folds. sentence: for example "rests on 82
    of 100 runs (18 failed)".
    """
    rows = []
    for label in selectors:
        of_runs, of_folds = _status_counts(status, label, agreeing), _status_counts(status, label, folds)
        if of_runs[0] < len(agreeing) or of_folds[0] < len(folds):
            parts = [f"rests on {_count_phrase(*of_runs, 'runs')}"] if of_runs[0] < len(agreeing) else []
            if of_folds[0] < len(folds):
                parts.append(f"its accuracy on {_count_phrase(*of_folds, 'outer folds')}")
            rows.append([label, of_runs[0], len(agreeing), *of_runs[1:], of_folds[0], len(folds), ", ".join(parts)])
    return pd.DataFrame(rows, columns=["selector", "runs", "planned", "failed", "waiting", "scored", "to_score", "sentence"])


def sentences_by_selector(sentences, unless_all=True) -> list[str]:
    """The sentences of {selector: sentence}, each once, after the names of its selectors, without empty ones.

    unless_all: a sentence that holds for every selector has no names.
    """
    who: dict[str, list[str]] = {}
    for label, sentence in sentences.items():
        who.setdefault(sentence, []).append(label)
    return [
        sentence if unless_all and len(labels) == len(sentences) else f"{', '.join(labels)}: {sentence}"
        for sentence, labels in who.items()
        if sentence
    ]


def _status_counts(status, label, runs) -> tuple[int, int, int]:
    """(finished, failed, waiting) of some runs of a selector."""
    statuses = [status.get((label, run)) for run in runs]
    return statuses.count("done"), statuses.count("failed"), statuses.count(None)


def _count_phrase(done, failed, waiting, what):
    why = ", ".join([f"{failed} failed"] * bool(failed) + [f"{waiting} not finished"] * bool(waiting))
    return f"{done} of {done + failed + waiting} {what} ({why})"


def _planned_extra_tasks(result, label) -> int:
    """Planned tasks of a selector in addition to its runs."""
    refits = (result.settings["n_seeds"] - 1) * _is_random(result, label)
    return result.n_runs * refits + _planned_shuffles(result, label) + _planned_imputations(result)


def _planned_imputations(result) -> int:
    """Planned runs of any selector with other imputations than the first."""
    return result.n_runs * max(result.settings.get("n_imputations", 0) - 1, 0)


def _planned_shuffles(result, label) -> int:
    """Planned runs of a selector with the outcome shuffled. None for one that does not use the outcome."""
    entry = result.entry_of(label)
    looks = entry is None or entry.looks_at_outcome
    return looks * result.settings["n_permutations"] * runs_per_shuffle(result)


def shuffle_run_counts(result) -> tuple[int, int]:
    """(planned runs of a selector with one shuffle of the outcome, all its runs), (0, 0) without a control."""
    return (runs_per_shuffle(result), result.n_runs) if result.has_control else (0, 0)


def runs_per_shuffle(result) -> int:
    """Planned runs of a selector with one shuffle of the outcome."""
    return len(result.plan.permutation_runs(result.settings["permutation_runs"]))


def _is_random(result, label) -> bool:
    return dict(zip(result.selectors, result.store.meta("chance_inside", []))).get(label, False)


def _ended_tasks(result, label) -> tuple[list[TaskResult], list[TaskResult]]:
    """(first fits, other fits) that have ended, successful or not, with their seconds."""
    first: list[TaskResult] = []
    besides: list[TaskResult] = []
    for task in result.store.every_task(("seconds", "fit_seconds"), label):
        (first if task.first else besides).append(task)
    return first, besides


@contextmanager
def progress_reporter(
    progress: bool | Callable[[int, int], bool | None] | None, done: int, total: int
) -> Iterator[Callable[[], bool | None]]:
    """A function to call after each finished task. It returns the result of the user's function. progress: see Study.run."""
    if callable(progress):
        report = progress

        def advance():
            nonlocal done
            done += 1
            return report(done, total)

        yield advance
        return
    if progress not in (None, True, False):
        raise InputError(f"progress is True, False, or a function of the tasks done and planned. Found {progress!r}.")
    watched = "ipykernel" in sys.modules or bool(getattr(sys.stderr, "isatty", lambda: False)())  # in a notebook or a terminal
    if not (watched if progress is None else progress):
        yield lambda: None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets gets a text bar
        from tqdm.auto import tqdm
    with tqdm(initial=done, total=total, unit="task") as bar:

        def advance_bar():
            bar.update()

        yield advance_bar
