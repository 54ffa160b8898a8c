"""Results of runs, from a study or from uploaded selections."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import equal, plain_values
from stabcore.base.text import counted, format_with_interval
from stabcore.inference.estimate import estimate_table, stability
from stabcore.measures.catalog import entries
from stabcore.selections.selections import Selections, SelectionsLike
from stabcore.study import controls, performance, progress, summary
from stabcore.study.result_data import ResultData

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from stabcore import ResultPlots
    from stabcore.inference.comparison import Comparison
    from stabcore.measures.entry import MeasureLike
    from stabcore.similarity.similarity import Similarity

RANKED_SHARE = 0.25  # share of features that counts as selected if only an order is given (Sechidis et al. 2019)


@public
class AnyResult(ResultData):
    """The methods of every result. Each calls a function of this package, which states its requirements."""

    @abstractmethod
    def sentence(self) -> str:
        """The runs in plain words.

        Examples
        --------
        >>> sc.Results({"lasso": Z}).sentence()
        '3 runs, 4 features.'
        """

    def longest(self, labels: Iterable[str]) -> int:
        """The most features that any of these selectors ranks in all its runs.

        Parameters
        ----------
        labels : list of str
            Names of selectors in the result.

        Examples
        --------
        >>> result.longest(["mim"])
        50
        """
        return max(self.selections(label).n_ranked for label in ([labels] if isinstance(labels, str) else labels))

    def describe_importance(self, label: str) -> str:
        """The meaning of importance in the runs of a selector, in words. "" if unknown.

        Parameters
        ----------
        label : str
            Name of a selector in the result.

        Examples
        --------
        >>> result.describe_importance("mim")
        'importance in mim (mutual information with the outcome, in nats)'
        """
        return summary.describe_importance(self, label)

    def failures(self) -> dict[str, str]:
        """{selector: number of failed runs and the reason, in words} of selectors with failed runs.

        Examples
        --------
        >>> result.failures()
        {}
        """
        return {}

    def _without_values(self) -> dict[str, str]:
        """{selector: reason} of selectors whose runs have all ended, fewer than two of them successfully."""
        missing = self.missing_runs()
        ended = missing.loc[(missing["waiting"] == 0) & (missing["runs"] < 2), "selector"]
        reasons = self.failures() if len(ended) else {}
        return {label: reasons.get(label, "fewer than two runs finished") for label in ended}

    def stability(
        self,
        measure: MeasureLike | Iterable[MeasureLike] = "nogueira",
        similarity: Similarity | None = None,
        *,
        k: int | None = None,
        level: float = 0.95,
        interval: str | None = None,
        **options: Any,
    ) -> pd.DataFrame:
        """Stability of each selector as a tidy DataFrame: selector, measure, value, low, high, se, runs, note.

        Parameters
        ----------
        measure, similarity, level, interval, options : optional
            As of sc.stability.
        k : int, optional
            As if every run had selected its k best features. There is one row per selector and measure. For a failed selector, the
            value is missing, and the note gives the reason.

        Raises
        ------
        InputError
            For an unknown measure.

        Examples
        --------
        >>> result.stability(["nogueira", "effective"], similarity=C)[["selector", "measure"]]
                selector    measure
        0            mim   nogueira
        1            mim  effective
        2  random_forest   nogueira
        3  random_forest  effective
        """
        wanted = entries(measure)
        asked: Any = partial(stability, measure=wanted, similarity=similarity, level=level, interval=interval, **options)
        table = estimate_table({label: self.selections(label, k) for label in self.finished_selectors}, asked)
        without = [
            {"selector": label, "measure": measure.key, "runs": 0, "note": reason}
            for label, reason in self._without_values().items()
            for measure in wanted
        ]
        if not without:
            return table
        table = pd.concat([table, pd.DataFrame(without)], ignore_index=True)[list(table.columns)]
        return table.iloc[table["selector"].map(self.selectors.index).argsort(kind="stable")].reset_index(drop=True)

    def to_frame(self) -> pd.DataFrame:
        """One row per selector: stability, accuracy and number of features. See `table`.

        Examples
        --------
        >>> result.to_frame().index.tolist()
        ['mim', 'random_forest']
        """
        return self.table()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: the study, the features, and the rows of `table`. None for missing values.

        Examples
        --------
        >>> result.to_dict()["selectors"][0]["selector"]
        'mim'
        """
        table = self.table().reset_index()
        rows = table.astype(object).where(table.notna(), None).to_dict("records")
        return {
            "what": self.sentence(),
            "features": list(self.features),
            "selectors": [plain_values({str(name): value for name, value in row.items()}) for row in rows],
        }

    @property
    def plot(self) -> ResultPlots:
        """The figures of this result, for Plotly: plot.stability(), .profile(), .grid("lasso"), …. See sc.plot."""
        import stabcore  # figures are in a higher package, reached through the public names

        return stabcore.plot.ResultPlots(self)

    def __repr__(self) -> str:
        return f"{self._summary()}\n{self._short_table().to_string()}"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(self._summary())}</p>{self._short_table().to_html()}"

    def _summary(self) -> str:
        return f"{type(self).__name__}: {self.sentence()}"

    def _short_table(self) -> pd.DataFrame:
        """Stability, accuracy and the number of features of each selector, as text."""
        table = self.table()
        shown = pd.DataFrame(index=table.index)
        shown["stability"] = [
            format_with_interval(*row) for row in table[["nogueira", "nogueira_low", "nogueira_high"]].itertuples(index=False)
        ]
        for score in ("accuracy", "r2", "mae", "spearman", "harrell", "uno", "brier"):
            if score in table and table[score].notna().any():
                shown[score] = table[score].map("{:.2f}".format)
        shown["features per run"] = table["mean_size"].map("{:.1f}".format)
        shown["runs"] = table["runs"].fillna(0).astype(int)
        return shown.replace("nan", "")

    def missing_runs(self) -> pd.DataFrame:
        """DataFrame of selectors with failed or unfinished runs, see stabcore.study.progress.missing_runs_table.

        Examples
        --------
        >>> result.missing_runs().empty
        True
        """
        return progress.missing_runs(self)

    def table(
        self,
        measures: MeasureLike | Iterable[MeasureLike] = ("nogueira",),
        similarity: Similarity | None = None,
        k: int | None = None,
    ) -> pd.DataFrame:
        """DataFrame, one row per selector: each measure with its _low, _high and _note, the mean size and the accuracy.

        Parameters
        ----------
        measures : str or function or list, optional
            Keys of measures, and user-defined measures, which name their columns.
        similarity : Similarity, optional
            Feature similarity C, for measures that need it.
        k : int, optional
            As if every run had selected its k best features. The accuracy is then unknown. A failed selector is a row without
            values, and its _note gives the reason. Selectors without finished runs are left out.

        Raises
        ------
        InputError
            For an unknown measure. Other problems of a measure are in its _note.

        Examples
        --------
        >>> result.table(["nogueira", "kappa"])[["nogueira", "kappa"]].shape
        (2, 2)
        """
        wanted, rows = entries(measures), []
        for label in self.finished_selectors:
            runs = self.selections(label, k)
            row: dict[str, Any] = {"selector": label, "mean_size": runs.sizes.mean()}
            for key, estimate in stability(runs, wanted, similarity=similarity).items():
                row |= {
                    key: estimate.value,
                    f"{key}_low": estimate.low,
                    f"{key}_high": estimate.high,
                    f"{key}_note": estimate.reason or " ".join(estimate.warnings),
                }
            rows.append(row)
        for label, reason in self._without_values().items():
            rows.append({"selector": label} | {f"{measure.key}_note": reason for measure in wanted})
        rows.sort(key=lambda row: self.selectors.index(row["selector"]))
        of_measures = [f"{measure.key}{part}" for measure in wanted for part in ("", "_low", "_high", "_note")]
        columns = ["selector", *of_measures, "mean_size"]
        accuracy = self._accuracy.drop(columns="mean_size")
        if k is not None:
            measured = [score for score in (*performance.SCORES, *performance.TIMED_SCORES) if score in accuracy]
            accuracy[[f"{score}{part}" for score in measured for part in ("", "_low", "_high")]] = np.nan
            accuracy["accuracy_note"] = ""
        table = pd.DataFrame(rows, columns=columns).set_index("selector").join(accuracy)
        return table.assign(accuracy_note=table["accuracy_note"].fillna(""))

    def accuracy(self) -> pd.DataFrame:
        """Prediction of held-out rows, one row per selector.

        DataFrame. For classes: accuracy, balanced_accuracy, and auc (NaN for more than two classes). For a numeric outcome: r2, mae
        (mean absolute error) and spearman (rank correlation of prediction and outcome). For a time to an event: harrell and uno
        (concordance) and brier (integrated Brier score). Each has _low and _high (95%). Also the mean number of features, runs, and
        seconds. scored_runs: runs that predicted rows. auc_runs, for classes: runs that held out both. accuracy_note: classes that
        were (almost) never held out. Uploaded selections have only mean_size and runs.

        Scores are means over runs of the held-out rows. Balanced accuracy is a mean over classes, of the held-out rows of all runs.
        R² is a ratio of sums over all runs. The interval is for new tables: the variance over runs times 1/M +
        n_held_out/n_learned, corrected for differences between patients (run_scores.interval_over_runs). In
        simulations under every plan it contained the average over tables in 90 to 100 of 100 studies for accuracy and balanced
        accuracy. For the AUC it did in 86 to 100, and for scores of a number in 88 to 100 (40 to 300 patients). Balanced accuracy
        and the AUC have no interval if fewer than 10 patients of a class were held out.

        References
        ----------
        Source: Nadeau & Bengio, Machine Learning 2003; the correction is ours.

        Examples
        --------
        >>> result.accuracy()["runs"].tolist()
        [8, 8]
        """
        if self.plan is None:
            return self._accuracy[["mean_size", "runs"]].copy()
        return self._accuracy.drop(columns=[] if self.classes else performance.CLASS_COLUMNS)

    @property
    def _accuracy(self) -> pd.DataFrame:
        """The columns of `accuracy`, and those of classes for every outcome, as `table` has them."""
        return performance.accuracy(self)

    def compare_scores(self, first: str, second: str, score: str = "accuracy") -> Comparison:
        """Difference of the scores of two selectors in new patients. See stabcore.study.performance.compare_scores.

        Parameters
        ----------
        first, second : str
            Names of the two selectors in the result.
        score : str, optional
            'accuracy', 'balanced_accuracy' or 'auc'.

        Raises
        ------
        InputError
            For an unknown score, and for uploaded selections, which have no scores.

        Examples
        --------
        >>> result.compare_scores("mim", "random_forest").n_runs
        8
        """
        if self.plan is None:
            raise InputError("Uploaded selections have no accuracy.")
        both = self.finished_tasks(first), self.finished_tasks(second)
        return performance.compare_scores(*both, self.target, score, patients=self.patients)

    def run_scores(self, label: str, score: str = "accuracy") -> dict[int, float]:
        """{number of the run, from 1: score on its held-out rows} of runs with a score. See performance.score_of_each_run.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        score : str, optional
            'accuracy', 'balanced_accuracy' or 'auc'.

        Examples
        --------
        >>> list(result.run_scores("mim"))
        [1, 2, 3, 4, 5, 6, 7, 8]
        """
        if self.plan is None:
            return {}
        return performance.score_of_each_run(self.finished_tasks(label), self.target, score)

    def beats_guessing(self, score: str | None = None) -> pd.DataFrame:
        """DataFrame, one row per selector without baselines: whether it predicts better than a model without features.

        Columns score, value, guess, se, p_value (one-sided, see study.run_scores.excess_over_guessing), p_holm (corrected for all
        selectors), better (p_holm < 0.05), random (the value of the baselines, NaN without one).

        Parameters
        ----------
        score : str, optional
            accuracy, balanced_accuracy, auc, harrell or uno. By default that of predictions.default_score.

        Raises
        ------
        InputError
            For an unknown score.

        Examples
        --------
        >>> result.beats_guessing("accuracy")["better"].tolist()
        [True, True]
        """
        return performance.beats_guessing(self, score)

    @property
    def has_control(self) -> bool:
        """Whether a shuffle of the outcome is finished, so that noise floors are known."""
        return controls.has_control(self)

    @property
    def has_refits(self) -> bool:
        """Whether runs were refitted with another seed or other imputations, so that `disagreement_sources` has an answer."""
        return controls.has_refits(self)

    @property
    def blind(self) -> list[str]:
        """The selectors that do not use the outcome, so that signal makes no difference."""
        return controls.blind_selectors(self)

    @property
    def cluster_share(self) -> float | None:
        """The share of pairs of runs within a cluster of the plan, None if a shuffle repeats all runs."""
        return controls.cluster_share(self)

    def noise_floor(
        self, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
    ) -> pd.DataFrame:
        """Stability and noise floor of each selector, the stability with the outcome shuffled.

        DataFrame, one row per selector, with the columns of inference.noise_floor.stability_with_floor: value, low, high, floor,
        floor_low, floor_high, floor_se, beyond (value − floor), beyond_low, beyond_high, p, clear, shuffles, note. Only finished
        shuffles count, so a running study has values after the first one. The floor of a selector that does not use the outcome is
        its own value.

        Parameters
        ----------
        measure : str or function, optional
            Key of sc.list_measures(), or a user-defined measure.
        similarity, k : optional
            As in `table`.

        Raises
        ------
        InputError
            For results without a control, and without the similarity that the measure needs.

        Examples
        --------
        >>> result.noise_floor()["shuffles"].tolist()
        [2, 2]
        """
        return controls.noise_floor(self, measure, similarity, k)

    def shuffled_values(
        self, label: str, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
    ) -> dict[int, float]:
        """{number of the shuffle: value of a measure with the outcome shuffled}, for defined values.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        measure, similarity, k : optional
            As in `noise_floor`.

        Examples
        --------
        >>> list(result.shuffled_values("mim"))
        [1, 2]
        """
        return controls.shuffled_values(self, label, measure, similarity, k)

    def shuffled_frequencies(self, labels: str | Iterable[str], k: int | None = None) -> np.ndarray:
        """(S, d) selection frequencies in each shuffle of the outcome, as if a shuffle had all runs of the study.

        Parameters
        ----------
        labels : str or list of str
            One or more selectors. Frequencies are averaged over them. The maximum of a row is the most frequent feature of that
            shuffle. The mean of a column is the selection frequency of a feature without signal. A shuffle repeats few runs, see
            inference.noise_floor.simulated_frequencies. S is the number of shuffles that are finished for these selectors.
            Selectors that do not use the outcome are left out.
        k : int, optional
            As if every run had selected its k best features. None: as the runs select.

        Raises
        ------
        InputError
            For results without a control.

        Examples
        --------
        >>> result.shuffled_frequencies("mim").shape
        (2, 50)
        """
        return controls.shuffled_frequencies(self, labels, k)

    def frequency_line(self, label: str, k: int | None = None) -> float:
        """The highest selection frequency of any feature in any shuffle. Raises InputError for results without a control.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        k : int, optional
            As if every run had selected its k best features. None: as the runs select.

        Examples
        --------
        >>> 0 <= result.frequency_line("mim") <= 1
        True
        """
        return float(np.append(self.shuffled_frequencies(label, k), -np.inf).max())

    def disagreement_sources(self, k: int | None = None) -> pd.DataFrame:
        """DataFrame, one row per selector: the shares of its disagreement due to patients, missing values and the seed.

        Columns patients, missing, seed, which add up to 1, the ends of their intervals, disagreement, runs, note, and steadied_by,
        the remedy against seed variability. See inference.disagreement. Selectors without refits are left out.

        Parameters
        ----------
        k : int, optional
            As if every run had selected its k best features. None: as the runs select.

        Raises
        ------
        InputError
            For results without refits.

        Examples
        --------
        >>> result.disagreement_sources()[["patients", "missing", "seed"]].sum(axis=1).round(6).to_dict()
        {'random_forest': 1.0}
        """
        return controls.disagreement_sources(self, k)

    def imputed_frequencies(self, k: int | None = None) -> pd.DataFrame:
        """DataFrame, one row per selector and feature: selection frequency over all runs and fillings of the missing cells.

        Columns selector, feature, frequency, and the lowest and highest frequency in one filling of each run. The first filling of
        a run is the one that all other results use.

        Parameters
        ----------
        k : int, optional
            As if every run had selected its k best features. None: as the runs select.

        Raises
        ------
        InputError
            For results with fewer than two fillings.

        Notes
        -----
        The share of all selections over resamples and imputations, the inclusion frequency of Heymans et al. 2007.

        Examples
        --------
        >>> gaps = data.table.values.copy()
        >>> gaps[::9, 0] = np.nan
        >>> frame = pd.DataFrame(gaps, columns=data.features)
        >>> study = sc.Study(frame, data.target, ["welch_t"], plan=sc.ComplementaryPairs(3), k=5, n_imputations=2, n_permutations=0)
        >>> list(study.run(n_jobs=1, progress=False).imputed_frequencies())
        ['selector', 'feature', 'frequency', 'lowest', 'highest']
        """
        return controls.imputed_frequencies(self, k)


@public
class Results(AnyResult):
    """Uploaded selections: runs of one or more selectors over the same features, without a study.

    Parameters
    ----------
    selections : dict
        {name: selections} of each selector.

    Raises
    ------
    InputError
        If selectors have different features.

    Examples
    --------
    >>> sc.Results({"lasso": Z, "mrmr": Z[::-1]}).selectors
    ['lasso', 'mrmr']
    """

    def __init__(self, selections: Mapping[str, SelectionsLike]) -> None:
        if not isinstance(selections, Mapping) or not selections:
            raise InputError(
                f"Make Results from the selections of each selector, {{name: selections}}. Found {type(selections).__name__}."
            )
        adopted = {label: Selections.of(runs) for label, runs in selections.items()}
        first = next(iter(adopted.values()))
        for label, runs in adopted.items():
            if runs.n_features != first.n_features or runs.features != first.features:
                raise InputError(
                    f"{label!r} has other features than the first selections. Compared selections must have "
                    "the same features in the same order."
                )
        self._selections = adopted
        self._notes: list[str] = []
        self.features = first.features
        self.settings, self.classes, self.target = {}, (), np.zeros(0, dtype=int)

    @classmethod
    def of(cls, result: Any) -> Any:
        """The same result, or Results of a dict {name: selections}. Raises InputError for anything else.

        Parameters
        ----------
        result : object
            A result, or a dict {name: selections}.

        Examples
        --------
        >>> sc.Results.of({"lasso": Z}).n_runs
        3
        """
        if isinstance(result, AnyResult):
            return result
        if isinstance(result, Mapping):
            return cls(result)
        raise InputError(f"A result is that of a study, or sc.Results({{name: selections}}). Found {type(result).__name__}.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Results):
            return NotImplemented
        return self.selectors == other.selectors and equal([*self._selections.values()], [*other._selections.values()])

    def __hash__(self) -> int:
        return hash((*self.selectors, self.features))

    @classmethod
    def from_files(
        cls, files: Iterable[tuple[Any, Mapping[str, Any]]], table: Iterable[str] | None = None, columns: Iterable[str] = ()
    ) -> Results:
        r"""The selections in uploaded files.

        The options of a file are label, name, kind, n_features, features, and answers to questions. The attribute `notes` holds the
        assumptions.

        Parameters
        ----------
        files : list
            Pairs of a source (path, bytes or text) and its options.
        table, columns : list of str, optional
            Feature names of a data table, and the names of all its columns.

        Raises
        ------
        InputError
            For a file that cannot be read as selections, and for files with different features. A Question for an ambiguous
            file.

        Examples
        --------
        >>> uploaded = sc.Results.from_files([("1,1,0\n1,0,1\n", {"label": "lasso", "name": "lasso.csv"})])
        >>> uploaded.selectors
        ['lasso']
        """
        from stabcore.io.selection_files import read_selection_files

        files = [files] if isinstance(files, str) else list(files)
        if not files or not all(isinstance(file, tuple) and len(file) == 2 for file in files):
            raise InputError("Files are pairs of a source and its options: [('lasso.csv', {'label': 'lasso'}), …].")
        read, notes = read_selection_files(files, table, columns)
        selections = {label: _selections_from_runs(runs) for label, runs in read.items()}
        for label, runs in read.items():
            if runs.kind in ("scores", "ranks"):
                k = selections[label].sizes.max()
                notes.append(
                    f"{label}: {runs.kind} do not define a selection. The best {k:.0f} features of each run "
                    "count as selected until you choose another number."
                )
        results = cls(selections)
        results._notes = notes
        return results

    @property
    def notes(self) -> list[str]:
        return self._notes

    @property
    def selectors(self) -> list[str]:
        return list(self._selections)

    @property
    def finished_selectors(self) -> list[str]:
        return self.selectors

    @property
    def n_runs(self) -> int:
        return max(runs.n_runs for runs in self._selections.values())

    def sentence(self) -> str:
        runs = counted(self.n_runs, "run")
        if len(self.selectors) > 1:
            alike = len({selections.n_runs for selections in self._selections.values()}) == 1
            runs = f"{len(self.selectors)} sets of selections, {'' if alike else 'up to '}{runs} each"
        return f"{runs}, {len(self.features):,} features."

    def can_rank(self, label: str) -> bool:
        runs = self.selections(label)
        return runs.ranks is not None or runs.scores is not None

    def selections(self, label: str, k: int | None = None) -> Selections:
        if label not in self._selections:
            raise InputError(f"There are no selections of {label!r}. There are: {', '.join(self._selections)}.")
        runs = self._selections[label]
        return runs if k is None else runs.top(k)

    def paired(self, first: str, second: str, k: int | None = None) -> tuple[Selections, Selections, bool]:
        return self.selections(first, k), self.selections(second, k), False

    def run_numbers(self, label: str) -> list[int]:
        return list(range(1, self.selections(label).n_runs + 1))


RunsLike: TypeAlias = "AnyResult | Mapping[str, Selections] | Selections"  # one selector, several, or a whole result


def _selections_from_runs(read) -> Selections:
    """Selections made from SelectedRuns."""
    if read.kind == "sets":
        return Selections.from_lists(read.sets, names=read.features)
    if read.kind == "selection matrix":
        return Selections.from_matrix(read.matrix, read.features)
    if read.kind == "importances":
        return Selections.from_weights(read.matrix, read.features)
    ranked = Selections.from_scores(-read.matrix if read.kind == "ranks" else read.matrix, read.features)
    ranked = replace(ranked, weighs=read.kind == "scores")
    return ranked.top(max(1, int(RANKED_SHARE * ranked.n_features + 0.5)))
