"""Every test of a page has a folder of its own for what people do."""

import pytest

from pages.workspace.project import Project
from stabcore.study.loading import load_study


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def started(monkeypatch):
    """How studies were asked to start; none does."""
    calls = []
    monkeypatch.setattr(Project, "start", lambda self, **how: calls.append(how))
    return calls


@pytest.fixture
def at_once(monkeypatch):
    """Studies that are finished when they have begun."""

    def start(self, pilot=False, scheduler=None):
        load_study(self.folder / "study.toml").run(store=self.folder / "study.stab", n_jobs=1, pilot=pilot)

    monkeypatch.setattr(Project, "start", start)
