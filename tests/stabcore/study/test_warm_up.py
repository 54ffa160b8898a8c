"""The time of a task is that of its work: libraries that load on the first one are in nobody's time."""

from types import SimpleNamespace

import numpy as np
import pytest
from study_support import data

import stabcore as sc
from stabcore.study import tasks
from stabcore.study import tasks as warm_up
from stabcore.study.choices import Choice
from stabcore.study.tasks import Task, Work, run_task


class Slow:
    """A selector that takes a second, and a hundred more the first time in a process."""

    def __init__(self, clock):
        self.clock = clock

    def fit(self, X, y, *, rng=None, k=None):
        self.clock.now += 1 if self.clock.loaded else 101
        self.clock.loaded = True
        self.clock.fits.append(X.n_rows)
        self.scores_ = self.importances_ = np.arange(1.0, X.n_features + 1)
        self.ranking_ = X.n_features + 1 - self.scores_
        return self

    def select(self, k):
        return np.flatnonzero(self.ranking_ <= k)


@pytest.fixture
def clock(monkeypatch):
    made = SimpleNamespace(now=0.0, loaded=False, fits=[])
    monkeypatch.setattr(tasks.time, "perf_counter", lambda: made.now)
    monkeypatch.setattr(tasks, "selector", lambda key, **options: Slow(made))
    monkeypatch.setattr(warm_up, "_loaded", set())
    return made


@pytest.fixture
def folder(tmp_path):
    given = data()
    Work.write(tmp_path, given, sc.Study(given, ["mim"], plan=sc.Subsample(4, 0.2), k=2, classifier="none", control=0).settings())
    return str(tmp_path)


def test_what_loads_once_is_not_in_the_time_of_a_task(clock, folder):
    slow = Choice("slow", "slow")
    assert [run_task(folder, Task(slow, run)).seconds for run in range(3)] == [1, 1, 1]
    assert clock.fits[0] == 12 and clock.fits[1:] == [48, 48, 48]           # six rows of each class, once


def test_own_code_runs_in_tasks_only(clock, folder):
    own = Choice("own", own=Slow(SimpleNamespace(now=0, loaded=True, fits=[])))
    assert run_task(folder, Task(own, 0)).status == "done" and clock.fits == []
    assert warm_up._loaded == set()


def test_what_goes_wrong_while_loading_is_said_by_the_task(folder, monkeypatch):
    monkeypatch.setattr(warm_up, "_loaded", set())
    failed = run_task(folder, Task(Choice("wrong", "nope"), 0))
    assert failed.status == "failed" and "nope" in failed.message


@pytest.mark.parametrize("target", [np.repeat([0, 1, 2], [30, 4, 7]), np.linspace(0, 1, 50)])
def test_a_few_rows_have_every_class(target):
    rows = warm_up._few(target)
    assert len(rows) <= 18 and set(np.unique(target[rows])) == set(np.unique(target)) or target.dtype.kind == "f"
