"""What the numbers of a study rest on: the runs that are missing, and the classes that no run was tested on."""

from __future__ import annotations

import numpy as np

from stabcore.wording import shown

SELDOM = 0.5            # of the share that a class has among all rows: held out less than that is almost never
FEWEST = 3              # runs that hold a class out, for an interval


def missing_runs(status, selectors=(), agreeing=(), folds=()):
    """DataFrame(selector, runs, planned, failed, waiting, scored, to_score, sentence): the selectors of which runs are missing.

    status: {(selector, run): "done" or "failed"} of the tasks that have ended; agreeing: numbers of the runs that the stability
    rests on; folds: of those that only tell the error (outer folds). runs, planned: the agreeing that are finished and that are
    planned, of which so many failed or wait; scored, to_score: finished and planned folds. sentence: for example "rests on 82
    of 100 runs (18 failed)".
    """
    import pandas as pd

    rows = []
    for label in selectors:
        of_runs, of_folds = (_counts(status, label, runs) for runs in (agreeing, folds))
        if of_runs[0] < len(agreeing) or of_folds[0] < len(folds):
            parts = [f"rests on {_so_many(*of_runs, 'runs')}"] if of_runs[0] < len(agreeing) else []
            if of_folds[0] < len(folds):
                parts.append(f"its accuracy on {_so_many(*of_folds, 'outer folds')}")
            rows.append([label, of_runs[0], len(agreeing), *of_runs[1:], of_folds[0], len(folds), ", ".join(parts)])
    return pd.DataFrame(rows, columns=["selector", "runs", "planned", "failed", "waiting", "scored", "to_score", "sentence"])


def seldom_held_out(done, target, classes) -> str:
    """Which classes the scores of a selector's finished runs cannot speak of, as sentences; empty when there is none.

    done: outcomes with predictions or None; target (n,): the true class of each row; classes: their names. A class is held out
    almost never when fewer than three runs hold it out, or when its share of the rows held out is less than half of its share
    of all rows. Runs without predictions do not count.
    """
    held = np.array([np.bincount(target[one.held_out], minlength=len(classes)) for one in done
                     if one.predicted is not None and len(one.predicted)])
    if not len(held):
        return ""
    rows, runs = np.bincount(target, minlength=len(classes)), np.count_nonzero(held, axis=0)
    rare = (runs < min(FEWEST, len(held))) | (held.sum(axis=0) / held.sum() < SELDOM * rows / rows.sum())
    sentences = [f"Accuracy says {'next to ' * bool(runs[c])}nothing about the class {shown(classes[c])} ({rows[c]:,} of "
                 f"{rows.sum():,} rows): {f'only {runs[c]:,}' if runs[c] else 'none'} of {len(held):,} runs held out any of it."
                 for c in np.flatnonzero(rare)]
    left = np.flatnonzero(~rare)
    if sentences and len(left) == 1:
        sentences.append(f"It rests {'almost ' * bool(runs[rare].any())}only on the class {shown(classes[left[0]])}.")
    return " ".join(sentences)


def by_whom(sentences, unless_all=True) -> list[str]:
    """Sentences of {selector: sentence}, each once, after the names of those it is about; empty ones are left out.

    unless_all: what is said of every selector stands without their names.
    """
    who = {}
    for label, sentence in sentences.items():
        who.setdefault(sentence, []).append(label)
    return [sentence if unless_all and len(labels) == len(sentences) else f"{', '.join(labels)}: {sentence}"
            for sentence, labels in who.items() if sentence]


def _counts(status, label, runs):
    """(finished, failed, waiting) of some runs of a selector."""
    statuses = [status.get((label, run)) for run in runs]
    return statuses.count("done"), statuses.count("failed"), statuses.count(None)


def _so_many(done, failed, waiting, what):
    why = ", ".join([f"{failed} failed"] * bool(failed) + [f"{waiting} not finished"] * bool(waiting))
    return f"{done} of {done + failed + waiting} {what} ({why})"
