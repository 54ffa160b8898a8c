"""What pages keep between reruns: no cache answers for another C."""

import pytest
from group_page_support import NAMES, C_text, families
from page_support import bundled, fine_page, metrics, sample

from pages.parts import cache, session
from pages.parts.view import View
from stabcore.analysis.noise_floors import floors
from stabcore.similarity.scenario import Scenario
from stabcore.similarity.similarity import Similarity


def similarity_of(made, scenario, monkeypatch):
    monkeypatch.setattr(session, "workspace", lambda: made)
    monkeypatch.setattr(cache, "features", lambda: tuple(NAMES))
    monkeypatch.setattr(cache, "matching_data", lambda: None)
    return cache.similarity_of(scenario)


def test_two_matrices_that_differ_in_one_cell_are_two(monkeypatch):
    made = families()
    found = [
        similarity_of(made, Scenario("matrix", matrix=made.keep("c.csv", C_text(value))), monkeypatch).value(0, 1)
        for value in (0.5, 0.6, 0.5)
    ]
    assert found == [0.5, 0.6, 0.5]


def test_a_file_that_changed_under_its_name_is_read_anew(monkeypatch):
    made = families()
    scenario = Scenario("matrix", matrix=made.keep("c.csv", C_text(0.5)))
    assert similarity_of(made, scenario, monkeypatch).value(0, 1) == 0.5
    (made.folder / scenario.matrix).write_bytes(C_text(0.6))
    assert similarity_of(made, scenario, monkeypatch).value(0, 1) == 0.6


def test_two_scenarios_that_differ_in_one_pair_are_two(monkeypatch):
    made = families()
    found = [similarity_of(made, Scenario(edits=(("IL_6", "IL_8", value),)), monkeypatch).value(0, 1) for value in (0.5, 0.500001)]
    assert found == [0.5, 0.500001]


def test_names_that_look_joined_are_not_mixed_up(monkeypatch):
    made = families()
    monkeypatch.setattr(session, "workspace", lambda: made)
    monkeypatch.setattr(cache, "matching_data", lambda: None)
    found = []
    for names in (("a|b", "c"), ("a", "b|c"), ("a", "b", "c")):
        monkeypatch.setattr(cache, "features", lambda names=names: names)
        found.append(cache.similarity_of(Scenario()).names)
    assert found == [("a|b", "c"), ("a", "b|c"), ("a", "b", "c")]


def test_a_cache_never_answers_for_another_similarity_that_differs_in_one_cell():
    made = sample()
    values = []
    for value in (0.0, 1.0, 0.0, 0.5):
        made.save(scenario={"base": "none", "edits": [["proline", "hue", value]]})
        values.append(metrics(fine_page("groups", made, explored="random"))["Effective stability"])
    assert values[0] == values[2] and len(set(values)) == 3


def test_an_answer_is_about_what_was_asked_and_not_about_what_the_session_has_chosen():
    results = cache.study_at(bundled().store)
    unrelated = Similarity.identity(None, results.features)
    related = Similarity.from_groups({"all": results.features}, names=results.features)
    views = [View(results), View(results)]
    for view, similarity in zip(views, (unrelated, related)):
        vars(view)["similarity"] = similarity
    for view, similarity in zip(views, (unrelated, related)):
        expected = floors(results, "effective", similarity, None)["value"]
        assert view.floors("effective")["value"].equals(expected)
    assert not views[0].drawn_floor("effective").equals(views[1].drawn_floor("effective"))
    assert view.floors("effective") is view.floors("effective")


def test_a_question_names_all_that_its_function_is_given():
    results = cache.study_at(bundled().store)
    assert cache.computed(results.table, ["nogueira"], k=3) is cache.computed(results.table, ["nogueira"], k=3)
    assert not cache.computed(results.table, ["nogueira"], k=3).equals(cache.computed(results.table, ["nogueira"], k=4))
    with pytest.raises(TypeError, match="may rest on more"):
        cache.computed(lambda: results.n_runs)
    for given in ({"a": 2}, [True], [1], [1.0], ["1"], [None], ["a", "b"], ["ab"], [["a"], "b"], ['a", "b'], [float("nan")]):
        assert cache.computed(repr, given) == repr(given)
