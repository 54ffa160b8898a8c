"""Forecasts of the time of a study."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.resampling.catalog import PLANS
from stabcore.selectors.catalog import BY_KEY
from stabcore.study import forecast


def table(n=80, d=12):
    values = np.random.default_rng(0).normal(size=(n, d))
    return pd.DataFrame(values).add_prefix("f").assign(outcome=np.where(np.arange(n) % 2, "a", "b"))


def study(frame=None, keys=("mim", "random"), **options):
    options = {"plan": sc.ComplementaryPairs(5), "k": "sqrt", "n_permutations": 0, **options}
    return sc.Study(sc.Dataset.from_frame(table() if frame is None else frame, target="outcome"), list(keys), **options)


@pytest.fixture(autouse=True)
def this_computer(monkeypatch):
    """Pretend the speed of the computer on which the times were measured."""
    monkeypatch.setattr(forecast, "slowness", lambda: 1.0)


def test_every_selector_was_timed():
    """Forecasts reproduce the measured times. Beyond the measured sizes they grow, but not faster than MAX_SLOPE."""
    assert set(forecast.MILLISECONDS) == set(BY_KEY)
    for key, times in forecast.MILLISECONDS.items():
        found = [[forecast.fit_seconds(key, n, d, 1) * 1000 for d in forecast.TIMED_FEATURES] for n in forecast.TIMED_ROWS]
        assert np.array(found) == pytest.approx(np.array(times, dtype=float)) and np.min(times) > 0
        at_end = forecast.fit_seconds(key, 480, 3840, 1)
        assert at_end <= forecast.fit_seconds(key, 4800, 38400, 1) <= at_end * 100**forecast.MAX_SLOPE
        assert 0 < forecast.fit_seconds(key, 2, 1, 1) < (5 if key == "boruta" else 1)  # it fits 50 forests to any table


def test_forecast_grows_with_work_and_falls_with_workers():
    keys = ("gbm", "random_forest", "random")
    short = forecast.forecast_seconds(study(keys=keys))
    for more in ({"plan": sc.ComplementaryPairs(10)}, {"n_permutations": 2}, {"n_seeds": 2}):
        assert short < forecast.forecast_seconds(study(keys=keys, **more))
    assert forecast.STARTING_SECONDS < forecast.forecast_seconds(study(keys=keys), n_jobs=2) < short
    assert forecast.fit_seconds("lasso", 90, 13, 3, 3) == 3 * forecast.fit_seconds("lasso", 90, 13, 3, 2)  # one fit per class
    forecasts = [
        forecast.forecast_seconds(study(table(2000), classifier=classifier)) for classifier in ("none", "3nn", "random_forest")
    ]
    assert forecasts == sorted(forecasts) and len(set(forecasts)) == 3
    plans = [plan_entry.build() for key, plan_entry in PLANS.items() if key != "leave_one_site_out"]  # the table has no centres
    assert all(forecast.forecast_seconds(study(plan=plan)) > forecast.STARTING_SECONDS for plan in plans)
    for workers in (1, 4):
        least, most = forecast.seconds_range(study(), workers)
        assert forecast.STARTING_SECONDS < least < forecast.forecast_seconds(study(), workers) < most


def test_number_of_runs_that_fit_into_the_time():
    asked_study = study(keys=("gbm", "random_forest"))
    runs = forecast.runs_for_seconds(asked_study, 60.0)
    asked = study(keys=("gbm", "random_forest"), plan=sc.Subsample(runs, 0.5))
    assert forecast.forecast_seconds(asked) == pytest.approx(60.0, rel=0.05)
    assert forecast.runs_for_seconds(asked_study, 1.0) == 0


def test_the_forecast_uses_the_times_of_a_study_run_here(tmp_path):
    asked_study = study(keys=("mim", "random"), n_permutations=1, n_seeds=2)
    with ThreadPoolExecutor(1) as executor:
        result = asked_study.run(executor, store=tmp_path / "s.stab")
    outcomes = result.store.every_task(("seconds",))
    took = {key: sum(each.seconds for each in outcomes if each.selector == key) for key in ("mim", "random")}
    paces = forecast.measured_paces(result)
    assert forecast.forecast_seconds(asked_study, 2, paces) == pytest.approx(forecast.STARTING_SECONDS + sum(took.values()) / 2)
    half = forecast.forecast_seconds(asked_study, 2, {"mim": paces["mim"]}) - forecast.forecast_seconds(asked_study, 2)
    assert half == pytest.approx((took["mim"] - forecast.USUAL_FACTOR * took["mim"] / paces["mim"]) / 2)
    assert forecast.measured_paces(result, result.store.finished()) == {}, "earlier runs may be from another computer"


def test_few_values_and_gaps_take_longer():
    def seconds(frame, keys=("gbm",), pace=None, **options):
        return forecast.forecast_seconds(study(frame, keys, classifier="none", **options), pace=pace)

    frame = table()
    few = frame.assign(f0=[0, 1] * 40)
    assert seconds(few) - forecast.STARTING_SECONDS == pytest.approx(
        forecast.MIXED_FACTORS["gbm"] * (seconds(frame) - forecast.STARTING_SECONDS)
    )
    assert seconds(few, pace={"gbm": 1.0}) == seconds(frame, pace={"gbm": 1.0})  # the pace is measured
    frame.loc[:4, ["f1", "f2", "f3"]] = np.nan
    filled, gaps = (seconds(frame, ("anova_f", "welch_t"), **more) for more in ({"n_imputations": 1}, {}))
    assert filled - gaps == pytest.approx(10 * 3 * forecast.FILLING_MILLISECONDS / 1000)  # once per run for all selectors
