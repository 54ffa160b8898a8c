"""What a study tells beside its runs: what it gives without any signal, and with other dice on the same rows."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.inference.control import (
    COLUMNS,
    FLOOR,
    NO_CONTROL,
    against,
    beside_floor,
    own_floor,
    steadied_frequencies,
    value_beside,
)
from stabcore.inference.dice import COLUMNS as DICE
from stabcore.inference.dice import NO_REPEATS, own_share
from stabcore.inference.estimate import deviate, stability
from stabcore.inference.halves import COLUMNS as HALVES
from stabcore.inference.halves import agreement_of_halves
from stabcore.measures.catalog import entry
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import pandas as pd

    from stabcore.measures.entry import MeasureLike
    from stabcore.preferences import Preferences
    from stabcore.relation.relation import Relation
    from stabcore.resampling.plan import Plan
    from stabcore.study.outcome import Outcome
    from stabcore.study.store import Store


class Controlled(Results):
    """Of a StudyResult: what rests on its shuffles (stabcore.inference.control) and repeats (stabcore.inference.dice)."""

    if TYPE_CHECKING:       # what a StudyResult is besides
        store: Store
        settings: dict[str, Any]

        @property
        def plan(self) -> Plan: ...

        def preferences(self, label: str, k: int | None = None, shuffle: int = 0, repeat: int = 0) -> Preferences: ...

        def run_numbers(self, label: str, repeat: int = 0) -> list[int]: ...

        def _agreeing(self, label: str, shuffle: int = 0, repeat: int = 0) -> list[Outcome]: ...

    @property
    def has_control(self) -> bool:
        """Was the outcome shuffled too, and is a shuffle done, so that noise floors are known?"""
        return any(self._whole.get((label, "shuffle")) for label in self.selectors)

    def floor(self, measure: MeasureLike = "nogueira", relation: Relation | None = None, k: int | None = None) -> pd.DataFrame:
        """Stability beside the noise floor of each selector: what it comes to with the outcome shuffled.

        DataFrame, one row a selector, with the columns of inference.control.against: value, low, high; floor, floor_low,
        floor_high, floor_se; beyond (value − floor), beyond_low, beyond_high; p, clear, shuffles; note. Of the shuffles whose runs
        have all ended, so that a study that is still running has first values as soon as one has. A selector that does not look at
        the outcome has its own value as floor. relation, k: as in `table`. Raises InputError for a study without a control.
        """
        import pandas as pd

        self._need_control()
        rows = [{"selector": label, **self._beside_floor(label, measure, relation, k)} for label in self.ready]
        return pd.DataFrame(rows, columns=["selector", *COLUMNS]).set_index("selector")

    def _beside_floor(self, label, measure, relation, k):
        runs = self.preferences(label, k)
        if label in self.blind:
            estimate = stability(runs, [measure], relation=relation)[entry(measure).key]
            known = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
            return {**known, **own_floor(**known), "note": estimate.reason}
        return against(runs, [one for _, one in self.shuffled(label, k)], measure, relation, self.cluster_share)

    def shuffled_values(self, label: str, measure: MeasureLike = "nogueira", relation: Relation | None = None,
                        k: int | None = None) -> dict[int, float]:
        """{number of the shuffle: what a measure comes to with the outcome shuffled}, of those that have a value."""
        definition = entry(measure)
        values = {number: value_beside(runs, definition, relation, self.cluster_share)[0]
                  for number, runs in self.shuffled(label, k)}
        return {number: value for number, value in values.items() if np.isfinite(value)}

    def split_half(self, measure: MeasureLike = "kappa", relation: Relation | None = None, k: int | None = None) -> pd.DataFrame:
        """What two separate halves of the patients agree on, beside the noise floor of each selector.

        DataFrame, one row a selector, of a plan of complementary halves: the columns of inference.halves.agreement_of_halves
        (shared, by_luck, size, value, low, high, pairs, note), and those of inference.control.beside_floor, NaN without a control.
        k: as if each run had selected its k best. Raises InputError for another plan, whose runs share rows.
        """
        import pandas as pd

        if not self.plan.separate_halves:
            raise InputError(f"Two separate halves need a study of complementary halves; this one made {self.plan.sentence()}, "
                             "and these share rows. Run it with the plan “half”.")
        rows = []
        for label in self.ready:
            halves = agreement_of_halves(self.preferences(label, k), self._pairs(label), measure, relation=relation)
            rows.append({"selector": label, **halves, **self._floor_of_halves(label, halves, measure, relation, k)})
        return pd.DataFrame(rows, columns=["selector", *HALVES, *FLOOR]).set_index("selector")

    def _floor_of_halves(self, label, halves, measure, relation, k):
        if label in self.blind and self.has_control:
            return own_floor(halves["value"], halves["low"], halves["high"])
        floors = [agreement_of_halves(runs, self._pairs(label, shuffle), measure, relation=relation)
                  for shuffle, runs in self.shuffled(label, k)]
        noise = 0.0
        if floors and halves["pairs"] > floors[0]["pairs"] > 0:
            error = (halves["value"] - halves["low"]) / deviate(0.95, halves["pairs"] - 1)
            noise = error ** 2 * halves["pairs"] / floors[0]["pairs"]
        values = [one["value"] for one in floors if np.isfinite(one["value"])]
        return beside_floor(halves["value"], halves["low"], halves["high"], values, noise)

    def _pairs(self, label, shuffle=0):
        return [self.plan.unit(one.run) for one in self._agreeing(label, shuffle)]

    def shuffled_frequencies(self, labels: str | Iterable[str], k: int | None = None) -> np.ndarray:
        """(S, d) how often each feature is selected in each shuffle of the outcome, as if a shuffle had all runs of the study.

        labels: a selector, or several, over which the frequencies are averaged. The largest of a row is the luckiest feature of
        that shuffle; the mean of a column is how often a feature comes without any signal. A shuffle repeats few runs; see
        inference.control.steadied_frequencies. S counts the shuffles of which all runs of these selectors are done; those
        that do not look at the outcome are left out. S = 0 where there is none. Raises InputError for a study without a control.
        """
        self._need_control()
        labels = [label for label in ([labels] if isinstance(labels, str) else labels) if self.called(label) not in self.blind]
        asked = self.plan.control_runs(self.settings["control_runs"])
        done = [{shuffle for shuffle in self._shuffles(label) if len(self._agreeing(label, shuffle)) == len(asked)}
                for label in labels]
        clusters = np.unique([self.plan.cluster(run) for run in asked], return_inverse=True)[1]
        if not clusters.any():                  # all of one: each run by itself
            clusters = np.arange(len(asked))
        clusters_of = []
        for shuffle in sorted(set.intersection(*done)) if done else ():
            runs = np.mean([self.preferences(label, k, shuffle=shuffle).selected for label in labels], axis=0)
            clusters_of.append([runs[clusters == cluster].mean(axis=0) for cluster in range(clusters.max() + 1)])
        if not clusters_of:
            return np.zeros((0, len(self.features)))
        if self.cluster_share is None:
            return np.array(clusters_of).mean(axis=1)
        return steadied_frequencies(np.array(clusters_of), self.n_runs, np.random.default_rng([self.settings["seed"], k or 0]))

    def frequency_line(self, label: str, k: int | None = None) -> float:
        """How often the luckiest feature of any shuffle is selected; NaN while none is done."""
        return float(np.append(self.shuffled_frequencies(label, k), -np.inf).max())

    @cached_property
    def blind(self) -> list[str]:
        """The selectors that do not look at the outcome, so that they select the same whether there is a signal or not."""
        entries = {label: self.entry_of(label) for label in self.selectors}
        return [label for label, one in entries.items() if one is not None and not one.looks_at_outcome]

    @cached_property
    def cluster_share(self) -> float | None:
        """The share of the pairs of runs that lie within a cluster of the plan; None where a shuffle repeats all runs."""
        agreeing = [run for run in range(self.plan.runs) if self.plan.measures_stability(run)]
        if len(self.plan.control_runs(self.settings["control_runs"])) == len(agreeing):
            return None
        sizes = np.bincount([self.plan.cluster(run) for run in agreeing])
        return float((sizes * (sizes - 1)).sum() / (len(agreeing) * (len(agreeing) - 1)))

    @property
    def has_repeats(self) -> bool:
        """Were runs fitted again with other dice on the same rows, so that `own_dice` has an answer?"""
        return any(self._whole.get((label, "repeat")) for label in self.ready)

    def own_dice(self, k: int | None = None) -> pd.DataFrame:
        """DataFrame, one row a selector with chance inside: how much of the disagreement is its own; see inference.dice.own_share.

        Columns share, low, high, own, total, runs, note; steadied_by, what would make it differ less from itself. Raises InputError
        for a study without repeats.
        """
        import pandas as pd

        if not self.has_repeats:
            raise InputError(NO_REPEATS)
        entries = [BY_KEY.get(one.get("key")) for one in self.settings["selectors"]]
        steadied = {label: one.build.steadied_by if one else "" for label, one in zip(self.selectors, entries, strict=True)}
        rows = []
        for label in self.ready:
            if repeats := self._whole.get((label, "repeat")):
                rows.append({"selector": label, **own_share(self._same_runs(label, k, repeats)), "steadied_by": steadied[label]})
        return pd.DataFrame(rows, columns=["selector", *DICE, "steadied_by"]).set_index("selector")

    def _same_runs(self, label, k, repeats):
        """Preferences of each fit, on the runs that all of them finished."""
        numbers = {repeat: self.run_numbers(label, repeat=repeat) for repeat in (0, *repeats)}
        same = sorted(set.intersection(*map(set, numbers.values())))
        return [self.preferences(label, k, repeat=repeat).take([done.index(run) for run in same])
                for repeat, done in numbers.items()]

    def _need_control(self):
        if not self.has_control:
            raise InputError(NO_CONTROL)

    def _shuffles(self, label):
        """Numbers of the finished shuffles."""
        return self._whole.get((self.called(label), "shuffle"), ())

    def shuffled(self, label: str, k: int | None = None) -> list[tuple[int, Preferences]]:
        """[(number, Preferences)] of each finished shuffle, the clusters of the plan as their units, weighed by `cluster_share`."""
        return [(number, self.preferences(label, k, shuffle=number).in_units([self.plan.cluster(one.run) for one in
                                                                              self._agreeing(label, number)]))
                for number in self._shuffles(label)]

    @cached_property
    def _whole(self) -> dict:
        """{(selector, "shuffle" or "repeat"): numbers of those of which all runs have ended, and at least two well}."""
        ended = {}
        for one in self.store.outcomes(columns=(), shuffle=None, repeat=None):
            if one.shuffle or one.repeat:
                kind = (one.selector, "shuffle") if one.shuffle else (one.selector, "repeat")
                ended.setdefault(kind, {}).setdefault(one.shuffle or one.repeat, []).append(one.status == "done")
        shuffled = len(self.plan.control_runs(self.settings["control_runs"]))
        return {kind: [number for number, done in sorted(numbers.items())
                       if len(done) >= (shuffled if kind[1] == "shuffle" else self.n_runs) and sum(done) >= 2]
                for kind, numbers in ended.items()}
