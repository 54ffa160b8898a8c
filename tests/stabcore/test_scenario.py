"""Scenarios: the same settings always make the same C, through JSON and back, and say in words what they make."""

import json

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.scenario import BASES, Scenario

NAMES = ("ALT", "AST", "age", "sex")
GROUPS = {"liver": ["ALT", "AST"]}


def correlations(threshold=0.0):
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    frame = pd.DataFrame({"ALT": x, "AST": x + 0.3 * rng.normal(size=50), "age": rng.normal(size=50), "sex": -x}, columns=NAMES)
    return sc.Relation.from_correlation(frame, threshold=0.0, binary=False)


def C_of(scenario, source=correlations):
    return scenario.build(NAMES, source).block(range(4))


def test_each_base_makes_its_relation():
    assert C_of(Scenario()).tolist() == np.eye(4).tolist()
    assert Scenario("groups", GROUPS).build(NAMES).groups == GROUPS
    rho = correlations().block(range(4))
    assert C_of(Scenario("correlation", threshold=0.9, binary=False)) == pytest.approx(np.where(rho >= 0.9, rho, 0))
    assert C_of(Scenario("correlation", threshold=0.9)).tolist() == (rho >= 0.9).astype(float).tolist()
    for base in BASES:
        assert Scenario(base, GROUPS).build(NAMES, correlations).names == NAMES


def test_edits_lie_on_top_of_every_base_and_threshold():
    for base in BASES:
        C = C_of(Scenario(base, GROUPS, threshold=0.99, edits=(("ALT", "age", 0.25), ("AST", "ALT", 0.0))))
        assert C[0, 2] == C[2, 0] == 0.25 and C[0, 1] == C[1, 0] == 0


def test_correlations_are_asked_for_only_when_needed():
    def never():
        raise AssertionError("computed for nothing")

    for base in ("none", "groups"):
        Scenario(base, GROUPS).build(NAMES, never)
    with pytest.raises(sc.InputError, match="Correlations need the data table"):
        Scenario("correlation").build(NAMES)


def test_settings_survive_json_and_come_back_equal():
    scenario = Scenario("correlation", GROUPS, "pearson", 0.35, False, (("ALT", "sex", 0.5),))
    again = Scenario.of(json.loads(json.dumps(scenario.settings())))
    assert again == scenario and (C_of(again) == C_of(scenario)).all()
    assert Scenario.of(None) == Scenario.of({}) == Scenario()
    assert Scenario.of({"edits": [["ALT", "sex", 1]]}).edits == (("ALT", "sex", 1.0),)


def test_a_pair_set_again_replaces_the_earlier_value_whichever_way_round():
    scenario = Scenario().with_edits({("ALT", "AST"): 1, ("age", "sex"): 0.5}).with_edits({("AST", "ALT"): 0.25})
    assert scenario.edits == (("AST", "ALT", 0.25), ("age", "sex", 0.5))
    assert C_of(scenario)[0, 1] == 0.25
    by_file = Scenario.of({"edits": [["ALT", "AST", 1], ["AST", "ALT", 0.25]]})       # both ways round, from elsewhere
    assert C_of(by_file)[0, 1] == 0.25


def test_with_edits_leaves_the_scenario_it_starts_from_alone():
    first = Scenario(groups=GROUPS)
    first.with_edits({("ALT", "AST"): 1.0})
    assert first == Scenario(groups=GROUPS)


@pytest.mark.parametrize("scenario, said", [
    (Scenario(), "Every feature stands for itself only: 0 related pairs."),
    (Scenario("groups", GROUPS), "The members of 1 group stand for each other: 1 related pair."),
    (Scenario("groups", {**GROUPS, "rest": ["age", "sex"]}, edits=(("ALT", "AST", 0.0),)),
     "The members of 2 groups stand for each other, 1 pair set by hand: 1 related pair."),
    (Scenario("correlation", threshold=0.9, edits=(("ALT", "age", 1.0), ("age", "sex", 1.0))),
     "Features with |ρ| ≥ 0.90 stand for each other fully, 2 pairs set by hand: 5 related pairs."),
    (Scenario("correlation", threshold=0.9, binary=False),
     "Features with |ρ| ≥ 0.90 stand for each other by |ρ|: 3 related pairs."),
])
def test_the_sentence_says_what_was_built(scenario, said):
    assert scenario.sentence(scenario.build(NAMES, correlations)) == said


@pytest.mark.parametrize("scenario, said", [
    (Scenario("no such base"), "no way 'no such base' .*Choose one of: none, groups, correlation"),
    (Scenario("groups", {"g": ["ALT", "gone"]}), "Group 'g' names features that are not among the 4 known: 'gone'"),
    (Scenario(edits=(("ALT", "gone", 1.0),)), "The edit names features that are not among the 4 known: 'gone'"),
    (Scenario(edits=(("ALT", "AST", 2.0),)), "'ALT' and 'AST' was set to 2.0"),
    (Scenario("correlation", threshold=2), "between 0 and 1; found 2"),
])
def test_what_cannot_be_built_gets_a_sentence(scenario, said):
    with pytest.raises(sc.InputError, match=said):
        scenario.build(NAMES, correlations)
