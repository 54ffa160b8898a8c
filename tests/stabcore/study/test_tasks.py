"""Tasks: shared data, warnings, threads, and every selector on real tables."""

import subprocess
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from noise_support import Here
from own_support import MeanDifference, Warns
from study_support import study
from support import ROOT, shared, slow
from threadpoolctl import threadpool_info, threadpool_limits

import stabcore as sc
from stabcore.selectors.base import kind_of_target
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.choices import Choice
from stabcore.study.task_result import TaskResult
from stabcore.study.tasks import SharedData, Task, run_task


def threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


OTHERS = {"tame": MeanDifference(), "mim": "mim", "lasso": "lasso"}


def found_by_others(result):
    """Results of the other selectors, as bytes."""
    tasks = [task for label in OTHERS for task in result.store.tasks(label)]
    words = [(task.selector, task.run, task.status, task.warnings) for task in tasks]
    return words, [(o.scores.tobytes(), o.selected.tobytes(), o.probability.tobytes()) for o in tasks]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return found_by_others(study(OTHERS).run(Here(), store=tmp_path_factory.mktemp("tame") / "s.stab"))


class ChangesInput(MeanDifference):
    """Changes its input in place: values of the table, its cached properties, or the target."""

    def __init__(self, what="values"):
        self.what = what

    def fit(self, X, y, **given):
        given_to_it = {"values": X.values, "categorical": X.categorical, "missing": X.missing, "lowest": X.extremes[0], "target": y}
        given_to_it[self.what][:] = 0
        return super().fit(X, y, **given)


def test_shared_data_of_tasks_is_read_only(undisturbed, tmp_path):
    shared_parts = {what: ChangesInput(what) for what in ("values", "categorical", "missing", "lowest", "target")}
    made = study(shared_parts | OTHERS).run(Here(), store=tmp_path / "s.stab")
    assert found_by_others(made) == undisturbed and (made.progress().loc[list(shared_parts), "failed"] == 6).all()
    assert "read-only" in made.most_frequent_failure()


@pytest.fixture(scope="module")
def one_process(tmp_path_factory):
    return loud().run(store=tmp_path_factory.mktemp("loud") / "s.stab", n_jobs=1)


def loud():
    return study({"first": Warns("first"), "second": Warns("second"), "tame": MeanDifference(), "mim": "mim"})


def test_every_run_has_its_own_warnings(one_process):
    for label in ("first", "second"):
        for task in one_process.store.tasks(label):
            assert len(task.warnings) == 3 and all(f"RuntimeWarning: {label} was here" in text for text in task.warnings)
    assert not any(task.warnings for task in one_process.store.tasks("tame"))


@pytest.mark.parametrize(
    "started",
    [lambda: ThreadPoolExecutor(4), lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn"))],
    ids=["threads", "processes"],
)
def test_every_executor_gives_the_same_and_restores_threads(started, one_process, tmp_path):
    filters, show = list(warnings.filters), warnings.showwarning
    with threadpool_limits(2):  # the limit of this thread must not affect tasks
        before = threads()
        with started() as executor:
            assert loud().run(executor, store=tmp_path / "s.stab").digest() == one_process.digest()
        assert threads() == before
    assert warnings.filters == filters and warnings.showwarning is show


def test_libraries_loaded_later_use_one_thread():
    code = (
        "import numpy as np; from threadpoolctl import threadpool_info; from stabcore.study.tasks import one_task_at_a_time\n"
        "with one_task_at_a_time():\n    import scipy.linalg\n"
        "    print(*(one['num_threads'] for one in threadpool_info() if one['user_api'] == 'blas'))"
    )
    environment = {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert set(done.stdout.split()) == {"1"}, done.stderr


# file, target, excluded columns, patient column, held-out share of rows (large for large tables, to be fast)
TABLES = {
    "hepatitis": ("hepatitis.csv", "target", [], None, 0.2),
    "pbc": ("pbc.csv", "target", ["time", "status"], None, 0.2),
    "a number": ("pbc.csv", "bili", ["time", "status", "target"], None, 0.6),
    "trial": ("cdisc_pilot_baseline.csv", "target", ["time"], "usubjid", 0.2),
    "three arms": ("cdisc_pilot_baseline.csv", "arm", ["time", "usubjid"], None, 0.6),
    "thiomon": ("thiomon.csv.gz", "target", [], None, 0.9),
}


QUICK = ("a number", "three arms")  # the others by make bench
FEW = {
    "boruta": (("rounds", 5), ("trees", 10)),
    **dict.fromkeys(("random_forest", "random_forest_permutation"), (("trees", 20),)),
    **dict.fromkeys(("lasso", "elastic_net", "group_lasso"), (("length", 8),)),
    "svm_rfe": (("share", 0.3),),
    "gbm": (("rounds", 20),),
}


@pytest.fixture(scope="module", params=[name if name in QUICK else slow(name) for name in TABLES])
def task_folder(request, tmp_path_factory):
    name, target, exclude, patient, held_out = TABLES[request.param]
    data = sc.Dataset.from_file(shared("data", "checks", name), target=target, exclude=exclude, same_patient=patient)
    folder = tmp_path_factory.mktemp("work")
    study = sc.Study(data, ["random"], plan=sc.Subsample(2, held_out), k="sqrt", random_state=1, n_permutations=0)
    SharedData.write(folder, data, study.settings())
    return data, str(folder)


@pytest.mark.parametrize("key", BY_KEY)
def test_every_selector_runs_on_real_tables(task_folder, key):
    data, folder = task_folder
    if kind_of_target(data.target) not in BY_KEY[key].targets:
        with pytest.raises(sc.InputError):
            sc.Study(data, [key], n_permutations=0)
        return
    done = run_task(folder, Task(Choice(key, key, FEW.get(key, ())), 0))
    if key == "backward_elimination" and len(data.target) < data.n_features:
        assert done.status == "failed" and "rows" in done.message
        return
    assert isinstance(done, TaskResult) and done.status == "done", done.message
    assert 1 <= len(done.selected) <= int(min(20, data.n_features**0.5)) and np.isfinite(done.importances).all()
    assert not [text for text in done.warnings if "Warning:" in text]  # untranslated warnings of a library
    assert data.numeric_target or len(done.predicted) == len(done.held_out)
