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


def ends_of_all(labels, clear):
    """(most, least) of labels (n,), highest first: the fewest that are clearly above, clearly below, each one of all others.

    Stricter than clear_ends, where it is enough that no other is clearly above. Where both together are all of three or more, only
    the smaller part is given: the larger one is merely all others. clear: (n, n) bool as analysis.pairs.above gives it.
    """
    most, least = _above_the_rest(labels, clear), _above_the_rest(labels[::-1], clear[::-1, ::-1].T)
    if len(most) + len(least) < len(labels):
        return most, least
    return (most, []) if 1 < len(least) >= len(most) else ([], least) if len(most) > 1 else (most, least)


def _above_the_rest(labels, clear):
    return next((labels[:n] for n in range(1, len(labels)) if clear[:n, n:].all()), [])


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
        return (f"{lead} no selector clearly agrees with itself more than another, each with its own list "
                f"({range_of(value, labels)})")
    least = [one for one in last if one not in best]
    agree = "agrees with itself most" if len(best) == 1 else "agree with themselves most, each with its own list"
    return f"{lead} {join_tied(best)} {agree} ({range_of(value, best)})" + (
        f", {join_tied(least)} least ({range_of(value, least)})" if least else "")


def range_of(value, names) -> str:
    """The values {name: value} of some names as one text: 0.40, or 0.40 to 0.70."""
    low, high = rounded(min(value[one] for one in names)), rounded(max(value[one] for one in names))
    return high if low == high else f"{low} to {high}"
