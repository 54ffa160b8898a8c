"""Who carries out the tasks of a study: this process, any Executor, the Client of a Dask cluster, or joblib."""

from __future__ import annotations

import re
import sys
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

import stabcore
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


_ADDRESS = re.compile(r"(tcp|tls|ucx)://[^\s/]+:\d+")
PATIENCE = 15  # seconds to wait for a scheduler, and then for its first worker


@contextmanager
def connected(address):
    """The Client of the Dask scheduler at an address such as tcp://10.0.0.5:8786, and how many tasks it runs at once: one a
    worker, whose threads take turns.

    Raises InputError when Dask is not installed here, the address is none, nobody answers there, there is no worker, or a
    worker has no stabcore or another version of it.
    """
    if not isinstance(address, str) or not _ADDRESS.fullmatch(address.strip()):
        raise InputError(f"A scheduler's address looks like tcp://host:8786; found {address!r}.")
    try:
        from distributed import Client
    except ImportError:
        raise InputError('To use a cluster, install Dask beside this program: pip install "distributed".') from None
    try:
        client = Client(address.strip(), timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise InputError(f"No Dask scheduler answers at {address}: {error}. Start it with: dask scheduler.") from None
    with client:
        _check(client, address)
        yield client, len(client.nthreads())


def _check(client, address):
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise InputError(f"The scheduler at {address} has no workers. Start some with: dask worker {address}.") from None
    for worker, version in client.run(_version).items():
        if version != stabcore.__version__:
            actual = f"has stabcore {version}" if version else "has no stabcore"
            raise InputError(f"The worker {worker} {actual}; this machine runs {stabcore.__version__}, and all must run the same.")


def _version():
    """Of stabcore on a worker; nothing where it is not installed."""
    try:
        import stabcore
    except ImportError:
        return ""
    return stabcore.__version__
