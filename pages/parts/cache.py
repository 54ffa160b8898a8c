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


def _registered_description(thing, text):
    """The description of this object. Without one, it gets this text."""
    if id(thing) not in (descriptions := _descriptions()):
        finalize(thing, descriptions.pop, id(thing), None).atexit = False
    return descriptions.setdefault(id(thing), text)


def _with_description(made, *origin):
    """Return an object with its description, the sources that it was made of."""
    _registered_description(made, text := _serialised([type(made).__name__, *origin]))
    _descriptions()[id(made)] = text
    return made


def _json_fallback(thing):
    """The text of a value that JSON cannot hold, or a unique name of an object from elsewhere."""
    if isinstance(thing, (PanelRule, Scenario)):
        return thing.settings()
    plain = plain_number(thing)
    return _registered_description(thing, uuid4().hex) if plain is thing else plain


def _serialised(value) -> str:
    """A value as text, complete."""
    return json.dumps(value, default=_json_fallback)


HASH_FUNCTIONS: Any = dict.fromkeys(
    (dict, tuple, list, Dataset, Selections, Similarity, Results, Scenario, StudyResult), _serialised
)


def computed(function: Callable, *args, **options):
    """The result of function(*args, **options), computed once for these arguments.

    The function belongs to a module or is a method, because a nested function may depend on more than its arguments.
    """
    return _computed(*_question(function, args, options))


def computed_step(function: Callable, *args, **options):
    """As `computed`, for a small answer that a slider requests at every step. Many are kept, for many people."""
    return _computed_step(*_question(function, args, options))


def cached_figure(function: Callable, *args, **options):
    """As `computed`, for a figure, which takes about a megabyte."""
    return _cached_figure(*_question(function, args, options))


def _question(function, args, options):
    """(name, args, options, function)"""
    if isinstance(function, MethodType):
        args = (function.__self__, *args)
        function = function.__func__
    name = f"{function.__module__}.{function.__qualname__}"
    if "<" in name:
        raise TypeError(f"{name} may depend on more than its arguments")
    return name, args, options, function


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=HASH_FUNCTIONS)  # a spinner would start a thread for every answer
def _computed(name, args, options, _function):
    return _function(*args, **options)


@st.cache_resource(max_entries=1024, show_spinner=False, hash_funcs=HASH_FUNCTIONS)
def _computed_step(name, args, options, _function):
    return _function(*args, **options)


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs=HASH_FUNCTIONS)
def _cached_figure(name, args, options, _function):
    return _function(*args, **options)


# ---- the table of a project ----


class FileKey(NamedTuple):
    """The key of a file, new after each write."""

    path: str
    changed: int
    size: int


def _file_key(path: Path) -> FileKey:
    """Raise InputError for a missing file."""
    try:
        state = path.stat()
    except OSError:
        raise InputError(
            "A file of this project is missing from its folder. Upload it again on Start, or open another project there."
        ) from None
    return FileKey(str(path), state.st_mtime_ns, state.st_size)


@st.cache_resource(max_entries=8, show_spinner="Reading the table …", hash_funcs=HASH_FUNCTIONS)
def _unmended_table(file, layout, _reading=None):
    from stabcore.io.table import read_table

    return read_table(Path(file.path), choices=Choices.of(layout)) if _reading is None else _reading


@st.cache_resource(max_entries=8, show_spinner="Reading the table …", hash_funcs=HASH_FUNCTIONS)
def _mended_table(file, choices):
    from stabcore.io.mends import apply_mends

    decisions = Choices.of(choices)
    return apply_mends(_unmended_table(file, decisions.layout.settings()), decisions.mends)


@st.cache_resource(max_entries=8, show_spinner="Looking at every column …", hash_funcs=HASH_FUNCTIONS)
def _column_descriptions(file, choices):
    from stabcore.data import describe

    return describe(_mended_table(file, choices).frame)


@st.cache_resource(max_entries=8, show_spinner="Looking at every cell …", hash_funcs=HASH_FUNCTIONS)
def _cell_questions(file, choices, without, outcome):
    from stabcore.io.check import cell_questions

    decisions = Choices.of(choices)
    return cell_questions(_unmended_table(file, decisions.layout.settings()), decisions.mends, without, outcome)


@st.cache_resource(max_entries=8, show_spinner="Looking at every cell …", hash_funcs=HASH_FUNCTIONS)
def _suggested_mends(file, choices, without, outcome, classes):
    from stabcore.io.check import suggested_mends

    decisions = Choices.of(choices)
    mends, left = suggested_mends(_unmended_table(file, decisions.layout.settings()), decisions.mends, without, outcome, classes)
    return decisions.mended(*mends).settings(), left


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=HASH_FUNCTIONS)
def _cohorts(file, layout):
    from stabcore.io.mends import cohort_columns, cohorts

    table = _unmended_table(file, layout)
    return {name: cohorts(table, name) for name in cohort_columns(table)}


@st.cache_resource(max_entries=8, show_spinner="Looking at every column …", hash_funcs=HASH_FUNCTIONS)
def _suggested_roles(file, choices, about):
    from stabcore.data.presets import guess_roles

    return guess_roles(_mended_table(file, choices).frame, about)


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=HASH_FUNCTIONS)
def _transposition_evidence(file, choices):
    from stabcore.io.orientation import recognise_transposed

    return recognise_transposed(_mended_table(file, choices).frame)


@st.cache_resource(max_entries=8, show_spinner="Checking the table …", hash_funcs=HASH_FUNCTIONS)
def _findings(file, choices, roles, kept_columns):
    from stabcore.data import check
    from stabcore.io.mends import differing_columns

    table = _mended_table(file, choices)
    return check(table.frame, **roles, confirmed=tuple(kept_columns), apart=differing_columns(table.choices.mends))


@st.cache_resource(max_entries=8, show_spinner="Checking the table …", hash_funcs=HASH_FUNCTIONS)
def _dataset(file, choices, roles, name):
    data = Dataset.from_reading(_mended_table(file, choices), **{**roles, "name": name})
    return _with_description(data, file, choices, roles, name)


def table_names(project) -> tuple[Sequence[str], Sequence[str]]:
    """(features, columns) of the table of a project. No features before the outcome is chosen. ((), ()) without a table."""
    if project.table_file is None:
        return (), ()
    columns = [str(name) for name in _mended_table(*_table_source(project)).frame.columns]
    try:
        data = _dataset_of_project(project)
    except InputError:  # Data shows the error of roles that do not work
        data = None
    return (data.features if data is not None else ()), columns


def _table_source(project) -> tuple[FileKey, dict]:
    """(file, choices) of the table of a project."""
    return _file_key(project.table_file), project.settings.get("choices", {})


def table_reading():
    """The table as read and mended, or None."""
    project = session.project_or_none()
    return _mended_table(*_table_source(project)) if project and project.table_file else None


def repeated_names() -> dict | None:
    """{column: name in the file} of repeated names, as known to this project. None without a table."""
    table = table_reading()
    return None if table is None else session.project().settings.get("again") or table.numbered


def unmended_table():
    """The table as read from its chosen place, before any change of cells."""
    return _unmended_table(_table_source(session.project_or_none())[0], choices().layout.settings())


def cohorts() -> dict:
    """{column: {cohort: rows}} of the columns that may name the cohort, over the whole table."""
    return _cohorts(_table_source(session.project_or_none())[0], choices().layout.settings())


def choices() -> Choices:
    """The chosen place of the table and the chosen changes of cells."""
    return Choices.of(session.project().settings.get("choices", {}))


def cell_questions(without, outcome=None):
    """The open questions about the cells outside of these columns. outcome: the column of classes, if known."""
    return _cell_questions(*_table_source(session.project_or_none()), without, outcome)


def suggested_dataset(roles, outcome, classes):
    """(choices, Dataset, warnings) after the likeliest answers to all questions, None where something is left to decide.

    roles: of the columns. outcome: its column, classes: whether it has classes. Warnings are those that ask for no decision, as the
    permutation control answers the one about one row of each patient.
    """
    project = session.project()
    file, choices = _table_source(project)
    choices, left = _suggested_mends(file, choices, roles["exclude"], outcome, classes)
    found = _findings(file, choices, roles, project.settings.get("kept_columns", []))
    from stabcore.data.checks import NO_REMEDY, ONE_ROW

    serious = [finding for finding in found if finding.severity != "note"]
    if left or any(finding.severity == "error" or finding.remedy not in (NO_REMEDY, ONE_ROW) for finding in serious):
        return None
    warnings = [finding.sentence for finding in serious]
    return choices, _dataset(file, choices, roles, project.settings.get("name", "")), warnings


def store_table(project, reading):
    """Keep the reading of the table of a project, whose file now exists."""
    _unmended_table(_file_key(project.table_file), {}, reading)


def column_descriptions():
    """The description of each column, before an outcome is chosen."""
    return _column_descriptions(*_table_source(session.project_or_none()))


def suggested_roles(about):
    """The suggested roles of the columns. about: columns that describe samples."""
    return _suggested_roles(*_table_source(session.project_or_none()), about)


def transposition_evidence():
    """The evidence that samples are in columns, or None. Also None after an answer, and for a bundled study."""
    project = session.project()
    answered = project.sample or project.settings.get("upright") or project.settings.get("earlier")
    return None if answered else _transposition_evidence(*_table_source(project))


def findings(roles):
    """The findings of the check of the table with these roles."""
    project = session.project()
    return _findings(*_table_source(project), roles, project.settings.get("kept_columns", []))


def dataset() -> Dataset | None:
    """The Dataset once the outcome is chosen, or None. Raises InputError for roles that do not work."""
    project = session.project_or_none()
    return project.computed_once("data", lambda: _dataset_of_project(project)) if project else None


def _dataset_of_project(project):
    roles = project.settings.get("roles")
    if not roles or not project.table_file:
        return None
    return _dataset(*_table_source(project), roles, project.settings.get("name", ""))


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=HASH_FUNCTIONS)
def compared_results(results):
    """The results in which stabilities compare two disjoint halves, where the plan has them. Else the same results."""
    return results if (compared := results.as_compared()) is results else _with_description(compared, "as compared", results)


def dataset_of_study(study) -> Dataset | None:
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
    return _dataset(_file_key(path), choices, roles, "")


# ---- the results of a project, and its table if they match ----


def study_version(store) -> str:
    """The content of a study file as text, new after each task."""
    from stabcore.study.store import file_version

    return _serialised([_file_key(store), file_version(store)])


@st.cache_resource(max_entries=8, show_spinner="Opening the study …")
def _opened_study(path, version):
    from stabcore.study.study_result import open_study

    return _with_description(open_study(Path(path), named=True), version)


@st.cache_resource(max_entries=8, show_spinner="Reading the selections …")
def _uploaded_runs(question, _project, _runs=None):
    runs = Results.from_files(selection_sources(_project), *table_names(_project)) if _runs is None else _runs
    return _with_description(runs, question)


def _describe_sources(project) -> str:
    """All sources of uploaded selections: their files, their description, and the table beside them."""
    settings = project.settings
    beside = [settings["table"], settings.get("roles"), settings.get("choices")] if settings.get("table") else []
    return _serialised([project.id, settings["selections"], *beside])


def selection_sources(project) -> list:
    """[(file, options)] of the selections of a project, as for Results.from_files."""
    from stabcore.io.selection_lists import read_universe

    asked = project.settings["selections"]
    names = {source["features_file"] for source in asked if source.get("features_file")}
    lists = {name: read_universe(project.folder / name) for name in names}
    return [(project.folder / source["file"], {**source, "features": lists.get(source.get("features_file"))}) for source in asked]


def store_selections(project, runs):
    """Keep the reading of the selections of a project."""
    _uploaded_runs(_describe_sources(project), project, runs)


def matching_dataset() -> Dataset | None:
    """The Dataset if it has the features of the results in their order, else None.

    For uploaded selections: the Dataset with their features, with missing values for features that it lacks.
    """
    data, names = dataset(), features()
    if data is None or data.features == names:
        return data
    return _aligned(data, names) if "selections" in session.project().settings else None


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=HASH_FUNCTIONS)
def _aligned(data, features):
    from stabcore.data.dataset import align_features

    return _with_description(align_features(data, features), data, features)


def has_changed() -> bool:
    """Whether the table, its outcome or its features differ from those of the study."""
    from stabcore.study.search import is_of_search_half

    data, result = dataset(), results()
    if data is None or not isinstance(result, StudyResult) or result.settings["data"]["fingerprint"] == data.fingerprint:
        return False
    return not session.project().computed_once(
        "half", lambda: is_of_search_half(data, result.settings)
    )  # a search uses one half of the rows


def open_study(path) -> StudyResult:
    """Another study file, opened once for all sessions. Raises InputError for other files."""
    return _opened_study(str(path), study_version(path))


def last_study(project) -> StudyResult | None:
    """The study that was started last in a project, once its file exists, else None."""
    path = project.folder / "study.stab"
    return open_study(path) if path in project.studies else None


def results() -> Any:
    """Finished or unfinished runs (StudyResult or Results), or None."""
    project = session.project_or_none()
    return project.computed_once("results", lambda: _results_of(project)) if project else None


def _results_of(project):
    if "selections" in project.settings:
        return _uploaded_runs(_describe_sources(project), project)
    return open_study(project.store) if project.store is not None else None


def features() -> tuple[str, ...] | None:
    """The features of the similarity: those of the results, else of the data."""
    source = results() or dataset()
    return source.features if source is not None else None


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=HASH_FUNCTIONS)
def selections(results, label, k=None) -> Selections:
    """The Selections of a selector without scores and weights, so that many can be kept."""
    runs = replace(
        results.selections(label, k), raw_importances=None, scores=None, ranks=None, paths=None, raw_importances_for=None
    )
    return _with_description(runs, results, label, k)


def selection_counts():
    """(d,) number of selections of each feature by all selectors together. None without results."""
    runs = results()
    return computed(_counts, runs) if runs is not None and runs.finished_selectors else None


def _counts(results):
    return sum(results.selections(label).counts for label in results.finished_selectors)


# ---- C of scenarios: correlations, uploaded matrices and sets, trees of groups ----


@st.cache_resource(max_entries=2, show_spinner="Correlating the features …", hash_funcs=HASH_FUNCTIONS)  # each may hold 400 MB
def _correlations(data, method, threshold):
    return Similarity.from_correlation(data, method=method, threshold=threshold, binary=False)


def _thresholded_correlations(data, method, threshold):
    """Correlations from a low threshold on. A higher threshold then only drops pairs."""
    from stabcore.similarity.excerpt import lowest_threshold

    try:
        return _correlations(data, method, min(computed(lowest_threshold, data, method), threshold))
    except InputError:  # the lowest threshold was estimated from a sample, and may be slightly too low
        return _correlations(data, method, threshold)


@st.cache_resource(max_entries=8, show_spinner="Correlating the features of another study …", hash_funcs=HASH_FUNCTIONS)
def correlation_similarity(data, method, threshold, binary) -> Similarity:
    """C of the table of another study by the rule of a scenario."""
    similarity = Similarity.from_correlation(data, method=method, threshold=threshold, binary=binary)
    return _with_description(similarity, data, method, threshold, binary)


@st.cache_resource(max_entries=4, show_spinner="Reading the matrix …", hash_funcs=HASH_FUNCTIONS)
def _matrix(file, features, _reading=None):
    from stabcore.similarity.files import read_similarity

    return read_similarity(Path(file.path), features=list(features)) if _reading is None else _reading


@st.cache_resource(max_entries=4, show_spinner="Reading the sets …", hash_funcs=HASH_FUNCTIONS)
def _sets_of_features(file, features):
    from stabcore.similarity.overlap import read_sets

    names = set(features)
    sets = {name: [member for member in members if member in names] for name, members in read_sets(Path(file.path)).items()}
    return {name: members for name, members in sets.items() if members}


@st.cache_resource(max_entries=3, show_spinner=False, hash_funcs=HASH_FUNCTIONS)  # each may hold 400 MB
def _similarity(scenario, features, data, matrix, sets):
    basis = None
    if scenario.base == "correlation" and data is not None:
        basis = _thresholded_correlations(data, scenario.method, scenario.threshold)
    elif scenario.base == "matrix" and matrix is not None:
        basis = _matrix(matrix, features).similarity
    elif scenario.base == "sets" and sets is not None:
        basis = _sets_of_features(sets, features)
    return _with_description(scenario.build_similarity(features, basis), scenario, features, data, matrix, sets)


@st.cache_resource(max_entries=8, show_spinner="Comparing every two features …", hash_funcs=HASH_FUNCTIONS)
def _tree(data, method, linkage, features):
    from stabcore.similarity.grouping import feature_tree

    return feature_tree(data, method=method, linkage=linkage, features=features)


@st.cache_resource(max_entries=2, show_spinner="Correlating every two features …", hash_funcs=HASH_FUNCTIONS)
def correlation_bins(data, method, binary):
    """All pairs of features of a Dataset by |ρ|, for curves over thresholds."""
    from stabcore.analysis.whatif.thresholds import CorrelationBins

    return _with_description(CorrelationBins.of(data, method, binary=binary), data, method, binary)


def feature_tree(method, linkage, names):
    """The suggested groups of these features as a tree, by name."""
    return _tree(matching_dataset(), method, linkage, names)


def similarity() -> Similarity:
    """The Similarity of the chosen scenario for the features of the results."""
    return similarity_of(scenarios.chosen())


def similarity_of(scenario: Scenario) -> Similarity:
    """The Similarity of a scenario for the features of the results."""
    return similarity_of_question(similarity_question(scenario))


def similarity_question(scenario: Scenario) -> tuple:
    """All sources of the Similarity of a scenario, so that answers that depend on C can be found before C is computed."""
    return scenario, features(), matching_dataset(), _file_of_project(scenario.matrix), _file_of_project(scenario.sets)


def similarity_of_question(question: tuple) -> Similarity:
    """The Similarity of a `similarity_question`."""
    return _similarity(*question)


def store_matrix(scenario: Scenario, reading):
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
    return file and partial(_sets_of_features, file, features())


def _file_of_project(name) -> FileKey | None:
    path = session.project().folder / name if name else None
    return _file_key(path) if path and path.exists() else None
