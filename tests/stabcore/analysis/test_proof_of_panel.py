"""What proves the panel: bounds and intervals on tables whose truth is known, and halves of one table that replicate.

The same with many more tables: tests/benchmarks/bench_panel.py.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from panel_support import covered, drawn, false_and_bounds

import stabcore as sc
from stabcore.analysis.concordance import concordance, replicated


def test_false_features_stay_below_the_bounds_in_95_of_100_studies():
    """Bounds are on the expected number: the mean is below each. One of less than 1 is passed by any study with a false feature."""
    for at, (false, bounds) in false_and_bounds(100, (0.6, 0.75)).items():
        for bound, most in bounds.items():
            assert false.mean() <= most, (at, bound)
            assert most < 1 or (false <= most).sum() >= 95, (at, bound)
        assert bounds["meinshausen_buhlmann"] > 1


def test_intervals_of_frequencies_hold_in_95_of_100():
    """Of features that come back sometimes; one that hardly ever does is shown only when it did, so its interval is too high."""
    held = [inside for often, inside in covered(3) if 0.1 <= often <= 0.95]
    assert len(held) > 300 and 0.93 <= np.mean(held) <= 0.99


def study(X, y, seed):
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(X.shape[1])]).assign(outcome=np.where(y, "sick", "well"))
    asked = sc.Study(sc.Dataset.from_frame(frame, target="outcome"), "welch_t", plan=sc.Half(10), k=8, seed=seed, classifier="none")
    with ThreadPoolExecutor(1) as executor:
        return asked.run(executor)


@pytest.mark.parametrize("effect", [1.2, 0.0])
def test_two_halves_of_one_table_replicate_where_there_is_a_signal(effect):
    X, y = drawn(np.random.default_rng(6), 240, 100, 8, effect)
    first, second = (study(X[rows], y[rows], 1) for rows in (np.arange(240) < 120, np.arange(240) >= 120))
    at = concordance(first, second).set_index("k").loc[8]
    found = replicated(first, second, 0.75).set_index("feature")["replicates"]
    if effect:
        assert at["common"] == 8 > at["high"]
        assert found.to_dict() == {f"f{i}": "yes" for i in range(8)}
    else:
        assert at["low"] <= at["common"] <= at["high"] and not (found == "yes").any()
