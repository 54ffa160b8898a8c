"""Every public name, used as people use it. mypy checks it strictly, and tests/stabcore/test_public_face.py runs it.

`assert_type` does nothing at run time. A type checker compares the type of the expression.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, assert_type

import numpy as np
import pandas as pd

import stabcore as sc
from stabcore.analysis.whatif.thresholds import CorrelationBins
from stabcore.classifiers.catalog import Classifier, classifier
from stabcore.measures.entry import Entry
from stabcore.resampling.catalog import plan_from_settings
from stabcore.resampling.plan import Plan
from stabcore.selectors.base import Selector
from stabcore.study.results import AnyResult

# ---- of one's own: nothing is inherited, a checker sees from the shape that it fits ----


def mean_size(selections: sc.Selections, *, share: bool = True) -> float:
    """A measure of one's own."""
    return float(selections.sizes.mean()) / (selections.n_features if share else 1)


class ByMean:
    """A selector of one's own."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> ByMean:
        self.scores_ = np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
        return self


@dataclass
class ByRange(Selector):
    """A selector of one's own that inherits from those of the house."""

    def fit_twice(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        return self.fit(X, y, rng=0).fit(X, y, rng=1).select(2)


class Always:
    """A classifier of one's own."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> None:
        self.most = np.bincount(y).argmax()

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), self.most)


class Thirds:
    """A plan of one's own."""

    n_runs = 3

    def resample(
        self, run: int, target: np.ndarray, seed: int, patients: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        rows = np.arange(len(target))
        return rows[rows % 3 != run], rows[rows % 3 == run]


# ---- what is used ----


def ways_in(frame: pd.DataFrame, folder: Path) -> tuple[sc.Dataset, sc.Selections, sc.Similarity]:
    """What a person can bring."""
    data = assert_type(sc.Dataset.from_frame(frame, target="outcome", exclude=["id"]), sc.Dataset)
    frame.to_csv(folder / "table.csv", index=False)
    again = assert_type(sc.Dataset.from_file(folder / "table.csv", target="outcome", exclude=["id"]), sc.Dataset)
    assert assert_type(data.features, tuple[str, ...]) == again.features
    assert_type(data.columns, pd.DataFrame)
    assert_type(sc.blanks_by_class(sc.teaching_data("twins").dataset()), pd.DataFrame)
    events = pd.DataFrame({"record_id": [1, 1], "redcap_event_name": ["a", "b"], "age": [50, None], "crp": [None, 3.0]})
    assert_type(sc.join_events(events), tuple[pd.DataFrame, list[str]])
    assert_type(sc.teaching_data("twins", n=20, random_state=2).dataset(), sc.Dataset)
    Z = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 1, 1, 0]])
    runs = assert_type(sc.Selections.from_matrix(Z, list("abcd")), sc.Selections)
    sc.Selections.from_matrix(pd.DataFrame(Z))
    sc.Selections.from_matrix([[1, 0], [0, 1]])
    sc.Selections.from_lists([{"a", "b"}, {"a"}], names=["a", "b", "c"])
    sc.Selections.from_lists([[0, 1], [0]], n_features=3)
    sc.Selections.from_weights(0.5 * Z).take([0, 1])
    assert_type(sc.Selections.from_scores(Z + 0.1 * np.arange(4)).top(2).frequencies, np.ndarray)
    C = assert_type(sc.Similarity.from_groups({"ab": ["a", "b"]}, names=runs.features), sc.Similarity)
    sc.Similarity.from_matrix(np.eye(4))
    assert_type(sc.Similarity.from_correlation(data, threshold=0.5).pairs(), pd.DataFrame)
    assert_type(sc.Similarity.identity(4).edited({(0, 1): 0.5}).n_related, int)
    assert_type(sc.suggest_groups(data, method="spearman"), dict[str, list[str]])
    return data, runs, C


def numbers(runs: sc.Selections, C: sc.Similarity) -> None:
    """One number, and many."""
    estimate = assert_type(sc.stability(runs), sc.Estimate)
    assert_type((estimate.value, estimate.low, estimate.high), tuple[float, float, float])
    assert_type(estimate.p_value(0.1), float)
    assert_type((float(estimate), estimate.to_dict()["value"], len(estimate.to_frame())), tuple[float, Any, int])
    assert_type(sc.stability([[1, 0, 1], [1, 1, 0]]), sc.Estimate)
    assert_type(sc.stability([{"a", "b"}, {"a"}], names=["a", "b", "c"]), sc.Estimate)
    assert_type(sc.stability({"one": runs, "other": runs.to_frame()}, ["nogueira", "jaccard"]), pd.DataFrame)
    assert_type(sc.Selections.from_rankings([[1, 2, 3], [2, 1, 3]]).top(2).to_dict(), dict[str, Any])
    assert_type(C.to_frame(), pd.DataFrame)
    assert_type(C.to_dict(), dict[str, Any])
    assert_type(sc.stability(runs, "effective", similarity=C), sc.Estimate)
    assert_type(sc.stability(runs, mean_size, share=False), sc.Estimate)
    assert_type(sc.stability(runs, Entry(key="mine", label="Mine", function=mean_size)), sc.Estimate)
    assert_type(sc.stability(runs, ["nogueira", mean_size]), dict[str, sc.Estimate])
    difference = assert_type(sc.compare(runs, runs.take([1, 0, 3, 2]), "kappa"), sc.Comparison)
    assert_type(difference.p_value, float)
    assert_type(sc.noise_floor(sc.ComplementaryPairs(10), 2, 10), float | np.ndarray)
    assert_type(sc.check("A, B\nA, C\n", plan="bootstrap", n_features=5), sc.Check)
    assert_type(sc.check(runs, plan=sc.Bootstrap(runs.n_runs)).panel, pd.DataFrame)
    assert_type(sc.stability_by_runs(runs, "jaccard"), pd.DataFrame)
    assert_type(sc.similarity_warnings(C, runs), list[str])
    assert_type(sc.whatif.groups(runs, C), pd.DataFrame)
    assert_type(sc.whatif.influence(runs, C, most=3), pd.DataFrame)
    assert_type(sc.importance.linear_importance(np.array([1.0, 2.0])), np.ndarray)


def studies(data: sc.Dataset, folder: Path) -> sc.StudyResult:
    """A study, with what is of the house and of one's own."""
    for plan in (
        sc.Subsample(4, test_size=0.2),
        sc.Bootstrap(4),
        sc.RepeatedKFold(3),
        sc.NestedKFold(3, 3),
        sc.ComplementaryPairs(2),
        sc.LearningCurve(3),
        Thirds(),
    ):
        sc.Study(data, "mim", plan=plan, n_permutations=0)
    assert_type(sc.LeaveOneSiteOut("centre").column, str)
    sc.Study(data, ["mim", ("lasso", {})], classifier=Always(), n_permutations=0)
    study = sc.Study(
        data,
        {"mine": ByMean(), "gain": "mim"},
        plan=sc.ComplementaryPairs(3),
        k=2,
        classifier="3nn",
        random_state=1,
        n_permutations=0,
    )
    X, y = data.table.values, data.target
    assert_type(sc.Study(X, y, ["mim"], plan=5, groups=np.arange(len(y)), random_state=2, k=2).plan, Plan)
    assert_type(sc.Study.from_file(folder / "table.csv", "mim", target="outcome", exclude=["id"], k=2), sc.Study)
    named = pd.DataFrame(np.asarray(X)[:, :3], columns=["age", "b", "c"])
    assert_type(sc.Study(named, y, ["anova_f"], k=1, given="age").without_given(), sc.Study)
    assert_type(sc.Dataset(X, y, name="mine").changed(name="ours"), sc.Dataset)
    stable = sc.StableSelector("anova_f", plan=sc.ComplementaryPairs(5), k=2, threshold=0.6).fit(X, y)
    assert_type(stable, sc.StableSelector)
    with ThreadPoolExecutor(1) as executor:
        return assert_type(study.run(executor, store=folder / "study.stab"), sc.StudyResult)


def results(result: AnyResult, data: sc.Dataset, C: sc.Similarity, folder: Path) -> None:
    """The results of a study."""
    searched = assert_type(
        sc.random_search(data, sc.SearchSpace(learners=("lasso",)), n=2, plan=sc.RepeatedKFold(2), random_state=1, n_jobs=1),
        sc.StudyResult,
    )
    assert_type(sc.evaluate_on_other_half(data, searched, searched.selectors[:1], n_jobs=1), sc.StudyResult)
    opened = assert_type(sc.open_study(folder / "study.stab"), sc.StudyResult)
    assert_type(opened.progress(), pd.DataFrame)
    assert_type(opened.done_words(), dict[str, str])
    assert_type(opened.digest(), str)
    assert_type(opened.selection_digest(), str)
    assert_type(opened.largest_difference(opened), float)
    assert_type(opened.failures(), dict[str, str])
    assert_type(result.stability(["nogueira", "jaccard"], k=2), pd.DataFrame)
    assert_type(sc.stability(result), pd.DataFrame)
    assert_type(result.to_frame(), pd.DataFrame)
    assert_type(result.to_dict(), dict[str, Any])
    assert_type(result.plot, sc.ResultPlots)
    sc.plot.panel(result)
    sc.plot.profile(result, k=2)
    sc.plot.grid(result, "gain")
    sc.plot.importance_map(result, "gain")
    sc.plot.pareto(result)
    sc.plot.stability(result)
    sc.plot.threshold(result, data)
    assert_type(result.selectors, list[str])
    assert_type(result.sentence(), str)
    assert_type(result.plan, Plan | None)
    runs = assert_type(result.selections("gain", k=3), sc.Selections)
    assert_type(sc.Results({"gain": runs}).table(), pd.DataFrame)
    points = assert_type(result.table(["nogueira", mean_size]), pd.DataFrame)
    assert_type(result.accuracy(), pd.DataFrame)
    assert_type(result.compare_scores("mine", "gain"), sc.Comparison)
    assert_type(result.run_scores("mine"), dict[int, float])
    assert_type(sc.stability_profile(runs), pd.DataFrame)
    assert_type(assert_type(sc.agreement_cutoff(runs), sc.AgreementCutoff).k, float)
    criteria = ("accuracy", "nogueira")
    assert_type(sc.pareto_front(points, criteria), pd.DataFrame)
    assert_type(sc.weighted_choice(points, 0.5, criteria), pd.DataFrame)
    assert_type(sc.mean_nondominated_rank(points.reset_index().assign(dataset="one"), criteria), pd.DataFrame)
    assert_type(
        sc.feature_profile({label: result.selections(label) for label in result.selectors}, result.features[0]), pd.DataFrame
    )
    assert_type(sc.compare_selectors(result), pd.DataFrame)
    scenarios = {"nothing": sc.Similarity.identity(len(result.features), result.features), "two": C}
    assert_type(sc.compare_scenarios(result, scenarios, against="nothing"), pd.DataFrame)
    assert_type(sc.scenario_contrasts(result, scenarios), pd.DataFrame)
    assert_type(sc.measure_agreement(result, ["nogueira", "jaccard"]), pd.DataFrame)
    assert_type(sc.agreement_cutoffs(result), pd.DataFrame)
    assert_type(sc.runs_needed(result, half=0.1), pd.DataFrame)
    bins = assert_type(CorrelationBins.of(data), CorrelationBins)
    assert_type(sc.whatif.threshold_curve({"gain": runs}, bins), pd.DataFrame)


def in_the_end(result: AnyResult, data: sc.Dataset, C: sc.Similarity) -> None:
    """The panel, its certainty, effects and replication."""
    for table in (
        sc.panel(result, 0.6, k=2),
        sc.panel(result, max_false=1),
        sc.false_selection_bounds(result, 0.6),
        sc.threshold_grid(result, "gain"),
        sc.stability_paths(result, "gain"),
        sc.consensus(result),
        sc.rank_intervals(data, data.features[:3]),
        sc.substitutes(result, 2),
        sc.effects(data),
        sc.concordance(result, result),
        sc.replication(result, result, 0.6),
    ):
        assert_type(table, pd.DataFrame)
    assert_type(
        sc.external_validation(data, data, ["x", "y"]) if {"x", "y"} <= set(data.features) else pd.DataFrame(), pd.DataFrame
    )
    assert_type(sc.sample_size_for_stability([100, 200], d=1000, true=20, effect=0.3), pd.DataFrame)
    assert_type(sc.pfer_bound(3, 40, 0.75, 25), float | np.ndarray)
    report = sc.report(
        result,
        similarity=sc.Similarity.from_correlation(data, threshold=0.9),
        data=data,
        threshold=0.6,
        filtered="no",
        source="",
        parts=[1, 8],
        figures=["panel"],
    )
    assert_type(report, str)
    if isinstance(result, sc.StudyResult):
        risk = assert_type(sc.risk_instability(data, result, "gain", "logistic", event="ill"), sc.Risk)
        assert_type(risk.table(0.3), pd.DataFrame)
        worth = assert_type(sc.clinical_worth(data, data.features[:2], result, "gain", n_bootstrap=20), sc.ClinicalWorth)
        assert_type(worth.net_benefit, pd.DataFrame)
        assert_type(sc.patient_interval(data, result, "gain", ["nogueira"], k=3), pd.DataFrame)
        assert_type(sc.split_effects(data, result, "gain", pair=2), pd.DataFrame)
        if result.given:
            assert_type(sc.compare_given(result, result, 0.6), pd.DataFrame)
        halves = np.arange(data.n_rows) % 2
        assert_type(sc.subgroup_agreement(data, result, halves, "gain", n_repeats=3, n_permutations=19), pd.DataFrame)


def catalogues() -> None:
    """The catalogues. Each is a function, and a module with the same name."""
    for table in (sc.list_measures(), sc.list_selectors(), sc.list_classifiers(), sc.list_plans()):
        assert_type(table, pd.DataFrame)
    assert_type(sc.selector("lasso"), Selector)
    assert_type(sc.selector("lasso"), Selector)
    assert_type(classifier("3nn"), Classifier)
    assert_type(Entry(key="mine", label="Mine", function=mean_size), Entry)
    assert_type(plan_from_settings({"kind": "complementary_pairs"}), Plan)
    assert isinstance(sc.whatif, ModuleType) and issubclass(sc.InputError, ValueError)


def everything(frame: pd.DataFrame, folder: Path) -> None:
    """All of it, on a small table with the columns id and outcome."""
    data, runs, C = ways_in(frame, folder)
    numbers(runs, C)
    result = studies(data, folder)
    results(result, data, sc.Similarity.from_correlation(data, threshold=0.1), folder)
    in_the_end(result, data, C)
    catalogues()
