"""Suggested groups: correlated features, and features with similar names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import listed, quote
from stabcore.base.validation import default_names, feature_finder
from stabcore.data.feature_table import TableLike
from stabcore.similarity.correlation import Correlations, numeric_columns
from stabcore.similarity.similarity import check_threshold

LINKAGES = {
    "average": "Average: members are similar on average",
    "complete": "Complete: all pairs of members are similar",
    "single": "Single: each member is similar to some other member",
}
MAX_GROUPED = 2000
_SEPARATOR = re.compile(r"[\s_.:/|-]")


@dataclass(frozen=True, eq=False)
class Tree:
    """A hierarchy of d features by 1 − |ρ|.

    linkage     (d − 1, 4) as in scipy.cluster.hierarchy, empty for one feature
    order       (d,) order of the features from left to right, with similar ones next to each other
    features    the d names
    similarity  (d, d) |ρ|, 1 on the diagonal
    """

    linkage: np.ndarray
    order: np.ndarray
    features: tuple[str, ...]
    similarity: np.ndarray


def feature_tree(
    X: TableLike,
    *,
    method: str = "spearman",
    linkage: str = "average",
    features: Iterable[str] | None = None,
    most: int = MAX_GROUPED,
) -> Tree:
    """Hierarchical clustering of features by 1 − |ρ|, to be cut at a threshold.

    X: Dataset, DataFrame or (n, d) array. features: only these, by name or 0-based number. linkage: one of LINKAGES. A column
    without correlations is similar to no other. Raises InputError for more than `most` features, too many for a matrix of all
    pairs and for a person to review, and as Correlations.of does.
    """
    from scipy.cluster.hierarchy import leaves_list
    from scipy.cluster.hierarchy import linkage as link
    from scipy.spatial.distance import squareform

    if linkage not in LINKAGES:
        raise InputError(f"The linkage {linkage!r} is not known. Choose one of {', '.join(LINKAGES)}.")
    values, names = numeric_columns(X)
    names = names or default_names(values.shape[1])
    index = np.arange(len(names)) if features is None else np.unique(feature_finder(names, len(names))(features, "The choice"))
    d = len(index)
    if d > most:
        raise InputError(
            f"Groups can be suggested for up to {most:,} features. There are {d:,}. Choose some of them, such as the selected "
            "ones, or use correlation with a threshold."
        )
    every = Correlations.of(values[:, index], method)
    similarity = np.eye(d)
    for rows, columns, rho in every.blocks():
        similarity[np.ix_(rows, columns)] += np.maximum(np.round(rho, 12), 0)
    similarity = np.triu(similarity) + np.triu(similarity, 1).T
    tree = link(squareform(1 - similarity, checks=False), method=linkage) if d > 1 else np.zeros((0, 4))
    return Tree(tree, leaves_list(tree) if d > 1 else np.arange(d), tuple(names[i] for i in index), similarity)


def cut_tree(tree: Tree, threshold: float) -> dict[str, list[str]]:
    """{group: features} of the clusters that join at |ρ| ≥ threshold, those of two or more, the largest first.

    A group is named after its most similar member: "like ALT". Raises InputError for a threshold outside [0, 1].
    """
    from scipy.cluster.hierarchy import fcluster

    check_threshold(threshold)
    if not len(tree.linkage):
        return {}
    steps = tree.linkage.copy()
    steps[:, 2] = np.round(steps[:, 2], 12)  # values equal up to rounding count as equal
    labels = fcluster(steps, np.round(1 - threshold, 12), criterion="distance")
    clusters = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    groups = sorted((members for members in clusters if len(members) > 1), key=lambda members: (-len(members), members[0]))
    centres = [members[np.argmax(tree.similarity[np.ix_(members, members)].sum(axis=1))] for members in groups]
    return {f"like {tree.features[centre]}": [tree.features[i] for i in members] for centre, members in zip(centres, groups)}


@public
def suggest_groups(
    X: TableLike,
    threshold: float = 0.7,
    *,
    method: str = "spearman",
    linkage: str = "average",
    features: Iterable[str] | None = None,
) -> dict[str, list[str]]:
    """{group: features} of correlated features, by hierarchical clustering on 1 − |ρ|, for Similarity.from_groups after review.

    Parameters
    ----------
    X : DataFrame, array or Dataset
        Dataset, DataFrame or (n, d) array.
    threshold : float, optional
        |ρ| in [0, 1] from which two clusters join. It is reached on average over the pairs of their members (linkage "average"), in
        every pair ("complete"), or in one pair ("single").
    method : str, optional
        Correlation: 'spearman', 'pearson' or 'kendall'.
    linkage : str, optional
        The rule by which clusters join: 'average', 'complete' or 'single'.
    features : list of str, optional
        Only these, by name or 0-based number. Groups have two members or more, and the largest comes first. Each has the name of
        the member that is most similar to the others.

    Raises
    ------
    InputError
        For an unknown linkage or method, a threshold outside [0, 1], or too many features.

    References
    ----------
    Source: Sechidis et al., ECML-PKDD 2019, use groups from domain knowledge. The suggestion of groups is ours.

    Examples
    --------
    >>> list(sc.suggest_groups(data, 0.8))
    ['like A', 'like B', 'like C', 'like D', 'like E']
    """
    return cut_tree(feature_tree(X, method=method, linkage=linkage, features=features), threshold)


def pattern_groups(features: Iterable[str], pattern: str) -> dict[str, list[str]]:
    """{group: features} of the features that match a pattern, as IL_* matches IL_6. * is anything, ? one character, [68] either.

    Case does not matter. Raises InputError if fewer than two match.
    """
    members = [str(name) for name in features if fnmatchcase(str(name).casefold(), str(pattern).casefold())]
    if len(members) < 2:
        fits = f"The pattern {quote(pattern)} matches {listed(members) or 'no feature'}"
        raise InputError(f"{fits}, but a group needs two members. Write * for any characters, such as IL_*.")
    return {re.sub(r"[*?]", "", str(pattern)).strip(" _.:/|-") or str(pattern): members}


def prefix_groups(features: Iterable[str]) -> dict[str, list[str]]:
    """{group: features} of the features with a common beginning before a separator: IL_6 and IL_8 are IL. Case does not matter.

    Separators are _ . : / | - and spaces. A family has two members or more, and not all features.
    """
    features = [str(name) for name in features]
    families: dict[str, tuple[str, list[str]]] = {}
    for name in features:
        start = _SEPARATOR.split(name, maxsplit=1)
        if len(start) == 2 and start[0]:
            families.setdefault(start[0].casefold(), (start[0], []))[1].append(name)
    return {start: members for start, members in families.values() if 2 <= len(members) < len(features)}
