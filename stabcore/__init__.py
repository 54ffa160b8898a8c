"""stabcore: the stability of selected features.

    import stabcore as sc
    sc.stability(Z)                                                    # a 0/1 matrix, a DataFrame, lists or sets of names
    result = sc.Study(X, y, ["lasso", "mrmr"]).run()
    result.stability(["nogueira", "jaccard"])
    result.plot.stability()

Input            Dataset (a table with its outcome), Selections (of runs), Similarity (of features), suggest_groups,
                 join_events (one row per patient), blanks_by_class, teaching_data (simulated, with known truth)
Studies          Study, StudyResult, open_study, Results, StableSelector (a transformer), selector. Plans: ComplementaryPairs,
                 Subsample, Bootstrap, RepeatedKFold, NestedKFold, LearningCurve, LeaveOneSiteOut. Search: SearchSpace,
                 random_search, evaluate_on_other_half
Figures          result.plot, or sc.plot of a result, ResultPlots
Single values    stability, compare, noise_floor, pfer_bound, patient_interval, sample_size_for_stability, Estimate, Comparison
At once          check (of selections made elsewhere), Check
Tables           stability_profile, agreement_cutoff, agreement_cutoffs, stability_by_runs, runs_needed, compare_selectors,
                 compare_scenarios, scenario_contrasts, similarity_warnings, measure_agreement, pareto_front, weighted_choice,
                 mean_nondominated_rank, feature_profile, whatif, importance, AgreementCutoff
Panel            panel, false_selection_bounds, threshold_grid, stability_paths, consensus, rank_intervals, substitutes, effects,
                 split_effects, clinical_worth (ClinicalWorth), risk_instability (Risk), concordance, replication,
                 external_validation, subgroup_agreement, compare_given
Report           report, one HTML file with the methods, results, limitations and figures
Catalogues       list_measures(), list_selectors(), list_classifiers(), list_plans(), as tables. The docstrings of
                 stabcore.measures, .selectors, .classifiers and .resampling.plan explain how to define your own
Errors           InputError, with a message for users

Symbols, the same in every docstring:
    M          number of runs, each on another resample. Runs i and j
    d          number of features. Features f and f'
    k          number of features that a run selects. kᵢ if runs differ, k̄ their mean
    n          number of rows of the table. y (n,) its outcome
    Z          selection matrix (M, d): 1 if a run selected a feature
    p̂_f        selection frequency: the share of the runs that selected feature f
    S          covariance matrix (d, d) of the columns of Z. Σ⁰ the same for random subsets of these sizes
    C          similarity (d, d) of two features, from 0 to 1, 1 on the diagonal
    w          importances (M, d) ≥ 0: weight of a selected feature in the model of its run
    r, a, b    features that two runs share (zᵢ · zⱼ, or zᵢ C zⱼᵀ), and the sizes of the two runs
    Φ          stability. Φ_C effective stability, 1 − tr(CS)/tr(CΣ⁰). φ₍g₎ a value without unit g
    G          number of units: runs that were made together, which intervals leave out as one
    ρ          correlation of two features. For two runs, the share of their rows in common
    γ          weight of the first of two criteria, 0 … 1. The second has 1 − γ

Names load when they are first used, so that the import is fast. Terms: see CONTRIBUTING.md.
"""

from importlib import import_module

TYPE_CHECKING = False  # true for type checkers. To import typing would take longer than everything else
if TYPE_CHECKING:  # the same names for editors and type checkers
    from stabcore.analysis import whatif as whatif
    from stabcore.analysis.agreement_cutoff import AgreementCutoff as AgreementCutoff
    from stabcore.analysis.agreement_cutoff import agreement_cutoff as agreement_cutoff
    from stabcore.analysis.agreement_cutoff import agreement_cutoffs as agreement_cutoffs
    from stabcore.analysis.clinical_worth import ClinicalWorth as ClinicalWorth
    from stabcore.analysis.clinical_worth import clinical_worth as clinical_worth
    from stabcore.analysis.compare_given import compare_given as compare_given
    from stabcore.analysis.compare_selectors import compare_selectors as compare_selectors
    from stabcore.analysis.concordance import concordance as concordance
    from stabcore.analysis.concordance import replication as replication
    from stabcore.analysis.consensus import consensus as consensus
    from stabcore.analysis.effects import effects as effects
    from stabcore.analysis.effects import split_effects as split_effects
    from stabcore.analysis.feature_profile import feature_profile as feature_profile
    from stabcore.analysis.measure_agreement import measure_agreement as measure_agreement
    from stabcore.analysis.panel import false_selection_bounds as false_selection_bounds
    from stabcore.analysis.panel import panel as panel
    from stabcore.analysis.panel import stability_paths as stability_paths
    from stabcore.analysis.panel import threshold_grid as threshold_grid
    from stabcore.analysis.pareto import mean_nondominated_rank as mean_nondominated_rank
    from stabcore.analysis.pareto import pareto_front as pareto_front
    from stabcore.analysis.pareto import weighted_choice as weighted_choice
    from stabcore.analysis.rank_intervals import rank_intervals as rank_intervals
    from stabcore.analysis.scenarios import compare_scenarios as compare_scenarios
    from stabcore.analysis.scenarios import scenario_contrasts as scenario_contrasts
    from stabcore.analysis.similarity_warnings import similarity_warnings as similarity_warnings
    from stabcore.analysis.stability_by_runs import runs_needed as runs_needed
    from stabcore.analysis.stability_by_runs import stability_by_runs as stability_by_runs
    from stabcore.analysis.stability_profile import stability_profile as stability_profile
    from stabcore.analysis.substitutes import substitutes as substitutes
    from stabcore.base.errors import InputError as InputError
    from stabcore.classifiers.catalog import list_classifiers as list_classifiers
    from stabcore.data.blanks import blanks_by_class as blanks_by_class
    from stabcore.data.dataset import Dataset as Dataset
    from stabcore.data.redcap import join_events as join_events
    from stabcore.data.teaching import teaching_data as teaching_data
    from stabcore.inference.comparison import Comparison as Comparison
    from stabcore.inference.comparison import compare as compare
    from stabcore.inference.error_bounds import pfer_bound as pfer_bound
    from stabcore.inference.estimate import Estimate as Estimate
    from stabcore.inference.estimate import stability as stability
    from stabcore.inference.noise_floor import noise_floor as noise_floor
    from stabcore.inference.sample_size import sample_size_for_stability as sample_size_for_stability
    from stabcore.measures.catalog import list_measures as list_measures
    from stabcore.plots import plot as plot
    from stabcore.plots.plot import ResultPlots as ResultPlots
    from stabcore.reporting.check import Check as Check
    from stabcore.reporting.check import check as check
    from stabcore.reporting.make import report as report
    from stabcore.resampling.catalog import list_plans as list_plans
    from stabcore.resampling.draws import Bootstrap as Bootstrap
    from stabcore.resampling.draws import ComplementaryPairs as ComplementaryPairs
    from stabcore.resampling.draws import LearningCurve as LearningCurve
    from stabcore.resampling.draws import LeaveOneSiteOut as LeaveOneSiteOut
    from stabcore.resampling.draws import NestedKFold as NestedKFold
    from stabcore.resampling.draws import RepeatedKFold as RepeatedKFold
    from stabcore.resampling.draws import Subsample as Subsample
    from stabcore.selections.selections import Selections as Selections
    from stabcore.selectors import importance as importance
    from stabcore.selectors.catalog import list_selectors as list_selectors
    from stabcore.selectors.catalog import selector as selector
    from stabcore.similarity.grouping import suggest_groups as suggest_groups
    from stabcore.similarity.similarity import Similarity as Similarity
    from stabcore.study.new_patients import patient_interval as patient_interval
    from stabcore.study.results import Results as Results
    from stabcore.study.risk import Risk as Risk
    from stabcore.study.risk import risk_instability as risk_instability
    from stabcore.study.search import SearchSpace as SearchSpace
    from stabcore.study.search import evaluate_on_other_half as evaluate_on_other_half
    from stabcore.study.search import random_search as random_search
    from stabcore.study.stable_selector import StableSelector as StableSelector
    from stabcore.study.study import Study as Study
    from stabcore.study.study_result import StudyResult as StudyResult
    from stabcore.study.study_result import open_study as open_study
    from stabcore.study.subgroups import subgroup_agreement as subgroup_agreement
    from stabcore.study.transfer import external_validation as external_validation

__version__ = "0.2.0"

_HOME = {
    "Selections": "selections.selections",
    "Similarity": "similarity.similarity",
    "suggest_groups": "similarity.grouping",
    "Estimate": "inference.estimate",
    "stability": "inference.estimate",
    "compare": "inference.comparison",
    "noise_floor": "inference.noise_floor",
    "pfer_bound": "inference.error_bounds",
    "sample_size_for_stability": "inference.sample_size",
    "InputError": "base.errors",
    "Dataset": "data.dataset",
    "join_events": "data.redcap",
    "blanks_by_class": "data.blanks",
    "teaching_data": "data.teaching",
    "selector": "selectors.catalog",
    "Subsample": "resampling.draws",
    "Bootstrap": "resampling.draws",
    "RepeatedKFold": "resampling.draws",
    "NestedKFold": "resampling.draws",
    "ComplementaryPairs": "resampling.draws",
    "LearningCurve": "resampling.draws",
    "LeaveOneSiteOut": "resampling.draws",
    "Study": "study.study",
    "SearchSpace": "study.search",
    "random_search": "study.search",
    "evaluate_on_other_half": "study.search",
    "Results": "study.results",
    "open_study": "study.study_result",
    "patient_interval": "study.new_patients",
    "stability_profile": "analysis.stability_profile",
    "agreement_cutoff": "analysis.agreement_cutoff",
    "agreement_cutoffs": "analysis.agreement_cutoff",
    "stability_by_runs": "analysis.stability_by_runs",
    "runs_needed": "analysis.stability_by_runs",
    "compare_given": "analysis.compare_given",
    "compare_selectors": "analysis.compare_selectors",
    "compare_scenarios": "analysis.scenarios",
    "scenario_contrasts": "analysis.scenarios",
    "measure_agreement": "analysis.measure_agreement",
    "feature_profile": "analysis.feature_profile",
    "pareto_front": "analysis.pareto",
    "weighted_choice": "analysis.pareto",
    "mean_nondominated_rank": "analysis.pareto",
    "panel": "analysis.panel",
    "false_selection_bounds": "analysis.panel",
    "threshold_grid": "analysis.panel",
    "rank_intervals": "analysis.rank_intervals",
    "split_effects": "analysis.effects",
    "substitutes": "analysis.substitutes",
    "stability_paths": "analysis.panel",
    "consensus": "analysis.consensus",
    "effects": "analysis.effects",
    "clinical_worth": "analysis.clinical_worth",
    "risk_instability": "study.risk",
    "external_validation": "study.transfer",
    "subgroup_agreement": "study.subgroups",
    "concordance": "analysis.concordance",
    "replication": "analysis.concordance",
    "similarity_warnings": "analysis.similarity_warnings",
    "report": "reporting.make",
    "check": "reporting.check",
    "Check": "reporting.check",
    "StableSelector": "study.stable_selector",
    "StudyResult": "study.study_result",
    "Comparison": "inference.comparison",
    "AgreementCutoff": "analysis.agreement_cutoff",
    "ClinicalWorth": "analysis.clinical_worth",
    "Risk": "study.risk",
    "ResultPlots": "plots.plot",
    "list_measures": "measures.catalog",
    "list_selectors": "selectors.catalog",
    "list_classifiers": "classifiers.catalog",
    "list_plans": "resampling.catalog",
}
_MODULES = {"plot": "plots.plot", "whatif": "analysis.whatif", "importance": "selectors.importance"}
__all__ = [*_HOME, *_MODULES]


if not TYPE_CHECKING:  # otherwise a misspelt name would look like a name of this module

    def __getattr__(name):
        if name in _MODULES:
            return import_module(f"stabcore.{_MODULES[name]}")
        if name in _HOME:
            value = getattr(import_module(f"stabcore.{_HOME[name]}"), name)
            globals()[name] = value
            return value
        raise AttributeError(f"module 'stabcore' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
