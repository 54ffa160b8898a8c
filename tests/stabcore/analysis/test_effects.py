"""Effects of features: in words of the table, shrunken where that is possible, for patients of several rows."""

import numpy as np
import pandas as pd
import pytest
from study_support import frame

import stabcore as sc
from stabcore.analysis.effects import DIFFERENCE, EXPLAINED, RANK, effects, ways
from stabcore.figures.effects import (describe_effect)
from stabcore.inference import effect_sizes


@pytest.fixture(scope="module")
def data():
    return sc.Dataset.from_frame(frame(), target="outcome")


def test_directions_are_said_in_words_of_the_table(data):
    table = effects(data).set_index("feature")
    assert table.loc["a", "direction"] == f"higher in {data.classes[data.told_of]}"
    assert table.loc["stage", "kind"] == "category" and table.loc["stage", "level"] in ("early", "mid", "late")
    assert table.loc["stage",
                     "direction"].split(" in ")[0] in {f"{way} often {table.loc['stage', 'level']}" for way in ("more", "less")}
    assert table.loc["c", "known"] == 55 and (table["measure"] == DIFFERENCE).all()
    first = data.table.values[:, 0]
    medians = [np.median(first[data.target == c]) for c in (1 - data.told_of, data.told_of)]
    assert table.loc["a", "median"] == pytest.approx(medians[1] - medians[0]) and np.isnan(table.loc["stage", "median"])


@pytest.mark.parametrize("names, words", [(("no", "yes"), "outcome = yes"), (("0", "1"), "outcome = 1"), (("ill", "well"), "ill")])
def test_a_class_whose_name_says_nothing_alone_is_named_with_its_column(names, words):
    data = sc.Dataset.from_frame(frame().assign(outcome=np.resize(names, 60)), target="outcome")
    assert effects(data)["direction"].iloc[0].endswith(f" in {words}")
    assert set(ways(data).values()) <= {f"higher in {words}", f"lower in {words}", ""}


def test_the_level_that_differs_most_is_found_by_a_loop(data):
    f = data.features.index("stage")
    codes = data.table.values[:, f]
    each = [abs(effect_sizes.standardised_difference((codes == level)[:, None].astype(float), data.target)[0][0])
            for level in range(len(data.levels["stage"]))]
    assert effects(data).set_index("feature").loc["stage", "level"] == data.levels["stage"][int(np.argmax(each))]


def test_other_outcomes_have_their_own_measure():
    three = frame().assign(outcome=np.resize(["x", "y", "z"], 60))
    table = effects(sc.Dataset.from_frame(three, target="outcome"))
    assert (table["measure"] == EXPLAINED).all() and (table["direction"] == "").all() and "auc" not in table
    number = frame().assign(outcome=np.arange(60.0) + frame()["a"])
    table = effects(sc.Dataset.from_frame(number, target="outcome", target_as="number")).set_index("feature")
    assert (table["measure"] == RANK).all()
    assert table.loc["a", "direction"] in ("rises with outcome", "falls with outcome")


def test_shrunken_effects_lie_nearer_to_0_and_are_given_where_estimates_are_near_normal(data):
    table = effects(data).set_index("feature")
    assert np.isnan(table.loc["stage", "shrunken"]), "the level that differs most is not near normal"
    numbers = table.drop(index="stage")
    assert numbers["shrunken"].abs().mean() < numbers["effect"].abs().mean()
    assert (numbers["shrunken_low"] <= numbers["shrunken"]).all() and (numbers["shrunken"] <= numbers["shrunken_high"]).all()
    three = effects(sc.Dataset.from_frame(frame().assign(outcome=np.resize(["x", "y", "z"], 60)), target="outcome"))
    assert three["shrunken"].isna().all()
    number = frame().assign(outcome=np.arange(60.0) + 20 * frame()["a"])
    ranked = effects(sc.Dataset.from_frame(number, target="outcome", target_as="number")).set_index("feature")
    assert 0 < ranked.loc["a", "shrunken"] < ranked.loc["a", "effect"] < 1 and ranked.loc["a", "shrunken_high"] < 1


def test_ways_are_words_that_features_share():
    rng = np.random.default_rng(2)
    outcome = np.arange(60) % 2
    frame = pd.DataFrame({"up": rng.normal(size=60) + 3 * outcome, "down": rng.normal(size=60) - 3 * outcome,
                          "outcome": np.where(outcome, "well", "sick")})
    assert ways(sc.Dataset.from_frame(frame, target="outcome")) == {"up": "lower in sick", "down": "higher in sick"}
    numbers = frame.assign(outcome=outcome + 0.1 * rng.normal(size=60))
    assert ways(sc.Dataset.from_frame(numbers, target="outcome")) == {"up": "rises with outcome", "down": "falls with outcome"}
    three = frame.assign(outcome=np.array(["x", "y", "z"])[np.arange(60) % 3])
    assert ways(sc.Dataset.from_frame(three, target="outcome")) == {}


def test_rows_of_one_patient_are_not_so_many_patients():
    """The same rows twice are as sure of their effects as once, if they are said to be of one patient."""
    once = frame().assign(who=[f"p{i}" for i in range(60)])
    twice = pd.concat([once, once], ignore_index=True)
    width = {}
    for name, table, patient in (("once", once, None), ("twice", twice, None), ("of patients", twice, "who")):
        data = sc.Dataset.from_frame(table, target="outcome", exclude=["who"] if patient is None else [], same_patient=patient)
        row = effects(data).set_index("feature").loc["a"]
        width[name] = row["high"] - row["low"]
    assert width["of patients"] == pytest.approx(width["once"], rel=0.1) and width["twice"] < 0.8 * width["once"]


def test_what_tells_the_classes_perfectly_apart_goes_a_way_although_its_difference_divides_by_nothing():
    ill = np.repeat([True, False], 8)
    frame = pd.DataFrame({"sex": np.where(ill, "w", "m"), "x": np.arange(16.0), "outcome": np.where(ill, "ill", "well")})
    data = sc.Dataset.from_frame(frame, target="outcome")
    table = effects(data).set_index("feature")
    assert np.isnan(table.loc["sex", "effect"]) and table.loc["sex", "direction"] == "more often w in ill"
    assert describe_effect(table.reset_index().iloc[0]).startswith("sex is more often w in ill (AUC 1.00)")
    assert ways(data)["sex"] == "higher in ill"
