"""Running a study on a Dask cluster: a Client of its scheduler, checked before it is used."""

from __future__ import annotations

import re
from contextlib import contextmanager

import stabcore
from stabcore.base.errors import InputError

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
