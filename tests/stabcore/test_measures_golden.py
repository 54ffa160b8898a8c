"""Every value that other people's programs printed, and by name each place where we differ from them on purpose."""

from itertools import combinations

import numpy as np
import pytest
from measure_support import NOT_OF_PAIRS, STABM, relation_of, runs_of, takes
from scipy.stats import norm
from support import carried, golden

import stabcore as sc
from stabcore.measures import chance, information, overlap, similarity
from stabcore.measures.catalog import BY_KEY
from stabcore.measures.random_sets import random_pair

SIMULATED = ("estimate", "estimate_by_size")


def question(key, record):
    """The options that ask us what a record asked stabm."""
    options = {"penalty": record.get("penalty") or 0.0} if key == "davis" else {}
    if takes(key, "corrected") and record["correction"] != "builtin":
        options["corrected"] = record["correction"] != "none"
    if takes(key, "draws"):
        options["draws"] = 2000
    if takes(key, "undefined") and record.get("impute_na") is not None:
        options["undefined"] = record["impute_na"]
    return options


def agrees(found, record):
    """Is an Estimate what the record says: the value within what its simulation allows, or none and we say why?"""
    if record["status"] != "ok":
        return np.isnan(found.value) and bool(found.reason)
    noise = 0.0
    if record["correction"] in SIMULATED:
        noise = 6 * np.hypot(record.get("se") or 0.0, found.chance_error) + 1e-9
    return bool(np.isclose(found.value, record["value"], rtol=1e-9, atol=max(noise, 1e-12)))


def by_two_sets(key, runs, penalty, undefined):
    """`davis` or `novovicova` corrected as stabm does: pair by pair, by the expectation of two random sets."""
    d, n, most = runs.n_features, runs.n_runs, 1.0
    value = sc.stability(runs, key, **({"penalty": penalty} if key == "davis" else {})).value
    if key == "davis":
        most = max(1 - penalty / d, (n - 1) // 2 / n)

        def two(r, a, b, d):
            return np.maximum(0, (a + b) / 2 / (a + b - r) - penalty / d * (a + b) / 2)
    else:
        def two(r, a, b, d):
            return 2 * r / (a + b)
    pairs = []
    for a, b in combinations(runs.sizes, 2):
        expected = random_pair(two, a, b, d)[0] if a + b else np.nan
        pairs.append((value - expected) / (most - expected) if most - expected > 1e-12 else np.nan)
    return np.mean(np.where(np.isnan(pairs), np.nan if undefined is None else undefined, pairs))


def on_purpose(key, record, runs):
    """Where we do not follow stabm; each has a test of its own below."""
    corrected = record["correction"] in ("exact", *SIMULATED)
    return ((key in NOT_OF_PAIRS and corrected)                                     # TRAP 5
            or (key == "yu" and record["correction"] == "none" and record["status"] == "na"))


def check_stabm(scenarios):
    compared, wrong = 0, []
    for case in scenarios:
        runs = sc.Preferences.from_sets(case["sets_0based"], n_features=case["d"])
        relation = relation_of(case["sim"], case["d"], case["threshold"])
        for record in case["values"]:
            key = STABM[record["measure"].removeprefix("stability")]
            options = question(key, record)
            if on_purpose(key, record, runs):
                if record["correction"] == "exact" and record["status"] == "ok":
                    theirs = by_two_sets(key, runs, options.get("penalty", 0), record.get("impute_na"))
                    compared += 1
                    if theirs != pytest.approx(record["value"], rel=1e-9, abs=1e-12):
                        wrong.append((case["name"], key, "by two sets", record["value"], theirs))
                continue
            found = sc.stability(runs, key, relation=relation, interval="jackknife", **options)
            compared += 1
            if not agrees(found, record):
                wrong.append((case["name"], key, record["correction"], record["value"], found.value, found.reason))
    assert not wrong, wrong
    return compared


def test_all_measures_equal_stabm_on_the_carried_scenarios():
    assert check_stabm(carried("stabm.json")) > 200


def test_all_measures_equal_every_value_of_stabm():
    scenarios = golden("stabm.json")["scenarios"]
    assert check_stabm(scenarios) > 1150 and len(scenarios) == 26


def test_raw_values_of_single_pairs_equal_stabm():
    compared = 0
    for case in golden("stabm.json")["scenarios"]:
        for i, (a, b) in enumerate(case.get("pairs_1based", [])):
            sets = [case["sets_0based"][a - 1], case["sets_0based"][b - 1]]
            runs, relation = sc.Preferences.from_sets(sets, n_features=case["d"]), relation_of(case["sim"], case["d"], case["threshold"])
            for name, values in case["raw_pair_scores"].items():
                key = name.replace(".", "_")
                if key not in BY_KEY or values[i] is None:
                    continue
                found = BY_KEY[key].function(runs, relation, corrected=False)
                assert found == pytest.approx(values[i], rel=1e-9, abs=5e-5 if key == "zucknick" else 1e-4), (case["name"], a, b, key)
                compared += 1
    assert compared > 700


# ---- where we differ from stabm on purpose ----

def test_davis_and_novovicova_are_corrected_by_all_sets_at_once_where_stabm_takes_two():
    """TRAP 5: {1,2}, {3,4}, {1,5} of 6. Chance is that of three sets, by listing them all 0.4895 for davis."""
    runs = sc.Preferences.from_sets([[0, 1], [2, 3], [0, 4]], n_features=6)
    every = [sc.Preferences.from_sets([[0, 1], b, c], n_features=6) for b in combinations(range(6), 2) for c in combinations(range(6), 2)]
    for key, ours, theirs, expected in (("davis", -0.175, -0.588, 0.4895), ("novovicova", None, None, None)):
        listed = np.mean([BY_KEY[key].function(one) for one in every])
        raw, found = BY_KEY[key].function(runs), BY_KEY[key].function(runs, corrected=True)
        assert found == pytest.approx((raw - listed) / (1 - listed), abs=1e-12)
        assert found != pytest.approx(by_two_sets(key, runs, 0, None), abs=0.05)
        if ours:
            assert listed == pytest.approx(expected, abs=5e-5) and found == pytest.approx(ours, abs=5e-4)
            assert by_two_sets(key, runs, 0, None) == pytest.approx(theirs, abs=5e-4)


def test_davis_and_novovicova_of_two_sets_equal_stabm_which_expects_two():
    runs = sc.Preferences.from_sets([[0, 1, 2, 3, 5], [2, 4]], n_features=7)
    for key in NOT_OF_PAIRS:
        assert BY_KEY[key].function(runs, corrected=True) == pytest.approx(by_two_sets(key, runs, 0, None), abs=1e-12)


def test_davis_and_novovicova_need_no_pair_of_nonempty_runs_where_stabm_prints_na():
    runs = sc.Preferences.from_sets([[], [0, 1, 2], [], [0, 1, 2, 3]], n_features=7)
    for key in NOT_OF_PAIRS:
        assert np.isnan(by_two_sets(key, runs, 0, None)) and np.isfinite(BY_KEY[key].function(runs, corrected=True))


def test_davis_whose_largest_value_is_0_cannot_be_corrected_where_stabm_imputes_a_0():
    found = sc.stability(sc.Preferences.from_sets([[0, 1, 2], [1, 2, 3]], n_features=7), "davis", penalty=10, corrected=True)
    assert np.isnan(found.value) and found.reason


def test_yu_without_similar_features_is_kappa_where_stabm_computes_unadjusted():
    """TRAP 6, and Yu's own definition: (a + b)/2 is its largest value, not √(ab)."""
    runs, alone = sc.Preferences.from_sets([[0, 1], [1, 2, 3, 4]], n_features=9), sc.Relation.identity(9)
    ours, theirs = similarity.yu(runs, alone), chance.unadjusted(runs)
    assert ours == pytest.approx(chance.kappa(runs), abs=1e-12) == pytest.approx((1 - 8 / 9) / (3 - 8 / 9))
    assert theirs == pytest.approx((1 - 8 / 9) / (np.sqrt(8) - 8 / 9)) and abs(ours - theirs) > 0.003


def test_a_stored_0_is_not_similar_at_threshold_0_where_stabm_counts_every_feature_as_similar():
    runs, alone = sc.Preferences.from_sets([[0, 1], [2, 3, 4]], n_features=5), sc.Relation.from_matrix(np.eye(5))
    theirs = {"intersection_count": (2, 0), "intersection_mbm": (2, 0), "intersection_greedy": (2, 0), "yu": (2.5, 1)}
    ours = {"yu": chance.kappa(runs)}
    for key, (raw, corrected) in theirs.items():
        function = BY_KEY[key].function
        assert function(runs, alone, corrected=False) == 0 != raw
        assert function(runs, alone) == pytest.approx(ours.get(key, chance.unadjusted(runs)), abs=1e-12) != corrected


def test_the_raw_amount_of_yu_for_two_empty_runs_is_0_where_stabm_prints_na():
    """It is an amount, nothing is divided: as for the four intersection measures, of which stabm prints 0."""
    runs = sc.Preferences.from_sets([[], [], []], n_features=5)
    assert similarity.yu(runs, sc.Relation.identity(5), corrected=False) == 0
    assert similarity.intersection_count(runs, sc.Relation.identity(5), corrected=False) == 0


def test_only_pairs_can_be_imputed_where_stabm_puts_a_number_for_the_whole_measure():
    for matrix, theirs in ((np.zeros((3, 5)), 0), (np.ones((3, 5)), 1)):
        runs, relation = runs_of(matrix), sc.Relation.from_groups({"a": [0, 1]}, n_features=5)
        for key in ("nogueira", "effective", "somol", "davis", "novovicova"):
            found = sc.stability(runs, key, relation=relation, **({"corrected": True} if key in NOT_OF_PAIRS else {}))
            assert np.isnan(found.value) and found.reason and not takes(key, "undefined")
        assert overlap.jaccard(runs, corrected=True, undefined=theirs) == theirs


def test_relations_that_stabm_takes_and_we_refuse():
    zero_diagonal, shrunk = np.eye(5) - np.diag([0, 0, 0, 0, 1.0]), np.eye(4)
    with pytest.raises(sc.InputError, match="diagonal"):
        sc.Relation.from_matrix(zero_diagonal)              # stabm: effective of {1,2}, {2,3} is 1 on a zero diagonal, for us −0.029
    runs = sc.Preferences.from_sets([[0, 1], [1, 2]], n_features=5)
    with pytest.raises(sc.InputError, match="4 features, the runs are about 5"):
        sc.stability(runs, "effective", relation=sc.Relation.from_matrix(shrunk))


DEGENERATE = np.kron(np.eye(3), [[1, 0.95], [0.95, 1]])[:5, :5]


def differs_on_purpose(case, key, record):
    whole = case["impute_na"] is not None and not takes(key, "undefined")           # only pairs can be imputed
    raw_yu = key == "yu" and record["status"] == "na" and record["correction"] == "none"
    trap_6 = key == "yu" and "identity" in case["name"] and record["status"] == "na"
    zeros = "_thr0" in case["name"] and "0.9" not in case["name"] and key.startswith(("yu", "intersection")) and (
        key != "intersection_mean" or "dense_groups" in case["name"])
    diagonal = case["name"] in ("sim_all_below_threshold_incl_diagonal", "sim_zero_diagonal", "sim_sparse_last_diag_below_thr")
    return whole or raw_yu or trap_6 or zeros or diagonal


def test_degenerate_input_gets_the_answers_of_stabm():
    compared, wrong = 0, []
    for case in golden("stabm_degenerate.json")["degenerate"]:
        name = case["name"]
        if "sets_1based" not in case or name.startswith(("string", "index", "negative", "too_many")) or all(
                record["status"] == "error" for record in case["results"]):
            continue
        matrix = np.eye(case["d"]) if "identity" in name or case["d"] != 5 else DEGENERATE
        relation = sc.Relation.from_matrix(matrix, threshold=case["threshold"])
        runs = sc.Preferences.from_sets([np.array(one, dtype=int) - 1 for one in case["sets_1based"]], n_features=case["d"])
        for record in case["results"]:
            key = STABM[record["measure"].removeprefix("stability")]
            if differs_on_purpose(case, key, record):
                continue
            options = question(key, {**record, "impute_na": case["impute_na"]})
            found = sc.stability(runs, key, relation=relation, interval="jackknife",
                                 **{option: value for option, value in options.items() if takes(key, option)})
            # their simulated values carry no error; ours are exact here, and so are the ones they list
            compared += 1
            if record["correction"] in SIMULATED and record["status"] == "ok":
                good = abs(found.value - record["value"]) < 0.05
            else:
                good = agrees(found, record)
            if not good:
                wrong.append((name, key, record["correction"], record["value"], found.value, found.reason))
    assert not wrong, wrong
    assert compared > 350


def sets(rows, d=5):
    return lambda: sc.Preferences.from_sets(rows, n_features=d)


def edited(i, j, value, mirror=True):
    A = DEGENERATE.copy()
    A[i, j] = value
    if mirror:
        A[j, i] = value
    return lambda: sc.Relation.from_matrix(A)


TWO = sc.Preferences.from_sets([[0, 1], [1, 2]], n_features=5)
REFUSED = {
    "single_set": sets([[0, 1, 2]]), "no_sets": sets([]), "index_out_of_range": sets([[0, 98], [0, 1, 2]]),
    "negative_index": sets([[-1, 0], [0, 1, 2]]), "non_integer_index": sets([[0.5, 1], [0, 1]]),
    "NA_in_set": sets([[0, float("nan")], [0, 1, 2]]), "mixed_types": sets([["a", "b"], [0, 1]]),
    "too_many_features_for_p": sets([[0, 1, 2], [2, 3, 4]], 4),
    "string_sets_unnamed_sim": sets([["a", "b"], ["b", "c"]]),
    "p_missing": lambda: sc.Preferences.from_sets([[0, 1], [1, 2]]),
    "sim_asymmetric": edited(0, 2, 0.5, mirror=False), "sim_negative": edited(0, 2, -0.5), "sim_above_1": edited(0, 2, 1.5),
    "sim_NA": edited(0, 2, np.nan), "sim_not_square": lambda: sc.Relation.from_matrix(DEGENERATE[:4]),
    "sim_zero_diagonal": edited(0, 0, 0), "sim_all_below_threshold_incl_diagonal": lambda: sc.Relation.from_matrix(0.5 * np.eye(5)),
    "threshold_above_1": lambda: sc.Relation.from_matrix(DEGENERATE, threshold=1.2),
    "threshold_negative": lambda: sc.Relation.from_matrix(DEGENERATE, threshold=-0.2),
    "davis_negative_penalty": lambda: sc.stability(TWO, "davis", penalty=-1),
    "N_zero": lambda: sc.stability(TWO, "intersection_mbm", relation=sc.Relation.from_matrix(DEGENERATE), draws=0),
    "impute_na_2": lambda: sc.stability(TWO, "dice", undefined="two"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_malformed_input_gets_a_sentence_where_stabm_stops_or_computes_a_number(name):
    with pytest.raises(sc.InputError, match=r"[a-z]{3}.*\.?"):
        REFUSED[name]()


def test_every_degenerate_case_of_stabm_is_answered_above():
    names = {case["name"] for case in golden("stabm_degenerate.json")["degenerate"]}
    elsewhere = {name for name in names if name.startswith(("all_", "one_", "sim_"))}
    # our indices count from 0, so index_zero is valid; a name twice in a set is the same set; names may come with the relation
    assert names == set(REFUSED) | elsewhere | {"index_zero", "duplicate_in_set", "string_sets_named_sim"}
    doubled = sc.Preferences.from_sets([[0, 0, 1], [0, 1, 2]], n_features=5)
    assert doubled.sizes.tolist() == [2, 3]


def test_named_sets_and_relation_equal_stabm():
    names = list("abcde")
    runs = sc.Preferences.from_sets([["a", "b"], ["b", "c"]], features=names)
    relation = sc.Relation.from_matrix(DEGENERATE, features=names)
    case = next(c for c in golden("stabm_degenerate.json")["degenerate"] if c["name"] == "string_sets_named_sim")
    for record in case["results"]:
        key = STABM[record["measure"].removeprefix("stability")]
        assert agrees(sc.stability(runs, key, relation=relation, interval="jackknife", **question(key, record)), record), key


# ---- nogueira: value, variance, interval, tests ----

def check_nogueira(cases):
    for case in cases:
        found = sc.stability(runs_of(case["Z"]))
        if case["stability"] is None:
            assert np.isnan(found.value) and found.reason
            continue
        assert found.value == pytest.approx(case["stability"], rel=1e-9, abs=1e-12)
        if found.n_runs > 2:
            assert found.se ** 2 == pytest.approx(case["variance"], rel=1e-9, abs=1e-14)
            for alpha, interval in case["ci"].items():
                one = sc.stability(runs_of(case["Z"]), level=1 - float(alpha))
                assert (one.low, one.high) == pytest.approx((interval["lower"], interval["upper"]), rel=1e-6, abs=1e-9)


def test_nogueira_equals_the_package_of_its_authors():
    check_nogueira([{**case, "ci": {"0.05": case["interval_95"]} if "interval_95" in case else {}} for case in carried("nogueira.json")])


def test_nogueira_equals_every_value_of_its_authors_with_the_statistics_of_their_tests():
    cases = [case for case in golden("nogueira.json")["cases"] if "stability" in case]
    check_nogueira(cases)
    for case in cases:
        found = sc.stability(runs_of(case["Z"]))
        for level, test in case["hypothesisTestV"].items() if found.n_runs > 2 else ():
            if test.get("V") is not None:
                V = (found.value - float(level)) / found.se
                assert V == pytest.approx(test["V"], rel=1e-9) and norm.sf(V) == pytest.approx(test["p_value"], rel=1e-6, abs=1e-12)
        other = sc.stability(runs_of(case["Z2"])) if "Z2" in case else None
        for test in case.get("hypothesisTestT", {}).values():
            if test.get("T") is not None:
                T = (other.value - found.value) / np.hypot(other.se, found.se)
                assert abs(T) == pytest.approx(abs(test["T"]), rel=1e-9)
                assert 2 * norm.sf(abs(T)) == pytest.approx(test["p_value"], rel=1e-6, abs=1e-12)


def test_a_single_run_is_refused_by_both():
    case = next(c for c in golden("nogueira.json")["cases"] if c["name"] == "degenerate_M1")
    assert case["error"]
    with pytest.raises(sc.InputError, match="at least 2"):
        runs_of(case["Z"])


# ---- effective ----

def check_effective(cases):
    for case in cases:
        if case["name"] in ("tutorial_typo_asymmetric_C", "all_ones_C_constk"):
            continue            # tests of their own below
        found = sc.stability(runs_of(case["Z"]), "effective", relation=sc.Relation.from_matrix(case["C"]))
        for theirs in (case["octave"], case["stabm"]):
            if theirs is None:
                assert np.isnan(found.value) and found.reason
            else:
                assert found.value == pytest.approx(theirs, rel=1e-9, abs=1e-11), case["name"]


def test_effective_equals_the_function_of_its_authors_and_stabm():
    check_effective(carried("effective.json"))


def test_effective_equals_every_value_of_its_authors():
    cases = golden("sechidis.json")["cases"]
    check_effective([{"name": case["name"], "Z": case["Z"], "C": case["C"], "octave": case["effective_stability_octave"],
                      "stabm": case["effective_stability_stabm"]} for case in cases])
    vary = [case for case in cases if len(set(case["row_sums"])) > 1 and case["own_formula_mean_of_k2"] is not None]
    assert len(cases) == 13
    for case in vary:                                       # TRAP 1: the wrong reading is another number wherever C is not I
        if case["variant_mean_k_squared"] is not None and case["name"] != "varyk_identity":
            assert abs(case["own_formula_mean_of_k2"] - case["variant_mean_k_squared"]) > 0.02


def test_asymmetric_relation_is_refused_where_the_authors_function_computes_a_number():
    case = next(c for c in carried("effective.json") if c["name"] == "tutorial_typo_asymmetric_C")
    assert case["octave"] == pytest.approx(0.7115384615384615)
    with pytest.raises(sc.InputError, match="not symmetric"):
        sc.Relation.from_matrix(case["C"])


def test_all_ones_relation_with_equal_sizes_is_undefined_where_programs_print_rounding_errors():
    case = next(c for c in carried("effective.json") if c["name"] == "all_ones_C_constk")
    assert abs(case["octave"] - case["stabm"]) > 1          # 0/0 up to rounding
    found = sc.stability(runs_of(case["Z"]), "effective", relation=sc.Relation.from_matrix(case["C"]))
    assert np.isnan(found.value) and "standing for each other" in found.reason


# ---- importances ----

def check_shared_information(cases):
    for case in cases:
        given = np.abs(case["importances"])
        C = np.abs(case["corr"])
        np.fill_diagonal(C, 1)
        runs, relation, alone = sc.Preferences.from_importances(given), sc.Relation.from_matrix(C), sc.Relation.identity(len(C))
        equal = sc.Preferences.from_importances((given > 0).astype(float))
        found = {"phi_msi": information.shared_information(runs, relation, corrected=False),
                 "phi_msi_identity": information.shared_information(runs, alone, corrected=False),
                 "phi_msi_uniform_importance": information.shared_information(equal, relation, corrected=False),
                 "phi_msi_uniform_identity": information.shared_information(equal, alone, corrected=False),
                 "phi_pears": BY_KEY["pearson_weights"].function(runs),
                 "phi_C_sechidis_absC": similarity.effective(equal, relation), "phi": chance.nogueira(equal),
                 "POGR_thr0.5_absC": similarity.pogr(equal, relation, threshold=0.5, undefined=0)}
        for name, value in found.items():
            if case.get(name) is not None:
                assert value == pytest.approx(case[name], rel=1e-6, abs=1e-9), (case["name"], name)


def test_shared_information_equals_the_scripts_of_its_authors():
    check_shared_information(carried("shared_information.json"))


def test_shared_information_equals_every_value_of_its_authors():
    cases = golden("shared_information.json")["cases"]
    check_shared_information(cases)
    assert len(cases) == 9


def test_pearson_weights_equals_the_scripts_of_hamer_and_dupont():
    for case in carried("pearson.json"):
        runs = sc.Preferences.from_importances(np.abs(case["importances"]))
        found = sc.stability(runs, "pearson_weights")
        if case["value"] is None:
            assert np.isnan(found.value) and found.reason
        else:
            assert found.value == pytest.approx(case["value"], rel=1e-9, abs=1e-11)


def test_documented_example_of_stabm():
    runs = sc.Preferences.from_sets([{0, 1, 2}, {0, 1, 2, 3}, {0, 1, 2, 3, 4}], n_features=10)
    i, j = np.indices((10, 10))
    C = sc.Relation.from_matrix(0.92 ** abs(i - j), threshold=0.9)
    assert sc.stability(runs, "effective", relation=C).value == pytest.approx(0.5322911327524347, rel=1e-12)


def test_toy_of_sechidis_equation_1():
    runs = runs_of([[1, 0, 1, 0, 0, 0], [0, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [0, 1, 0, 1, 0, 0]])
    C = sc.Relation.from_groups({"a": [0, 1], "b": [2, 3]}, n_features=6)
    assert sc.stability(runs).value == pytest.approx(0, abs=1e-12)
    assert sc.stability(runs, "effective", relation=C).value == pytest.approx(1, abs=1e-12)
