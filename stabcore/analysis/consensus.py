"""Consensus of several selectors: ranks and votes, features shared by panels, and repeated sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from stabcore.analysis.panel import LEVEL, THRESHOLD, frequency_interval, panel
from stabcore.analysis.runs_asked import chosen_selectors
from stabcore.base.public import public
from stabcore.inference.panel_rule import PanelRule
from stabcore.study.results import AnyResult, Results


@public
def consensus(
    result: AnyResult, threshold: float = THRESHOLD, k: int | None = None, selectors: Sequence[str] | None = None
) -> pd.DataFrame:
    """DataFrame, one row per feature in Borda order: the consensus of all selectors.

    borda, borda_low, borda_high: mean over selectors and runs of 1 − (rank − 1)/(d − 1): 1 always first, 0 last or not ranked.
    Interval by the jackknife over units of runs (Student's t), NaN where the runs never differ. approval, approval_low,
    approval_high: number of selectors whose frequency is at least the threshold, or whose lower or upper limit of the frequency is
    (see panel). frequency, frequency_low, frequency_high: share of the runs, mean over the selectors, with the same interval as
    borda.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    threshold : float, optional
        Smallest selection frequency for approval, 0 to 1.
    k : int, optional
        As if every run selected its k best.
    selectors : list of str, optional
        Labels, by default all finished ones but baselines. Selectors that do not rank take no part in Borda.

    Raises
    ------
    InputError
        For a threshold outside 0 … 1 or an unknown label.

    References
    ----------
    Source: Borda 1781; approval voting as in Brams & Fishburn 1978.

    Examples
    --------
    >>> list(sc.consensus(result))[:3]
    ['feature', 'borda', 'borda_low']
    """
    result = Results.of(result)
    labels = chosen_selectors(result, selectors)
    table = panel(result, threshold, k, selectors=labels, with_substitutes=False)
    number = {name: i for i, name in enumerate(result.features)}
    index = np.array([number[name] for name in table["feature"]], dtype=int)
    runs_of = [result.selections(label, k) for label in labels]
    points = [_borda_points(runs, index) for runs in runs_of if runs.ranks is not None or runs.scores is not None]
    mean, half = _mean_points(points) if points else np.full((2, len(index)), np.nan)
    frequency, half_width = _mean_points([(runs.selection_matrix[:, index].toarray(), _units(runs)) for runs in runs_of])
    votes = {"low": np.zeros(len(index), dtype=int), "high": np.zeros(len(index), dtype=int)}
    for runs in runs_of:
        share = runs.frequencies[index]
        for end, value in zip(votes, frequency_interval(share, runs.n_runs), strict=True):
            votes[end] += (value >= threshold - 1e-9) & (share > 0)
    table_of_all = pd.DataFrame(
        {
            "feature": table["feature"],
            "borda": mean,
            "borda_low": np.clip(mean - half, 0, 1),
            "borda_high": np.clip(mean + half, 0, 1),
            "approval": table["approval"],
            "approval_low": votes["low"],
            "approval_high": votes["high"],
            "selectors": len(labels),
            "frequency": table["frequency"],
            "frequency_low": np.clip(frequency - half_width, 0, 1),
            "frequency_high": np.clip(frequency + half_width, 0, 1),
        }
    )
    return table_of_all.sort_values(["borda", "frequency"], ascending=False, kind="stable", ignore_index=True)


def shared_panels(result, threshold=THRESHOLD, k=None, similarity=None):
    """DataFrame(selectors, n_selectors, features, size): features by the selectors whose panels contain them, most selectors first.

    selectors: tuple of labels. features: tuple of names in exactly these panels. With groups that count as one, a group is
    in a panel if any of its members is, under the name of the group.
    """
    PanelRule(value=threshold)  # raises InputError unless it is a share
    members: dict[str, dict[str, None]] = {}
    labels = chosen_selectors(result)
    for label in labels:
        runs = result.selections(label, k)
        for f in np.flatnonzero(runs.frequencies >= threshold - 1e-9):
            grouped = similarity is not None and similarity.labels is not None and similarity.labels[f] >= 0
            name = similarity.group_names[similarity.labels[f]] if grouped else result.features[f]
            members.setdefault(name, {})[label] = None
    shared: dict[tuple[str, ...], list[str]] = {}
    for name, labels_of in members.items():
        shared.setdefault(tuple(label for label in labels if label in labels_of), []).append(name)
    rows = [(labels_of, len(labels_of), tuple(names), len(names)) for labels_of, names in shared.items()]
    rows.sort(key=lambda row: (-row[1], -row[3], row[0]))
    return pd.DataFrame(rows, columns=["selectors", "n_selectors", "features", "size"])


def identical_sets(result, k=None):
    """DataFrame, one row per selector: repetitions of identical sets.

    runs: M. different: number of different sets. most_often: number of runs with the most frequent set.
    Source: the model inclusion frequencies of Heinze, Wallisch & Dunkler 2018, Biometrical Journal 60:431-449.
    """
    rows = []
    for label in chosen_selectors(result):
        runs = result.selections(label, k)
        Z = runs.selection_matrix
        sets = Counter(Z.indices[Z.indptr[i] : Z.indptr[i + 1]].tobytes() for i in range(runs.n_runs))
        rows.append([label, runs.n_runs, len(sets), max(sets.values())])
    return pd.DataFrame(rows, columns=["selector", "runs", "different", "most_often"])


def _mean_points(points):
    """((F,) mean, (F,) half-width of the jackknife interval) of [((M, F) points of features, (M,) unit of each run)]."""
    from scipy.stats import t

    mean = np.mean([selected.mean(axis=0) for selected, _ in points], axis=0)
    units = points[0][1]
    if any(len(other) != len(units) or (other != units).any() for _, other in points):
        return mean, np.full(len(mean), np.nan)  # different runs in each, so they are not paired
    together = np.mean([selected for selected, _ in points], axis=0)
    runs_of_unit = np.bincount(units)
    each = np.stack([np.bincount(units, column) for column in together.T], axis=1) / runs_of_unit[:, None]
    error = each.std(axis=0, ddof=1) / np.sqrt(len(runs_of_unit))
    return mean, np.where(error > 1e-12, t.ppf((1 + LEVEL) / 2, len(runs_of_unit) - 1) * error, np.nan)


def _borda_points(runs, index):
    """((M, F) points of some features in every run, (M,) the unit of each run)."""
    ranks = runs.ranking()[:, index]
    points = 1 - (ranks - 1) / max(runs.n_features - 1, 1)
    return np.where(np.isnan(ranks), 0.0, points), _units(runs)


def _units(runs):
    return np.arange(runs.n_runs) if runs.units is None else runs.units
