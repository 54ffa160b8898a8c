"""How often each selector is on the front when only half of the runs are looked at: a share, where a yes or no says too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.inference.estimate import terms_of
from stabcore.inference.guessing import default_score
from stabcore.measures.catalog import entry
from stabcore.measures.effective import Chance
from stabcore.selectors.baseline import is_baseline

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.measures.entry import MeasureLike
    from stabcore.relation.relation import Relation
    from stabcore.study.results import AnyResult

HALVES = 100
FEWEST = 4              # runs in common, below which a half says nothing
BY_PRODUCTS = ("nogueira", "effective")


def front_shares(result: AnyResult, measure: MeasureLike = "nogueira", score: str | None = None, *,
                 relation: Relation | None = None, floors: pd.Series | None = None, halves: int = HALVES,
                 seed: int = 0) -> pd.Series:
    """Series {selector: share of random halves of the runs in which it is on the front of score and stability as measured}.

    score: accuracy, balanced_accuracy or auc; None: that of inference.guessing.default_score. floors: noise floor of each selector,
    which is taken off its stability; None: stability as it is.

    Halves are drawn without replacement from the runs that all rivals have in common, the same for all; units of runs that belong
    together are drawn as one. NaN for selectors without a score or a stability, and for baselines, which do not compete; empty
    where fewer than four units are in common. The share of one alone among equals is about 1 / how many they are.
    """
    import pandas as pd

    score = score or default_score(result) or "accuracy"
    scores = {label: result.run_scores(label, score) for label in result.ready if not is_baseline(label)}
    scores = {label: one for label, one in scores.items() if one}
    common = sorted(set.intersection(*(set(one) & set(result.run_numbers(label)) for label, one in scores.items()))
                    if scores else ())
    places = {label: _places(result.run_numbers(label), common) for label in scores}
    chosen = np.zeros((0, 0), dtype=bool)
    if scores:
        chosen = _halves(_units(result, scores, common), halves, np.random.default_rng(seed))
    if not len(chosen):
        return pd.Series(dtype=float)
    stability = [_stabilities(result.preferences(label).take(places[label]), chosen, measure, relation) for label in scores]
    if floors is not None:
        stability = [one - floors[label] for one, label in zip(stability, scores, strict=True)]
    accuracy = [chosen @ np.array([one[run] for run in common]) / chosen.sum(axis=1) for one in scores.values()]
    on = _on_front(np.stack([np.round(accuracy, 12), stability]))
    known = np.isfinite(stability).any(axis=1)
    return pd.Series(np.where(known, on.mean(axis=1), np.nan), index=list(scores)).reindex(result.ready)


def _on_front(values):
    """(n, halves) bool: which of n points with (2, n, halves) criteria nobody dominates in each half; as analysis.pareto.front."""
    own, other = values[:, :, None], values[:, None, :]
    beaten = (other >= own).all(axis=0) & (other > own).any(axis=0)
    return np.isfinite(values).all(axis=0) & ~beaten.any(axis=1)


def _places(numbers, common):
    at = {number: place for place, number in enumerate(numbers)}
    return [at[run] for run in common]


def _units(result, scores, common):
    """(runs in common,) to which unit each belongs, from 0."""
    label = next(iter(scores))
    units = result.preferences(label).take(_places(result.run_numbers(label), common)).units if len(common) > 1 else None
    return np.arange(len(common)) if units is None else np.unique(units, return_inverse=True)[1]


def _halves(units, many, rng):
    """(many, runs) bool: which runs each random half of the units holds; no rows where there are too few units."""
    n = int(units.max()) + 1 if len(units) else 0
    if n < FEWEST:
        return np.zeros((0, len(units)), dtype=bool)
    drawn = np.argsort(rng.random((many, n)), axis=1) < n // 2
    return drawn[:, units]


def _stabilities(runs, chosen, measure, relation):
    """(halves,) a measure of each half of some runs."""
    definition = entry(measure)
    if definition.key not in BY_PRODUCTS:
        return np.array([terms_of(runs.take(np.flatnonzero(half)), definition, relation, {}).value() for half in chosen])
    relation = relation if definition.needs_relation else None
    products = runs.shared if relation is None else relation.cross_products(runs.selection_matrix)
    w, m, own = chosen.astype(float), chosen.sum(axis=1), np.diag(products)
    shared = (np.einsum("hi,ij,hj->h", w, products, w, optimize=True) - w @ own) / (m * (m - 1))
    related = 0.0 if relation is None else relation.total - runs.n_features
    sizes = runs.sizes.astype(float)
    return Chance.of(w @ sizes / m, w @ sizes ** 2 / m, runs.n_features).stability(w @ own / m - shared, related)
