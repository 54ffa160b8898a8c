"""The jackknife of every measure against recomputation without each run or unit."""

import numpy as np
import pytest
from measure_support import everything, rearranged, runs_of
from support import random_selection

import stabcore as sc
from stabcore.measures import chance, information
from stabcore.measures.catalog import BY_KEY

UNITS = {"runs": None, "pairs": [0, 0, 1, 1, 2, 2, 3, 3], "of any size": [2, 0, 2, 1, 3, 2, 1, 2], "two": [0, 1, 1, 1, 0, 0, 1, 1]}
GROUPS = sc.Similarity.from_groups({"a": [0, 1, 2]}, n_features=9)


def check_jackknife(runs, similarity, function, options):
    left_out, units = function.terms(runs, similarity, **options).leave_one_out_values(), runs.units
    units = np.arange(runs.n_runs) if units is None else units
    assert len(left_out) == runs.n_units == units.max() + 1
    for unit, found in enumerate(left_out):
        rest = rearranged(runs.in_units(None), np.flatnonzero(units != unit))
        assert found == pytest.approx(function(rest, similarity, **options), abs=1e-10, nan_ok=True)


@pytest.mark.parametrize("key", BY_KEY)
def test_runs_and_units_are_left_out_as_a_whole(key):
    runs, similarity = everything(np.random.default_rng(9), 8)
    options = {"corrected": False} if key == "shared_information" else {}
    for units in UNITS.values():
        check_jackknife(runs.in_units(units), similarity, BY_KEY[key].function, options)


@pytest.mark.parametrize("key", ["jaccard", "dice", "ochiai", "hamming", "pog", "zucknick", "davis", "novovicova"])
def test_corrected_measures_and_varying_sizes(key):
    runs = runs_of(random_selection(np.random.default_rng(13), 8, 9, 2, 6))
    for units in UNITS.values():
        check_jackknife(runs.in_units(units), GROUPS, BY_KEY[key].function, {"corrected": True})
    if key == "davis":
        check_jackknife(runs, None, BY_KEY[key].function, {"penalty": 0.4})


@pytest.mark.parametrize("key", ["importance_weighted", "jaccard", "ochiai", "nogueira", "somol", "shared_information"])
def test_empty_runs(key):
    importances = np.random.default_rng(5).uniform(0.2, 1, (8, 9)) * random_selection(np.random.default_rng(6), 8, 9, 2, 6)
    importances[[0, 3, 6]] = 0
    runs = sc.Selections.from_weights(importances)
    options = {"undefined": "skip"} if key in ("jaccard", "ochiai") else {"corrected": False} if key == "shared_information" else {}
    for units in UNITS.values():
        check_jackknife(runs.in_units(units), GROUPS, BY_KEY[key].function, options)


def test_one_remaining_run_has_no_value():
    left_out = chance.nogueira.terms(everything(np.random.default_rng(9), 4)[0].in_units([0, 1, 1, 1])).leave_one_out_values()
    assert np.isfinite(left_out[0]) and np.isnan(left_out[1])


def test_the_jackknife_keeps_the_drawn_chance_of_each_pair():
    runs, similarity = everything(np.random.default_rng(9))
    terms = information.shared_information.terms(runs, similarity, draws=300)
    uncorrected = information.shared_information.terms(runs, similarity, corrected=False).leave_one_out_values()
    chances = (uncorrected - terms.leave_one_out_values()) / (1 - terms.leave_one_out_values())  # chance without each run
    whole = (information.shared_information(runs, similarity, corrected=False) - terms.value()) / (1 - terms.value())
    assert chances.mean() == pytest.approx(whole, abs=1e-3) and np.ptp(chances) < 0.1
