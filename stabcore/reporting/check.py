"""A check of selections made elsewhere: stability, noise floor, panel, and sentences for a methods section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from stabcore.analysis.panel import frequency_interval, panel
from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import plain_values
from stabcore.base.text import counted, format_with_interval, quote
from stabcore.inference.estimate import Estimate, stability, stability_from_frequencies
from stabcore.inference.noise_floor import noise_floor
from stabcore.inference.panel_rule import THRESHOLD, PanelRule
from stabcore.io.decode import SELECTION_ENDINGS, Source
from stabcore.io.frequencies import read_frequencies
from stabcore.resampling.catalog import plan_for_runs
from stabcore.resampling.plan import SharesRows
from stabcore.selections.selections import Selections, SelectionsLike
from stabcore.study.results import AnyResult, Results

LABEL = "selections"  # label of runs whose selector has no name
COLUMNS = ("selector", "value", "low", "high", "runs", "features", "mean_size", "noise_floor", "note")
PANEL = ("selector", "feature", "in_panel", "frequency", "low", "high")
MAX_NAMED = 12  # features of the panel that a sentence names
MAX_IN_ANSWER = 3  # selectors in the answer
NO_PLAN = "The noise floor needs the resampling scheme, which is not known."
ABOUT_FLOOR = (
    "The noise floor is the stability expected without signal. It assumes a filter that ranks independent features one by one and "
    "selects the mean number of features. Other selectors have another floor, which shuffling the outcome measures."
)
ABOUT_INTERVALS = "Intervals describe other resamples of the same patients, not other patients."


@public
@dataclass(frozen=True, eq=False, repr=False)
class Check:
    r"""The results of a check of selections: stability, noise floor, panel, and sentences for a methods section.

    Parameters
    ----------
    stability : DataFrame
        One row per selector: selector, value of the measure nogueira, low, high, runs, features, mean_size, noise_floor (NaN
        without a plan), note.
    panel : DataFrame
        One row per selector and selected feature: selector, feature, in_panel, frequency, low, high.
    threshold : float
        Smallest selection frequency in the panel.
    sentences : dict
        {selector: three sentences}.
    floor : str
        Assumptions of the noise floor, or the reason that there is none.
    notes : list of str
        Assumptions made while reading.

    Examples
    --------
    >>> sc.check("A, B\nA, B\nA, C\n", n_features=20).panel["feature"].tolist()
    ['A', 'B', 'C']
    """

    stability: pd.DataFrame
    panel: pd.DataFrame
    threshold: float
    sentences: Mapping[str, tuple[str, ...]]
    floor: str
    notes: list[str]

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Check) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.floor, len(self.panel)))

    def __repr__(self) -> str:
        return "\n".join(" ".join(sentences) for sentences in self.sentences.values())

    @property
    def answer(self) -> str:
        """Stability and noise floor in short, one sentence per selector."""
        sentences = []
        columns = ["selector", "value", "low", "high", "noise_floor"]
        for selector, value, low, high, floor in self.stability[columns].head(MAX_IN_ANSWER).to_numpy():
            of = "" if len(self.stability) == 1 else f" of {selector}"
            beside = "" if np.isnan(floor) else f", and its noise floor is {floor:.2f}"
            sentences.append(f"The stability{of} is {format_with_interval(value, low, high)}{beside}.")
        more = len(self.stability) - len(sentences)
        return " ".join([*sentences, f"{counted(more, 'more selector')} below."] if more > 0 else sentences)

    def to_dict(self) -> dict[str, Any]:
        r"""Plain values for JSON: selectors, each with its panel and sentences, the floor and the notes.

        Examples
        --------
        >>> list(sc.check("A, B\nA, B\nA, C\n").to_dict())
        ['selectors', 'floor', 'notes']
        """
        selectors = []
        for row in self.stability.to_dict("records"):
            part = self.panel[self.panel["selector"] == row["selector"]].drop(columns="selector")
            features = [plain_values(_short_name(feature)) for feature in part.to_dict("records")]
            selectors.append(
                {**plain_values(_short_name(row)), "panel": features, "sentences": list(self.sentences[row["selector"]])}
            )
        return {"selectors": selectors, "floor": self.floor, "notes": list(self.notes)}


def _short_name(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in row.items()}


@public
def check(
    selections: Source | Sequence[Path] | SelectionsLike | Mapping[str, SelectionsLike] | AnyResult,
    name: str | None = None,
    *,
    plan: SharesRows | str | None = None,
    n_features: int | None = None,
    n_runs: int | None = None,
    threshold: float = THRESHOLD,
    **answers: Any,
) -> Check:
    """Check selections from any program: stability with its interval, noise floor, panel, and sentences to copy.

    Parameters
    ----------
    selections : path, bytes, text, matrix, lists, dict or result
        A file (as pathlib.Path, bytes or an open file), a list of paths, pasted text (a str), sc.Results, or any selections that
        sc.stability accepts.
    name : str, optional
        File name with the ending of the format, for bytes and open files.
    plan : plan or str, optional
        The resampling scheme, such as sc.ComplementaryPairs(25), or a text such as "bootstrap", "complementary_pairs",
        "subsample:test_size=0.2" or "repeated_kfold:n_splits=5". With a text, the number of runs is that of the selections. With a
        plan, the noise floor is computed in closed form.
    n_features : int, optional
        Number of features that could be selected. The chance correction depends on it.
    n_runs : int, optional
        Number of runs, only for a table of selection frequencies, which does not hold the runs.
    threshold : float, optional
        Smallest selection frequency in the panel, 0 to 1.
    answers : object
        Answers to questions about the file, such as kind="ranks" or runs_in="columns".

    Returns
    -------
    Check
        Tables `stability` and `panel`, `sentences`, `floor`, `notes`.

    Raises
    ------
    InputError
        For a file that cannot be read exactly. The message names the place and the remedy. A Question, a kind of InputError, for a
        file that can be read in several ways.

    References
    ----------
    Source: Nogueira, Sechidis & Brown 2018, JMLR 18(174).

    Examples
    --------
    >>> sc.check(Z, plan=sc.Bootstrap(3)).stability[["value", "runs", "features"]].round(2).values.tolist()
    [[0.33, 3.0, 4.0]]
    """
    rule = PanelRule("threshold", threshold)
    if n_runs is not None:
        return _check_frequencies(selections, name, plan, n_features, n_runs, rule, answers)
    result = _read_result(selections, name, n_features, answers)
    rows, panels, sentences = [], [], {}
    for label in result.selectors:
        runs = result.selections(label)
        estimate, sizes = stability(runs), runs.sizes
        rows.append(_stability_row(label, estimate, runs.n_features, float(sizes.mean()), plan))
        panels.append(panel(result, rule.value, selectors=[label], with_substitutes=False).assign(selector=label))
        of = _format_n_features(runs.n_features, n_features is None and bool(runs.counts.all()))
        how_many = f"each selected {sizes[0]:.0f}" if np.ptp(sizes) == 0 else f"selected on average {sizes.mean():.1f}"
        by = "" if label == LABEL else f" by {label}"
        first = f"We measured the stability of feature selection{by} over {counted(runs.n_runs, 'run')}, which {how_many} of {of}."
        sentences[label] = _method_sentences(first, estimate, rows[-1], panels[-1], rule)
    return _make_check(rows, panels, rule, sentences, plan, result.notes if isinstance(result, Results) else [])


def _read_result(selections, name, n_features, answers) -> AnyResult:
    """The runs of every selector, of a file, several, a text or an object."""
    if isinstance(selections, AnyResult):
        return selections
    if isinstance(selections, dict):
        return Results({label: Selections.of(runs, None, n_features) for label, runs in selections.items()})
    if isinstance(selections, str) and selections.strip().lower().endswith(SELECTION_ENDINGS) and "\n" not in selections.strip():
        raise InputError(f"{quote(selections)} is a text, which is read as the selections. Give a file as pathlib.Path.")
    if isinstance(selections, Path) and selections.suffix == ".stab":
        raise InputError(f"{quote(selections.name)} is a study file. Show it by python -m stabcore show, or by sc.open_study.")
    is_list = isinstance(selections, (list, tuple)) and bool(selections) and all(isinstance(file, Path) for file in selections)
    files = list(selections) if is_list else [selections]
    if all(map(_is_file, files)):
        read = []
        for file in files:
            name_of_file = file.name if isinstance(file, Path) else name or "pasted.txt"
            label = (name_of_file.rsplit(".", 1)[0] or name_of_file) if is_list else LABEL
            read.append((file, {"n_features": n_features, **answers, "name": name_of_file, "label": label}))
        return Results.from_files(read)
    return Results({name or LABEL: Selections.of(selections, None, n_features)})


def _is_file(source):
    return isinstance(source, (str, Path, bytes, bytearray)) or hasattr(source, "read")


def _check_frequencies(source, name, plan, n_features, n_runs, rule, answers) -> Check:
    """The check of a table of selection frequencies. The runs are unknown, so the stability has no interval."""
    if not _is_file(source):
        raise InputError("n_runs is for a file of selection frequencies. The runs themselves are counted, so leave it out.")
    read = read_frequencies(source, name, n_runs=n_runs, n_features=n_features, **answers)
    estimate = stability_from_frequencies(read.shares, read.n_runs)
    row = _stability_row(LABEL, estimate, len(read.features), float(read.shares.sum()), plan)
    selected = np.flatnonzero(read.shares)
    order = selected[np.argsort(-read.shares[selected], kind="stable")]
    frequency = read.shares[order]
    low, high = frequency_interval(frequency, read.n_runs)
    table = pd.DataFrame(
        {
            "selector": LABEL,
            "feature": [read.features[f] for f in order],
            "in_panel": frequency >= rule.value - 1e-9,
            "frequency": frequency,
            "low": low,
            "high": high,
        }
    )
    of = _format_n_features(len(read.features), n_features is None and len(selected) == len(read.features))
    first = (
        f"We computed the stability of feature selection from selection frequencies over {counted(read.n_runs, 'run')}, which "
        f"selected on average {row['mean_size']:.1f} of {of}."
    )
    return _make_check([row], [table], rule, {LABEL: _method_sentences(first, estimate, row, table, rule)}, plan, list(read.notes))


def _make_check(rows, panels, rule, sentences, plan, notes) -> Check:
    return Check(
        pd.DataFrame(rows, columns=list(COLUMNS)),
        pd.concat([table[list(PANEL)] for table in panels], ignore_index=True),
        rule.value,
        sentences,
        NO_PLAN if plan is None else ABOUT_FLOOR,
        notes,
    )


def _stability_row(label, estimate: Estimate, n_features, mean_size, plan):
    floor = np.nan
    if plan is not None:
        plan_of_runs = plan_for_runs(plan, estimate.n_runs)
        floor = float(noise_floor(plan_of_runs, mean_size, n_features)) if 1 <= mean_size < n_features else np.nan
    note = estimate.reason or " ".join(estimate.warnings)
    values = (label, estimate.value, estimate.low, estimate.high, estimate.n_runs, n_features, mean_size, floor, note)
    return dict(zip(COLUMNS, values, strict=True))


# ---- the three sentences ----


def _format_n_features(n, all_selected):
    return f"the {n:,} features that any run selected" if all_selected else f"{n:,} features"


def _method_sentences(first, estimate, row, table, rule):
    """Sentences on the runs, on the stability and its noise floor, and on the panel."""
    words = format_with_interval(estimate.value, estimate.low, estimate.high, estimate.level)
    words += ", without an interval" * bool(np.isnan(estimate.low))
    words = f"undefined, because {estimate.reason}" if estimate.reason else words
    floor = row["noise_floor"]
    computed = f"the noise floor is {floor:.2f} (closed form, independent features)"
    floor = "the noise floor was not computed" if np.isnan(floor) else computed
    second = f"Stability (Nogueira et al. 2018, where 0 is chance and 1 is perfect agreement) was {words}, and {floor}."
    members = table[table["in_panel"]]
    names = [
        f"{feature} ({frequency:.0%}, 95% CI {low:.0%} to {high:.0%})"
        for feature, frequency, low, high in members[["feature", "frequency", "low", "high"]].to_numpy()
    ]
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    reached = f"{counted(len(names), 'feature')} reached a selection frequency of {rule.value:.0%}"
    return first, second, f"{reached}{': ' * bool(names)}{', '.join(names[:MAX_NAMED])}{more}."
