"""Studies: equal results for all workers and interruptions, and recorded failures."""

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import BoundedSemaphore

import numpy as np
import pytest
from noise_support import Here
from snapshot_support import check_refusals
from store_support import done, store_contents
from study_support import data, study
from support import ROOT

import stabcore as sc
from stabcore.study.store import Store
from stabcore.study.working_files import StudyLock, cancel_file


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The reference study, run without a pool of processes."""
    return study().run(Here(), store=tmp_path_factory.mktemp("study") / "one.stab")


def test_results_do_not_depend_on_workers_or_order(undisturbed, tmp_path):
    assert study().run(store=tmp_path / "p.stab", n_jobs=2).digest() == undisturbed.digest()
    with ThreadPoolExecutor(4) as executor:
        assert study().run(executor, store=tmp_path / "t.stab").digest() == undisturbed.digest()
        alone = study(["random"]).run(executor, store=tmp_path / "r.stab")
    assert (alone.selections("random").selected == undisturbed.selections("random").selected).all()


def test_a_script_needs_no_main_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np, stabcore as sc\n"
        "study = sc.Study(np.random.default_rng(0).normal(size=(30, 4)), [0, 1] * 15, ['mim'], plan=sc.Subsample(3), k=2)\n"
        "print(study.run(n_jobs=1).selections('mim').n_runs)\n"
    )
    done = subprocess.run([sys.executable, script], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.stdout.strip() == "3", done.stderr


def test_only_one_process_runs_a_study(tmp_path):
    lock = StudyLock(tmp_path / "s.stab")
    assert lock.acquire() and StudyLock.held(tmp_path / "s.stab")
    with pytest.raises(sc.InputError):
        study().run(Here(), store=tmp_path / "s.stab")
    lock.release()
    assert not StudyLock.held(tmp_path / "s.stab")


class Delaying(ThreadPoolExecutor):
    """Starts four tasks at once and delays all others, so that not all are finished at the first check."""

    at_once = BoundedSemaphore(4)

    def submit(self, task, *how):
        return super().submit(lambda: (self.at_once.acquire(timeout=2), task(*how))[1])


def test_a_study_stopped_by_its_progress_continues(undisturbed, tmp_path):
    seen = []

    def three(done, total):
        seen.append((done, total))
        return done < 3

    with Delaying(1) as executor, pytest.warns(UserWarning, match="stopped before its last"):
        part = study().run(executor, store=tmp_path / "p.stab", progress=three)
    assert 3 <= len(part.store.finished()) < 18 and seen[-1][1] == 18
    assert study().run(Here(), store=tmp_path / "p.stab").digest() == undisturbed.digest()


def test_stopping_a_run_does_not_stop_the_next(undisturbed, tmp_path):
    cancel_file(tmp_path / "c.stab").touch()
    assert study().run(Here(), store=tmp_path / "c.stab").digest() == undisturbed.digest()


BEGIN = """
import os, sqlite3, sys
from stabcore.study import opening
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute("PRAGMA cache_size = 1")
base.execute("BEGIN EXCLUSIVE")
base.execute(opening.META)
for key in range(40):
    base.execute("INSERT INTO meta VALUES (?, ?)", (str(key), "x" * 3000))
os._exit(9)
"""


def test_study_file_killed_at_creation_is_recreated(undisturbed, tmp_path):
    path = tmp_path / "k.stab"
    subprocess.run([sys.executable, "-c", BEGIN, str(path)], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert path.stat().st_size and (tmp_path / "k.stab-journal").exists()
    assert study().run(Here(), store=path).digest() == undisturbed.digest()


def test_study_file_holds_everything(undisturbed):
    assert undisturbed.settings["data"]["fingerprint"] == data().fingerprint
    assert set(undisturbed.store.meta("versions")) == {"stabcore", "python", "numpy", "scipy", "pandas", "scikit-learn"}
    first = undisturbed.store.tasks("mim")[0]
    assert first.scores.shape == first.ranking.shape == first.importances.shape == (7,)
    assert len(first.selected) == 3 and len(first.held_out) == len(first.predicted) == 12 and first.probability.shape == (24,)
    assert first.seconds >= first.fit_seconds > 0
    table = undisturbed.table(["nogueira", "importance_weighted"])
    assert list(table.index) == ["mim", "lasso", "random"]
    assert (table["accuracy_low"] <= table["accuracy"]).all() and table["auc"].between(0, 1).all()
    assert table.loc["mim", "nogueira"] > table.loc["random", "nogueira"]
    assert (undisturbed.selections("mim", k=5).sizes == 5).all() and np.isnan(undisturbed.table(k=5)["accuracy"]).all()


class FailsSometimes:
    """A user-defined selector that fails in some runs."""

    def fit(self, X, y, *, rng=None, k=None):
        if rng.random() < 0.5:
            raise RuntimeError("not today")
        self.scores_ = self.importances_ = np.arange(1.0, X.n_features + 1)
        self.ranking_ = X.n_features + 1 - self.scores_
        return self

    def select(self, k):
        return np.flatnonzero(self.ranking_ <= k)


def test_a_failing_task_is_recorded_and_the_study_continues(tmp_path):
    with ThreadPoolExecutor(2) as executor:
        made = study({"moody": FailsSometimes(), "mim": "mim"}, 10).run(executor, store=tmp_path / "m.stab")
    progress = made.progress()
    assert progress.loc["moody", "failed"] > 0 and progress.loc["moody", ["done", "failed"]].sum() == 10
    assert made.table("nogueira").loc["moody", "runs"] == progress.loc["moody", "done"]
    assert made.messages()["message"].str.contains("RuntimeError: not today").any()


class LacksMemory(FailsSometimes):
    """Raises MemoryError, or kills its worker, until a file says that memory is sufficient."""

    def __init__(self, folder, dies=False, once=False):
        self.folder, self.dies, self.once = Path(folder), dies, once

    def fit(self, X, y, *, rng=None, k=None):
        if not (self.folder / "enough").exists():
            if self.once:
                (self.folder / "enough").touch()
            if self.dies:
                os._exit(1)
            raise MemoryError("Unable to allocate 74. GiB")
        self.scores_ = self.importances_ = np.arange(float(X.n_features))
        self.ranking_ = X.n_features - self.scores_
        return self


@pytest.mark.parametrize("dies", [False, True])
def test_tasks_without_memory_are_repeated_at_the_next_start(dies, tmp_path):
    asked = study({"hungry": LacksMemory(tmp_path, dies), "mim": "mim"}, 2)
    made = asked.run(
        None if dies else Here(), store=tmp_path / "h.stab", n_jobs=2, pilot=True
    )  # one run each, because pools take time
    assert made.progress().loc["hungry", "failed"] == 1 and len(made.store.lacked_memory()) == 1
    assert made.progress().loc["mim", "done"] == 1 and made.messages()["message"].str.contains("worker process died").any() == dies
    assert len(made.store.finished()) == 1 and "1 of 4 tasks" in made.sentence()
    before = made.digest()
    (tmp_path / "enough").touch()
    again = asked.run(Here(), store=tmp_path / "h.stab")
    assert len(again.store.finished()) == again.total and not again.store.lacked_memory()
    assert again.digest() == asked.run(Here(), store=tmp_path / "undisturbed.stab").digest() != before


def test_tasks_without_memory_are_repeated_alone(tmp_path):
    made = study({"hungry": LacksMemory(tmp_path, once=True), "mim": "mim"}, 3).run(Here(), store=tmp_path / "h.stab")
    assert not made.progress()["failed"].any() and made.progress()["done"].sum() == 6


def test_wrong_settings_get_sentences():
    cases = [
        *({"selectors": chosen} for chosen in ([], ["mim", "mim"], [("mim", {"bims": 3})])),
        {"random_state": -1},
        *({"k": k} for k in (99, "all", float("nan"), float("inf"), [3])),
        *({"random_state": seed} for seed in ("x", float("nan"))),
        *({"plan": plan} for plan in (sc.RepeatedKFold(61), sc.NestedKFold(61, 2), sc.NestedKFold(9, 54))),
    ]
    for options in ({"selectors": ["nope"]}, {"selectors": ["mim"], "classifier": "nope"}):
        with pytest.raises(sc.InputError, match="'nope'"):
            sc.Study(data(), k=3, **options)
    check_refusals("study/wrong_studies", lambda options: sc.Study(data(), **{"selectors": ["mim"], "k": 3, **options}), cases)


def test_a_study_warns_of_rows_without_an_outcome():
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.r_[np.nan, np.arange(19) % 2]
    with pytest.warns(UserWarning, match="1 row"):
        assert sc.Study(X, y, ["mim"]).data.n_rows == 19


def test_wrong_run_arguments_get_sentences():
    cases = [{"n_jobs": 0}, {"n_jobs": "two"}, {"store": "/nowhere/at/all/x.stab"}, {"executor": 3}]
    check_refusals("study/wrong_ways_to_run", lambda options: study().run(**options), cases)


def test_store_keeps_arrays_exactly(tmp_path):
    settings, about = store_contents()
    store = Store.create(tmp_path / "s.stab", settings, about)
    scores = np.array([1 / 3, np.nan, -0.0, 1e-300])
    store.add(done(0, warnings=("w",), scores=scores, selected=np.array([2, 3])))
    back = store.tasks()[0]
    assert back.scores.tobytes() == scores.tobytes() and back.selected.tolist() == [2, 3] and back.warnings == ("w",)
    assert store.meta("settings") == settings and store.meta("classes") == ["a", "b"]


def test_split_half_result_survives_pickling(tmp_path):
    asked = sc.Study(data(), ["mim"], plan=sc.ComplementaryPairs(3), k=3, classifier="none", n_permutations=0)
    made = asked.run(Here(), store=tmp_path / "h.stab")
    halves = made.between_halves()
    again = pickle.loads(pickle.dumps(halves))
    assert again.of_halves and again == halves != made and not pickle.loads(pickle.dumps(made)).of_halves
    assert again.stability()["value"].tolist() == halves.stability()["value"].tolist()
