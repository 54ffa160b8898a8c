"""For all tests: what takes long comes first, random examples are the same in every run, and `__main__` stays what it was."""

import os
import sys

import pytest
from hypothesis import settings

for library in ("OMP", "OPENBLAS", "MKL"):  # test processes run beside each other: more threads would only wait
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

LONG = ("browser", "test_public_face.py")  # a browser waits, and mypy takes half a minute: at the end one process would wait for it


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: not set(LONG) & set(item.path.parts))


@pytest.fixture(autouse=True)
def main_module():
    """Streamlit puts the app's script where `__main__` was, and every process spawned later would run it."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before
