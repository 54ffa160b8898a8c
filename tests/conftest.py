"""For all tests: random examples are the same in every run, so that a failure can be seen again; `__main__` stays what it was."""

import os
import sys

import pytest
from hypothesis import settings

for library in ("OMP", "OPENBLAS", "MKL"):          # test processes run beside each other: more threads would only wait
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")


@pytest.hookimpl(tryfirst=True)             # before the tests are handed out by their groups
def pytest_collection_modifyitems(items):
    """Tests that share a fixture of their module, or a browser, run in one process: it is made once."""
    for item in items:
        scopes = {fixture.scope for fixtures in item._fixtureinfo.name2fixturedefs.values() for fixture in fixtures}
        if "module" in scopes or "browser" in item._fixtureinfo.name2fixturedefs:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


@pytest.fixture(autouse=True)
def main_module():
    """Streamlit puts the app's script where `__main__` was, and every process spawned later would run it."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before
