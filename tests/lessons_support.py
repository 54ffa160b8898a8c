"""Means of lessons that have no formula, drawn without patients."""

import numpy as np

from stabcore.teaching import shared_rows
from stabcore.teaching.inside_folds import FOLDS
from stabcore.teaching.lesson import select_highest, two_set_stability


def expected_accuracies(rng, markers, patients, k, tables):
    """Return (tables,) accuracies of selection on all patients, each the expectation given the class differences in its folds.

    The k largest |z| of d markers follow from the k smallest of d p-values. Given its class difference in every fold, a patient is
    normal with mean difference/m and variance 1 − 1/m for m patients in a fold. The midpoint of the classes is independent of the
    differences. So the score of a patient is normal, and its sign is right with a known probability.
    """
    from scipy.special import ndtr, ndtri

    size = patients // FOLDS
    waits = rng.standard_exponential((tables, k)).cumsum(axis=1)
    p = waits / (waits[:, -1:] + rng.standard_gamma(markers + 1 - k, (tables, 1)))
    folds = np.sqrt(size) * rng.standard_normal((FOLDS, tables, k))
    total = -ndtri(p / 2) * np.sqrt(patients)
    folds += (total - folds.sum(axis=0)) / FOLDS
    others = total - folds
    spread = np.sqrt((1 - 1 / size + 1 / (patients - size)) * (others**2).sum(axis=2))
    return ndtr((folds * others).sum(axis=2) / size / spread).mean(axis=0)


def agreements(rng, left_out, k, tables):
    """Return (tables,) agreements of two runs on a table, from the scores of its markers alone.

    The difference of two class means is normal. Two runs that share s of the n patients that each keeps correlate by s/n.
    """
    size = shared_rows.PATIENTS // 2
    keep = round(size * (1 - left_out / 100))
    rho = rng.hypergeometric(keep, size - keep, keep, (tables, 2)).mean(axis=1)[:, None] / keep
    first, other = rng.standard_normal((2, tables, shared_rows.MARKERS))
    return two_set_stability(select_highest(np.abs(first), k), select_highest(np.abs(rho * first + np.sqrt(1 - rho**2) * other), k))
