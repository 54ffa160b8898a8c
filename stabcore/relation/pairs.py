"""The pairs of features that stand for each other: how many, and as a table."""

from __future__ import annotations

import numpy as np


def related_pairs(relation, most=100_000):
    """DataFrame(feature_a, feature_b, value) of the pairs with C > 0, largest first, equal ones in order of the features.

    Only the `most` largest (None: all); the frame's attrs["total"] says how many there are.
    """
    import pandas as pd
    from scipy.sparse import coo_array

    d = relation.n_features
    most = relation.n_related if most is None else most
    beside = coo_array((d, d)) if relation.extra is None else relation.extra.tocoo()
    upper = beside.row < beside.col
    i, j, value = beside.row[upper].astype(np.int64), beside.col[upper].astype(np.int64), beside.data[upper]
    inside = relation.same_group(i, j)
    value = value + inside
    if relation.labels is not None:
        first, second = _in_groups(relation, most + np.count_nonzero(inside))
        plain = ~np.isin(first * d + second, i[inside] * d + j[inside])
        i, j = np.append(i, first[plain]), np.append(j, second[plain])
        value = np.append(value, np.ones(np.count_nonzero(plain)))
    order = np.lexsort((j, i, -value))
    order = order[value[order] > 0][:most]
    names = np.array(relation.features, dtype=object)
    frame = pd.DataFrame({"feature_a": names[i[order]], "feature_b": names[j[order]], "value": value[order]})
    frame.attrs["total"] = relation.n_related
    return frame


def count_related(relation) -> int:
    """How many pairs of different features have C > 0, without listing them."""
    inside = 0 if relation.labels is None else int((relation.group_sizes * (relation.group_sizes - 1) // 2).sum())
    if relation.extra is None:
        return inside
    values, within = relation.extra.data, relation.in_one_group(relation.extra)
    added, removed = np.count_nonzero(~within & (values > 0)), np.count_nonzero(within & (values <= -1))
    return int(inside + (added - removed) // 2)


def _in_groups(relation, most):
    """(first, second) feature numbers of pairs in one group, in order of the features: all, or at least `most`."""
    order = np.argsort(relation.labels, kind="stable")
    order = order[relation.labels[order] >= 0]                      # members side by side, each group in feature order
    end = np.cumsum(relation.group_sizes)[relation.labels[order]]
    later = end - np.arange(len(order)) - 1                         # how many members come after each
    turn = np.argsort(order)                                        # the places in `order`, by feature
    enough = np.searchsorted(np.cumsum(later[turn]), most) + 1
    turn = turn[:enough]
    place = np.repeat(turn, later[turn])
    step = np.arange(len(place)) - np.repeat(np.cumsum(later[turn]) - later[turn], later[turn])
    return order[place], order[place + 1 + step]
