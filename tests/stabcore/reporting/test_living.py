"""Interactive part of a report: values of the core, and names that stay text."""

import json
import re

import numpy as np
import pandas as pd
import pytest
import study_support
from report_support import run

import stabcore as sc
from stabcore.inference.panel_rule import PanelRule
from stabcore.reporting.limitations import limitation_sentences
from stabcore.reporting.living import ERROR_LIMITS, MAX_PAIRS, interactive_values
from stabcore.reporting.make import page
from stabcore.reporting.page import script_json
from stabcore.reporting.subject import Subject
from stabcore.similarity.scenario import Scenario

GROUPS = {"one": ["a", "b"], "two": ["c", "d"]}


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A study by complementary pairs, with shuffles."""
    data, plan = study_support.data(), sc.ComplementaryPairs(4)
    study = sc.Study(data, ["mim", "welch_t"], plan=plan, k=3, random_state=5, n_permutations=3, permutation_runs=4)
    result = run(study, tmp_path_factory.mktemp("living") / "a.stab")
    scenario = Scenario(base="correlation", threshold=0.305, groups=GROUPS)
    basis = sc.Similarity.from_correlation(data, threshold=0, binary=False)
    return Subject(result, scenario.build_similarity(result.features, basis), scenario, data=data)


@pytest.fixture(scope="module")
def values(judged):
    return interactive_values(judged, {"mine": judged.similarity})


def test_living_curves_match_the_screens(judged, values):
    part, result, data = values["thresholds"], judged.result.as_compared(), judged.data
    assert part["at"][part["chosen"]] == 0.305 and len(part["at"]) == 102
    assert values["sizes"][values["size"]].startswith("3 ")
    for place, k in enumerate((1, 2, None)):
        for label in values["selectors"]:
            curve = sc.whatif.threshold_curve(result.selections(label, k), data, thresholds=part["at"], level=0.95)
            held = part["curves"][place][label]
            for name in ("value", "low", "high"):
                assert np.allclose(np.array(held[name], dtype=float), curve[name], atol=5.1e-5, equal_nan=True)
        here = sc.Similarity.from_correlation(data, threshold=0.3)
        floor = result.noise_floor("effective", similarity=here, k=k).loc[label]
        step = part["at"].index(0.3)
        assert held["floor"][step] == pytest.approx(floor["floor"], abs=5.1e-5) and held["clear"][step] == floor["clear"]
        assert held["text"][step] == f"{floor['beyond']:+.2f}".replace("0.", ".").replace("-", "−")


def test_living_report_holds_all_pairs(judged, values):
    part = values["thresholds"]
    for threshold in (0.0, 0.1, 0.305, 0.5):
        step = part["at"].index(threshold)
        listed = [pair for entering in part["entering"][step:] for pair in entering]
        found = sc.Similarity.from_correlation(judged.data, threshold=threshold, binary=False).pairs(None)
        assert {(values["features"][a], values["features"][b]) for a, b, _ in listed} == set(
            zip(found["feature_a"], found["feature_b"], strict=True)
        )
        assert sum(rho for *_, rho in listed) == pytest.approx(found["value"].sum(), abs=1e-3)
        assert f"({len(found)} pair" in part["findings"][values["size"]][step]
    assert part["listed"] == 0 and not values["left_out"] and len(listed) < MAX_PAIRS


def test_living_profile_matches_the_screens(judged, values):
    part, result = values["profile"], judged.result.as_compared()
    assert part["k"] == [1, 2, 3]
    floors = result.noise_floor(k=2)
    for label in values["selectors"]:
        held, at = part["curves"][label], part["curves"][label]["k"].index(2)
        curve = sc.stability_profile(result.selections(label), sizes=held["k"], baseline=False)
        assert np.allclose(held["value"], curve["value"], atol=5.1e-5)
        assert [held[name][at] for name in ("value", "floor")] == pytest.approx(floors.loc[label, ["value", "floor"]], abs=5.1e-5)
        assert held["text"][at] == f"{floors['beyond'][label]:+.2f}".replace("0.", ".").replace("-", "−")


def test_correlations_limit_a_report_only_if_features_are_similar(judged):
    """The sentence of the limitations, with a threshold that no pair reaches, and with one that a pair does."""
    basis = sc.Similarity.from_correlation(judged.data, threshold=0, binary=False)
    counts = []
    for threshold in (1.0, 0.3):
        scenario = Scenario(base="correlation", threshold=threshold)
        subject = Subject(judged.result, scenario.build_similarity(judged.result.features, basis), scenario, data=judged.data)
        counts += [subject.similarity.n_related, sum("in the same rows" in limit for limit in limitation_sentences(subject))]
    assert counts[:2] == [0, 0] and counts[2] > 0 and counts[3] == 1


@pytest.mark.parametrize("who", [0, 1, 2])
def test_living_panels_match_the_core(judged, values, who):
    part = values["panel"]
    labels = values["selectors"] if who == 0 else [part["whose"][who]]
    for place, k in enumerate((1, 2, None)):
        table = part["tables"][who][place]
        for entry, share in list(zip(table["at"], part["shares"], strict=True))[::3]:
            whole = sc.panel(judged.result, threshold=share, k=k, selectors=labels, with_substitutes=False)
            shown = whole.head(len(table["feature"]))
            assert [values["features"][i] for i in table["feature"]] == shown["feature"].tolist()
            assert entry["size"] == whole["in_panel"].sum() and whole["in_panel"].head(entry["size"]).all()
            assert np.allclose(table["frequency"], shown["frequency"], atol=5.1e-5)
            if who == 0:
                assert entry["approval"] == shown["approval"].tolist()


def test_living_limits_on_false_features_match_the_core(judged, values):
    for who, labels in enumerate([values["selectors"], *([label] for label in values["selectors"])]):
        for value in values["panel"]["targets"][who]:
            assert [limit["value"] for limit in value["limits"]] == list(ERROR_LIMITS[value["kind"]])
            rows = [values["features"][i] for i in value["table"]["feature"]]
            for limit in value["limits"]:
                table = sc.panel(judged.result, selectors=labels, with_substitutes=False, **{value["kind"]: limit["value"]})
                members = table.loc[table["in_panel"], "feature"].tolist()
                assert [values["features"][i] for i in limit["members"]] == members and set(members) <= set(rows)


def test_living_scenarios_match_the_core(judged, values):
    part, features = values["scenarios"], judged.result.features
    groups = sc.Similarity.from_groups(GROUPS, names=features)
    expected = {
        "No similar features": sc.Similarity.identity(len(features), features),
        "As in this report": judged.similarity,
        "mine": judged.similarity,
        "All groups": groups,
        "Only the group one": groups.with_groups(["one"]),
        "All groups without one": groups.with_groups(["two"]),
    }
    assert set(part["names"]) == {*expected, "Only the group two", "All groups without two"} and part["chosen"] == 1
    for name, C in expected.items():
        held = part["each"][part["names"].index(name)]
        floors = judged.compared.noise_floor("effective", similarity=C).loc[[values["selectors"][i] for i in held["selector"]]]
        for column in ("value", "low", "high", "floor", "floor_low", "floor_high"):
            assert np.allclose(np.array(held[column], dtype=float), floors[column], atol=5.1e-5, equal_nan=True)
        assert held["clear"] == floors["clear"].astype(int).tolist()
        assert part["pairs"][part["names"].index(name)].startswith(str(C.n_related))


def test_living_maps_hold_runs_and_importances(judged, values):
    for label, held in zip(values["selectors"], values["maps"], strict=True):
        runs = judged.result.selections(label)
        features = [judged.result.features.index(values["features"][i]) for i in held["feature"]]
        for feature, places, frequency in zip(features, held["selected"], held["frequency"], strict=True):
            assert np.array_equal(places, np.flatnonzero(runs.selected[:, feature]))
            assert frequency == pytest.approx(runs.frequencies[feature], abs=5.1e-5)
        segments = pd.DataFrame(held["segments"])
        assert np.allclose(segments.groupby("run")["share"].sum(), 1, atol=1e-3) and held["others"] == 0


def test_living_controls_start_at_the_rule_of_the_report(judged):
    asked = Subject(judged.result, judged.similarity, data=judged.data, asked=PanelRule("max_false", 1.7))
    part = interactive_values(asked)["panel"]
    limits = part["targets"][0][0]
    assert part["kind"] == limits["kind"] == "max_false" and 1.7 in [limit["value"] for limit in limits["limits"]]


def test_names_never_become_markup():
    name = "</script><img src=x onerror=alert(1)>\u2028"
    text = script_json({"features": [name]})
    assert "<" not in text and text.isascii() and json.loads(text)["features"] == [name]
    with pytest.raises(ValueError, match="JSON compliant"):
        script_json([np.nan])


def test_living_part_needs_the_figures(judged, values):
    assert 'id="living-values"' not in page(judged, [8])
    without = page(judged, [7], ["panel"], interactive=False)
    assert "living-values" not in without and "Change the assumptions" not in without
    with_it = page(judged, [7], ["panel"], scenarios={"mine": judged.similarity})
    script = re.search(r'<script type="application/json" id="living-values">(.*?)</script>', with_it, flags=re.DOTALL)[1]
    assert json.loads(script) == json.loads(script_json(values))
