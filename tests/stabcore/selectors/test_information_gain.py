"""Information gain: against a plain recursion of Fayyad & Irani, ties, missing values and categories."""

import itertools
import math

import numpy as np
import pytest

from stabcore.data.feature_table import FeatureTable
from stabcore.selectors.catalog import selector


def scores_of(X, y):
    """(d,) information gain, 0 for unranked features without an accepted cut."""
    fitted = selector("information_gain", standardised=False).fit(X, y, rng=0)
    assert (fitted.scores_[~np.isnan(fitted.scores_)] > 0).all()
    assert np.array_equal(np.isnan(fitted.scores_), np.isnan(fitted.ranking_))
    assert np.array_equal(np.nan_to_num(fitted.scores_), fitted.importances_)
    return fitted.importances_


def entropy(labels):
    return -math.fsum(labels.count(c) / len(labels) * math.log2(labels.count(c) / len(labels)) for c in set(labels))


def split_entropy(low, high):
    return (len(low) * entropy(low) + len(high) * entropy(high)) / (len(low) + len(high))


def boundaries(pairs):
    """Positions between two different values, unless all rows of both have the same class."""
    for i in range(1, len(pairs)):
        below, above = pairs[i - 1][0], pairs[i][0]
        if below != above and len({label for value, label in pairs if value in (below, above)}) > 1:
            yield i


def textbook_cuts(pairs):
    """The cut values of sorted (value, class) pairs."""
    labels, best = [label for _, label in pairs], None
    for i in boundaries(pairs):
        found = split_entropy(labels[:i], labels[i:])
        if best is None or found < best[0] - 1e-12:
            best = found, i
    if best is None:
        return []
    found, i = best
    low, high, n = labels[:i], labels[i:], len(labels)
    delta = math.log2(3 ** len(set(labels)) - 2) - (
        len(set(labels)) * entropy(labels) - len(set(low)) * entropy(low) - len(set(high)) * entropy(high)
    )
    if entropy(labels) - found <= math.log2(n - 1) / n + delta / n:
        return []
    return [*textbook_cuts(pairs[:i]), pairs[i][0], *textbook_cuts(pairs[i:])]


def ways(pieces, classes):
    """Count the ways to give each piece some of the classes, and all pieces together every class."""
    some = [set(chosen) for size in range(1, classes + 1) for chosen in itertools.combinations(range(classes), size)]
    return sum(set().union(*sets) == set(range(classes)) for sets in itertools.product(some, repeat=pieces))


def gain_of(pieces):
    """Bits per row that a split into pieces (lists of classes) saves, or 0 if its description costs more."""
    whole = [c for piece in pieces for c in piece]
    gain = entropy(whole) - math.fsum(len(piece) / len(whole) * entropy(piece) for piece in pieces)
    delta = (
        math.log2(ways(len(pieces), len(set(whole))))
        - len(set(whole)) * entropy(whole)
        + math.fsum(len(set(piece)) * entropy(piece) for piece in pieces)
    )
    return gain if gain > 1e-12 and gain > delta / len(whole) else 0.0


def textbook(x, y):
    """Information in nats of a number with gaps (NaN)."""
    cuts = textbook_cuts(sorted((v, c) for v, c in zip(x, y, strict=True) if not math.isnan(v)))
    missing, valid = ([c for v, c in zip(x, y, strict=True) if math.isnan(v) == gap] for gap in (True, False))
    bins = [sum(v >= cut for cut in cuts) for v in x if not math.isnan(v)]
    within = math.fsum(bins.count(b) / len(y) * entropy([c for a, c in zip(bins, valid, strict=True) if a == b]) for b in set(bins))
    of_cuts = len(valid) / len(y) * entropy(valid) - within if valid else 0.0
    return (of_cuts + (gain_of([missing, valid]) if missing and valid else 0)) * math.log(2), len(cuts)


def staircase(classes, n, seed, decimals):
    """Features of increasing signal, with repeated and missing values."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    X = np.round(rng.normal(size=(n, 12)) + 3.0 * rng.permutation(classes)[y][:, None] * rng.random(12), decimals)
    X[:, 3] = np.round(np.abs(rng.normal(size=n) + 3.0 * (y == 0)), decimals)
    X[rng.random((n, 12)) < np.linspace(0, 0.4, 12) * (np.arange(12) % 3 == 0)] = np.nan
    return X, y


@pytest.mark.parametrize("decimals", [0, 1, 12])
@pytest.mark.parametrize(("n", "classes"), [(7, 3), (40, 2), (150, 5)])
def test_information_gain_matches_fayyad_and_irani(n, classes, decimals):
    several = 0
    for seed in range(3):
        X, y = staircase(classes, n, seed, decimals)
        expected, cuts = zip(*(textbook(x, y.tolist()) for x in X.T.tolist()), strict=True)
        np.testing.assert_allclose(scores_of(X, y), expected, atol=1e-12)
        several += sum(count > 1 for count in cuts)
    assert several > 0 or n < 150


@pytest.mark.parametrize("classes", [2, 3])
def test_levels_of_a_category_are_split_if_worth_it(classes):
    rng = np.random.default_rng(0)
    taken = set()
    for follows in np.linspace(0, 1, 12):
        y = rng.permutation(np.arange(90) % classes)
        levels = np.where(rng.random(90) < follows, y, rng.integers(0, 4, 90)).astype(float)
        levels[rng.random(90) < 0.2] = np.nan
        pieces = [y[np.isnan(levels)].tolist()] + [y[levels == level].tolist() for level in np.unique(levels[~np.isnan(levels)])]
        found = scores_of(FeatureTable(levels[:, None], np.array([True]), ("stage",)), y)[0]
        assert found == pytest.approx(gain_of(pieces) * math.log(2), abs=1e-13)
        taken.add(found > 0)
    assert taken == {True, False}


@pytest.mark.parametrize("classes", [2, 3])
def test_equal_features_have_exactly_equal_gains(classes):
    X, y = staircase(classes, 90, 1, 12)
    rng = np.random.default_rng(2)
    yes = (rng.random(90) < 0.2 + 0.6 * (y == 0)).astype(float)
    values = np.column_stack([X[:, 7], yes, X[:, 7] ** 3, yes, rng.normal(size=(90, 2000))])  # more than one block
    categorical = np.zeros(values.shape[1], dtype=bool)
    categorical[3] = True
    scores = scores_of(FeatureTable(values, categorical, tuple(map(str, range(2004)))), y)
    assert scores[0] == scores[2] > 0
    assert scores[1] == scores[3] > 0  # a category of two levels, and the same as a number whose one cut is accepted
    rows, columns = rng.permutation(90), rng.permutation(2004)
    moved = scores_of(FeatureTable(values[np.ix_(rows, columns)], categorical[columns], tuple(map(str, columns))), y[rows])
    assert np.array_equal(moved, scores[columns])
