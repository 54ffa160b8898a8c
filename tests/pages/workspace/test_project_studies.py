"""Studies of a workspace: which one is shown, the earlier ones, and the one that runs."""

import os
import shutil
import sqlite3
import sys
import time
import tomllib
from contextlib import closing
from pathlib import Path

import pytest
from store_support import done, store_contents

from pages.workspace import processes
from pages.workspace import samples as bundled
from pages.workspace.project import Project
from stabcore.base.errors import InputError
from stabcore.study.store import Store
from stabcore.study.working_files import StudyLock, cancel_file


@pytest.fixture
def samples(tmp_path, monkeypatch):
    folder = tmp_path / "samples"
    folder.mkdir()
    for order, key in ((2, "first by name"), (1, "second by name")):
        (folder / f"{key}.toml").write_text(
            f'[about]\norder = {order}\ntitle = "T"\ngroups = "g.csv"\n[data]\nfile = "{key}.csv"\n'
            'target = "y"\nexclude = ["id"]\nname = "N"\n'
        )
    (folder / "other.toml").write_text("[study]\nk = 1\n")
    monkeypatch.setattr(bundled, "SAMPLE_FOLDER", folder)
    return folder


def test_bundled_studies_come_in_their_order_with_their_roles(samples):
    found = bundled.samples()
    assert [sample.key for sample in found] == ["second by name", "first by name"]
    assert found[0].roles == {"target": "y", "exclude": ["id"]} and found[0].groups == samples / "g.csv"
    assert found[0].store == samples / "second by name.stab"


def test_own_results_go_before_bundled_ones(samples):
    made = Project.create()
    assert made.table_file is None and made.store is None and made.sample is None
    made.save(sample="first by name")
    assert made.table_file == samples / "first by name.csv" and made.store is None
    (samples / "first by name.stab").write_bytes(b"bundled")
    assert made.store == samples / "first by name.stab"
    (made.folder / "study.stab").write_bytes(b"own")
    assert made.store == made.folder / "study.stab"
    made.save(store=made.save_upload("earlier.stab", b"opened"))
    assert made.store.read_bytes() == b"opened"


def test_a_new_study_puts_earlier_results_aside_and_loses_none():
    made = Project.create()
    made.save(name='odd "name"', roles={"target": "y"}, table=made.save_upload("t.csv", b"y\n1\n"))
    for number in (1, 2, 3):
        made.write_study({"study": {"k": number}, "selector": [{"key": "mim"}]})
        (made.folder / "study.stab").write_bytes(str(number).encode())
    settings = tomllib.loads((made.folder / "study.toml").read_text(encoding="utf-8"))
    assert settings == {
        "data": {"file": str(made.table_file), "name": 'odd "name"', "target": "y"},
        "study": {"k": 3},
        "selector": [{"key": "mim"}],
    }
    assert [(made.folder / name).read_text() for name in ("study-1.stab", "study-2.stab", "study.stab")] == ["1", "2", "3"]


def written(made, number):
    made.write_study({"study": {"k": number}, "selector": [{"key": "mim"}]})


def begun(path, runs=4, finished=2):
    """A study file that holds so many tasks."""
    store = Store.create(path, *store_contents(runs))
    for run in range(finished):
        store.add(done(run))
    return store


def test_a_study_with_the_same_settings_is_continued():
    made = Project.create()
    made.save(roles={}, table="t.csv")
    written(made, 1)
    begun(made.folder / "study.stab", finished=2)
    written(made, 2)
    begun(made.folder / "study.stab", finished=3)
    written(made, 1)
    assert [len(Store(path).finished()) for path in made.studies] == [2, 3] and made.last_settings["study"]["k"] == 1
    for run in (2, 3):
        Store(made.folder / "study.stab").add(done(run))
    assert made.finished_study({"study": {"k": 1}, "selector": [{"key": "mim"}]}) == made.folder / "study.stab"
    written(made, 2)
    assert [len(Store(path).finished()) for path in made.studies] == [3, 4] and made.last_settings["study"]["k"] == 2
    assert made.finished_study({"study": {"k": 1}, "selector": [{"key": "mim"}]}) == made.studies[1]
    assert made.finished_study({"study": {"k": 2}, "selector": [{"key": "mim"}]}) is None


def test_half_a_transaction_of_a_killed_study_is_in_no_file(tmp_path):
    made = Project.create()
    made.save(roles={}, table="t.csv")
    written(made, 1)
    begun(tmp_path / "s.stab")
    with closing(sqlite3.connect(tmp_path / "s.stab", isolation_level=None)) as base:
        base.execute("PRAGMA cache_size = 1")
        base.execute("BEGIN")
        base.executemany("INSERT INTO meta VALUES (?, ?)", [(str(i), "x" * 5000) for i in range(50)])
        for ending in ("", "-journal"):  # as they lie when the process is killed now
            shutil.copy(f"{tmp_path}/s.stab{ending}", f"{made.folder}/study.stab{ending}")
        base.execute("ROLLBACK")
    assert (made.folder / "study.stab-journal").stat().st_size
    written(made, 2)
    assert len(Store(made.folder / "study-1.stab").finished()) == 2
    assert Store(made.folder / "study-1.stab").meta("7") is None and not list(made.folder.glob("*-journal"))


def test_a_study_that_runs_is_not_put_aside():
    made = Project.create()
    made.save(roles={}, table="t.csv")
    written(made, 1)
    begun(made.folder / "study.stab")
    lock = StudyLock(made.folder / "study.stab")
    assert lock.acquire()
    with pytest.raises(InputError):
        written(made, 2)
    lock.release()
    assert len(made.studies) == 1 and made.last_settings["study"]["k"] == 1


def test_a_study_runs_while_its_lock_is_held_and_can_be_asked_to_stop():
    made = Project.create()
    asked = cancel_file(made.folder / "study.stab")
    made.cancel_study()
    assert not made.is_running and not asked.exists()
    lock = StudyLock(made.folder / "study.stab")
    assert lock.acquire()
    assert made.is_running
    made.cancel_study()
    assert asked.exists()
    lock.release()
    assert not made.is_running


def test_a_silent_process_counts_as_running_for_a_while(monkeypatch):
    made = Project.create()
    made.save(started=time.time())
    assert made.is_running
    (made.folder / "study.words").write_text("It broke: ÄÖÜ\n\n", encoding="utf-8")
    assert not made.is_running and made.end_message == "It broke: ÄÖÜ"
    (made.folder / "study.words").unlink()
    for started in (time.time() - processes.START_SECONDS - 1, time.time() + 3600):  # long ago; before the clock was set back
        made.save(started=started)
        assert not made.is_running and made.end_message == ""


def test_a_killed_process_is_reported_whatever_it_printed_last():
    made = Project.create()
    made.save(started=time.time())
    (made.folder / "study.log").write_text("/x/sklearn/base.py:1: UserWarning\n  warnings.warn(\n")
    assert made.is_running and made.end_message == ""
    (made.folder / "study.log").write_text("3 of 9\n/x/sklearn/base.py:1: UserWarning\n  warnings.warn(\n")
    assert not made.is_running and made.end_message == processes.KILLED
    lock = StudyLock(made.folder / "study.stab")
    assert lock.acquire() and made.end_message == ""
    lock.release()


def test_a_study_starts_by_the_public_command_apart_from_the_page(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STABILITY_HOME", "relative")
    made, started = Project.create(), []
    monkeypatch.setattr(processes.subprocess, "Popen", lambda *args, **options: started.append((args[0], options)))
    cancel_file(made.folder / "study.stab").touch()
    made.start_study()
    ((command, options),) = started
    assert command == [
        sys.executable,
        "-P",
        "-m",
        "pages.workspace.queue",
        "run",
        "study.toml",
        "--store",
        "study.stab",
        "--words",
        "study.words",
    ]
    assert Path(options["cwd"]).is_absolute() and Path(options["cwd"]) == made.folder and made.id not in " ".join(command)
    assert Path(options["env"]["PYTHONPATH"].split(os.pathsep)[0], "pages", "workspace", "queue.py").is_file()
    assert options.get("start_new_session") or os.name == "nt"
    assert not cancel_file(made.folder / "study.stab").exists() and made.is_running
