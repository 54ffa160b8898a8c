"""Every test of a page has a folder of its own for what people do."""

from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner

from pages.workspace.workspace import Workspace
from stabcore.study.study import load_study


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="session", autouse=True)
def components():
    """What is installed does not change while tests run: every app of a test would read the metadata of all packages anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture
def started(monkeypatch):
    """How studies were asked to start; none does."""
    calls = []
    monkeypatch.setattr(Workspace, "start", lambda self, **how: calls.append(how))
    return calls


@pytest.fixture
def at_once(monkeypatch):
    """Studies that are finished when they have begun."""
    def start(self, pilot=False, scheduler=None):
        load_study(self.folder / "study.toml").run(store=self.folder / "study.stab", workers=1, pilot=pilot)

    monkeypatch.setattr(Workspace, "start", start)
