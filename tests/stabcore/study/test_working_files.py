"""Locks of studies, addresses of their files, and removal of folders."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import PurePosixPath, PureWindowsPath
from threading import Thread

import pytest

from stabcore.base.errors import InputError
from stabcore.study import working_files
from stabcore.study.opening import sqlite_uri
from stabcore.study.working_files import StudyLock


def held_lock(path):
    lock = StudyLock(path)
    assert lock.acquire()
    return lock


def test_checking_a_lock_does_not_take_it(tmp_path):
    held_lock(tmp_path / "s").release()
    with closing(sqlite3.connect(tmp_path / "s.lock", isolation_level=None)) as looks:
        looks.execute("BEGIN")
        looks.execute("SELECT name FROM sqlite_master").fetchall()  # the check stays open
        assert not StudyLock.held(tmp_path / "s")
    with ThreadPoolExecutor(8) as readers:
        assert not any(readers.map(lambda _: StudyLock.held(tmp_path / "s"), range(200)))
    lock = held_lock(tmp_path / "s")
    assert StudyLock.held(tmp_path / "s") and not StudyLock(tmp_path / "s").acquire(wait=0)
    lock.release()
    assert not StudyLock.held(tmp_path / "s")


def test_files_of_unused_locks_are_removed_safely(tmp_path):
    lock = held_lock(tmp_path / "s")
    StudyLock(tmp_path / "s").remove()
    assert lock.path.exists() and StudyLock.held(tmp_path / "s")
    lock.release()
    StudyLock(tmp_path / "s").remove()
    assert not lock.path.exists()


def test_waiting_lock_takes_the_new_file_after_a_removal(tmp_path, monkeypatch):
    first, second = held_lock(tmp_path / "s"), StudyLock(tmp_path / "s")
    waits = Thread(target=second.acquire, kwargs={"wait": 10})
    waits.start()
    waits.join(0.2)  # it waits on the file that is then removed
    first.path.unlink()
    first.release()
    waits.join(10)
    assert second.path.exists() and StudyLock.held(tmp_path / "s") and not StudyLock(tmp_path / "s").acquire(wait=0)
    second.release()


def test_read_only_folder_is_not_a_running_study(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError):
        StudyLock(tmp_path / "file" / "s").acquire()
    assert not StudyLock.held(tmp_path / "file" / "s")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PurePosixPath("/a b/s#1?.stab"), "file:///a%20b/s%231%3F.stab?mode=ro"),
        (PureWindowsPath(r"C:\Users\Anne\s.stab"), "file:///C:/Users/Anne/s.stab?mode=ro"),
        (PureWindowsPath(r"\\server\share\s.stab"), "file:////server/share/s.stab?mode=ro"),
    ],
    ids=["POSIX", "a drive", "a share"],
)
def test_uri_of_a_study_file_on_every_system(path, uri):
    assert sqlite_uri(path, "ro") == uri


def test_replacing_a_file_in_use_is_retried(tmp_path, monkeypatch):
    replace, refusals = working_files.os.replace, [PermissionError(13, "in use"), PermissionError(13, "in use")]

    def in_use(*paths):
        if refusals:
            raise refusals.pop()
        replace(*paths)

    monkeypatch.setattr(working_files.os, "replace", in_use)
    (tmp_path / "new").write_text("new")
    with pytest.raises(PermissionError):
        working_files.replace_file(tmp_path / "new", tmp_path / "old")
    monkeypatch.setattr(working_files, "WAIT_SECONDS", (0.001, 0.001))
    working_files.replace_file(tmp_path / "new", tmp_path / "old")
    assert (tmp_path / "old").read_text() == "new"


def test_incomplete_removal_of_a_folder_is_reported(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    working_files.remove_folder(tmp_path / "a")
    working_files.remove_folder(tmp_path / "a")
    (tmp_path / "secret").mkdir()
    monkeypatch.setattr(working_files.shutil, "rmtree", lambda folder, ignore_errors: None)
    with pytest.raises(InputError) as error:
        working_files.remove_folder(tmp_path / "secret")
    assert "secret" not in str(error.value)
