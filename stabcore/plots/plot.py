"""The figures of the screens for a result in Python: result.plot.stability(), or the same as sc.plot.stability(result).

Each function returns a Plotly figure. Its numbers are in the frame of its module (see stabcore.plots).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar

from stabcore.analysis import compare_selectors
from stabcore.analysis import panel as panels
from stabcore.analysis.clinical_worth import clinical_worth
from stabcore.analysis.compare_given import compare_given as panels_given
from stabcore.analysis.concordance import concordance as rankings_beside
from stabcore.analysis.concordance import replication as panels_beside
from stabcore.analysis.consensus import shared_panels
from stabcore.analysis.effects import effects as effects_of
from stabcore.analysis.effects import split_effects as effects_on_half
from stabcore.analysis.feature_profile import feature_profile
from stabcore.analysis.noise_floors import beyond_floor, blind, floors
from stabcore.analysis.rank_intervals import rank_intervals as intervals_of_ranks
from stabcore.analysis.substitutes import substitutes as replaced_by
from stabcore.analysis.whatif.pairs import influence
from stabcore.analysis.whatif.pairs import similar_pairs as pairs_of
from stabcore.analysis.whatif.thresholds import CorrelationBins
from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import listed, nearest, shown
from stabcore.data.dataset import Dataset
from stabcore.inference.estimate import stability as estimate
from stabcore.inference.predictions import default_score, guessed
from stabcore.plots import added_value as added
from stabcore.plots import clinical_worth as worth
from stabcore.plots import compare_given as given_columns
from stabcore.plots import comparisons as pairs
from stabcore.plots import effects as directions
from stabcore.plots import feature_profile as of_feature
from stabcore.plots import feature_values as values
from stabcore.plots import front_comparison as fronts
from stabcore.plots import learning_curves as curves
from stabcore.plots import panel as members
from stabcore.plots import pareto as points
from stabcore.plots import profiles, whatif
from stabcore.plots import replication as cohorts
from stabcore.plots import risk as risks
from stabcore.plots import similarity as alike
from stabcore.plots import survival as thirds
from stabcore.plots import table_contents as contents
from stabcore.plots import thresholds as steps
from stabcore.plots import weighted_choice as weighed
from stabcore.plots.disagreement import draw_disagreement, frame_disagreement
from stabcore.plots.importance_map import draw_importance_map, frame_importance_map
from stabcore.plots.noise_floor import compared_facet, draw_beyond, facets_of, frame_beyond
from stabcore.plots.selection_grid import draw_grid
from stabcore.plots.selection_map import arrange
from stabcore.plots.subgroups import draw_subgroups, frame_subgroups
from stabcore.plots.substitutes import draw_substitutes, frame_substitutes
from stabcore.selectors.baseline import is_baseline
from stabcore.similarity.excerpt import excerpt
from stabcore.similarity.grouping import suggest
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
    "axes": ("tuple of str", "Two or three of size, stability and accuracy."),
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
    C = _similarity(result, similarity)
    return draw_beyond(
        frame_beyond(facets_of(result, C, lambda key: result.split_half(key, C), lambda key: floors(result, key, C)), blind(result))
    )


@figure()
def comparisons(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
) -> Figure:
    """Differences in stability of every two selectors, with simultaneous intervals."""
    return pairs.draw_comparisons(
        pairs.frame_comparisons(compare_selectors.stability_pairs(result, measure, _given(similarity), k))
    )


@figure('["nogueira", "jaccard"]')
def measure_agreement(
    result: AnyResult, measures: Sequence[MeasureLike] = ("nogueira", "kappa", "jaccard"), similarity: Similarity | None = None
) -> Figure:
    """Agreement of measures on the order of the selectors."""
    return pairs.draw_agreement(pairs.frame_agreement(result, measures, _given(similarity)))


@figure()
def disagreement(result: AnyResult, k: int | None = None) -> Figure:
    """Shares of the disagreement between runs due to patients, missing values and the seed."""
    return draw_disagreement(frame_disagreement(result.disagreement_sources(k)))


@figure('{"C": C, "none": sc.Similarity.identity(50, data.features)}')
def scenarios(result: AnyResult, scenarios: Mapping[str, Similarity], k: int | None = None) -> Figure:
    """Effective stability in each scenario of C, the first one as the reference."""
    return alike.draw_scenarios(alike.frame_scenarios(result, scenarios, k=k))


# ---- runs × features ----


@figure('"mim"')
def grid(result: AnyResult, selector: str, k: int | None = None, similarity: Similarity | None = None) -> Figure:
    """Features that each run of a selector selected, the most frequent first."""
    return draw_grid(_arranged(result, selector, k, similarity))


@figure('"mim"')
def importance_map(result: AnyResult, selector: str, k: int | None = None, similarity: Similarity | None = None) -> Figure:
    """Importance of each selected feature in the runs of a selector."""
    seen = _arranged(result, selector, k, similarity)
    return draw_importance_map(frame_importance_map(seen), seen)


# ---- number of features and of runs ----


@figure("k=5")
def profile(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
) -> Figure:
    """Stability at every number of features. k: the marked number, by default that of the study."""
    C, runs = _given(similarity), _rankings(result)
    k = k or result.n_selected or int(next(iter(runs.values())).sizes.mean())
    beyond = frame_beyond({compared_facet(result): floors(result, measure, C, k).loc[list(runs)]}, blind(result))
    return profiles.draw_profiles(profiles.frame_profiles(runs, measure, C, *_shuffled(result, runs)), k, beyond)


@figure(needs="five pairs of halves")
def next_features(result: AnyResult, k: int | None = None) -> Figure:
    """Stability of the next features, given those before them. k: the marked number."""
    runs = _rankings(result)
    frame = profiles.frame_marginal(runs, None, *_shuffled(result, runs))
    if frame.empty:
        raise InputError("The next features need a selector with five runs, or pairs of halves, that each rank eight features.")
    return profiles.draw_marginal(frame, k or result.n_selected or 1)


@figure()
def agreement_cutoffs(result: AnyResult, similarity: Similarity | None = None, k: int | None = None) -> Figure:
    """The number of features up to which the rankings of the runs agree. k: the marked number."""
    return profiles.draw_agreement_cutoffs(profiles.frame_agreement_cutoffs(_rankings(result), _given(similarity)), k)


@figure()
def stability_by_runs(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
) -> Figure:
    """Stability and its interval by the number of runs."""
    return curves.draw_stability_by_runs(curves.frame_stability_by_runs(_runs(result, k), measure, _given(similarity)))


@figure('"mim"', needs="the plan LearningCurve")
def learning_curve(result: AnyResult, selector: str) -> Figure:
    """Agreement of two disjoint groups of patients by their size, for a study with the plan LearningCurve."""
    result.selections(selector)
    return curves.draw_learning_curve(curves.frame_learning_curve(_study(result).growth(), selector))


# ---- one feature ----


@figure('"A"')
def frequency(result: AnyResult, feature: str, k: int | None = None) -> Figure:
    """Selection frequency of a feature with each selector, compared with the most frequent feature when the outcome is shuffled."""
    return of_feature.draw_frequency(of_feature.frame_frequency(feature_profile(_runs(result, k), feature), result, k))


@figure('"A"')
def ranks(result: AnyResult, feature: str) -> Figure:
    """Every rank of a feature."""
    _known_feature(result, feature)
    return of_feature.draw_ranks(of_feature.frame_ranks(_rankings(result), feature))


@figure('data, "A"')
def feature_values(result: AnyResult, data: Dataset, feature: str) -> Figure:
    """Values of a feature by outcome."""
    _known_feature(result, feature)
    frame = values.frame_feature_values(Dataset.of(data), feature)
    if frame is None:
        raise InputError(f"{feature} is a category, and the outcome is a number. The values of such a feature have no figure.")
    return values.draw_feature_values(frame)


@figure("data")
def outcome(result: AnyResult, data: Dataset) -> Figure:
    """Patients in each class of the table of a study, or the histogram of a numeric outcome."""
    return contents.draw_outcome(contents.frame_outcome(Dataset.of(data)))


@figure("data")
def missing_cells(result: AnyResult, data: Dataset) -> Figure:
    """Missing cells of the most incomplete columns of the table of a study."""
    return contents.draw_missing(contents.frame_missing(Dataset.of(data)))


# ---- the panel ----


@figure("threshold=0.6")
def panel(result: AnyResult, threshold: float = 0.75, k: int | None = None) -> Figure:
    """Selection frequency of each feature, and the panel at a threshold."""
    return members.draw_panel(members.frame_panel(panels.panel(result, threshold, k), threshold))


@figure('"mim"')
def threshold_grid(result: AnyResult, selector: str) -> Figure:
    """Size of the panel at every threshold and number of features."""
    return members.draw_threshold_grid(members.frame_threshold_grid(panels.threshold_grid(result, selector)))


@figure('"mim"')
def stability_paths(result: AnyResult, selector: str, threshold: float = 0.75) -> Figure:
    """Selection frequency of each feature by the number of features per run."""
    return members.draw_paths(members.frame_paths(panels.stability_paths(result, selector), threshold), threshold)


@figure("threshold=0.6")
def consensus(result: AnyResult, threshold: float = 0.75, k: int | None = None) -> Figure:
    """Features that the panels of the selectors share."""
    labels = [label for label in result.finished_selectors if not is_baseline(label)]
    return members.draw_shared(members.frame_shared(shared_panels(result, threshold, k), labels), labels)


@figure("data")
def rank_intervals(result: AnyResult, data: Dataset) -> Figure:
    """Interval of the rank of each feature by its effect, over patients."""
    return directions.draw_rank_intervals(directions.frame_rank_intervals(intervals_of_ranks(Dataset.of(data))))


@figure()
def substitutes(result: AnyResult, k: int | None = None, similarity: Similarity | None = None) -> Figure:
    """Pairs of features that replace each other."""
    return draw_substitutes(frame_substitutes(replaced_by(result, k, _given(similarity))))


@figure("data, threshold=0.5")
def effects(result: AnyResult, data: Dataset, threshold: float = 0.75, k: int | None = None) -> Figure:
    """Direction and size of the effect of each feature in the panel."""
    return directions.draw_directions(directions.frame_directions(panels.panel(result, threshold, k), effects_of(Dataset.of(data))))


@figure('data, "mim"')
def split_effects(result: AnyResult, data: Dataset, selector: str, k: int | None = None) -> Figure:
    """Effects on the half of the patients that did not select the features."""
    return directions.draw_other_half(directions.frame_other_half(effects_on_half(data, _study(result), selector, k)))


# ---- patients ----


@figure('data, "mim"')
def risk(result: AnyResult, data: Dataset, selector: str, cutoff: float = 0.5, event: str | None = None) -> Figure:
    """Risk of each patient by the models of the runs, compared with that by the model of all rows."""
    found = risk_instability(data, _study(result), selector, event=event)
    return risks.draw_risk(risks.frame_risk(found.table(cutoff)), cutoff, found.event)


@figure('data, "mim"')
def risk_change(result: AnyResult, data: Dataset, selector: str, event: str | None = None) -> Figure:
    """Share of the patients by the mean difference of their risks."""
    return risks.draw_mape(risks.frame_mape(risk_instability(data, _study(result), selector, event=event).table()))


@figure('data, "mim"')
def risk_calibration(result: AnyResult, data: Dataset, selector: str, event: str | None = None) -> Figure:
    """Observed frequency of the event by predicted risk, one curve per run."""
    return risks.draw_calibration(risks.frame_calibration(risk_instability(data, _study(result), selector, event=event).curves()))


@figure('data, "mim", row=1')
def patient_risk(
    result: AnyResult, data: Dataset, selector: str, row: int, cutoff: float = 0.5, event: str | None = None
) -> Figure:
    """Risks of one patient by the models of the runs."""
    return risks.draw_patient(risks.frame_patient(risk_instability(data, _study(result), selector, event=event), row), cutoff)


@figure('data, "mim", threshold=0.5')
def decision_curve(
    result: AnyResult, data: Dataset, selector: str, threshold: float = 0.75, k: int | None = None, event: str | None = None
) -> Figure:
    """Net benefit of treating by the panel."""
    return worth.draw_decision_curve(worth.frame_decision_curve(_worth(result, data, selector, threshold, k, event)))


@figure('data, "mim", threshold=0.5')
def calibration(
    result: AnyResult, data: Dataset, selector: str, threshold: float = 0.75, k: int | None = None, event: str | None = None
) -> Figure:
    """Calibration of a logistic regression on the panel."""
    return worth.draw_worth_calibration(worth.frame_worth_calibration(_worth(result, data, selector, threshold, k, event)))


@figure('data, np.resize(["f", "m"], 160), "mim"')
def subgroups(result: AnyResult, data: Dataset, groups: str | ArrayLike, selector: str, k: int | None = None) -> Figure:
    """Agreement of selections within subgroups, across subgroups, and between random groups of patients."""
    return draw_subgroups(frame_subgroups(subgroup_agreement(Dataset.of(data), _study(result), groups, selector, k=k)))


@figure('"mim"', needs="a time to an event")
def survival(result: AnyResult, selector: str) -> Figure:
    """Survival of thirds of the patients by predicted risk, for a time to an event."""
    return thirds.draw_survival(thirds.frame_survival(_study(result), selector))


@figure("result, k=10")
def concordance(result: AnyResult, other: AnyResult, similarity: Similarity | None = None, k: int | None = None) -> Figure:
    """Agreement with the rankings of another study by the number of features. k: the marked number."""
    return cohorts.draw_concordance(cohorts.frame_concordance(rankings_beside(result, Results.of(other), _given(similarity))), k)


@figure("result, threshold=0.5")
def replication(
    result: AnyResult, other: AnyResult, threshold: float = 0.75, k: int | None = None, similarity: Similarity | None = None
) -> Figure:
    """Features of the panel that replicate in another study."""
    table = panels_beside(result, Results.of(other), threshold, k, _given(similarity))
    if table.empty:
        raise InputError("No feature passes the threshold in either study. Choose a lower one.")
    return cohorts.draw_replicated(cohorts.frame_replicated(table), threshold)


@figure('"mim"', needs="the plan LeaveOneSiteOut")
def centres(result: AnyResult, selector: str) -> Figure:
    """Accuracy in each centre by models of the others, for a study with the plan LeaveOneSiteOut."""
    result.selections(selector)
    return cohorts.draw_centres(cohorts.frame_centres(_study(result).centres(), selector))


# ---- accuracy ----


@figure()
def pareto(result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None) -> Figure:
    """Accuracy against stability beyond the noise floor, with the Pareto front."""
    table, score, compared = _points(result, measure, similarity)
    frame = points.frame_fronts(table, measure, score, compared, guessing=result.beats_guessing(score))
    return points.draw_fronts(frame, score, score.replace("_", " ").capitalize(), guessed=guessed(result, score))


@figure("gamma=0.7")
def weighted_choice(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, gamma: float = 0.5
) -> Figure:
    """The selector that a weight of accuracy against stability chooses."""
    table, score, compared = _points(result, measure, similarity)
    frame = weighed.frame_weighted_choice(table, measure, score, gamma, compared, result.beats_guessing(score))
    return weighed.draw_weighted_choice(frame, score, score.replace("_", " ").capitalize())


@figure()
def weight_ranges(
    result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, gamma: float = 0.5
) -> Figure:
    """The weights of accuracy for which each selector is chosen."""
    table, score, compared = _points(result, measure, similarity)
    frame = weighed.frame_weighted_choice(table, measure, score, gamma, compared, result.beats_guessing(score))
    return weighed.draw_weight_ranges(weighed.frame_weight_ranges(frame), gamma)


@figure("C")
def front_changes(result: AnyResult, similarity: Similarity, measure: MeasureLike = "nogueira") -> Figure:
    """Changes of the Pareto front from a measure to effective stability."""
    table, score, compared = _points(result, measure, similarity, "effective")
    return fronts.draw_changes(fronts.frame_changes(table, measure, "effective", score, compared), measure, "effective")


@figure()
def criteria(
    result: AnyResult,
    measure: MeasureLike = "nogueira",
    similarity: Similarity | None = None,
    axes: tuple[str, ...] = ("size", "stability"),
) -> Figure:
    """Two or three criteria of each selector: number of features, stability and accuracy."""
    if not isinstance(axes, (tuple, list)) or len(axes) not in (2, 3) or not {*axes} <= {"size", "stability", "accuracy"}:
        raise InputError(f"axes are two or three of size, stability and accuracy. Found {shown(axes)}.")
    table, score, compared = _points(result, measure, similarity)
    compared["size"] = compare_selectors.size_pairs(result)
    return points.draw_space(points.frame_space(table, measure, score, compared), tuple(axes))


@figure()
def accurate_sizes(result: AnyResult, measure: MeasureLike = "nogueira", similarity: Similarity | None = None) -> Figure:
    """Stability and number of features of the selectors within 0.05 of the best accuracy."""
    table, score, compared = _points(result, measure, similarity)
    compared["size"] = compare_selectors.size_pairs(result)
    return points.draw_sizes(points.frame_sizes(table, measure, score, pairs=compared))


@figure()
def accuracy_comparisons(result: AnyResult) -> Figure:
    """Differences in accuracy of every two selectors on the same held-out rows."""
    score = default_score(result, result.table())
    if not score:
        raise InputError("This result has no predictions and so no accuracy. See plot.comparisons().")
    return pairs.draw_comparisons(pairs.frame_comparisons(compare_selectors.score_pairs(result, score)), score)


@figure('{"again": result}')
def studies(result: AnyResult, others: Mapping[str, AnyResult], measure: MeasureLike = "nogueira") -> Figure:
    """Accuracy and stability of the selectors of several studies."""
    if not hasattr(others, "items"):
        raise InputError(f"Give others as a dict {{name: result}}. Found {type(others).__name__}.")
    tables = {
        name: _points(Results.of(study).as_compared(), measure)[0] for name, study in {"this study": result, **others}.items()
    }
    score = _points(result, measure)[1]
    return fronts.draw_studies(fronts.frame_studies(tables, measure, score))


@figure(needs="given columns")
def added_value(result: AnyResult) -> Figure:
    """Added value of the selected features over the columns that are always in the model."""
    study = _study(result)
    if not study.given:
        raise InputError("No column is always in the model. Run the study with given=[…] to see what features add to them.")
    return added.draw_added_value(added.frame_added_value(study.added_value(), study.given))


@figure("result", needs="given columns")
def compare_given(
    result: AnyResult, without: AnyResult, threshold: float = 0.75, k: int | None = None, selector: str | None = None
) -> Figure:
    """Panel of a study with and without given columns."""
    table = panels_given(_study(result), _study(Results.of(without)), threshold, k, selector)
    return given_columns.draw_given(given_columns.frame_given(table, _study(result).given), threshold)


# ---- what if ----


@figure("data")
def threshold(result: AnyResult, X: Any, chosen: float = 0.5, k: int | None = None) -> Figure:
    """Effective stability at every threshold of |ρ| at which similar features count as one."""
    bins, runs = _bins(X), _runs(result, k)
    frame = steps.frame_thresholds(runs, bins, *_shuffled(result, runs, k))
    similarity = Similarity.from_correlation(X, threshold=chosen, names=result.features)
    beyond = {compared_facet(result): floors(result, "effective", similarity, k)}
    classic = floors(result, "nogueira", None, k)
    return steps.draw_thresholds(frame, chosen, frame_beyond(beyond, blind(result)), classic=classic)


@figure("data")
def leading(result: AnyResult, X: Any, chosen: float = 0.5, k: int | None = None) -> Figure:
    """Selectors that are farthest beyond their noise floors, at every threshold of |ρ|."""
    if not result.has_control:
        raise InputError("The noise floor of these selections was not measured, so no selector leads. See n_permutations.")
    bins, runs = _bins(X), _runs(result, k)
    lead = steps.frame_leading(runs, steps.frame_thresholds(runs, bins, *_shuffled(result, runs, k)), bins)
    return steps.draw_leading(lead, list(runs), chosen)


@figure("data")
def similarity_uncertainty(result: AnyResult, X: Any, chosen: float = 0.5, k: int | None = None) -> Figure:
    """Change of effective stability with correlations from a third of the patients."""
    return alike.draw_uncertainty(alike.frame_uncertainty(_runs(result, k), X, threshold=chosen))


@figure('"mim", C')
def group_effects(result: AnyResult, selector: str, similarity: Similarity, k: int | None = None) -> Figure:
    """Change of effective stability without each group of similar features."""
    runs, C = result.selections(selector, k), _similarity(result, similarity)
    return whatif.draw_group_effects(whatif.frame_group_effects(runs, C), _half(runs, C))


@figure('"mim"')
def without_features(result: AnyResult, selector: str, similarity: Similarity | None = None, k: int | None = None) -> Figure:
    """Change of effective stability without each feature."""
    runs, C = result.selections(selector, k), _similarity(result, similarity)
    return whatif.draw_left_out_features(whatif.frame_left_out_features(runs, C), half=_half(runs, C))


@figure('"mim"')
def without_runs(result: AnyResult, selector: str, similarity: Similarity | None = None, k: int | None = None) -> Figure:
    """Effective stability without each run."""
    runs, C = result.selections(selector, k), _similarity(result, similarity)
    frame, noun = whatif.frame_left_out_runs(runs, C, result.run_numbers(selector)), "pair" if result.of_halves else "run"
    return whatif.draw_left_out_runs(frame, noun, half=_half(runs, C))


@figure('"mim", C')
def pair_influence(
    result: AnyResult, selector: str, similarity: Similarity, k: int | None = None, as_matrix: bool = False
) -> Figure:
    """Pairs of features whose similarity changes effective stability most."""
    runs, C = result.selections(selector, k), _similarity(result, similarity)
    found, value = influence(runs, C), estimate(runs, "effective", similarity=C)
    if as_matrix:
        return whatif.draw_influence(whatif.frame_influence(found))
    return whatif.draw_ranked_pairs(whatif.frame_ranked_pairs(found, value.value), whatif.half_width(value))


# ---- similarity ----


@figure("C")
def similarity(result: AnyResult, similarity: Similarity) -> Figure:
    """Feature similarity C of the most frequently selected features."""
    C = _similarity(result, similarity)
    counts = sum(runs.counts for runs in _runs(result).values())
    return alike.draw_similarity(alike.frame_similarity(excerpt(C, counts), result.features))


@figure("C")
def before_after(result: AnyResult, similarity: Similarity) -> Figure:
    """Stability of each selector before and after similar features count as one."""
    C = _similarity(result, similarity)
    return alike.draw_before_after(alike.frame_before_after(*(floors(result, measure, C) for measure in ("nogueira", "effective"))))


@figure('"mim", C')
def similar_pairs(result: AnyResult, selector: str, similarity: Similarity, k: int | None = None) -> Figure:
    """Number of runs that select similar features together, alone or not at all."""
    table = pairs_of(result.selections(selector, k), _similarity(result, similarity))
    return alike.draw_together(alike.frame_together(table))


@figure("data, chosen=0.7")
def tree(result: AnyResult, X: Any, chosen: float = 0.7) -> Figure:
    """Tree of the features by correlation, cut into groups."""
    grown = suggest(X)
    leaves = [grown.features[place] for place in grown.order]
    return alike.draw_tree(alike.frame_tree(grown, chosen), leaves, chosen)


# ---- shared ----


def _given(similarity):
    return None if similarity is None else Similarity.of(similarity)


def _similarity(result, similarity):
    return Similarity.of(similarity or Similarity.identity(len(result.features), result.features))


def _runs(result, k=None):
    return {label: result.selections(label, k) for label in result.finished_selectors}


def _rankings(result):
    """{selector: runs} of those that rank their features."""
    runs = {label: result.selections(label) for label in result.finished_selectors if result.can_rank(label)}
    if not runs:
        raise InputError("No selector of this result ranks its features, so stability is known only for the selected number.")
    return runs


def _shuffled(result, labels, k=None) -> tuple[dict | None, float | None]:
    """({selector: runs of each shuffle of the outcome}, share of the pairs within a cluster of the plan)."""
    if not result.has_control:
        return None, None
    return {label: [runs for _, runs in result.shuffled(label, k)] for label in labels}, result.cluster_share


def _arranged(result, selector, k, similarity):
    runs = result.selections(selector, k)
    return arrange([runs], _given(similarity), runs=[result.run_numbers(selector)], folds=[result.folds(selector)])[0]


def _points(result, measure, similarity=None, *others):
    """(table of the selectors beyond their floors, score on held-out rows, comparisons of all pairs by measure and score)."""
    C, keys = _given(similarity), [measure, *others]
    table = result.table(keys, similarity=C).dropna(subset=[measure])
    score = default_score(result, table)
    if not score:
        raise InputError("This result has no predictions and so no accuracy. See plot.stability().")
    compared = {key: compare_selectors.stability_pairs(result, key, C) for key in keys}
    compared[score] = compare_selectors.score_pairs(result, score)
    return beyond_floor(table, {key: floors(result, key, C) for key in keys}), score, compared


def _worth(result, data, selector, threshold, k, event):
    table = panels.panel(result, threshold, k, selectors=[selector])
    features = table.loc[table["in_panel"], "feature"].tolist()
    if not features:
        raise InputError("No feature passes the threshold, so there is no panel. Choose a lower one.")
    return clinical_worth(data, features, _study(result), selector, k=k, event=event)


def _bins(X):
    if isinstance(X, Similarity):
        raise InputError("A Similarity already has its threshold. Give the data: result.plot.threshold(X).")
    return CorrelationBins.of(X)


def _half(runs, C):
    return whatif.half_width(estimate(runs, "effective", similarity=C))


def _study(result) -> StudyResult:
    if not isinstance(result, StudyResult):
        raise InputError("Uploaded selections do not hold what this figure draws. Give the result of a study.")
    return result


def _known_feature(result, feature):
    if feature not in result.features:
        raise InputError(
            f"There is no feature {shown(feature)}{nearest(feature, result.features)}. There are {listed(result.features)}."
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
