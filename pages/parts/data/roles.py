"""Data: guessed and chosen roles of columns, merged classes, and the rows of one cohort."""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from pages.parts import cache, glossary, other_studies, session, text
from pages.parts.data import table
from pages.parts.study import form
from pages.workspace.project import Project
from stabcore.base.errors import InputError
from stabcore.base.target import target_columns
from stabcore.base.text import counted, format_duration, format_span, listed, quote, verb_for
from stabcore.data.columns import MAX_CLASSES, describe_columns
from stabcore.data.dataset import Dataset
from stabcore.data.followed import MAX_VALUES, event_values
from stabcore.io.choices import ONLY, Mend
from stabcore.io.mends import column_levels
from stabcore.io.type import Reading
from stabcore.study.forecast import describe_size

MAX_NAMED = 3
TWO_COLUMNS = ()  # an outcome whose columns are still to be chosen
CHOSEN, MERGED = "classes-chosen", "classes-merged"
MAX_CLASSES_TO_MERGE = 20
ALL_ROWS = None
KINDS_OF_OUTCOME = {"classes": "each value is a class", "number": "a quantity, with fewer selectors"}


@dataclass(frozen=True, eq=False)
class DataView:
    """The project and its table."""

    project: Project
    read: Reading

    @cached_property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return [str(name) for name in self.read.frame.columns]

    @cached_property
    def described(self):
        """The description of each column, before the outcome is chosen."""
        return cache.column_descriptions()

    @cached_property
    def roles(self) -> dict:
        """The roles chosen before."""
        return self.project.settings.get("roles", {})

    @cached_property
    def about(self) -> tuple[str, ...]:
        """Columns that describe samples, from the file or from transposing the table."""
        return tuple(self.project.settings.get("about") or self.read.about)

    @cached_property
    def guessed(self):
        """The suggested roles of the columns."""
        return cache.suggested_roles(self.about)

    def data(self) -> Dataset:
        """The Dataset of a study with the kept roles. Raises InputError if they do not work."""
        data = cache.dataset()
        assert data is not None, "there is a table, and its outcome is chosen"
        return data

    def named(self, name) -> str:
        """A column with its unit."""
        return f"{name} [{self.read.units[name]}]" if name in self.read.units else str(name)

    def outcome_named(self, outcome) -> str:
        """A column, or the columns of a time to an event, in the list of outcomes."""
        if outcome == TWO_COLUMNS:
            return "A time to an event: choose its columns"
        return f"Time to event: {', '.join(outcome)}" if isinstance(outcome, tuple) else self.named(outcome)

    def row_of(self, name):
        """The description of one column."""
        return self.described.set_index("column").loc[name]


def set_first_value(key, value, options):
    """Give a widget its first value, and remove values that are no options any more, as after transposing the table.

    The value is set in the session, because a browser ignores a new default of the same widget.
    """
    now = st.session_state.get(key, value)
    fitting = [name for name in now if name in set(options)] if isinstance(now, list) else now if now in options else None
    if fitting is None and now is not None:
        st.session_state.pop(key, None)
    elif fitting is not None and (key not in st.session_state or fitting != now):
        st.session_state[key] = fitting


def ask_confirmation(guessed, target, roles):
    """(Whether this is the outcome, the place for a shortcut beside the button that confirms a guess, or None)."""
    if target is None and guessed.candidates:
        names = listed(guessed.candidates, 8)
        st.info(text.plain(f"These columns describe samples, not measurements. The outcome may be one of them: {names}."))
    if target is None or "target" in roles or target != guessed.target:
        return True, None
    asked = st.empty()
    with asked.container(border=True):
        guess = f"Outcome: {quote(target)} (guessed, {guessed.why_target})."
        st.warning(text.plain(f"{guess} Confirm it, or choose another column."), icon=":material/help:")
        shortcut = st.container()
        answered = st.button("Confirm outcome", key="confirm-target")
    if answered:
        asked.empty()
    return answered, None if answered else shortcut


def show_shortcut(view, place, roles, outcome, classes):
    """A button that confirms the outcome, accepts all suggestions and runs the study, if nothing else is left to decide."""
    with suppress(InputError):  # it is shown once the outcome is confirmed
        roles = {name: value for name, value in roles.items() if name != "set_aside"}  # no column then needs a correction
        suggested = cache.suggested_dataset(roles, outcome, classes)
        study = suggested and form.first_study(suggested[1])
        if not (suggested and study):
            return
        choices, _, warnings = suggested
        n_accepted = len(choices.get("mends", ())) - len(cache.choices().mends)
        accepted = f" It accepts {counted(n_accepted, 'suggestion')} about the cells below." * bool(n_accepted)
        least, most = form.study_seconds(study)
        with place:
            st.markdown(
                f"**Run study** confirms this outcome.{accepted} {describe_size(study)} "
                f"Estimated time: {format_span(format_duration(least), format_duration(most))}."
            )
            text.show_notes(warnings)
            if st.button("Run study with these suggestions", key="run-suggested", type="primary", icon=":material/play_circle:"):
                view.project.save(roles=roles, choices=choices)
                st.session_state[session.RUN_AT_ONCE] = True
                st.switch_page("pages/study.py")


def show_patient_note(view, same_patient):
    """Note that rows of a patient stay together, or that they do not although a column suggests it."""
    guess = view.guessed.patient
    if guess is None or same_patient not in (guess, None):
        return
    sentence = f"{quote(guess)} looks like a patient number ({int(view.row_of(guess)['distinct'])} different ones)"
    if same_patient == guess:
        sentence += ". It is not a feature, and the rows of one patient stay together. Choose None above if that is wrong."
    else:
        sentence += ", but rows of one patient are not kept together. Leave it out if it is not a measurement."
    st.caption(f":material/groups: {text.plain(sentence)}")


def show_people_note(view, exclude):
    """Note the columns that were left out because they seem to hold names of people."""
    names = [name for name in view.guessed.people if name in exclude]
    if names:
        sentence = (
            f"{listed(names)} {verb_for(len(names), 'seem')} to hold names of people, so the study leaves them out. "
            "Delete such columns from the file. If they hold something else, remove them from the list above."
        )
        st.caption(f":material/badge: {text.plain(sentence)}")


def show_redcap_note(view, exclude):
    """Note the columns that were left out because they are REDCap's own, and the boxes of one question."""
    export = view.guessed.redcap
    if export is not None and (not export.own_columns or set(export.own_columns) & set(exclude)):
        text.show_notes(export.sentences)


def show_times_note(guessed, exclude, target):
    """Note the columns with survival data, with a button that makes the event the outcome."""
    for number, pair in enumerate(guessed.survival[:MAX_NAMED]):
        if pair.columns != target and (pair.first or pair.time in exclude):
            st.info(text.plain(pair.sentence), icon=":material/timer:")
            label = f"Predict the time to {text.plain(pair.event)}"
            st.button(label, key=f"event-{number}", on_click=_set_outcome, args=(pair.columns, target))


def _set_outcome(columns, left):
    st.session_state[session.TARGET] = columns
    _exclude_times(left)


def _exclude_times(left):
    """Leave out the columns of a time to an event that is no longer the outcome: they are known only later."""
    now = target_columns(st.session_state[session.TARGET])
    if left == TWO_COLUMNS:
        left = tuple(filter(None, (st.session_state.get(key) for key in (session.TIME, session.LAST_DATE, session.EVENT))))
    left_out = [*st.session_state.get(session.EXCLUDE, []), *(left if isinstance(left, tuple) else ())]
    st.session_state[session.EXCLUDE] = [name for name in dict.fromkeys(left_out) if name not in now]


def _ask_time_to_event(view):
    """The columns of a time to an event that was not recognised. None until they are chosen."""
    first, second, third = st.columns(3)
    kinds = dict(zip(view.described["column"], view.described["kind"], strict=True))
    times = [name for name in view.columns if kinds[name] in ("number", "date")]
    time = first.selectbox("Choose time, or first date", times, key=session.TIME, index=None, format_func=view.named)
    last = None
    if time is not None and kinds[time] == "date":
        dates = [name for name in times if kinds[name] == "date" and name != time]
        last = second.selectbox("Choose last date", dates, key=session.LAST_DATE, index=None)
        if last is None:
            return None
    events = [name for name in view.columns if name not in (time, last) and view.row_of(name)["distinct"] <= MAX_VALUES]
    event = third.selectbox("Choose event", events, key=session.EVENT, index=None, format_func=view.named)
    return None if time is None or event is None else tuple(name for name in (time, last, event) if name is not None)


def _ask_event_values(view, target):
    """The values that mean that the event happened. All others count as censored."""
    names, usual = event_values(describe_columns(view.read.frame[[target[-1]]])[0])
    key = f"{session.HAPPENED}-{target[-1]}"
    last = view.roles.get("event", ()) if tuple(target_columns(view.roles.get("target"))) == target else ()
    set_first_value(key, [name for name in last if name in names] or usual, names)
    return st.multiselect(
        f"Values of {text.plain(target[-1])} that mean the event happened",
        names,
        key=key,
        help="All other values count as censored, also competing events such as death from another cause.",
    )


def ask_merged_classes(target):
    """Merge or leave out classes. target: an outcome with classes, whose cells were read as texts."""
    raw = cache.table_reading().written.texts.get(target)
    if raw is None or session.project().sample:  # the table of a bundled study does not change
        return
    now = _texts_of_classes(target, raw)
    if not 3 <= len(now) <= MAX_CLASSES_TO_MERGE:
        return
    with st.expander("Merge classes, or leave some out", key="classes", icon=":material/merge_type:"):
        chosen = [name for name in st.multiselect("Choose classes", list(now), key=CHOSEN) if name in now]
        into = st.text_input("Name of the merged class", value=" or ".join(chosen), key=f"{MERGED}-{'-'.join(chosen)}")
        first, second = st.columns(2)
        cells = tuple(cell for name in chosen for cell in now[name])
        rest = len(now) - len(chosen)
        first.button(
            "Merge these classes",
            key="merge-classes",
            disabled=len(chosen) < 2 or rest < 1 or not into.strip(),
            on_click=_add_mend,
            args=(Mend("as", (target,), cells, into=into.strip()),),
            width="stretch",
        )
        second.button(
            "Leave out their rows",
            key="leave-out-classes",
            disabled=not chosen or rest < 2,
            on_click=_add_mend,
            args=(Mend("missing", (target,), cells),),
            width="stretch",
        )
        if chosen:
            st.caption(text.plain(f"Chosen: {listed(chosen)}. Each decision can be undone above."))


def _texts_of_classes(target, raw):
    """{current class: texts of the file that are read as it}."""
    column, (levels, _, codes) = cache.table_reading().frame[target], column_levels(raw)
    pairs = {(str(value), levels[code]) for value, gone, code in zip(column, column.isna(), codes) if code >= 0 and not gone}
    texts: dict[str, list[str]] = {}
    for name, cell in sorted(pairs):
        texts.setdefault(name, []).append(cell)
    return texts


@session.if_project_exists
def _add_mend(mend):
    session.project().save(choices=cache.choices().mended(mend).settings())
    st.session_state.pop(CHOSEN, None)


def ask_cohort(target, patient):
    """Choose the column of cohorts and the cohort. target: the outcome, patient: its column. Neither names cohorts."""
    offered = {name: values for name, values in cache.cohorts().items() if name != target}
    now = next((mend for mend in cache.choices().mends if mend.do == ONLY), None)
    if not offered:
        return
    with st.expander("Filter rows by cohort", key="cohort", icon=":material/filter_alt:", expanded=now is not None):
        glossary.show_caption(
            "Do the markers of cohort A replicate in cohort B? Choose A here and run the study. One click on Study then studies B, "
            "and Panel compares the two (Replication)."
        )
        first, second = st.columns(2)
        names = [ALL_ROWS, *offered]
        session.set_widget(session.COHORT_COLUMN, now.columns[0] if now and now.columns[0] in offered else ALL_ROWS)
        column = first.selectbox(
            "Choose cohort column",
            names,
            key=session.COHORT_COLUMN,
            on_change=_use_cohort,
            format_func=lambda name: "None: use all rows" if name is ALL_ROWS else name,
        )
        if column is ALL_ROWS:
            return
        rows_of_cohorts = offered[column]
        session.set_widget(session.COHORT, now.cells[0] if now and now.cells[0] in rows_of_cohorts else next(iter(rows_of_cohorts)))
        second.selectbox(
            "Choose cohort",
            list(rows_of_cohorts),
            key=session.COHORT,
            on_change=_use_cohort,
            args=(column,),
            format_func=lambda value: f"{value} ({counted(rows_of_cohorts[value], 'row')})",
        )
        here = st.session_state[session.COHORT]
        others = [value for value in rows_of_cohorts if value != here]
        shared, sentence = other_studies.shared_patients(column, [here], others, patient, "in this cohort and in another")
        if patient is not None:
            (st.warning if shared else st.caption)(text.plain(sentence))


@session.if_project_exists
def _use_cohort(before=ALL_ROWS):
    """Use the rows of the chosen cohort: the largest one of another column than before, or all rows again."""
    column, choices = st.session_state[session.COHORT_COLUMN], cache.choices()
    for number in reversed([i for i, mend in enumerate(choices.mends) if mend.do == ONLY]):
        choices = choices.without(number)
    if column is not ALL_ROWS:
        value = st.session_state[session.COHORT] if column == before else next(iter(cache.cohorts()[column]))
        choices = choices.only(column, [value])
    session.project().save(choices=choices.settings())


def is_adjusted(view) -> bool:
    """Whether a folded setting is in use: columns that are always in the model, or one cohort."""
    return bool(view.roles.get("given")) or any(mend.do == ONLY for mend in cache.choices().mends)


def ask_roles(view, more) -> dict | None:
    """The questions about columns and cells. Returns the chosen roles, None until the outcome is sure.

    more: the folded place of questions that few studies need.
    """
    first, second, third = st.columns(3)
    target, timed = _ask_outcome(view, first)
    sure, shortcut = ask_confirmation(view.guessed, target, view.roles)
    others = [name for name in view.columns if name not in target_columns(target)]
    set_first_value(session.EXCLUDE, list(view.roles.get("exclude", view.guessed.exclude)), others)
    exclude = second.multiselect(
        "Leave out columns",
        others,
        key=session.EXCLUDE,
        format_func=view.named,
        help="Patient numbers, dates, and everything recorded after the outcome was known.",
    )
    with more:
        given = _ask_given(view, [name for name in others if name not in exclude])
    show_people_note(view, exclude)
    show_redcap_note(view, exclude)
    show_times_note(view.guessed, exclude, target)
    event = target_columns(target)[-1]  # the event of a time to an event, whose words are also classes
    table.ask_about_cells(exclude, event, timed or not _is_number(view, target))
    table.show_decisions(view.read)
    happened = _ask_event_values(view, target) if timed and target else []
    if target is not None and not timed and not _is_number(view, target):
        with more:
            ask_merged_classes(target)
    same_patient = _ask_patients(view, [name for name in others if name not in given], third)
    with more:
        ask_cohort(event, same_patient)
    complete = target is not None and sure and not (timed and not happened)
    if not complete:
        if target is None or sure:  # otherwise a box above asks for confirmation
            missing = "Choose the outcome" if target is None else "Choose the values that mean the event"
            st.info(f"{missing} to continue.", icon=":material/arrow_upward:")
        if shortcut is None or (timed and not happened):
            return None
    optional = {
        "given": given,
        "same_patient": same_patient,
        "event": happened,
        "target_as": None if timed else _ask_outcome_kind(view, target),
        "set_aside": bool((view.described["suggestion"] == "correct cells").any()),
    }
    outcome = list(target_columns(target)) if timed else target
    chosen = {"target": outcome, "exclude": exclude} | {name: value for name, value in optional.items() if value}
    if complete:
        return chosen
    show_shortcut(view, shortcut, chosen, event, timed or not _is_number(view, target))
    return None


def _ask_outcome(view, place):
    """(the column or columns of the outcome, None without a choice, whether it is a time to an event). place: where to draw."""
    pairs = [pair.columns for pair in view.guessed.survival]
    last = view.roles.get("target")
    if isinstance(last, list) and set(last) <= set(view.columns):
        last = tuple(last)
        pairs = list(dict.fromkeys([*pairs, last]))
    outcomes = [*view.columns, *pairs, TWO_COLUMNS]
    set_first_value(session.TARGET, last if last in outcomes else view.guessed.target, outcomes)
    target = place.selectbox(
        "Choose outcome",
        outcomes,
        key=session.TARGET,
        index=None,
        placeholder="Choose a column",
        format_func=view.outcome_named,
        on_change=_exclude_times,
        args=(st.session_state.get(session.TARGET),),
    )
    return (_ask_time_to_event(view) if target == TWO_COLUMNS else target), isinstance(target, tuple)


def _ask_given(view, others):
    patient = st.session_state.get(session.SAME_PATIENT, view.roles.get("same_patient"))
    possible = [name for name in others if name != patient]
    set_first_value(session.GIVEN, list(view.roles.get("given", ())), possible)
    with st.expander("Always in the model", key="given-box", icon=":material/join_inner:", expanded=bool(view.roles.get("given"))):
        return st.multiselect(
            "Columns in every model",
            possible,
            key=session.GIVEN,
            format_func=view.named,
            placeholder="No column",
            help="Such as age, sex or treatment. They are no features. Each feature is adjusted for them.",
        )


def _ask_patients(view, others, place):
    """The column whose equal values keep rows together, or None."""
    set_first_value(
        session.SAME_PATIENT, view.roles.get("same_patient") if "target" in view.roles else view.guessed.patient, others
    )
    same_patient = place.selectbox(
        "Choose patient column",
        [None, *others],
        key=session.SAME_PATIENT,
        format_func=lambda name: "None: each row is one patient" if name is None else str(name),
        help="Rows of one patient stay together, in training or held out.",
    )
    show_patient_note(view, same_patient)
    return same_patient


def _key(target):
    return f"target-as-{target}"


def _is_number(view, target):
    """Whether the outcome was chosen to be a number, without classes."""
    return st.session_state.get(_key(target), view.roles.get("target_as")) == "number"


def _ask_outcome_kind(view, target):
    """Choose classes or a number for an outcome that can be either. None for the default."""
    row = view.row_of(target)
    if row["kind"] != "number" or row["distinct"] < 3:
        return None
    usual, key = "number" if row["distinct"] > MAX_CLASSES else "classes", _key(target)
    st.session_state.setdefault(key, view.roles.get("target_as") or usual)
    chosen = st.radio("The outcome is", list(KINDS_OF_OUTCOME), key=key, horizontal=True, captions=list(KINDS_OF_OUTCOME.values()))
    return None if chosen == usual else chosen
