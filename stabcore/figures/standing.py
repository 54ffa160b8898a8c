"""Who is most and who is least stable, as far as these runs tell: what is said beyond what may be chance."""

from __future__ import annotations

from stabcore.analysis.pairs import above
from stabcore.wording import join_tied, rounded


def ends_of_all(labels, clear):
    """(most, least) of labels (n,), highest first: the fewest that are clearly above, clearly below, each one of all others.

    The one rule for "most" and "least" in all sentences: that nobody is clearly above would not be enough, since of few runs that
    holds for everybody. Where both together are all of three or more, only the smaller part is given: the larger one is merely all
    others. clear: (n, n) bool as analysis.pairs.above gives it.
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
    labels = sorted(value, key=value.get, reverse=True)
    if len(labels) == 1:
        return f"{lead} {labels[0]} agrees with itself to {rounded(value[labels[0]])}"
    clear = above(pairs, labels)
    most, least = ends_of_all(labels, clear)
    if not most and not least:
        than = "all others" if clear.any() else "another, each with its own list"
        return f"{lead} no selector clearly agrees with itself more than {than} ({range_of(value, labels)})"
    agree = "agrees with itself {}" if len(most or least) == 1 else "agree with themselves {}, each with its own list"
    sentence = f"{lead} {join_tied(most or least)} {agree.format('most' if most else 'least')} ({range_of(value, most or least)})"
    return sentence + (f", {join_tied(least)} least ({range_of(value, least)})" if most and least else "")


def range_of(value, names) -> str:
    """The values {name: value} of some names as one text: 0.40, or 0.40 to 0.70."""
    low, high = rounded(min(value[one] for one in names)), rounded(max(value[one] for one in names))
    return high if low == high else f"{low} to {high}"
