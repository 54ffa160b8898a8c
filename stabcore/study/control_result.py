"""What a study tells beside its runs: what it gives without any signal, and with other dice on the same rows."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from stabcore.errors import InputError
from stabcore.inference.control import COLUMNS, NO_CONTROL, against
from stabcore.inference.dice import COLUMNS as DICE
from stabcore.inference.dice import NO_REPEATS, own_share
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.results import Results

if TYPE_CHECKING:
    from typing import Any

    import pandas as pd

    from stabcore.contracts.protocols import MeasureLike
    from stabcore.relation.relation import Relation
    from stabcore.study.store import Store


class Controlled(Results):
    """Of a StudyResult: what rests on its shuffles (stabcore.inference.control) and repeats (stabcore.inference.dice)."""

    store: Store
    settings: dict[str, Any]

    @property
    def has_control(self) -> bool:
        """Was the outcome shuffled too, and is a shuffle done, so that `floor` and `frequency_line` have an answer?"""
        return any(self._whole.get((label, "shuffle")) for label in self.selectors)

    def floor(self, measure: MeasureLike = "nogueira", relation: Relation | None = None, k: int | None = None) -> pd.DataFrame:
        """DataFrame, one row a selector: a measure beside what it gives without any signal; see inference.control.against.

        Columns value, floor, floor_low, floor_high, beyond, p, shuffles, note. Of the shuffles whose runs have all ended, so that
        a study that is still running has first values as soon as one has. relation, k: as in `table`. Raises InputError for a
        study without a control.
        """
        import pandas as pd

        self._need_control()
        rows = [{"selector": label, **against(self.preferences(label, k), self._shuffled(label, k), measure, relation)}
                for label in self.ready]
        return pd.DataFrame(rows, columns=["selector", *COLUMNS]).set_index("selector")

    def frequency_line(self, label: str, k: int | None = None) -> float:
        """The largest share of the runs in which any feature was selected in any shuffle: a marker's frequency has to pass it.

        NaN while no shuffle of this selector is done. Raises InputError for a study without a control.
        """
        self._need_control()
        return max((float(runs.frequencies.max()) for runs in self._shuffled(label, k)), default=float("nan"))

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

    def _shuffled(self, label, k):
        """Preferences of each finished shuffle."""
        return [self.preferences(label, k, shuffle=number) for number in self._whole.get((self.called(label), "shuffle"), ())]

    @cached_property
    def _whole(self) -> dict:
        """{(selector, "shuffle" or "repeat"): numbers of those of which all runs have ended, and at least two well}."""
        ended = {}
        for one in self.store.outcomes(columns=(), shuffle=None, repeat=None):
            if one.shuffle or one.repeat:
                kind = (one.selector, "shuffle") if one.shuffle else (one.selector, "repeat")
                ended.setdefault(kind, {}).setdefault(one.shuffle or one.repeat, []).append(one.status == "done")
        return {kind: [number for number, done in sorted(numbers.items()) if len(done) == self.n_runs and sum(done) >= 2]
                for kind, numbers in ended.items()}
