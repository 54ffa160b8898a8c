"""The passport of a feature, against plain counting."""

import numpy as np
import pytest

import stabcore as sc
from stabcore.passport import partners, passport, ranks_of

NAMES = ["a", "b", "c", "d", "e"]


def swapping():
    """a always; b or c, never both; d and e together or not at all."""
    Z = np.array([[1, 1, 0, 1, 1], [1, 0, 1, 0, 0], [1, 1, 0, 0, 0], [1, 0, 1, 1, 1], [1, 1, 0, 1, 1], [1, 0, 1, 0, 0]])
    return sc.Preferences.from_selection_matrix(Z, features=NAMES)


def test_partners_are_those_that_swap():
    found = partners(swapping(), "b")
    assert found.iloc[0]["partner"] == "c" and found.iloc[0]["association"] == pytest.approx(-1)
    assert found.iloc[0][["both", "only_this", "only_partner"]].tolist() == pytest.approx([0, 0.5, 0.5])
    assert "a" not in set(found["partner"])                     # always selected: it cannot swap
    assert partners(swapping(), "a").empty
    assert "e" not in set(partners(swapping(), "d")["partner"])     # they come together


def test_only_related_features_swap_when_a_relation_is_given():
    C = sc.Relation.from_groups({"g": ["b", "d"]}, features=NAMES)
    found = partners(swapping(), "b", C)
    assert set(found["partner"]) <= {"d"} and (found["related"] == 1).all()
    assert partners(swapping(), "c", C).empty


def test_association_is_the_correlation_of_the_selections():
    rng = np.random.default_rng(2)
    Z = (rng.random((40, 8)) < 0.5).astype(int)
    runs = sc.Preferences.from_selection_matrix(Z)
    found = partners(runs, "f3", most=99).set_index("partner")
    for j in range(8):
        if j != 2:
            r = np.corrcoef(Z[:, 2], Z[:, j])[0, 1]
            assert (f"f{j + 1}" in found.index) == (r < 0)
            if r < 0:
                assert found.loc[f"f{j + 1}", "association"] == pytest.approx(r)
    assert found["association"].is_monotonic_increasing and len(partners(runs, "f3", most=1)) == 1


def test_passport_counts():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(20, 5))
    runs = sc.Preferences.from_scores(scores, features=NAMES).top(2)
    ranks = (-scores).argsort(axis=1).argsort(axis=1) + 1
    row = passport({"x": runs, "sets": swapping()}, "c").set_index("selector")
    assert row.loc["x", "frequency"] == np.mean(ranks[:, 2] <= 2) and row.loc["x", "runs"] == 20
    assert row.loc["x", ["rank_low", "rank_middle", "rank_high"]].tolist() == np.percentile(ranks[:, 2], [25, 50, 75]).tolist()
    assert np.isnan(row.loc["sets", "rank_middle"]) and row.loc["sets", "ranked"] == 0 and np.isnan(row.loc["sets", "importance"])
    listed = ranks_of({"x": runs, "sets": swapping()}, "c")
    assert listed["rank"].tolist() == ranks[:, 2].tolist() and set(listed["selector"]) == {"x"}


def test_importance_is_the_mean_share_where_selected():
    weights = np.array([[2.0, 2, 0], [0, 1, 3], [1, 0, 1]])
    row = passport({"w": sc.Preferences.from_importances(weights, features=["a", "b", "c"])}, "a").iloc[0]
    assert row["importance"] == pytest.approx((0.5 + 0.5) / 2) and row["frequency"] == pytest.approx(2 / 3)


def test_an_unknown_feature_gets_a_sentence():
    with pytest.raises(sc.InputError, match="no feature 'zz' among the 5"):
        passport({"x": swapping()}, "zz")
