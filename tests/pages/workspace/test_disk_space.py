"""Disk space: the size of projects is shown, old ones can be deleted together, and nothing is deleted unasked."""

import os

import pytest

from pages.workspace.files import home
from pages.workspace.project import Project
from pages.workspace.projects import (
    DAY,
    KEEP_DAYS,
    QUOTA,
    delete_stale_projects,
    describe_retention,
    find_unchanged,
    projects,
    stale_projects,
)
from stabcore.study.working_files import StudyLock


@pytest.fixture(autouse=True)
def own_home(home, monkeypatch):
    monkeypatch.delenv(KEEP_DAYS, raising=False)
    monkeypatch.delenv(QUOTA, raising=False)


def new_project(days, *person, **settings):
    """One that nothing has changed for so many days."""
    made = Project.create(*person)
    made.save(**settings)
    for path in (*made.folder.iterdir(), made.folder):
        os.utime(path, (path.stat().st_mtime - days * DAY,) * 2)
    return made


def test_old_works_are_found_and_one_that_runs_never_is():
    new, old, oldest, running = new_project(1), new_project(200), new_project(400), new_project(300)
    lock = StudyLock(running.folder / "study.stab")
    assert lock.acquire()
    for path in (*running.folder.iterdir(), running.folder):
        os.utime(path, (1e9, 1e9))
    assert [project.id for project in stale_projects(projects(), 180)] == [oldest.id, old.id]
    lock.release()
    assert Project.find(new.id)


@pytest.mark.parametrize(("asked", "left"), [(None, 2), ("", 2), ("0", 2), ("-5", 2), ("many", 2), ("180", 1), ("1000", 2)])
def test_a_server_deletes_only_the_projects_it_was_asked_to(asked, left, monkeypatch):
    new_project(1), new_project(400, "a" * 64)
    if asked is not None:
        monkeypatch.setenv(KEEP_DAYS, asked)
    forgets = asked in ("180", "1000")
    assert (f" {asked} days." in describe_retention()) == forgets == bool(describe_retention())
    assert delete_stale_projects() == 2 - left and len(list(home().glob("*/workspace.json"))) == left


def test_what_was_opened_and_never_changed_is_opened_again():
    settings = {"kind": "sample", "sample": "wine", "roles": {"exclude": ("a",)}}
    assert find_unchanged(settings) is None
    made = new_project(0, **settings)
    (new_project(0).folder / "workspace.json").write_text("{")  # a damaged one is in nobody's way
    assert find_unchanged(settings) == made
    made.save_upload("a.csv", b"1")
    assert find_unchanged(settings) is None
    new_project(0, **settings, scenario_name="mine")
    assert find_unchanged(settings) is None
