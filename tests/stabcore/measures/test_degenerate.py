"""Degenerate input: no exception and no silent 0 or 1. A missing value has a reason."""

import numpy as np
import pytest
from measure_support import estimate, rearranged, takes, with_sets

import stabcore as sc
from stabcore.measures.catalog import BY_KEY

D = 6
SIMILAR_GROUPS = sc.Similarity.from_groups({"a": [0, 1, 2], "b": [4, 5]}, n_features=D)
SELECTIONS = {
    "all empty": np.zeros((4, D), int),
    "all full": np.ones((4, D), int),
    "one empty": np.array([[0] * D, [1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0], [1, 0, 0, 0, 1, 0]]),
    "one full": np.array([[1] * D, [1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0], [1, 0, 0, 0, 1, 0]]),
    "empty and full": np.array([[0] * D, [1] * D, [0] * D, [1] * D]),
    "only one not empty": np.array([[0] * D, [0] * D, [1, 1, 0, 0, 0, 0], [0] * D]),
    "a single feature": np.array([[1, 0, 0, 0, 0, 0], [0] * D, [0] * D]),
    "two runs": np.array([[1, 1, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0]]),
    "two empty runs": np.zeros((2, D), int),
    "two full runs": np.ones((2, D), int),
    "all but one": np.array([[1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 0, 1], [0, 1, 1, 1, 1, 1]]),
    "one feature, selected": np.ones((3, 1), int),
    "one feature, never selected": np.zeros((3, 1), int),
    "one feature, sometimes": np.array([[1], [0], [1]]),
    "two features": np.array([[1, 0], [0, 1], [1, 1]]),
}

RUNS = {name: with_sets(matrix) for name, matrix in SELECTIONS.items()}
SIMILARITY = {D: SIMILAR_GROUPS, **{d: sc.Similarity.identity(d) for d in (1, 2)}}

# ---- where a formula is 0/0 by its definition, from sizes k (M,) of the runs and d features ----


def empty(k, d):
    return k.min() == 0


def two_empty(k, d):
    return (k == 0).sum() > 1


def two_alike(k, d):
    return two_empty(k, d) or (k == d).sum() > 1


def no_choice(k, d):
    return k.sum() in (0, len(k) * d)


UNDEFINED = {
    "hamming": lambda k, d: False,
    **dict.fromkeys(("jaccard", "dice", "zucknick"), two_empty),
    **dict.fromkeys(("ochiai", "pog", "pogr"), empty),
    **dict.fromkeys(("novovicova", "davis"), lambda k, d: not k.any()),
    **dict.fromkeys(("nogueira", "effective", "importance_weighted", "shared_information"), no_choice),
    **dict.fromkeys(("kappa", "yu"), two_alike),
    **dict.fromkeys(("phi", "lustgarten", "wald", "npog", "npogr", "pearson_weights"), lambda k, d: empty(k, d) or k.max() == d),
    **dict.fromkeys(
        ("unadjusted", *(f"intersection_{kind}" for kind in ("count", "mean", "mbm", "greedy"))),
        lambda k, d: empty(k, d) or two_alike(k, d),
    ),
    "somol": lambda k, d: no_choice(k, d) or k.sum() == 1 or d == 1,  # the largest agreement equals the smallest
    "kuncheva": lambda k, d: no_choice(k, d) or k.min() < k.max(),
    "pearson_scores": lambda k, d: k.max() == d or d == 1,  # all scores are equal
    **dict.fromkeys(("spearman_ranks", "canberra", "rbo"), lambda k, d: d == 1),
}


def answers(key, **options):
    """(name, Estimate) of every selection, with the jackknife."""
    for name, runs in RUNS.items():
        asked = {"draws": 10, **options} if takes(key, "draws") else options
        with np.errstate(all="raise", under="ignore"):
            yield name, sc.stability(runs, [key], similarity=SIMILARITY[runs.n_features], **asked)[key]


def check_answer(name, found):
    assert np.isfinite(found.value) != bool(found.reason), (name, found)
    assert not np.isinf([found.low, found.high, found.se, found.chance_error]).any(), name


@pytest.mark.parametrize("key", UNDEFINED)
def test_a_measure_is_undefined_exactly_where_its_formula_is(key):
    for name, found in answers(key):
        matrix = SELECTIONS[name]
        assert np.isfinite(found.value) != UNDEFINED[key](matrix.sum(axis=1), matrix.shape[1]), (name, found)
        assert np.isfinite(found.value) or (len(found.reason.split()) >= 5 and np.isnan([found.low, found.se]).all()), (name, found)
        check_answer(name, found)
        assert found.n_runs > 2 or np.isnan(found.se), name


OPTIONS = ({"corrected": True}, {"corrected": False}, {"threshold": 1.0}, {"undefined": "skip"}, {"undefined": 0.5})


@pytest.mark.parametrize(
    ("key", "options"), [(key, options) for key in BY_KEY for options in OPTIONS if all(takes(key, name) for name in options)]
)
def test_every_answer_is_a_finite_number_or_a_reason(key, options):
    """All measures with all their options."""
    for name, found in answers(key, **options):
        check_answer(name, found)


@pytest.mark.parametrize("key", [key for key in BY_KEY if takes(key, "undefined") and key not in ("kuncheva", "pearson_weights")])
def test_undefined_pairs_are_skipped_or_imputed(key):
    matrix = np.array([[0] * D, [0] * D, [1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0], [1] * D])
    runs, pairs = with_sets(matrix), []
    for i in range(5):
        for j in range(i):
            pairs.append(estimate(key, rearranged(runs, [i, j]), SIMILAR_GROUPS, draws=2000).value)
    pairs, plain = np.array(pairs), estimate(key, runs, SIMILAR_GROUPS, draws=2000)
    gaps = int(np.isnan(pairs).sum())
    assert np.isnan(plain.value) == (gaps > 0)
    if key == "hamming":
        assert gaps == 0
        return
    skipped, imputed = (estimate(key, runs, SIMILAR_GROUPS, draws=2000, undefined=how) for how in ("skip", -0.25))
    assert skipped.value == pytest.approx(np.nanmean(pairs), abs=1e-12)
    assert imputed.value == pytest.approx(np.where(np.isnan(pairs), -0.25, pairs).mean(), abs=1e-12)


def test_wrong_arguments_are_refused():
    runs = sc.Selections.from_matrix([[1, 1, 0], [1, 0, 0]])
    for key, options in (
        *((key, {}) for key in ("nope", "effective", "kuncheva", "importance_weighted")),
        *((key, {}) for key in ("pearson_weights", "pearson_scores", "spearman_ranks")),
        ("shared_information", {"similarity": sc.Similarity.identity(3)}),
        *(("canberra", {"k": 9}), ("rbo", {"k": 0}), ("rbo", {"p": 1}), ("davis", {"penalty": -1})),
        *(("jaccard", wrong) for wrong in ({"penalty": 1}, {"interval": "published"}, {"undefined": "drop"})),
        *(("jaccard", {"level": level}) for level in (95, 0, 1, -0.5, np.nan)),
        *(("intersection_mbm", {"similarity": sc.Similarity.identity(3), "draws": draws}) for draws in (0, 1, -5, 2.5)),
    ):
        with pytest.raises(sc.InputError):
            sc.stability(runs, key, **options)
    listed = sc.stability(runs, ["jaccard", "kuncheva"])
    assert listed["jaccard"].value == 0.5
