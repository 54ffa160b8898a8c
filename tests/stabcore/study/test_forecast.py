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
    """Where it was timed, the forecast is what was timed. Beyond, it is no less and not endless."""
    assert set(told.MILLISECONDS) == set(BY_KEY)
    for key, times in told.MILLISECONDS.items():
        found = [[told.fit_seconds(key, n, d, 1) * 1000 for d in told.FEATURES] for n in told.ROWS]
        assert np.array(found) == pytest.approx(np.array(times, dtype=float)) and np.min(times) > 0
        at_end = told.fit_seconds(key, 480, 3840, 1)
        assert at_end <= told.fit_seconds(key, 4800, 38400, 1) <= at_end * 100**told.STEEPEST
        assert 0 < told.fit_seconds(key, 2, 1, 1) < (5 if key == "boruta" else 1)  # 50 forests, however small the table


def test_more_work_takes_longer_and_more_workers_less():
    keys = ("gbm", "random_forest", "random")
    short = told.forecast(study(keys=keys))
    for more in ({"plan": sc.ComplementaryPairs(10)}, {"n_permutations": 2}, {"n_seeds": 2}):
        assert short < told.forecast(study(keys=keys, **more))
    assert told.STARTING < told.forecast(study(keys=keys), n_jobs=2) < short
    assert told.fit_seconds("lasso", 90, 13, 3, 3) == 3 * told.fit_seconds("lasso", 90, 13, 3, 2)  # a fit per class
    forecasts = [told.forecast(study(n=2000, classifier=one)) for one in ("none", "3nn", "random_forest")]
    assert forecasts == sorted(forecasts) and len(set(forecasts)) == 3
    plans = [one.build() for key, one in PLANS.items() if key != "leave_one_site_out"]  # there are no centres here
    assert all(told.forecast(study(plan=plan)) > told.STARTING for plan in plans)
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


def test_few_values_and_gaps_take_longer():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 12))).add_prefix("f").assign(outcome=["a", "b"] * 40)

    def forecast(frame, keys=("gbm",), pace=None, **options):
        data = sc.Dataset.from_frame(frame, target="outcome")
        asked = sc.Study(data, list(keys), plan=sc.ComplementaryPairs(5), classifier="none", n_permutations=0, **options)
        return told.forecast(asked, pace=pace)

    few = frame.assign(f0=rng.integers(0, 2, 80))
    assert forecast(few) - told.STARTING == pytest.approx(told.MIXED["gbm"] * (forecast(frame) - told.STARTING))
    assert forecast(few, pace={"gbm": 1.0}) == forecast(frame, pace={"gbm": 1.0})  # it is known how long
    frame.loc[:4, ["f1", "f2", "f3"]] = np.nan
    filled, gaps = (forecast(frame, ("anova_f", "welch_t"), **more) for more in ({"n_imputations": 1}, {}))
    assert filled - gaps == pytest.approx(10 * 3 * told.FILLING / 1000)  # once a run for all selectors
