"""Scenarios: every selector under every similarity C, and differences that depend on C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from stabcore.analysis.compare_selectors import LEVEL, stability_pairs
from stabcore.analysis.noise_floors import noise_floors
from stabcore.base.errors import InputError
from stabcore.base.holm import holm
from stabcore.base.public import public
from stabcore.base.text import listed, quote
from stabcore.inference.comparison import compare_beyond_floors, compare_changes, measure_change
from stabcore.inference.noise_floor import COLUMNS
from stabcore.selectors.baseline import is_baseline
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import AnyResult, Results

MEASURE = "effective"
LEAD = ("difference", "low", "high", "p_holm", "note", "ahead")
SHIFT = ("shift", "shift_low", "shift_high", "shift_p")
TURNS, LOST, SHIFTED = "turns round", "only under some", "by how much"
MAYBE, HOLDS, OPEN = "not distinguishable", "holds", "never clear"


@public
def compare_scenarios(
    result: AnyResult, scenarios: Mapping[str, Similarity], *, against: str | None = None, k: int | None = None
) -> pd.DataFrame:
    """DataFrame, one row per selector and scenario: Φ_C with its noise floor, and its change from one scenario.

    value, low, high, note: effective stability with its 95% interval, or the reason for none. floor and the columns from it: as in
    analysis.noise_floors.noise_floors, NaN without a permutation control. change, change_low, change_high, p_value, change_note:
    value less the value under `against`. Units of runs are left out of both together. With a permutation control it is the change
    of the part beyond the floor. It is judged only if the value is clearly above its floor under one of the two. Missing for
    `against`.
    p_holm: with Holm's correction over all selectors and scenarios.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    scenarios : dict
        {name: Similarity}, two or more over its features.
    against : str, optional
        The reference, by default the first.
    k : int, optional
        As if every run had selected its k best.

    Raises
    ------
    InputError
        For fewer than two scenarios or an unknown `against`.

    References
    ----------
    Source: jackknife as in sc.compare. Holm 1979.

    Examples
    --------
    >>> scenarios = {"none": sc.Similarity.identity(50, data.features), "correlation": C}
    >>> sc.compare_scenarios(result, scenarios)[["selector", "scenario"]]
            selector     scenario
    0            mim         none
    1            mim  correlation
    2  random_forest         none
    3  random_forest  correlation
    """
    result = Results.of(result)
    base, computed = _reference_scenario(scenarios, against), _ScenarioFloors(result, scenarios, k)
    rows = []
    for label in result.finished_selectors:
        runs = result.selections(label, k)
        for name, similarity in scenarios.items():
            row = {"selector": label, "scenario": name, **computed.floors[name].loc[label, list(COLUMNS)], "against": base}
            if name != base:
                moved = measure_change(runs, MEASURE, MEASURE, similarity=similarity, similarity_before=scenarios[base])
                moved = computed.beyond(moved, [label], name, base)
                row |= {"change": moved.difference, "change_low": moved.low, "change_high": moved.high}
                row |= {"p_value": moved.p_value, "change_note": moved.reason}
            rows.append(row)
    frame = pd.DataFrame(
        rows, columns=["selector", "scenario", *COLUMNS, "against", "change", "change_low", "change_high", "p_value", "change_note"]
    )
    frame["p_holm"] = holm(frame["p_value"].to_numpy(dtype=float))
    return frame.assign(change_note=frame["change_note"].fillna(""))


@public
def scenario_contrasts(
    result: AnyResult, scenarios: Mapping[str, Similarity], *, against: str | None = None, k: int | None = None
) -> pd.DataFrame:
    """DataFrame, one row per pair of selectors and scenario: the more stable one under each C, and whether it depends on C.

    difference, low, high, p_holm, note: Φ_C of the first − of the second, with Holm's correction over the pairs of the scenario, as
    in sc.compare_selectors. ahead: who is clearly ahead, or "". shift, shift_low, shift_high, shift_p_holm: difference − that under
    `against`, with Holm's correction over all pairs and scenarios. verdict is the same for all rows of a pair.
    "turns round": each is clearly ahead under some C. "only under some": clear under some C, and the difference clearly changes.
    "by how much": only the size clearly changes. "not distinguishable": clear under some C, but no clear change. "holds": clear
    under all. Otherwise "never clear".

    Parameters
    ----------
    result : StudyResult or Results
        As in sc.compare_scenarios. Baselines are left out.
    scenarios : dict
        As in sc.compare_scenarios.
    against : str, optional
        The scenario under which first has the higher Φ_C, or the only defined one. By default the first.
    k : int, optional
        As in sc.compare_scenarios.

    Raises
    ------
    InputError
        As sc.compare_scenarios.

    References
    ----------
    Source: Gelman & Stern 2006, The American Statistician 60:328-331, for the shift.

    Examples
    --------
    >>> scenarios = {"none": sc.Similarity.identity(50, data.features), "correlation": C}
    >>> list(sc.scenario_contrasts(result, scenarios)["scenario"])
    ['none', 'correlation']
    """
    result = Results.of(result)
    base, computed = _reference_scenario(scenarios, against), _ScenarioFloors(result, scenarios, k)
    rivals = [label for label in result.finished_selectors if not is_baseline(label)]
    leads = {
        name: stability_pairs(result, MEASURE, similarity, k).set_index(["first", "second"])
        for name, similarity in scenarios.items()
    }
    rows = []
    for first, second in combinations(rivals, 2):
        turn = leads[base].loc[(first, second), "difference"] < 0
        for name, similarity in scenarios.items():
            row = _lead_row(leads[name].loc[(first, second)], first, second, turn) | {"scenario": name}
            if name != base and not np.isnan(row["difference"]):
                runs, other, paired = result.paired(row["first"], row["second"], k)
                moved = compare_changes(runs, other, scenarios[base], similarity, measure=MEASURE, paired=paired)
                moved = computed.beyond(moved, [row["first"], row["second"]], name, base)
                row |= {"shift": moved.difference, "shift_low": moved.low, "shift_high": moved.high, "shift_p": moved.p_value}
            rows.append(row)
    frame = pd.DataFrame(rows, columns=["first", "second", "scenario", *LEAD, *SHIFT]).assign(against=base)
    frame["shift_p_holm"] = holm(frame.pop("shift_p").to_numpy(dtype=float))
    frame["verdict"] = ""
    for _, pair in frame.groupby(["first", "second"], sort=False):
        frame.loc[pair.index, "verdict"] = pair_verdict(pair)
    return frame


class _ScenarioFloors:
    """The noise floors of all selectors under all scenarios, each computed once."""

    def __init__(self, result, scenarios, k):
        self.floors = {name: noise_floors(result, MEASURE, similarity, k) for name, similarity in scenarios.items()}
        self.shuffled = {
            (label, name): result.shuffled_values(label, MEASURE, similarity, k)
            for label in (result.finished_selectors if result.has_control else ())
            for name, similarity in scenarios.items()
        }

    def beyond(self, moved, labels, name, base):
        """A change of one value, or of a difference of two, as a change beyond the noise floors if these are known.

        It is judged only if each of them is clearly above its floor under at least one of both scenarios.
        """
        if not self.shuffled:
            return moved
        unclear = [label for label in labels if not any(self.floors[name_].loc[label, "clear"] for name_ in (name, base))]
        shuffled = [[self.shuffled[label, scenario] for scenario in (name, base)] for label in labels]
        both = sorted(set.intersection(*(set(values) for pair in shuffled for values in pair)))
        gains = [[after[shuffle] - before[shuffle] for shuffle in both] for after, before in shuffled]
        difference = compare_beyond_floors(moved, gains[0], gains[1] if len(gains) > 1 else [0.0] * len(both))
        if not unclear:
            return difference
        return replace(difference, p_value=np.nan, reason=difference.reason or f"{unclear[0]} is not clearly above its noise floor")


def _reference_scenario(scenarios, against):
    for similarity in scenarios.values():
        Similarity.of(similarity)
    names = list(scenarios)
    if len(names) < 2:
        raise InputError(f"A comparison needs two or more scenarios, {{name: Similarity}}. Found {len(names)}.")
    if against is not None and against not in names:
        raise InputError(f"There is no scenario {quote(against)}. Choose one of: {listed(names)}.")
    return names[0] if against is None else against


def _lead_row(row, first, second, turn):
    """One pair under one C, with the selector first that is ahead under the reference C."""
    difference, low, high = row[["difference", "low", "high"]].to_numpy(dtype=float)
    if turn:
        first, second, difference, low, high = second, first, -difference, -high, -low
    ahead = "" if not row["p_holm"] < LEVEL else first if difference > 0 else second
    values = (first, second, difference, low, high, row["p_holm"], row["note"], ahead)
    return dict(zip(("first", "second", *LEAD), values, strict=True))


def pair_verdict(pair):
    """Whether a comparison of two selectors holds under two scenarios, from its two rows."""
    ahead, shifted = set(pair["ahead"]) - {""}, pair["shift_p_holm"] < LEVEL
    other = pair["ahead"] != pair.loc[pair["scenario"] == pair["against"], "ahead"].iloc[0]
    if len(ahead) == 2:
        return TURNS
    if other.any():
        return LOST if (other & shifted).any() else MAYBE
    return SHIFTED if shifted.any() else HOLDS if ahead else OPEN
