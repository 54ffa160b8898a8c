"""Which selectors of a study predict better than always naming the larger class."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.inference.comparison import holm
from stabcore.inference.predictions import GUESSING_COLUMNS, SCORES, against_guessing, default_score, guessed
from stabcore.selectors.baseline import is_baseline

LEVEL = 0.05


def beats_guessing(outcomes, result, score=None, patients=None):
    """The DataFrame of StudyResult.beats_guessing. outcomes: {selector: its finished runs}; patients: (n,) or None.

    Raises InputError for an unknown score.
    """
    import pandas as pd

    score = score or default_score(result)
    if score not in SCORES:
        raise InputError(f"There is no score {score!r}. Choose one of: {', '.join(SCORES)}.")
    always, rows = guessed(result, score), {}
    asked = {} if not np.isfinite(always) or (score == "auc" and len(result.classes) != 2) else outcomes
    for label, done in asked.items():
        if not is_baseline(label):
            excess, se, p = against_guessing(done, result.target, score, patients)
            rows[label] = (score, always + excess, always, se, p)
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=list(GUESSING_COLUMNS[:5])).rename_axis("selector")
    corrected = holm(frame["p_value"].to_numpy(dtype=float))
    better = pd.Series(corrected < LEVEL, index=frame.index, dtype="boolean").mask(np.isnan(corrected))
    return frame.assign(p_holm=corrected, better=better)
