"""Missing cells that differ by outcome: the tests behind blanks_by_class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.holm import holm
from stabcore.base.text import joined, quote
from stabcore.survival.cox import score_statistics

if TYPE_CHECKING:
    import pandas as pd

LEVEL = 0.05
MIN_DIFFERENCE = 0.05  # between the shares of two classes, for a question to the user
COLUMNS = ["feature", "missing", "p", "p_holm", "differs"]


def blank_tests(values, features, target, classes=(), patients=None) -> pd.DataFrame:
    """The table of blanks_by_class, for (n, d) values with NaN for missing, and class codes or numbers (n,)."""
    import pandas as pd

    some = np.flatnonzero(np.isnan(values).any(axis=0))
    missing, target = _by_patient(np.isnan(values[:, some]), np.asarray(target), patients)
    shares = {str(name): missing[target == code].mean(axis=0) for code, name in enumerate(classes)} if len(missing) else {}
    p = _tests(missing, target, len(classes))
    of_all = missing.mean(axis=0) if shares else np.isnan(values[:, some]).mean(axis=0)
    frame = pd.DataFrame({"feature": [features[j] for j in some], "missing": of_all})
    for name, share in shares.items():
        frame[name if name not in COLUMNS else f"class {name}"] = share
    adjusted = holm(p)
    return frame.assign(p=p, p_holm=adjusted, differs=adjusted <= LEVEL)


def _by_patient(missing, target, patients):
    """One row per patient if patients have several rows. No rows if a patient has several outcomes."""
    if patients is None:
        return missing, target
    who, first, of = np.unique(patients, return_index=True, return_inverse=True)
    if not (target == target[first][of]).all():
        return missing[:0], target[:0]
    once = np.zeros((len(who), missing.shape[1]), dtype=bool)
    np.logical_or.at(once, of, missing)
    return once, target[first]


def _tests(missing, target, n_classes):
    """(d,) p of each column, NaN if nothing can be compared."""
    p, p_of = np.full(missing.shape[1], np.nan), {}
    for j, column in enumerate(missing.T):
        if len(column) == 0 or column.all() or not column.any():
            continue
        gaps = tuple(np.bincount(target[column], minlength=n_classes).tolist()) if n_classes else column.tobytes()
        if gaps not in p_of and n_classes:
            p_of[gaps] = _fisher(gaps, target)
        elif gaps not in p_of:
            p_of[gaps] = _log_rank(column, target) if target.dtype.names else _rank_sum(column, target)
        p[j] = p_of[gaps]
    return p


def _fisher(gaps, codes):
    """P of the numbers of missing cells per class, for three or more classes each against the others."""
    from scipy.stats import fisher_exact

    sizes, gaps = np.bincount(codes, minlength=len(gaps)), np.array(gaps)
    pairs = np.column_stack([gaps, sizes - gaps])
    ps = [fisher_exact([pair, pairs.sum(axis=0) - pair])[1] for pair in pairs[: 1 if len(pairs) == 2 else None]]
    return min(1.0, min(ps) * len(ps))


def _log_rank(column, target):
    """P of the score test of Cox's model, which is the log-rank test of rows with and without the feature."""
    from scipy.special import chdtrc

    (score,), (variance,) = score_statistics(column[None].astype(float), target)
    return float(chdtrc(1, score**2 / variance)) if variance > 0 else np.nan


def _rank_sum(column, numbers):
    from scipy.stats import mannwhitneyu

    return mannwhitneyu(numbers[column], numbers[~column])[1]


def predicting_rows(frame) -> pd.DataFrame:
    """The rows of features whose missing cells differ by class, by MIN_DIFFERENCE or more, the clearest first."""
    shares = frame[[name for name in frame.columns if name not in COLUMNS]]
    apart = shares.max(axis=1) - shares.min(axis=1) >= MIN_DIFFERENCE if len(shares.columns) else True
    return frame[frame["differs"] & apart].sort_values("p", kind="stable")


def describe_shares(row) -> str:
    """60% of 'ill' and 0% of 'well', from one row of the table, "" without classes."""
    shares = {name: share for name, share in row.items() if name not in COLUMNS}
    class_of = {f"class {name}": name for name in COLUMNS}
    largest = sorted(shares.items(), key=lambda pair: -pair[1])[:4]
    parts = [f"{share:.0%} of {quote(class_of.get(name, name))}" for name, share in largest]
    return joined(parts) if parts else ""
