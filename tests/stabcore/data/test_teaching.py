"""Simulated teaching tables have the means and correlations of their docstring, up to sampling error."""

import numpy as np
import pytest

import stabcore as sc
from stabcore.data.teaching import KINDS, OUTCOME, TWIN_NOISE, teaching_data

MANY = 4000


@pytest.fixture(scope="module", params=KINDS)
def large(request):
    made = teaching_data(request.param, n=MANY, random_state=3)
    ill = (made.frame[OUTCOME] == "ill").to_numpy()
    return made, made.frame.drop(columns=OUTCOME), ill


def test_only_true_features_differ_between_the_classes(large):
    made, values, ill = large
    effect = values[ill].mean() - values[~ill].mean()
    margin = 4.5 * 2 / np.sqrt(MANY)
    expected = {"twins": 1, "groups": 1, "weak": 0.3}.get(made.key)
    loose = effect.drop(list(made.truth))
    assert ill.sum() == MANY / 2 and loose.abs().max() < margin
    if expected:
        assert np.abs(effect[list(made.truth)] - expected).max() < margin
    if made.key == "chain":
        passed_on = 1.2 * 0.85 ** np.abs(np.arange(8) - 3)
        assert np.abs(effect[list(made.truth)] - passed_on).max() < margin
    assert (made.truth == ()) == (made.key == "noise")


def test_members_of_a_simulated_group_have_the_given_correlation(large):
    made, values, ill = large
    within = values - values.groupby(ill).transform("mean")
    assert np.abs(within.drop(columns=[f for f in values if f.endswith("_twin")]).std() - 1).max() < 0.06
    for members in made.groups.values():
        found = within[members].corr().to_numpy()
        apart = np.abs(np.subtract.outer(np.arange(len(members)), np.arange(len(members))))
        expected = {
            "twins": np.where(apart, 1 / np.sqrt(1 + TWIN_NOISE**2), 1),
            "groups": np.where(apart, 0.8, 1),
            "chain": 0.85**apart,
        }[made.key]
        assert np.abs(found - expected).max() < 0.06


def test_the_table_depends_on_the_seed():
    first, again, other = (teaching_data("weak", n=20, random_state=seed).frame for seed in (1, 1, 2))
    assert first.equals(again) and not first.equals(other)
    assert len(sc.teaching_data("noise").dataset().features) == 60
    for wrong in (("twin", 20), ("twins", 7)):
        with pytest.raises(sc.InputError):
            teaching_data(wrong[0], n=wrong[1])
