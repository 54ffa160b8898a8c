"""A measure with user settings equals the measure with these options. Unknown options are refused."""

import numpy as np
import pytest
from noise_support import Regime, simulated

import stabcore as sc
from stabcore.analysis.measure_settings import SETTINGS, measure_settings, values_with_settings
from stabcore.measures.catalog import BY_KEY, available_measures


@pytest.fixture(scope="module")
def found():
    return simulated(1, Regime(runs=8, selectors=2, k=None))


def test_every_setting_of_every_measure_can_be_chosen(found):
    similarity = sc.Similarity.identity(len(found.features), names=found.features)
    tried = set()
    for measure in available_measures(found.selections(found.finished_selectors[0])):
        for name, setting in measure_settings(measure.key).items():
            for value in setting.values.values() if setting.values else (setting.low, setting.high):
                table = values_with_settings(found, measure.key, similarity if measure.needs_similarity else None, **{name: value})
                assert list(table["selector"]) == found.finished_selectors
                assert (table["value"].notna() | (table["note"] != "")).all()
                tried.add(name)
    assert tried == set(SETTINGS)
    assert all(name in SETTINGS or name in ("random_state", "draws", "k") for entry in BY_KEY.values() for name in entry.options)


def test_values_and_tests_use_the_chosen_options(found):
    table = values_with_settings(found, "davis", penalty=2.0).set_index("selector")
    usual = values_with_settings(found, "nogueira", interval="jackknife", against=0.1).set_index("selector")
    for label in found.finished_selectors:
        assert table["value"][label] == sc.stability(found.selections(label), "davis", penalty=2.0).value
        estimate = sc.stability(found.selections(label), interval="jackknife")
        assert usual["p_value"][label] == estimate.p_value(0.1) and usual["low"][label] == estimate.low
    assert np.isnan(table["p_value"]).all()
    with pytest.raises(sc.InputError):
        values_with_settings(found, "jaccard", penalty=1.0)
