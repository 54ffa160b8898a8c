"""Steps taken back and done again: by name, so that what changed elsewhere stays; kept on disk by the state that they led to."""

import json

from stabcore.app import steps
from stabcore.app.steps import FILE, HISTORIES, LONGEST, MOST, Steps, found, keep


def test_each_step_is_taken_back_and_done_again():
    made = Steps({"k": "5"}).to({"k": "6"}).to({"k": "6", "gamma": "1"}, "Pareto").to({"gamma": "1"})
    assert [len(one.changed) for one in made.past] == [1, 1, 1] and made.past[1].page == "Pareto"
    seen = [made.now]
    while made.past:
        made = made.back()
        seen.append(made.now)
    assert seen == [{"gamma": "1"}, {"k": "6", "gamma": "1"}, {"k": "6"}, {"k": "5"}]
    while made.future:
        made = made.again()
    assert made.now == {"gamma": "1"} and len(made.past) == 3


def test_nothing_new_is_no_step_and_something_new_forgets_what_was_taken_back():
    made = Steps({"k": "5"}).to({"k": "6"})
    assert made.to({"k": "6"}) is made
    assert made.back().to({"k": "5"}).future and not made.back().to({"k": "9"}).future


def test_a_number_that_goes_on_moving_is_one_step_and_nothing_else_is():
    made = Steps({"of": ["a"]}).to({"t": ["61"], "of": ["a"]}).to({"t": ["57"], "of": ["a"]}, goes_on=True)
    assert len(made.past) == 1 and made.back().now == {"of": ["a"]}
    assert made.to({"of": ["a"]}, goes_on=True).past == (), "back at its place there is nothing to take back"
    for later in ({"t": ["57"], "of": ["b"]}, {"t": ["57"], "of": ["a"], "k": ["3"]}, {"t": ["57", "58"], "of": ["a"]}):
        assert len(made.to(later, goes_on=True).past) == 2
    assert len(made.to({"t": ["5"], "of": ["a"]}).past) == 2, "later it is a step of its own"
    words = Steps({"of": ["a"]}).to({"of": ["b"]}).to({"of": ["c"]}, goes_on=True)
    assert len(words.past) == 2, "words are chosen one by one"
    assert len(words.to({"t": ["1"]}).to({"t": ["2"]}).back().to({"t": ["5"]}, goes_on=True).past) == 4


def test_one_number_of_a_scenario_that_goes_on_moving_is_one_step_and_nothing_else_of_it_is():
    def c(threshold, **more):
        return {"scenario=x": {"base": "correlation", "threshold": threshold, "groups": {}, **more}}

    moved = Steps(c(0.5)).to(c(0.51)).to(c(0.52), goes_on=True)
    assert len(moved.past) == 1 and moved.back().now == c(0.5) and moved.back().again().now == c(0.52)
    for later in (c(0.53, groups={"a": ["b"]}), c(0.52, groups={"a": ["b"]}), c(0.52, gamma=1.0), {"t": ["1"], **c(0.52)}):
        assert len(moved.to(later, goes_on=True).past) == 2
    assert len(moved.to(c(0.53)).past) == 2, "later it is another gesture"


def test_a_pair_that_is_moved_by_hand_is_one_step_and_another_pair_is_another():
    def c(*edits):
        return {"scenario=x": {"base": "none", "threshold": 0.5, "edits": [list(one) for one in edits]}}

    moved = Steps(c()).to(c(("a", "b", 0.01))).to(c(("a", "b", 0.02)), goes_on=True)
    assert len(moved.past) == 1 and moved.back().now == c()
    assert len(moved.to(c(("a", "b", 0.02), ("a", "c", 0.5)), goes_on=True).past) == 2
    assert len(moved.to(c(), goes_on=True).past) == 0, "back at its place there is nothing to take back"


def test_a_scenario_that_is_made_and_a_number_of_it_that_is_moved_are_two_steps():
    before, made = {"scenario": "x"}, {"scenario": "y", "scenario=y": {"threshold": 0.5}}
    assert len(Steps(before).to(made).to({**made, "scenario=y": {"threshold": 0.6}}, goes_on=True).past) == 2


def test_taking_back_leaves_what_came_elsewhere_or_by_itself():
    made = Steps({"k": "5", "a": "1"}).to({"k": "6", "a": "1"}).settled({"k": "6", "a": "2", "b": "3"})
    assert made.back().now == {"k": "5", "a": "2", "b": "3"} and len(made.past) == 1


def test_no_more_steps_are_kept_than_can_be_needed():
    made = Steps({})
    for number in range(MOST + 20):
        made = made.to({"k": str(number)})
    assert len(made.past) == MOST and made.past[-1].changed == {"k": [str(MOST + 18), str(MOST + 19)]}


def test_a_history_is_found_by_the_state_that_it_led_to(tmp_path):
    made = Steps({"k": "5"}).to({"k": "6"}, "Maps")
    keep(tmp_path, made)
    assert found(tmp_path, {"k": "6"}) == made and found(tmp_path, {"k": "5"}) == Steps({"k": "5"})
    keep(tmp_path, made.back(), instead=made.now)
    assert found(tmp_path, {"k": "5"}).future and not found(tmp_path, {"k": "6"}).past
    for number in range(2 * HISTORIES):
        keep(tmp_path, Steps({"k": str(number)}).to({"a": str(number)}))
    assert len(json.loads((tmp_path / FILE).read_text())) == HISTORIES and found(tmp_path, {"a": "11"}).past
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_a_long_history_loses_its_beginning(tmp_path):
    made = Steps({})
    for number in range(50):
        made = made.to({"groups": [str(number)] * (LONGEST // 200)})
    keep(tmp_path, made)
    kept = found(tmp_path, made.now)
    assert 0 < len(kept.past) < 50 and kept.past[-1] == made.past[-1]
    assert (tmp_path / FILE).stat().st_size <= LONGEST + 10


def test_a_damaged_history_is_none_and_does_no_harm(tmp_path):
    for text in ("", "{", "[1]", '[[{}, [[1, 2]], []]]', '[[{}, [[{"a": 3}, ""]], []]]', "[" * 100_000, "null", '{"a": 1}'):
        (tmp_path / FILE).write_text(text)
        assert found(tmp_path, {"k": "1"}) == Steps({"k": "1"})
        keep(tmp_path, Steps({}).to({"k": "1"}))
        assert found(tmp_path, {"k": "1"}).past
    keep(tmp_path / "nowhere", Steps({}))
    assert steps.found(tmp_path / "nowhere", {}) == Steps({})
