"""Centres, treatments, sums and nested columns are recognised, and columns of noise are not, even if they are correlated."""

import numpy as np
import pandas as pd
import pytest
from support import slow

from stabcore.data import Dataset, check
from stabcore.data.columns import describe_columns
from stabcore.data.derived import derived_columns
from stabcore.data.nuisance import describe_kept_nuisances, feature_nuisances, nuisance_columns

N = 200


def kinds(frame):
    return {nuisance.name: nuisance.kind for nuisance in nuisance_columns(describe_columns(frame))}


@pytest.fixture
def noise():
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.normal(size=(N, 30)).round(2), columns=[f"m{j}" for j in range(30)])


NAMES = {
    "centre": "centre|site_id|SITEID|Study center|hospital|Zentrum",
    "batch": "batch|plate_no",
    "visit": "visit|Visit No|time_point|follow-up|Visite",
    "treatment": "rx|trt|TRT01P|arm|treatment_group|Randomisation",
    None: "ALT|percentile|website|charms|artery|visits|sessions",
}


def test_centres_and_treatments_are_recognised_by_name_and_levels(noise):
    rng = np.random.default_rng(1)
    for kind, names in NAMES.items():
        for name in names.split("|"):
            assert kinds(noise.assign(**{name: rng.integers(1, 5, N)})).get(name) == kind
            assert kinds(noise.assign(**{name: rng.normal(size=N)})).get(name) is None, "this column is a measurement"
    assert kinds(noise.assign(group=rng.choice(["Placebo", "Verum 5 mg"], N))) == {"group": "treatment"}, (
        "recognised by the word placebo"
    )


def test_derived_columns_are_listed_with_their_terms(noise):
    rng = np.random.default_rng(3)
    items = pd.DataFrame(rng.integers(0, 4, (N, 10)), columns=[f"q{j}" for j in range(10)])
    frame = pd.concat([noise, items], axis=1).assign(
        score=items.sum(axis=1),
        mean=noise[["m1", "m2", "m3"]].mean(axis=1),
        change=noise["m5"] - noise["m4"],
        nearly=noise[["m8", "m9", "m10"]].sum(axis=1) + rng.normal(0, 0.05, N),
        grams=1000 * noise["m20"],
    )
    frame = frame.mask(rng.random(frame.shape) < 0.02)
    assert {name: set(of) for name, _, of in derived_columns(describe_columns(frame))} == {
        **{"score": set(items.columns), "mean": {"m1", "m2", "m3"}, "change": {"m4", "m5"}},
        **{"nearly": {"m8", "m9", "m10"}, "grams": {"m20"}},
    }


def test_nested_columns_are_noted(noise):
    rng = np.random.default_rng(4)
    asa = rng.integers(1, 5, N)
    frame = noise.assign(asa=asa, asa34=(asa >= 3).astype(int), old=(noise["m0"] > 0.2).astype(int), sex=rng.choice(["f", "m"], N))
    frame["male"] = (frame["sex"] == "m").astype(int)
    nested = {frozenset((name, *of)) for name, _, of in derived_columns(describe_columns(frame))}
    assert nested == {frozenset(pair) for pair in [("asa", "asa34"), ("old", "m0"), ("sex", "male")]}


@pytest.mark.parametrize("kind", ["independent", "blocks", "one factor", slow("few levels"), "binary"])
def test_no_false_alarm_on_noise(kind):
    """None of 60 tables of each kind, with 60 and 200 rows, had an alarm in a longer run."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        shared = rng.normal(size=(N, 1))
        values = {
            "independent": rng.normal(size=(N, 60)),
            "one factor": np.sqrt(0.9) * shared + np.sqrt(0.1) * rng.normal(size=(N, 60)),
            "blocks": np.sqrt(0.9) * np.repeat(rng.normal(size=(N, 12)), 5, axis=1) + np.sqrt(0.1) * rng.normal(size=(N, 60)),
            "few levels": rng.integers(0, 4, (N, 60)).astype(float),
            "binary": (shared + 0.5 * rng.normal(size=(N, 60)) > 1).astype(float),
        }[kind]
        values = np.where(rng.random(values.shape) < 0.05, np.nan, values.round(2))
        assert derived_columns(describe_columns(pd.DataFrame(values, columns=[f"m{j}" for j in range(60)]))) == []


def test_nuisance_columns_are_asked_about_or_limitations(noise):
    rng = np.random.default_rng(5)
    frame = noise.assign(rx=rng.integers(0, 2, N), y=["ill", "well"] * (N // 2))
    asked = [finding for finding in check(frame, "y") if finding.remedy == "leave out or keep"]
    assert [question.columns for question in asked] == [("rx",)]
    assert not [finding for finding in check(frame, "y", confirmed=["rx"]) if "rx" in finding.columns]
    data = Dataset.from_frame(frame, target="y")
    assert [nuisance.name for nuisance in feature_nuisances(data)] == ["rx"]
    assert len(describe_kept_nuisances(data)) == 1 and "'rx'" in describe_kept_nuisances(data)[0]
    assert describe_kept_nuisances(Dataset.from_frame(frame, target="y", exclude=["rx"])) == []
