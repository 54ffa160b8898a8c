"""For all tests: order of files, reproducible random examples, and an unchanged `__main__`."""

import os
import sys

import pytest
from hypothesis import settings

for library in ("OMP", "OPENBLAS", "MKL"):  # test processes run in parallel, so more threads only wait
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

SLOWEST_FILE = "test_public_face.py"  # it runs mypy for half a minute, so it starts first
BETWEEN = 12  # other files before the next one with a browser, to spread browser tests


@pytest.hookimpl(trylast=True)  # after slow tests have been left out
def pytest_collection_modifyitems(items):
    files = dict.fromkeys(item.path for item in items)
    others = [file for file in files if "browser" not in file.parts]
    browsers = [file for file in files if "browser" in file.parts]
    places = {file: BETWEEN * place for place, file in enumerate(browsers)}
    places |= {file: 0 if file.name == SLOWEST_FILE else place + 0.5 for place, file in enumerate(others)}
    items.sort(key=lambda item: places[item.path])


@pytest.fixture(autouse=True)
def main_module():
    """Restore `__main__`, which Streamlit replaces by the script of the app and spawned processes would run."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before
