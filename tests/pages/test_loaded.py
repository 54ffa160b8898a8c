"""What pages keep between reruns: no cache answers for another C."""

from group_page_support import NAMES, C_text, families
from page_support import fine_page, metrics, sample

from pages.parts import cache, session
from pages.parts.cache import loaded
from stabcore.relation.scenario import Scenario


def relation_of(made, scenario, monkeypatch):
    monkeypatch.setattr(session, "workspace", lambda: made)
    monkeypatch.setattr(loaded, "features", lambda: tuple(NAMES))
    monkeypatch.setattr(loaded, "matching_data", lambda: None)
    return cache.relation_of(scenario)


def test_two_matrices_that_differ_in_one_cell_are_two(monkeypatch):
    made = families()
    found = [relation_of(made, Scenario("matrix", matrix=made.keep("c.csv", C_text(value))), monkeypatch).value(0, 1)
             for value in (0.5, 0.6, 0.5)]
    assert found == [0.5, 0.6, 0.5]


def test_a_file_that_changed_under_its_name_is_read_anew(monkeypatch):
    made = families()
    scenario = Scenario("matrix", matrix=made.keep("c.csv", C_text(0.5)))
    assert relation_of(made, scenario, monkeypatch).value(0, 1) == 0.5
    (made.folder / scenario.matrix).write_bytes(C_text(0.6))
    assert relation_of(made, scenario, monkeypatch).value(0, 1) == 0.6


def test_two_scenarios_that_differ_in_one_pair_are_two(monkeypatch):
    made = families()
    found = [relation_of(made, Scenario(edits=(("IL_6", "IL_8", value),)), monkeypatch).value(0, 1) for value in (0.5, 0.500001)]
    assert found == [0.5, 0.500001]


def test_names_that_look_joined_are_not_mixed_up(monkeypatch):
    made = families()
    monkeypatch.setattr(session, "workspace", lambda: made)
    monkeypatch.setattr(loaded, "matching_data", lambda: None)
    found = []
    for names in (("a|b", "c"), ("a", "b|c"), ("a", "b", "c")):
        monkeypatch.setattr(loaded, "features", lambda names=names: names)
        found.append(cache.relation_of(Scenario()).names)
    assert found == [("a|b", "c"), ("a", "b|c"), ("a", "b", "c")]


def test_a_cache_never_answers_for_another_relation_that_differs_in_one_cell():
    made = sample()
    values = []
    for value in (0.0, 1.0, 0.0, 0.5):
        made.save(scenario={"base": "none", "edits": [["proline", "hue", value]]})
        values.append(metrics(fine_page("groups", made, explored="random"))["Effective stability"])
    assert values[0] == values[2] and len(set(values)) == 3
