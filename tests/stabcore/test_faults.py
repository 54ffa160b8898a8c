"""Faults of the machine are sentences, nothing that was finished is lost, and no half file stays."""

import errno
import os
import shutil
import sqlite3

import pytest
from command_support import settings_file

import stabcore as sc
from stabcore.__main__ import main
from stabcore.base.errors import fault_words
from stabcore.study.store import Store


def of_sqlite(code):
    error = sqlite3.OperationalError("what SQLite says")
    error.sqlite_errorcode = code
    return error


FAULTS = {
    "disk full": (of_sqlite(sqlite3.SQLITE_FULL), "could not be written: the disk is full"),
    "locked for a minute": (of_sqlite(sqlite3.SQLITE_BUSY), "being used by another program"),
    "read-only": (of_sqlite(sqlite3.SQLITE_READONLY), "may not be written"),
    "pulled out": (OSError(errno.EIO, "Input/output error", "/home/x/KEY/study.stab"), "The disk could not read or write"),
    "no space for files": (OSError(errno.ENOSPC, "No space left", "/home/x/KEY/values.npy"), "written: the disk is full"),
    "no space for numpy": (OSError("4000 requested and 120 written"), "could not be written: the disk is full"),
    "memory": (MemoryError(), "Memory ran out"),
    "Ctrl-C": (KeyboardInterrupt(), "It was interrupted; what is done is kept"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_study_that_is_stopped_by_a_fault_says_so_and_goes_on_later(fault, tmp_path, monkeypatch, capsys):
    error, words = FAULTS[fault]
    real, kept = Store.add, []

    def add(self, *outcomes):
        for outcome in outcomes:
            if len(kept) == 2:
                raise error
            kept.append(outcome)
            real(self, outcome)

    asked = [
        "run",
        str(settings_file(tmp_path, runs=3, selectors=["mim"])),
        "--store",
        str(tmp_path / "s.stab"),
        "--n-jobs",
        "1",
        "--words",
        str(tmp_path / "words"),
    ]
    in_threads(monkeypatch)
    with monkeypatch.context() as patched:
        patched.setattr(Store, "add", add)
        assert main(asked) in (1, 130)
    told = (tmp_path / "words").read_text(encoding="utf-8")
    assert words in told and "KEY" not in told and "same command" not in told and "Traceback" not in capsys.readouterr().err
    assert len(Store(tmp_path / "s.stab").finished()) == 2 and not list(tmp_path.glob("*.work-*"))
    assert main(asked) == 0 and len(Store(tmp_path / "s.stab").finished()) == 3


def in_threads(monkeypatch):
    """Tasks of the command run in this process: what is tried is the store, not the pool."""
    from concurrent.futures import ThreadPoolExecutor
    from contextlib import contextmanager

    @contextmanager
    def pool(*_):
        with ThreadPoolExecutor(1) as executor:
            yield executor

    monkeypatch.setattr("stabcore.study.scheduling._pool", pool)


@pytest.mark.parametrize("after", [1, 3])  # tasks of three: the next is kept no more, or none is left to keep
def test_a_study_that_is_deleted_while_it_runs_says_so_and_makes_no_new_file(after, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "work"
    folder.mkdir()
    settings = settings_file(folder, runs=3, selectors=["mim"])
    real, kept = Store.add, []

    def add(self, *outcomes):
        for outcome in outcomes:
            real(self, outcome)
            kept.append(outcome)
            if len(kept) == after:
                (folder / "s.stab").unlink()

    in_threads(monkeypatch)
    monkeypatch.setattr(Store, "add", add)
    assert main(["run", str(settings), "--store", str(folder / "s.stab"), "--n-jobs", "1"]) == 1
    assert "not there any more" in capsys.readouterr().err and not (folder / "s.stab").exists()
    shutil.rmtree(folder)


def test_a_real_full_file_is_told(tmp_path):
    base = sqlite3.connect(tmp_path / "x.db")
    base.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.Error) as error:
        base.execute("CREATE TABLE a (b)").execute("INSERT INTO a VALUES (zeroblob(100000))")
    base.close()
    assert fault_words(error.value).startswith("The study file could not be written: the disk is full")


@pytest.mark.parametrize("error", [ValueError("x"), OSError("odd"), sqlite3.OperationalError("no such table"), sc.InputError("x")])
def test_what_is_no_fault_of_the_machine_gets_no_words(error):
    assert fault_words(error) == ""


def test_an_error_of_the_program_stays_one(tmp_path, monkeypatch):
    def add(*_):
        raise ZeroDivisionError

    in_threads(monkeypatch)
    monkeypatch.setattr(Store, "add", add)
    with pytest.raises(ZeroDivisionError):
        main(
            [
                "run",
                str(settings_file(tmp_path, runs=3, selectors=["mim"])),
                "--store",
                str(tmp_path / "s.stab"),
                "--words",
                str(tmp_path / "words"),
            ]
        )
    assert "an error of this program (ZeroDivisionError)" in (tmp_path / "words").read_text(encoding="utf-8")


def test_a_home_that_cannot_be_written_is_a_sentence_on_the_page(monkeypatch):
    from page_support import new_app

    def refuse(home):
        raise PermissionError(errno.EACCES, "Permission denied", os.path.join("/", "home", "x", "KEY"))

    app = new_app().run()
    monkeypatch.setattr("pages.workspace.project.prepare_home", refuse)
    app.button(key="open-wine").click().run()
    assert not app.exception and "may not be written" in app.error[0].value and "set STABILITY\\_HOME" in app.error[0].value
    assert "KEY" not in app.error[0].value, "the name of a folder opens a work"
