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
    from stabcore.study.results import AnyResult

ENOUGH = 100            # pairs from which on their spread can be told from a few true substitutes
TENTH = 1.2815515655446004      # how far the 10% quantile of a normal lies below its median
COMPARED = 100          # features of a selector at most, every two of which are looked at
COLUMNS = ["selector", "feature", "partner", "related", "only_this", "both", "only_partner", "neither", "association", "p_holm"]


def swaps(result: AnyResult, k: int | None = None, relation: Relation | None = None, selectors: Sequence[str] | None = None,
          level: float = 0.05) -> pd.DataFrame:
    """DataFrame, one row a pair of features and a selector in whose runs one takes the place of the other, surest first.

    selector, feature, partner             the pair, the one that comes more often first
    related                                C of the two, 0 without a relation
    only_this, both, only_partner, neither shares of the runs that select so; they add up to 1
    association                            correlation of the two selections over the runs (phi), −1 … 1
    p_holm                                 as in analysis.passport.partners, but with Holm's correction for all pairs of all
                                           selectors that were looked at; only those below `level` are returned
    Looked at are every two of the COMPARED features whose selection varies most between runs, related or not. Correlated features
    come and go together, so that many pairs move against each other without being substitutes. The z-values of all pairs of a
    selector therefore give their own spread, σ = max(1, (median − 10% quantile)/1.28), and p = Φ(z/σ), where there are 100 pairs or
    more. In simulated noise (independent, blocks, one factor; halves, 5% left out) 0 to 5 of 100 tables showed a pair. The p is for
    more such runs of this table, not for other patients. selectors: labels, by default all that are ready but baselines.
    Raises InputError for an unknown label. Source: see analysis.passport.partners; Efron 2004, JASA 99:96-104
    (empirical null); Holm 1979.
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
    from scipy.special import ndtr, ndtri

    if relation is not None:
        relation.check_covers(runs)
    moves = np.flatnonzero((runs.counts > 0) & (runs.counts < runs.n_runs))
    varies = runs.counts[moves] * (runs.n_runs - runs.counts[moves])
    first = moves[np.argsort(-varies, kind="stable")[:COMPARED]]
    first = first[np.argsort(-runs.counts[first], kind="stable")]
    i, j = np.triu_indices(len(first), 1)
    value = np.zeros(len(i)) if relation is None else relation.values(first[i], first[j])
    a, b, names = first[i], first[j], np.array(runs.features, dtype=object)
    pairs = pd.DataFrame({"feature": names[a], "partner": names[b], "related": value, **exchanged(runs, a, b)})
    if len(pairs) >= ENOUGH:
        z = ndtri(np.clip(pairs["p"], 1e-300, 1 - 1e-12))
        pairs["p"] = ndtr(z / max(1.0, (np.median(z) - np.quantile(z, 0.1)) / TENTH))
    return pairs
