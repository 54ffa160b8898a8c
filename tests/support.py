"""Helpers for all tests: reference files, free ports, waiting, marks, and small random inputs."""

import json
import os
import socket
import time
from pathlib import Path

import numpy as np
import pytest

from stabcore.selectors.base import LIBRARY_MODULES
from stabcore.selectors.catalog import BY_KEY

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = Path(__file__).resolve().parent / "reference"


def shared(*parts) -> Path:
    """A file in the folder beside the repository. Without it the test is skipped with a reason."""
    folder = Path(os.environ.get("SHARED", ROOT.parent / "shared"))
    path = folder.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{path} is not here (the compact values in tests/reference are tested all the same)")
    return path


def golden(name):
    """Read a file of reference values of other programs."""
    return json.loads(shared("golden", name).read_text(encoding="utf-8"))


def stored_reference(name):
    """Read a file of reference values in this repository."""
    return json.loads((REFERENCE / name).read_text(encoding="utf-8"))


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(condition, seconds=120):
    """Wait until the condition is true, and return its value."""
    until = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.02)
    return found


def slow(*values):
    """Parameters that `make bench` runs and `make test` leaves out."""
    return pytest.param(*values, marks=pytest.mark.slow)


def need(key):
    """Skip the test where the library that a selector needs is not installed."""
    if library := BY_KEY[key].build.library:
        pytest.importorskip(LIBRARY_MODULES[library])


def random_selection(rng, runs=6, features=12, low=1, high=None):
    """(M, d) 0/1 with set sizes between low and high."""
    high = features - 1 if high is None else high
    Z = np.zeros((runs, features), dtype=int)
    for row in Z:
        row[rng.choice(features, rng.integers(low, high + 1), replace=False)] = 1
    return Z
