"""Each test of a page has its own folder of projects. A small study is made once."""

from importlib import metadata

import pytest
from noise_support import Here
from project_support import followed, patients, studied, study_file

import stabcore as sc
from pages.workspace.project import Project
from stabcore.study.loading import load_study

SCENARIOS = {"nothing": {"base": "none"}, "correlated": {"base": "correlation", "groups": {}}}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch):
    """Each new AppTest searches all installed packages for components, which takes as long as most screens. There are none."""
    monkeypatch.setattr(metadata, "distributions", lambda **_: ())


@pytest.fixture(scope="session")
def small_file(tmp_path_factory):
    """A study of two selectors on six features: it says the same as a large one, and sooner."""
    return study_file(
        tmp_path_factory.mktemp("small") / "study.stab", patients("abcdef", 48), ["mim", "mrmr"], sc.Subsample(8, 0.5)
    )


@pytest.fixture(scope="session")
def controlled_file(tmp_path_factory):
    """A study of halves with a permutation control, in which one of six features predicts the outcome."""
    selectors = ["mim", "mrmr", "variance", "random"]
    return study_file(
        tmp_path_factory.mktemp("controlled") / "study.stab",
        patients("abcdef", 96),
        selectors,
        sc.ComplementaryPairs(5),
        n_permutations=20,
    )


@pytest.fixture
def small(small_file):
    """Make a project of that study and its table. Of two scenarios, that of correlated features is chosen."""

    def make(**settings):
        chosen = {"scenarios": SCENARIOS, "scenario": SCENARIOS["correlated"], "scenario_name": "correlated"}
        return studied(small_file, patients("abcdef", 48), **{**chosen, **settings})

    return make


@pytest.fixture(scope="session")
def timed_file(tmp_path_factory):
    """A study of a time to an event."""
    data = sc.Dataset.from_frame(followed(), target=("os_time", "os_event"))
    path = tmp_path_factory.mktemp("timed") / "s.stab"
    return study_file(path, data, ["cox_score", "lasso", "random"], sc.ComplementaryPairs(5), n_permutations=2)


@pytest.fixture
def timed(timed_file):
    """A project of it, with its table."""
    return studied(timed_file, followed(), roles={"target": ["os_time", "os_event"], "exclude": [], "event": ["1"]})


@pytest.fixture
def started(monkeypatch):
    """The requested starts of studies, none of which is carried out."""
    calls = []
    monkeypatch.setattr(Project, "start_study", lambda self, **how: calls.append(how))
    return calls


@pytest.fixture
def at_once(monkeypatch):
    """Studies that are finished when they have begun."""

    def start(self, pilot=False, scheduler=None):
        load_study(self.folder / "study.toml").run(Here(), store=self.folder / "study.stab", pilot=pilot)

    monkeypatch.setattr(Project, "start_study", start)
