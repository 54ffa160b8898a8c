"""Several rows of one patient: how much less than so many patients they tell about new ones."""

from __future__ import annotations

import numpy as np


def codes(patients) -> np.ndarray | None:
    """(n,) a number from 0 for each row's patient; None where every row is a patient of its own, or nobody said."""
    if patients is None:
        return None
    of_row = np.unique(np.asarray(patients), return_inverse=True)[1]
    return None if of_row.max(initial=-1) + 1 == len(of_row) else of_row


def design_effect(adds, of_row):
    """(d,) how many times as large a variance is because rows of one patient tell partly the same.

    G/(G − 1) · Σ_patients (Σ of its rows)² / Σ_rows (…)², G the patients. Below 1 where a patient's rows lie in both classes, so
    that each is compared with itself. Where no row adds anything (classes that lie apart), as if rows of a patient were copies.
    adds: (n, d) what each row adds to the estimate (its linear part), 0 where it is not known; of_row: (n,) see codes.
    Source: Kish 1965, Survey Sampling (design effect); Liang & Zeger 1986, Biometrika 73:13-22 (sums by patient).
    """
    many = np.bincount(of_row)
    order = np.argsort(of_row, kind="stable")
    sums = np.add.reduceat(adds[order], np.cumsum(many) - many, axis=0)
    among, alone = (sums ** 2).sum(axis=0), (adds ** 2).sum(axis=0)
    copies = (many ** 2).sum() / many.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(alone > 0, among / alone * len(many) / (len(many) - 1), copies)


def free_of(of_row) -> int | None:
    """Degrees of freedom of an interval, as `estimate.deviate` takes them: G − 1 where G patients have several rows, else None."""
    return None if of_row is None else int(of_row.max())
