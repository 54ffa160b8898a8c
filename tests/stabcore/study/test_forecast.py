"""How long a study may take, told before it is run, and its settings in words."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.resampling.catalog import PLANS
from stabcore.selectors.catalog import BY_KEY
from stabcore.study import forecast as told


def study(n=80, d=12, keys=("mim", "random"), plan=None, **options):
    rng = np.random.default_rng(0)
    frame = {f"f{i}": rng.normal(size=n) for i in range(d)} | {"outcome": np.where(np.arange(n) % 2, "a", "b")}
    data = sc.Dataset.from_frame(pd.DataFrame(frame), target="outcome")
    return sc.Study(
        data,
        keys if isinstance(keys, dict) else list(keys),
        plan=plan or sc.ComplementaryPairs(5),
        k="sqrt",
        **{"n_permutations": 0, **options},
    )


@pytest.fixture(autouse=True)
def this_computer(monkeypatch):
    """As fast as the computer where the times were taken."""
    monkeypatch.setattr(told, "slowness", lambda: 1.0)


def test_every_selector_was_timed():
    assert set(told.MILLISECONDS) == set(BY_KEY)
    assert all(np.shape(one) == (len(told.ROWS), len(told.FEATURES)) and np.min(one) > 0 for one in told.MILLISECONDS.values())


@pytest.mark.parametrize("key", BY_KEY)
def test_where_it_was_timed_it_says_what_was_timed(key):
    for i, n in enumerate(told.ROWS):
        for j, d in enumerate(told.FEATURES):
            assert told.fit_seconds(key, n, d, 1) * 1000 == pytest.approx(told.MILLISECONDS[key][i][j])
    at_end = told.fit_seconds(key, 480, 3840, 1)
    assert at_end <= told.fit_seconds(key, 4800, 38400, 1) <= at_end * 100**told.STEEPEST  # beyond: no less, not endless
    assert 0 < told.fit_seconds(key, 2, 1, 1) < (5 if key == "boruta" else 1)  # 50 forests, however small the table


def test_more_work_takes_longer_and_more_workers_less():
    short = told.forecast(study(keys=("gbm", "random_forest", "random")))
    assert short < told.forecast(study(keys=("gbm", "random_forest", "random"), plan=sc.ComplementaryPairs(10)))
    assert short < told.forecast(study(keys=("gbm", "random_forest", "random"), n_permutations=2))
    assert short < told.forecast(study(keys=("gbm", "random_forest", "random"), n_seeds=2))
    assert told.STARTING < told.forecast(study(keys=("gbm", "random_forest", "random")), n_jobs=2) < short
    plans = [one.build() for key, one in PLANS.items() if key != "leave_one_site_out"]  # there are no centres here
    assert all(told.forecast(study(plan=plan)) > told.STARTING for plan in plans)


def test_more_classes_more_fits_and_what_scoring_takes():
    assert told.fit_seconds("lasso", 90, 13, 3, 3) == 3 * told.fit_seconds("lasso", 90, 13, 3, 2)
    assert told.fit_seconds("mim", 90, 13, 3, 3) == told.fit_seconds("mim", 90, 13, 3, 2)
    plain = told.forecast(study(n=2000, classifier="none"))
    near, forest = told.forecast(study(n=2000)), told.forecast(study(n=2000, classifier="random_forest"))
    ten_runs_of_two = 20 * told.USUAL_TABLES
    assert near - plain == pytest.approx(ten_runs_of_two * (1e-3 + 5e-8 * 1000 * 1000)) and forest > near


def test_the_range_that_is_told_is_around_the_forecast():
    for workers in (1, 4):
        least, most = told.between(study(), workers)
        assert told.STARTING < least < told.forecast(study(), workers) < most


def test_as_many_runs_as_fit_into_the_time():
    one = study(keys=("gbm", "random_forest"))
    runs = told.runs_within(one, 60.0)
    asked = study(keys=("gbm", "random_forest"), plan=sc.Subsample(runs, 0.5))
    assert told.forecast(asked) == pytest.approx(60.0, rel=0.05)
    assert told.runs_within(one, 1.0) == 0


def test_a_study_that_ran_here_is_told_as_it_was(tmp_path):
    one = study(keys=("mim", "random"), n_permutations=1, n_seeds=2)
    with ThreadPoolExecutor(1) as executor:
        result = one.run(executor, store=tmp_path / "s.stab")
    kept = result.store.every_outcome(("seconds",))
    took, paces = {key: sum(each.seconds for each in kept if each.selector == key) for key in ("mim", "random")}, told.paces(result)
    assert told.forecast(one, 2, paces) == pytest.approx(told.STARTING + sum(took.values()) / 2)
    half = told.forecast(one, 2, {"mim": paces["mim"]}) - told.forecast(one, 2)
    assert half == pytest.approx((took["mim"] - told.USUAL_TABLES * took["mim"] / paces["mim"]) / 2)
    assert told.paces(result, result.store.finished()) == {}, "what ran elsewhere before tells nothing of this computer"


def test_categories_and_few_values_take_longer_but_where_it_is_known_how_long():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 12))).add_prefix("f").assign(outcome=["a", "b"] * 40)
    mixed = frame.assign(f0=rng.integers(0, 2, 80))
    numbers, few = (
        sc.Study(
            sc.Dataset.from_frame(one, target="outcome"),
            ["gbm"],
            plan=sc.ComplementaryPairs(5),
            classifier="none",
            n_permutations=0,
        )
        for one in (frame, mixed)
    )
    usual = told.forecast(numbers) - told.STARTING
    assert told.forecast(few) - told.STARTING == pytest.approx(told.MIXED["gbm"] * usual)
    assert told.forecast(few, pace={"gbm": 1.0}) == told.forecast(numbers, pace={"gbm": 1.0})


def test_columns_with_gaps_are_filled_once_a_run_for_all_selectors():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(80, 6))).add_prefix("f").assign(outcome=["a", "b"] * 40)
    frame.loc[:4, ["f1", "f2", "f3"]] = np.nan
    data, options = sc.Dataset.from_frame(frame, target="outcome"), {"plan": sc.ComplementaryPairs(5), "n_permutations": 0}
    filled, gaps = (sc.Study(data, ["anova_f", "welch_t"], **options, **more) for more in ({"n_imputations": 1}, {}))
    assert told.forecast(filled) - told.forecast(gaps) == pytest.approx(10 * 3 * told.FILLING / 1000)


def test_settings_in_one_sentence():
    said = told.in_words(study(keys=("mim", "lasso"), n_permutations=3))
    assert (
        said.startswith(
            "2 selectors each select 3 of 12 features (Mutual information (MIM) and Lasso), in 10 runs, each on one "
            "half of the rows"
        )
        and "predict the held-out rows" in said
        and "4 of these runs" in said
    )
    several = {
        "a": ("relieff", {"neighbours": 3}),
        "b": ("relieff", {"neighbours": 6}),
        "c": ("mim", {"k": 5}),
        "d": ("augmented", {"k": "free"}),
    }
    assert told.in_words(study(keys=several)).startswith(
        "4 selectors each select 3 to 5 or as many as the selector chooses of 12 features (ReliefF at 2 settings, "
    )
    assert told.in_words(study(keys=["mim"], classifier="none")).startswith("The selector selects 3 of 12 features")
