"""Faults of the machine give a clear error, keep finished tasks, and leave no partial file."""

import errno
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from command_support import settings_file
from page_support import new_app

import stabcore as sc
from stabcore.__main__ import main
from stabcore.base.errors import describe_fault
from stabcore.study.store import Store


def of_sqlite(code):
    error = sqlite3.OperationalError("message of SQLite")
    error.sqlite_errorcode = code
    return error


FAULTS = {
    "disk full": of_sqlite(sqlite3.SQLITE_FULL),
    "locked for a minute": of_sqlite(sqlite3.SQLITE_BUSY),
    "read-only": of_sqlite(sqlite3.SQLITE_READONLY),
    "pulled out": OSError(errno.EIO, "Input/output error", "/home/x/KEY/study.stab"),
    "no space for files": OSError(errno.ENOSPC, "No space left", "/home/x/KEY/values.npy"),
    "no space for numpy": OSError("4000 requested and 120 written"),
    "memory": MemoryError(),
    "Ctrl-C": KeyboardInterrupt(),
}


@pytest.fixture(autouse=True)
def _in_threads(monkeypatch):
    """Runs tasks of the command in this process, because the store is tested and not the pool."""

    @contextmanager
    def pool(*_):
        with ThreadPoolExecutor(1) as executor:
            yield executor

    monkeypatch.setattr("stabcore.study.scheduling._pool", pool)


@pytest.fixture
def command(tmp_path):
    """The command that runs a study of three tasks."""
    settings = settings_file(tmp_path, runs=3, selectors=["mim"])
    return ["run", str(settings), "--store", str(tmp_path / "s.stab"), "--n-jobs", "1", "--words", str(tmp_path / "words")]


def after(tasks, act):
    """Store.add, which calls `act` after it has added this many tasks."""
    real, added = Store.add, []

    def add(self, *outcomes):
        for outcome in outcomes:
            real(self, outcome)
            added.append(outcome)
            if len(added) == tasks:
                act()

    return add


def fail(error):
    raise error


@pytest.mark.parametrize("fault", ["disk full", "no space for numpy", "memory", "Ctrl-C"])
def test_a_study_stopped_by_a_fault_can_be_continued(fault, command, tmp_path, monkeypatch, capsys):
    with monkeypatch.context() as patched:
        patched.setattr(Store, "add", after(2, lambda: fail(FAULTS[fault])))
        assert main(command) in (1, 130)
    words = (tmp_path / "words").read_text(encoding="utf-8")
    assert describe_fault(FAULTS[fault]) in words and len(words) > 20 and "KEY" not in words
    assert "Traceback" not in capsys.readouterr().err
    assert len(Store(tmp_path / "s.stab").finished()) == 2 and not list(tmp_path.glob("*.work-*"))
    assert main(command) == 0 and len(Store(tmp_path / "s.stab").finished()) == 3


@pytest.mark.parametrize("tasks", [1, 3])  # of three: before another task is stored, or after the last
def test_a_study_deleted_during_its_run_makes_no_new_file(tasks, command, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(Store, "add", after(tasks, lambda: (tmp_path / "s.stab").unlink()))
    assert main(command) == 1
    assert len(capsys.readouterr().err) > 20 and not (tmp_path / "s.stab").exists()


def test_a_full_disk_is_reported(tmp_path):
    base = sqlite3.connect(tmp_path / "x.db")
    base.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.Error) as error:
        base.execute("CREATE TABLE a (b)").execute("INSERT INTO a VALUES (zeroblob(100000))")
    base.close()
    assert describe_fault(error.value) == describe_fault(FAULTS["disk full"]) != ""


def test_errors_of_faults_name_no_folder():
    words = [describe_fault(fault) for fault in FAULTS.values() if isinstance(fault, Exception)]
    assert all(words) and "KEY" not in " ".join(words)


@pytest.mark.parametrize("error", [ValueError("x"), OSError("odd"), sqlite3.OperationalError("no such table"), sc.InputError("x")])
def test_other_errors_are_no_faults_of_the_machine(error):
    assert describe_fault(error) == ""


def test_an_error_in_the_program_is_raised(command, tmp_path, monkeypatch):
    monkeypatch.setattr(Store, "add", after(1, lambda: fail(ZeroDivisionError())))
    with pytest.raises(ZeroDivisionError):
        main(command)
    assert "ZeroDivisionError" in (tmp_path / "words").read_text(encoding="utf-8")


def test_a_read_only_home_is_reported_on_the_page(monkeypatch):
    error = PermissionError(errno.EACCES, "Permission denied", os.path.join("/", "home", "x", "KEY"))
    app = new_app().run()
    monkeypatch.setattr("pages.workspace.project.prepare_home", lambda home: fail(error))
    app.button(key="open-wine").click().run()
    assert not app.exception and "STABILITY" in app.error[0].value
    assert "KEY" not in app.error[0].value, "the name of the folder gives access to a project"
