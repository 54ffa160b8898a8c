"""How the agreement of separate groups of patients grows with their number, and a guess of how it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.inference.estimate import deviate
from stabcore.inference.growth import extrapolated

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.study.study_result import StudyResult

AHEAD = (2, 4)          # how many times the patients of now a guess is about


def growth(result: StudyResult, k: int | None = None) -> pd.DataFrame:
    """DataFrame(selector, patients, value, low, high, shared, by_luck, size, guess), one row a selector and a size of the groups.

    patients: how many each of two separate groups has; value: their agreement (kappa; 0: as random sets, 1: the same). Seen with
    n/8, n/4 and n/2 patients: low, high is the interval of StudyResult.growth, about other divisions of the same patients. guess:
    extrapolated to groups of n and 2n, the halves of studies with 2n and 4n, by inference.growth.extrapolated. Its errors are of
    so many pairs as fit beside each other into the table (1, 2 and 4), as those beyond share patients with them.
    Raises InputError for other plans than `growing`.
    """
    import pandas as pd

    seen = result.growth(k=k).assign(guess=False)
    parts = [seen]
    for label, own in seen.groupby("selector", sort=False):
        total = 2 * own["patients"].max()
        spread = (own["value"] - own["low"]).fillna(0.0) / [deviate(0.95, max(pairs - 1, 1)) for pairs in own["pairs"]]
        error = spread * np.sqrt(own["pairs"]) / np.sqrt(total / own["patients"] / 2)
        ahead = np.array(AHEAD) * total // 2
        ends = extrapolated(own["patients"], own["value"], error, ahead, len(result.features), max(1, round(own["size"].mean())))
        parts.append(pd.DataFrame({"selector": label, "patients": ahead, **dict(zip(("value", "low", "high"), ends, strict=True)),
                                   "guess": True}))
    columns = ["selector", "patients", "value", "low", "high", "shared", "by_luck", "size", "guess"]
    return pd.concat(parts, ignore_index=True)[columns].sort_values(["selector", "patients"], kind="stable", ignore_index=True)
