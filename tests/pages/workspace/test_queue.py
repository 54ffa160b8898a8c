"""The queue of studies: as many at once as there may be, in turns between people, and nobody waits for a process that is gone."""

import os
from contextlib import ExitStack
from itertools import permutations

import pytest
from project_support import new_project
from support import wait_for

from pages.workspace import queue
from pages.workspace.files import home
from pages.workspace.people import owner_of
from pages.workspace.project import Project
from pages.workspace.projects import projects
from pages.workspace.queue import Place, has_turn, waiting_places
from stabcore.base.errors import InputError
from stabcore.study.working_files import cancel_file

ANNE, BERT = "a" * 64, "b" * 64


@pytest.fixture(autouse=True)
def own_home(home, monkeypatch):
    monkeypatch.setenv(queue.MAX_RUNNING, "1")


def place(project):
    return queue._reserved_place(project.folder.parent / queue.FOLDER, project.folder.name, owner_of(project.folder))


def begins(project):
    return queue._take_turn(project.folder.parent / queue.FOLDER, project.folder.name)


def places(letters):
    """From "A a b": those in capitals run, in the order they came."""
    return [Place(number, f"{letter}{number}", letter.lower(), letter.isupper()) for number, letter in enumerate(letters.split())]


@pytest.mark.parametrize(
    ("letters", "order"),
    [
        ("", ""),
        ("A", ""),
        ("a", "a0"),
        ("a b", "a0 b1"),
        ("a a b", "a0 b2 a1"),
        ("A a b", "b2 a1"),
        ("A A b a", "b2 a3"),
        ("a a a b b c", "a0 b3 c5 a1 b4 a2"),
        ("A B a b", "a2 b3"),
        ("A B b a a", "b2 a3 a4"),
    ],
)
def test_people_take_turns_and_their_own_studies_stay_in_order(letters, order):
    waiting = places(letters)
    assert [queued.name for queued in waiting_places(waiting)] == order.split()
    for shuffled in permutations(waiting[:5]):
        assert waiting_places(shuffled) == waiting_places(waiting[:5])


@pytest.mark.parametrize(
    ("letters", "most", "begin"),
    [("a b", 1, {"a0"}), ("a b", 2, {"a0", "b1"}), ("A b", 1, set()), ("A a b", 2, {"b2"}), ("A A b", 1, set()), ("a", 0, set())],
)
def test_no_more_begin_than_there_may_be(letters, most, begin):
    assert {queued.name for queued in places(letters) if has_turn(queued.name, places(letters), most)} == begin


def test_a_place_in_the_queue_ends_with_its_process():
    first, second, third = (Project.create(person) for person in (ANNE, ANNE, BERT))
    with place(first), place(second):
        assert begins(first) and not begins(second)
        assert first.queue_position is None and second.queue_position == (1, 0) and first.is_running and second.is_running
        with place(third):
            assert third.queue_position == (1, 0) and second.queue_position == (1, 1), (
                "who has a study running gives way to who has none"
            )
        assert third.queue_position is None and not third.is_running and second.queue_position == (1, 0)
    assert not first.is_running and not second.is_running
    assert [path.name for path in (home() / queue.FOLDER).iterdir()] == ["places"], "nothing points to projects that may be deleted"
    with place(third):
        assert begins(third), "what is gone holds nobody up"


def test_the_queue_has_a_bound_for_all_and_for_each_person(monkeypatch):
    monkeypatch.setattr(queue, "MAX_WAITING_EACH", 2)
    monkeypatch.setattr(queue, "MAX_WAITING", 4)
    queued_projects = [Project.create(person) for person in (ANNE, ANNE, ANNE, BERT, BERT)]
    with ExitStack() as waiting:
        for number, project in enumerate(queued_projects):
            waiting.enter_context(place(project))
            if number == 0:
                assert begins(project), "what runs does not wait"
            if number == 1:
                queue.refuse_when_full(home(), ANNE)
        for refused in (ANNE, BERT, "c" * 64):
            with pytest.raises(InputError):
                queue.refuse_when_full(home(), refused)
        with pytest.raises(InputError):
            Project.create(BERT).start_study()
        with pytest.raises(InputError), queue.wait_for_turn(home(), "paper-x", BERT, print):
            raise AssertionError("it was not refused")
    queue.refuse_when_full(home(), ANNE)


def test_a_study_runs_no_module_from_its_folder():
    project = new_project(name="a")
    for name in ("stabcore.py", "pages.py", "numpy.py", "sitecustomize.py"):
        (project.folder / name).write_text("open('ran', 'w').close()")
    project.start_study()
    ended(project, began=True)
    assert not (project.folder / "ran").exists() and "study.toml" in (project.folder / "study.log").read_text()


def test_a_folder_that_names_code_starts_nothing():
    project, settings = new_project(name="a"), 'own = "os:system"\ncommand = "touch ran"'
    for code in (f"[[selector]]\n{settings}", '[study]\nclassifier = "os:system"', f"[plan]\n{settings}"):
        (project.folder / "study.toml").write_text(code)
        with pytest.raises(InputError):
            project.start_study()
        assert not project.is_running and not (project.folder / "study.log").exists()


def test_how_many_run_at_once_is_a_number_or_one_a_core(monkeypatch):
    assert queue.max_running() == 1
    for wrong in ("", "0", "-1", "many", "²"):
        monkeypatch.setenv(queue.MAX_RUNNING, wrong)
        assert queue.max_running() >= 1


@pytest.fixture
def waits(own_home):
    """A project whose study waits, in a process of its own, while another one has its turn."""
    first, second = new_project(name="first"), new_project(name="second")
    with place(first):
        assert begins(first)
        second.start_study()
        wait_for(lambda: second.queue_position is not None)
        yield second
        second.cancel_study()


def ended(workspace, began=False):
    wait_for(lambda: not workspace.has_process and (not began or (workspace.folder / "study.words").exists()))


def test_a_study_that_waits_can_be_cancelled_and_forgotten(waits):
    assert waits.queue_position == (1, 0) and waits.is_running and waits.end_message == ""
    assert "waits" in next(project.state for project in projects() if project.id == waits.id)
    waits.cancel_study()
    ended(waits)
    assert waits.end_message == queue.CANCELLED and not waits.is_running and not cancel_file(waits.folder / "study.stab").exists()
    waits.start_study()
    waits.delete()
    assert not waits.folder.exists() and not waits.has_process


@pytest.mark.skipif(os.name == "nt", reason="asks for processes by their folder")
def test_a_process_that_is_killed_while_it_waits_leaves_no_place(waits):
    import psutil

    for process in psutil.Process().children(recursive=True):
        if process.status() != psutil.STATUS_ZOMBIE and process.cwd() == str(waits.folder):
            process.kill()
    ended(waits)
    assert waits.queue_position is None and "ended from outside" in waits.end_message
