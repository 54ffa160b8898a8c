"""What this computer is known to take for a selector: learned when a study ends, here alone, and no study fails of it."""

import json
import time

import pytest
from store_support import store_contents

from pages.workspace import speed
from stabcore.study import forecast
from stabcore.study.store import Store


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "project"
    made.mkdir()
    return made


def run(folder, monkeypatch, **took):
    """A study whose tasks took this many times the forecast."""
    monkeypatch.setattr(forecast, "measured_paces", lambda result, before: took)
    with speed.record_speeds(folder, folder / "study.stab"):
        pass


def test_the_last_study_counts_a_half_and_other_speeds_stay(folder, monkeypatch):
    Store.create(folder / "study.stab", *store_contents())
    assert speed.read_speeds(folder.parent) == {}
    run(folder, monkeypatch, mim=2.0, lasso=3.0)
    assert speed.read_speeds(folder.parent) == {"mim": 2.0, "lasso": 3.0}
    run(folder, monkeypatch, mim=8.0)
    assert speed.read_speeds(folder.parent) == {"mim": 4.0, "lasso": 3.0}


def test_what_is_no_pace_is_passed_over(tmp_path):
    for text in ("", "[1]", "{", json.dumps({"mim": 1e9, "lasso": "2", "gbm": 0.0, "svm": float("nan"), "auc": True})):
        (tmp_path / speed.SPEED_FILE).write_text(text)
        assert speed.read_speeds(tmp_path) == {}
    (tmp_path / speed.SPEED_FILE).write_text('{"mim": 1.5, "lasso": -1.0}')
    assert speed.read_speeds(tmp_path) == {"mim": 1.5}


def test_the_duration_is_unknown_after_a_kill_or_a_changed_clock(folder, monkeypatch):
    assert speed.study_seconds(folder, True) is None
    with speed.record_speeds(folder, folder / "study.stab"):
        assert 0 <= speed.study_seconds(folder, True) < 5 and speed.study_seconds(folder, False) is None
    assert 0 <= speed.study_seconds(folder, False) < 5
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    assert speed.study_seconds(folder, True) is None
    (folder / speed.TIMES_FILE).write_text("half")
    assert speed.study_seconds(folder, False) is None
