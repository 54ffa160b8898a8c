"""Measures against values printed by other programs, against slow versions of their definitions, and by their properties."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support import carried, golden, random_selection

import stabcore as sc
from stabcore.measures import chance, overlap, similarity, weights
from stabcore.measures.catalog import BY_KEY, ENTRIES
from stabcore.measures.random_sets import random_pair

Z = arrays(int, st.tuples(st.integers(2, 6), st.integers(2, 9)), elements=st.integers(0, 1))


def runs_of(matrix):
    return sc.Preferences.from_selection_matrix(matrix)


def relation_of(sim, d, threshold=0.0):
    """The relation that a record of reference values describes."""
    i, j = np.indices((d, d))
    if sim["type"] == "groups":
        C = np.eye(d)
        for group in sim["groups_0based"]:
            C[np.ix_(group, group)] = sim["within"]
        np.fill_diagonal(C, 1)
    else:
        C = {"identity": lambda: np.eye(d), "power": lambda: sim["base"] ** abs(i - j), "ones": lambda: np.ones((d, d)),
             "matrix": lambda: np.array(sim["values"])}[sim["type"]]()
    return sc.Relation.from_matrix(C, threshold=threshold)


# ---- slow versions, straight from the definitions ----

def slow_pairs(matrix, value):
    return np.mean([value(a, b) for a, b in combinations(np.asarray(matrix), 2)])


def slow_nogueira(matrix):
    M, d = matrix.shape
    p, k = matrix.mean(axis=0), matrix.sum(axis=1).mean()
    return 1 - (M / (M - 1) * p * (1 - p)).mean() / (k / d * (1 - k / d))


def slow_effective(matrix, C):
    M, d = matrix.shape
    S = np.cov(matrix, rowvar=False, ddof=1)
    k = matrix.sum(axis=1)
    null = np.full((d, d), ((k ** 2).mean() - k.mean()) / (d ** 2 - d) - k.mean() ** 2 / d ** 2)
    np.fill_diagonal(null, k.mean() / d * (1 - k.mean() / d))
    with np.errstate(invalid="ignore", divide="ignore"):
        return 1 - np.trace(C @ S) / np.trace(C @ null)


def slow_importance_weighted(importances):
    M, d = importances.shape
    k_mean = (importances > 0).sum(axis=1).mean()
    total = importances.sum(axis=1, keepdims=True)
    scaled = np.divide(importances, total, out=np.zeros_like(importances), where=total > 0) * k_mean
    agreed, by_chance = [], []
    for a, b in combinations(scaled, 2):
        if not a.any() and not b.any():
            agreed.append(k_mean), by_chance.append(k_mean)
        else:
            agreed.append(np.minimum(a, b).sum())
            by_chance.append(np.minimum.outer(a[a > 0], b[b > 0]).sum() / d if a.any() and b.any() else 0.0)
    return (np.mean(agreed) - np.mean(by_chance)) / (k_mean - np.mean(by_chance))


# ---- other people's values ----

def check_nogueira(cases):
    for case in cases:
        found = sc.stability(runs_of(case["Z"]))
        if case["stability"] is None:
            assert np.isnan(found.value) and found.reason
            continue
        assert found.value == pytest.approx(case["stability"], rel=1e-9, abs=1e-12)
        if found.n_runs > 2:
            interval = case.get("interval_95") or case["ci"]["0.05"]
            assert found.se ** 2 == pytest.approx(case["variance"], rel=1e-9, abs=1e-14)
            assert (found.low, found.high) == pytest.approx((interval["lower"], interval["upper"]), rel=1e-6, abs=1e-9)


def test_nogueira_equals_the_package_of_its_authors():
    check_nogueira(carried("nogueira.json"))


def test_nogueira_equals_every_value_of_its_authors():
    check_nogueira([case for case in golden("nogueira.json")["cases"] if "stability" in case])


def test_effective_equals_the_function_of_its_authors_and_stabm():
    for case in carried("effective.json"):
        if case["name"] in ("tutorial_typo_asymmetric_C", "all_ones_C_constk"):
            continue            # tests of their own below
        found = sc.stability(runs_of(case["Z"]), "effective", relation=sc.Relation.from_matrix(case["C"]))
        for theirs in (case["octave"], case["stabm"]):
            if theirs is None:
                assert np.isnan(found.value) and found.reason
            else:
                assert found.value == pytest.approx(theirs, rel=1e-9, abs=1e-11)


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


STABM = {"stabilityJaccard": "jaccard", "stabilityPhi": "phi", "stabilityNogueira": "nogueira", "stabilitySechidis": "effective"}


def check_stabm(scenarios):
    compared = 0
    for case in scenarios:
        runs = sc.Preferences.from_sets(case.get("sets", case.get("sets_0based")), n_features=case["d"])
        C = relation_of(case["sim"], case["d"], case["threshold"])
        values = case["values"]
        if isinstance(values, list):
            values = {v["measure"]: v["value"] for v in values if v["correction"] in ("builtin", "none")
                      and v["status"] == "ok" and v["impute_na"] is None}
        for name, key in STABM.items():
            if name not in values or (key == "effective" and case["name"] == "ones_matrix" and runs.sizes.std() == 0):
                continue
            assert sc.stability(runs, key, relation=C).value == pytest.approx(values[name], rel=1e-9, abs=1e-11), case["name"]
            compared += 1
    return compared


def test_set_measures_equal_stabm():
    assert check_stabm(carried("stabm.json")) > 60


def test_set_measures_equal_every_value_of_stabm():
    assert check_stabm(golden("stabm.json")["scenarios"]) > 75


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


def test_pearson_weights_equals_the_scripts_of_hamer_and_dupont():
    for case in carried("pearson.json"):
        runs = sc.Preferences.from_importances(np.abs(case["importances"]))
        found = sc.stability(runs, "pearson_weights")
        if case["value"] is None:
            assert np.isnan(found.value) and found.reason
        else:
            assert found.value == pytest.approx(case["value"], rel=1e-9, abs=1e-11)


# ---- slow versions and identities ----

@settings(max_examples=150, deadline=None)
@given(Z)
def test_set_measures_equal_their_slow_versions(matrix):
    runs, (M, d) = runs_of(matrix), matrix.shape
    k = matrix.sum(axis=1)
    union = [(a | b).sum() for a, b in combinations(matrix, 2)]
    found = overlap.jaccard(runs)
    assert np.isnan(found) if 0 in union else found == pytest.approx(slow_pairs(matrix, lambda a, b: (a & b).sum() / (a | b).sum()))
    if 0 < k.min() and k.max() < d:
        assert chance.phi(runs) == pytest.approx(slow_pairs(matrix, lambda a, b: np.corrcoef(a, b)[0, 1]), abs=1e-12)
        if k.min() == k.max():
            assert chance.kuncheva(runs) == pytest.approx(chance.nogueira(runs), abs=1e-12)
    if 0 < k.sum() < M * d:
        assert chance.nogueira(runs) == pytest.approx(slow_nogueira(matrix), abs=1e-12)
    else:
        assert np.isnan(chance.nogueira(runs))


@settings(max_examples=150, deadline=None)
@given(Z, st.integers(0, 10 ** 6))
def test_effective_equals_its_slow_version_for_matrix_groups_and_edits(matrix, seed):
    rng, d = np.random.default_rng(seed), matrix.shape[1]
    if not 0 < matrix.sum() < matrix.size:
        return
    runs = runs_of(matrix)
    A = rng.random((d, d)) * (rng.random((d, d)) < 0.6)
    A = np.maximum(A, A.T)
    np.fill_diagonal(A, 1)
    labels = rng.integers(-1, 3, d)
    groups = {str(g): np.flatnonzero(labels == g) for g in range(3)}
    edited = sc.Relation.from_groups(groups, n_features=d)
    if d > 2:
        edited = edited.edited({(0, 1): 0.3, (1, 2): 0.0})
    for relation in (sc.Relation.from_matrix(A), sc.Relation.from_groups(groups, n_features=d), edited,
                     sc.Relation.from_matrix(A, threshold=0.5)):
        C = relation.block(np.arange(d))
        found, slow = similarity.effective(runs, relation), slow_effective(matrix, C)
        assert relation.total == pytest.approx(C.sum())
        if np.isnan(found):
            assert abs(slow) > 1e6 or np.isnan(slow) or d < 2 or np.allclose(C, 1)
        else:
            assert found == pytest.approx(slow, rel=1e-6, abs=1e-8)
    assert similarity.effective(runs, sc.Relation.identity(d)) == pytest.approx(chance.nogueira(runs), abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(arrays(float, st.tuples(st.integers(2, 6), st.integers(2, 8)), elements=st.sampled_from([0.0, 0.0, 0.5, 1.0, 2.0, 7.0])))
def test_importance_weighted_equals_its_slow_version(importances):
    runs = sc.Preferences.from_importances(importances)
    found = weights.importance_weighted(runs)
    with np.errstate(invalid="ignore", divide="ignore"):
        slow = slow_importance_weighted(importances)
    if np.isnan(found):
        assert not importances.any() or (importances > 0).all() and np.ptp(importances, axis=1).max() == 0
    else:
        assert found == pytest.approx(slow, abs=1e-10)


def test_importance_weighted_with_equal_importances_and_sizes_is_kuncheva():
    rng = np.random.default_rng(0)
    matrix = random_selection(rng, 7, 20, 5, 5)
    runs = sc.Preferences.from_importances(matrix * rng.uniform(1, 9, (7, 1)))
    assert weights.importance_weighted(runs) == pytest.approx(chance.kuncheva(runs), abs=1e-12)
    assert weights.importance_weighted(runs) == pytest.approx(chance.nogueira(runs), abs=1e-12)


def test_importance_weighted_frequency_form_equals_the_pair_form():
    rng = np.random.default_rng(1)
    importances = rng.random((6, 15)) * (rng.random((6, 15)) < 0.5)
    M, d = importances.shape
    k = (importances > 0).sum(axis=1).mean()
    J = importances / importances.sum(axis=1, keepdims=True) * k
    p = (importances > 0).mean(axis=0)
    times = (importances > 0).sum(axis=0)
    shared = np.array([np.minimum.outer(J[:, f], J[:, f]).sum() for f in range(d)])
    star = np.divide(shared, times ** 2, out=np.zeros(d), where=times > 0)
    C = np.mean([np.minimum.outer(a[a > 0], b[b > 0]).sum() / d for a, b in combinations(J, 2)])
    by_frequency = 1 - M / (M - 1) * (k - (star * p ** 2).sum()) / (k - C)
    assert weights.importance_weighted(sc.Preferences.from_importances(importances)) == pytest.approx(by_frequency, abs=1e-12)


def test_figure_6_of_hamer_and_dupont():
    M, d = 60, 2_000_000
    sets = [np.concatenate([np.arange(15), 15 + 5 * i + np.arange(5)]) for i in range(M)]
    from scipy.sparse import csr_array

    columns = np.concatenate(sets)
    importance = np.tile(np.r_[np.full(15, 2 / 3), np.full(5, 2.0)], M)
    runs = sc.Preferences.from_importances(csr_array((importance, columns, np.arange(0, M * 20 + 1, 20)), shape=(M, d)))
    assert weights.importance_weighted(runs) == pytest.approx(0.50, abs=1e-4)
    assert weights.pearson_weights(runs) == pytest.approx(0.25, abs=1e-4)
    assert chance.nogueira(runs) == pytest.approx(0.75, abs=1e-4)


def test_selected_features_without_importance_are_undefined_with_the_run_named():
    runs = sc.Preferences.from_scores(np.array([[3.0, 2, 1], [1, 2, 3], [2, 1, 3]]))
    from dataclasses import replace

    from scipy.sparse import csr_array

    runs = replace(runs, given=csr_array(np.array([[1.0, 1, 0], [0, 0, 0], [0, 1, 1]]))).top(2)
    found = sc.stability(runs, "importance_weighted")
    assert np.isnan(found.value) and "run 2" in found.reason


def test_theorem_2_of_sechidis():
    rng = np.random.default_rng(2)
    matrix = random_selection(rng, 8, 10)
    A = rng.random((10, 10))
    C = np.maximum(A, A.T)
    np.fill_diagonal(C, 1)
    runs, relation = runs_of(matrix), sc.Relation.from_matrix(C)
    products = relation.cross_products(runs.sets)
    between = products[~np.eye(8, dtype=bool)].mean()
    assert between == pytest.approx(relation.self_products(runs.sets).mean() - np.trace(C @ np.cov(matrix, rowvar=False)))


def test_effective_says_why_it_is_above_1_or_far_below_0():
    C = np.eye(3)
    C[0, 1] = C[1, 0] = C[1, 2] = C[2, 1] = 1         # a ~ b ~ c but not a ~ c: not positive semi-definite
    above = sc.stability(runs_of([[0, 1, 0], [1, 0, 1], [0, 1, 0], [1, 0, 1]]), "effective", relation=sc.Relation.from_matrix(C))
    assert above.value > 1 and "positive semi-definite" in above.warnings[0]
    groups = sc.Relation.from_groups({"g": range(8)}, n_features=20)
    matrix = np.zeros((6, 20), dtype=int)
    matrix[::2, :8] = 1
    matrix[1::2, 8:16] = 1
    below = sc.stability(runs_of(matrix), "effective", relation=groups)
    assert below.value < -1 and "whole groups" in below.warnings[0]


def test_effective_at_a_million_features_equals_the_same_study_without_the_idle_ones():
    rng = np.random.default_rng(3)
    sets = [rng.choice(3000, 100, replace=False) for _ in range(20)]
    groups = {str(g): np.arange(g * 10, g * 10 + 10) for g in range(100)}
    d = 1_000_000
    big = similarity.effective(sc.Preferences.from_sets(sets, n_features=d), sc.Relation.from_groups(groups, n_features=d))
    N, k, total = np.zeros((20, 100)), 100.0, d + 100 * 90
    for i, members in enumerate(sets):
        N[i] = np.bincount(members[members < 1000] // 10, minlength=100)
    Zs = np.zeros((20, 3000))
    for row, members in zip(Zs, sets):
        row[members] = 1
    trace = N.var(axis=0, ddof=1).sum() + Zs[:, 1000:].var(axis=0, ddof=1).sum()
    null = k / d * (1 - k / d) * d + ((k * k - k) / (d * d - d) - k * k / d / d) * (total - d)
    assert big == pytest.approx(1 - trace / null, rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(arrays(float, st.tuples(st.integers(3, 6), st.integers(3, 8)), elements=st.integers(0, 4).map(float)), st.integers(0, 99))
def test_rank_and_weight_measures_equal_scipy(scores, seed):
    from scipy.stats import pearsonr, rankdata

    runs = sc.Preferences.from_scores(scores)
    if np.ptp(scores, axis=1).min() > 0:
        assert weights.pearson_weights(runs) == pytest.approx(slow_pairs(scores, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)
        ranks = rankdata(-scores, axis=1)
        assert weights.spearman_ranks(runs, ties="average") == pytest.approx(
            slow_pairs(ranks, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)
    broken = runs.ranking(seed)
    assert (np.sort(broken, axis=1) == np.arange(1, scores.shape[1] + 1)).all()
    assert weights.spearman_ranks(runs, seed=seed) == pytest.approx(slow_pairs(broken, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)


def test_average_ties_flatter_a_selector_that_scores_most_features_zero():
    rng = np.random.default_rng(4)
    scores = np.zeros((10, 200))
    for row in scores:
        row[rng.choice(200, 10, replace=False)] = rng.random(10)
    runs = sc.Preferences.from_scores(scores)
    assert weights.spearman_ranks(runs, ties="average") < 0.1 > abs(weights.spearman_ranks(runs))


# ---- what every measure promises ----

def everything(rng, runs=6, features=12):
    """Preferences that carry all a measure may need, and a relation."""
    scores = rng.random((runs, features))
    from dataclasses import replace

    from scipy.sparse import csr_array

    made = replace(sc.Preferences.from_scores(scores), given=csr_array(scores)).top(4)
    return made, sc.Relation.from_groups({"a": [0, 1, 2], "b": [5, 6]}, n_features=features)


@pytest.mark.parametrize("key", BY_KEY)
def test_permuting_runs_or_features_changes_nothing(key):
    rng = np.random.default_rng(5)
    runs, relation = everything(rng)
    order, names = rng.permutation(runs.n_runs), rng.permutation(runs.n_features)
    from dataclasses import replace

    shuffled = replace(runs, selection=runs.selection[order][:, names].tocsr(), given=runs.given[order][:, names].tocsr(),
                       scores=runs.scores[order][:, names], ranks=runs.ranks[order][:, names])
    moved = sc.Relation(relation.n_features, None, relation.labels[names], relation.group_names)
    before, after = (sc.stability(r, key, relation=c, interval="jackknife") for r, c in ((runs, relation), (shuffled, moved)))
    assert after.value == pytest.approx(before.value, abs=1e-12)
    assert after.se == pytest.approx(before.se, abs=1e-12)


@pytest.mark.parametrize("key", BY_KEY)
def test_identical_runs_agree_completely(key):
    from dataclasses import replace

    runs, relation = everything(np.random.default_rng(6), runs=5)
    same = np.zeros(5, dtype=int)
    alike = replace(runs, selection=runs.selection[same].tocsr(), given=runs.given[same].tocsr(), scores=runs.scores[same],
                    ranks=runs.ranks[same])
    found = sc.stability(alike, key, relation=relation, interval="jackknife")
    assert found.value == pytest.approx(1, abs=1e-12) and found.se == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.corrected], ids=lambda entry: entry.key)
def test_corrected_measures_are_0_on_average_under_random_selection(entry):
    rng = np.random.default_rng(7)
    found = []
    for _ in range(400):
        runs, relation = everything(rng)
        found.append(sc.stability(runs, entry.key, relation=relation).value)
    assert abs(np.mean(found)) < 4 * np.std(found) / np.sqrt(len(found))


def test_effective_is_centred_for_sizes_that_vary_only_with_the_mean_of_the_squares():
    """Given the sizes, the average is exactly −ΣC·var(k)/(d²(M−1)·tr(CΣ⁰)): 0 with more runs. The other reading is not."""
    rng, relation, M, d = np.random.default_rng(8), sc.Relation.from_groups({"g": range(6)}, n_features=12), 6, 12
    C = relation.block(np.arange(d))
    found, expected, misread = [], [], []
    for _ in range(600):
        matrix = random_selection(rng, M, d, 1, 11)
        k = matrix.sum(axis=1)
        found.append(similarity.effective(runs_of(matrix), relation))
        for off, kept in (((k ** 2).mean() - k.mean(), expected), (k.mean() ** 2 - k.mean(), misread)):
            null = np.full((d, d), off / (d * d - d) - k.mean() ** 2 / d ** 2)
            np.fill_diagonal(null, k.mean() / d * (1 - k.mean() / d))
            kept.append(-C.sum() * k.var() / (d * d * (M - 1) * np.trace(C @ null)) if kept is expected else
                        1 - np.trace(C @ np.cov(matrix, rowvar=False)) / np.trace(C @ null))
    difference = np.array(found) - expected
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(len(found))
    assert np.mean(misread) < 3 * np.mean(expected)


@pytest.mark.parametrize("key", BY_KEY)
def test_jackknife_equals_leaving_out_each_run_for_real(key):
    from dataclasses import replace

    runs, relation = everything(np.random.default_rng(9))
    entry = BY_KEY[key]
    left_out = entry.function.terms(runs, relation).leaving_one_out()
    for i in range(runs.n_runs):
        rest = np.delete(np.arange(runs.n_runs), i)
        smaller = replace(runs, selection=runs.selection[rest].tocsr(), given=runs.given[rest].tocsr(), scores=runs.scores[rest],
                          ranks=runs.ranks[rest])
        assert left_out[i] == pytest.approx(entry.function(smaller, relation), abs=1e-12)


def test_undefined_pairs_can_be_skipped_or_given_a_value():
    runs = runs_of([[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 1, 0]])
    plain = sc.stability(runs, "jaccard")
    assert np.isnan(plain.value) and "1 of 6 pairs" in plain.reason and "run 1 with run 2" in plain.reason
    skipped = sc.stability(runs, "jaccard", undefined="skip")
    assert skipped.value == pytest.approx(0.5 / 5) and "1 pairs" in skipped.warnings[0]
    assert sc.stability(runs, "jaccard", undefined=1.0).value == pytest.approx(1.5 / 6)


def test_two_runs_have_a_value_but_no_interval():
    found = sc.stability(runs_of([[1, 1, 0], [1, 0, 1]]))
    assert np.isfinite(found.value) and np.isnan(found.se) and "at least 3 runs" in found.warnings[0]


def test_wrong_questions_get_sentences():
    runs = runs_of([[1, 1, 0], [1, 0, 0]])
    for key, options, said in (("nope", {}, "no stability measure"), ("effective", {}, "relation="),
                               ("kuncheva", {}, "Use nogueira"), ("importance_weighted", {}, "nogueira"),
                               ("pearson_weights", {}, "importances or scores"), ("spearman_ranks", {}, "no scores or ranks"),
                               ("jaccard", {"interval": "published"}, "Only nogueira")):
        with pytest.raises(sc.InputError, match=said):
            sc.stability(runs, key, **options)
    listed = sc.stability(runs, ["jaccard", "kuncheva"])
    assert listed["jaccard"].value == 0.5 and "Use nogueira" in listed["kuncheva"].reason


def test_random_pairs_are_hypergeometric():
    rng = np.random.default_rng(10)
    mean, sd = random_pair(overlap.jaccard.pair, 4, 4, 15)
    drawn = [overlap.jaccard(runs_of(random_selection(rng, 2, 15, 4, 4))) for _ in range(4000)]
    assert np.mean(drawn) == pytest.approx(mean, abs=4 * sd / 60)
    assert np.std(drawn) == pytest.approx(sd, rel=0.1)


def test_catalogue_says_everything_about_every_measure():
    frame = sc.measures()
    assert not frame.drop(columns=["maximum", "monotonicity"]).isna().any().any()
    for entry in ENTRIES:
        assert entry.plain.endswith(".") and entry.function.__doc__ and "Source:" in entry.function.__doc__
        assert entry.family in ("overlap", "chance", "similarity", "weights") and entry.low < entry.high
