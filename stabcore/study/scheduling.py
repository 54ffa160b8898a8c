"""Distribute the tasks of a study to processes of this machine, or to any Executor, such as that of a Dask cluster."""

import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from stabcore.base.errors import InputError
from stabcore.study import guard
from stabcore.study.executors import BATCHES_PER_WORKER, InThisProcess, adopt_executor, is_joblib
from stabcore.study.task_result import WORKER_DIED, TaskResult
from stabcore.study.tasks import TASK_LOCK, SharedData, Task, run_batch

IN_FLIGHT = 64  # first number of batches if the number of workers is unknown
CHECKING_INTERVAL = 5  # seconds between two checks of the number of workers of a cluster, which may grow
WORKER_NICENESS = (
    5  # workers get a third of the time of the screens. At 10 they get a tenth, and made no progress beside other programs
)
BATCH_SECONDS = 0.1  # seconds of work per batch, so that the transfer costs little in comparison


class Queue:
    """Waiting tasks, taken in batches by the times of each selector so far."""

    def __init__(self, tasks, alone=False):
        self._left, self._seconds, self.alone = list(tasks)[::-1], {}, alone

    def __bool__(self):
        return bool(self._left)

    def next_batch(self) -> list:
        """The next tasks: a batch of BATCH seconds, or a single task that is longer or of unknown length."""
        batch: list[Task] = []
        seconds = 0.0
        while self._left and (not batch or (not self.alone and seconds + self._seconds_of(self._left[-1]) <= BATCH_SECONDS)):
            seconds += self._seconds_of(self._left[-1])
            batch.append(self._left.pop())
        return batch

    def record_time(self, result):
        """Record the time of a task."""
        self._seconds[result.selector] = max(result.seconds, self._seconds.get(result.selector, 0.0))

    def _seconds_of(self, task):
        return self._seconds.get(task.choice.label, BATCH_SECONDS)


def run_tasks(tasks, folder, keep, go_on, executor=None, n_jobs=None):
    """Run every task while go_on() is true, and keep(results) as they arrive. executor, n_jobs: as in Study.run.

    If a worker dies, its pool is lost and the cause is unknown. The tasks in flight are then tried one at a time, and a task that
    is lost again is recorded as failed. Tasks that lacked memory are tried again at the end, alone on one worker, as are tasks
    that an earlier start lost (Task.again). Raises InputError if a given executor breaks.
    """
    executor, at_once, client = adopt_executor(executor, n_jobs)
    queue, later = Queue(task for task in tasks if not task.again), [task for task in tasks if task.again]
    suspects: list[Task] = []
    crew = _Workers(folder, keep, go_on, executor, at_once, client)
    if is_joblib(executor):
        return crew.run_queue_with_joblib(Queue(tasks))
    while queue or suspects or later:
        alone, last = bool(suspects), not (queue or suspects)
        if last:
            suspects, later, alone = later, [], True
        with _pool(executor, 1 if last else at_once, folder) as pool:
            lost, stopped = crew.run_queue(Queue(suspects, alone=True) if alone else queue, pool, None if last else later)
        if stopped:
            return None
        if alone and lost:
            keep([lost[0].result(status="failed", message=WORKER_DIED)])
            suspects = suspects[suspects.index(lost[0]) + 1 :]
        else:
            suspects = lost
    return None


@dataclass
class _Workers:
    """The workers of a study, in any kind of pool. keep, go_on: see run_tasks.

    executor, at_once, client: see stabcore.study.executors.adopt_executor.
    """

    folder: Path
    keep: Callable[[list[TaskResult]], object]
    go_on: Callable[[], bool]
    executor: Any = None
    at_once: int | None = None
    client: Any = None
    _asked: float = 0.0  # when the cluster was last asked

    def _max_batches(self, queue, flying) -> int:
        """The number of batches in the pool: BATCHES_PER_WORKER for each worker.

        An executor does not report its number of workers. The number of its running batches shows it, so the limit grows with them.
        """
        if queue.alone or isinstance(self.executor, InThisProcess):
            return 1
        if self.client is not None and time.monotonic() - self._asked > CHECKING_INTERVAL:
            self.at_once, self._asked = len(self.client.nthreads()) or self.at_once, time.monotonic()
        if self.at_once:
            return BATCHES_PER_WORKER * self.at_once
        return max(IN_FLIGHT, BATCHES_PER_WORKER * sum(future.running() for future in flying))

    def run_queue_with_joblib(self, queue):
        """Run the tasks of a queue by joblib, whose backend and number of jobs may come from joblib.parallel_config."""
        with closing(_joblib_results(self.executor, str(self.folder), iter(queue.next_batch, []))) as ended:
            for results in ended:
                for result in results:
                    queue.record_time(result)
                self.keep(results)
                if not self.go_on():
                    return

    def run_queue(self, queue, pool, later) -> tuple[list[Task], bool]:
        """Run the tasks of a queue in one pool: (tasks that were lost with a worker, whether it was stopped).

        later: a list for tasks that lack memory. None: they are kept as failed.
        """
        source = _shared_source(self.client, self.folder)
        flying: dict[Future, list[Task]] = {}
        lost: list[Task] = []
        try:
            while (queue and not (lost and queue.alone)) or flying:
                while queue and (room := self._max_batches(queue, flying) - len(flying)) > 0:
                    for batch in islice(iter(queue.next_batch, []), room):
                        flying[pool.submit(run_batch, source, batch)] = batch
                lost += self._collect_ended(flying, queue, later)
                if not self.go_on():
                    # A pool of our own cancels at shutdown. After earlier cancellations that fails, and its workers survive.
                    if self.executor is not None:
                        for future in flying:
                            future.cancel()
                    return [], True
        except BrokenExecutor:
            lost += [task for batch in flying.values() for task in batch]
        except CancelledError:
            raise InputError(
                "The executor was shut down or lost while the study ran. Finished runs are kept. Run it again to continue."
            ) from None
        return sorted(lost, key=lambda task: (task.imputation, task.repeat, task.shuffle, task.run)), False

    def _collect_ended(self, flying, queue, later) -> list[Task]:
        """Wait for batches to end and keep their results together. Returns the tasks of batches that the executor lost."""
        ended: list[tuple[Task, TaskResult]] = []
        lost, results = [], []
        try:
            for future in wait(flying, timeout=0.2, return_when=FIRST_COMPLETED)[0]:
                try:
                    ended += zip(flying[future], future.result(), strict=True)
                except (BrokenExecutor, CancelledError):
                    raise
                except Exception:  # a worker was lost repeatedly
                    lost += flying[future]
                del flying[future]
        finally:
            for task, result in ended:
                queue.record_time(result)
                if result.lacked_memory and later is not None:
                    later.append(task)
                else:
                    results.append(result)
            if results:
                self.keep(results)
        return lost


def _joblib_results(parallel, source, batches):
    """The results of batches as they arrive. A Parallel that returns lists has rounds of BATCHES_PER_WORKER batches per job."""
    from joblib import delayed, effective_n_jobs

    if parallel.return_as == "list":
        per_round = BATCHES_PER_WORKER * effective_n_jobs(parallel.n_jobs)
        while jobs := list(islice(batches, per_round)):
            yield from parallel(delayed(run_batch)(source, batch) for batch in jobs)
    else:
        with closing(parallel(delayed(run_batch)(source, batch) for batch in batches)) as ended:
            yield from ended


def _shared_source(client, folder):
    """The location of shared data: the folder, or for a cluster its content, sent to each worker once and again if lost."""
    if client is None:
        return str(folder)
    parcel = SharedData.parcel(folder)
    with TASK_LOCK, warnings.catch_warnings():
        # the warning is that it is large, but as part of the graph it survives the loss of a worker
        warnings.simplefilter("ignore", UserWarning)
        return client.submit(_identity, parcel, key=f"stabcore-{parcel.name}")


def _identity(parcel):
    return parcel


@contextmanager
def _pool(executor, workers, folder):
    """The given executor, or a pool of processes that end with this one and need no main guard in scripts."""
    if executor is not None:
        try:
            yield executor
        except BrokenExecutor:
            raise InputError("The executor broke while the study ran. Finished runs are kept. Run it again to continue.") from None
        return
    from loky import ProcessPoolExecutor, cpu_count

    one_thread = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM")}
    with worker_guard(folder):
        pool = ProcessPoolExecutor(
            max_workers=workers or cpu_count(),
            env=one_thread,
            timeout=60,
            initializer=_begin_worker,
            initargs=(str(folder), os.getpid()),
        )
        try:
            yield pool
        finally:
            pool.shutdown(wait=True, kill_workers=True)


@contextmanager
def worker_guard(folder):
    """A guard that ends the registered workers if this process is killed."""
    process = subprocess.Popen(
        [sys.executable, "-P", guard.__file__],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **guard.NEW_SESSION,
    )
    try:
        yield
    finally:
        process.communicate(guard.DONE)


def _begin_worker(folder, study):
    """In a worker: lower the priority below the screens, and register to end with the process of the study."""
    if hasattr(os, "nice"):
        os.nice(WORKER_NICENESS)
    guard.register_worker(folder, study)
