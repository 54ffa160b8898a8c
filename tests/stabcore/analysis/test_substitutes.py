"""Substitutes are found, counted once, and claimed in at most 5 of 100 tables without any."""

import numpy as np
import pandas as pd
import pytest
from interval_support import filtered
from replication_support import cohort
from scipy.stats import norm
from support import slow

import stabcore as sc
from stabcore.analysis.feature_profile import partners
from stabcore.base.holm import holm
from stabcore.study.results import Results

NAMES = list("abcdefghijkl")


def swapping(runs=60, random_state=0):
    """c is in every run, and so is either a or b. All others are random."""
    Z = np.random.default_rng(random_state).random((runs, 12)) < 0.3
    Z[:, 0], Z[:, 1], Z[:, 2] = np.arange(runs) % 3 > 0, np.arange(runs) % 3 == 0, True
    return sc.Selections.from_matrix(Z.astype(int), NAMES)


def pair(*names):
    return sc.Similarity.from_groups({"g": list(names)}, names=NAMES)


def test_a_pair_of_substitutes_is_listed_once_with_four_shares():
    runs = swapping()
    (row,) = sc.substitutes(Results({"one": runs})).to_dict("records")
    assert (row["feature"], row["partner"], row["selector"]) == ("a", "b", "one")
    Z = runs.selected
    a, b = Z[:, 0], Z[:, 1]
    counted = [(a & ~b).mean(), (a & b).mean(), (~a & b).mean(), (~a & ~b).mean()]
    assert [row[part] for part in ("only_this", "both", "only_partner", "neither")] == counted == [2 / 3, 0, 1 / 3, 0]
    assert row["association"] == pytest.approx(np.corrcoef(a, b)[0, 1]) == pytest.approx(-1)


def test_p_values_are_corrected_for_all_pairs_of_all_selectors():
    result = Results({"one": swapping(random_state=1), "two": swapping(30, random_state=2)})
    every = sc.substitutes(result, level=2)
    assert len(every) == 2 * 11 * 10 / 2 and "c" not in {*every["feature"], *every["partner"]}
    p = []
    for label in ("one", "two"):
        pairs, runs = every[every["selector"] == label], result.selections(label)
        names = pairs[["feature", "partner"]].to_numpy()
        alone = [partners(runs, this, pair(this, other), level=2)["p_holm"].iloc[0] for this, other in names]
        z = norm.ppf(np.clip(alone, 0, 1 - 1e-12))
        spread = max(1, (np.median(z) - np.quantile(z, 0.1)) / -norm.ppf(0.1)) if len(z) >= 100 else 1
        p.append(pd.Series(norm.cdf(z / spread), pairs.index))
    assert every["p_holm"].to_numpy() == pytest.approx(holm(pd.concat(p).sort_index().to_numpy()))
    assert sc.substitutes(result, selectors=["two"], level=2)["selector"].unique().tolist() == ["two"]


@pytest.mark.parametrize("often", [25, 45])
def test_unrelated_features_that_alternate_in_50_runs_are_found(often):
    """One is in 25, 40 or 45 runs, the other in the rest, among 130 features. C relates other features, but not these."""
    rng, Z = np.random.default_rng(often), np.zeros((50, 130))
    runs = rng.permutation(50)
    Z[runs[:often], 0], Z[runs[often:], 1] = 1, 1
    for row in Z:
        row[rng.choice(np.arange(2, 130), 9, replace=False)] = 1
    result = Results({"one": sc.Selections.from_matrix(Z)})
    similarity = sc.Similarity.from_groups({"g": [5, 6]}, n_features=130)
    found = sc.substitutes(result, similarity=similarity)
    assert [*found[["feature", "partner"]].to_numpy()[0]] == ["f1", "f2"]
    pd.testing.assert_frame_equal(found[["feature", "partner", "p_holm"]], sc.substitutes(result)[["feature", "partner", "p_holm"]])


@pytest.mark.parametrize("shared", [0.0, slow(0.5), 0.95], ids=["nothing shared", "half the rows shared", "most rows shared"])
def test_at_most_5_percent_of_tables_without_substitutes_show_a_pair(shared):
    rng, shown = np.random.default_rng(3), 0
    for _ in range(20):
        scores = np.sqrt(shared) * rng.normal(size=(2, 1, 30)) + np.sqrt(1 - shared) * rng.normal(size=(2, 40, 30))
        runs = {name: sc.Selections.from_scores(np.abs(run_scores)).top(6) for name, run_scores in zip("ab", scores, strict=True)}
        shown += len(sc.substitutes(Results(runs))) > 0
    assert shown <= 3  # P(more than 3 of 20 at 5%) = 2%


@pytest.mark.parametrize(("kind", "tables"), [("blocks", 15), slow("factor", 60), slow("blocks", 60)])
def test_correlated_noise_shows_no_substitutes(kind, tables):
    """A t filter on noise in six blocks (ρ .7) or with one factor (ρ .5), 5% of the rows left out: 5% of tables are allowed."""
    shown = 0
    for seed in range(tables):
        rng = np.random.default_rng([seed, 5])
        X, y = cohort(rng, kind, n=100)
        shown += len(sc.substitutes(Results({"one": filtered(sc.Subsample(50, 0.05), X, y, seed, k=10)}))) > 0
    assert shown <= (3 if tables == 15 else 5)
