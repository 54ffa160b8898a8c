"""Warnings about a similarity C for readers of its numbers, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.public import public
from stabcore.base.text import listed, quote
from stabcore.measures.effective import ChanceVariance
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity

if TYPE_CHECKING:
    from stabcore.data.dataset import Dataset

MAX_CHECKED = 500  # largest number of features to test C, because more eigenvalues would take seconds
ALMOST_ALL = 0.05  # smallest share of the chance variance that remains with C for a meaningful value
TINY = 1e-8  # eigenvalues above −TINY are not negative, up to rounding
MAX_SHARE_SIMILAR = 1 / 3  # share of all features
SAME_ROWS_WARNING = "Which features are similar is estimated from the same rows. The intervals do not include this uncertainty."


@public
def similarity_warnings(similarity: Similarity, selections: Selections | None = None) -> list[str]:
    """Sentences on reasons why effective stability is hard to read with this C. Empty if there are none.

    The reasons are: C is not positive semi-definite (its smallest eigenvalue is below 0, among up to 500 features),
    tr(CΣ⁰)/tr(Σ⁰) < 0.05, or one feature is similar to more than a third of all.

    Parameters
    ----------
    similarity : Similarity
        Feature similarity C, for measures that need it.
    selections : Selections, optional
        The runs. C is tested among the features that they selected most often.

    Raises
    ------
    InputError
        If C and the runs have different features.

    Examples
    --------
    >>> sc.similarity_warnings(C, runs)
    []
    """
    similarity, selections = Similarity.of(similarity), None if selections is None else Selections.of(selections)
    if selections is not None:
        similarity.check_covers(selections)
    sentences = [
        _semidefinite_warnings(similarity, selections),
        _variance_warnings(similarity, selections),
        _density_warnings(similarity),
    ]
    return [sentence for sentence in sentences if sentence]


def _most_selected_block(similarity, selections, most):
    """C among up to `most` features, the most frequently selected, (0, 0) for groups only, which are always semi-definite."""
    if similarity.extra is None:
        return np.zeros((0, 0))
    if selections is None:
        return similarity.block(np.arange(min(similarity.n_features, most)))
    by_frequency = np.argsort(-selections.counts, kind="stable")[:most]
    return similarity.block(by_frequency[selections.counts[by_frequency] > 0])


def _is_semidefinite(C) -> bool:
    """Whether the smallest eigenvalue of C exceeds −TINY, by a decomposition ten times as fast as eigenvalues."""
    related = np.count_nonzero(C, axis=1) > 1  # each other feature has the eigenvalue 1
    try:
        np.linalg.cholesky(C[np.ix_(related, related)] + TINY * np.eye(related.sum()))
    except np.linalg.LinAlgError:
        return False
    return True


def chance_share(similarity: Similarity, sizes: np.ndarray | None = None) -> float:
    """Return tr(CΣ⁰)/tr(Σ⁰): the variance of random selections with C as a share of that without similar features.

    1 for C = I. Near 0 no chance variance is left. NaN if selections cannot vary. sizes: (M,) features in each run, None for
    equal sizes, when it is 1 less the mean off-diagonal of C.
    """
    d, beside = similarity.n_features, similarity.total - similarity.n_features
    if d < 2:
        return 1.0
    if sizes is None:
        return 1 - beside / (d * d - d)
    chance = ChanceVariance.of(np.mean(sizes), np.mean(np.square(sizes)), d)
    return float(chance.total(beside) / chance.variance) if chance.variance > 0 else float("nan")


def describe_categories(data: Dataset) -> str:
    """Describe the features of a Dataset without a rank correlation, categories of three or more levels, or return ""."""
    names = [name for name in data.features if len(data.levels.get(name, ())) > 2]
    if not names:
        return ""
    return (
        f"Categories of three or more levels are not ordered here and so have no correlation: {listed(names)}. Set the "
        "similarity of such pairs by hand."
    )


def _semidefinite_warnings(similarity, selections):
    if _is_semidefinite(_most_selected_block(similarity, selections, MAX_CHECKED)):
        return ""
    return (
        "Some features here are similar to two features that are not similar to each other (the matrix C is not positive "
        "semi-definite). Effective stability can then exceed 1 or fall far below 0. Compare only selectors above their shuffles, "
        "by the part beyond the noise floors."
    )


def _variance_warnings(similarity, selections):
    share = chance_share(similarity, None if selections is None else selections.sizes)
    if not share < ALMOST_ALL:
        return ""
    return (
        f"Almost all features are similar to each other. Random selections keep only {share:.1%} of their variance (tr(CΣ⁰) ≈ 0), "
        "and effective stability divides by this. Choose a higher threshold or smaller groups."
    )


def _density_warnings(similarity):
    partners = similarity.times(np.ones(similarity.n_features)) - 1  # row sums of C
    most = int(np.argmax(partners)) if len(partners) else 0
    if similarity.n_features < 6 or partners[most] <= MAX_SHARE_SIMILAR * similarity.n_features:
        return ""
    name = similarity.features[most]
    return (
        f"{quote(name)} is similar to {partners[most]:,.0f} of {similarity.n_features - 1:,} other features. Agreement then has "
        "little meaning for single features. A group that only some runs select as a whole can make effective stability very "
        "negative."
    )
