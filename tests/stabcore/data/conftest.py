"""A small clinical table that tests of datasets change."""

import numpy as np
import pandas as pd
import pytest
from dataset_support import N


@pytest.fixture
def frame():
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "ALT": rng.normal(30, 5, N).round(1),
            "stage": rng.choice(["I", "II", "III"], N),
            "sex": ["f", "m"] * (N // 2),
            "smoker": ["yes", "no", None, "no", "no", "yes", None, "yes"] * (N // 8),
            "male": [0, 1] * (N // 2),
            "outcome": ["ill"] * 15 + ["well"] * 25,
        }
    )
