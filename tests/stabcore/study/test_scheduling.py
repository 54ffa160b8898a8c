"""Scheduling of tasks: batches, trial runs, nested plans, numeric targets and executors."""

import heapq
import sqlite3
from collections import deque
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.base.target import TIME
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.choices import Choice
from stabcore.study.executors import BATCHES_PER_WORKER
from stabcore.study.scheduling import BATCH_SECONDS, IN_FLIGHT, Queue, _Workers
from stabcore.study.tasks import SharedData, Task, run_task


def frame():
    rng = np.random.default_rng(0)
    outcome = rng.integers(0, 2, 60)
    made = pd.DataFrame(rng.normal(size=(60, 6)) + outcome[:, None] * [1.5, 1.2, 0.6, 0, 0, 0], columns=list("abcdef"))
    level = made["a"] * 2 + made["b"] + rng.normal(size=60)
    return made.assign(visit=np.arange(60) // 2, outcome=np.where(outcome, "sick", "well"), level=level)


def run(target="outcome", selectors=("mim", "random"), same_patient=None, store=None, pilot=False, **options):
    left_out = [name for name in ("outcome", "level", "visit") if name not in (target, same_patient)]
    data = sc.Dataset.from_frame(frame(), target=target, exclude=left_out, same_patient=same_patient)
    study = sc.Study(data, list(selectors), k=2, random_state=1, n_permutations=0, **options)
    with ThreadPoolExecutor(2) as executor:
        return study.run(executor, store=store, pilot=pilot)


def outcome(label, seconds):
    return SimpleNamespace(selector=label, seconds=seconds, lacked_memory=False)


def test_only_quick_tasks_are_batched():
    quick, slow = SimpleNamespace(label="quick"), SimpleNamespace(label="slow")
    queue = Queue([Task(selector, run) for run in range(20) for selector in (quick, slow)])
    assert [len(queue.next_batch()) for _ in range(4)] == [1, 1, 1, 1]  # no times are known yet
    queue.record_time(outcome("quick", BATCH_SECONDS / 10))
    queue.record_time(outcome("slow", BATCH_SECONDS * 5))
    assert queue.next_batch() == [Task(quick, 2)] and queue.next_batch() == [Task(slow, 2)]  # the slow task exceeds the batch
    only = Queue([Task(quick, run) for run in range(25)])
    only.record_time(outcome("quick", BATCH_SECONDS / 10))
    assert [len(only.next_batch()) for _ in range(3)] == [10, 10, 5] and not only
    alone = Queue([Task(quick, run) for run in range(3)], alone=True)
    alone.record_time(outcome("quick", BATCH_SECONDS / 10))
    assert len(alone.next_batch()) == 1


def test_trial_runs_every_selector_once_and_is_continued(tmp_path):
    store = tmp_path / "s.stab"
    tried = run(store=store, plan=sc.Subsample(6, 0.2), pilot=True)
    assert tried.progress()["done"].tolist() == [1, 1] and not tried.finished_selectors
    progress = tried.progress()
    assert tried.seconds_left(n_jobs=2) == pytest.approx((progress["seconds_a_run"] * 5).sum() / 2)
    again = run(store=store, plan=sc.Subsample(6, 0.2))
    assert again.progress()["done"].tolist() == [6, 6] and again.seconds_left() == 0
    assert again.digest() == run(plan=sc.Subsample(6, 0.2)).digest()


def test_nested_stability_uses_inner_runs_and_accuracy_outer():
    made = run(plan=sc.NestedKFold(3, 4))
    assert made.n_runs == 12 and made.total == 30 and made.folds("mim") == [1] * 4 + [2] * 4 + [3] * 4
    outcomes = made.store.tasks("mim")
    assert all(finished.predicted is None for finished in outcomes[:12])
    held = np.concatenate([finished.held_out for finished in outcomes[12:]])
    assert sorted(held) == list(range(60))
    hits = [(finished.predicted == made.target[finished.held_out]).mean() for finished in outcomes[12:]]
    assert made.accuracy().loc["mim", "accuracy"] == pytest.approx(np.mean(hits))


def test_nested_stability_is_averaged_over_outer_folds(tmp_path):
    made = run(plan=sc.NestedKFold(3, 4), store=tmp_path / "n.stab")
    for measure in ("jaccard", "spearman_ranks"):
        rows, runs = made.within_folds(measure).set_index("selector"), made.selections("mim")
        assert (rows["measure"] == measure).all() and rows["folds"].tolist() == [3, 3] and (rows["note"] == "").all()
        folds = [sc.stability(runs.take(range(4 * fold, 4 * fold + 4)), measure).value for fold in range(3)]
        average = [np.mean(folds), min(folds), max(folds)]
        assert rows.loc["mim", ["average", "lowest", "highest"]].tolist() == pytest.approx(average)
    mean_sizes = made.within_folds(lambda selections: float(selections.sizes.mean()))  # a user-defined measure
    assert mean_sizes["measure"].tolist() == ["<lambda>"] * len(mean_sizes) and (mean_sizes["average"] == 2).all()
    with sqlite3.connect(tmp_path / "n.stab") as base:
        base.executemany("DELETE FROM task WHERE selector = 'mim' AND run = ?", [(run,) for run in (4, 5, 6, 13)])
    fewer = sc.open_study(tmp_path / "n.stab")
    row = fewer.within_folds("jaccard").set_index("selector").loc["mim"]
    assert (row["folds"], row["planned"]) == (2, 3) and "fewer than two" in row["note"]
    values = [sc.stability(fewer.selections("mim").take(fold_runs), "jaccard").value for fold_runs in (range(4), range(5, 9))]
    assert row["average"] == pytest.approx(np.mean(values))
    assert fewer.missing_runs()["selector"].tolist() == ["mim"]


def test_runs_with_equal_training_rows_are_counted():
    made = run(plan=sc.Subsample(40, 0.01), same_patient="visit")
    assert made.n_distinct == 30 and "(30 different ones)" in made.sentence()
    assert made.store.meta("patients") is not None
    halves, drawn, folds = (run(plan=plan) for plan in (sc.ComplementaryPairs(2), sc.Bootstrap(2), sc.RepeatedKFold(3, 2)))
    assert halves.n_distinct is drawn.n_distinct is folds.n_distinct is None  # all differ, or held-out rows are unknown
    assert "3-fold cross-validation, repeated 2 times" in folds.sentence()


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Folders for tasks of two tables that differ only in the held-out rows of run 0."""
    plan, settings = sc.Subsample(2, 0.2), {"k": 3, "random_state": 1}
    table = frame().drop(columns=["visit", "level"])
    table.loc[::9, "c"] = np.nan
    table["stage"] = np.array(["early", "mid", "late"])[np.random.default_rng(3).integers(0, 3, len(table))]
    target = (table["outcome"] == "well").to_numpy().astype(int)
    held_out = plan.resample(0, target, 1).held_out
    noisy = table.copy()
    noisy.loc[held_out, list("abcdef")] = np.random.default_rng(9).normal(scale=50, size=(len(held_out), 6))
    noisy.loc[held_out, "stage"] = "mid"
    made, reference = [], None
    for variant in (table, noisy):
        data = sc.Dataset.from_frame(variant, target="outcome")
        made.append(str(tmp_path_factory.mktemp("work")))
        reference = reference or sc.Study(data, ["random"], plan=plan, **settings).settings()  # draws depend on its table
        SharedData.write(made[-1], data, reference)
    return made


FEW = {"boruta": (("rounds", 5), ("trees", 10)), **dict.fromkeys(("random_forest", "random_forest_permutation"), (("trees", 10),))}


@pytest.mark.parametrize("key", [key for key, entry in BY_KEY.items() if entry.targets != (TIME,)])
def test_held_out_rows_do_not_affect_fits(folders, key):
    clean, noisy = (run_task(folder, Task(Choice(key, key, FEW.get(key, ())), 0)) for folder in folders)
    assert clean.status == "done", clean.message
    for part in ("scores", "ranking", "importances", "selected", "held_out"):
        np.testing.assert_array_equal(getattr(clean, part), getattr(noisy, part))
    assert not np.array_equal(clean.probability, noisy.probability)  # only their predictions change


def test_numeric_targets_have_r2_and_refuse_methods_for_classes():
    made = run("level", selectors=["lasso", ("random_forest", {"trees": 20}), "variance", "random"], plan=sc.Subsample(4, 0.2))
    assert (made.progress()["done"] == 4).all() and not {"accuracy", "auc", "auc_runs"} & set(made.accuracy())
    assert made.selections("lasso").counts[:2].tolist() == [4, 4] and made.settings["classifier"] == "ridge"
    assert (made.accuracy()["r2"].drop("random") > 0.5).all()
    with pytest.raises(sc.InputError):
        run("level", selectors=["mim"])
    with pytest.raises(sc.InputError):
        run("level", selectors=["random"], classifier="3nn")


class Scheduler(Executor):
    """Many workers with a simulated clock, which advances when the study waits."""

    def __init__(self, workers):
        self.free, self.now, self.idle, self.most, self.handed_out = workers, 0.0, 0, 0, 0
        self.waiting, self.busy = deque(), []

    def submit(self, fn, source, batch):
        future = Future()
        self.waiting.append((future, batch))
        self.handed_out += 1
        self._begin()
        return future

    def _begin(self):
        while self.free and self.waiting:
            future, batch = self.waiting.popleft()
            future.set_running_or_notify_cancel()
            self.free -= 1
            takes = 0.05 * len(batch) * (1 + self.handed_out % 7)
            heapq.heappush(self.busy, (self.now + takes, self.handed_out, id(future), future, batch))

    def advance(self, queue):
        """Advance to the end of the next batch. Its worker takes another batch, or is idle if none waits."""
        self.most = max(self.most, len(self.busy) + len(self.waiting))
        if not self.busy:
            return True
        self.now, _, _, future, batch = heapq.heappop(self.busy)
        future.set_result([task.result(status="done", seconds=0.05) for task in batch])
        self.free += 1
        self._begin()
        self.idle += bool(self.free and queue)
        return True


@pytest.mark.parametrize(("workers", "planned"), [(100, 100), (3, None)])
def test_no_worker_is_idle_and_waiting_tasks_are_bounded(workers, planned):
    tasks = [Task(Choice("mim", "mim"), run) for run in range(4 * workers)]
    queue, scheduler, done = Queue(tasks), Scheduler(workers), []
    crew = _Workers(None, done.extend, lambda: scheduler.advance(queue), scheduler, planned)
    assert crew.run_queue(queue, scheduler, None) == ([], False)
    assert sorted(outcome.run for outcome in done) == list(range(len(tasks))) and scheduler.idle == 0
    assert scheduler.most <= (BATCHES_PER_WORKER * workers if planned else max(IN_FLIGHT, BATCHES_PER_WORKER * workers))


def test_joblib_gives_the_same_bits_as_lists_and_generators():
    joblib = pytest.importorskip("joblib")
    data = sc.Dataset.from_frame(frame(), target="outcome", exclude=["level", "visit"])
    study, seen = sc.Study(data, ["mim", "anova_f"], plan=sc.ComplementaryPairs(4), k=2, n_permutations=0), []
    expected = study.run(n_jobs=1, progress=False).digest()
    generator = joblib.Parallel(n_jobs=2, return_as="generator", prefer="threads")
    for given in (joblib.Parallel(n_jobs=2), generator, "joblib"):
        with joblib.parallel_config("threading", n_jobs=2) if given == "joblib" else nullcontext():
            assert study.run(given, progress=lambda done, total: seen.append(done)).digest() == expected
    assert seen == 3 * list(range(1, 17))
    stopped = study.run(joblib.Parallel(n_jobs=1), progress=lambda done, total: done < 3)
    assert 3 <= stopped.progress()["done"].sum() < 16
