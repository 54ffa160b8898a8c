"""Places that cannot be told apart: against loops over pairs, other people's variances, and simulated tables with known places."""

import numpy as np
import pandas as pd
import pytest
from page_support import patients, study_file
from scipy.stats import ttest_rel

import stabcore as sc
from stabcore.analysis.places import place_bounds, places, shared_share
from stabcore.errors import InputError
from stabcore.figures.places import draw_places, finding_places, frame_places
from stabcore.study.results import Results

PLANS = {"subsample": sc.Subsample(30, 0.05), "bootstrap": sc.Bootstrap(40), "folds": sc.KFold(10, 2), "halves": sc.Half(20)}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    file = study_file(tmp_path_factory.mktemp("places") / "p.stab", patients("abcdefgh", 80), ["mim", "svm_rfe", "random"],
                      sc.Half(10))
    return sc.open_study(file)


def amounts_of(plan, gap, seed, n=80):
    """(M, d) absolute differences of two means in every run, on one simulated table."""
    y = np.arange(n) % 2
    X = np.random.default_rng(seed).normal(size=(n, len(gap))) + y[:, None] * gap
    rows = [plan.resample(run, y, seed).rows for run in range(plan.runs)]
    return np.abs([X[one][y[one] == 1].mean(axis=0) - X[one][y[one] == 0].mean(axis=0) for one in rows])


def free(plan):
    return plan.runs / 2 if plan.separate_halves else plan.runs - 1


def test_bounds_of_independent_runs_are_paired_t_tests_with_holm_one_by_one():
    rng = np.random.default_rng(1)
    amounts = rng.normal(size=(12, 7)) + np.linspace(3, 0, 7)
    pairs = sorted((ttest_rel(amounts[:, i], amounts[:, j]).pvalue, i, j) for i in range(7) for j in range(i))
    low, high = np.ones(7, dtype=int), np.full(7, 7)
    for step, (p, i, j) in enumerate(pairs):
        if p * (len(pairs) - step) >= 0.05:
            break
        above, below = (i, j) if amounts[:, i].mean() > amounts[:, j].mean() else (j, i)
        low[below] += 1
        high[above] -= 1
    assert 1 < low.max() and high.min() < 7
    assert [one.tolist() for one in place_bounds(amounts, 0.0, 11)] == [low.tolist(), high.tolist()]


@pytest.mark.parametrize("name", PLANS)
def test_the_variance_is_that_over_patients_and_not_that_over_runs_of_one_table(name):
    """Of the mean importance of a feature with a clear effect, over tables, against what single tables say."""
    plan, said, means = PLANS[name], [], []
    rho = shared_share(plan)
    for seed in range(150):
        amounts = amounts_of(plan, np.array([1.5]), seed)[:, 0]
        said.append(amounts.var(ddof=1) * (1 / len(amounts) + rho / (1 - rho)))
        means.append(amounts.mean())
    assert np.mean(said) == pytest.approx(np.var(means, ddof=1), rel=0.3)


@pytest.mark.parametrize("name", PLANS)
def test_all_places_are_held_at_once_in_95_of_100_tables(name):
    """Equal features, for which every claim is false; effects that fall, for which the order is known. 60 tables each."""
    plan, level, falling = PLANS[name], 0, 0
    for seed in range(60):
        low, high = place_bounds(amounts_of(plan, np.full(8, 0.8), seed), shared_share(plan), free(plan))
        level += (low > 1).any() or (high < 8).any()
        low, high = place_bounds(amounts_of(plan, np.linspace(3, 0.2, 8), seed), shared_share(plan), free(plan))
        falling += ((low > np.arange(1, 9)) | (high < np.arange(1, 9))).any()
        assert high[0] < 8 and low[-1] > 1                # and they say something
    assert level <= 7 and falling <= 7                      # P(more than 7 of 60 at 5%) = 1%


def test_the_table_is_that_of_the_weights_of_a_selector_and_of_ranks_of_several(study):
    weights = study.preferences("mim").scores
    one = places(study, ["mim"], compared=5)
    assert one["feature"].tolist() == [study.features[f] for f in np.argsort(-weights.mean(axis=0))[:5]]
    assert one["place"].tolist() == [1, 2, 3, 4, 5] and (one["low"] <= one["place"]).all() and (one["high"] >= one["place"]).all()
    both = places(study)
    assert len(both) == 8 and set(both["feature"]) == set(study.features)
    table = sc.panel(study, 0.5).set_index("feature")
    assert table["place_low"].to_dict() == {name: both.set_index("feature")["low"][name] for name in table.index}


def test_ranks_that_never_change_in_few_runs_are_not_sure():
    ranks = -np.tile(np.arange(1.0, 4), (4, 1))
    assert [one.tolist() for one in place_bounds(ranks, 0.9, 3, True)] == [[1, 1, 1], [3, 3, 3]]
    assert [one.tolist() for one in place_bounds(np.repeat(ranks, 25, axis=0), 0.0, 99, True)] == [[1, 2, 3], [1, 2, 3]]
    assert [one.tolist() for one in place_bounds(np.ones((5, 3)), 0.5, 4)] == [[1, 1, 1], [3, 3, 3]]


def test_nothing_is_said_of_runs_whose_rows_are_not_known(study):
    brought = Results({"one": sc.Preferences.from_scores(np.random.default_rng(0).random((5, 4))).top(2)})
    assert places(brought).empty and np.isnan(sc.panel(brought)["place_low"]).all()
    with pytest.raises(InputError, match="A panel is made of selectors"):
        places(study, ["nobody"])


def told(*ranges):
    return pd.DataFrame([(f"f{i}", i, low, high) for i, (low, high) in enumerate(ranges, 1)],
                        columns=["feature", "place", "low", "high"])


def test_the_sentence_says_how_far_the_order_is_known():
    assert finding_places(told((1, 1), (2, 3), (2, 3))) == (
        "f1 surely holds the first place in other patients too; 2 of the 3 may hold more than half of the places.")
    assert finding_places(told((1, 2), (1, 2), (3, 4), (3, 4))) == (
        "Any of 2 features may hold the first place in other patients; f1, first here, may lie anywhere from place 1 to 2.")
    assert finding_places(told((1, 3), (1, 3), (1, 3))) == (
        "The order of the first 3 features cannot be told from these runs for other patients: no two of them are surely apart, not "
        "even f1, the first here, from the last.")
    assert finding_places(told()) == "Between which places features lie is not known of these runs."


def test_the_picture_has_a_bar_over_the_places_and_a_dot_at_its_own():
    bars, dots = draw_places(frame_places(told((1, 2), (1, 2), (3, 3)), ["f3"])).data
    assert list(bars.base) == [2.5, 0.5, 0.5] and list(bars.x) == [1, 2, 2] and list(dots.x) == [3, 2, 1]
    assert dots.text[0] == "f3: place 3 here, 3 to 3 in other patients"
