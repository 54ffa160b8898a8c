"""What each group of features that stand for each other does to effective stability."""

from __future__ import annotations

import numpy as np

from stabcore.inference import stability
from stabcore.preferences import Preferences
from stabcore.whatif.chance import Chance, reasons, varying

NO_GROUP = "(in no group)"
ACROSS = "(between groups)"
ALL = "(all)"


def groups(runs, relation):
    """DataFrame(group, features, alone, effect_alone, without, effect_last, reason): each group of C switched on and off.

    features  how many members
    alone     Φ_C with only this group on; effect_alone = alone − Φ_C with no group on
    without   Φ_C with all groups but this one; effect_last = Φ_C with all groups − without
    A group that is off has C = 0 between its members; what is set between features of different groups stays. The values with all
    and with no group are in attrs["all"] and attrs["none"]; for any other choice measure with C.with_groups(names).
    NaN with the reason where a value is undefined. Raises InputError when C is about other features.
    """
    import pandas as pd

    relation.check_covers(runs)
    chance, base = Chance.of_runs(runs), relation.with_groups([])
    inside, counted = _inside(runs, relation)
    vary, related = varying(runs, base), base.total - runs.n_features
    alone = chance.stability(vary + inside, related + counted)
    rest = chance.stability(vary + inside.sum() - inside, related + counted.sum() - counted)
    none = float(chance.stability(vary, related))
    whole = float(chance.stability(vary + inside.sum(), related + counted.sum()))
    frame = pd.DataFrame({"group": list(relation.group_names), "features": _sizes(relation), "alone": alone,
                          "effect_alone": alone - none, "without": rest, "effect_last": whole - rest})
    frame["reason"] = reasons(alone + rest + none + whole)
    frame.attrs.update({"all": whole, "none": none})
    return frame


def within_between(runs, relation, level=0.95):
    """DataFrame(group, features, stability, low, high, reason, variance, effective_variance, swaps): where instability comes from.

    stability, low, high   nogueira on the group's columns alone, as in Table 4 of Sechidis; reason where undefined
    variance               its part of tr(S): how much the single members vary, Σ_f S_ff
    effective_variance     its part of tr(CS): how much the group as a whole varies, Σ C_ff' S_ff' over its members
    swaps                  variance − effective_variance: what is only one member instead of another, so that C forgives it; below
                           0 where members come and go together
    One row a group, then features in no group, what C has between groups, and all; the parts add up to tr(S) and tr(CS).
    Source: Sechidis et al., ECML-PKDD 2019.
    """
    import pandas as pd

    relation.check_covers(runs)
    n, share = runs.n_runs, runs.frequencies
    single = share * (1 - share) * n / (n - 1)
    labels = np.full(runs.n_features, -1) if relation.labels is None else relation.labels
    inside = _inside(runs, relation)[0]
    parts = [(name, np.flatnonzero(labels == g), inside[g]) for g, name in enumerate(relation.group_names)]
    every = varying(runs, relation) - single.sum()
    parts += [(NO_GROUP, np.flatnonzero(labels < 0), 0.0), (ACROSS, np.arange(0), every - inside.sum()),
              (ALL, np.arange(runs.n_features), every)]
    rows = []
    for name, members, covariance in parts:
        found = stability(_of(runs, members), level=level) if len(members) else None
        said = (found.value, found.low, found.high, found.reason) if found else (np.nan,) * 3 + ("it has no features of its own",)
        rows.append((name, len(members), *said, single[members].sum(), single[members].sum() + covariance))
    frame = pd.DataFrame(rows, columns=["group", "features", "stability", "low", "high", "reason", "variance",
                                        "effective_variance"])
    frame["swaps"] = frame["variance"] - frame["effective_variance"]
    return frame


def _of(runs, members):
    """What the runs select among some of the features."""
    return Preferences(runs.sets[:, members], len(members)).in_units(runs.units)


def _sizes(relation):
    return relation.group_sizes if relation.labels is not None else np.zeros(0, dtype=int)


def _inside(runs, relation):
    """(G,) Σ C_ff' S_ff' and (G,) Σ C_ff' over the pairs f ≠ f' inside each group."""
    if relation.labels is None:
        return np.zeros(0), np.zeros(0)
    n, n_groups, labels = runs.n_runs, len(relation.group_names), relation.labels
    ever = np.flatnonzero((labels >= 0) & (runs.counts > 0))
    counts, label = runs.counts[ever], labels[ever]
    Z = runs.sets[:, ever]
    membership = relation.among(ever)._membership
    per_group = (Z @ membership).toarray()
    single = np.bincount(label, weights=counts - counts ** 2 / n, minlength=n_groups)
    covariance = (per_group ** 2).sum(axis=0) - per_group.sum(axis=0) ** 2 / n - single
    counted = relation.group_sizes.astype(float) ** 2 - relation.group_sizes
    if relation.extra is not None:          # set by hand inside a group
        pairs = relation.extra.tocoo()
        within = (labels[pairs.row] == labels[pairs.col]) & (labels[pairs.row] >= 0)
        i, j, value = pairs.row[within], pairs.col[within], pairs.data[within]
        counted += np.bincount(labels[i], weights=value, minlength=n_groups)
        covariance += np.bincount(labels[i], weights=value * _together(runs, i, j), minlength=n_groups)
    return covariance / (n - 1), counted


def _together(runs, i, j):
    """(M − 1) S_ff' of pairs of feature numbers."""
    columns = runs.sets.tocsc()
    both = columns[:, i].multiply(columns[:, j]).sum(axis=0) if len(i) else np.zeros(0)
    return np.asarray(both).ravel() - runs.counts[i] * runs.counts[j] / runs.n_runs
