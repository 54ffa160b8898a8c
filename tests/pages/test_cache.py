"""Files are read once, settings once per rerun. Costly results are computed again only after a change."""

from collections import Counter

import pytest
from page_support import figures, fine, fine_page, new_app, page_text, upload, walk
from project_support import LABORATORY, C_text, bundled, families, patients, sample, table
from streamlit import cache_resource

import stabcore.data
import stabcore.io.table
import stabcore.similarity.files
from pages.parts import cache, session
from pages.parts import figures as page_figures
from pages.parts.view import View
from pages.parts.whatif import thresholds
from pages.workspace import project
from stabcore.analysis.noise_floors import noise_floors
from stabcore.similarity.scenario import Scenario
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import Results


@pytest.fixture
def similarity_of(monkeypatch):
    """The similarity of a scenario in a project with these features."""

    def similarity(project, scenario, names=tuple(LABORATORY)):
        monkeypatch.setattr(session, "project_or_none", lambda: project)
        monkeypatch.setattr(cache, "features", lambda: names)
        monkeypatch.setattr(cache, "matching_dataset", lambda: None)
        return cache.similarity_of(scenario)

    return similarity


def test_scenarios_that_differ_in_a_cell_a_pair_or_names_are_two(similarity_of):
    project = families()
    files = [Scenario("matrix", matrix=project.save_upload("c.csv", C_text(value))) for value in (0.5, 0.6, 0.5)]
    assert [similarity_of(project, scenario).value(0, 1) for scenario in files] == [0.5, 0.6, 0.5]
    (project.folder / files[0].matrix).write_bytes(C_text(0.7))
    assert similarity_of(project, files[0]).value(0, 1) == 0.7, "also in one file"
    edited = [Scenario(edits=(("IL_6", "IL_8", value),)) for value in (0.5, 0.500001)]
    assert [similarity_of(project, scenario).value(0, 1) for scenario in edited] == [0.5, 0.500001]
    every = [("a|b", "c"), ("a", "b|c"), ("a", "b", "c")]
    assert [similarity_of(project, Scenario(), names).names for names in every] == every


def test_an_answer_is_about_its_arguments_not_about_the_session():
    results = cache.open_study(bundled().store)
    every = [Similarity.identity(None, results.features), Similarity.from_groups({"all": results.features}, names=results.features)]
    views = [View(results), View(results)]
    for view, similarity in zip(views, every):
        vars(view)["similarity"] = similarity
    for view, similarity in zip(views, every):
        assert view.noise_floors("effective")["value"].equals(noise_floors(results.as_compared(), "effective", similarity)["value"])
        assert view.noise_floors("effective") is view.noise_floors("effective")
    assert not views[0].floor_frame("effective").equals(views[1].floor_frame("effective"))


def path_of(result):
    return result.path


def test_two_study_files_that_hold_the_same_are_two(small):
    """Else what is asked of one would be read from the file of the other, which may be gone."""
    first, second = (cache.open_study(small().folder / "study.stab") for _ in range(2))
    assert first == second
    assert [cache.computed(path_of, result) for result in (first, second, first)] == [first.path, second.path, first.path]


def test_a_question_names_all_that_its_function_is_given():
    results = cache.open_study(bundled().store)
    assert cache.computed(results.table, ["nogueira"], k=3) is cache.computed(results.table, ["nogueira"], k=3)
    assert not cache.computed(results.table, ["nogueira"], k=3).equals(cache.computed(results.table, ["nogueira"], k=4))
    with pytest.raises(TypeError):
        cache.computed(lambda: results.n_runs)
    for given in ({"a": 2}, [True], [1], [1.0], ["1"], [None], ["a", "b"], ["ab"], [["a"], "b"], ['a", "b'], [float("nan")]):
        assert cache.computed(repr, given) == repr(given)


@pytest.fixture
def counted(monkeypatch):
    """How often each function was called that was asked for: count(owner, name)."""
    calls = Counter()
    cache_resource.clear()

    def count(owner, name):
        inside = getattr(owner, name)

        def outside(*args, **options):
            calls[name] += 1
            return inside(*args, **options)

        monkeypatch.setattr(owner, name, outside)
        return calls

    return count


def test_one_rerun_reads_settings_once_and_computes_nothing(counted, small, monkeypatch):
    question, anew = cache._question, []

    def noted(name, args, options, function):
        return name, args, options, lambda *given, **how: anew.append(name) or function(*given, **how)

    monkeypatch.setattr(cache, "_question", lambda *asked: noted(*question(*asked)))
    app = fine_page("data", small())
    counted(project, "_read_settings")
    calls = counted(cache, "similarity")
    for page in walk(app):
        anew.clear()
        calls.clear()
        fine(app.run())
        assert not anew and calls["_read_settings"] <= 1 and calls["similarity"] <= 1, page


def test_a_threshold_seen_before_computes_nothing(counted):
    calls = counted(thresholds, "result_beyond")
    counted(thresholds, "draw_thresholds")
    counted(cache, "similarity_of_question")
    for person in (sample(), sample()):  # two people with the same study
        app = fine_page("whatif", person)
        for threshold in (0.6, 0.7, 0.6):
            fine(app.slider(key="whatif-threshold").set_value(threshold).run())
    assert calls["result_beyond"] == calls["draw_thresholds"] == 3, "where it opens, 0.6 and 0.7"
    assert calls["similarity_of_question"] <= 3 * 3, "of the answer, its sentence and its warnings"


@pytest.mark.parametrize(("telephone", "columns"), [(False, 4), (True, 2)])
def test_a_telephone_has_room_for_two_panels(telephone, columns, monkeypatch):
    monkeypatch.setattr(page_figures, "is_telephone", lambda: telephone)
    (figure,) = figures(fine_page("whatif", sample()))
    axes = {tuple(axis["domain"]) for name, axis in figure["layout"].items() if name.startswith("xaxis")}
    assert len(axes - {(0, 1)}) == columns, "beside the axis of who leads, which is as wide as the figure"


def test_data_describes_and_checks_only_what_changed(counted):
    project = table(patients().assign(copy=patients()["ALT"]), roles={"target": "outcome", "exclude": []})
    counted(stabcore.data, "describe")
    calls = counted(stabcore.data, "check")
    app = fine_page("data", project)
    first = [warning.value for warning in app.warning]
    fine(app.run())
    assert calls == {"describe": 1, "check": 1} and [warning.value for warning in app.warning] == first
    app.multiselect(key="exclude").select("copy").run()
    assert calls == {"describe": 1, "check": 2} and [warning.value for warning in fine(app).warning] != first
    (project.folder / project.settings["table"]).write_bytes(patients(rows=50).assign(copy=1).to_csv(index=False).encode())
    assert "50 rows" in page_text(fine_page("data", project)) and calls["describe"] == 2, "another file under the same name"


def test_what_is_uploaded_is_read_once(counted):
    calls = counted(stabcore.io.table, "read_table")
    counted(Results, "from_files")
    app = new_app().run()
    upload(app, "table", "mine.csv", patients().to_csv(index=False))
    for page in ("study", "similarity", "data"):
        fine(app.switch_page(f"pages/{page}.py").run())
    fine(upload(new_app().run(), "selections", "mine.csv", "ALT,AST,EGFR\n1,1,0\n1,0,1\n1,1,0\n", "use-selections"))
    assert calls == {"read_table": 1, "from_files": 1}
