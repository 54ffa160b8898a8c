"""The figures of the screens for a result in Python: result.plot.stability(), or the same as sc.plot.stability(result).

Each function returns a Plotly figure. Its numbers are in the frame of its module (see stabcore.plots).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar

from stabcore.analysis.clinical_worth import clinical_worth
from stabcore.analysis.compare_given import compare_given as compare_given_table
from stabcore.analysis.compare_selectors import score_pairs, size_pairs, stability_pairs
from stabcore.analysis.concordance import concordance as concordance_table
from stabcore.analysis.concordance import replication as replication_table
from stabcore.analysis.consensus import shared_panels
from stabcore.analysis.effects import effects as effects_table
from stabcore.analysis.effects import split_effects as split_effects_table
from stabcore.analysis.feature_profile import feature_profile
from stabcore.analysis.noise_floors import beyond_floor, blind_selectors, noise_floors, shuffled_runs
from stabcore.analysis.panel import panel as panel_table
from stabcore.analysis.panel import stability_paths as stability_paths_table
from stabcore.analysis.panel import threshold_grid as threshold_grid_table
from stabcore.analysis.rank_intervals import rank_intervals as rank_intervals_table
from stabcore.analysis.runs_asked import runs_by_selector
from stabcore.analysis.substitutes import substitutes as substitutes_table
from stabcore.analysis.whatif.pairs import influence
from stabcore.analysis.whatif.pairs import similar_pairs as similar_pairs_table
from stabcore.analysis.whatif.thresholds import CorrelationBins
from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import listed, quote, suggest_name
from stabcore.data.dataset import Dataset
from stabcore.inference.estimate import stability as estimate
from stabcore.inference.predictions import default_score, guessing_score
from stabcore.plots.added_value import draw_added_value, frame_added_value
from stabcore.plots.clinical_worth import draw_decision_curve, draw_worth_calibration, frame_decision_curve, frame_worth_calibration
from stabcore.plots.compare_given import draw_given, frame_given
from stabcore.plots.comparisons import draw_agreement, draw_comparisons, frame_agreement, frame_comparisons
from stabcore.plots.disagreement import draw_disagreement, frame_disagreement
from stabcore.plots.effects import (
    draw_directions,
    draw_other_half,
    draw_rank_intervals,
    frame_directions,
    frame_other_half,
    frame_rank_intervals,
)
from stabcore.plots.feature_profile import draw_frequency, draw_ranks, frame_frequency, frame_ranks
from stabcore.plots.feature_values import draw_feature_values, frame_feature_values
from stabcore.plots.front_comparison import draw_changes, draw_studies, frame_changes, frame_studies
from stabcore.plots.importance_map import draw_importance_map, frame_importance_map
from stabcore.plots.learning_curves import (
    draw_learning_curve,
    draw_stability_by_runs,
    frame_learning_curve,
    frame_stability_by_runs,
)
from stabcore.plots.noise_floor import draw_beyond, floor_facets, frame_beyond, result_beyond
from stabcore.plots.panel import (
    draw_panel,
    draw_paths,
    draw_shared,
    draw_threshold_grid,
    frame_panel,
    frame_paths,
    frame_shared,
    frame_threshold_grid,
)
from stabcore.plots.pareto import draw_fronts, draw_sizes, draw_space, frame_fronts, frame_sizes, frame_space
from stabcore.plots.profiles import (
    draw_agreement_cutoffs,
    draw_marginal,
    draw_profiles,
    frame_agreement_cutoffs,
    frame_marginal,
    frame_profiles,
)
from stabcore.plots.replication import (
    draw_centres,
    draw_concordance,
    draw_replicated,
    frame_centres,
    frame_concordance,
    frame_replicated,
)
from stabcore.plots.risk import (
    draw_calibration,
    draw_mape,
    draw_patient,
    draw_risk,
    frame_calibration,
    frame_mape,
    frame_patient,
    frame_risk,
)
from stabcore.plots.selection_grid import draw_grid
from stabcore.plots.selection_map import selection_maps
from stabcore.plots.similarity import (
    draw_before_after,
    draw_scenarios,
    draw_similarity,
    draw_together,
    draw_tree,
    draw_uncertainty,
    frame_before_after,
    frame_scenarios,
    frame_similarity,
    frame_together,
    frame_tree,
    frame_uncertainty,
)
from stabcore.plots.subgroups import draw_subgroups, frame_subgroups
from stabcore.plots.substitutes import draw_substitutes, frame_substitutes
from stabcore.plots.survival import draw_survival, frame_survival
from stabcore.plots.table_contents import draw_missing, draw_outcome, frame_missing, frame_outcome
from stabcore.plots.thresholds import draw_leading, draw_thresholds, frame_leading, frame_thresholds
from stabcore.plots.weighted_choice import draw_weight_ranges, draw_weighted_choice, frame_weight_ranges, frame_weighted_choice
from stabcore.plots.whatif import (
    draw_group_effects,
    draw_influence,
    draw_left_out_features,
    draw_left_out_runs,
    draw_ranked_pairs,
    frame_group_effects,
    frame_influence,
    frame_left_out_features,
    frame_left_out_runs,
    frame_ranked_pairs,
    half_width,
)
from stabcore.selectors.baseline import is_baseline
from stabcore.similarity.excerpt import excerpt
from stabcore.similarity.grouping import feature_tree
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import Results
from stabcore.study.risk import risk_instability
from stabcore.study.study_result import StudyResult
from stabcore.study.subgroups import subgroup_agreement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike
    from plotly.graph_objects import Figure

    from stabcore.measures.entry import MeasureLike
    from stabcore.study.results import AnyResult

F = TypeVar("F", bound=Callable[..., Any])
PARAMETERS = {  # said once: one name for one thing in every figure
    "result": ("StudyResult or Results", "Result of a study, or sc.Results of uploaded selections."),
    "other": ("StudyResult or Results", "Result of another study of the same features."),
    "without": ("StudyResult", "Result of the same study without given columns."),
    "others": ("dict", "{name: result} of other studies."),
    "data": ("Dataset", "The table of the study, with its outcome."),
    "X": ("object", "The data, a Dataset, DataFrame or array (n, d)."),
    "selector": ("str", "Name of a selector in the result."),
    "feature": ("str", "Name of a feature."),
    "groups": ("str or array (n,)", "Subgroup of each row, or the name of its column."),
    "measure": ("str or function", "Key of sc.list_measures(), or a user-defined measure."),
    "measures": ("list of str", "Keys of sc.list_measures(), or user-defined measures."),
    "similarity": ("Similarity", "Feature similarity C."),
    "scenarios": ("dict", "{name: Similarity} of two or more."),
    "threshold": ("float", "Smallest selection frequency in the panel, 0 to 1."),
    "chosen": ("float", "The threshold of |ρ| that is marked."),
    "cutoff": ("float", "Risk from which a patient is treated, 0 to 1."),
    "event": ("str", "The class whose risk is predicted, needed with more than two classes."),
    "row": ("int", "Number of the row of the patient, from 1."),
    "gamma": ("float", "Weight of accuracy, 0 to 1. The rest is the weight of stability."),
    "axes": ("tuple of str", "Two of size, stability and accuracy."),
    "as_matrix": ("bool", "Draw the features as a matrix, not the pairs as a list."),
    "k": ("int", "As if every run had selected its k best features. None: as the runs select."),
}


def figure(example: str = "", needs: str = "", all_runs: bool = False) -> Callable[[F], F]:
    """Complete the docstring of a figure by its parameters and an example, and turn its first argument into Results.

    needs: a part that the result of the example lacks. The example then shows the error. all_runs: whether the figure
    takes the result over all runs. The others compare two disjoint halves where the plan has them, as screens do.
    """

    def complete(function: F) -> F:
        lines = [function.__doc__ or "", "", "Parameters", "----------"]
        for name, parameter in signature(function).parameters.items():
            kind, meaning = PARAMETERS[name]
            lines += [f"{name} : {kind}" + ", optional" * (parameter.default is not parameter.empty), f"    {meaning}"]
        lines += ["", "Raises", "------", "InputError", "    For a result without what is drawn, and for unknown names."]
        call = f"result.plot.{function.__name__}({example})"
        refused = [">>> try:", f"...     {call}", "... except sc.InputError:", f'...     print("needs {needs}")', f"needs {needs}"]
        lines += ["", "Examples", "--------", *(refused if needs else [f">>> type({call}).__name__", "'Figure'"])]
        function.__doc__ = "\n".join(lines)
        draw = public(function)

        @wraps(function)
        def drawn(result: Any, *arguments: Any, **options: Any) -> Any:
            result = Results.of(result)
            return draw(result if all_runs else result.as_compared(), *arguments, **options)

        return drawn  # type: ignore[return-value]

    return complete


# ---- stability ----


@figure("C", all_runs=True)
def stability(result: Any, similarity: Similarity | None = None) -> Figure:
    """Stability of each selector with its interval, and its noise floor if it was measured."""
    C = _effective_similarity(result, similarity)
    return draw_beyond(
        frame_beyond(
            floor_facets(result, C, lambda key: result.split_half(key, C), lambda key: noise_floors(result, key, C)),
            blind_selectors(result),
        )
    )


@figure()
def comparisons(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
) -> Figure:
    """Differences in stability of every two selectors, with simultaneous intervals."""
    return draw_comparisons(frame_comparisons(stability_pairs(result, measure, _optional_similarity(similarity), k)))


@figure('["nogueira", "jaccard"]')
def measure_agreement(
    result: AnyResult, measures: Sequence[MeasureLike] = ("nogueira", "kappa", "jaccard"), similarity: Similarity | None = None
) -> Figure:
    """Agreement of measures on the order of the selectors."""
    return draw_agreement(frame_agreement(result, measures, _optional_similarity(similarity)))


@figure()
def disagreement(result: AnyResult, k: int | None = None) -> Figure:
    """Shares of the disagreement between runs due to patients, missing values and the seed."""
    return draw_disagreement(frame_disagreement(result.disagreement_sources(k)))


@figure('{"C": C, "none": sc.Similarity.identity(50, data.features)}')
def scenarios(result: AnyResult, scenarios: Mapping[str, Similarity], k: int | None = None) -> Figure:
    """Effective stability in each scenario of C, the first one as the reference."""
    return draw_scenarios(frame_scenarios(result, scenarios, k=k))


# ---- runs × features ----


@figure('"mim"')
def grid(result: AnyResult, selector: str, k: int | None = None, similarity: Similarity | None = None) -> Figure:
    """Features that each run of a selector selected, the most frequent first."""
    return draw_grid(_selection_map(result, selector, k, similarity))


@figure('"mim"')
def importance_map(result: AnyResult, selector: str, k: int | None = None, similarity: Similarity | None = None) -> Figure:
    """Importance of each selected feature in the runs of a selector."""
    seen = _selection_map(result, selector, k, similarity)
    return draw_importance_map(frame_importance_map(seen), seen)


# ---- number of features and of runs ----


@figure("k=5")
def profile(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
) -> Figure:
    """Stability at every number of features. k: the marked number, by default that of the study."""
    C, runs = _optional_similarity(similarity), _rankings(result)
    k = k or result.n_selected or int(next(iter(runs.values())).sizes.mean())
    return draw_profiles(
        frame_profiles(runs, measure, C, *shuffled_runs(result, runs)), k, result_beyond(result, measure, C, k, runs)
    )


@figure(needs="five pairs of halves")
def next_features(result: AnyResult, k: int | None = None) -> Figure:
    """Stability of the next features, given those before them. k: the marked number."""
    runs = _rankings(result)
    frame = frame_marginal(runs, None, *shuffled_runs(result, runs))
    if frame.empty:
        raise InputError("The next features need a selector with five runs, or pairs of halves, that each rank eight features.")
    return draw_marginal(frame, k or result.n_selected or 1)


@figure()
def agreement_cutoffs(result: AnyResult, similarity: Similarity | None = None, k: int | None = None) -> Figure:
    """The number of features up to which the rankings of the runs agree. k: the marked number."""
    return draw_agreement_cutoffs(frame_agreement_cutoffs(_rankings(result), _optional_similarity(similarity)), k)


@figure()
def stability_by_runs(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
) -> Figure:
    """Stability and its interval by the number of runs."""
    return draw_stability_by_runs(frame_stability_by_runs(runs_by_selector(result, k), measure, _optional_similarity(similarity)))


@figure('"mim"', needs="the plan LearningCurve")
def learning_curve(result: AnyResult, selector: str) -> Figure:
    """Agreement of two disjoint groups of patients by their size, for a study with the plan LearningCurve."""
    result.selections(selector)
    return draw_learning_curve(frame_learning_curve(_require_study(result).growth(), selector))


# ---- one feature ----


@figure('"A"')
def frequency(result: AnyResult, feature: str, k: int | None = None) -> Figure:
    """Selection frequency of a feature with each selector, compared with the most frequent feature when the outcome is shuffled."""
    return draw_frequency(frame_frequency(feature_profile(runs_by_selector(result, k), feature), result, k))


@figure('"A"')
def ranks(result: AnyResult, feature: str) -> Figure:
    """Every rank of a feature."""
    _require_feature(result, feature)
    return draw_ranks(frame_ranks(_rankings(result), feature))


@figure('data, "A"')
def feature_values(result: AnyResult, data: Dataset, feature: str) -> Figure:
    """Values of a feature by outcome."""
    _require_feature(result, feature)
    frame = frame_feature_values(Dataset.of(data), feature)
    if frame is None:
        raise InputError(f"{feature} is a category, and the outcome is a number. The values of such a feature have no figure.")
    return draw_feature_values(frame)


@figure("data")
def outcome(result: AnyResult, data: Dataset) -> Figure:
    """Patients in each class of the table of a study, or the histogram of a numeric outcome."""
    return draw_outcome(frame_outcome(Dataset.of(data)))


@figure("data")
def missing_cells(result: AnyResult, data: Dataset) -> Figure:
    """Missing cells of the most incomplete columns of the table of a study."""
    return draw_missing(frame_missing(Dataset.of(data)))


# ---- the panel ----


@figure("threshold=0.6")
def panel(result: AnyResult, threshold: float = 0.75, k: int | None = None) -> Figure:
    """Selection frequency of each feature, and the panel at a threshold."""
    return draw_panel(frame_panel(panel_table(result, threshold, k), threshold))


@figure('"mim"')
def threshold_grid(result: AnyResult, selector: str) -> Figure:
    """Size of the panel at every threshold and number of features."""
    return draw_threshold_grid(frame_threshold_grid(threshold_grid_table(result, selector)))


@figure('"mim"')
def stability_paths(result: AnyResult, selector: str, threshold: float = 0.75) -> Figure:
    """Selection frequency of each feature by the number of features per run."""
    return draw_paths(frame_paths(stability_paths_table(result, selector), threshold), threshold)


@figure("threshold=0.6")
def consensus(result: AnyResult, threshold: float = 0.75, k: int | None = None) -> Figure:
    """Features that the panels of the selectors share."""
    labels = [label for label in result.finished_selectors if not is_baseline(label)]
    return draw_shared(frame_shared(shared_panels(result, threshold, k), labels), labels)


@figure("data")
def rank_intervals(result: AnyResult, data: Dataset) -> Figure:
    """Interval of the rank of each feature by its effect, over patients."""
    return draw_rank_intervals(frame_rank_intervals(rank_intervals_table(Dataset.of(data))))


@figure()
def substitutes(result: AnyResult, k: int | None = None, similarity: Similarity | None = None) -> Figure:
    """Pairs of features that replace each other."""
    return draw_substitutes(frame_substitutes(substitutes_table(result, k, _optional_similarity(similarity))))


@figure("data, threshold=0.5")
def effects(result: AnyResult, data: Dataset, threshold: float = 0.75, k: int | None = None) -> Figure:
    """Direction and size of the effect of each feature in the panel."""
    return draw_directions(frame_directions(panel_table(result, threshold, k), effects_table(Dataset.of(data))))


@figure('data, "mim"')
def split_effects(result: AnyResult, data: Dataset, selector: str, k: int | None = None) -> Figure:
    """Effects on the half of the patients that did not select the features."""
    return draw_other_half(frame_other_half(split_effects_table(data, _require_study(result), selector, k)))


# ---- patients ----


@figure('data, "mim"')
def risk(result: AnyResult, data: Dataset, selector: str, cutoff: float = 0.5, event: str | None = None) -> Figure:
    """Risk of each patient by the models of the runs, compared with that by the model of all rows."""
    found = risk_instability(data, _require_study(result), selector, event=event)
    return draw_risk(frame_risk(found.table(cutoff)), cutoff, found.event)


@figure('data, "mim"')
def risk_change(result: AnyResult, data: Dataset, selector: str, event: str | None = None) -> Figure:
    """Share of the patients by the mean difference of their risks."""
    return draw_mape(frame_mape(risk_instability(data, _require_study(result), selector, event=event).table()))


@figure('data, "mim"')
def risk_calibration(result: AnyResult, data: Dataset, selector: str, event: str | None = None) -> Figure:
    """Observed frequency of the event by predicted risk, one curve per run."""
    return draw_calibration(frame_calibration(risk_instability(data, _require_study(result), selector, event=event).curves()))


@figure('data, "mim", row=1')
def patient_risk(
    result: AnyResult, data: Dataset, selector: str, row: int, cutoff: float = 0.5, event: str | None = None
) -> Figure:
    """Risks of one patient by the models of the runs."""
    return draw_patient(frame_patient(risk_instability(data, _require_study(result), selector, event=event), row), cutoff)


@figure('data, "mim", threshold=0.5')
def decision_curve(
    result: AnyResult, data: Dataset, selector: str, threshold: float = 0.75, k: int | None = None, event: str | None = None
) -> Figure:
    """Net benefit of treating by the panel."""
    return draw_decision_curve(frame_decision_curve(_panel_worth(result, data, selector, threshold, k, event)))


@figure('data, "mim", threshold=0.5')
def calibration(
    result: AnyResult, data: Dataset, selector: str, threshold: float = 0.75, k: int | None = None, event: str | None = None
) -> Figure:
    """Calibration of a logistic regression on the panel."""
    return draw_worth_calibration(frame_worth_calibration(_panel_worth(result, data, selector, threshold, k, event)))


@figure('data, np.resize(["f", "m"], 160), "mim"')
def subgroups(result: AnyResult, data: Dataset, groups: str | ArrayLike, selector: str, k: int | None = None) -> Figure:
    """Agreement of selections within subgroups, across subgroups, and between random groups of patients."""
    return draw_subgroups(frame_subgroups(subgroup_agreement(Dataset.of(data), _require_study(result), groups, selector, k=k)))


@figure('"mim"', needs="a time to an event")
def survival(result: AnyResult, selector: str) -> Figure:
    """Survival of thirds of the patients by predicted risk, for a time to an event."""
    return draw_survival(frame_survival(_require_study(result), selector))


@figure("result, k=10")
def concordance(result: AnyResult, other: AnyResult, similarity: Similarity | None = None, k: int | None = None) -> Figure:
    """Agreement with the rankings of another study by the number of features. k: the marked number."""
    return draw_concordance(frame_concordance(concordance_table(result, Results.of(other), _optional_similarity(similarity))), k)


@figure("result, threshold=0.5")
def replication(
    result: AnyResult, other: AnyResult, threshold: float = 0.75, k: int | None = None, similarity: Similarity | None = None
) -> Figure:
    """Features of the panel that replicate in another study."""
    table = replication_table(result, Results.of(other), threshold, k, _optional_similarity(similarity))
    if table.empty:
        raise InputError("No feature passes the threshold in either study. Choose a lower one.")
    return draw_replicated(frame_replicated(table), threshold)


@figure('"mim"', needs="the plan LeaveOneSiteOut")
def centres(result: AnyResult, selector: str) -> Figure:
    """Accuracy in each centre by models of the others, for a study with the plan LeaveOneSiteOut."""
    result.selections(selector)
    return draw_centres(frame_centres(_require_study(result).centres(), selector))


# ---- accuracy ----


@figure()
def pareto(result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None) -> Figure:
    """Accuracy against stability beyond the noise floor, with the Pareto front."""
    table, score, compared = _pareto_inputs(result, measure, similarity)
    frame = frame_fronts(table, measure, score, compared, guessing=result.beats_guessing(score))
    return draw_fronts(frame, score, score.replace("_", " ").capitalize(), guessed=guessing_score(result, score))


@figure("gamma=0.7")
def weighted_choice(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, gamma: float = 0.5
) -> Figure:
    """The selector that a weight of accuracy against stability chooses."""
    table, score, compared = _pareto_inputs(result, measure, similarity)
    frame = frame_weighted_choice(table, measure, score, gamma, compared, result.beats_guessing(score))
    return draw_weighted_choice(frame, score, score.replace("_", " ").capitalize())


@figure()
def weight_ranges(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, gamma: float = 0.5
) -> Figure:
    """The weights of accuracy for which each selector is chosen."""
    table, score, compared = _pareto_inputs(result, measure, similarity)
    frame = frame_weighted_choice(table, measure, score, gamma, compared, result.beats_guessing(score))
    return draw_weight_ranges(frame_weight_ranges(frame), gamma)


@figure("C")
def front_changes(result: AnyResult, similarity: Similarity, measure: MeasureLike = "nogueira") -> Figure:
    """Changes of the Pareto front from a measure to effective stability."""
    table, score, compared = _pareto_inputs(result, measure, similarity, "effective")
    return draw_changes(frame_changes(table, measure, "effective", score, compared), measure, "effective")


@figure()
def criteria(
    result: AnyResult,
    measure: MeasureLike = "nogueira",
    similarity: Similarity | None = None,
    axes: tuple[str, ...] = ("size", "stability"),
) -> Figure:
    """Two criteria of each selector: number of features, stability or accuracy."""
    if not isinstance(axes, (tuple, list)) or len(axes) != 2 or not {*axes} <= {"size", "stability", "accuracy"}:
        raise InputError(f"axes are two of size, stability and accuracy. Found {quote(axes)}.")
    table, score, compared = _pareto_inputs(result, measure, similarity)
    compared["size"] = size_pairs(result)
    return draw_space(frame_space(table, measure, score, compared), tuple(axes))


@figure()
def accurate_sizes(result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None) -> Figure:
    """Stability and number of features of the selectors within 0.05 of the best accuracy."""
    table, score, compared = _pareto_inputs(result, measure, similarity)
    compared["size"] = size_pairs(result)
    return draw_sizes(frame_sizes(table, measure, score, pairs=compared))


@figure()
def accuracy_comparisons(result: AnyResult) -> Figure:
    """Differences in accuracy of every two selectors on the same held-out rows."""
    score = default_score(result, result.table())
    if not score:
        raise InputError("This result has no predictions and so no accuracy. See plot.comparisons().")
    return draw_comparisons(frame_comparisons(score_pairs(result, score)), score)


@figure('{"again": result}')
def studies(result: AnyResult, others: Mapping[str, AnyResult], measure: MeasureLike = "nogueira") -> Figure:
    """Accuracy and stability of the selectors of several studies."""
    tables = {
        name: _pareto_inputs(Results.of(study).as_compared(), measure)[0]
        for name, study in {"this study": result, **others}.items()
    }
    score = _pareto_inputs(result, measure)[1]
    return draw_studies(frame_studies(tables, measure, score))


@figure(needs="given columns")
def added_value(result: AnyResult) -> Figure:
    """Added value of the selected features over the columns that are always in the model."""
    study = _require_study(result)
    if not study.given:
        raise InputError("No column is always in the model. Run the study with given=[…] to see what features add to them.")
    return draw_added_value(frame_added_value(study.added_value(), study.given))


@figure("result", needs="given columns")
def compare_given(
    result: AnyResult, without: AnyResult, threshold: float = 0.75, k: int | None = None, selector: str | None = None
) -> Figure:
    """Panel of a study with and without given columns."""
    table = compare_given_table(_require_study(result), _require_study(Results.of(without)), threshold, k, selector)
    return draw_given(frame_given(table, _require_study(result).given), threshold)


# ---- what if ----


@figure("data")
def threshold(result: AnyResult, X: Any, chosen: float = 0.5, k: int | None = None) -> Figure:
    """Effective stability at every threshold of |ρ| at which similar features count as one."""
    bins, runs = _correlation_bins(X), runs_by_selector(result, k)
    frame = frame_thresholds(runs, bins, *shuffled_runs(result, runs, k))
    similarity = Similarity.from_correlation(X, threshold=chosen, names=result.features)
    classic = noise_floors(result, "nogueira", None, k)
    return draw_thresholds(frame, chosen, result_beyond(result, "effective", similarity, k), classic=classic)


@figure("data")
def leading(result: AnyResult, X: Any, chosen: float = 0.5, k: int | None = None) -> Figure:
    """Selectors that are farthest beyond their noise floors, at every threshold of |ρ|."""
    if not result.has_control:
        raise InputError("The noise floor of these selections was not measured, so no selector leads. See n_permutations.")
    bins, runs = _correlation_bins(X), runs_by_selector(result, k)
    lead = frame_leading(runs, frame_thresholds(runs, bins, *shuffled_runs(result, runs, k)), bins)
    return draw_leading(lead, list(runs), chosen)


@figure("data")
def similarity_uncertainty(result: AnyResult, X: Any, chosen: float = 0.5, k: int | None = None) -> Figure:
    """Change of effective stability with correlations from a third of the patients."""
    return draw_uncertainty(frame_uncertainty(runs_by_selector(result, k), X, threshold=chosen))


@figure('"mim", C')
def group_effects(result: AnyResult, selector: str, similarity: Similarity, k: int | None = None) -> Figure:
    """Change of effective stability without each group of similar features."""
    runs, C = result.selections(selector, k), _effective_similarity(result, similarity)
    return draw_group_effects(frame_group_effects(runs, C), _half_width(runs, C))


@figure('"mim"')
def without_features(result: AnyResult, selector: str, similarity: Similarity | None = None, k: int | None = None) -> Figure:
    """Change of effective stability without each feature."""
    runs, C = result.selections(selector, k), _effective_similarity(result, similarity)
    return draw_left_out_features(frame_left_out_features(runs, C), half=_half_width(runs, C))


@figure('"mim"')
def without_runs(result: AnyResult, selector: str, similarity: Similarity | None = None, k: int | None = None) -> Figure:
    """Effective stability without each run."""
    runs, C = result.selections(selector, k), _effective_similarity(result, similarity)
    frame, noun = frame_left_out_runs(runs, C, result.run_numbers(selector)), "pair" if result.of_halves else "run"
    return draw_left_out_runs(frame, noun, half=_half_width(runs, C))


@figure('"mim", C')
def pair_influence(
    result: AnyResult, selector: str, similarity: Similarity, k: int | None = None, as_matrix: bool = False
) -> Figure:
    """Pairs of features whose similarity changes effective stability most."""
    runs, C = result.selections(selector, k), _effective_similarity(result, similarity)
    found, value = influence(runs, C), estimate(runs, "effective", similarity=C)
    if as_matrix:
        return draw_influence(frame_influence(found))
    return draw_ranked_pairs(frame_ranked_pairs(found, value.value), half_width(value))


# ---- similarity ----


@figure("C")
def similarity(result: AnyResult, similarity: Similarity) -> Figure:
    """Feature similarity C of the most frequently selected features."""
    C = _effective_similarity(result, similarity)
    counts = sum(runs.counts for runs in runs_by_selector(result).values())
    return draw_similarity(frame_similarity(excerpt(C, counts), result.features))


@figure("C")
def before_after(result: AnyResult, similarity: Similarity) -> Figure:
    """Stability of each selector before and after similar features count as one."""
    C = _effective_similarity(result, similarity)
    return draw_before_after(frame_before_after(*(noise_floors(result, measure, C) for measure in ("nogueira", "effective"))))


@figure('"mim", C')
def similar_pairs(result: AnyResult, selector: str, similarity: Similarity, k: int | None = None) -> Figure:
    """Number of runs that select similar features together, alone or not at all."""
    table = similar_pairs_table(result.selections(selector, k), _effective_similarity(result, similarity))
    return draw_together(frame_together(table))


@figure("data, chosen=0.7")
def tree(result: AnyResult, X: Any, chosen: float = 0.7) -> Figure:
    """Tree of the features by correlation, cut into groups."""
    grown = feature_tree(X)
    leaves = [grown.features[place] for place in grown.order]
    return draw_tree(frame_tree(grown, chosen), leaves, chosen)


# ---- shared ----


def _optional_similarity(similarity):
    return None if similarity is None else Similarity.of(similarity)


def _effective_similarity(result, similarity):
    return Similarity.of(similarity or Similarity.identity(len(result.features), result.features))


def _rankings(result):
    """{selector: runs} of those that rank their features."""
    runs = {label: result.selections(label) for label in result.finished_selectors if result.can_rank(label)}
    if not runs:
        raise InputError("No selector of this result ranks its features, so stability is known only for the selected number.")
    return runs


def _selection_map(result, selector, k, similarity):
    runs = result.selections(selector, k)
    return selection_maps(
        [runs], _optional_similarity(similarity), runs=[result.run_numbers(selector)], folds=[result.folds(selector)]
    )[0]


def _pareto_inputs(result, measure, similarity=None, *others):
    """(table of the selectors beyond their floors, score on held-out rows, comparisons of all pairs by measure and score)."""
    C, keys = _optional_similarity(similarity), [measure, *others]
    table = result.table(keys, similarity=C).dropna(subset=[measure])
    score = default_score(result, table)
    if not score:
        raise InputError("This result has no predictions and so no accuracy. See plot.stability().")
    compared = {key: stability_pairs(result, key, C) for key in keys}
    compared[score] = score_pairs(result, score)
    return beyond_floor(table, {key: noise_floors(result, key, C) for key in keys}), score, compared


def _panel_worth(result, data, selector, threshold, k, event):
    table = panel_table(result, threshold, k, selectors=[selector])
    features = table.loc[table["in_panel"], "feature"].tolist()
    if not features:
        raise InputError("No feature passes the threshold, so there is no panel. Choose a lower one.")
    return clinical_worth(data, features, _require_study(result), selector, k=k, event=event)


def _correlation_bins(X):
    if isinstance(X, Similarity):
        raise InputError("A Similarity already has its threshold. Give the data: result.plot.threshold(X).")
    return CorrelationBins.of(X)


def _half_width(runs, C):
    return half_width(estimate(runs, "effective", similarity=C))


def _require_study(result) -> StudyResult:
    if not isinstance(result, StudyResult):
        raise InputError("Uploaded selections do not hold what this figure draws. Give the result of a study.")
    return result


def _require_feature(result, feature):
    if feature not in result.features:
        raise InputError(
            f"There is no feature {quote(feature)}{suggest_name(feature, result.features)}. There are {listed(result.features)}."
        )


FIGURES = {name: drawn for name, drawn in list(globals().items()) if hasattr(drawn, "__wrapped__") and drawn.__module__ == __name__}
__all__ = [*FIGURES]


class ResultPlots:
    """The figures of one result, as its attribute `plot`: see the functions of sc.plot.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.

    Examples
    --------
    >>> figure = result.plot.stability()
    >>> figure.write_html("stability.html")
    """

    def __init__(self, result: AnyResult) -> None:
        vars(self).update({name: partial(drawn, result) for name, drawn in FIGURES.items()})

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Figure]: ...

    def __repr__(self) -> str:
        return f"Figures: {', '.join(f'plot.{name}()' for name in FIGURES)}"
