"""The figures of the screens for a result in Python: result.plot.stability(), or the same as sc.plot.stability(result).

Each function returns a Plotly figure. Its numbers are in the frame of its module (see stabcore.plots).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from stabcore.analysis import compare_selectors
from stabcore.analysis import panel as panels
from stabcore.analysis.noise_floors import beyond_floor, blind, floors
from stabcore.analysis.whatif.thresholds import CorrelationBins
from stabcore.base.errors import InputError
from stabcore.inference.predictions import default_score, guessed
from stabcore.plots.importance_map import draw_importance_map, frame_importance_map
from stabcore.plots.noise_floor import draw_beyond, frame_beyond, panels_of
from stabcore.plots.panel import draw_panel, frame_panel
from stabcore.plots.pareto import draw_fronts, frame_fronts
from stabcore.plots.profiles import draw_profiles, frame_profiles
from stabcore.plots.selection_grid import draw_grid
from stabcore.plots.selection_map import arrange
from stabcore.plots.thresholds import draw_thresholds, frame_thresholds
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import Results

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from stabcore.measures.entry import MeasureLike
    from stabcore.study.results import AnyResult


def stability(result: Any, similarity: Similarity | None = None) -> Figure:
    """Stability of each selector with its interval, and its noise floor if it was measured.

    Parameters
    ----------
    result : object
        Result of a study, or sc.Results of uploaded selections.
    similarity : Similarity, optional
        Adds the effective stability by it.

    Raises
    ------
    InputError
        Where it is about other features.

    Examples
    --------
    >>> figure = result.plot.stability(C)
    >>> type(figure).__name__
    'Figure'
    """
    result = Results.of(result)
    similarity = Similarity.of(similarity or Similarity.identity(len(result.features), result.features))
    shown = panels_of(
        result, similarity, lambda key: result.split_half(key, similarity), lambda key: floors(result, key, similarity)
    )
    return draw_beyond(frame_beyond(shown, blind(result)))


def profile(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
) -> Figure:
    """Stability at every number of features. k: the marked number, by default that of the study.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    measure : str or function, optional
        Key of sc.list_measures(), or a measure of one's own.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.
    k : int, optional
        As if every run had selected its k best features. None: as the runs select.

    Raises
    ------
    InputError
        Where no selector ranks its features.

    Examples
    --------
    >>> type(result.plot.profile(k=5)).__name__
    'Figure'
    """
    result = Results.of(result)
    similarity = None if similarity is None else Similarity.of(similarity)
    labels = [label for label in result.finished_selectors if result.can_rank(label)]
    if not labels:
        raise InputError("No selector of this result ranks its features, so stability is known only for the selected number.")
    k = k or result.n_selected or int(result.selections(labels[0]).sizes.mean())
    runs = {label: result.selections(label) for label in labels}
    beyond = frame_beyond({"runs": floors(result, measure, similarity, k).loc[labels]}, blind(result))
    return draw_profiles(frame_profiles(runs, measure, similarity, *_shuffled(result, labels)), k, beyond)


def grid(result: AnyResult, selector: str, k: int | None = None, similarity: Similarity | None = None) -> Figure:
    """Which features each run of a selector selected, the most frequent first.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    selector : str
        Name of a selector in the result.
    k : int, optional
        As if every run had selected its k best features. None: as the runs select.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.

    Examples
    --------
    >>> type(result.plot.grid("mim")).__name__
    'Figure'
    """
    result = Results.of(result)
    return draw_grid(_arranged(result, selector, k, similarity))


def importance_map(result: AnyResult, selector: str, k: int | None = None, similarity: Similarity | None = None) -> Figure:
    """How much each selected feature counts in the runs of a selector.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    selector : str
        Name of a selector in the result.
    k : int, optional
        As if every run had selected its k best features. None: as the runs select.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.

    Examples
    --------
    >>> type(result.plot.importance_map("mim")).__name__
    'Figure'
    """
    result = Results.of(result)
    seen = _arranged(result, selector, k, similarity)
    return draw_importance_map(frame_importance_map(seen), seen)


def pareto(result: AnyResult, measure: str = "nogueira", similarity: Similarity | None = None) -> Figure:
    """Accuracy against stability beyond the noise floor, with the Pareto front.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    measure : str, optional
        Key of sc.list_measures(), or a measure of one's own.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.

    Raises
    ------
    InputError
        For a result whose runs predicted no classes.

    Examples
    --------
    >>> type(result.plot.pareto()).__name__
    'Figure'
    """
    result = Results.of(result)
    similarity = None if similarity is None else Similarity.of(similarity)
    table = result.table([measure], similarity=similarity).dropna(subset=[measure])
    score = default_score(result, table)
    if not score:
        raise InputError("This result has no predictions and so no accuracy. See plot.stability().")
    frame = frame_fronts(
        beyond_floor(table, {measure: floors(result, measure, similarity)}),
        measure,
        score,
        {
            measure: compare_selectors.stability_pairs(result, measure, similarity),
            score: compare_selectors.score_pairs(result, score),
        },
        guessing=result.beats_guessing(score),
    )
    return draw_fronts(frame, score, score.replace("_", " ").capitalize(), guessed=guessed(result, score))


def panel(result: AnyResult, threshold: float = 0.75, k: int | None = None) -> Figure:
    """How often each feature is selected, and which stay at a threshold.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    threshold : float, optional
        Share of the runs, 0 to 1.
    k : int, optional
        As if every run had selected its k best features. None: as the runs select.

    Examples
    --------
    >>> type(result.plot.panel(threshold=0.6)).__name__
    'Figure'
    """
    result = Results.of(result)
    return draw_panel(frame_panel(panels.panel(result, threshold, k), threshold))


def threshold(result: AnyResult, X: Any, chosen: float = 0.5, k: int | None = None) -> Figure:
    """Effective stability at every threshold of |ρ| at which similar features count as one.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    X : object
        The data, a Dataset, DataFrame or array (n, d).
    chosen : float, optional
        The threshold that is marked.
    k : int, optional
        As if every run had selected its k best features. None: as the runs select.

    Raises
    ------
    InputError
        For a Similarity, in which no correlation is left to set a threshold to.

    Examples
    --------
    >>> type(result.plot.threshold(data)).__name__
    'Figure'
    """
    result = Results.of(result)
    if isinstance(X, Similarity):
        raise InputError("A Similarity already has its threshold. Give the data: result.plot.threshold(X).")
    bins = CorrelationBins.of(X)
    runs = {label: result.selections(label, k) for label in result.finished_selectors}
    frame = frame_thresholds(runs, bins, *_shuffled(result, runs, k))
    similarity = Similarity.from_correlation(X, threshold=chosen, names=result.features)
    beyond = frame_beyond({"runs": floors(result, "effective", similarity, k)}, blind(result))
    return draw_thresholds(frame, chosen, beyond)


def _shuffled(result, labels, k=None) -> tuple[dict | None, float | None]:
    """({selector: runs of each shuffle of the outcome}, share of the pairs within a cluster of the plan)."""
    if not result.has_control:
        return None, None
    return {label: [runs for _, runs in result.shuffled(label, k)] for label in labels}, result.cluster_share


def _arranged(result, selector, k, similarity):
    similarity = None if similarity is None else Similarity.of(similarity)
    return arrange(
        [result.selections(selector, k)], similarity, runs=[result.run_numbers(selector)], folds=[result.folds(selector)]
    )[0]


class ResultPlots:
    """The figures of one result, as its attribute `plot`: see the functions of sc.plot.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.

    Examples
    --------
    >>> result.plot
    Figures: plot.stability(), plot.profile(), plot.grid(), plot.importance_map(), plot.pareto(), plot.panel(), plot.threshold()
    """

    def __init__(self, result: AnyResult) -> None:
        self.stability = partial(stability, result)
        self.profile = partial(profile, result)
        self.grid = partial(grid, result)
        self.importance_map = partial(importance_map, result)
        self.pareto = partial(pareto, result)
        self.panel = partial(panel, result)
        self.threshold = partial(threshold, result)

    def __repr__(self) -> str:
        return f"Figures: {', '.join(f'plot.{name}()' for name in vars(self))}"
