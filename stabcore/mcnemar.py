"""McNemar's test between selectors: whose held-out predictions are right where the other's are wrong."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from stabcore.comparison import holm
from stabcore.errors import InputError

COLUMNS = ("first", "second", "only_first_right", "only_second_right", "p", "p_holm", "note")


@dataclass(frozen=True)
class McNemar:
    """What the test found: rows (or patients) that only the first, or only the second, predicts rightly, and the p-value.

    p is NaN when nothing was predicted by both; `note` then says so, and says when p is 1 because the two never differ.
    """

    only_first_right: int
    only_second_right: int
    p: float
    note: str = ""


def mcnemar(first, second, target, patients=None) -> McNemar:
    """Do the predictions of two selectors differ? p = min(1, 2 P(B ≤ min(b, c))), B binomial of b + c and ½ (exact, two-sided).

    first, second: outcomes (.run, .held_out, .predicted) of two selectors, paired by run; target (n,): the true classes.
    b rows only the first predicts rightly, c only the second. A row that several runs predict still counts once, for the selector
    that is right in more of the runs that both have (a sign test; draws count for neither), since its predictions are alike;
    patients (n,) does the same for all rows of one patient. A small p: the errors differ beyond chance, on these rows.
    Raises InputError when paired runs hold out different rows.
    Source: McNemar 1947, Psychometrika 12:153-157; as in Kalousis, Prados & Hilario 2005, ICDM, Table 3.
    """
    return _tested(_hits(first, target), _hits(second, target), _units(target, patients))


def indistinguishable(outcomes_by_label, target, patients=None, level=0.05):
    """(DataFrame of all pairs of selectors, groups): which selectors' errors cannot be told apart, so that stability may decide.

    DataFrame: first, second, only_first_right, only_second_right, p, p_holm (Holm's correction for the number of pairs), note.
    groups: every largest possible set of labels without a pair of p_holm < level, as tuples, fewest errors first; a selector can
    be in several (a like b and b like c do not make a like c), one without predictions is in none.
    """
    import pandas as pd

    units = _units(target, patients)
    hits = {label: _hits(outcomes, target) for label, outcomes in outcomes_by_label.items()}
    pairs = list(combinations(hits, 2))
    found = [_tested(hits[a], hits[b], units) for a, b in pairs]
    corrected = holm(np.array([one.p for one in found]))
    table = pd.DataFrame([(a, b, one.only_first_right, one.only_second_right, one.p, p, one.note)
                          for (a, b), one, p in zip(pairs, found, corrected, strict=True)], columns=COLUMNS)
    alike = {frozenset(pair) for pair, p in zip(pairs, corrected, strict=True) if p >= level}
    accuracy = {label: np.mean(np.concatenate([hit for _, hit in runs.values()])) for label, runs in hits.items() if runs}
    return table, _largest_sets(sorted(accuracy, key=lambda label: -accuracy[label]), alike)


def _hits(outcomes, target):
    """{run: (rows held out, whether each was predicted rightly)} of the runs that predicted anything."""
    target = np.asarray(target)
    return {one.run: (np.asarray(one.held_out), np.asarray(one.predicted) == target[one.held_out])
            for one in outcomes if one.predicted is not None and len(one.predicted)}


def _units(target, patients):
    return np.arange(len(target)) if patients is None else np.unique(patients, return_inverse=True)[1]


def _tested(first, second, units) -> McNemar:
    common = [run for run in first if run in second]
    if not common:
        return McNemar(0, 0, np.nan, "No run has predictions of both.")
    for run in common:
        if not np.array_equal(first[run][0], second[run][0]):
            raise InputError(f"Run {run} of the two selectors holds out different rows; only predictions of the same rows can be "
                             "compared. Take both from one study.")
    rows = np.concatenate([first[run][0] for run in common])
    ahead = np.concatenate([first[run][1].astype(int) - second[run][1] for run in common])
    net = np.bincount(units[rows], weights=ahead)
    b, c = int((net > 0).sum()), int((net < 0).sum())
    if b + c == 0:
        return McNemar(0, 0, 1.0, "Both are right and wrong on the same rows." if not ahead.any() else
                       "On every row both are right as often.")
    from scipy.special import bdtr

    return McNemar(b, c, float(min(1.0, 2 * bdtr(min(b, c), b + c, 0.5))))


def _largest_sets(labels, alike):
    """All sets of labels in which every two are alike and to which no other label can be added; members and sets in label order."""
    sets = []

    def grow(members, candidates, done):
        if not candidates and not done:
            sets.append(members)
        for i, label in enumerate(candidates):
            fits = [other for other in candidates[i + 1:] if frozenset((label, other)) in alike]
            grow((*members, label), fits, [other for other in (*done, *candidates[:i]) if frozenset((label, other)) in alike])

    if labels:
        grow((), labels, [])
    return sets
