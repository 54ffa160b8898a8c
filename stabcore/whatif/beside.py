"""Two selectors beside each other: what varies inside groups and between them, and inside which group they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.inference.comparison import compare, holm
from stabcore.whatif.groups import inside_groups, members_of, within_between

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.preferences import Preferences
    from stabcore.relation.relation import Relation

PARTS = ("stability", "variance", "effective_variance", "swaps")


def within_between_beside(first: Preferences, second: Preferences, relation: Relation, *, paired: bool = True) -> pd.DataFrame:
    """DataFrame, one row a group as in within_between: its columns of two selectors, and how far their stabilities inside differ.

    group, features; stability, variance, effective_variance and swaps, each with _first and _second
    difference, low, high, p_value, note   stability inside the group, first − second, see sc.compare; paired: on the same resamples
    p_holm                                 with Holm's correction for asking about all groups and the features in none
    Raises InputError as sc.compare. Source: Sechidis et al., ECML-PKDD 2019, Table 4, of two selectors.
    """
    import pandas as pd

    both = [within_between(runs, relation) for runs in (first, second)]
    frame = both[0][["group", "features"]].copy()
    for name in PARTS:
        frame[f"{name}_first"], frame[f"{name}_second"] = both[0][name], both[1][name]
    rows = []
    for members in members_of(relation):
        own = [inside_groups(runs, members) for runs in (first, second)]
        gap = compare(own[0], own[1], paired=paired) if len(members) else None
        rows.append((gap.difference, gap.low, gap.high, gap.p_value, gap.reason) if gap else (*[np.nan] * 4, ""))
    frame[["difference", "low", "high", "p_value", "note"]] = pd.DataFrame(rows, index=frame.index)
    asked = np.array(frame["p_value"], dtype=float)
    asked[-1] = np.nan                      # all features together are asked about elsewhere
    return frame.assign(p_holm=holm(asked))
