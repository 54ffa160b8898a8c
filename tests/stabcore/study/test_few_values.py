"""Features of few different values: named where others have many, and treated by selectors as the sentence says."""

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.data.feature_table import as_table
from stabcore.selectors import selector
from stabcore.study.few_values import caution


def test_they_are_told_where_others_have_many_and_a_selector_counts_cells():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"two": rng.permutation(["a", "b"] * 30), "x": rng.normal(size=60), "y": ["ill", "well"] * 30})
    data = sc.Dataset.from_frame(frame, target="y")
    assert caution(data, ["lasso", "mrmr"]).startswith("'two' has few different values, other features many.")
    assert caution(data, ["lasso", "random_forest"]) == ""
    assert caution(sc.Dataset.from_frame(frame.assign(x=rng.integers(0, 5, 60)), target="y"), ["mrmr"]) == ""


@pytest.mark.parametrize("key, low, high", [("mrmr", 0.7, 1), ("mim", 0, 0.08), ("jmi", 0, 0.08), ("cmim", 0, 0.08)])
def test_it_is_so_without_any_signal(key, low, high):
    rng, often = np.random.default_rng(0), []
    for _ in range(20):
        table = as_table(pd.DataFrame(rng.normal(size=(60, 20))).assign(two=rng.permutation(["a", "b"] * 30)))
        often.append(20 in selector(key).fit(table, rng.permutation([0, 1] * 30), rng=rng, k=4).select(4))
    assert low <= np.mean(often) <= high
