"""Everything that is read or computed once and shared by reruns and sessions: tables, results, similarities, and their derivatives.

The key of an answer is its question: the function and all of its arguments. Plain values are written in full. A table, results or
a similarity from this module is described by its sources, and any other object by its identity. Callers choose no keys, so they
cannot mix up answers.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MethodType
from typing import Any, NamedTuple
from uuid import uuid4
from weakref import finalize

import streamlit as st

from pages.parts import scenarios, session
from stabcore.base.errors import InputError
from stabcore.base.validation import plain_number
from stabcore.data.dataset import Dataset
from stabcore.inference.panel_rule import PanelRule
from stabcore.io.choices import Choices
from stabcore.selections.selections import Selections
from stabcore.similarity.scenario import Scenario
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import Results
from stabcore.study.study_result import StudyResult

# ---- questions and answers ----


@st.cache_resource(show_spinner=False)
def _descriptions() -> dict[int, str]:
    """{id of a living object: its sources, as text}. Equal objects can have different files."""
    return {}


def _known_by(thing, text):
    """The description of this object. Without one, it gets this text."""
    if id(thing) not in (descriptions := _descriptions()):
        finalize(thing, descriptions.pop, id(thing), None).atexit = False
    return descriptions.setdefault(id(thing), text)


def _described(made, *origin):
    """Return an object with its description, the sources that it was made of."""
    _known_by(made, text := _text([type(made).__name__, *origin]))
    _descriptions()[id(made)] = text
    return made


def _description(thing):
    """The text of a value that JSON cannot hold, or a unique name of an object from elsewhere."""
    if isinstance(thing, (PanelRule, Scenario)):
        return thing.settings()
    plain = plain_number(thing)
    return _known_by(thing, uuid4().hex) if plain is thing else plain


def _text(value) -> str:
    """A value as text, complete."""
    return json.dumps(value, default=_description)


KEYS: Any = dict.fromkeys((dict, tuple, list, Dataset, Selections, Similarity, Results, Scenario, StudyResult), _text)


def computed(function: Callable, *args, **options):
    """The result of function(*args, **options), computed once for these arguments.

    The function belongs to a module or is a method, because a nested function may depend on more than its arguments.
    """
    return _computed(*_question(function, args, options))


def computed_step(function: Callable, *args, **options):
    """As `computed`, for a small answer that a slider requests at every step. Many are kept, for many people."""
    return _computed_step(*_question(function, args, options))


def figure(function: Callable, *args, **options):
    """As `computed`, for a figure, which takes about a megabyte."""
    return _figure(*_question(function, args, options))


def _question(function, args, options):
    """(name, args, options, function)"""
    if isinstance(function, MethodType):
        args = (function.__self__, *args)
        function = function.__func__
    name = f"{function.__module__}.{function.__qualname__}"
    if "<" in name:
        raise TypeError(f"{name} may depend on more than its arguments")
    return name, args, options, function


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=KEYS)  # a spinner would start a thread for every answer
def _computed(name, args, options, _function):
    return _function(*args, **options)


@st.cache_resource(max_entries=1024, show_spinner=False, hash_funcs=KEYS)
def _computed_step(name, args, options, _function):
    return _function(*args, **options)


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs=KEYS)
def _figure(name, args, options, _function):
    return _function(*args, **options)


# ---- the table of a project ----


class File(NamedTuple):
    """The key of a file, new after each write."""

    path: str
    changed: int
    size: int


def _file(path: Path) -> File:
    """Raise InputError for a missing file."""
    try:
        state = path.stat()
    except OSError:
        raise InputError(
            "A file of this project is missing from its folder. Upload it again on Start, or open another project there."
        ) from None
    return File(str(path), state.st_mtime_ns, state.st_size)


@st.cache_resource(max_entries=8, show_spinner="Reading the table …", hash_funcs=KEYS)
def _unmended(file, layout, _reading=None):
    from stabcore.io.table import read_table

    return read_table(Path(file.path), choices=Choices.of(layout)) if _reading is None else _reading


@st.cache_resource(max_entries=8, show_spinner="Reading the table …", hash_funcs=KEYS)
def _reading(file, choices):
    from stabcore.io.mends import apply_mends

    decisions = Choices.of(choices)
    return apply_mends(_unmended(file, decisions.layout.settings()), decisions.mends)


@st.cache_resource(max_entries=8, show_spinner="Looking at every column …", hash_funcs=KEYS)
def _described_columns(file, choices):
    from stabcore.data import describe

    return describe(_reading(file, choices).frame)


@st.cache_resource(max_entries=8, show_spinner="Looking at every cell …", hash_funcs=KEYS)
def _questions(file, choices, without, outcome):
    from stabcore.io.check import cell_questions

    decisions = Choices.of(choices)
    return cell_questions(_unmended(file, decisions.layout.settings()), decisions.mends, without, outcome)


@st.cache_resource(max_entries=8, show_spinner="Looking at every cell …", hash_funcs=KEYS)
def _suggested(file, choices, without, outcome, classes):
    from stabcore.io.check import suggested_mends

    decisions = Choices.of(choices)
    mends, left = suggested_mends(_unmended(file, decisions.layout.settings()), decisions.mends, without, outcome, classes)
    return decisions.mended(*mends).settings(), left


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=KEYS)
def _cohorts(file, layout):
    from stabcore.io.mends import cohorts, may_tell_cohorts

    table = _unmended(file, layout)
    return {name: cohorts(table, name) for name in may_tell_cohorts(table)}


@st.cache_resource(max_entries=8, show_spinner="Looking at every column …", hash_funcs=KEYS)
def _presets(file, choices, about):
    from stabcore.data.presets import presets

    return presets(_reading(file, choices).frame, about)


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=KEYS)
def _sideways(file, choices):
    from stabcore.io.orientation import recognise

    return recognise(_reading(file, choices).frame)


@st.cache_resource(max_entries=8, show_spinner="Checking the table …", hash_funcs=KEYS)
def _findings(file, choices, roles, kept_columns):
    from stabcore.data import check
    from stabcore.io.mends import differing_columns

    table = _reading(file, choices)
    return check(table.frame, **roles, confirmed=tuple(kept_columns), apart=differing_columns(table.choices.mends))


@st.cache_resource(max_entries=8, show_spinner="Checking the table …", hash_funcs=KEYS)
def _dataset(file, choices, roles, name):
    data = Dataset.from_reading(_reading(file, choices), **{**roles, "name": name})
    return _described(data, file, choices, roles, name)


def table_of(project) -> tuple[Sequence[str], Sequence[str]]:
    """(features, columns) of the table of a project. No features before the outcome is chosen. ((), ()) without a table."""
    if project.table_file is None:
        return (), ()
    columns = [str(name) for name in _reading(*_table(project)).frame.columns]
    try:
        data = _data_of(project)
    except InputError:  # Data shows the error of roles that do not work
        data = None
    return (data.features if data is not None else ()), columns


def _table(project) -> tuple[File, dict]:
    """(file, choices) of the table of a project."""
    return _file(project.table_file), project.settings.get("choices", {})


def reading():
    """The table as read and mended, or None."""
    project = session.project_or_none()
    return _reading(*_table(project)) if project and project.table_file else None


def numbered() -> dict | None:
    """{column: name in the file} of repeated names, as known to this project. None without a table."""
    table = reading()
    return None if table is None else session.project().settings.get("again") or table.numbered


def unmended():
    """The table as read from its chosen place, before any change of cells."""
    return _unmended(_table(session.project_or_none())[0], choices().layout.settings())


def cohorts() -> dict:
    """{column: {cohort: rows}} of the columns that may name the cohort, over the whole table."""
    return _cohorts(_table(session.project_or_none())[0], choices().layout.settings())


def choices() -> Choices:
    """The chosen place of the table and the chosen changes of cells."""
    return Choices.of(session.project().settings.get("choices", {}))


def questions(without, outcome=None):
    """The open questions about the cells outside of these columns. outcome: the column of classes, if known."""
    return _questions(*_table(session.project_or_none()), without, outcome)


def suggested(roles, outcome, classes):
    """(choices, Dataset, warnings) after the likeliest answers to all questions, None where something is left to decide.

    roles: of the columns. outcome: its column, classes: whether it has classes. Warnings are those that ask for no decision, as the
    permutation control answers the one about one row of each patient.
    """
    project = session.project()
    file, choices = _table(project)
    choices, left = _suggested(file, choices, roles["exclude"], outcome, classes)
    found = _findings(file, choices, roles, project.settings.get("kept_columns", []))
    from stabcore.data.checks import NO_REMEDY, ONE_ROW

    serious = [finding for finding in found if finding.severity != "note"]
    if left or any(finding.severity == "error" or finding.remedy not in (NO_REMEDY, ONE_ROW) for finding in serious):
        return None
    warnings = [finding.sentence for finding in serious]
    return choices, _dataset(file, choices, roles, project.settings.get("name", "")), warnings


def know_table(project, reading):
    """Keep the reading of the table of a project, whose file now exists."""
    _unmended(_file(project.table_file), {}, reading)


def described():
    """The description of each column, before an outcome is chosen."""
    return _described_columns(*_table(session.project_or_none()))


def presets(about):
    """The suggested roles of the columns. about: columns that describe samples."""
    return _presets(*_table(session.project_or_none()), about)


def sideways():
    """The evidence that samples are in columns, or None. Also None after an answer, and for a bundled study."""
    project = session.project()
    answered = project.sample or project.settings.get("upright") or project.settings.get("earlier")
    return None if answered else _sideways(*_table(project))


def findings(roles):
    """The findings of the check of the table with these roles."""
    project = session.project()
    return _findings(*_table(project), roles, project.settings.get("kept_columns", []))


def dataset() -> Dataset | None:
    """The Dataset once the outcome is chosen, or None. Raises InputError for roles that do not work."""
    project = session.project_or_none()
    return project.once("data", lambda: _data_of(project)) if project else None


def _data_of(project):
    roles = project.settings.get("roles")
    if not roles or not project.table_file:
        return None
    return _dataset(*_table(project), roles, project.settings.get("name", ""))


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=KEYS)
def as_compared(results):
    """The results in which stabilities compare two disjoint halves, where the plan has them. Else the same results."""
    return results if (compared := results.as_compared()) is results else _described(compared, "as compared", results)


def dataset_of(study) -> Dataset | None:
    """The table of this project as the study used it, for example one cohort. None if it is missing or another table."""
    data = dataset()
    if data is None or study.plan is None:
        return None
    project = session.project()
    fingerprint, of_study = study.settings["data"]["fingerprint"], study.store.meta("choices", {})
    if data.fingerprint != fingerprint and of_study != data.choices:
        try:
            data = other_dataset(project.table_file, project.settings["roles"], of_study)
        except InputError:  # the table was replaced by one without the earlier choices
            return None
    return data if data.fingerprint == fingerprint else None


def other_dataset(path, roles, choices) -> Dataset:
    """The Dataset of another table with the roles of this project and given choices."""
    return _dataset(_file(path), choices, roles, "")


# ---- the results of a project, and its table if they match ----


def version_of(store) -> str:
    """The content of a study file as text, new after each task."""
    from stabcore.study.store import version

    return _text([_file(store), version(store)])


@st.cache_resource(max_entries=8, show_spinner="Opening the study …")
def _study(path, version):
    from stabcore.study.study_result import open_study

    return _described(open_study(Path(path), named=True), version)


@st.cache_resource(max_entries=8, show_spinner="Reading the selections …")
def _uploaded_runs(question, _project, _runs=None):
    runs = Results.from_files(sources(_project), *table_of(_project)) if _runs is None else _runs
    return _described(runs, question)


def _question_of_selections(project) -> str:
    """All sources of uploaded selections: their files, their description, and the table beside them."""
    settings = project.settings
    beside = [settings["table"], settings.get("roles"), settings.get("choices")] if settings.get("table") else []
    return _text([project.id, settings["selections"], *beside])


def sources(project) -> list:
    """[(file, options)] of the selections of a project, as for Results.from_files."""
    from stabcore.io.selection_lists import read_universe

    asked = project.settings["selections"]
    names = {source["features_file"] for source in asked if source.get("features_file")}
    lists = {name: read_universe(project.folder / name) for name in names}
    return [(project.folder / source["file"], {**source, "features": lists.get(source.get("features_file"))}) for source in asked]


def know_selections(project, runs):
    """Keep the reading of the selections of a project."""
    _uploaded_runs(_question_of_selections(project), project, runs)


def matching_data() -> Dataset | None:
    """The Dataset if it has the features of the results in their order, else None.

    For uploaded selections: the Dataset with their features, with missing values for features that it lacks.
    """
    data, names = dataset(), features()
    if data is None or data.features == names:
        return data
    return _aligned(data, names) if "selections" in session.project().settings else None


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=KEYS)
def _aligned(data, features):
    from stabcore.data.dataset import aligned

    return _described(aligned(data, features), data, features)


def changed_since() -> bool:
    """Whether the table, its outcome or its features differ from those of the study."""
    from stabcore.study.search import of_a_half

    data, result = dataset(), results()
    if data is None or not isinstance(result, StudyResult) or result.settings["data"]["fingerprint"] == data.fingerprint:
        return False
    return not session.project().once("half", lambda: of_a_half(data, result.settings))  # a search uses one half of the rows


def study_at(path) -> StudyResult:
    """Another study file, opened once for all sessions. Raises InputError for other files."""
    return _study(str(path), version_of(path))


def own_study(project) -> StudyResult | None:
    """The study that was started last in a project, once its file exists, else None."""
    path = project.folder / "study.stab"
    return study_at(path) if path in project.studies else None


def results() -> Any:
    """Finished or unfinished runs (StudyResult or Results), or None."""
    project = session.project_or_none()
    return project.once("results", lambda: _results_of(project)) if project else None


def _results_of(project):
    if "selections" in project.settings:
        return _uploaded_runs(_question_of_selections(project), project)
    return study_at(project.store) if project.store is not None else None


def features() -> tuple[str, ...] | None:
    """The features of the similarity: those of the results, else of the data."""
    source = results() or dataset()
    return source.features if source is not None else None


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=KEYS)
def selections(results, label, k=None) -> Selections:
    """The Selections of a selector without scores and weights, so that many can be kept."""
    runs = replace(
        results.selections(label, k), raw_importances=None, scores=None, ranks=None, paths=None, raw_importances_for=None
    )
    return _described(runs, results, label, k)


def counts():
    """(d,) number of selections of each feature by all selectors together. None without results."""
    runs = results()
    return computed(_counts, runs) if runs is not None and runs.finished_selectors else None


def _counts(results):
    return sum(results.selections(label).counts for label in results.finished_selectors)


# ---- C of scenarios: correlations, uploaded matrices and sets, trees of groups ----


@st.cache_resource(max_entries=2, show_spinner="Correlating the features …", hash_funcs=KEYS)  # each may hold 400 MB
def _correlations(data, method, threshold):
    return Similarity.from_correlation(data, method=method, threshold=threshold, binary=False)


def _cut(data, method, threshold):
    """Correlations from a low threshold on. A higher threshold then only drops pairs."""
    from stabcore.similarity.excerpt import lowest_threshold

    try:
        return _correlations(data, method, min(computed(lowest_threshold, data, method), threshold))
    except InputError:  # the lowest threshold was estimated from a sample, and may be slightly too low
        return _correlations(data, method, threshold)


@st.cache_resource(max_entries=8, show_spinner="Correlating the features of another study …", hash_funcs=KEYS)
def correlated(data, method, threshold, binary) -> Similarity:
    """C of the table of another study by the rule of a scenario."""
    similarity = Similarity.from_correlation(data, method=method, threshold=threshold, binary=binary)
    return _described(similarity, data, method, threshold, binary)


@st.cache_resource(max_entries=4, show_spinner="Reading the matrix …", hash_funcs=KEYS)
def _matrix(file, features, _reading=None):
    from stabcore.similarity.files import read_similarity

    return read_similarity(Path(file.path), features=list(features)) if _reading is None else _reading


@st.cache_resource(max_entries=4, show_spinner="Reading the sets …", hash_funcs=KEYS)
def _sets_among(file, features):
    from stabcore.similarity.overlap import kept_sets

    names = set(features)
    sets = {name: [member for member in members if member in names] for name, members in kept_sets(Path(file.path)).items()}
    return {name: members for name, members in sets.items() if members}


@st.cache_resource(max_entries=3, show_spinner=False, hash_funcs=KEYS)  # each may hold 400 MB
def _similarity(scenario, features, data, matrix, sets):
    basis = None
    if scenario.base == "correlation" and data is not None:
        basis = _cut(data, scenario.method, scenario.threshold)
    elif scenario.base == "matrix" and matrix is not None:
        basis = _matrix(matrix, features).similarity
    elif scenario.base == "sets" and sets is not None:
        basis = _sets_among(sets, features)
    return _described(scenario.build(features, basis), scenario, features, data, matrix, sets)


@st.cache_resource(max_entries=8, show_spinner="Comparing every two features …", hash_funcs=KEYS)
def _tree(data, method, linkage, features):
    from stabcore.similarity.grouping import suggest

    return suggest(data, method=method, linkage=linkage, features=features)


@st.cache_resource(max_entries=2, show_spinner="Correlating every two features …", hash_funcs=KEYS)
def bins(data, method, binary):
    """All pairs of features of a Dataset by |ρ|, for curves over thresholds."""
    from stabcore.analysis.whatif.thresholds import CorrelationBins

    return _described(CorrelationBins.of(data, method, binary=binary), data, method, binary)


def tree(method, linkage, names):
    """The suggested groups of these features as a tree, by name."""
    return _tree(matching_data(), method, linkage, names)


def similarity() -> Similarity:
    """The Similarity of the chosen scenario for the features of the results."""
    return similarity_of(scenarios.chosen())


def similarity_of(scenario: Scenario) -> Similarity:
    """The Similarity of a scenario for the features of the results."""
    return made_similarity(similarity_question(scenario))


def similarity_question(scenario: Scenario) -> tuple:
    """All sources of the Similarity of a scenario, so that answers that depend on C can be found before C is computed."""
    return scenario, features(), matching_data(), _file_of_project(scenario.matrix), _file_of_project(scenario.sets)


def made_similarity(question: tuple) -> Similarity:
    """The Similarity of a `similarity_question`."""
    return _similarity(*question)


def know_matrix(scenario: Scenario, reading):
    """Keep the reading of the matrix of a scenario."""
    _matrix(_file_of_project(scenario.matrix), features(), reading)


def matrix_reading(scenario: Scenario):
    """The reading of the uploaded matrix, or None without one. Raises InputError as read_similarity does."""
    read = matrix_reader(scenario)
    return read and read()


def matrix_reader(scenario: Scenario):
    """A function that reads that matrix, also without a session, as for a download. None without a matrix."""
    file = _file_of_project(scenario.matrix)
    return file and partial(_matrix, file, features())


def sets_reader(scenario: Scenario):
    """A function that reads the sets of a scenario, {name: members}, also without a session. None without sets."""
    file = _file_of_project(scenario.sets)
    return file and partial(_sets_among, file, features())


def _file_of_project(name) -> File | None:
    path = session.project().folder / name if name else None
    return _file(path) if path and path.exists() else None
