"""Stability from frequencies alone equals that of the runs they come from, whatever these were."""

import numpy as np
import pytest

from stabcore.base.errors import InputError
from stabcore.inference.estimate import stability
from stabcore.inference.from_frequencies import stability_from_frequencies
from stabcore.selections.selections import Selections


def test_stability_follows_from_frequencies_alone():
    rng = np.random.default_rng(0)
    Z = (rng.random((rng.integers(2, 40), 15)) < rng.random(15)).astype(int)
    runs = Selections.from_matrix(Z)
    found = stability_from_frequencies(runs.frequencies, runs.n_runs)
    assert found.value == pytest.approx(stability(runs).value, abs=1e-12) and np.isnan(found.low) and found.no_interval


def test_frequencies_without_a_stability():
    for shares in (np.zeros(4), np.ones(4)):
        assert np.isnan(stability_from_frequencies(shares, 5).value)
    for shares, n_runs in (([0.5, 2], 3), ([0.5], 1), ([], 3), ([np.nan, 0.5], 3)):
        with pytest.raises(InputError):
            stability_from_frequencies(shares, n_runs)
