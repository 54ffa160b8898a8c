"""Intervals for new tables: the formula against loops, and how often they hold the average of tables whose truth is known."""

import numpy as np
import pytest
from new_patients_support import simulated_intervals
from scipy.stats import t

from stabcore.inference.split_half import common_share, interval_over_groups


def test_the_interval_is_that_of_loops():
    rng = np.random.default_rng(1)
    left, noise, own = rng.normal(0.4, 0.1, (2, 5)), rng.uniform(0, 0.002, (2, 5)), 0.001
    spread = sum(4 / 5 * sum((x - row.mean()) ** 2 for x in row) for row in left) / 2
    wanted = np.sqrt(spread - 16 / 5 * noise.mean() + own)
    half, se = interval_over_groups(0.4, own, left, noise)
    assert se == pytest.approx(wanted) and half == pytest.approx(t.ppf(0.975, 8) * wanted)
    assert interval_over_groups(0.4, own, left, noise, 0.2)[1] == pytest.approx(1.3 * wanted)
    assert interval_over_groups(0.4, own, left, noise + 1)[1] == pytest.approx(np.sqrt(own))       # never below the runs' own noise
    assert np.isnan(interval_over_groups(0.4, 0.0, np.full((2, 5), 0.4), noise)).all()


def test_what_features_have_in_common():
    rng = np.random.default_rng(2)
    noise, factor = rng.normal(size=(400, 50)), rng.normal(size=(400, 1))
    assert common_share(noise) < 0.01
    assert common_share(np.sqrt(0.4) * factor + np.sqrt(0.6) * noise) == pytest.approx(0.4, abs=0.06)
    gaps = noise.copy()
    gaps[:, 0], gaps[3, 1], gaps[:, 2] = np.nan, np.nan, 5.0
    assert common_share(gaps) < 0.02 and common_share(noise[:, :1]) == 0


@pytest.mark.parametrize("effect", [0.0, 0.7])
def test_new_tables_are_held_and_the_interval_is_not_twice_too_wide(effect):
    """80 tables of 100 patients and 100 features, ten of which differ; a t filter, 25 complementary pairs."""
    value, half = simulated_intervals(80, 100, effect, seed=3)
    held = (np.abs(value - value.mean(axis=0)) <= half).mean(axis=0)
    width = half.mean(axis=0) / (1.96 * value.std(axis=0, ddof=1))
    assert (held >= 0.87).all() and (width < 2.0).all(), (held, width)
