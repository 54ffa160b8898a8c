"""What only some plans allow to ask: inside the outer folds of a nested one, and between the two halves of a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.inference.estimate import stability
from stabcore.inference.halves import COLUMNS, agreement_of_halves
from stabcore.measures.catalog import entry
from stabcore.study.results import Results

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.contracts.protocols import MeasureLike
    from stabcore.relation.relation import Relation


class OfPlan(Results):
    """Of a StudyResult: tables that need a plan of a certain kind."""

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
            found = [stability(runs.take(index), [measure], relation=relation)[key] for index in inside if len(index) > 1]
            values = np.array([one.value for one in found if not np.isnan(one.value)])
            summary = (values.mean(), values.min(), values.max()) if len(values) else [np.nan] * 3
            why = list(dict.fromkeys(one.reason for one in found if one.reason))
            why += ["fewer than two finished runs"] * (len(found) < planned)
            rows.append([label, key, *summary, len(values), planned, "; ".join(why)])
        return pd.DataFrame(rows, columns=["selector", "measure", "average", "lowest", "highest", "folds", "planned", "note"])

    def split_half(self, measure: MeasureLike = "kappa", relation: Relation | None = None, k: int | None = None) -> pd.DataFrame:
        """DataFrame, one row a selector: what two separate halves of the patients agree on; see stabcore.inference.halves.

        Of a plan of complementary halves. Columns shared, by_luck, size, value, low, high, pairs, note. value: 0 is what halves
        without any signal give, whatever the selector; 1 the same features in both. k: as if each run had selected its k best.
        Raises InputError for another plan, whose runs share rows.
        """
        import pandas as pd

        if not self.plan.separate_halves:
            raise InputError(f"Two separate halves need a study of complementary halves; this one made {self.plan.sentence()}, "
                             "and these share rows. Run it with the plan “half”.")
        rows = [{"selector": label, **agreement_of_halves(self.preferences(label, k), self._pairs(label), measure,
                                                          relation=relation)} for label in self.ready]
        return pd.DataFrame(rows, columns=["selector", *COLUMNS]).set_index("selector")

    def _pairs(self, label):
        return [(run - 1) // 2 for run in self.run_numbers(label)]
