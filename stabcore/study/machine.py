"""The resources of this machine for a study: processors, their load, and memory."""

import contextlib
import os
from pathlib import Path

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import format_size
from stabcore.selectors.base import whole_number

# Measured: memory of a worker before its first task, and the largest need of any selector, in copies of the table.
WORKER_BYTES = 250e6
TABLE_COPIES = 6


def needed_memory(data, workers) -> float:
    """The largest memory in bytes of a study of a Dataset with this number of workers, including its own process."""
    levels = sum(len(levels) for levels in data.levels.values())
    gaps = int(np.isnan(data.table.values).any(axis=0).sum())
    columns = data.n_features - len(data.levels) + levels + gaps
    return WORKER_BYTES + data.table.values.nbytes + workers * (WORKER_BYTES + TABLE_COPIES * 8.0 * data.n_rows * columns)


def needed_worker_memory(data) -> float:
    """Bytes that a study of a Dataset takes at most on a worker of another machine: its process and the table."""
    return needed_memory(data, 1) - WORKER_BYTES


def available_memory() -> float:
    """Bytes available to this process: the free memory, or less within a container with a limit."""
    import psutil

    free = float(psutil.virtual_memory().available)
    limit, used = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
    with contextlib.suppress(OSError, ValueError):  # no container, or a container without a limit ("max")
        free = min(free, float(limit.read_text()) - float(used.read_text()))
    return free


def refuse_excess_memory(data, workers, free=None):
    """Raise InputError, with a remedy, if a study needs more memory than available. free: bytes (default: measured)."""
    free = available_memory() if free is None else free
    if needed_memory(data, workers) <= free:
        return
    fits = max((n for n in range(1, workers) if needed_memory(data, n) <= free), default=0)
    otherwise = "Leave out features or rows, close other programs, or use a machine with more memory"
    way_out = f"Use {fits} worker{'s' * (fits != 1)}" if fits else otherwise
    raise InputError(
        f"This study needs up to {format_size(needed_memory(data, workers))} of memory on {workers} worker{'s' * (workers != 1)} "
        f"({data.n_rows:,} rows × {data.n_features:,} features), but {format_size(free)} are free. {way_out}."
    )


def default_workers() -> int:
    """The default number of processes of a study on this machine: one per core."""
    from loky import cpu_count

    return cpu_count()


def n_processes(n_jobs: int | None) -> int:
    """The number of processes for n_jobs, as in scikit-learn: None and −1 mean one per core, −2 one less. Raises InputError."""
    if n_jobs is None:
        return default_workers()
    number = whole_number(n_jobs, "n_jobs", -default_workers())
    if number == 0:
        raise InputError("n_jobs must be the number of processes, or -1 for one per core. Found 0.")
    return number if number > 0 else max(1, default_workers() + 1 + number)


def is_machine_busy() -> bool:
    """Whether other programs keep this machine so busy that a study, with its low priority, exceeds its forecast."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > 1.5 * default_workers() + 1
