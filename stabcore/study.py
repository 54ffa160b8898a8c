"""Study: a dataset, selectors, a resampling plan, a cardinality, a classifier and a seed; and running it."""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from stabcore.classifiers import CLASSIFIERS
from stabcore.dataset import Dataset
from stabcore.errors import InputError
from stabcore.resampling import Subsample, plan_from, plan_settings
from stabcore.results import StudyResult
from stabcore.selectors.catalog import selector
from stabcore.store import Outcome, Store, StudyLock
from stabcore.tasks import Choice, Work, run_task

IN_FLIGHT = 64


@dataclass(frozen=True)
class Study:
    """What is run: every selector on every resample of the plan.

    selectors   catalogue keys, (key, options) pairs, or {label: key | (key, options) | own selector object}
    k           how many features to select: a number, a share of all (0.25), or "sqrt" for min(20, √d)
    classifier  "3nn", "logistic" or "none": scores the selected features on the held-out rows
    Raises InputError for an unknown selector, option or classifier, or a k that the data cannot give.
    """

    data: Dataset
    selectors: object
    plan: object = field(default_factory=Subsample)
    k: object = 0.25
    classifier: str = "3nn"
    seed: int = 0

    def __post_init__(self):
        object.__setattr__(self, "selectors", _choices(self.selectors))
        if self.classifier not in (*CLASSIFIERS, "none"):
            raise InputError(f"There is no classifier {self.classifier!r}. Choose one of: {', '.join(CLASSIFIERS)}, none.")
        if int(self.seed) != self.seed or self.seed < 0:
            raise InputError(f"The seed is a whole number, 0 or above; found {self.seed}.")
        how_many(self.k, self.data.n_features)

    def settings(self) -> dict:
        """All that the outcome depends on, as plain values: kept in the study file, compared before it is continued."""
        return {
            "data": {"name": self.data.name, "fingerprint": self.data.fingerprint, "target": self.data.target_name,
                     "n_rows": self.data.n_rows, "n_features": self.data.n_features},
            "selectors": [{"label": c.label, "key": c.key, "options": dict(c.options)} if c.own is None
                          else {"label": c.label, "own": type(c.own).__name__} for c in self.selectors],
            "plan": plan_settings(self.plan),
            "k": self.k,
            "n_selected": how_many(self.k, self.data.n_features),
            "classifier": self.classifier,
            "seed": int(self.seed),
        }

    def run(self, executor: Executor | None = None, store=None, progress: Callable | None = None,
            workers: int | None = None) -> StudyResult:
        """Run what is missing and return the StudyResult.

        executor  any concurrent.futures.Executor; None: a pool of `workers` processes (default: all cores) on this machine
        store     the study file, begun or continued; None: a temporary one
        progress  called as progress(done, total) after each task; returning False stops the study and keeps what is done
        The outcome is bit-identical whatever the executor, the number of workers and the interruptions.
        """
        store = store or os.path.join(tempfile.mkdtemp(prefix="stabcore-"), "study.stab")
        lock = StudyLock(store)
        if not lock.acquire():
            raise InputError(f"{Path(store).name} is being run by another process now. Wait for it, or cancel it there.")
        try:
            kept = Store.create(store, self.settings(), self._about())
            done = kept.finished()
            missing = [(run, choice) for run in range(self.plan.runs) for choice in self.selectors
                       if (choice.label, run) not in done]
            kept.set_meta(session={"started": time.time(), "done_before": len(done), "total": self._total})
            if missing:
                with tempfile.TemporaryDirectory(prefix="stabcore-", ignore_cleanup_errors=True) as folder:
                    Work.write(folder, self.data, self.settings())
                    self._work_through(missing, folder, kept, executor, progress, workers)
        finally:
            lock.release()
        return StudyResult(store)

    @property
    def _total(self):
        return len(self.selectors) * self.plan.runs

    def _about(self) -> dict:
        """Circumstances: kept in the file, but a study may be continued under others."""
        return {"features": list(self.data.features), "classes": list(self.data.classes),
                "target": self.data.target.tolist(), "versions": _versions()}

    def _work_through(self, missing, folder, kept, executor, progress, workers):
        """Hand out tasks and keep each as it comes back.

        When a worker dies, its pool is gone and the culprit unknown: the tasks in flight are then tried one at a time, and the
        one that kills its worker again is recorded as failed.
        """
        done = self._total - len(missing)

        def keep(outcome):
            nonlocal done
            kept.add(outcome)
            done += 1

        def go_on():
            return progress is None or progress(done, self._total) is not False

        waiting, suspects = missing[::-1], []
        while waiting or suspects:
            queue, most = (suspects, 1) if suspects else (waiting, IN_FLIGHT)
            with _pool(executor, workers) as pool:
                lost = _drain(pool, queue, most, folder, keep, go_on)
            if lost is None:
                return
            if lost and executor is not None:
                raise BrokenExecutor("The executor broke while the study ran; what was done is kept. Run it again to go on.")
            if lost and most == 1:
                keep(Outcome(lost[0][1].label, lost[0][0], status="failed",
                             message="The worker process died twice, most likely because memory ran out."))
            else:
                suspects += lost[::-1]


def _drain(pool, queue, most, folder, keep, go_on):
    """Run the tasks of a queue (taken from its end), at most `most` at once. Returns those lost with a worker, None if stopped."""
    flying = {}
    try:
        while queue or flying:
            while queue and len(flying) < most:
                run, choice = queue.pop()
                flying[pool.submit(run_task, folder, choice, run)] = (run, choice)
            ready, _ = wait(flying, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in ready:
                keep(future.result())
                del flying[future]
            if not go_on():
                for future in flying:
                    future.cancel()
                return None
    except BrokenExecutor:
        return sorted(flying.values(), key=lambda one: one[0])
    return []


def how_many(k, n_features) -> int:
    """The cardinality in features: of a number, a share of all features, or "sqrt" for min(20, √d)."""
    if k == "sqrt":
        return max(1, min(20, int(n_features ** 0.5)))
    if isinstance(k, bool) or not isinstance(k, (int, float)):
        raise InputError(f"How many features to select is a number, a share between 0 and 1, or 'sqrt'; found {k!r}.")
    count = max(1, int(k * n_features + 0.5)) if isinstance(k, float) and 0 < k < 1 else k
    if int(count) != count or not 1 <= count <= n_features:
        raise InputError(f"Asked to select {k} of {n_features} features; give a whole number from 1 to {n_features}, or a "
                         "share between 0 and 1.")
    return int(count)


def study_from(settings, data) -> Study:
    """The Study of plain settings (a TOML file's tables `study`, `plan` and `selector`) on a dataset."""
    known = {"k", "classifier", "seed"}
    options = settings.get("study", {})
    unknown = sorted(set(options) - known)
    if unknown:
        raise InputError(f"[study] has the entries {', '.join(sorted(known))}; found {', '.join(unknown)}.")
    chosen = {}
    for one in settings.get("selector", []):
        one = dict(one)
        key = one.pop("key", None)
        if key is None:
            raise InputError("Each [[selector]] needs a key, for example key = \"lasso\".")
        chosen[one.pop("label", key)] = (key, one)
    return Study(data, chosen, plan=plan_from(settings.get("plan", {})), **options)


def _choices(selectors) -> tuple[Choice, ...]:
    """Choices of whatever a person wrote, each checked by making it once."""
    if isinstance(selectors, str):
        selectors = [selectors]
    if not isinstance(selectors, dict):
        selectors = [one if isinstance(one, Choice) else (one if isinstance(one, str) else one[0], one) for one in selectors]
        named = [(one.label, one) if isinstance(one, Choice) else one for one in selectors]
        if len({label for label, _ in named}) < len(named):
            raise InputError("Two selectors of the study have the same label; give them different ones: {label: selector}.")
        selectors = dict(named)
    if not selectors:
        raise InputError("A study needs at least one selector; sc.selectors() lists them.")
    made = []
    for label, one in selectors.items():
        if isinstance(one, Choice):
            made.append(one)
        elif isinstance(one, str):
            made.append(Choice(label, one))
        elif isinstance(one, tuple):
            made.append(Choice(label, one[0], tuple(sorted(one[1].items()))))
        else:
            made.append(Choice(label, own=one))
        if made[-1].own is None:
            selector(made[-1].key, **dict(made[-1].options))
    return tuple(made)


@contextmanager
def _pool(executor, workers):
    """The given executor, or a pool of processes that no script needs to guard its main module for."""
    if executor is not None:
        yield executor
        return
    from loky import ProcessPoolExecutor, cpu_count

    one_thread = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM")}
    pool = ProcessPoolExecutor(max_workers=workers or cpu_count(), env=one_thread, timeout=60,
                               initializer=_follow_parent, initargs=(os.getpid(),))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, kill_workers=True)


def _follow_parent(parent):
    """In a worker: give way to the screens, and end when the process that runs the study was killed (on Windows: after idling)."""
    import threading

    if hasattr(os, "nice"):
        os.nice(10)

    def watch():
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _versions() -> dict:
    from importlib.metadata import version

    return {"python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "scipy", "pandas", "scikit-learn")}}
