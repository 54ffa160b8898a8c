"""Scenarios: the C of their settings, JSON, edits, and sentences."""

import json

import numpy as np
import pandas as pd
import pytest
from snapshot_support import check_refusals, check_snapshot

import stabcore as sc
from stabcore.similarity.scenario import BASES, Scenario, edits_from_cells, edits_from_rows

NAMES = ("ALT", "AST", "age", "sex")
GROUPS = {"liver": ["ALT", "AST"]}


def correlations():
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    frame = pd.DataFrame({"ALT": x, "AST": x + 0.3 * rng.normal(size=50), "age": rng.normal(size=50), "sex": -x}, columns=NAMES)
    return sc.Similarity.from_correlation(frame, threshold=0.0, binary=False)


def C_of(scenario):
    return scenario.build_similarity(NAMES, correlations()).block(range(4))


def test_each_base_makes_its_similarity():
    assert C_of(Scenario()).tolist() == np.eye(4).tolist()
    assert Scenario("groups", GROUPS).build_similarity(NAMES).groups == GROUPS
    rho = correlations().block(range(4))
    assert C_of(Scenario("correlation", threshold=0.9, binary=False)) == pytest.approx(np.where(rho >= 0.9, rho, 0))
    assert C_of(Scenario("correlation", threshold=0.9)).tolist() == (rho >= 0.9).astype(float).tolist()
    for base in BASES:
        assert Scenario(base, GROUPS).build_similarity(NAMES, correlations()).names == NAMES


def test_edits_override_every_base_and_threshold():
    for base in BASES:
        C = C_of(Scenario(base, GROUPS, threshold=0.99, edits=(("ALT", "age", 0.25), ("AST", "ALT", 0.0))))
        assert C[0, 2] == C[2, 0] == 0.25 and C[0, 1] == C[1, 0] == 0


def test_settings_survive_json():
    scenario = Scenario("correlation", GROUPS, "pearson", 0.35, False, (("ALT", "sex", 0.5),))
    again = Scenario.of(json.loads(json.dumps(scenario.settings())))
    assert again == scenario and (C_of(again) == C_of(scenario)).all()
    assert Scenario.of(None) == Scenario.of({}) == Scenario()
    assert Scenario.of({"edits": [["ALT", "sex", 1]]}).edits == (("ALT", "sex", 1.0),)


def test_a_later_edit_of_a_pair_replaces_the_earlier_one():
    scenario = Scenario().with_edits({("ALT", "AST"): 1, ("age", "sex"): 0.5}).with_edits({("AST", "ALT"): 0.25})
    assert scenario.edits == (("AST", "ALT", 0.25), ("age", "sex", 0.5))
    assert C_of(scenario)[0, 1] == 0.25
    by_file = Scenario.of({"edits": [["ALT", "AST", 1], ["AST", "ALT", 0.25]]})  # both orders, as other programs may write them
    assert C_of(by_file)[0, 1] == 0.25


def test_sentences_describe_scenarios():
    scenarios = [
        Scenario(),
        Scenario("groups", GROUPS),
        Scenario("groups", {**GROUPS, "rest": ["age", "sex"]}, edits=(("ALT", "AST", 0.0),)),
        Scenario("correlation", threshold=0.9, edits=(("ALT", "age", 1.0), ("age", "sex", 1.0))),
        Scenario("correlation", method="kendall", threshold=0.9, binary=False),
        *(Scenario("matrix", matrix=name) for name in ("c.csv", "")),
    ]
    sentences = [scenario.sentence(scenario.build_similarity(NAMES, correlations())) for scenario in scenarios]
    check_snapshot("similarity/scenarios", "\n".join(sentences))


def test_invalid_scenarios_are_refused():
    cases = [
        Scenario("no such base"),
        Scenario("groups", {"g": ["ALT", "gone"]}),
        Scenario(edits=(("ALT", "gone", 1.0),)),
        Scenario(edits=(("ALT", "AST", 2.0),)),
        Scenario("correlation", threshold=2),
    ]
    check_refusals("similarity/wrong_scenarios", C_of, cases)


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.3, 0.7, 1.0])
def test_cut_equals_thresholding(threshold, binary):
    X = np.random.default_rng(3).normal(size=(9, 30))
    X[:, 4] = X[:, 7]
    X[:, 5] = 1  # an empty row, because it correlates with nothing
    X[:, 29] = 1
    uncut = sc.Similarity.from_correlation(X, threshold=0.0, binary=False, names=[f"f{i}" for i in range(30)])
    cut = Scenario("correlation", threshold=threshold, binary=binary).build_similarity(uncut.names, uncut)
    expected = uncut.thresholded(threshold, binary=binary)
    assert (cut.block(range(30)) == expected.block(range(30))).all() and cut.n_related == expected.n_related
    assert cut.total == pytest.approx(expected.total) and cut.extra.has_canonical_format


def test_a_new_group_takes_its_members_from_the_others():
    scenario = Scenario(groups={"a": ["ALT", "AST", "age"], "b": ["sex"]}).with_group("new", ["AST", "sex"])
    assert scenario.groups == {"a": ["ALT", "age"], "new": ["AST", "sex"]}
    assert scenario.with_group("new", ["ALT", "AST"]).groups == {"new": ["ALT", "AST"]}
    assert Scenario("groups", scenario.groups).build_similarity(NAMES).n_related == 2


def test_unknown_features_can_be_found_and_removed():
    scenario = Scenario("groups", {"g": ["ALT", "old"], "h": ["older"]}, edits=(("ALT", "AST", 1.0), ("age", "oldest", 0.5)))
    assert scenario.unknown_names(NAMES) == ["old", "older", "oldest"]
    reduced = scenario.limited_to(NAMES)
    assert reduced.groups == {"g": ["ALT"]} and reduced.edits == (("ALT", "AST", 1.0),) and reduced.unknown_names(NAMES) == []
    reduced.build_similarity(NAMES)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([], ()),
        ([("ALT", "AST", 0.5), ("age", " sex ", "0")], (("ALT", "AST", 0.5), ("age", "sex", 0.0))),
        ([("ALT", "AST", 1), (None, None, float("nan")), ("", " ", None)], (("ALT", "AST", 1.0),)),
        ([("ALT", "AST", 0.5), ("AST", "ALT", 0.5)], (("ALT", "AST", 0.5),)),
    ],
)
def test_pairs_typed_by_hand_become_edits(rows, found):
    assert edits_from_rows(rows, NAMES) == found
    assert Scenario(edits=found).build_similarity(NAMES).n_related == sum(v > 0 for *_, v in found)


def test_wrong_pairs_and_cells_are_refused_with_their_place():
    cases = [
        *([("ALT", None, 0.5)], [("ALT", "AST", None)], [("ALT", "AST", float("nan"))], [("ALT", "AST", 1), ("ALT", "AGE", 1)]),
        *([("ALT", "ATS", 1)], [("ALT", "ALT", 1)]),
        *([("ALT", "AST", value)] for value in (1.5, -0.1, "much", float("inf"))),
        [("ALT", "AST", 1), ("AST", "ALT", 0.5)],
    ]
    check_refusals("similarity/wrong_pairs", lambda rows: edits_from_rows(rows, NAMES), cases)
    cases = [
        *({("a", "b"): 7}, {("a", "b"): -0.1}, {("a", "a"): 0}, {("a", "b"): None}, {("a", "b"): float("nan")}),
        {("a", "b"): 0.5, ("b", "a"): 0.25},
    ]
    check_refusals("similarity/wrong_cells", edits_from_cells, cases)
