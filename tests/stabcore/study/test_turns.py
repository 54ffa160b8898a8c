"""A task has the table, the warnings and the threads to itself, whatever runs beside it in the process."""

import subprocess
import sys
import threading
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from own_support import Loud, Tame, Writes
from study_support import data
from support import ROOT
from threadpoolctl import threadpool_info, threadpool_limits

import stabcore as sc
from stabcore.study.tasks import alone


def study(selectors, runs=6):
    return sc.Study(data(), selectors, plan=sc.Subsample(runs, leave_out=0.2), k=3, seed=5, control=0)


def threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


# ---- the table ----

OTHERS = ("tame", "mim", "lasso")


def told(result):
    """All that the other selectors found, bit by bit."""
    return [(one.selector, one.run, one.status, one.warnings,
             *(part.tobytes() for part in (one.scores, one.selected, one.probability)))
            for label in OTHERS for one in result.store.outcomes(label)]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    asked = study({"tame": Tame(), "mim": "mim", "lasso": "lasso"})
    with ThreadPoolExecutor(1) as executor:
        return told(asked.run(executor, store=tmp_path_factory.mktemp("tame") / "s.stab"))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_selector_that_changes_its_table_fails_and_changes_nothing_for_others(workers, undisturbed, tmp_path):
    asked = study({"writes": Writes(), "tame": Tame(), "mim": "mim", "lasso": "lasso"})
    made = asked.run(store=tmp_path / "s.stab", workers=workers)
    assert told(made) == undisturbed
    assert made.progress().loc["writes", "failed"] == 6
    assert "read-only. All selectors of a run learn from one table" in made.most_frequent_failure()


@pytest.mark.parametrize("what", ["values", "categorical", "missing", "lowest", "target"])
def test_nothing_that_tasks_share_can_be_written_to(what, undisturbed, tmp_path):
    asked = study({"writes": Writes(what), "tame": Tame(), "mim": "mim", "lasso": "lasso"})
    with ThreadPoolExecutor(1) as executor:
        made = asked.run(executor, store=tmp_path / "s.stab")
    assert told(made) == undisturbed and made.progress().loc["writes", "failed"] == 6


def test_what_a_person_made_a_table_of_is_still_theirs():
    values = np.random.default_rng(0).normal(size=(20, 3))
    sc.selector("mim").fit(values, np.arange(20) % 2, rng=0)
    values[0, 0] = 7


# ---- warnings and threads ----

@pytest.fixture(scope="module")
def one_process(tmp_path_factory):
    return loud().run(store=tmp_path_factory.mktemp("loud") / "s.stab", workers=1)


def loud():
    return study({"first": Loud("first"), "second": Loud("second"), "tame": Tame(), "mim": "mim"})


def test_every_run_has_its_own_warnings(one_process):
    for label in ("first", "second"):
        for one in one_process.store.outcomes(label):
            assert len(one.warnings) == 3 and all(f"RuntimeWarning: {label} was here" in said for said in one.warnings)
    assert not any(one.warnings for one in one_process.store.outcomes("tame"))


def test_two_threads_would_give_another_last_digit():
    many = np.random.default_rng(1).normal(size=200_000)
    with threadpool_limits(1):
        alone = many @ many
    with threadpool_limits(2):
        if threads().count(2) == 0 or many @ many == alone:
            pytest.skip("here the sum does not depend on the threads, so the tests below prove less")


@pytest.mark.parametrize("started", [
    lambda: ThreadPoolExecutor(4), lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn"))], ids=["threads", "processes"])
def test_any_executor_gives_the_same_and_leaves_the_threads_as_they_were(started, one_process, tmp_path):
    filters, show = list(warnings.filters), warnings.showwarning
    with threadpool_limits(2):      # set by this thread, which must not keep those of the tasks from one thread
        before = threads()
        for again in range(2):
            with started() as executor:
                assert loud().run(executor, store=tmp_path / f"{again}.stab").digest() == one_process.digest()
        assert threads() == before
    assert warnings.filters == filters and warnings.showwarning is show


def test_threads_that_only_run_beside_it_keep_their_warnings():
    begun, done = threading.Event(), threading.Event()

    def beside():
        begun.wait(10)
        warnings.warn("not of the task", UserWarning, stacklevel=1)
        done.set()

    thread = threading.Thread(target=beside)
    thread.start()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        with alone() as said:
            begun.set()
            done.wait(10)
            warnings.warn("of the task\nand more", UserWarning, stacklevel=1)
            warnings.warn("", UserWarning, stacklevel=1)
    thread.join()
    assert list(said) == ["UserWarning: of the task", "UserWarning: "]
    assert [str(one.message) for one in heard] == ["not of the task"]


def test_a_library_that_a_selector_loads_has_one_thread_as_well():
    code = ("import numpy as np; from threadpoolctl import threadpool_info; from stabcore.study.tasks import alone\n"
            "with alone():\n    import scipy.linalg\n"
            "    print(*(one['num_threads'] for one in threadpool_info() if one['user_api'] == 'blas'))")
    environment = {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert set(done.stdout.split()) == {"1"}, done.stderr
