"""The list of projects: descriptions, other names, independent copies, and damaged projects."""

import os
import tomllib

import pytest
from project_support import new_project, with_study
from store_support import done

from pages.workspace.projects import MAX_TITLE, duplicate, projects, rename
from stabcore.base.errors import InputError
from stabcore.study.store import Store
from stabcore.study.working_files import StudyLock


def test_projects_are_described_with_the_latest_first():
    made = [
        new_project(kind="selections", name="runs.csv", selections=[{"file": "a"}]),
        with_study(),
        with_study(4),
        new_project(name="empty"),
    ]
    lock = StudyLock(with_study().folder / "study.stab")
    assert lock.acquire()
    for age, project in enumerate(made):
        for path in (project.folder, *project.folder.iterdir()):
            os.utime(path, (2e9 - age, 2e9 - age))
    found = projects()
    assert [entry.id for entry in found[:4]] == [project.id for project in made] and found[0].title == "runs.csv"
    states = zip(("from 1 file", "2 of 4 tasks", "finished", "nothing", "running"), found)
    assert all(words in entry.state for words, entry in states) and found[1].size > 8000
    lock.release()


def test_what_is_gone_is_said_to_be_gone():
    lost = new_project(name="a", table="a.csv", roles={"target": "x"}), new_project(name="b", sample="never-bundled")
    made = [*lost, new_project(name="c")]
    made[2].save(table=made[2].save_upload("c.csv", b"a,b\n1,2\n"))
    states = {project.id: project.state for project in projects()}
    assert ["no longer here" in states[project.id] for project in made] == [True, True, False]


def test_a_damaged_work_stands_in_the_list_and_can_be_forgotten():
    broken, torn = new_project(name="a"), with_study()
    (broken.folder / "workspace.json").write_text("{")
    (torn.folder / "study.stab").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    states = {entry.id: entry.state for entry in projects()}
    assert states.keys() == {broken.id, torn.id} and "read" in states[broken.id] and "damaged" in states[torn.id]
    for damaged in projects():
        damaged.project.delete()
    assert projects() == []


def test_another_name_is_that_of_the_work_and_not_of_its_data():
    made = new_project(name="t.csv")
    rename(made, "  My \n study  ")
    assert made.title == "My study" and made.settings["name"] == "t.csv"
    for wrong in ("", " \n", "x" * (MAX_TITLE + 1)):
        with pytest.raises(InputError, match="1 to 100"):
            rename(made, wrong)


def test_a_copy_lives_apart():
    made = with_study()
    made.save(started=1.0)
    (made.folder / "study.log").write_text("x")
    copy = duplicate(made)
    assert copy.title == "t.csv (copy)" and "started" not in copy.settings and not (copy.folder / "study.log").exists()
    Store(copy.folder / "study.stab").add(done(2))
    assert [len(Store(project.folder / "study.stab").finished()) for project in (made, copy)] == [2, 3]
    file = tomllib.loads((copy.folder / "study.toml").read_text())["data"]["file"]
    assert file == str(copy.table_file) and copy.table_file.read_bytes() == b"y\n1\n"
    made.delete()
    assert copy.table_file.exists() and copy.last_settings["study"] == {"k": 2}
    assert duplicate(copy).title == "t.csv (copy) (copy)"


def test_settings_that_are_none_are_a_sentence_and_stay_as_they_are():
    made = new_project(name="a")
    for text in (
        '{"name": 3}',
        "[]",
        '{"table": "../../etc/passwd"}',
        '{"store": "/etc/passwd"}',
        "[" * 99999,
        '{"sample": "../x"}',
    ):
        (made.folder / "workspace.json").write_text(text)
        for ask in (lambda: made.settings, lambda: made.save(name="b"), lambda: made.title):
            with pytest.raises(InputError):
                ask()
        assert (made.folder / "workspace.json").read_text() == text and not made.is_running
