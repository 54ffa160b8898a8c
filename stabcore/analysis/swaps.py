"""Swaps: which features of all that runs select take each other's place, in the runs of every selector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.analysis.each import chosen_selectors
from stabcore.inference.comparison import holm
from stabcore.whatif.swaps import exchanged

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from stabcore.relation.relation import Relation
    from stabcore.study.results import Results

COMPARED = 50           # features of a selector at most, every two of which are looked at
COLUMNS = ["selector", "feature", "partner", "related", "only_this", "both", "only_partner", "neither", "association", "p_holm"]


def swaps(result: Results, k: int | None = None, relation: Relation | None = None, selectors: Sequence[str] | None = None,
          level: float = 0.05) -> pd.DataFrame:
    """DataFrame, one row a pair of features and a selector in whose runs one takes the place of the other, surest first.

    selector, feature, partner             the pair, the one that comes more often first
    related                                C of the two, 0 without a relation
    only_this, both, only_partner, neither shares of the runs that select so; they add up to 1
    association                            correlation of the two selections over the runs (phi), −1 … 1
    p_holm                                 as in analysis.passport.partners, but with Holm's correction for all pairs of all
                                           selectors that were looked at; only those below `level` are returned
    Looked at are every two of the COMPARED features that come most often, of those that do not come always; with a relation only
    pairs with C > 0. So a table in which no two swap gives a row in at most 5 of 100. The p takes the runs as independent of
    each other: it speaks of more such runs of this table, not of other patients. selectors: labels, by default all that are ready
    but baselines. Raises InputError for an unknown label. Source: see analysis.passport.partners; Holm 1979.
    """
    import pandas as pd

    related = relation if relation is not None and relation.n_related else None
    looked_at = pd.concat([_pairs(result.preferences(label, k), related).assign(selector=label)
                           for label in chosen_selectors(result, selectors)], ignore_index=True)
    looked_at["p_holm"] = holm(looked_at["p"].to_numpy(dtype=float))
    sure = looked_at[looked_at["p_holm"] < level].sort_values(["p_holm", "association"], kind="stable", ignore_index=True)
    return sure[COLUMNS]


def _pairs(runs, relation):
    """Every two features of a selector that may swap, as `swaps` tells of them, with the p of each pair by itself."""
    import pandas as pd

    if relation is not None:
        relation.check_covers(runs)
    moves = np.flatnonzero((runs.counts > 0) & (runs.counts < runs.n_runs))
    first = moves[np.argsort(-runs.counts[moves], kind="stable")[:COMPARED]]
    i, j = np.triu_indices(len(first), 1)
    value = np.zeros(len(i)) if relation is None else relation.values(first[i], first[j])
    if relation is not None:
        i, j, value = i[value > 0], j[value > 0], value[value > 0]
    a, b, names = first[i], first[j], np.array(runs.features, dtype=object)
    return pd.DataFrame({"feature": names[a], "partner": names[b], "related": value, **exchanged(runs, a, b)})
