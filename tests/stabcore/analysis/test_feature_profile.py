"""Feature profiles against plain counts."""

import numpy as np
import pytest
from scipy.stats import hypergeom, nchypergeom_fisher
from support import slow

import stabcore as sc
from stabcore.analysis.feature_profile import feature_profile, feature_ranks, feature_substitutes
from stabcore.analysis.substitutes import exclusion_p_values

NAMES = list("abcdefghijklmnopqrst")


def swapping(times=20):
    """a is in every run, and so is either b or c. d and e are selected together or not at all. All others are random."""
    Z = np.array([[1, 1, 0, 1, 1], [1, 0, 1, 0, 0], [1, 1, 0, 0, 0], [1, 0, 1, 1, 1], [1, 1, 0, 1, 1], [1, 0, 1, 0, 0]] * times)
    others = np.random.default_rng(0).random((6 * times, 15)) < 0.3
    return sc.Selections.from_matrix(np.hstack([Z, others]).astype(int), names=NAMES)


def test_partners_replace_each_other():
    found = feature_substitutes(swapping(), "b")
    assert found.iloc[0]["partner"] == "c" and found.iloc[0]["association"] == pytest.approx(-1)
    assert found.iloc[0][["both", "only_this", "only_partner"]].tolist() == pytest.approx([0, 0.5, 0.5])
    assert "a" not in set(found["partner"])  # always selected, so nothing replaces it
    assert feature_substitutes(swapping(), "a").empty
    assert "e" not in set(feature_substitutes(swapping(), "d")["partner"])  # they are selected together
    C = sc.Similarity.from_groups({"g": ["b", "d"]}, names=NAMES)  # only related features are partners
    assert set(feature_substitutes(swapping(), "b", C)["partner"]) <= {"d"} and feature_substitutes(swapping(), "c", C).empty


def test_association_is_the_correlation_of_the_selections():
    rng = np.random.default_rng(2)
    Z = (rng.random((40, 8)) < 0.5).astype(int)
    Z[:, 5] = np.where(rng.random(40) < 0.9, 1 - Z[:, 2], Z[:, 5])
    runs = sc.Selections.from_matrix(Z)
    found = feature_substitutes(runs, "f3", most=99, level=2).set_index("partner")
    for j in [0, 1, 3, 4, 5, 6, 7]:
        assert found.loc[f"f{j + 1}", "association"] == pytest.approx(np.corrcoef(Z[:, 2], Z[:, j])[0, 1])
    assert found["p_holm"].is_monotonic_increasing and len(feature_substitutes(runs, "f3", most=1, level=2)) == 1
    assert feature_substitutes(runs, "f3")["partner"].tolist() == ["f6"]


def test_the_p_value_is_fishers_where_features_do_not_compete():
    free = exclusion_p_values(np.array([3.0, 7.0]), 20, np.array([15.0, 15.0]), 50, np.zeros(2))
    assert free == pytest.approx(hypergeom(50, 20, 15).cdf([3, 7]))
    together = 0.4 * 0.3 - 0.05
    odds = together * (1 - 0.7 + together) / ((0.4 - together) * (0.3 - together))
    lost = exclusion_p_values(np.array([3.0]), 20, np.array([15.0]), 50, np.array([0.05]))
    assert lost == pytest.approx(nchypergeom_fisher(50, 20, 15, odds).cdf(3), rel=1e-6)


@pytest.mark.parametrize(("runs", "d", "k", "shared"), [(50, 13, 4, 0.0), (20, 13, 4, 0.95), slow(50, 40, 8, 0.5)])
def test_random_selections_have_no_partners(runs, d, k, shared):
    rng = np.random.default_rng(d * k)
    found = []
    for _ in range(8):
        scores = np.sqrt(shared) * rng.normal(size=d) + np.sqrt(1 - shared) * rng.normal(size=(runs, d))
        made = sc.Selections.from_scores(np.abs(scores)).top(k)
        found += [len(feature_substitutes(made, name)) > 0 for name, share in zip(made.features, made.frequencies) if 0 < share < 1]
    assert np.mean(found) <= 0.08


def test_feature_profile_counts():
    rng = np.random.default_rng(0)  # a seed with which other definitions of a quartile give another value
    scores = rng.normal(size=(20, 5))
    runs = sc.Selections.from_scores(scores, names=NAMES[:5]).top(2)
    ranks = (-scores).argsort(axis=1).argsort(axis=1) + 1
    row = feature_profile({"x": runs, "sets": swapping()}, "c").set_index("selector")
    assert row.loc["x", "frequency"] == np.mean(ranks[:, 2] <= 2) and row.loc["x", "runs"] == 20
    quartiles = np.percentile(ranks[:, 2], [25, 50, 75], method="hazen")
    assert row.loc["x", ["rank_low", "rank_middle", "rank_high"]].tolist() == quartiles.tolist()
    assert np.isnan(row.loc["sets", "rank_middle"]) and row.loc["sets", "ranked"] == 0 and np.isnan(row.loc["sets", "importance"])
    listed = feature_ranks({"x": runs, "sets": swapping()}, "c")
    assert listed["rank"].tolist() == ranks[:, 2].tolist() and set(listed["selector"]) == {"x"}


def test_importance_is_the_mean_share_where_selected():
    weights = np.array([[2.0, 2, 0], [0, 1, 3], [1, 0, 1]])
    row = feature_profile({"w": sc.Selections.from_weights(weights, names=["a", "b", "c"])}, "a").iloc[0]
    assert row["importance"] == pytest.approx((0.5 + 0.5) / 2) and row["frequency"] == pytest.approx(2 / 3)
    with pytest.raises(sc.InputError):
        feature_profile({"x": swapping()}, "zz")
