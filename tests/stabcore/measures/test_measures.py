"""Properties of every measure: no influence of the order of runs and features, identical runs, and correction for chance."""

import re

import numpy as np
import pytest
from measure_support import estimate, everything, random_similarity, rearranged, runs_of, with_sets
from support import random_selection, slow

import stabcore as sc
from stabcore.measures.catalog import BY_KEY, ENTRIES, available_measures
from stabcore.measures.entries import OPTION_MEANINGS
from stabcore.measures.entry import FAMILIES

STUDIES = (0, 1, *map(slow, range(2, 12)))


def listed_study(random_state, runs=4, d=7, sizes=(2, 4)):
    """Random runs with scores and importances, few enough features for enumerated chance, and a similarity."""
    rng = np.random.default_rng(random_state)
    matrix = random_selection(rng, runs, d, *sizes)
    groups = sc.Similarity.from_groups({"a": [0, 1, 2], "b": [4, 5]}, n_features=d)
    similarity = groups if random_state % 2 else random_similarity(rng, d, 0.4)
    return with_sets(matrix, rng), similarity


@pytest.mark.parametrize("random_state", STUDIES)
@pytest.mark.parametrize("key", BY_KEY)
def test_the_order_of_runs_and_features_has_no_influence(key, random_state):
    runs, similarity = listed_study(random_state, sizes=(3, 3) if key == "kuncheva" else (2, 4))
    if key == "intersection_greedy":  # ties depend on the order of features, so all similarities differ
        C = np.triu(np.random.default_rng(random_state).random((7, 7)), 1)
        similarity = sc.Similarity.from_matrix((C + C.T) * (similarity.block(np.arange(7)) > 0) * (1 - np.eye(7)) + np.eye(7))
    rng = np.random.default_rng(random_state + 1)
    order, names = rng.permutation(runs.n_runs), rng.permutation(runs.n_features)
    before = estimate(key, runs, similarity, draws=200)
    after = estimate(key, rearranged(runs, order, names), sc.Similarity.from_matrix(similarity.block(names)), draws=200)
    noise = 5 * np.hypot(before.chance_error, after.chance_error)
    assert noise == 0 or key == "shared_information"
    assert after.value == pytest.approx(before.value, abs=max(noise, 1e-9), nan_ok=True) and after.reason == before.reason
    assert after.se == pytest.approx(before.se, abs=10 * noise + 1e-9, nan_ok=True)


@pytest.mark.parametrize("random_state", STUDIES)
@pytest.mark.parametrize("key", BY_KEY)
def test_identical_runs_agree_completely(key, random_state):
    runs, similarity = listed_study(random_state)
    alike = rearranged(runs, np.zeros(5, dtype=int))
    found, k, d = estimate(key, alike, similarity, draws=200), alike.sizes[0], alike.n_features
    if key == "lustgarten":  # identical runs do not reach the end of its range
        assert found.value == pytest.approx((k - k * k / d) / (k - max(0, 2 * k - d))) and found.value < 1
    else:
        assert found.value == pytest.approx(1, abs=1e-9)
    assert np.isnan([found.se, found.high]).all() and found.low <= found.value
    assert found.no_interval


@pytest.mark.slow  # test_claims.py has sets of one size
@pytest.mark.parametrize("key", [entry.key for entry in ENTRIES if entry.corrected and entry.key not in ("somol", "kuncheva")])
def test_corrected_measures_are_0_for_random_sets_of_several_sizes(key):
    """Effective and nogueira are lower by a term in s²/M, which the next test computes."""
    rng, found = np.random.default_rng(7), []
    similarity = sc.Similarity.from_groups({str(g): range(g, g + 3) for g in (0, 3, 6)}, n_features=9)
    for _ in range(10):
        found.append(estimate(key, with_sets(random_selection(rng, 24, 9, 2, 6), rng), similarity, draws=3000).value)
    bias = 0.02 if key in ("nogueira", "effective") else 0
    assert abs(np.mean(found)) < 4 * max(np.std(found, ddof=1) / np.sqrt(10), 1e-9) + bias


@pytest.mark.parametrize("key", ["nogueira", "effective"])
@pytest.mark.parametrize(("sizes", "d"), [((1, 1, 1, 18, 18), 20), ((2, 5, 9, 30), 40)])
@pytest.mark.parametrize("repeats", [200, slow(1500)])
def test_chance_at_unequal_sizes_equals_random_sets(key, sizes, d, repeats):
    rng, found = np.random.default_rng(3), []
    similarity = sc.Similarity.from_groups({"g": range(6)}, n_features=d)
    for _ in range(repeats):
        runs = sc.Selections.from_lists([rng.choice(d, k, replace=False) for k in sizes], n_features=d)
        found.append(BY_KEY[key].function(runs, similarity))
    k = np.array(sizes)
    C = similarity.block(np.arange(d)) if key == "effective" else np.eye(d)
    null = np.full((d, d), ((k**2).mean() - k.mean()) / (d * d - d) - k.mean() ** 2 / d**2)
    np.fill_diagonal(null, k.mean() / d * (1 - k.mean() / d))
    expected_by_chance = -k.var(ddof=1) * C.sum() / (len(k) * d * d * np.trace(C @ null))
    assert abs(np.mean(found) - expected_by_chance) < 4 * np.std(found) / np.sqrt(len(found))
    if key == "nogueira":
        assert expected_by_chance == pytest.approx(-k.var(ddof=1) / (len(k) * k.mean() * (d - k.mean())))
        assert d == 40 or expected_by_chance == pytest.approx(-0.18, abs=0.005)
    assert f"{expected_by_chance:.2f}" in " ".join(sc.stability(runs, key, similarity=similarity).warnings)


def test_a_chance_near_0_gives_no_warning():
    rng = np.random.default_rng(4)
    for matrix in (random_selection(rng, 10, 30, 6, 6), random_selection(rng, 60, 300, 20, 26), np.zeros((3, 4)), np.ones((3, 4))):
        assert not [warning for warning in sc.stability(runs_of(matrix)).warnings if "at random" in warning]


def test_the_catalogue_lists_every_measure():
    frame = sc.list_measures()
    assert not frame.drop(columns=["maximum", "monotonicity"]).isna().any().any() and list(frame.index) == list(BY_KEY)
    assert {entry.family for entry in ENTRIES} == set(FAMILIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.key)
def test_the_entry_of_every_measure_is_complete_and_consistent(entry):
    """A formula for equal sizes gives the value of the measure."""
    docstring = entry.function.__doc__ or ""
    assert entry.plain.endswith("."), "plain= is a sentence"
    assert "Range" in docstring or "NOT bounded" in docstring, "the docstring says Range …, or NOT bounded"
    assert re.search(r"\b(1[89]|20)\d\d\b|ours", entry.reference), "reference= with a year (or that it is ours)"
    assert entry.formula and entry.range and entry.label and entry.family in FAMILIES and entry.low < entry.high
    assert set(entry.options) <= set(OPTION_MEANINGS)
    assert not (entry.overlap_terms and entry.uses_similar_overlaps) and entry.needs_similarity >= entry.uses_similar_overlaps
    if entry.at_equal_sizes:
        equal = sc.Selections.from_matrix(random_selection(np.random.default_rng(3), 6, 12, 4, 4))
        pairs = entry.at_equal_sizes(equal.shared[np.triu_indices(6, 1)], 4.0, 4.0, 12)
        assert np.mean(pairs) == pytest.approx(entry.function(equal))


def test_available_measures_depend_on_the_data_of_the_runs():
    rng = np.random.default_rng(6)
    full = {measure.key for measure in available_measures(everything(rng)[0])}
    sets = {measure.key for measure in available_measures(runs_of([[1, 0], [0, 1]]))}
    scores = {measure.key for measure in available_measures(sc.Selections.from_scores(rng.random((3, 4))))}
    assert full == set(BY_KEY) and scores == {"pearson_scores", "spearman_ranks", "canberra", "rbo"}
    assert full - sets == scores | {"pearson_weights", "importance_weighted", "shared_information"}
