"""Intended differences from stabm, one by one, and its degenerate input, case by case."""

import numpy as np
import pytest
from measure_support import NOT_OF_PAIRS, SIMULATED, STABM, agrees, by_two_sets, question, runs_of, takes
from support import golden

import stabcore as sc
from stabcore.measures import chance, overlap, similarity_adjusted
from stabcore.measures.catalog import BY_KEY


def test_davis_and_novovicova_are_corrected_by_all_sets_at_once():
    """stabm uses pairs (TRAP 5). test_slow.py enumerates the chance of all sets."""
    runs = sc.Selections.from_lists([[0, 1], [2, 3], [0, 4]], n_features=6)
    for key, ours, theirs in (("davis", -0.1753, -0.5882), ("novovicova", -0.2978, -0.1845)):
        assert BY_KEY[key].function(runs, corrected=True) == pytest.approx(ours, abs=5e-5)
        assert by_two_sets(key, runs, 0, None) == pytest.approx(theirs, abs=5e-5)


def test_yu_without_similar_features_is_kappa():
    """stabm computes unadjusted (TRAP 6). By the definition of Yu the largest value is (a + b)/2, not √(ab)."""
    runs, alone = sc.Selections.from_lists([[0, 1], [1, 2, 3, 4]], n_features=9), sc.Similarity.identity(9)
    ours, theirs = similarity_adjusted.yu(runs, alone), chance.unadjusted(runs)
    assert ours == pytest.approx(chance.kappa(runs), abs=1e-12) == pytest.approx((1 - 8 / 9) / (3 - 8 / 9))
    assert theirs == pytest.approx((1 - 8 / 9) / (np.sqrt(8) - 8 / 9)) and abs(ours - theirs) > 0.003


def test_a_similarity_of_0_is_not_similar_at_threshold_0():
    runs, alone = sc.Selections.from_lists([[0, 1], [2, 3, 4]], n_features=5), sc.Similarity.from_matrix(np.eye(5))
    theirs = {"intersection_count": (2, 0), "intersection_mbm": (2, 0), "intersection_greedy": (2, 0), "yu": (2.5, 1)}
    ours = {"yu": chance.kappa(runs)}
    for key, (raw, corrected) in theirs.items():
        function = BY_KEY[key].function
        assert function(runs, alone, corrected=False) == 0 != raw
        assert function(runs, alone) == pytest.approx(ours.get(key, chance.unadjusted(runs)), abs=1e-12) != corrected


def test_only_pairs_can_be_imputed():
    for matrix, theirs in ((np.zeros((3, 5)), 0), (np.ones((3, 5)), 1)):
        runs, similarity = runs_of(matrix), sc.Similarity.from_groups({"a": [0, 1]}, n_features=5)
        for key in ("nogueira", "effective", "somol", "davis", "novovicova"):
            found = sc.stability(runs, key, similarity=similarity, **({"corrected": True} if key in NOT_OF_PAIRS else {}))
            assert np.isnan(found.value) and found.reason and not takes(key, "undefined")
        assert overlap.jaccard(runs, corrected=True, undefined=theirs) == theirs


DEGENERATE = np.kron(np.eye(3), [[1, 0.95], [0.95, 1]])[:5, :5]


def differs_on_purpose(case, key, record):
    whole = case["impute_na"] is not None and not takes(key, "undefined")  # only pairs can be imputed
    raw_yu = key == "yu" and record["status"] == "na" and record["correction"] == "none"
    trap_6 = key == "yu" and "identity" in case["name"] and record["status"] == "na"
    zeros = (
        "_thr0" in case["name"]
        and "0.9" not in case["name"]
        and key.startswith(("yu", "intersection"))
        and (key != "intersection_mean" or "dense_groups" in case["name"])
    )
    diagonal = case["name"] in ("sim_all_below_threshold_incl_diagonal", "sim_zero_diagonal", "sim_sparse_last_diag_below_thr")
    return whole or raw_yu or trap_6 or zeros or diagonal


def test_degenerate_input_gives_the_values_of_stabm():
    compared, wrong = 0, []
    for case in golden("stabm_degenerate.json")["degenerate"]:
        name = case["name"]
        if (
            "sets_1based" not in case
            or name.startswith(("string", "index", "negative", "too_many"))
            or all(record["status"] == "error" for record in case["results"])
        ):
            continue
        matrix = np.eye(case["d"]) if "identity" in name or case["d"] != 5 else DEGENERATE
        similarity = sc.Similarity.from_matrix(matrix, threshold=case["threshold"])
        runs = sc.Selections.from_lists([np.array(chosen, dtype=int) - 1 for chosen in case["sets_1based"]], n_features=case["d"])
        for record in case["results"]:
            key = STABM[record["measure"].removeprefix("stability")]
            if differs_on_purpose(case, key, record):
                continue
            options = question(key, {**record, "impute_na": case["impute_na"]})
            found = sc.stability(
                runs,
                key,
                similarity=similarity,
                interval="jackknife",
                **{option: value for option, value in options.items() if takes(key, option)},
            )
            # simulated values of stabm have no error, ours and its enumerated ones are exact
            compared += 1
            if record["correction"] in SIMULATED and record["status"] == "ok":
                good = abs(found.value - record["value"]) < 0.05
            else:
                good = agrees(found, record)
            if not good:
                wrong.append((name, key, record["correction"], record["value"], found.value, found.reason))
    assert not wrong, wrong
    assert compared > 350
