"""What varies inside groups of features, of two selectors beside each other: a table and a sentence."""

from __future__ import annotations

from stabcore.analysis.compare_selectors import LEVEL
from stabcore.figures.estimates import written
from stabcore.figures.style import initials
from stabcore.wording import join_tied, plural, rounded


def table_beside(frame, first, second):
    """DataFrame of analysis.whatif.within_between_beside as people read it: each part of both selectors, and the difference, with
    a star where it is clear."""
    import pandas as pd

    called = initials([first, second])
    wide = pd.DataFrame({"Group": frame["group"], "Features": frame["features"]})
    for part, words in (("stability", "Stability inside"), ("variance", "Members vary"), ("effective_variance", "The group varies"),
                        ("swaps", "Only swaps")):
        for side, name in (("first", first), ("second", second)):
            wide[f"{words}, {called[name]}"] = [written(value, float("nan"), float("nan")) if value == value else "none"
                                                for value in frame[f"{part}_{side}"]]
    wide.insert(4, "Difference inside", [_difference(*row) for row in
                                         frame[["difference", "low", "high", "p_holm"]].itertuples(index=False)])
    return wide


def _difference(value, low, high, p):
    """A difference with its interval, starred where it is clear after asking about all groups at once."""
    return f"{written(value, low, high)}{' *' * (p < LEVEL)}" if value == value else "none"


def sentence_beside(frame, first, second) -> str:
    """Inside which groups the picks of one selector come back clearly more often than those of the other."""
    clear, parts = frame[frame["p_holm"] < LEVEL], []
    for one, other, own in ((first, second, clear[clear["difference"] > 0]), (second, first, clear[clear["difference"] < 0])):
        if len(own):
            most = own["difference"].abs().max()
            by = f"by {'up to ' if len(own) > 1 else ''}{rounded(most)}"
            parts.append(f"inside {plural(len(own), 'group')} {join_tied(list(own['group']))} the picks of {one} come back clearly "
                         f"more often than those of {other} ({by})")
    if not parts:
        return f"Inside no group do {first} and {second} clearly differ."
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."
