"""Agreement between two halves of the patients, and intervals for new tables, against slow versions."""

import numpy as np
import pytest
from new_patients_support import simulated_intervals
from scipy.stats import t
from study_support import data
from support import slow as slow_case

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.inference.split_half import agreement_of_halves, common_share, interval_over_groups
from stabcore.measures.catalog import ENTRIES, entry


def slow(Z, pairs):
    """(shared, expected by chance, kappa) of every pair, from sets."""
    found, d = [], Z.shape[1]
    for pair in sorted(set(pairs)):
        a, b = (set(np.flatnonzero(row)) for row in Z[[i for i, p in enumerate(pairs) if p == pair]])
        by_chance = len(a) * len(b) / d
        found.append((len(a & b), by_chance, (len(a & b) - by_chance) / ((len(a) + len(b)) / 2 - by_chance)))
    return np.array(found)


def test_the_mean_over_pairs_is_that_of_a_loop():
    rng = np.random.default_rng(3)
    Z, pairs = (rng.random((20, 40)) < 0.3).astype(int), np.repeat(np.arange(10), 2)
    found, by_loop = agreement_of_halves(sc.Selections.from_matrix(Z).in_pairs(pairs)), slow(Z, pairs)
    assert [found["shared"], found["expected_by_chance"], found["value"]] == pytest.approx(by_loop.mean(axis=0))
    half = 2.2621571628 * by_loop[:, 2].std(ddof=1) / np.sqrt(10)  # t of 9 degrees of freedom
    assert (found["low"], found["high"]) == pytest.approx((by_loop[:, 2].mean() - half, by_loop[:, 2].mean() + half))
    assert found["pairs"] == 10 and found["size"] == Z.sum(axis=1).mean() and not found["note"]


def test_no_pair_and_no_spread_give_a_note():
    Z = np.eye(6, dtype=int)[[0, 0, 1, 2, 3, 3, 4]]
    found = agreement_of_halves(sc.Selections.from_matrix(Z).in_pairs([0, 0, 1, 2, 3, 3, 4]))
    assert found["pairs"] == 2 and found["shared"] == 1 and np.isnan(found["low"]) and found["note"]
    alone = agreement_of_halves(sc.Selections.from_matrix(Z).in_pairs(range(7)))
    assert alone["pairs"] == 0 and np.isnan(alone["value"]) and "no pair" in alone["note"]
    found = agreement_of_halves(sc.Selections.from_matrix(np.tile([1, 1, 0, 0], (8, 1))).in_pairs(np.repeat(range(4), 2)))
    assert found["value"] == 1 and found["low"] < 0.5 and np.isnan(found["high"]) and found["note"]


@pytest.mark.parametrize("measure", [measure.key for measure in ENTRIES if hasattr(measure.function, "values_of_pairs")])
def test_many_pairs_at_once_equal_single_pairs(measure):
    rng = np.random.default_rng(5)
    Z = (rng.random((24, 9)) < rng.random((24, 1))).astype(int)
    Z[:3], Z[3] = 0, 1  # both empty, one empty, everything selected
    runs, C = sc.Selections.from_matrix(Z), sc.Similarity.identity(9).edited({(0, 1): 1.0, (2, 3): 0.4})
    function, pairs = entry(measure).function, np.arange(24).reshape(12, 2)
    alone = [function(runs.take(pair), C) for pair in pairs]
    assert function.values_of_pairs(runs, C, *pairs.T) == pytest.approx(alone, abs=1e-12, nan_ok=True)


def test_halves_agree_beyond_chance_only_with_signal():
    """Welch t: the mean over 12 tables is 0 within three standard errors on noise, and well above 0 with ten true features."""
    noise, signal = [], []
    for table in range(12):
        rng = np.random.default_rng(table)
        x, y = rng.standard_normal((60, 50)), np.repeat([0, 1], 30)
        for values, shift in ((noise, 0.0), (signal, 1.0)):
            moved = x + shift * np.outer(y, np.arange(50) < 10)
            scores = []
            for run in range(10):
                rows = sc.ComplementaryPairs(5).resample(run, y, table).rows
                a, b = moved[rows[y[rows] == 0]], moved[rows[y[rows] == 1]]
                scores.append(np.abs(a.mean(0) - b.mean(0)) / np.sqrt(a.var(0, ddof=1) + b.var(0, ddof=1)))
            runs = sc.Selections.from_scores(np.array(scores)).top(10)
            values.append(agreement_of_halves(runs.in_pairs(np.repeat(range(5), 2)))["value"])
    assert abs(np.mean(noise)) < 3 * np.std(noise) / np.sqrt(12) < 0.1
    assert np.mean(signal) > 0.4


def test_only_studies_of_complementary_pairs_have_the_agreement(tmp_path):
    def ran(plan):
        study = sc.Study(data(), ["welch_t", "random"], plan=plan, k=3, classifier="none", n_permutations=0)
        return study.run(n_jobs=1, store=tmp_path / f"{plan.kind}.stab")

    found = ran(sc.ComplementaryPairs(6)).split_half()
    assert list(found.index) == ["welch_t", "random"] and (found["pairs"] == 6).all() and (found["size"] == 3).all()
    assert found.loc["welch_t", "value"] > found.loc["random", "value"]
    with pytest.raises(InputError):
        ran(sc.Subsample(4)).split_half()


def test_the_interval_is_that_of_loops():
    rng = np.random.default_rng(1)
    left, noise, floor = rng.normal(0.4, 0.1, (2, 5)), rng.uniform(0, 0.002, (2, 5)), 0.001
    spread = sum(4 / 5 * sum((x - row.mean()) ** 2 for x in row) for row in left) / 2
    wanted = np.sqrt(spread - 16 / 5 * noise.mean() + floor)
    half, se = interval_over_groups(0.4, floor, left, noise)
    assert se == pytest.approx(wanted) and half == pytest.approx(t.ppf(0.975, 8) * wanted)
    assert interval_over_groups(0.4, floor, left, noise, 0.2)[1] == pytest.approx(1.3 * wanted)
    never_below = interval_over_groups(0.4, floor, left, noise + 1)[1]
    assert never_below == pytest.approx(np.sqrt(floor))  # the noise of the runs
    assert np.isnan(interval_over_groups(0.4, 0.0, np.full((2, 5), 0.4), noise)).all()


def test_the_common_share_of_features():
    rng = np.random.default_rng(2)
    noise, factor = rng.normal(size=(400, 50)), rng.normal(size=(400, 1))
    assert common_share(noise) < 0.01
    assert common_share(np.sqrt(0.4) * factor + np.sqrt(0.6) * noise) == pytest.approx(0.4, abs=0.06)
    gaps = noise.copy()
    gaps[:, 0], gaps[3, 1], gaps[:, 2] = np.nan, np.nan, 5.0
    assert common_share(gaps) < 0.02 and common_share(noise[:, :1]) == 0


@pytest.mark.parametrize(("tables", "effect"), [(30, 0.7), slow_case(80, 0.7), slow_case(80, 0.0)])
def test_intervals_cover_new_tables_and_are_not_too_wide(tables, effect):
    """Tables of 100 patients and 100 features, ten with an effect. A t filter on 25 complementary pairs."""
    value, half = simulated_intervals(tables, 100, effect, random_state=3)
    covered = (np.abs(value - value.mean(axis=0)) <= half).mean(axis=0)
    width = half.mean(axis=0) / (1.96 * value.std(axis=0, ddof=1))
    assert (covered >= 0.87).all() and (width < 2.0).all(), (covered, width)
