"""Stored values of other programs, and every intended difference from them."""

import numpy as np
import pytest
from measure_support import NOT_OF_PAIRS, SIMULATED, agrees, by_two_sets, key_of, question, runs_of, takes
from support import golden, slow, stored_reference

import stabcore as sc
from stabcore.measures import chance, effective, information, overlap, similarity_adjusted
from stabcore.measures.catalog import BY_KEY


def similarity_of(sim, d, threshold=0.0):
    """The similarity that a record of reference values describes."""
    i, j = np.indices((d, d))
    if sim["type"] == "groups":
        C = np.eye(d)
        for group in sim["groups_0based"]:
            C[np.ix_(group, group)] = sim["within"]
        np.fill_diagonal(C, 1)
    else:
        C = {
            "identity": lambda: np.eye(d),
            "power": lambda: sim["base"] ** abs(i - j),
            "ones": lambda: np.ones((d, d)),
            "matrix": lambda: np.array(sim["values"]),
        }[sim["type"]]()
    return sc.Similarity.from_matrix(C, threshold=threshold)


@pytest.mark.parametrize(
    ("read", "least"),
    [(lambda: stored_reference("stabm.json"), 200), slow(lambda: golden("stabm.json")["scenarios"], 1357)],
    ids=["carried", "all"],
)
def test_all_measures_equal_stabm(read, least):
    """Each intended difference is tested below."""
    compared, wrong = 0, []
    for case in read():
        runs = sc.Selections.from_lists(case["sets_0based"], n_features=case["d"])
        similarity = similarity_of(case["sim"], case["d"], case["threshold"])
        for record in case["values"]:
            key = key_of(record)
            options = question(key, record)
            if key in NOT_OF_PAIRS and record["correction"] in ("exact", *SIMULATED):  # TRAP 5, stabm still uses its own formula
                theirs = by_two_sets(key, runs, options.get("penalty", 0), record.get("impute_na"))
                wanted = record["value"] if record["status"] == "ok" else np.nan
                good = np.isclose(theirs, wanted, rtol=1e-9, atol=6 * (record.get("se") or 0) + 1e-12, equal_nan=True)
            elif key == "yu" and record["correction"] == "none" and record["status"] == "na":
                continue
            else:
                found = sc.stability(runs, key, similarity=similarity, interval="jackknife", **options)
                theirs, good = found.value, agrees(found, record)
            compared += 1
            if not good:
                wrong.append((case["name"], key, record["correction"], record["value"], theirs))
    assert not wrong, wrong
    assert compared >= least


def check_nogueira(cases):
    for case in cases:
        found = sc.stability(runs_of(case["Z"]), interval="published")
        if case["stability"] is None:
            assert np.isnan(found.value) and found.reason
            continue
        assert found.value == pytest.approx(case["stability"], rel=1e-9, abs=1e-12)
        if found.n_runs > 2:
            assert found.se**2 == pytest.approx(case["variance"], rel=1e-9, abs=1e-14)
            for alpha, interval in case["ci"].items():
                estimate = sc.stability(runs_of(case["Z"]), level=1 - float(alpha), interval="published")
                assert (estimate.low, estimate.high) == pytest.approx((interval["lower"], interval["upper"]), rel=1e-6, abs=1e-9)


def test_nogueira_equals_the_package_of_its_authors():
    cases = stored_reference("nogueira.json")
    check_nogueira([{**case, "ci": {"0.05": case["interval_95"]} if "interval_95" in case else {}} for case in cases])


def test_nogueira_equals_every_value_and_test_of_its_authors():
    cases = [case for case in golden("nogueira.json")["cases"] if "stability" in case]
    check_nogueira(cases)
    for case in cases:
        found = sc.stability(runs_of(case["Z"]), interval="published")
        for level, test in case["hypothesisTestV"].items() if found.n_runs > 2 else ():
            if test.get("V") is not None:
                V = (found.value - float(level)) / found.se
                assert pytest.approx(test["V"], rel=1e-9) == V
                assert found.p_value(float(level)) == pytest.approx(test["p_value"], rel=1e-6, abs=1e-12)
        for test in case.get("hypothesisTestT", {}).values():
            if test.get("T") is not None:
                both = sc.compare(runs_of(case["Z2"]), runs_of(case["Z"]), paired=False, interval="published")
                assert abs(both.difference / both.se) == pytest.approx(abs(test["T"]), rel=1e-9)
                assert both.p_value == pytest.approx(test["p_value"], rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    ("read", "names"),
    [
        (lambda: stored_reference("effective.json"), ("octave", "stabm")),
        (lambda: golden("sechidis.json")["cases"], ("effective_stability_octave", "effective_stability_stabm")),
    ],
    ids=["carried", "all"],
)
def test_effective_equals_the_function_of_its_authors_and_stabm(read, names):
    cases = [case for case in read() if case["name"] not in ("tutorial_typo_asymmetric_C", "all_ones_C_constk")]
    assert len(cases) > 5
    for case in cases:
        found = sc.stability(runs_of(case["Z"]), "effective", similarity=sc.Similarity.from_matrix(case["C"]))
        for theirs in (case[name] for name in names):
            if theirs is None:
                assert np.isnan(found.value) and found.reason
            else:
                assert found.value == pytest.approx(theirs, rel=1e-9, abs=1e-11), case["name"]


def test_effective_with_equal_sizes_is_undefined_if_all_are_similar():
    case = next(c for c in stored_reference("effective.json") if c["name"] == "all_ones_C_constk")
    assert abs(case["octave"] - case["stabm"]) > 1  # 0/0 up to rounding
    found = sc.stability(runs_of(case["Z"]), "effective", similarity=sc.Similarity.from_matrix(case["C"]))
    assert np.isnan(found.value) and found.reason


@pytest.mark.parametrize(
    "read",
    [lambda: stored_reference("shared_information.json"), lambda: golden("shared_information.json")["cases"]],
    ids=["carried", "all"],
)
def test_shared_information_equals_the_scripts_of_its_authors(read):
    for case in read():
        given = np.abs(case["importances"])
        C = np.abs(case["corr"])
        np.fill_diagonal(C, 1)
        runs, similarity, alone = sc.Selections.from_weights(given), sc.Similarity.from_matrix(C), sc.Similarity.identity(len(C))
        equal = sc.Selections.from_weights((given > 0).astype(float))
        found = {
            "phi_msi": information.shared_information(runs, similarity, corrected=False),
            "phi_msi_identity": information.shared_information(runs, alone, corrected=False),
            "phi_msi_uniform_importance": information.shared_information(equal, similarity, corrected=False),
            "phi_msi_uniform_identity": information.shared_information(equal, alone, corrected=False),
            "phi_pears": BY_KEY["pearson_weights"].function(runs),
            "phi_C_sechidis_absC": effective.effective(equal, similarity),
            "phi": chance.nogueira(equal),
            "POGR_thr0.5_absC": similarity_adjusted.pogr(equal, similarity, threshold=0.5, undefined=0),
        }
        for name, value in found.items():
            if case.get(name) is not None:
                assert value == pytest.approx(case[name], rel=1e-6, abs=1e-9), (case["name"], name)


def test_pearson_weights_equals_the_scripts_of_hamer_and_dupont():
    for case in stored_reference("pearson.json"):
        runs = sc.Selections.from_weights(np.abs(case["importances"]))
        of_all = sc.stability(sc.Selections.from_scores(np.abs(case["importances"])), "pearson_scores")
        for found in (sc.stability(runs, "pearson_weights"), of_all):  # the weights include all features
            if case["value"] is None:
                assert np.isnan(found.value) and found.reason
            else:
                assert found.value == pytest.approx(case["value"], rel=1e-9, abs=1e-11)


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
            key = key_of(record)
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
