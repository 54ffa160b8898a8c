"""Undo and redo of named settings, so that other changes stay. Steps are kept on disk by the state that they led to."""

import json

from pages.workspace.history import FILE, MAX_FILE_LENGTH, MAX_HISTORIES, History, read_history, write_history


def test_each_step_is_taken_back_and_done_again():
    made = History({"k": "5"}).with_step({"k": "6"}).with_step({"k": "6", "gamma": "1"}, "Pareto").with_step({"gamma": "1"})
    assert [len(step.changes) for step in made.past] == [1, 1, 1] and made.past[1].page == "Pareto"
    seen = [made.state]
    while made.past:
        made = made.undo()
        seen.append(made.state)
    assert seen == [{"gamma": "1"}, {"k": "6", "gamma": "1"}, {"k": "6"}, {"k": "5"}]
    while made.future:
        made = made.redo()
    assert made.state == {"gamma": "1"} and len(made.past) == 3


def test_no_change_is_no_step_and_a_change_forgets_undone_steps():
    made = History({"k": "5"}).with_step({"k": "6"})
    assert made.with_step({"k": "6"}) is made
    assert made.undo().with_step({"k": "5"}).future and not made.undo().with_step({"k": "9"}).future


def test_a_number_moved_repeatedly_is_one_step_of_undo():
    made = History({"of": ["a"]}).with_step({"t": ["61"], "of": ["a"]}).with_step({"t": ["57"], "of": ["a"]}, continues=True)
    assert len(made.past) == 1 and made.undo().state == {"of": ["a"]}
    assert made.with_step({"of": ["a"]}, continues=True).past == (), "back at its place there is nothing to take back"
    for later in ({"t": ["57"], "of": ["b"]}, {"t": ["57"], "of": ["a"], "k": ["3"]}, {"t": ["57", "58"], "of": ["a"]}):
        assert len(made.with_step(later, continues=True).past) == 2
    assert len(made.with_step({"t": ["5"], "of": ["a"]}).past) == 2, "later it is a step of its own"
    words = History({"of": ["a"]}).with_step({"of": ["b"]}).with_step({"of": ["c"]}, continues=True)
    assert len(words.past) == 2, "words are chosen one by one"
    assert len(words.with_step({"t": ["1"]}).with_step({"t": ["2"]}).undo().with_step({"t": ["5"]}, continues=True).past) == 4


def test_moving_a_number_of_a_scenario_is_one_step_of_undo():
    def c(threshold, **more):
        return {"scenario=x": {"base": "correlation", "threshold": threshold, "groups": {}, **more}}

    moved = History(c(0.5)).with_step(c(0.51)).with_step(c(0.52), continues=True)
    assert len(moved.past) == 1 and moved.undo().state == c(0.5) and moved.undo().redo().state == c(0.52)
    for later in (c(0.53, groups={"a": ["b"]}), c(0.52, groups={"a": ["b"]}), c(0.52, gamma=1.0), {"t": ["1"], **c(0.52)}):
        assert len(moved.with_step(later, continues=True).past) == 2
    assert len(moved.with_step(c(0.53)).past) == 2, "later it is another gesture"


def test_each_pair_that_is_moved_by_hand_is_one_step():
    def c(*edits):
        return {"scenario=x": {"base": "none", "threshold": 0.5, "edits": [list(edit) for edit in edits]}}

    moved = History(c()).with_step(c(("a", "b", 0.01))).with_step(c(("a", "b", 0.02)), continues=True)
    assert len(moved.past) == 1 and moved.undo().state == c()
    assert len(moved.with_step(c(("a", "b", 0.02), ("a", "c", 0.5)), continues=True).past) == 2
    assert len(moved.with_step(c(), continues=True).past) == 0, "back at its place there is nothing to take back"


def test_taking_back_leaves_what_came_elsewhere_or_by_itself():
    made = History({"k": "5", "a": "1"}).with_step({"k": "6", "a": "1"}).with_state({"k": "6", "a": "2", "b": "3"})
    assert made.undo().state == {"k": "5", "a": "2", "b": "3"} and len(made.past) == 1


def test_a_history_is_found_by_the_state_that_it_led_to(tmp_path):
    made = History({"k": "5"}).with_step({"k": "6"}, "Maps")
    write_history(tmp_path, made)
    assert read_history(tmp_path, {"k": "6"}) == made and read_history(tmp_path, {"k": "5"}) == History({"k": "5"})
    write_history(tmp_path, made.undo(), replaced=made.state)
    assert read_history(tmp_path, {"k": "5"}).future and not read_history(tmp_path, {"k": "6"}).past
    for number in range(2 * MAX_HISTORIES):
        write_history(tmp_path, History({"k": str(number)}).with_step({"a": str(number)}))
    assert len(json.loads((tmp_path / FILE).read_text())) == MAX_HISTORIES and read_history(tmp_path, {"a": "11"}).past
    assert {path.name for path in tmp_path.iterdir()} == {FILE, f"{FILE}.lock"}


def test_a_long_history_loses_its_beginning(tmp_path):
    made = History({})
    for number in range(50):
        made = made.with_step({"groups": [str(number)] * (MAX_FILE_LENGTH // 200)})
    write_history(tmp_path, made)
    read = read_history(tmp_path, made.state)
    assert 0 < len(read.past) < 50 and read.past[-1] == made.past[-1]
    assert (tmp_path / FILE).stat().st_size <= MAX_FILE_LENGTH + 10


def test_a_damaged_history_is_none_and_does_no_harm(tmp_path):
    for text in ("", "{", "[1]", "[[{}, [[1, 2]], []]]", '[[{}, [[{"a": 3}, ""]], []]]', "[" * 100_000, "null", '{"a": 1}'):
        (tmp_path / FILE).write_text(text)
        assert read_history(tmp_path, {"k": "1"}) == History({"k": "1"})
        write_history(tmp_path, History({}).with_step({"k": "1"}))
        assert read_history(tmp_path, {"k": "1"}).past
    write_history(tmp_path / "nowhere", History({}))
    assert read_history(tmp_path / "nowhere", {}) == History({})
