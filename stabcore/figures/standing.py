"""Who is most and who is least stable, as far as these runs tell: what is said beyond what may be chance."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.pairs import above
from stabcore.wording import join_tied, rounded


def clear_ends(labels, pairs):
    """(those that no other is clearly above, those that are clearly above no other) of labels (n,).

    pairs: a DataFrame of every two of them, see analysis.pairs; None where nothing is known. Both are all of them when nothing is
    clear.
    """
    clear = above(pairs, labels)
    labels = np.array(labels, dtype=object)
    return labels[~clear.any(axis=0)].tolist(), labels[~clear.any(axis=1)].tolist()


def sentence_ends(labels, values, pairs, lead) -> str:
    """Most and least of some selectors in one sentence without its full stop. Those named together cannot be told apart.

    That selectors agree with themselves equally says nothing of their lists: each may bring back another one.
    """
    value = dict(zip(labels, values, strict=True))
    labels = list(value)
    if len(labels) == 1:
        return f"{lead} {labels[0]} agrees with itself to {rounded(value[labels[0]])}"
    best, last = clear_ends(labels, pairs)
    if len(best) == len(labels):
        return f"{lead} no selector clearly agrees with itself more than another, each with its own list ({_range(value, labels)})"
    least = [one for one in last if one not in best]
    agree = "agrees with itself most" if len(best) == 1 else "agree with themselves most, each with its own list"
    return f"{lead} {join_tied(best)} {agree} ({_range(value, best)})" + (
        f", {join_tied(least)} least ({_range(value, least)})" if least else "")


def _range(value, names):
    low, high = rounded(min(value[one] for one in names)), rounded(max(value[one] for one in names))
    return high if low == high else f"{low} to {high}"
