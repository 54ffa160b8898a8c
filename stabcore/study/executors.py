"""Who carries out the tasks of a study: this process, any Executor, the Client of a Dask cluster, or joblib."""

from __future__ import annotations

import sys
from concurrent.futures import Executor, Future
from typing import Any

from stabcore.base.errors import InputError

JOBLIB = "joblib"


class InThisProcess(Executor):
    """Runs what is submitted at once, where it is submitted: a debugger can enter it."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A Future that has ended."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def adopted_executor(executor: Any, n_jobs: int | None) -> tuple[Any, int | None, Any]:
    """(an Executor, or "joblib", or None for processes of this study's own; how many tasks run at once; the Client of a cluster).

    The number is None where nobody says. Raises InputError for anything else.
    """
    if executor is None:
        return (InThisProcess() if n_jobs == 1 else None), n_jobs, None
    if executor == JOBLIB:
        return JOBLIB, n_jobs, None
    client = _client_of(executor)
    if client is not None:
        return client.get_executor(pure=False), len(client.nthreads()) or n_jobs, client
    if not callable(getattr(executor, "submit", None)):
        raise InputError(
            "executor= is a concurrent.futures.Executor, the Client of dask.distributed, or 'joblib' for the backend of "
            f"joblib.parallel_config; found {type(executor).__name__}. Leave it out for n_jobs processes on this machine."
        )
    return executor, n_jobs, None


def _client_of(executor):
    """The Client of a Dask cluster, or that behind its Executor; None for any other executor."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    if isinstance(executor, distributed.Client):
        return executor
    if type(executor).__module__.startswith("distributed."):
        return distributed.default_client()
    return None
