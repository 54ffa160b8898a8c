"""Helpers for tests of datasets."""

import numpy as np
import pandas as pd

N = 40  # rows of the table in tests/stabcore/data/conftest.py


def redcap_export(patients=40, random_state=0):
    """One row per event: baseline with age, sex and checkboxes, a visit with the outcome, and CRP at both."""
    rng = np.random.default_rng(random_state)
    n, first = 2 * patients, np.arange(2 * patients) % 2 == 0

    def of(rows, values):
        return [value if here else None for value, here in zip(values, rows, strict=True)]

    return pd.DataFrame(
        {
            "record_id": np.repeat(np.arange(1, patients + 1), 2),
            "redcap_event_name": np.where(first, "baseline_arm_1", "visit_arm_1"),
            "redcap_repeat_instrument": "",
            "redcap_repeat_instance": "",
            "age": of(first, rng.integers(20, 80, n)),
            "sex": of(first, rng.integers(0, 2, n)),
            **{f"symptoms___{box}": of(first, rng.integers(0, 2, n)) for box in (1, 2)},
            "demographics_complete": of(first, [2] * n),
            "crp": rng.normal(5, 1, n).round(1),
            "survey_timestamp": np.where(first, "2021-03-04 10:11:12", "[not completed]"),
            "outcome": of(~first, np.where(np.arange(n) % 4 == 1, "<50", ">=50")),
            "visit_complete": of(~first, [2] * n),
        }
    )
