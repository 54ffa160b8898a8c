"""Blanks that predict: columns whose cells are missing more often in one class of the outcome than in another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.text import joined, listed, shown

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.data.dataset import Dataset

LEVEL = 0.05
WORTH_TELLING = 0.05  # how far the shares of two classes are apart, at least, before a person is asked
COLUMNS = ["feature", "missing", "p", "p_holm", "differs"]


def blanks_by_class(data: Dataset) -> pd.DataFrame:
    """Share of missing cells per feature and class, and whether these shares differ.

    Parameters
    ----------
    data : Dataset
        The table with its outcome; a patient with several rows counts once, as missing where any of the rows is.

    Returns
    -------
    DataFrame
        One row per feature with missing cells, in the order of the table. Columns: feature, missing (share of all), one share per
        class (named as the class, for an outcome with classes), p, p_holm, differs (p_holm <= 0.05).

    Notes
    -----
    Two classes: Fisher's exact test. More classes: the smallest p of each class against the others, times their number. A number
    as outcome: the Mann-Whitney test of the outcome where the feature is missing against where it is known. Holm's correction
    over all features with missing cells keeps the chance of any false alarm at most 5 %. NaN where the rows of one patient
    differ in the outcome.

    Source: Fisher 1922; Mann & Whitney 1947; Holm 1979.
    """
    return blanks(np.asarray(data.table.values, dtype=float), data.features, data.target, data.classes, data.patients)


def blanks(values, features, target, classes=(), patients=None) -> pd.DataFrame:
    """The same of (n, d) values, NaN missing, with the codes (n,) of classes, or numbers (n,) where there are none."""
    import pandas as pd

    some = np.flatnonzero(np.isnan(values).any(axis=0))
    missing, target = _by_patient(np.isnan(values[:, some]), np.asarray(target), patients)
    shares = {str(name): missing[target == code].mean(axis=0) for code, name in enumerate(classes)} if len(missing) else {}
    p = _tests(missing, target, len(classes))
    frame = pd.DataFrame({"feature": [features[j] for j in some], "missing": np.isnan(values[:, some]).mean(axis=0)})
    for name, share in shares.items():
        frame[name if name not in COLUMNS else f"class {name}"] = share
    held = _holm(p)
    return frame.assign(p=p, p_holm=held, differs=held <= LEVEL)


def _by_patient(missing, target, patients):
    """One row per patient, where these have several; no rows where a patient has several outcomes."""
    if patients is None:
        return missing, target
    who, first, of = np.unique(patients, return_index=True, return_inverse=True)
    if not (target == target[first][of]).all():
        return missing[:0], target[:0]
    once = np.zeros((len(who), missing.shape[1]), dtype=bool)
    np.logical_or.at(once, of, missing)
    return once, target[first]


def _tests(missing, target, n_classes):
    """(d,) p of each column; NaN where nothing can be compared."""
    p, p_of = np.full(missing.shape[1], np.nan), {}
    for j, column in enumerate(missing.T):
        if len(column) == 0 or column.all() or not column.any():
            continue
        gaps = tuple(np.bincount(target[column], minlength=n_classes).tolist()) if n_classes else column.tobytes()
        if gaps not in p_of:
            p_of[gaps] = _fisher(gaps, target) if n_classes else _rank_sum(column, target)
        p[j] = p_of[gaps]
    return p


def _fisher(gaps, codes):
    """P of the numbers of missing cells per class, of three classes or more each against the others."""
    from scipy.stats import fisher_exact

    sizes, gaps = np.bincount(codes, minlength=len(gaps)), np.array(gaps)
    pairs = np.column_stack([gaps, sizes - gaps])
    ps = [fisher_exact([pair, pairs.sum(axis=0) - pair])[1] for pair in pairs[: 1 if len(pairs) == 2 else None]]
    return min(1.0, min(ps) * len(ps))


def _rank_sum(column, numbers):
    from scipy.stats import mannwhitneyu

    return mannwhitneyu(numbers[column], numbers[~column])[1]


def _holm(p):
    """Holm's adjusted p; NaN stay NaN and count as no test."""
    tested = np.flatnonzero(~np.isnan(p))
    held, order = np.full(len(p), np.nan), tested[np.argsort(p[tested])]
    held[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1.0)
    return held


def predicting(frame) -> pd.DataFrame:
    """The rows of features whose missing cells differ by class, by WORTH_TELLING or more of a class, the clearest first."""
    shares = frame[[name for name in frame.columns if name not in COLUMNS]]
    apart = shares.max(axis=1) - shares.min(axis=1) >= WORTH_TELLING if len(shares.columns) else True
    return frame[frame["differs"] & apart].sort_values("p", kind="stable")


def missingness(data: Dataset) -> dict[str, str]:
    """{feature: where its cells are missing} of features whose missing cells differ by class: it may be selected for that."""
    rows = predicting(blanks_by_class(data))
    return {row["feature"]: _shares(row) or "differs with the outcome" for _, row in rows.iterrows()}


def sentence_blank(row) -> str:
    """What is said of one row of `blanks_by_class`: 'CRP' is blank in 60% of 'ill' and 0% of 'well' patients."""
    shares = _shares(row)
    if not shares:
        return (
            f"{shown(row['feature'])} is blank in {row['missing']:.0%} of the rows, and the outcome differs between these and "
            "the others"
        )
    return f"{shown(row['feature'])} is blank in {shares}"


def _shares(row):
    """60% of 'ill' and 0% of 'well'; "" where there are no classes."""
    shares = {name: share for name, share in row.items() if name not in COLUMNS}
    column_of = {f"class {name}": name for name in COLUMNS}
    largest = sorted(shares.items(), key=lambda pair: -pair[1])[:4]
    parts = [f"{share:.0%} of {shown(column_of.get(name, name))}" for name, share in largest]
    return joined(parts) if parts else ""


def sentence_blanks(frame) -> str:
    """What limits a study whose missing cells differ by class; "" where none do."""
    rows = predicting(frame)
    if not len(rows):
        return ""
    first = sentence_blank(rows.iloc[0])
    others = f" The same holds for {listed(list(rows['feature'][1:]))}." if len(rows) > 1 else ""
    return f"{first}. Such a feature can be selected because its cells are missing, not because of its values.{others}"
