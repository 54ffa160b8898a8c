"""What a model has to beat: always naming the larger class. Which score shows it, and the test of one selector against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.inference.predictions import SCORES

if TYPE_CHECKING:
    import pandas as pd

LARGE = 0.6         # share of the larger class, above which accuracy mostly tells how large that class is
TWICE = 2.0         # variance of a score without signal, against that of its predictions held fixed
COLUMNS = ("score", "value", "guess", "se", "p_value", "p_holm", "better")


def guessed(result: object, score: str = "accuracy") -> float:
    """Score of always naming the larger class; NaN where the classes are not known. result: its `target` has them, if anything.

    Accuracy: the share of that class; balanced accuracy: 1 / number of classes; area under the curve: 0.5.
    """
    counts = _counts(result)
    if not len(counts):
        return np.nan
    return float({"accuracy": counts.max() / counts.sum(), "balanced_accuracy": 1 / len(counts)}.get(score, 0.5))


def default_score(result: object, known: pd.DataFrame | None = None) -> str:
    """The score by which a result is judged: accuracy, or balanced accuracy where the larger class has more than LARGE of the rows.

    known: a result table; a score that no selector has there is passed over, and "" is returned where none has any.
    """
    counts = _counts(result)
    unbalanced = len(counts) > 1 and counts.max() > LARGE * counts.sum()
    order = ("balanced_accuracy", "auc", "accuracy") if unbalanced else SCORES
    return next((one for one in order if known is None or (one in known and known[one].notna().any())), "")


def against_guessing(done, target, score="accuracy", patients=None) -> tuple[float, float, float]:
    """(excess of a score over always naming the larger class, its standard error without signal, one-sided p-value).

    done: outcomes of the runs of one selector, with held_out, predicted and probability; target: (n,) class of every row; patients:
    (n,) a number for each row, or None. Each row counts by the mean over the runs that held it out. Accuracy is compared row by
    row with naming the larger class, balanced accuracy with 1/C, the area under the curve with ½.
    se² = 2 G/(G − 1) Σ_g (Σ_{i in g} u_i)², u_i the influence of row i with predictions held fixed and G patients. The factor 2:
    without signal a score is a degenerate U-statistic, Σ y_i K_ij y_j, in which every pair of patients counts twice, once with each
    of them in training, while predictions held fixed see it once. Simulated false alarms: tests/benchmarks/
    bench_guessing.py. NaN where fewer than two rows of each class were held out.
    Source: Hoeffding 1948, Annals of Mathematical Statistics 19:293-325 (U-statistics); the use of it here is ours.
    """
    from scipy.special import stdtr

    kept = [one for one in done if one.predicted is not None and len(one.predicted)]
    n_classes = int(target.max()) + 1
    values = _areas(kept, target) if score == "auc" else _right(kept, target)
    known = np.isfinite(values)
    counts = np.bincount(target[known], minlength=n_classes)
    if (counts < 2).any():
        return np.nan, np.nan, np.nan
    if score == "accuracy":
        values = values - (target == np.bincount(target).argmax())
        excess, influence = values[known].mean(), (values - values[known].mean()) / known.sum()
    else:
        means = np.array([values[known & (target == one)].mean() for one in range(n_classes)])
        excess = means.mean() - (0.5 if score == "auc" else 1 / n_classes)
        influence = (values - means[target]) / (n_classes * counts[target]) * (2 if score == "auc" else 1)
    units = np.arange(len(target)) if patients is None else np.unique(patients, return_inverse=True)[1]
    sums = np.bincount(units[known], influence[known])[np.unique(units[known])]
    se = float(np.sqrt(TWICE * len(sums) / max(len(sums) - 1, 1) * (sums ** 2).sum()))
    if not se > 0:
        return float(excess), 0.0, 0.0 if excess > 0 else 1.0
    return float(excess), se, float(stdtr(len(sums) - 1, -excess / se))


def _right(kept, target):
    """(n,) how often each row is predicted right by the runs that held it out; NaN of rows that none did."""
    return _mean_by_row([(one.held_out, one.predicted == target[one.held_out]) for one in kept], len(target))


def _areas(kept, target):
    """(n,) the mean share of held-out rows of the other class that each row is rightly told apart from; NaN where not known."""
    from scipy.stats import rankdata

    parts = []
    for one in kept:
        own = target[one.held_out] == 1
        if one.probability is None or own.all() or not own.any():
            continue
        risk = np.asarray(one.probability).reshape(-1, 2)[:, 1]
        among = rankdata(risk)
        placed = np.empty(len(risk))
        placed[own] = (among[own] - rankdata(risk[own])) / (~own).sum()
        placed[~own] = 1 - (among[~own] - rankdata(risk[~own])) / own.sum()
        parts.append((one.held_out, placed))
    return _mean_by_row(parts, len(target))


def _mean_by_row(parts, n):
    total, often = np.zeros(n), np.zeros(n)
    for rows, values in parts:
        np.add.at(total, rows, values)
        np.add.at(often, rows, 1)
    return np.divide(total, often, out=np.full(n, np.nan), where=often > 0)


def _counts(result):
    """Rows of each class of the outcome; none where the outcome is a number, or not known."""
    target = np.asarray(getattr(result, "target", ()))
    return np.unique(target, return_counts=True)[1] if len(target) and target.dtype.kind != "f" else np.array([])
