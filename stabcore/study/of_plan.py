"""What only some plans allow to ask: inside outer folds, between the halves of a pair, with growing numbers, in each centre."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.inference.estimate import stability
from stabcore.inference.halves import COLUMNS, agreement_of_halves
from stabcore.measures.catalog import entry
from stabcore.resampling.centres import Site
from stabcore.resampling.growing import PARTS, Growing
from stabcore.study.accuracy import IN_CENTRE, in_centre
from stabcore.study.results import Results

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.measures.entry import MeasureLike
    from stabcore.preferences import Preferences
    from stabcore.relation.relation import Relation
    from stabcore.study.outcome import Outcome
    from stabcore.study.store import Store


class OfPlan(Results):
    """Of a StudyResult: tables that need a plan of a certain kind."""

    if TYPE_CHECKING:       # what a StudyResult is besides
        store: Store
        target: np.ndarray
        classes: tuple[str, ...]

        def _done(self, label: str) -> list[Outcome]: ...

        def _preferences_of(self, label: str, done: list[Outcome]) -> Preferences: ...

    def within_folds(self, measure: MeasureLike = "nogueira", relation: Relation | None = None,
                     k: int | None = None) -> pd.DataFrame:
        """DataFrame(selector, measure, average, lowest, highest, folds, planned, note): a measure inside each outer fold, averaged.

        Of a nested plan; runs of one outer fold share more rows than runs of two, so this is usually above the value over all
        runs. It rests on `folds` of the `planned` ones: those with fewer than two finished runs, or where the measure is
        undefined, are not counted; the note says why. Source: Kalousis, Prados & Hilario 2005, ICDM (Table 2).
        """
        import pandas as pd

        key, rows, planned = entry(measure).key, [], len({self.plan.block(run) for run in range(self.plan.runs)})
        for label in self.ready:
            runs, folds = self.preferences(label, k), np.array(self.folds(label) or np.ones(len(self.run_numbers(label))))
            inside = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
            estimates = [stability(runs.take(index), [measure], relation=relation)[key] for index in inside if len(index) > 1]
            values = np.array([one.value for one in estimates if not np.isnan(one.value)])
            summary = (values.mean(), values.min(), values.max()) if len(values) else [np.nan] * 3
            why = list(dict.fromkeys(one.reason for one in estimates if one.reason))
            why += ["fewer than two finished runs"] * (len(estimates) < planned)
            rows.append([label, key, *summary, len(values), planned, "; ".join(why)])
        return pd.DataFrame(rows, columns=["selector", "measure", "average", "lowest", "highest", "folds", "planned", "note"])

    def growth(self, measure: MeasureLike = "kappa", relation: Relation | None = None, k: int | None = None) -> pd.DataFrame:
        """DataFrame(selector, patients, shared, by_luck, size, value, low, high, pairs, note): agreement by number of patients.

        Of a plan of growing numbers: one row a selector and a size, n/8, n/4 and n/2 of the n rows (or patients): what two separate
        groups of so many agree on, as split_half tells it of the halves. Raises InputError for another plan.
        """
        import pandas as pd

        if not isinstance(self.plan, Growing):
            raise InputError("How agreement grows with the number of patients needs a study with the plan “growing”; this one made "
                             f"{self.plan.sentence()}.")
        patients, rows = self.store.meta("patients"), []
        units = len(self.target) if patients is None else len(set(patients))
        for label in self.ready:
            for part in reversed(PARTS):
                done = [task for task in self._done(label) if self.plan.part(task.run) == part]
                if len(done) > 1:
                    runs = self._preferences_of(label, done)
                    runs = runs if k in (None, self.n_selected) else runs.top(k)
                    pairs = [self.plan.unit(task.run) for task in done]
                    rows.append({"selector": label, "patients": round(units / part),
                                 **agreement_of_halves(runs, pairs, measure, relation=relation)})
        return pd.DataFrame(rows, columns=["selector", "patients", *COLUMNS])

    def centres(self) -> pd.DataFrame:
        """DataFrame, one row a selector and a centre: how well models of all other centres predict the patients of this one.

        selector, centre, rows; accuracy, accuracy_low, accuracy_high (Wilson's interval, 95%); auc, auc_low, auc_high (two
        classes, Newcombe's interval), NaN where the centre has fewer than two rows of either class; largest: the share of its most
        frequent class, which is right so often without any model. Rows of one patient count once in the intervals for what they
        tell alike.
        Of a plan that leaves centres out, with a classifier; else InputError. Source: Riley et al. 2016, BMJ 353:i3140.
        """
        import pandas as pd

        if not isinstance(self.plan, Site):
            raise InputError("Accuracy in each centre needs a study with the plan “site”, which leaves centres out; this one made "
                             f"{self.plan.sentence()}.")
        if not self.keeps_predictions:
            raise InputError("This study predicted nothing, so how well it does in each centre is not known: run it with a "
                             "classifier.")
        patients, n_classes = self.store.meta("patients"), len(self.classes)
        rows = [{"selector": label, "centre": self.plan.centres[task.run], **in_centre(task, self.target, n_classes, patients)}
                for label in self.ready for task in self._done(label)]
        return pd.DataFrame(rows, columns=["selector", "centre", *IN_CENTRE])
