"""The panel: the final features of a result, their uncertainty, and expected false selections."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from stabcore.analysis.noise_floors import floor_frequencies
from stabcore.analysis.panel_paths import panel_paths
from stabcore.analysis.runs_asked import chosen_selectors
from stabcore.analysis.substitutes import substitutes
from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import quote, suggest_name
from stabcore.base.validation import number_list
from stabcore.data.dataset import Dataset
from stabcore.inference.error_bounds import BOUNDS, UNIMODAL, bound_with_source, pfer_bound
from stabcore.inference.panel_rule import FREQUENCY, THRESHOLD, PanelRule
from stabcore.inference.path_selection import PathSelection
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import AnyResult, Results

LEVEL = 0.95
NEAR_CERTAIN = 0.02  # an end of an interval so near to every run is put there
FALSE_COLUMNS = ("panel_size", "q", *BOUNDS, "shuffled", "pfer_bound", "basis", "reason")
ONE_SELECTOR_ONLY = "The bounds on false selections hold for the panel of one selector."
SELECTOR_PREFIX = "in "  # precedes the label of a selector in names of columns


@public
def panel(
    result: AnyResult,
    threshold: float | None = None,
    k: int | None = None,
    similarity: Similarity | None = None,
    selectors: Sequence[str] | None = None,
    with_substitutes: bool = True,
    data: Dataset | None = None,
    *,
    max_false: float | None = None,
    fdr: float | None = None,
) -> pd.DataFrame:
    """DataFrame, one row per feature that any run selected or that is in the panel, the most frequent first.

    Under a limit on false features, the first are those with the fewest expected false features.

    Frequencies are means over the selectors, by default all of the result, so another selector changes the panel. For the panel
    of one selector use selectors=["lasso"]. `panel.attrs["selectors"]` names them.

    feature             its name
    in_panel            whether it is in the panel: its frequency is at least the threshold, or its expected_false at most
                        max_false, or its q_value at most fdr
    frequency           share of the runs that select it, mean over the selectors
    low, high           limits of the frequency in further runs on this table, see frequency_interval. They use M of one selector,
                        so the interval is conservative for several
    approval, selectors number of selectors that would each keep it in the panel, and number of selectors
    expected_false      bound on the expected number of false features among those that are at least as stable
    q_value             the smallest share of expected false features in any panel that contains it. Both use the paths of the
                        rankings of complementary pairs, for any k, see inference.path_selection. NaN for other plans
    rank                mean over the selectors of its median rank (1 = best, d where a run does not rank it). NaN without ranks
    any_related         share of the runs that select it or a similar feature (C > 0), mean over the selectors
    group               name of its group in the similarity, "" for none
    shuffled            its frequency with the outcome shuffled, mean over shuffles and selectors, NaN without a permutation control
    line                the largest frequency of any feature in any shuffle, mean over the selectors, NaN without a permutation
                        control
    clear               whether it is in the panel and its interval lies above the line
    substitutes         those of a feature of the panel, clearest first (see analysis.substitutes), "" without any, left
                        out by with_substitutes=False
    missingness         a description of its missing cells if they differ by class, only with data
    in <selector>       its frequency there, one column per selector

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    threshold : float, optional
        Smallest share of the runs. Without threshold, max_false and fdr, the rule is that of the settings of the study, else 0.75.
    k : int, optional
        As if every run selected its k best.
    similarity : Similarity, optional
        C, or None.
    selectors : list of str, optional
        Labels, by default all finished ones but baselines.
    with_substitutes : bool, optional
        Whether to list substitutes.
    data : Dataset, optional
        The table.
    max_false, fdr : float, optional
        Instead of a threshold: the largest expected number, or share, of false features.

    Raises
    ------
    InputError
        For two rules, an impossible value, or an unknown label. Also for a limit on false features without complementary pairs or
        rankings.

    References
    ----------
    Source: Meinshausen & Bühlmann 2010, JRSS B 72:417-473 (frequencies), Melikechi & Miller 2025, JASA (paths). The interval has a
    uniform prior.

    Examples
    --------
    >>> sc.panel(result, threshold=0.75, selectors=["mim"]).query("in_panel")["feature"].tolist()[:2]
    ['E_twin', 'E']
    """
    similarity = None if similarity is None else Similarity.of(similarity)
    data = None if data is None else Dataset.of(data)
    result = Results.of(result)
    rule = panel_rule(result, threshold, max_false, fdr)
    labels = chosen_selectors(result, selectors)
    table = panel_by_rule(result, rule, labels, _path(result, labels, rule), k, similarity)
    shares = list(table.columns).index(f"{SELECTOR_PREFIX}{labels[0]}")
    if data is not None:
        table.insert(shares, "missingness", [data.missingness.get(name, "") for name in table["feature"]])
    if with_substitutes:
        names = _substitute_names(result, table, k, similarity, labels)
        table.insert(list(table.columns).index(f"{SELECTOR_PREFIX}{labels[0]}"), "substitutes", names)
    table.attrs["selectors"] = list(labels)
    return table


def panel_by_rule(
    result: AnyResult,
    rule: PanelRule,
    labels: Sequence[str],
    path: PathSelection | None,
    k: int | None = None,
    similarity: Similarity | None = None,
    shuffled: np.ndarray | None = None,
) -> pd.DataFrame:
    """The columns of `panel` that need no table and no substitutes, for a caller that asks for several k or rules.

    path: of panel_paths(result, labels), which does not depend on k. shuffled: as in `joint_false_selections`.
    """
    runs = [result.selections(label, k) for label in labels]
    each = np.stack([run.frequencies for run in runs])
    admitted = rule.admits(each.mean(axis=0), path)
    selected = np.flatnonzero(each.any(axis=0) | admitted) if rule.is_target else np.flatnonzero(each.any(axis=0))
    frequency, n_runs = each[:, selected].mean(axis=0), np.mean([selections.n_runs for selections in runs])
    low, high = frequency_interval(frequency, n_runs)
    floor, luckiest = floor_frequencies(result, labels, k, shuffled)
    table = pd.DataFrame(
        {
            "feature": [result.features[f] for f in selected],
            "in_panel": False,
            "frequency": frequency,
            "low": low,
            "high": high,
            "approval": 0,
            "selectors": len(labels),
            "expected_false": np.nan if path is None else path.expected_false[selected],
            "q_value": np.nan if path is None else path.q_values[selected],
            "rank": np.mean([_median_ranks(runs_, selected) for runs_ in runs], axis=0),
            "any_related": np.mean([related_frequencies(runs_, similarity, selected) for runs_ in runs], axis=0),
            "group": _groups(similarity, selected),
            "shuffled": floor[selected] if len(floor) else np.nan,
            "line": luckiest.max() if len(luckiest) else np.nan,
            "clear": False,
        }
    )
    table = table.assign(**{f"{SELECTOR_PREFIX}{label}": row[selected] for label, row in zip(labels, each, strict=True)})
    if rule.is_target:
        in_panel = admitted[selected]
        alone = [in_panel]
        if len(labels) > 1:
            alone = [rule.admits(row, _path(result, [label], rule))[selected] for label, row in zip(labels, each, strict=True)]
        table = table.assign(in_panel=in_panel, clear=in_panel & (table["low"] > table["line"]), approval=np.sum(alone, axis=0))
    else:
        table = panel_at_threshold(table, rule.value)
    first = ["expected_false"] * rule.is_target
    ascending = [*[True] * rule.is_target, False, True]
    return table.sort_values([*first, "frequency", "rank"], ascending=ascending, kind="stable", ignore_index=True)


def _groups(similarity, features):
    if similarity is None or similarity.labels is None:
        return ""
    return [similarity.group_names[group] if group >= 0 else "" for group in similarity.labels[features]]


def panel_rule(
    result: AnyResult, threshold: float | None = None, max_false: float | None = None, fdr: float | None = None
) -> PanelRule:
    """The rule of a panel: the one that is asked for, else that of the settings of the study, else a threshold of 0.75."""
    asked = PanelRule.of(threshold=threshold, max_false=max_false, fdr=fdr)
    return asked or PanelRule.from_settings(result.settings) or PanelRule()


def _path(result, labels, rule):
    """The results of paths for the features. None without any, in which case a limit on false features is refused."""
    paths = panel_paths(result, labels)
    if rule.is_target and paths.path is None:
        raise InputError(f"{rule.kind}={rule.value:g} decides nothing here. {paths.reason}")
    return paths.path


def panel_at_threshold(table, threshold) -> pd.DataFrame:
    """The same panel with another threshold, which only affects `in_panel`, `clear` and `approval`."""
    votes = [table[name].to_numpy() >= threshold - 1e-9 for name in table if name.startswith(SELECTOR_PREFIX)]
    frequency, low, line = (table[name].to_numpy() for name in ("frequency", "low", "line"))
    in_panel = frequency >= threshold - 1e-9
    return table.assign(in_panel=in_panel, clear=in_panel & (low > line), approval=np.sum(votes, axis=0))


def frequency_interval(frequency, runs) -> tuple[np.ndarray, np.ndarray]:
    """Return (low, high) of frequencies over some runs: 2.5 and 97.5% of Beta(1 + h, 1 + M − h), h = M · frequency.

    A lower end below 1/M is 0, because features are listed after at least one selection, which overestimates rare ones.
    An upper end above 1 − min(1/M, NEAR_CERTAIN) is 1. With 20 runs or more the interval covers 90 to 100% of frequencies, and 98
    to 99% where halves of a pair depend on each other: tests/benchmarks/bench_panel_truth.py.
    """
    from scipy.special import betaincinv

    h, near = runs * frequency, 1 / runs
    low, high = (betaincinv(1 + h, 1 + runs - h, (1 + side * LEVEL) / 2) for side in (-1, 1))
    return np.where(low < near, 0.0, low), np.where(high > 1 - np.minimum(near, NEAR_CERTAIN), 1.0, high)


def related_frequencies(runs, similarity, index) -> np.ndarray:
    """(len(index),) share of the runs that select each feature or any similar to it (C > 0)."""
    if similarity is None or similarity.n_related == 0:
        return runs.frequencies[index]
    similarity.check_covers(runs)
    selected = np.union1d(index, np.flatnonzero(runs.counts))
    stands_for = similarity.among(selected).times(runs.selection_matrix[:, selected].toarray().T) > 0
    return stands_for.mean(axis=1)[np.searchsorted(selected, index)]


@public
def false_selection_bounds(
    result: AnyResult, threshold: float = THRESHOLD, k: int | None = None, selectors: Sequence[str] | None = None
) -> pd.DataFrame:
    """DataFrame, one row per selector: the size of its panel, and the expected number of false selections.

    panel_size: features selected in at least `threshold` of its runs. q: mean number selected. One column per bound of BOUNDS (see
    inference.error_bounds.pfer_bound), NaN where undefined. shuffled: features that pass the threshold with the outcome shuffled,
    mean over shuffles, NaN without a permutation control. pfer_bound: the number to report. basis: its source, "bound" (unimodal),
    or "shuffled" without a bound or where the shuffles contradict it. reason: why there is no bound. The bounds are theorems about
    complementary halves and selectors that rarely select unrelated features. More features in the shuffles contradict that.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    threshold : float, optional
        A share of the runs, 0 to 1.
    k : int, optional
        As if every run selected its k best.
    selectors : list of str, optional
        Labels, by default all finished ones but baselines.

    Raises
    ------
    InputError
        For a threshold outside 0 … 1 or an unknown label.

    References
    ----------
    Source: Meinshausen & Bühlmann 2010, JRSS B 72:417-473; Shah & Samworth 2013, JRSS B 75:55-80.

    Examples
    --------
    >>> list(sc.false_selection_bounds(result)["selector"])
    ['mim', 'random_forest']
    """
    result = Results.of(result)
    labels = chosen_selectors(result, selectors)
    rows = [{"selector": label, **joint_false_selections(result, [label], threshold, k)} for label in labels]
    return pd.DataFrame(rows, columns=["selector", *FALSE_COLUMNS])


def joint_false_selections(
    result, labels, rule: PanelRule | float = THRESHOLD, k=None, shuffled: np.ndarray | None = None, bounds=tuple(BOUNDS)
) -> dict:
    """{column of FALSE_COLUMNS: value}, as `false_selection_bounds` has it, for a panel of several selectors by mean frequency.

    Several selectors together have no bound, but the shuffles count. rule: a PanelRule, or a threshold. Under a limit on false
    features pfer_bound is the largest expected number in the panel, and basis "paths", or "shuffled" where shuffles raise it.
    shuffled: the result's shuffled_frequencies(labels, k), if a caller that asks at several thresholds has them. bounds: those to
    compute, UNIMODAL among them.
    """
    rule = rule if isinstance(rule, PanelRule) else PanelRule(FREQUENCY, rule)
    if rule.is_target:
        return _false_by_paths(result, labels, rule)
    threshold = rule.value
    runs = [result.selections(label, k) for label in labels]
    q, pairs = float(np.mean([selections.sizes.mean() for selections in runs])), runs[0].n_runs // 2
    reason = no_bound_reason(result, threshold) or (ONE_SELECTOR_ONLY if len(labels) > 1 else "")
    above = (
        reason if threshold > 0.5 else no_bound_reason(result) or (ONE_SELECTOR_ONLY if len(labels) > 1 else "")
    )  # r-concave: also below half
    of_bounds = {bound: np.nan if above else pfer_bound(q, runs[0].n_features, threshold, pairs, bound) for bound in bounds}
    frequency = np.mean([run.frequencies for run in runs], axis=0)
    if shuffled is None:
        shuffled = result.shuffled_frequencies(labels, k) if result.has_control else np.zeros((0, 0))
    counted = float((shuffled >= threshold - 1e-9).sum(axis=1).mean()) if len(shuffled) else np.nan
    expected, basis = bound_with_source(float(of_bounds[UNIMODAL]), counted)
    size = int((frequency >= threshold - 1e-9).sum())
    return {"panel_size": size, "q": q, **of_bounds, "shuffled": counted, "pfer_bound": expected, "basis": basis, "reason": reason}


def _false_by_paths(result, labels, rule):
    paths = panel_paths(result, labels)
    path = _path(result, labels, rule) if paths.path is None else paths.path
    in_panel = rule.admits(path.scores, path)
    nothing = dict.fromkeys(("q", *BOUNDS, "shuffled"), np.nan)
    expected = float(path.expected_false[in_panel].max(initial=0.0))
    return {"panel_size": int(in_panel.sum()), **nothing, "pfer_bound": expected, "basis": paths.basis, "reason": ""}


def no_bound_reason(result, threshold=THRESHOLD) -> str:
    """The reason why the number of false selections of a result has no bound, "" if it has one."""
    if result.plan is None:
        return "The bounds on false selections hold for runs on disjoint halves of the rows. The origin of these runs is unknown."
    if not result.plan.separate_halves:
        return (
            "The bounds on false selections hold for runs on disjoint halves of the rows. These runs share more of their rows, "
            "so a feature can be selected often without signal. Run the study with the plan of complementary halves."
        )
    if not threshold > 0.5:
        return "The bounds on false selections hold for thresholds above half of the runs."
    return ""


def _substitute_names(result, table, k, similarity, labels):
    """[names of the substitutes of each feature of the panel, "" for the others]."""
    names: dict[str, list[str]] = {feature: [] for feature in table.loc[table["in_panel"], "feature"]}
    pairs = substitutes(result, k, similarity, labels)[["feature", "partner"]].to_numpy().tolist() if names else []
    for pair in pairs:
        for feature, partner in (pair, pair[::-1]):
            if feature in names and partner not in names[feature]:
                names[feature].append(partner)
    return [", ".join(names.get(feature, ())) for feature in table["feature"]]


def _median_ranks(runs, index):
    if runs.ranks is None and runs.scores is None:
        return np.full(len(index), np.nan)
    ranks = runs.ranking()[:, index]
    return np.median(np.where(np.isnan(ranks), runs.n_features, ranks), axis=0)


# ---- panels at every number of features and every threshold ----

MAX_SIZES = 40
MAX_COUNTED = 10  # largest number of sizes at which shuffles are counted


@public
def threshold_grid(
    result: AnyResult,
    label: str | Sequence[str],
    sizes: ArrayLike | None = None,
    thresholds: ArrayLike | None = None,
    bound: str = UNIMODAL,
) -> pd.DataFrame:
    """DataFrame(k, threshold, panel_size, false, basis, score), one row per cardinality and threshold, of selectors that rank.

    panel_size: features selected in at least `threshold` of the runs, each selecting its k best, mean over the selectors. false:
    their expected number of false selections, and basis: its source, as in `false_selection_bounds`. score: −log likelihood of the
    numbers of features with H ≥ Mτ, H ≤ M(1 − τ) and between, under H ~ Bin(M, q/d), NaN for τ ≤ ½ and for several selectors. A
    large score shows where stable and unstable features separate, not that they are true.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    label : str or list of str
        The selector, or several.
    sizes : array_like, optional
        Cardinalities, by default up to 40 from 1 to half of the features.
    thresholds : array_like, optional
        0 to 1.
    bound : str, optional
        A key of BOUNDS.

    Raises
    ------
    InputError
        For a selector that does not rank or does not exist.

    References
    ----------
    Source: Bodinier et al. 2023, JRSS C 72:1375-1393.

    Examples
    --------
    >>> list(sc.threshold_grid(result, "mim", sizes=[5], thresholds=[0.75]))
    ['k', 'threshold', 'panel_size', 'false', 'basis', 'score']
    """
    result = Results.of(result)
    labels = chosen_selectors(result, label)
    ks = default_sizes(result, labels) if sizes is None else number_list(sizes, "sizes").astype(int)
    levels = np.round(np.arange(0.5, 1.0001, 0.025), 3) if thresholds is None else number_list(thresholds, "thresholds")
    share, mean_size = frequencies_by_size(result, labels, ks)
    runs = result.selections(labels[0])
    M, d = runs.n_runs, runs.n_features
    panel_size = (share[:, None, :] >= levels[None, :, None] - 1e-9).sum(axis=2)
    bounds = np.full(panel_size.shape, np.nan)
    if len(labels) == 1 and not no_bound_reason(result, 0.75):
        bounds = np.stack([pfer_bound(min(q, d), d, levels, M // 2, bound) for q in mean_size])
    counted = _shuffled_counts(result, labels, ks, levels)
    checked = [bound_with_source(*pair) for pair in zip(bounds.ravel(), counted.ravel(), strict=True)]
    score = np.full(panel_size.shape, np.nan)
    if len(labels) == 1:
        score = np.stack([_calibration_scores(row * M, q / d, M, levels) for row, q in zip(share, mean_size, strict=True)])
    k, threshold = np.meshgrid(ks, levels, indexing="ij")
    grid = pd.DataFrame({"k": k.ravel(), "threshold": threshold.ravel(), "panel_size": panel_size.ravel()})
    return grid.assign(false=[number for number, _ in checked], basis=[basis for _, basis in checked], score=score.ravel())


def _shuffled_counts(result, labels, ks, levels):
    """(K, T) number of features that pass each threshold with the outcome shuffled, mean over shuffles, NaN without shuffles.

    They are counted at MAX_COUNTED of the sizes and that of the study, and interpolated, because counting is slow.
    """
    some = ks[np.unique(np.linspace(0, len(ks) - 1, MAX_COUNTED).round().astype(int))]
    some = np.union1d(some, ks[ks == result.n_selected])
    if not result.has_control:
        return np.full((len(ks), len(levels)), np.nan)
    each = (result.shuffled_frequencies(labels, int(k)) for k in some)  # one at a time, because they can be large
    passing = [(shuffled[:, None] >= levels[:, None] - 1e-9).sum(axis=2) for shuffled in each]
    rows = [counts.mean(axis=0) if len(counts) else levels * np.nan for counts in passing]
    return np.stack([np.interp(ks, some, column) for column in np.transpose(rows)], axis=1)


@public
def stability_paths(
    result: AnyResult,
    label: str | Sequence[str],
    features: Sequence[str] | None = None,
    sizes: ArrayLike | None = None,
    *,
    always: Sequence[str] = (),
) -> pd.DataFrame:
    """DataFrame(feature, k, frequency): the share of the runs that select each feature when every run selects its k best.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    label : str or list of str
        The selector, or several, over which shares are averaged.
    features : list of str, optional
        Names, by default the twenty most often among the first k of any size.
    sizes : array_like, optional
        Cardinalities.
    always : list of str, optional
        Names that are added if they are not among these.

    Raises
    ------
    InputError
        For a selector that does not rank or does not exist, and for unknown names.

    References
    ----------
    Source: Meinshausen & Bühlmann 2010.

    Examples
    --------
    >>> list(sc.stability_paths(result, "mim"))[:3]
    ['feature', 'k', 'frequency']
    """
    result = Results.of(result)
    labels = chosen_selectors(result, label)
    ks = default_sizes(result, labels) if sizes is None else number_list(sizes, "sizes").astype(int)
    share = frequencies_by_size(result, labels, ks)[0]
    if features is None:
        features = [result.features[f] for f in np.argsort(-share.mean(axis=0), kind="stable")[:20]]
    features = list(dict.fromkeys([*features, *always]))
    for name in features:
        if name not in result.features:
            raise InputError(
                f"There is no feature {quote(name)} among the {len(result.features):,} of these runs"
                f"{suggest_name(name, result.features)}."
            )
    frequency = share[:, [result.features.index(name) for name in features]].T.ravel()
    return pd.DataFrame({"feature": np.repeat(features, len(ks)), "k": np.tile(ks, len(features)), "frequency": frequency})


def default_sizes(result, labels) -> np.ndarray:
    """Up to MAX_SIZES numbers from 1 to half of the features, if all rank them, denser for few, and that of the runs."""
    runs = [result.selections(label) for label in labels]
    ranked = min(run.n_ranked for run in runs)
    most = max(1, min(ranked, runs[0].n_features // 2))
    usual = 0 if runs[0].selection is None else round(runs[0].sizes.mean())
    sizes = np.round(np.geomspace(1, most, MAX_SIZES)).astype(int)
    return np.unique([*sizes, usual] if 1 <= usual <= ranked else sizes)


def frequencies_by_size(result, labels, ks):
    """((K, d) share of the runs that select each feature at each cardinality, (K,) mean number selected), means over selectors."""
    along = [_counts_by_size(result, label, ks) for label in labels]
    return np.mean([counts / M for counts, _, M in along], axis=0), np.mean([sizes for _, sizes, _ in along], axis=0)


def _counts_by_size(result, label, ks):
    """((K, d) number of runs that select each feature at each size, (K,) mean number selected, number of runs)."""
    runs = result.selections(label)
    if runs.paths is not None:
        each = [result.selections(label, int(k)) for k in ks]
        return np.stack([some.counts for some in each]), np.array([some.sizes.mean() for some in each]), runs.n_runs
    ranks = runs.ranking()
    steps = np.searchsorted(ks, np.where(np.isnan(ranks), np.inf, ranks))  # the first size at which a run selects a feature
    begun = np.zeros((len(ks) + 1, runs.n_features))
    np.add.at(begun, (steps.ravel(), np.tile(np.arange(runs.n_features), runs.n_runs)), 1)
    counts = np.cumsum(begun[:-1], axis=0)
    return counts, counts.sum(axis=1) / runs.n_runs, runs.n_runs


def _calibration_scores(counts, share, M, thresholds):
    """(T,) −log likelihood under Bin(M, share) of the numbers of features with high, low and medium frequency."""
    from scipy.stats import binom

    upper, lower = np.ceil(M * thresholds - 1e-9), np.floor(M * (1 - thresholds) + 1e-9)
    in_each = np.stack([(counts >= upper[:, None]).sum(axis=1), (counts <= lower[:, None]).sum(axis=1)]).astype(float)
    logs = np.stack([binom.logsf(upper - 1, M, share), binom.logcdf(lower, M, share)])
    between = -np.expm1(np.logaddexp(*logs))
    in_each = np.vstack([in_each, len(counts) - in_each.sum(axis=0)])
    logs = np.vstack([logs, np.log(between, out=np.full(len(between), -np.inf), where=between > 0)])
    scores = -(np.where(in_each > 0, in_each * np.where(np.isfinite(logs), logs, 0), 0)).sum(axis=0)
    return np.where(thresholds > 0.5, scores, np.nan)
