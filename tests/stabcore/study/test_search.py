"""Random search: drawn configurations, reproducible search on one half, and evaluation on the other half."""

import shutil
import sqlite3
from contextlib import closing
from functools import partial

import numpy as np
import pytest
from noise_support import Here

import stabcore as sc
from stabcore.study.search import LOG_SCALE_OPTIONS, SEARCH_OPTIONS, search_halves, search_study

TABLE_3 = sc.SearchSpace(rounds=(1, 2**15), trees=(1, 2**15))
SMALL = sc.SearchSpace(rounds=(1, 40), trees=(2, 8))
N = 12  # number of configurations


@pytest.fixture(scope="module", autouse=True)
def few_shuffles():
    """A search has no option for fewer shuffles than any other study."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stabcore.study.search.Study", partial(sc.Study, n_permutations=2))
        yield


@pytest.fixture(scope="module")
def data():
    return sc.teaching_data("twins", n=80).dataset()


@pytest.fixture(scope="module")
def searched(data, tmp_path_factory):
    store = tmp_path_factory.mktemp("search") / "s.stab"
    return sc.random_search(data, SMALL, n=N, plan=sc.RepeatedKFold(2), random_state=4, executor=Here(), store=store)


def test_configurations_lie_in_the_space_and_alternate():
    drawn = TABLE_3.draw(240, 130, random_state=2)
    pairs = [(options["filter"], options["learner"]) for _, options in drawn.values()]
    assert len(set(pairs)) == 12 and all(pairs.count(pair) == 20 for pair in set(pairs))
    for _, options in drawn.values():
        assert (
            set(options) == {"k", "filter", "learner", "keep", *SEARCH_OPTIONS[options["learner"]]} and 1 <= options["keep"] <= 130
        )
        for name in SEARCH_OPTIONS[options["learner"]]:
            low, high = getattr(TABLE_3, name)
            assert (
                (2.0**low * 0.999 <= options[name] <= 2.0**high * 1.001)
                if name in LOG_SCALE_OPTIONS
                else low <= options[name] <= high
            )
    keeps = [options["keep"] for _, options in drawn.values()]
    assert abs(np.mean(keeps) - 65.5) < 4.5 * 130 / np.sqrt(12 * 240)
    assert drawn == TABLE_3.draw(240, 130, random_state=2) != TABLE_3.draw(240, 130, random_state=3)


def test_search_is_a_study_of_one_half(data, searched):
    assert (
        len(searched.finished_selectors) == N and searched.settings["data"]["fingerprint"] == search_halves(data, 4)[0].fingerprint
    )
    assert not searched.progress()["failed"].any() and searched.accuracy()["accuracy"].between(0, 1).all()
    for label, (_, options) in SMALL.draw(N, 50, random_state=4).items():
        sizes = searched.selections(label).sizes
        assert sizes.max() <= options["keep"]
        if options["learner"] == "rbf_svm":
            assert (sizes == options["keep"]).all()
        if options["learner"] == "glm_boosting":
            assert sizes.max() <= options["rounds"]


def test_continued_search_gives_the_same_result(data, searched, tmp_path):
    shutil.copy(searched.path, tmp_path / "again.stab")
    with closing(sqlite3.connect(tmp_path / "again.stab")) as base, base:
        base.execute("DELETE FROM task WHERE shuffle IN (0, 20)")  # the real runs, and some shuffled ones
    again = search_study(data, SMALL, N, sc.RepeatedKFold(2), 4).run(Here(), store=tmp_path / "again.stab")
    assert again.digest() == searched.digest()


def test_chosen_configurations_are_evaluated_on_the_other_half(data, searched):
    chosen = searched.finished_selectors[:3]
    found = sc.evaluate_on_other_half(data, searched, chosen, executor=Here())
    assert found.finished_selectors == chosen and found.settings["data"]["fingerprint"] == search_halves(data, 4)[1].fingerprint
    with pytest.raises(sc.InputError):
        sc.evaluate_on_other_half(data, searched, ["nobody"])
    with pytest.raises(sc.InputError):
        sc.evaluate_on_other_half(sc.teaching_data("weak", n=80).dataset(), searched, chosen)


@pytest.mark.parametrize("wrong", [{"filters": ("x",)}, {"learners": ()}, {"keep": (5, 2)}, {"trees": (0, 3)}])
def test_invalid_search_spaces_are_refused(wrong):
    with pytest.raises(sc.InputError):
        sc.SearchSpace(**wrong)
