"""What a page asks for and a thread of the server makes: it waits for its turn, and goes on whatever becomes of the page."""

import time

import pytest
from project_support import new_project
from support import wait_for

from pages.workspace import queue
from pages.workspace.files import home
from pages.workspace.people import owner_of
from pages.workspace.queue import BackgroundTask, was_lost
from stabcore.base.errors import InputError


@pytest.fixture(autouse=True)
def own_home(home, monkeypatch):
    monkeypatch.setenv(queue.MAX_RUNNING, "1")
    monkeypatch.setattr(queue, "CHECK_SECONDS", 0.01)


@pytest.fixture
def running_study():
    """A study that has its turn, and the end of it."""
    first = new_project(name="first")
    place = queue._reserved_place(home() / queue.FOLDER, first.folder.name, owner_of(first.folder))
    with place:
        assert queue._take_turn(home() / queue.FOLDER, first.folder.name)
        yield
    assert not first.is_running


def makes(tell):
    tell(1, 2)
    return "made"


def test_a_waiting_computation_shows_its_place_and_can_be_cancelled(running_study):
    waits = BackgroundTask(home(), "paper-x", "", makes)
    wait_for(lambda: waits.queue_position == (1, 0))
    second = BackgroundTask(home(), "paper-y", "", makes)
    wait_for(lambda: second.queue_position == (1, 1))
    waits.cancel()
    wait_for(lambda: not waits.is_running)
    assert waits.failure == queue.CANCELLED and waits.result is None and not queue.has_place(home() / "paper-x")
    wait_for(lambda: second.queue_position == (1, 0))
    second.cancel()
    wait_for(lambda: not second.is_running)


def test_it_is_made_when_it_has_its_turn_and_says_why_it_was_not():
    whole = BackgroundTask(home(), "paper-x", "", makes)
    wait_for(lambda: not whole.is_running)
    assert (whole.result, whole.failure, whole.progress, whole.queue_position) == ("made", "", (1, 2), None)
    assert not was_lost(home(), "paper-x") and not queue.has_place(home() / "paper-x")
    for error, words in [
        (InputError("No table."), "No table."),
        (MemoryError(), "Memory ran out."),
        (ZeroDivisionError("secret"), "an error of this program (ZeroDivisionError)"),
    ]:
        broken = BackgroundTask(home(), "paper-x", "", lambda tell, error=error: (_ for _ in ()).throw(error))
        wait_for(lambda broken=broken: not broken.is_running)
        assert words in broken.failure and "secret" not in broken.failure and broken.result is None


def test_it_ends_where_it_was_cancelled_while_it_was_made():
    def long(tell):
        while True:
            tell(1, 2)
            time.sleep(0.005)

    task = BackgroundTask(home(), "paper-x", "", long)
    wait_for(lambda: task.progress == (1, 2))
    assert task.is_running and not was_lost(home(), "paper-x")
    task.cancel()
    wait_for(lambda: not task.is_running)
    assert task.failure == queue.STOPPED


def test_what_a_server_left_when_it_was_killed_is_known():
    assert not was_lost(home(), "paper-x")
    (home() / queue.FOLDER).mkdir(parents=True)
    queue._marker_file(home(), "paper-x").touch()
    assert was_lost(home(), "paper-x")
    whole = BackgroundTask(home(), "paper-x", "", makes)
    wait_for(lambda: not whole.is_running)
    assert not was_lost(home(), "paper-x")
