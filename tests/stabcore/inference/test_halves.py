"""Two separate halves: against a loop over pairs, on tables without signal, with every way to have no value."""

import numpy as np
import pytest
from study_support import data

import stabcore as sc
from stabcore.errors import InputError
from stabcore.inference.split_half import agreement_of_halves
from stabcore.measures.catalog import ENTRIES, entry


def sparse_relation(d):
    """Groups, and single pairs beside them."""
    C = np.eye(d)
    C[0, 1] = C[1, 0] = 1
    C[2, 3] = C[3, 2] = 0.4
    return sc.Relation.from_matrix(C)


def slow(Z, pairs):
    """shared, by luck, kappa of every pair, from sets of numbers."""
    found, d = [], Z.shape[1]
    for pair in sorted(set(pairs)):
        a, b = (set(np.flatnonzero(row)) for row in Z[[i for i, p in enumerate(pairs) if p == pair]])
        luck = len(a) * len(b) / d
        found.append((len(a & b), luck, (len(a & b) - luck) / ((len(a) + len(b)) / 2 - luck)))
    return np.array(found)


def test_the_mean_over_pairs_is_that_of_a_loop():
    rng = np.random.default_rng(3)
    Z, pairs = (rng.random((20, 40)) < 0.3).astype(int), np.repeat(np.arange(10), 2)
    found, one = agreement_of_halves(sc.Preferences.from_selection_matrix(Z), pairs), slow(Z, pairs)
    assert [found["shared"], found["by_luck"], found["value"]] == pytest.approx(one.mean(axis=0))
    half = 2.2621571628 * one[:, 2].std(ddof=1) / np.sqrt(10)               # t of 9 degrees of freedom
    assert (found["low"], found["high"]) == pytest.approx((one[:, 2].mean() - half, one[:, 2].mean() + half))
    assert found["pairs"] == 10 and found["size"] == Z.sum(axis=1).mean() and not found["note"]


def test_a_half_without_the_other_does_not_count():
    Z = np.eye(6, dtype=int)[[0, 0, 1, 2, 3, 3, 4]]
    found = agreement_of_halves(sc.Preferences.from_selection_matrix(Z), [0, 0, 1, 2, 3, 3, 4])
    assert found["pairs"] == 2 and found["shared"] == 1 and np.isnan(found["low"]) and "three pairs" in found["note"]
    alone = agreement_of_halves(sc.Preferences.from_selection_matrix(Z), range(7))
    assert alone["pairs"] == 0 and np.isnan(alone["value"]) and "no pair" in alone["note"]


def test_pairs_that_all_agree_alike_have_no_interval():
    found = agreement_of_halves(sc.Preferences.from_selection_matrix(np.tile([1, 1, 0, 0], (8, 1))), np.repeat(range(4), 2))
    assert found["value"] == 1 and np.isnan(found["low"]) and found["note"] == "all pairs of halves agree alike"


def test_a_relation_counts_members_of_a_group_as_the_same():
    Z = np.tile([[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]], (5, 1))
    runs, pairs = sc.Preferences.from_selection_matrix(Z), np.repeat(range(5), 2)
    assert agreement_of_halves(runs, pairs)["value"] < 0
    C = sc.Relation.from_groups({"g": [0, 1]}, n_features=6)
    assert agreement_of_halves(runs, pairs, "effective", relation=C)["value"] > 0.8


@pytest.mark.parametrize("measure", [one.key for one in ENTRIES if hasattr(one.function, "of_pairs")])
def test_many_pairs_at_once_are_as_each_alone(measure, monkeypatch):
    rng = np.random.default_rng(5)
    Z = (rng.random((24, 9)) < rng.random((24, 1))).astype(int)
    Z[:3], Z[3] = 0, 1                                          # nothing in both, nothing in one, everything
    runs, C = sc.Preferences.from_selection_matrix(Z), sparse_relation(9)
    function, pairs = entry(measure).function, np.arange(24).reshape(12, 2)
    alone = [function(runs.take(pair), C) for pair in pairs]
    assert function.of_pairs(runs, C, *pairs.T) == pytest.approx(alone, abs=1e-12, nan_ok=True)
    quick = agreement_of_halves(runs, np.repeat(range(12), 2), measure, relation=C)
    monkeypatch.delattr(function, "of_pairs")
    assert quick == pytest.approx(agreement_of_halves(runs, np.repeat(range(12), 2), measure, relation=C), nan_ok=True)


def test_halves_without_signal_agree_by_chance_and_with_signal_beyond():
    """Welch t on noise: the mean over 30 tables is 0 within three standard errors; with ten true features it is well above."""
    noise, signal = [], []
    for table in range(30):
        rng = np.random.default_rng(table)
        x, y = rng.standard_normal((60, 50)), np.repeat([0, 1], 30)
        for values, shift in ((noise, 0.0), (signal, 1.0)):
            moved = x + shift * np.outer(y, np.arange(50) < 10)
            scores = []
            for run in range(10):
                rows = sc.Half(5).resample(run, y, table).rows
                a, b = moved[rows[y[rows] == 0]], moved[rows[y[rows] == 1]]
                scores.append(np.abs(a.mean(0) - b.mean(0)) / np.sqrt(a.var(0, ddof=1) + b.var(0, ddof=1)))
            runs = sc.Preferences.from_scores(np.array(scores)).top(10)
            values.append(agreement_of_halves(runs, np.repeat(range(5), 2))["value"])
    assert abs(np.mean(noise)) < 3 * np.std(noise) / np.sqrt(30) < 0.06
    assert np.mean(signal) > 0.4


def test_a_study_of_halves_says_what_they_share_and_another_refuses(tmp_path):
    study = sc.Study(data(), ["welch_t", "random"], plan=sc.Half(6), k=3, classifier="none", control=0)
    found = study.run(workers=1, store=tmp_path / "h.stab").split_half()
    assert list(found.index) == ["welch_t", "random"] and (found["pairs"] == 6).all() and (found["size"] == 3).all()
    assert found.loc["welch_t", "value"] > found.loc["random", "value"]
    other = sc.Study(data(), ["welch_t"], plan=sc.Subsample(4), k=3, classifier="none",
        control=0).run(workers=1, store=tmp_path / "s.stab")
    with pytest.raises(InputError, match="complementary halves.*share rows"):
        other.split_half()
