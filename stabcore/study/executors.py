"""The executors of a study: this process, any Executor, the Client of a Dask cluster, or joblib."""

import re
import sys
import warnings
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from stabcore.base.errors import InputError
from stabcore.base.text import format_size

BATCHES_PER_WORKER = 3  # batches of each worker, with the running one, so that it never waits, and a stop does not wait for many


class InThisProcess(Executor):
    """Run submitted tasks immediately in this process, so that a debugger can enter them."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A finished Future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def adopt_executor(executor: Any, n_jobs: int | None) -> tuple[Any, int | None, Any]:
    """(executor, number of simultaneous tasks, client of a cluster).

    executor: an Executor, a joblib.Parallel, or None for own processes.
    The number is None if unknown. Raises InputError for anything else.
    """
    if executor is None:
        return (InThisProcess() if n_jobs == 1 else None), n_jobs, None
    if isinstance(executor, str) and executor == "joblib":
        from joblib import Parallel

        return Parallel(n_jobs=n_jobs, return_as="generator_unordered", pre_dispatch=f"{BATCHES_PER_WORKER}*n_jobs"), n_jobs, None
    if is_joblib(executor):
        return executor, None, None
    client = dask_client(executor)
    if client is not None:
        return client.get_executor(pure=False), len(client.nthreads()) or n_jobs, client
    if not callable(getattr(executor, "submit", None)):
        raise InputError(
            "executor= is a concurrent.futures.Executor, the Client of dask.distributed, a joblib.Parallel, or 'joblib' for the "
            f"backend of joblib.parallel_config. Found {type(executor).__name__}. Leave it out for n_jobs processes on this "
            "machine."
        )
    return executor, n_jobs, None


def is_joblib(executor: Any) -> bool:
    """Whether it is a joblib.Parallel."""
    joblib = sys.modules.get("joblib")
    return joblib is not None and isinstance(executor, joblib.Parallel)


def dask_client(executor: Any) -> Any:
    """The Client of a Dask cluster, or of its Executor. None for any other executor."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    if isinstance(executor, distributed.Client):
        return executor
    if type(executor).__module__.startswith("distributed."):
        return distributed.default_client()
    return None


_ADDRESS = re.compile(r"(tcp|tls|ucx)://[^\s/]+:\d+")
CONNECTION_SECONDS = 15  # seconds to wait for a scheduler, and then for its first worker


@contextmanager
def connect_to_scheduler(address):
    """The Client of the Dask scheduler at an address such as tcp://10.0.0.5:8786, and its number of simultaneous tasks.

    Each worker runs one task, because its threads take turns. Raises InputError without Dask, for an invalid address, and if no
    scheduler or no worker answers.
    """
    if not isinstance(address, str) or not _ADDRESS.fullmatch(address.strip()):
        raise InputError(f"The address of a scheduler must look like tcp://host:8786. Found {address!r}.")
    try:
        from distributed import Client
    except ImportError:
        raise InputError('To use a cluster, install Dask beside this program: pip install "distributed".') from None
    try:
        client = Client(address.strip(), timeout=CONNECTION_SECONDS, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise InputError(f"No Dask scheduler answers at {address}: {error}. Start it with: dask scheduler.") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECTION_SECONDS)
        except TimeoutError:
            raise InputError(f"The scheduler at {address} has no workers. Start some with: dask worker {address}.") from None
        yield client, len(client.nthreads())


def check_workers(client, memory=0.0):
    """Check the workers of a cluster before a study uses them. memory: bytes that the study needs on each.

    Warns of workers with several threads, and of other versions of libraries. Raises InputError for a worker without this version
    of stabcore, or with too little memory.
    """
    here = library_versions()
    for worker, there in client.run(library_versions).items():
        other, ours = there.pop("stabcore", ""), here["stabcore"]
        if other != ours:
            actual = f"has stabcore {other}" if other else "has no stabcore"
            raise InputError(f"The worker {worker} {actual}. This machine has {ours}. Install the same version on all.")
        differ = [f"{name} {version} (here {here[name]})" for name, version in there.items() if version != here[name]]
        if differ:
            warnings.warn(
                f"The worker {worker} has other versions: {', '.join(differ)}. Its results may differ in their last digits.",
                stacklevel=4,
            )
    for worker, about in client.scheduler_info(n_workers=-1)["workers"].items():
        if 0 < about["memory_limit"] < memory:
            raise InputError(
                f"The worker {worker} may take {format_size(about['memory_limit'])} of memory. This study needs up to "
                f"{format_size(memory)} on each. Start workers with a higher --memory-limit, or leave out features."
            )
    if max(client.nthreads().values(), default=1) > 1:
        warnings.warn(
            "Workers of this cluster have several threads. The tasks of one process take turns, so only one thread of each works. "
            "Start them with: dask worker <address> --nworkers auto --nthreads 1.",
            stacklevel=4,
        )


def library_versions() -> dict[str, str]:
    """{library: version} of the libraries of a result, empty on a worker without stabcore."""
    from importlib.metadata import version
    from platform import python_version

    try:
        import stabcore
    except ImportError:
        return {}
    libraries = {name: version(name) for name in ("numpy", "scipy", "pandas", "scikit-learn")}
    return {"stabcore": stabcore.__version__, "python": python_version(), **libraries}
