"""stabcore: how far a set of selected features can be trusted.

    import stabcore as sc
    runs = sc.Preferences.from_selection_matrix(Z)
    print(sc.stability(runs))

What goes in     Dataset (a table with its outcome), Preferences (what runs selected), Relation (what stands for what);
                 join_events, one row per patient; blanks_by_class; teaching_data, simulated tables whose truth is known
A study          Study, open_study, Results; the plans Subsample, Bootstrap, KFold, Nested, Half, Growing, Site; selector;
                 Space, search, confirm
One number       stability, compare, noise_floor, expected_false, patient_interval; Estimate
Many numbers     profile, knot, knots, convergence, runs_ahead, compare_all, across_scenarios, conclusions,
                 agreement_of_measures, front, compromise, averaged_ranks, passport, cautions, suggest_groups; whatif,
                 importance
In the end       panel, false_features, panel_map, stability_paths, consensus, places, swaps, effects, split_effects, risk,
                 concordance, replicated, transfer, panel_size_for
On paper         report, one HTML file with the methods, results, limitations and figures
What there is    list_measures(), list_selectors(), list_classifiers(), list_plans(): the catalogues as tables; a contract for one's
                 own is in the docstring of stabcore.measures, .selectors, .classifiers and .resampling.plan
When it fails    InputError: a sentence to show as it stands

Symbols, the same in every docstring:
    M          runs: how often features were selected, each time on another resample; runs i and j
    d          features to choose from; features f and f'
    k          cardinality: how many features a run selects; kᵢ where runs differ, k̄ their mean
    n          rows of the table; y (n,) its outcome
    Z          selection matrix (M, d): 1 where a run selected a feature
    p̂_f        frequency: the share of the runs that selected feature f
    S          covariance matrix (d, d) of the columns of Z; Σ⁰ what it is of random sets of these sizes
    C          relation (d, d): how far two features stand for each other, 1 on the diagonal
    w          importances (M, d) ≥ 0: how much a selected feature counts in the model of its run
    r, a, b    what two runs share (zᵢ · zⱼ, or zᵢ C zⱼᵀ), and the sizes of the two
    Φ          stability; Φ_C effective stability, 1 − tr(CS)/tr(CΣ⁰); φ₍g₎ a value without unit g
    G          units: runs that belong together count as one where an interval leaves one out at a time
    ρ          correlation of two features; of two runs, the share of their rows that they have in common
    γ          what the first of two criteria counts, 0 … 1; the second counts 1 − γ

Names load when they are first used, so that importing the package costs next to nothing. Words: see
CONTRIBUTING.md.
"""

from importlib import import_module

TYPE_CHECKING = False   # type checkers take a variable of this name for true; importing typing would take longer than all the rest
if TYPE_CHECKING:       # the same names for editors and type checkers
    from stabcore.analysis import whatif as whatif
    from stabcore.analysis.agreement_cutoff import knot as knot
    from stabcore.analysis.agreement_cutoff import knots as knots
    from stabcore.analysis.compare_selectors import compare_all as compare_all
    from stabcore.analysis.concordance import concordance as concordance
    from stabcore.analysis.concordance import replicated as replicated
    from stabcore.analysis.consensus import consensus as consensus
    from stabcore.analysis.effects import effects as effects
    from stabcore.analysis.effects import split_effects as split_effects
    from stabcore.analysis.feature_profile import passport as passport
    from stabcore.analysis.measure_agreement import agreement_of_measures as agreement_of_measures
    from stabcore.analysis.panel import false_features as false_features
    from stabcore.analysis.panel import panel as panel
    from stabcore.analysis.panel import panel_map as panel_map
    from stabcore.analysis.panel import stability_paths as stability_paths
    from stabcore.analysis.pareto import averaged_ranks as averaged_ranks
    from stabcore.analysis.pareto import compromise as compromise
    from stabcore.analysis.pareto import front as front
    from stabcore.analysis.rank_intervals import places as places
    from stabcore.analysis.scenarios import across_scenarios as across_scenarios
    from stabcore.analysis.scenarios import conclusions as conclusions
    from stabcore.analysis.similarity_warnings import cautions as cautions
    from stabcore.analysis.stability_by_runs import convergence as convergence
    from stabcore.analysis.stability_by_runs import runs_ahead as runs_ahead
    from stabcore.analysis.stability_profile import profile as profile
    from stabcore.analysis.substitutes import swaps as swaps
    from stabcore.classifiers.catalog import list_classifiers as list_classifiers
    from stabcore.data.blanks import blanks_by_class as blanks_by_class
    from stabcore.data.dataset import Dataset as Dataset
    from stabcore.data.redcap import join_events as join_events
    from stabcore.data.teaching import teaching_data as teaching_data
    from stabcore.errors import InputError as InputError
    from stabcore.inference.comparison import compare as compare
    from stabcore.inference.error_bounds import expected_false as expected_false
    from stabcore.inference.estimate import Estimate as Estimate
    from stabcore.inference.estimate import stability as stability
    from stabcore.inference.noise_floor import noise_floor as noise_floor
    from stabcore.inference.sample_size import panel_size_for as panel_size_for
    from stabcore.measures.catalog import list_measures as list_measures
    from stabcore.relation.grouping import suggest_groups as suggest_groups
    from stabcore.relation.relation import Relation as Relation
    from stabcore.reporting.make import report as report
    from stabcore.resampling.catalog import list_plans as list_plans
    from stabcore.resampling.centres import Site as Site
    from stabcore.resampling.draws import Bootstrap as Bootstrap
    from stabcore.resampling.draws import Half as Half
    from stabcore.resampling.draws import Subsample as Subsample
    from stabcore.resampling.folds import KFold as KFold
    from stabcore.resampling.folds import Nested as Nested
    from stabcore.resampling.growing import Growing as Growing
    from stabcore.selections.preferences import Preferences as Preferences
    from stabcore.selectors import importance as importance
    from stabcore.selectors.catalog import list_selectors as list_selectors
    from stabcore.selectors.catalog import selector as selector
    from stabcore.study.new_patients import patient_interval as patient_interval
    from stabcore.study.results import Results as Results
    from stabcore.study.risk import risk as risk
    from stabcore.study.search import Space as Space
    from stabcore.study.search import confirm as confirm
    from stabcore.study.search import search as search
    from stabcore.study.study import Study as Study
    from stabcore.study.study_result import open_study as open_study
    from stabcore.study.transfer import transfer as transfer

__version__ = "0.1.0"

_HOME = {
    "Preferences": "selections.preferences",
    "Relation": "relation.relation",
    "suggest_groups": "relation.grouping",
    "Estimate": "inference.estimate",
    "stability": "inference.estimate",
    "compare": "inference.comparison",
    "noise_floor": "inference.noise_floor",
    "expected_false": "inference.error_bounds",
    "panel_size_for": "inference.sample_size",
    "InputError": "errors",
    "Dataset": "data.dataset",
    "join_events": "data.redcap",
    "blanks_by_class": "data.blanks",
    "teaching_data": "data.teaching",
    "selector": "selectors.catalog",
    "Subsample": "resampling.draws",
    "Bootstrap": "resampling.draws",
    "KFold": "resampling.folds",
    "Nested": "resampling.folds",
    "Half": "resampling.draws",
    "Growing": "resampling.growing",
    "Site": "resampling.centres",
    "Study": "study.study",
    "Space": "study.search",
    "search": "study.search",
    "confirm": "study.search",
    "Results": "study.results",
    "open_study": "study.study_result",
    "patient_interval": "study.new_patients",
    "profile": "analysis.stability_profile",
    "knot": "analysis.agreement_cutoff",
    "knots": "analysis.agreement_cutoff",
    "convergence": "analysis.stability_by_runs",
    "runs_ahead": "analysis.stability_by_runs",
    "compare_all": "analysis.compare_selectors",
    "across_scenarios": "analysis.scenarios",
    "conclusions": "analysis.scenarios",
    "agreement_of_measures": "analysis.measure_agreement",
    "passport": "analysis.feature_profile",
    "front": "analysis.pareto",
    "compromise": "analysis.pareto",
    "averaged_ranks": "analysis.pareto",
    "panel": "analysis.panel",
    "false_features": "analysis.panel",
    "panel_map": "analysis.panel",
    "places": "analysis.rank_intervals",
    "split_effects": "analysis.effects",
    "swaps": "analysis.substitutes",
    "stability_paths": "analysis.panel",
    "consensus": "analysis.consensus",
    "effects": "analysis.effects",
    "risk": "study.risk",
    "transfer": "study.transfer",
    "concordance": "analysis.concordance",
    "replicated": "analysis.concordance",
    "cautions": "analysis.similarity_warnings",
    "report": "reporting.make",
    "list_measures": "measures.catalog",
    "list_selectors": "selectors.catalog",
    "list_classifiers": "classifiers.catalog",
    "list_plans": "resampling.catalog",
}
_MODULES = {"whatif": "analysis.whatif", "importance": "selectors.importance"}
__all__ = [*_HOME, *_MODULES]


if not TYPE_CHECKING:       # or a misspelt name would be one that this might know
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
