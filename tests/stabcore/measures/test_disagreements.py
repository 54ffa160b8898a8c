"""Where we differ from stabm, each on purpose and by name; and its degenerate input, case by case."""

from itertools import combinations, product

import numpy as np
import pytest
from measure_support import NOT_OF_PAIRS, SIMULATED, STABM, agrees, by_two_sets, question, runs_of, takes
from support import golden

import stabcore as sc
from stabcore.measures import chance, overlap, similarity_adjusted
from stabcore.measures.catalog import BY_KEY


def test_davis_and_novovicova_are_corrected_by_all_sets_at_once_where_stabm_takes_two():
    """TRAP 5: {1,2}, {3,4}, {1,5} of 6. Chance is that of three sets, by listing them all 0.4895 for davis."""
    runs = sc.Selections.from_lists([[0, 1], [2, 3], [0, 4]], n_features=6)
    every = [sc.Selections.from_lists([[0, 1], b, c], n_features=6) for b, c in product(combinations(range(6), 2), repeat=2)]
    for key, ours, theirs, expected in (("davis", -0.175, -0.588, 0.4895), ("novovicova", None, None, None)):
        listed = np.mean([BY_KEY[key].function(one) for one in every])
        raw, found = BY_KEY[key].function(runs), BY_KEY[key].function(runs, corrected=True)
        assert found == pytest.approx((raw - listed) / (1 - listed), abs=1e-12)
        assert found != pytest.approx(by_two_sets(key, runs, 0, None), abs=0.05)
        if ours:
            assert listed == pytest.approx(expected, abs=5e-5) and found == pytest.approx(ours, abs=5e-4)
            assert by_two_sets(key, runs, 0, None) == pytest.approx(theirs, abs=5e-4)


def test_davis_and_novovicova_of_two_sets_equal_stabm_which_expects_two():
    runs = sc.Selections.from_lists([[0, 1, 2, 3, 5], [2, 4]], n_features=7)
    for key in NOT_OF_PAIRS:
        assert BY_KEY[key].function(runs, corrected=True) == pytest.approx(by_two_sets(key, runs, 0, None), abs=1e-12)


def test_davis_and_novovicova_need_no_pair_of_nonempty_runs_where_stabm_prints_na():
    runs = sc.Selections.from_lists([[], [0, 1, 2], [], [0, 1, 2, 3]], n_features=7)
    for key in NOT_OF_PAIRS:
        assert np.isnan(by_two_sets(key, runs, 0, None)) and np.isfinite(BY_KEY[key].function(runs, corrected=True))


def test_davis_whose_largest_value_is_0_cannot_be_corrected_where_stabm_imputes_a_0():
    found = sc.stability(sc.Selections.from_lists([[0, 1, 2], [1, 2, 3]], n_features=7), "davis", penalty=10, corrected=True)
    assert np.isnan(found.value) and found.reason


def test_yu_without_similar_features_is_kappa_where_stabm_computes_unadjusted():
    """TRAP 6, and Yu's own definition: (a + b)/2 is its largest value, not √(ab)."""
    runs, alone = sc.Selections.from_lists([[0, 1], [1, 2, 3, 4]], n_features=9), sc.Similarity.identity(9)
    ours, theirs = similarity_adjusted.yu(runs, alone), chance.unadjusted(runs)
    assert ours == pytest.approx(chance.kappa(runs), abs=1e-12) == pytest.approx((1 - 8 / 9) / (3 - 8 / 9))
    assert theirs == pytest.approx((1 - 8 / 9) / (np.sqrt(8) - 8 / 9)) and abs(ours - theirs) > 0.003


def test_a_stored_0_is_not_similar_at_threshold_0_where_stabm_counts_every_feature_as_similar():
    runs, alone = sc.Selections.from_lists([[0, 1], [2, 3, 4]], n_features=5), sc.Similarity.from_matrix(np.eye(5))
    theirs = {"intersection_count": (2, 0), "intersection_mbm": (2, 0), "intersection_greedy": (2, 0), "yu": (2.5, 1)}
    ours = {"yu": chance.kappa(runs)}
    for key, (raw, corrected) in theirs.items():
        function = BY_KEY[key].function
        assert function(runs, alone, corrected=False) == 0 != raw
        assert function(runs, alone) == pytest.approx(ours.get(key, chance.unadjusted(runs)), abs=1e-12) != corrected


def test_the_raw_amount_of_yu_for_two_empty_runs_is_0_where_stabm_prints_na():
    """It is an amount, nothing is divided: as for the four intersection measures, of which stabm prints 0."""
    runs = sc.Selections.from_lists([[], [], []], n_features=5)
    assert similarity_adjusted.yu(runs, sc.Similarity.identity(5), corrected=False) == 0
    assert similarity_adjusted.intersection_count(runs, sc.Similarity.identity(5), corrected=False) == 0


def test_only_pairs_can_be_imputed_where_stabm_puts_a_number_for_the_whole_measure():
    for matrix, theirs in ((np.zeros((3, 5)), 0), (np.ones((3, 5)), 1)):
        runs, similarity = runs_of(matrix), sc.Similarity.from_groups({"a": [0, 1]}, n_features=5)
        for key in ("nogueira", "effective", "somol", "davis", "novovicova"):
            found = sc.stability(runs, key, similarity=similarity, **({"corrected": True} if key in NOT_OF_PAIRS else {}))
            assert np.isnan(found.value) and found.reason and not takes(key, "undefined")
        assert overlap.jaccard(runs, corrected=True, undefined=theirs) == theirs


def test_similarities_that_stabm_takes_and_we_refuse():
    zero_diagonal, shrunk = np.eye(5) - np.diag([0, 0, 0, 0, 1.0]), np.eye(4)
    with pytest.raises(sc.InputError):
        sc.Similarity.from_matrix(zero_diagonal)  # stabm: effective of {1,2}, {2,3} is then 1
    runs = sc.Selections.from_lists([[0, 1], [1, 2]], n_features=5)
    with pytest.raises(sc.InputError):
        sc.stability(runs, "effective", similarity=sc.Similarity.from_matrix(shrunk))


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


def test_degenerate_input_gets_the_answers_of_stabm():
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
        runs = sc.Selections.from_lists([np.array(one, dtype=int) - 1 for one in case["sets_1based"]], n_features=case["d"])
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
    return lambda: sc.Selections.from_lists(rows, n_features=d)


def edited(i, j, value, mirror=True):
    A = DEGENERATE.copy()
    A[i, j] = value
    if mirror:
        A[j, i] = value
    return lambda: sc.Similarity.from_matrix(A)


TWO = sc.Selections.from_lists([[0, 1], [1, 2]], n_features=5)
REFUSED = {
    "single_set": sets([[0, 1, 2]]),
    "no_sets": sets([]),
    "index_out_of_range": sets([[0, 98], [0, 1, 2]]),
    "negative_index": sets([[-1, 0], [0, 1, 2]]),
    "non_integer_index": sets([[0.5, 1], [0, 1]]),
    "NA_in_set": sets([[0, float("nan")], [0, 1, 2]]),
    "mixed_types": sets([["a", "b"], [0, 1]]),
    "too_many_features_for_p": sets([[0, 1, 2], [2, 3, 4]], 4),
    "string_sets_unnamed_sim": sets([["a", "b"], ["b", "c"]]),
    "p_missing": lambda: sc.Selections.from_lists([[0, 1], [1, 2]]),
    "sim_asymmetric": edited(0, 2, 0.5, mirror=False),
    "sim_negative": edited(0, 2, -0.5),
    "sim_above_1": edited(0, 2, 1.5),
    "sim_NA": edited(0, 2, np.nan),
    "sim_not_square": lambda: sc.Similarity.from_matrix(DEGENERATE[:4]),
    "sim_zero_diagonal": edited(0, 0, 0),
    "sim_all_below_threshold_incl_diagonal": lambda: sc.Similarity.from_matrix(0.5 * np.eye(5)),
    "threshold_above_1": lambda: sc.Similarity.from_matrix(DEGENERATE, threshold=1.2),
    "threshold_negative": lambda: sc.Similarity.from_matrix(DEGENERATE, threshold=-0.2),
    "davis_negative_penalty": lambda: sc.stability(TWO, "davis", penalty=-1),
    "N_zero": lambda: sc.stability(TWO, "intersection_mbm", similarity=sc.Similarity.from_matrix(DEGENERATE), draws=0),
    "impute_na_2": lambda: sc.stability(TWO, "dice", undefined="two"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_malformed_input_gets_a_sentence_where_stabm_stops_or_computes_a_number(name):
    with pytest.raises(sc.InputError):
        REFUSED[name]()


def test_every_degenerate_case_of_stabm_is_answered_above():
    names = {case["name"] for case in golden("stabm_degenerate.json")["degenerate"]}
    elsewhere = {name for name in names if name.startswith(("all_", "one_", "sim_"))}
    # our indices count from 0, so index_zero is valid; a name twice in a set is the same set; names may come with the similarity
    assert names == set(REFUSED) | elsewhere | {"index_zero", "duplicate_in_set", "string_sets_named_sim"}
    doubled = sc.Selections.from_lists([[0, 0, 1], [0, 1, 2]], n_features=5)
    assert doubled.sizes.tolist() == [2, 3]


def test_named_sets_and_similarity_equal_stabm():
    names = list("abcde")
    runs = sc.Selections.from_lists([["a", "b"], ["b", "c"]], names=names)
    similarity = sc.Similarity.from_matrix(DEGENERATE, names=names)
    case = next(c for c in golden("stabm_degenerate.json")["degenerate"] if c["name"] == "string_sets_named_sim")
    for record in case["results"]:
        key = STABM[record["measure"].removeprefix("stability")]
        assert agrees(sc.stability(runs, key, similarity=similarity, interval="jackknife", **question(key, record)), record), key
