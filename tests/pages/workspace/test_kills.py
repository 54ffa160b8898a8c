"""Studies of the app that are killed at random moments: nothing is lost, lives on, or is left in the temporary folder.

tests/benchmarks/bench_kills.py does the same 1000 times, by the command line too.
"""

import os
import random
import shutil
import tempfile

import pytest
from command_support import settings_file
from kill_support import Toll, by_app, kill_by_lot

from pages.workspace.project import Project

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])  # each takes seconds
def test_random_kills_lose_nothing_and_leave_nothing(kills, tmp_path, monkeypatch):
    temporary, plain = tmp_path / "temporary", tmp_path / "plain"
    for folder in (temporary, plain):
        folder.mkdir()
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", str(plain))  # of this process itself
    settings, project = settings_file(plain, runs=400, selectors=("mim", "lasso")), Project.create()
    for file in (settings, plain / "toy.csv"):
        shutil.copy(file, project.folder / file.name)
    toll, chance = Toll(), random.Random(7)
    while toll.kills + toll.cancels < kills:
        kill_by_lot(lambda: by_app(project), chance, temporary, toll, latest=0.3)
    assert (toll.lost, toll.outlived, sorted(toll.left)) == ([], [], [])
    left = {path.suffix for path in project.folder.iterdir()}
    assert left <= {".toml", ".csv", ".stab", ".json", ".lock", ".log", ".words", ".times", ".stab-journal"}, left
