"""A selector of one's own in a study: in processes, continued by the same one only; broken contracts get their sentence."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np
import pytest
from own_support import Tame
from study_support import data

import stabcore as sc


class Minimal:
    """The least there can be."""

    def __init__(self, less=0.1):
        self.less = less

    def fit(self, X, y):
        self.scores_ = np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0)) - self.less


class Says(Tame):
    """Gives what it is told to; it takes rng and k, so that it stands as it is."""

    def __init__(self, chosen=None, **more):
        self.chosen, self.more = chosen, more

    def fit(self, X, y, *, rng=None, k=None):
        super().fit(X, y)
        for name, value in self.more.items():
            setattr(self, name, value)

    def select(self, k):
        return super().select(k) if self.chosen is None else self.chosen


def study(own, random_state=5):
    return sc.Study(
        data(), {"mine": own, "mim": "mim"}, plan=sc.Subsample(4, 0.2), k=2, random_state=random_state, n_permutations=0
    )


def test_it_is_the_same_in_processes_and_in_a_thread_and_continued_by_the_same_only(tmp_path):
    own = Minimal()
    found = study(own).run(store=tmp_path / "two.stab", n_jobs=2)
    with ThreadPoolExecutor(1) as executor:
        study(own).run(executor, store=tmp_path / "one.stab", progress=lambda done, total: done < 3)
        with pytest.raises(sc.InputError):
            study(Minimal(less=0.2)).run(executor, store=tmp_path / "one.stab")
        assert study(own).run(executor, store=tmp_path / "one.stab").digest() == found.digest()
    assert (found.progress()["done"] == 4).all() and found.table().loc["mine", "nogueira"] > 0.5


@pytest.mark.parametrize(
    "own",
    [
        Minimal,
        *(3, object()),
        type("Alone", (), {"fit": lambda self, X: None})(),
        type("Asks", (), {"fit": lambda self, X, y, depth: None})(),
        Minimal(less=Lock()),
    ],
    ids=["a class", "a number", "an object", "fit without y", "fit with more", "not to be pickled"],
)
def test_what_is_no_selector_is_refused_when_the_study_is_made(own):
    with pytest.raises(sc.InputError):
        study(own)


@pytest.mark.parametrize(
    "own",
    [
        Says([0, 7]),
        Says([1, 1]),
        Says(np.array([0.5, 1])),
        Says(np.ones(7, dtype=bool)),
        Says(scores_=[1, 2]),
        Says(importances_="high"),
        Says([0], ranking_=None),
        Says(scores_=np.array(["a"] * 7)),
        type("Silent", (), {"fit": lambda self, X, y: None})(),
    ],
    ids=range(9),
)
def test_wrong_results_of_a_fit_fail_that_run(own, tmp_path):
    with ThreadPoolExecutor(1) as executor:
        found = study(own).run(executor, store=tmp_path / "w.stab")
    assert found.progress().loc["mine", "failed"] == 4 and found.progress().loc["mim", "done"] == 4
    assert found.messages()["message"].str.startswith("InputError: ").all()
