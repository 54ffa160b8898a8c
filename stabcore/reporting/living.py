"""The interactive part of a report: all that its controls may ask for, computed beforehand, as JSON that living.js looks up.

Every value is that of the screens: curves of analysis.whatif and analysis.stability_profile, panels of analysis.panel, sentences of
plots. The script chooses among them and computes none.
"""

from dataclasses import dataclass, field
from math import isfinite

import numpy as np
import pandas as pd

from stabcore.analysis.noise_floors import LEVEL, shuffled_runs
from stabcore.analysis.panel import SELECTOR_PREFIX, default_sizes, joint_false_selections, panel_at_threshold, panel_by_rule
from stabcore.analysis.panel_paths import panel_paths
from stabcore.analysis.whatif.thresholds import CorrelationBins, can_afford_intervals, doubtful_thresholds
from stabcore.base.text import counted
from stabcore.inference.error_bounds import UNIMODAL
from stabcore.inference.panel_rule import AT_MOST, FREQUENCY, SHARE, PanelRule
from stabcore.plots.estimates import format_number
from stabcore.plots.importance_map import finding_importance_map, frame_importance_map
from stabcore.plots.names import selector_rows, shorten_distinctly
from stabcore.plots.noise_floor import finding_beyond, format_compared_runs, result_beyond
from stabcore.plots.panel import MAX_SHOWN, describe_false_features, finding_by_rule
from stabcore.plots.profiles import describe_above_floor, frame_profiles, size_axis
from stabcore.plots.selection_grid import finding_grid
from stabcore.plots.selection_map import selection_maps
from stabcore.plots.small_multiples import MAX_FACETS, axis_range
from stabcore.plots.thresholds import (
    describe_doubtful,
    describe_leading,
    frame_leading,
    frame_thresholds,
    readable_threshold,
    similar_pair_counts,
)
from stabcore.similarity.scenario import Scenario
from stabcore.similarity.similarity import Similarity, smallest_value_rounding_to

THRESHOLDS = np.arange(101) / 100  # thresholds of |ρ|
FREQUENCIES = np.arange(25, 101, 5) / 100  # thresholds of a panel
ERROR_LIMITS = {AT_MOST: (0.1, 0.5, 1, 2, 3, 5, 10, 20), SHARE: (0.01, 0.05, 0.1, 0.2, 0.3, 0.5)}
MAX_SIZES = 4  # numbers of features per run, without that of the study
MAX_PAIRS = 20_000  # pairs of correlated features that are listed, the strongest
CURVE_COLUMNS = ("value", "low", "high", "floor", "floor_low", "floor_high")
ALL_SELECTORS = "Mean of all selectors"
MAX_GROUPS = 12  # groups that can be switched, the largest
MAX_RUNS, MAX_FEATURES = 100, 40  # largest numbers of runs and features of a map


@dataclass(eq=False)
class FeatureNumbers:
    """The features that a file names, numbered as they come."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """Return the number of a feature."""
        return self.numbers.setdefault(name, len(self.numbers))


def interactive_values(subject, scenarios=None) -> dict:
    """Return all values of the interactive part of a report, and `left_out`: sentences on omitted values.

    scenarios: {name: C} of others that a reader can choose.
    """
    names, labels, sizes = FeatureNumbers(), shown_selectors(subject), shown_sizes(subject)
    left_out: list[str] = []
    if len(labels) < len(subject.labels):
        left_out.append(f"Of {len(subject.labels)} selectors, the {len(labels)} farthest beyond the noise floor are shown.")
    parts = {
        "panel": _panels(subject, labels, sizes, names),
        "thresholds": _thresholds(subject, labels, sizes, names, left_out),
        "profile": _profile(subject, labels, sizes),
        "scenarios": _scenarios(subject, labels, scenarios or {}, left_out),
        "maps": _maps(subject, labels, names, left_out),
    }
    features = list(names.numbers)
    return {
        "features": features,
        "short": shorten_distinctly(features),
        "selectors": labels,
        "selector_names": selector_rows(labels),
        "sizes": [_size_label(subject, k) for k in sizes],
        "size": sizes.index(None),
        "of": "of the study" if subject.is_study else "as uploaded",
        "compared": format_compared_runs(subject.compared),
        "judged": subject.judged,
        **{name: part for name, part in parts.items() if part},
        "left_out": left_out,
    }


def shown_selectors(subject) -> list[str]:
    """Return the selectors that are shown one by one: all, or the MAX_FACETS farthest beyond the noise floor, in their order."""
    farthest = [label for label in dict.fromkeys(subject.beyond["selector"]) if label in subject.labels][:MAX_FACETS]
    return [label for label in subject.labels if label in farthest]


def shown_sizes(subject) -> list[int | None]:
    """Return the numbers of features per run on offer, rising. None is that of the study, the only one where runs do not rank."""
    result, usual = subject.result, _usual_size(subject)
    if not all(result.can_rank(label) and result.longest([label]) for label in subject.labels):
        return [None]
    others = [int(k) for k in default_sizes(result, subject.labels) if k != usual]
    some = np.linspace(0, len(others) - 1, MAX_SIZES if others else 0).round().astype(int)
    chosen = [others[i] for i in np.unique(some)]
    place = sum(k < usual for k in chosen)
    return [*chosen[:place], None, *chosen[place:]]


def _usual_size(subject):
    """The number of features per run of the study, or the mean one of uploaded runs."""
    sizes = [subject.result.selections(label).sizes.mean() for label in subject.labels]
    return subject.result.n_selected or round(np.mean(sizes))


def _size_label(subject, k):
    """The label of a number of features per run."""
    if k is not None:
        return f"{k:,}"
    return f"{subject.result.n_selected:,} (as in the study)" if subject.is_study else "as uploaded"


def _numbers(values):
    """Numbers with four decimals, null where undefined."""
    return [round(float(value), 4) if isfinite(value) else None for value in values]


def _curves(frame, x):
    """{selector: its columns}, from a frame of curves with their noise floors. text: the part beyond the floor, in words."""
    beyond = frame["value"] - frame["floor"]
    table = frame.assign(
        beyond=beyond,
        clear=frame["p"] <= LEVEL,
        text=["" if np.isnan(number) else format_number(number, sign=True) for number in beyond],
    )
    return {
        str(label): {
            **{name: _numbers(rows[name]) for name in (x, *CURVE_COLUMNS)},
            "clear": rows["clear"].astype(int).tolist(),
            "text": rows["text"].tolist(),
        }
        for label, rows in table.groupby("selector", sort=False)
    }


# ---- the correlation threshold ----


def _thresholds(subject, labels, sizes, names, left_out):
    """Curves over the threshold for each size, what leads at each step, and the pairs that enter. None without a table."""
    data = subject.data_with_directions
    if data is None or tuple(data.features) != tuple(subject.compared.features):
        return None
    scenario = subject.scenario
    if scenario is None or scenario.base != "correlation":
        scenario = Scenario(base="correlation")
    bins = CorrelationBins.of(data, scenario.method, np.union1d(THRESHOLDS, scenario.threshold), scenario.binary)
    steps = bins.thresholds
    runs = [subject.compared.selections(label, k) for label in labels for k in sizes]
    bins.blocks(np.flatnonzero(np.any([of.counts > 0 for of in runs], axis=0)))  # once for all sizes, each of which has a part
    quick = all(can_afford_intervals({label: subject.compared.selections(label, k) for label in labels}) for k in sizes)
    if not quick:
        left_out.append("Curves over the threshold have no intervals, which take too long with so many features.")
    curves = [_curves_at_size(subject, labels, bins, k, quick) for k in sizes]
    doubt = doubtful_thresholds({label: subject.compared.selections(label) for label in labels}, bins)
    start = readable_threshold(doubt, scenario.threshold)
    entering, fewest = _entering_pairs(data, scenario.method, bins, names)
    if fewest > 0:
        left_out.append(f"Pairs are listed from |ρ| ≥ {fewest:.2f}. Below it there are more than {MAX_PAIRS:,}.")
    frames, usual = [frame for frame, _ in curves], curves[sizes.index(None)][0]
    return {
        "at": _numbers(steps),
        "chosen": int(np.abs(steps - scenario.threshold).argmin()),
        "start": start,
        "doubt": describe_doubtful(doubt),
        "range": _numbers(axis_range(usual[usual["threshold"] >= start - 1e-9])),
        "curves": [_curves(frame, "threshold") for frame in frames],
        "findings": [findings for _, findings in curves],
        "entering": entering,
        "listed": int(np.searchsorted(steps, fewest)),
    }


def _curves_at_size(subject, labels, bins, k, quick):
    """(curves of all selectors with k features per run, the sentence at each threshold)."""
    runs = {label: subject.compared.selections(label, k) for label in labels}
    shuffled, share = shuffled_runs(subject.compared, labels, k)
    frame = frame_thresholds(runs, bins, shuffled, share, 0.95 if quick else None)
    lead = frame_leading(runs, frame, bins) if shuffled and quick else None
    by_step = dict(iter(frame.groupby("threshold", sort=False)))
    leading = {} if lead is None else dict(iter(lead.groupby("threshold", sort=False)))
    pairs = similar_pair_counts(bins, bins.thresholds) if bins.binary else {}
    return frame, [describe_leading(step, pairs.get(step), by_step[step], leading.get(step)) for step in bins.thresholds]


def _entering_pairs(data, method, bins, names):
    """([[feature, feature, |ρ|], …] of the pairs that enter at each threshold, the lowest threshold with such a list)."""
    steps = bins.thresholds
    first = int(np.argmax(np.append(bins.amount[:-1] <= MAX_PAIRS, True)))
    table = Similarity.from_correlation(data, method, float(steps[first]), binary=False).pairs(MAX_PAIRS)
    step = np.searchsorted(smallest_value_rounding_to(steps), table["value"], side="right") - 1
    if table.attrs["total"] > len(table):  # one step has too many pairs, as with equal columns
        first = int(step.min()) + 1
    entering: list[list] = [[] for _ in steps]
    ends = zip(table["feature_a"], table["feature_b"], _numbers(table["value"]), strict=True)
    for place, (a, b, rho) in zip(step, ends, strict=True):
        if place >= first:
            entering[place].append([names.number(a), names.number(b), rho])
    return entering, float(steps[min(first, len(steps) - 1)])


# ---- the number of features ----


def _profile(subject, labels, sizes):
    """Stability at every number of features, of the selectors that rank. None where none does."""
    result = subject.result
    labels = [label for label in labels if result.can_rank(label) and result.longest([label])]
    if not labels or len(sizes) < 2:
        return None
    ks = [_usual_size(subject) if k is None else k for k in sizes]
    all_sizes = np.union1d(default_sizes(result, labels), ks)
    shuffled, share = shuffled_runs(subject.compared, labels)
    runs = {label: subject.compared.selections(label) for label in labels}
    frame = frame_profiles(runs, "nogueira", None, shuffled, share, sizes=all_sizes)
    axis, (lowest, highest) = size_axis(frame), axis_range(frame)
    return {
        "k": ks,
        "range": _numbers([lowest, max(highest, min(frame["high"].max(), 1.03))]),
        "ticks": list(axis.ticks),
        "log": axis.log,
        "curves": _curves(frame, "k"),
        "findings": [describe_above_floor(frame, k) for k in ks],
    }


# ---- the panel ----


def _panels(subject, shown, sizes, names):
    """The panel of all selectors together and of each, for each size and threshold, and for limits on false features."""
    whose = [subject.labels, *([label] for label in shown if len(subject.labels) > 1)]
    shares = np.union1d(FREQUENCIES, subject.threshold)
    paths = [panel_paths(subject.result, labels).path for labels in whose]
    return {
        "whose": [ALL_SELECTORS if len(labels) > 1 else labels[0] for labels in whose],
        "shares": _numbers(shares),
        "chosen": int(np.searchsorted(shares, subject.threshold)),
        "tables": [
            [_panel(subject.result, labels, path, k, shares, names) for k in sizes]
            for labels, path in zip(whose, paths, strict=True)
        ],
        "targets": [_panels_by_limit(subject, labels, path, names) for labels, path in zip(whose, paths, strict=True)],
        "kind": subject.rule.kind,
        "value": subject.rule.value,
    }


def _panel(result, labels, path, k, shares, names):
    """One panel: its rows, and at each threshold its size, its sentence and the expected false selections."""
    shuffled = _shuffled_frequencies(result, labels, k)
    table = panel_by_rule(result, PanelRule(), labels, path, k, shuffled=shuffled)
    by_share = [_panel_at_threshold(result, labels, k, table, share, shuffled) for share in shares]
    return _panel_rows(labels, table, shuffled, names) | {"at": by_share}


def _shuffled_frequencies(result, labels, k=None):
    """(S, d) frequencies in each shuffle, from which all parts of a panel are made. No row without a permutation control."""
    return result.shuffled_frequencies(labels, k) if result.has_control else np.zeros((0, len(result.features)))


def _panel_rows(labels, table, shuffled, names):
    """The first rows of a panel, the frequencies of the others, and that of the most frequent feature of each shuffle."""
    rows = table.head(MAX_SHOWN)
    return {
        "feature": [names.number(name) for name in rows["feature"]],
        **{name: _numbers(rows[name]) for name in ("frequency", "low", "high", "shuffled")},
        "each": [_numbers(rows[f"{SELECTOR_PREFIX}{label}"]) for label in labels[:MAX_FACETS]] if len(labels) > 1 else [],
        "others": _numbers(np.unique(table["frequency"][MAX_SHOWN:])),  # equal ones are one tick
        "more": max(len(table) - MAX_SHOWN, 0),
        "luckiest": _numbers(shuffled.max(axis=1)),
    }


def _panel_at_threshold(result, labels, k, table, share, shuffled):
    rule, now = PanelRule(FREQUENCY, float(share)), panel_at_threshold(table, share)
    false = joint_false_selections(result, labels, rule, k, shuffled, bounds=(UNIMODAL,))
    unknown = np.isnan(false["pfer_bound"])
    return {
        "size": int(now["in_panel"].sum()),
        "finding": finding_by_rule(now, rule, false, result.given),
        "false": false["reason"] if unknown else describe_false_features(false),
        "approval": now["approval"].head(MAX_SHOWN).tolist() if len(labels) > 1 else [],
    }


def _panels_by_limit(subject, labels, path, names):
    """The panel under each limit on false features, for each kind of limit. [] where paths decide nothing."""
    if path is None:
        return []
    targets, features = [], np.array(subject.result.features, dtype=object)
    shuffled = _shuffled_frequencies(subject.result, labels)
    for kind, values in ERROR_LIMITS.items():
        asked = {subject.rule.value} if subject.rule.kind == kind else set()
        rules = [PanelRule(kind, value) for value in sorted({*values, *asked})]
        table, limits = panel_by_rule(subject.result, rules[-1], labels, path, shuffled=shuffled), []
        for rule in rules:
            now = table.assign(in_panel=table["feature"].isin(features[rule.admits(path.scores, path)]))
            members = [names.number(name) for name in now.loc[now["in_panel"], "feature"]]
            finding = finding_by_rule(now, rule, given=subject.result.given)
            limits.append({"value": rule.value, "words": rule.description(), "members": members, "finding": finding})
        targets.append({"kind": kind, "table": _panel_rows(labels, table, shuffled, names), "limits": limits})
    return targets


# ---- scenarios and groups ----


def _scenarios(subject, labels, others, left_out):
    """Stability and noise floor of each selector under each similarity on offer, None where no features are ever similar."""
    features = subject.compared.features
    offered = {"No similar features": Similarity.identity(len(features), features)}
    if subject.similarity.n_related:
        offered["As in this report"] = subject.similarity
    offered |= others | _group_scenarios(subject, left_out)
    if len(offered) < 2:
        return None
    result = subject.compared
    frames = {name: result_beyond(result, "effective", C) for name, C in offered.items()}
    frames = {name: frame[frame["selector"].isin(labels)] for name, frame in frames.items()}
    return {
        "names": list(frames),
        "chosen": list(frames).index("As in this report") if "As in this report" in frames else 0,
        "pairs": [counted(C.n_related, "similar pair") for C in offered.values()],
        "range": _numbers(axis_range(pd.concat(frames.values()))),
        "each": [
            {
                "selector": [labels.index(label) for label in frame["selector"]],
                **{name: _numbers(frame[name]) for name in CURVE_COLUMNS},
                "clear": frame["clear"].astype(int).tolist(),
                "text": ["" if np.isnan(number) else format_number(number, sign=True) for number in frame["beyond"]],
                "finding": finding_beyond(frame, subject.compared),
            }
            for frame in frames.values()
        ],
    }


def _group_scenarios(subject, left_out):
    """{words: C} of all groups, of each alone and of all but it."""
    groups = subject.scenario.groups if subject.scenario else {}
    C = Similarity.from_groups(groups, names=subject.result.features) if groups else subject.similarity
    if C.labels is None or not C.group_names:
        return {}
    order = np.argsort(-C.group_sizes, kind="stable")
    names = [C.group_names[i] for i in order[:MAX_GROUPS]]
    if len(order) > MAX_GROUPS:
        left_out.append(f"Of {len(order)} groups, the {MAX_GROUPS} largest can be switched.")
    switched = {"All groups": C}
    for name in names if len(C.group_names) > 1 else ():
        switched[f"Only the group {name}"] = C.with_groups([name])
        switched[f"All groups without {name}"] = C.with_groups([other for other in C.group_names if other != name])
    return switched


# ---- maps ----


def _maps(subject, labels, names, left_out):
    """The selection grid and the importance map of each selector, with the number of features of the study."""
    result = subject.result
    if any(result.selections(label).n_runs > MAX_RUNS for label in labels):
        left_out.append(f"The maps show the first {MAX_RUNS} runs.")
    return [_map(result, label, names) for label in labels]


def _map(result, label, names):
    runs, numbers = result.selections(label), result.run_numbers(label)
    if runs.n_runs > MAX_RUNS:
        runs, numbers = runs.take(range(MAX_RUNS)), numbers[:MAX_RUNS]
    grid = selection_maps([runs], None, "frequency", runs=[numbers])[0]
    shown, bars = grid.slice_columns(1, MAX_FEATURES), frame_importance_map(grid, MAX_FEATURES)
    weights = None if shown.weights is None else shown.weights.T
    return {
        "runs": [int(number) for number in grid.runs],
        "feature": [names.number(name) for name in shown.columns["feature"]],
        "frequency": _numbers(shown.columns["frequency"]),
        "others": len(grid.columns) - len(shown.columns),
        "selected": [np.flatnonzero(row).tolist() for row in shown.counts.T],
        "importance": [] if weights is None else [_numbers(row[count > 0]) for row, count in zip(weights, shown.counts.T)],
        "grid": finding_grid(grid, runs.n_features),
        "segments": {
            "run": bars["run"].tolist(),
            "feature": [names.number(name) if place else -1 for name, place in zip(bars["feature"], bars["position"])],
            **{name: _numbers(bars[name]) for name in ("start", "width", "share")},
        },
        "importances": finding_importance_map(bars),
    }
