"""The controls of a study: runs with shuffled outcome, and fits to the same rows with another seed or another filling.

Questions to uploaded selections, or to a study without such runs, are refused here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.inference.disagreement import COLUMNS as SOURCES
from stabcore.inference.disagreement import NO_REFITS
from stabcore.inference.disagreement import disagreement_sources as sources_of
from stabcore.inference.estimate import refuse_missing_similarity, stability
from stabcore.inference.noise_floor import (
    COLUMNS,
    NO_CONTROL,
    equivalent_runs,
    floor_equal_to_value,
    shuffle_values,
    simulated_frequencies,
    stability_with_floor,
)
from stabcore.measures.catalog import entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stabcore.measures.entry import MeasureLike
    from stabcore.resampling.plan import Plan
    from stabcore.similarity.similarity import Similarity
    from stabcore.study.result_data import ResultData


NO_IMPUTATIONS = "Missing cells were not filled more than once. Run the study with n_imputations = 5 to see what it changes."


def has_control(result: ResultData) -> bool:
    """Whether a shuffle of the outcome is finished, so that noise floors are known."""
    return any(result.finished_shuffles(label) for label in result.selectors)


def has_refits(result: ResultData) -> bool:
    """Whether runs were refitted with another seed or other imputations, so that `disagreement_sources` has an answer."""
    return any(len(result.finished_refits(label)) > 1 for label in result.finished_selectors)


def blind_selectors(result: ResultData) -> list[str]:
    """The selectors that do not use the outcome, so that signal makes no difference."""
    entries = {label: result.entry_of(label) for label in result.selectors}
    return [label for label, entry in entries.items() if entry is not None and not entry.looks_at_outcome]


def cluster_share(result: ResultData) -> float | None:
    """The share of pairs of runs within a cluster of the plan. None if a shuffle repeats all runs, or none is finished."""
    if result.plan is None:
        return None
    plan, agreeing = result.plan, result.plan.agreeing_runs
    if len(plan.permutation_runs(result.settings["permutation_runs"])) == len(agreeing):
        return None
    if result.of_halves:  # pairs of runs within a pair of halves are the only ones
        return 1.0
    sizes = np.bincount([plan.cluster(run) for run in agreeing])
    return float((sizes * (sizes - 1)).sum() / (len(agreeing) * (len(agreeing) - 1)))


def noise_floor(result: ResultData, measure: MeasureLike, similarity: Similarity | None, k: int | None) -> pd.DataFrame:
    """Stability with the noise floor of each selector. See StudyResult.noise_floor."""
    _shuffled_plan(result)
    refuse_missing_similarity(entry(measure), similarity)
    rows = [{"selector": label, **value_with_floor(result, label, measure, similarity, k)} for label in result.finished_selectors]
    return pd.DataFrame(rows, columns=["selector", *COLUMNS]).set_index("selector")


def value_with_floor(result, label, measure, similarity, k):
    """The stability of a selector with its noise floor, see inference.noise_floor.stability_with_floor."""
    runs = result.selections(label, k)
    if label in blind_selectors(result):
        estimate = stability(runs, [measure], similarity=similarity)[entry(measure).key]
        ends = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
        return {**ends, **floor_equal_to_value(**ends), "note": estimate.reason}
    return stability_with_floor(
        runs, [shuffle for _, shuffle in result.shuffled(label, k)], measure, similarity, cluster_share(result)
    )


def shuffled_values(
    result: ResultData, label: str, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
) -> dict[int, float]:
    """{number of the shuffle: value of a measure with the outcome shuffled}, for those with a value."""
    definition, share = entry(measure), cluster_share(result)
    refuse_missing_similarity(definition, similarity)
    numbers, shuffles = zip(*result.shuffled(label, k)) if result.finished_shuffles(label) else ((), ())
    values = shuffle_values(shuffles, definition, similarity, share)
    return {number: value for number, (value, _) in zip(numbers, values) if np.isfinite(value)}


def shuffled_frequencies(result: ResultData, labels: str | Iterable[str], k: int | None = None) -> np.ndarray:
    """(S, d) selection frequencies in each shuffle of the outcome. See StudyResult.shuffled_frequencies."""
    plan, blind = _shuffled_plan(result), blind_selectors(result)
    labels = [label for label in ([labels] if isinstance(labels, str) else labels) if result.display_name(label) not in blind]
    repeated = plan.permutation_runs(result.settings["permutation_runs"])
    runs_of = [{number: runs for number, runs in result.shuffled(label, k) if runs.n_runs == len(repeated)} for label in labels]
    clusters = np.unique([plan.cluster(run) for run in repeated], return_inverse=True)[1]
    if not clusters.any():  # a single cluster: each run by itself
        clusters = np.arange(len(repeated))
    shuffles = sorted(set.intersection(*map(set, runs_of))) if runs_of else ()
    if not shuffles:
        return np.zeros((0, len(result.features)))
    selected = np.array([np.mean([runs[shuffle].selected for runs in runs_of], axis=0) for shuffle in shuffles])
    if cluster_share(result) is None:
        return selected.mean(axis=1)
    of_clusters = np.stack([selected[:, clusters == cluster].mean(axis=1) for cluster in range(clusters.max() + 1)], axis=1)
    rng = np.random.default_rng([result.settings["random_state"], k or 0])
    return simulated_frequencies(of_clusters, equivalent_runs(selected, result.n_runs), rng)


def disagreement_sources(result: ResultData, k: int | None = None) -> pd.DataFrame:
    """The shares of the disagreement due to patients, missing values and the seed. See StudyResult.disagreement_sources."""
    rows = []
    for label in result.finished_selectors:
        fits = result.refitted(label, k)
        if len(fits) > 1:
            about = result.entry_of(label)
            steadied_by = "" if about is None else about.build.steadied_by
            rows.append({"selector": label, **sources_of(fits), "steadied_by": steadied_by})
    if not rows:
        raise InputError(NO_REFITS)
    return pd.DataFrame(rows, columns=["selector", *SOURCES, "steadied_by"]).set_index("selector")


def imputed_frequencies(result: ResultData, k: int | None = None) -> pd.DataFrame:
    """Selection frequencies over all imputations. See StudyResult.imputed_frequencies."""
    parts = []
    for label in result.finished_selectors:
        fits = [runs for (repeat, _), runs in result.refitted(label, k).items() if not repeat]
        if len(fits) > 1:
            each = np.array([runs.frequencies for runs in fits])
            columns = {"frequency": each.mean(axis=0), "lowest": each.min(axis=0), "highest": each.max(axis=0)}
            parts.append(pd.DataFrame({"selector": label, "feature": list(result.features), **columns}))
    if not parts:
        raise InputError(NO_IMPUTATIONS)
    return pd.concat(parts, ignore_index=True)


def _shuffled_plan(result: ResultData) -> Plan:
    """The plan whose runs were repeated with the outcome shuffled. Raises InputError without finished shuffles."""
    if result.plan is None or not has_control(result):
        raise InputError(NO_CONTROL)
    return result.plan
