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


@pytest.mark.parametrize("few, levels, least", [(1, "ab", 0.9), (1, "abc", 0.3), (10, "ab", 0.22), (10, "abc", 0.22)])
def test_it_is_so_without_any_signal(few, levels, least):
    """Each feature would come in 20% of the runs; ten of twenty cannot come in more than 40%."""
    rng = np.random.default_rng(0)
    often = {key: [] for key in ("mrmr", "mim", "jmi", "cmim")}
    for key, shares in often.items():
        for _ in range(30):
            frame = pd.DataFrame(rng.normal(size=(60, 20 - few)))
            frame = frame.assign(**{f"few{j}": rng.permutation(list(levels) * (60 // len(levels))) for j in range(few)})
            taken = selector(key).fit(as_table(frame), rng.permutation([0, 1] * 30), rng=rng, k=4).select(4)
            shares.append(np.mean(np.isin(np.arange(20 - few, 20), taken)))
    assert np.mean(often["mrmr"]) >= least
    assert all(np.mean(often[key]) <= 0.1 for key in ("mim", "jmi", "cmim")), often
