"""What a session holds, every key by name, and how it is found again after a reload: by the id in the URL."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module

import streamlit as st

from stabcore.errors import InputError
from stabcore.scenario import Scenario
from stabcore.workspace import Workspace

ID = "id"                               # in the URL and in the session: which workspace

INSIDE = "inside"                       # is this page run by app.py, as it should?
CARDINALITY = "cardinality"             # the what-if on how many features are selected; None: as the study did
EXPLORED = "explored"                   # the selector whose runs are looked at
MEASURES = "measures"                   # keys of the measures in the table
UNDO = "earlier_scenarios"              # what was chosen about C earlier, the latest last
PICKED = "picked"                       # names of the features that are highlighted everywhere
PICKED_IN_URL = "f"                     # their numbers, in the URL
PROFILE, PARETO = "profile", "pareto"   # which section of Profiles, of Pareto is open
CHANGES = "scenario_changes"            # how often the scenarios were changed or undone
GRID = "grid"                           # features in the grid of C
WHAT_IF = "what_if"                     # the question that is open on What if
PAIR = "pair"                           # names of the two features whose entry of C is looked at
GROUPS_OFF = "groups_off"               # names of the groups that are switched off on What if only
NOTHING, CORRELATED, GROUPED = "nothing", "correlated", "groups"        # names of the scenarios that there are to begin with
# The settings of the next study; `option_…` beside them are those of single selectors.
FORM = ("preset", "selectors", "k", "classifier", "plan", "runs", "leave_out", "folds", "repeats", "inner", "pairs", "seed",
        "stratified")


def remember():
    """Take the workspace from the URL after a reload, and keep it in the URL when pages change; keep what forms hold."""
    for key in list(st.session_state):
        if key in FORM or str(key).startswith("option_"):
            st.session_state[key] = st.session_state[key]       # else Streamlit drops it on a page that does not draw it
    if ID not in st.session_state:
        found = Workspace.find(st.query_params.get(ID))
        if found is not None:
            st.session_state[ID] = found.id
    if ID in st.session_state and st.query_params.get(ID) != st.session_state[ID]:
        st.query_params[ID] = st.session_state[ID]
        if st.session_state.get(PICKED):
            pick(st.session_state[PICKED])


def warm_up():
    """Load what the next pages need while the person still reads this one; everything to be seen was sent before."""
    for name in ("pandas", "scipy.sparse", "plotly.graph_objects", "stabcore.results", "stabcore.dataset"):
        import_module(name)


def workspace() -> Workspace | None:
    """The workspace of this session, if something was loaded."""
    return Workspace.find(st.session_state.get(ID))


def begin(**settings) -> Workspace:
    """A new workspace for this session; earlier ones stay on disk, under their own URL."""
    made = Workspace.create()
    made.save(**settings)
    st.session_state.clear()            # choices made for other data may not exist for these
    st.session_state[INSIDE] = True
    st.session_state[ID] = made.id
    st.query_params[ID] = made.id
    return made


def keep(key, widget, default=None):
    """Give a widget the value kept under `key` and keep what is chosen, also while the widget is not drawn.

    widget: called with key= and on_change=; its own key is another one, which Streamlit may drop.
    """
    st.session_state.setdefault(key, default)
    own = f"{key}__widget"
    st.session_state[own] = st.session_state[key]       # every time: the same key may be another widget on another page

    def changed():
        st.session_state[key] = st.session_state[own]

    widget(key=own, on_change=changed)
    return st.session_state[key]


# ---- what was loaded, read once and shared between reruns; keys are full descriptions, never samples of arrays ----

def _stamp(path):
    found = path.stat()
    return f"{path}|{found.st_mtime_ns}|{found.st_size}"


def _version(store):
    from stabcore.store import Store

    return f"{_stamp(store)}|{Store(store).version()}"


@st.cache_resource(max_entries=8, show_spinner="Reading the table …")
def _reading(stamp, _path):
    from stabcore.reading import read_table

    return read_table(_path)


@st.cache_resource(max_entries=8, show_spinner="Checking the table …")
def _dataset(stamp, roles, _path, name):
    from stabcore.dataset import Dataset

    return Dataset.from_frame(_reading(stamp, _path).frame, **{**json.loads(roles), "name": name})


@st.cache_resource(max_entries=3, show_spinner="Correlating the features …")         # each may hold 400 MB
def _correlations(fingerprint, method, threshold, _data):
    from stabcore.relation import Relation

    return Relation.from_correlation(_data, method=method, threshold=threshold, binary=False)


@st.cache_resource(max_entries=32, show_spinner=False)
def _lowest_threshold(fingerprint, method, _data):
    from stabcore.overview import lowest_threshold

    return lowest_threshold(_data, method)


@st.cache_resource(max_entries=4, show_spinner="Reading the matrix …")
def _matrix(stamp, features, _path):
    from stabcore.reading.relations import read_relation

    return read_relation(_path, features=json.loads(features))


@st.cache_resource(max_entries=4, show_spinner=False)
def _relation(scenario, fingerprint, matrix, _features, _data, _path):
    made = Scenario.of(json.loads(scenario))

    def correlations(threshold):        # kept from a low threshold on: then a higher one is only a cut of the same pairs
        lowest = _lowest_threshold(fingerprint, made.method, _data)
        try:
            return _correlations(fingerprint, made.method, min(lowest, threshold), _data)
        except InputError:              # the lowest was told from a sample: it may be too low by a little
            return _correlations(fingerprint, made.method, threshold, _data)

    return made.build(_features, correlations if _data is not None else None,
                      (lambda: _matrix(matrix, json.dumps(_features), _path).relation) if _path else None)


@st.cache_resource(max_entries=8, show_spinner="Comparing every two features …")
def _tree(fingerprint, method, linkage, features, _data):
    from stabcore.clustering import suggest

    return suggest(_data, method=method, linkage=linkage, features=json.loads(features))


@st.cache_resource(max_entries=8, show_spinner=False)
def _counts(of, _found):
    return sum(_found.preferences(label).counts for label in _found.ready)


@st.cache_resource(max_entries=8, show_spinner="Opening the study …")
def _study(stamp, version, _path):
    from stabcore.results import open_study

    return open_study(_path)


@st.cache_resource(max_entries=8, show_spinner="Reading the selections …")
def _uploaded_runs(id, files, _workspace):
    from stabcore.runs import Runs

    return Runs.from_files([(_workspace.folder / one["file"], one) for one in json.loads(files)])


@st.cache_resource(max_entries=4, show_spinner="Correlating every two features …")
def _bins(fingerprint, method, binary, _data):
    from stabcore.whatif.thresholds import CorrelationBins

    return CorrelationBins.of(_data, method, binary=binary)


@st.cache_resource(max_entries=64, show_spinner=False)
def _selections(of, label, k, _found):
    return replace(_found.preferences(label, k), given=None, scores=None, ranks=None)


@st.cache_resource(max_entries=64, show_spinner="Computing …")
def _answer(of, question, _make):
    return _make()


def _of_results():
    here = workspace()
    return f"{here.id}|" + (json.dumps(here.settings["selections"]) if "selections" in here.settings else _version(here.store))


def bins(data, method, binary):
    """Every pair of features of a Dataset by its |ρ|, for curves over thresholds."""
    return _bins(data.fingerprint, method, binary, data)


def selections(labels, k=None):
    """{label: Preferences} of these selectors that hold the selections alone, so that many can be kept."""
    of, found = _of_results(), result()
    return {label: _selections(of, label, k, found) for label in labels}


def answer(make, *question):
    """What make() gives, computed once for these results and this question, which names everything else that matters."""
    return _answer(_of_results(), json.dumps(question, sort_keys=True), make)


def relation_key():
    """All that the Relation of the chosen scenario depends on, as text for a question."""
    chosen, data = scenario(), matching_data()
    path = _matrix_file(chosen)
    return [chosen.settings(), data.fingerprint if data else "", _stamp(path) if path else ""]


def counts():
    """(d,) how often all selectors together selected each feature; None while there are no results."""
    found = result()
    return _counts(_of_results(), found) if found is not None and found.ready else None


def study_at(path):
    """Another study file, opened once for all sessions. Raises InputError when it is not one."""
    return _study(str(path), _version(path), path)


def reading():
    """The table as it was read, or None."""
    here = workspace()
    path = here.table_file if here else None
    return _reading(_stamp(path), path) if path else None


def dataset():
    """The Dataset once a target is chosen, or None. Raises InputError for roles that do not work."""
    here = workspace()
    roles = here.settings.get("roles") if here else None
    if not roles or not here.table_file:
        return None
    return _dataset(_stamp(here.table_file), json.dumps(roles, sort_keys=True), here.table_file, here.settings.get("name", ""))


def result():
    """Finished or unfinished runs to look at (StudyResult or Runs), or None."""
    here = workspace()
    if here is None:
        return None
    if "selections" in here.settings:
        return _uploaded_runs(here.id, json.dumps(here.settings["selections"]), here)
    if here.store is None:
        return None
    return _study(str(here.store), _version(here.store), here.store)


def features():
    """Names of the features that a relation is about: of the results, else of the data."""
    found = result() or dataset()
    return found.features if found is not None else None


def scenarios() -> dict[str, Scenario]:
    """The scenarios of C that are kept side by side, by name; the chosen one among them."""
    here = workspace()
    kept = dict(here.settings.get("scenarios", {})) if here else {}
    kept[scenario_name()] = here.settings.get("scenario") if here else None
    return {name: Scenario.of(one) for name, one in kept.items()}


def usual_scenarios(groups) -> dict:
    """Settings of the scenarios that there are to begin with for a table, by name."""
    kept = {NOTHING: Scenario(groups=groups), CORRELATED: Scenario(base="correlation", groups=groups)}
    if groups:
        kept[GROUPED] = Scenario(base="groups", groups=groups)
    return {name: one.settings() for name, one in kept.items()}


def scenario_name() -> str:
    """Name of the chosen scenario."""
    here = workspace()
    return (here.settings.get("scenario_name") if here else None) or "mine"


def scenario() -> Scenario:
    """Which features stand for each other, as chosen."""
    here = workspace()
    return Scenario.of(here.settings.get("scenario")) if here else Scenario()


def set_scenario(new: Scenario, editing=False):
    """Change the chosen scenario; what it was can be had back. editing: from a table that is being edited and stays as it is."""
    if new.settings() != scenario().settings():         # a table may tell of one edit twice
        _remember_scenarios(editing)
        workspace().save(scenario=new.settings())


def choose_scenario(name):
    """Another of the scenarios that are kept."""
    _remember_scenarios()
    kept = scenarios()
    workspace().save(scenarios={one: each.settings() for one, each in kept.items()}, scenario=kept[name].settings(),
                     scenario_name=name)


def add_scenario(name, new: Scenario):
    """Keep one more scenario and choose it."""
    _remember_scenarios()
    kept = {one: each.settings() for one, each in scenarios().items()}
    workspace().save(scenarios={**kept, name: new.settings()}, scenario=new.settings(), scenario_name=name)


def rename_scenario(new):
    """Another name for the chosen scenario, at the same place."""
    _remember_scenarios()
    old = scenario_name()
    workspace().save(scenarios={new if name == old else name: each.settings() for name, each in scenarios().items()},
                     scenario_name=new)


def remove_scenario(name):
    """Forget one of several scenarios; if it was chosen, the first of the others is."""
    _remember_scenarios()
    kept = {one: each.settings() for one, each in scenarios().items() if one != name}
    chosen = scenario_name() if scenario_name() != name else next(iter(kept))
    workspace().save(scenarios=kept, scenario=kept[chosen], scenario_name=chosen)


def undo_scenario():
    """Take the last change of the scenarios back."""
    workspace().save(**st.session_state[UNDO].pop())
    st.session_state[CHANGES] = st.session_state.get(CHANGES, 0) + 1


def fresh(key):
    """A key for a table to edit: another one after every change from elsewhere, or it would apply its earlier edits again."""
    return f"{key}-{st.session_state.get(CHANGES, 0)}"


def _remember_scenarios(editing=False):
    if not editing:
        st.session_state[CHANGES] = st.session_state.get(CHANGES, 0) + 1
    now = workspace().settings
    st.session_state.setdefault(UNDO, []).append({key: now.get(key, usual) for key, usual in
                                                  (("scenarios", {}), ("scenario", None), ("scenario_name", None))})


def picked() -> list[str]:
    """The features that are highlighted everywhere, by name; those that the loaded results do not have are left aside."""
    known = features() or ()
    if PICKED not in st.session_state:
        numbers = [int(one) for one in st.query_params.get(PICKED_IN_URL, "").split(".") if one.isdecimal()]
        st.session_state[PICKED] = [known[i] for i in numbers if i < len(known)]
    have = set(known)
    return [name for name in st.session_state[PICKED] if name in have]


def pick(names):
    """Highlight these features everywhere, also after a reload."""
    names = list(dict.fromkeys(names))
    st.session_state[PICKED] = names
    number = {name: i for i, name in enumerate(features() or ())}
    found = [str(number[name]) for name in names if name in number]
    if found:
        st.query_params[PICKED_IN_URL] = ".".join(found)
    else:
        st.query_params.pop(PICKED_IN_URL, None)


def relation():
    """The Relation of the chosen scenario, about the features of the results."""
    return relation_of(scenario())


def relation_of(chosen: Scenario):
    """The Relation that a scenario makes, about the features of the results."""
    names, data, path = features(), matching_data(), _matrix_file(chosen)
    return _relation(json.dumps(chosen.settings(), sort_keys=True), data.fingerprint if data else json.dumps(names),
                     _stamp(path) if path else "", names, data, path)


def matching_data():
    """The Dataset if it has the features of the results, in their order; else None."""
    data = dataset()
    return data if data is not None and data.features == features() else None


def matrix_reading(chosen: Scenario):
    """How the matrix that was brought is understood, or None while there is none. Raises InputError as read_relation does."""
    path = _matrix_file(chosen)
    return _matrix(_stamp(path), json.dumps(features()), path) if path else None


def _matrix_file(chosen):
    path = workspace().folder / chosen.matrix if chosen.matrix else None
    return path if path and path.exists() else None


def tree(method, linkage, names):
    """The suggested groups of these features, by name, as a tree."""
    data = matching_data()
    return _tree(data.fingerprint, method, linkage, json.dumps(names), data)


def effect(label):
    """{nogueira, effective, note} of one selector under the chosen scenario."""
    from stabcore.inference import stability

    estimates = stability(result().preferences(label), ["nogueira", "effective"], relation=relation())
    said = estimates["effective"]
    return {**{key: one.value for key, one in estimates.items()}, "note": said.reason or " ".join(said.warnings)}
