"""For all tests: browsers wait while others compute, random examples are the same in every run, `__main__` stays what it was."""

import os
import sys

import pytest
from hypothesis import settings

for library in ("OMP", "OPENBLAS", "MKL"):  # test processes run beside each other: more threads would only wait
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

SLOWEST_FILE = "test_public_face.py"  # runs mypy, which takes half a minute: at the end one process would wait for it
BETWEEN = 12  # other files before the next one with a browser, which waits as long as it computes


@pytest.hookimpl(trylast=True)  # when those that are slow have been left out
def pytest_collection_modifyitems(items):
    files = dict.fromkeys(item.path for item in items)
    others = [file for file in files if "browser" not in file.parts]
    browsers = [file for file in files if "browser" in file.parts]
    places = {file: BETWEEN * place for place, file in enumerate(browsers)}
    places |= {file: 0 if file.name == SLOWEST_FILE else place + 0.5 for place, file in enumerate(others)}
    items.sort(key=lambda item: places[item.path])


@pytest.fixture(autouse=True)
def main_module():
    """Streamlit puts the app's script where `__main__` was, and every process spawned later would run it."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before
