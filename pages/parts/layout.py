"""The frame of every page: title, sidebar, what goes wrong becomes a sentence; it follows what goes on elsewhere."""

from __future__ import annotations

import runpy
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

import streamlit as st

from pages.parts import address, cache, highlights, links, people, scenarios, session, undoing, words
from pages.parts.text import no_feature, plain, sentences
from pages.server.sign_in import signs_in
from stabcore.base.errors import InputError
from stabcore.base.text import duration
from stabcore.plots.rendering import STYLE
from stabcore.study.machine import usual_workers

# Where the keyboard is, also in the menu, on links, and where one of several is chosen, which the toolkit shows by a faint
# background alone, and in the tool bar of a table, which it shows alone to those who hover; and dark letters on the light blue
# buttons of the dark theme, on which white cannot be read. A choice that is longer than its box ends in an ellipsis.
# What takes longer than a moment is told below, whatever takes it. What pops up stands outside of the part whose scheme the toolkit
# sets. Letters of formulas that lean over would make them scroll by two pixels, which no key reaches; on a telephone they are
# smaller. What is longer than a telephone has a second line. A ring that is not chosen is seen in the dark, too; tags of what
# was chosen are no louder than the pictures. The toolkit leaves 36 pixels more above a title than its own bar covers. Undo and redo
# are arrows whose words only a screen reader says, so that title and tools have room in one row.
READABLE = (
    """<style>
:is(a, button, summary, canvas, [role=slider]):focus-visible, label:has(input:is([role=switch], [type=radio]):focus-visible) {
  outline: 3px solid currentcolor !important; outline-offset: -1px;}
main:focus-visible {outline: 3px solid currentcolor !important; outline-offset: -3px;}
[data-testid^=stBaseButton-primary]:enabled * {color: light-dark(#FFFFFF, #101010) !important;}
[data-testid=stElementToolbar]:focus-within {opacity: 1 !important;}
[data-testid=stPopoverBody] {color-scheme: light dark;}
[data-testid=stPopover] button[aria-expanded=true] * {color: light-dark(#00528A, #8CCBF0) !important;}
.katex-display {padding-inline: 4px;}
@media (max-width: 500px) {.katex-display > .katex {font-size: .95em;}}
.stMarkdownEllipsis, .stMarkdownEllipsis * {white-space: normal !important;}
button[data-variant=pills] {height: auto !important; text-align: start;}
button[data-variant=pills] * {white-space: normal !important;}
[data-testid=stRadioOption]:not([data-selected]) > div > div:first-child {border-color: light-dark(#767676, #8F8F8F) !important;}
[data-testid=stMultiSelect] [data-tag] {background: light-dark(#DCEAF4, #21394A) !important; color: inherit !important;}
[data-testid=stSelectbox] input {text-overflow: ellipsis;}
[data-testid=stApp][data-test-script-state=running]::after {
  content: "Computing …"; position: fixed; bottom: 1rem; left: 50%; translate: -50%; padding: .4rem 1rem; border-radius: .5rem;
  z-index: 999990; background: light-dark(#101010, #F0F0F0); color: light-dark(#FFFFFF, #101010); opacity: 0; pointer-events: none;
  animation: told 0s .7s forwards;}
@keyframes told {to {opacity: 1;}}
.st-key-head {margin-top: -2.25rem;}
.st-key-head > :has(> .st-key-tools) {margin-inline-start: auto;}
.st-key-tools [data-has-shortcut=true] p {font-size: 0;}
.st-key-tools [data-has-shortcut=true] kbd {display: none;}
.st-key-hidden-picture {display: none;}
@media (max-width: 760px) {
  [class*=st-key-wide-] {display: none;}
  [class*=st-key-sideways-] {overflow-x: auto;}
  [class*=st-key-sideways-] > * {min-width: 700px;}}
@media (min-width: 761px) {[class*=st-key-narrow-] {display: none;}}
.st-key-sheet {background: light-dark(#DDDCD8, #35342F); padding: clamp(.5rem, 3vw, 2rem); border-radius: .5rem;}
.st-key-sheet iframe {display: block; max-width: 740px; margin: auto; background: #FFFFFF; box-shadow: 0 1px 8px rgba(0,0,0,.45);}
"""
    + STYLE
    + "</style>"
)
MOST_OFFERED = 300  # highlighted features are chosen among the most often selected
NEEDS_TABLE, NEEDS_FEATURES = ("data", "study"), ("groups",)  # pages, by what they need to show anything
NEEDS_RESULTS = ("stability", "panel", "pareto", "whatif", "maps", "profiles", "report")
HIDDEN = ("passport",)  # opened from a feature
RUNNING, IDLE = 2.0, 5.0  # seconds between two looks
TENTHS = 10  # how often the screens are drawn anew while a study runs: numbers that jump cannot be read


@contextmanager
def inside_app(page):
    """Around every page, which is told its name: its work is found, and what goes wrong becomes a sentence."""
    st.html(READABLE)
    people.gate()
    with session.one_rerun():
        named = session.remember()
        with sentences():
            address.follow(named)
            highlights.remember()
        undoing.begin()
        st.session_state.pop(session.RERUN_PAGE, None)
        st.session_state[session.INSIDE_APP], st.session_state[session.PAGE] = True, page
        try:
            with sentences():
                yield
        finally:
            st.session_state[session.INSIDE_APP] = False
            address.write()
            undoing.end()


def visibilities() -> dict[str, Literal["visible", "hidden"]]:
    """{page: "visible" or "hidden"} in the menu: a page is shown once it has something to show."""
    table = results = True  # of settings that cannot be read, which the page says
    with suppress(InputError):
        project = session.named_work()
        table, results = project is not None and project.table_file is not None, project is not None and project.has_results
    shown = {**dict.fromkeys(NEEDS_TABLE, table), **dict.fromkeys(NEEDS_FEATURES, table or results)}
    shown |= {**dict.fromkeys(NEEDS_RESULTS, results), **dict.fromkeys(HIDDEN, False)}
    return {page: "visible" if has_something else "hidden" for page, has_something in shown.items()}


def title(text, then=None, detour=False):
    """The head of every page: its question, undo and redo, links, the glossary, and the page that usually follows.

    then: (page, its title), for the one blue button; detour: a second look, from which a white one leads back.

    Right after a start of the server, a bookmarked page is run without app.py (Streamlit takes a folder named pages for
    pages of its own); the page then hands over to app.py, which runs it again as one of its pages.
    """
    if not st.session_state.get(session.INSIDE_APP):
        runpy.run_path(str(Path(__file__).resolve().parents[2] / "app.py"), run_name="__main__")
        st.stop()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="head"):
        st.title(text, anchor=False)
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="right", width="content", gap="xsmall", key="tools"
        ):
            if session.workspace() is not None:
                undoing.bar()
            words.button()
            if then is not None and st.button(
                f"Next: {then[1]}",
                key="next",
                type="secondary" if detour else "primary",
                icon=":material/arrow_forward:",
                icon_position="right",
            ):
                st.switch_page(f"pages/{then[0]}.py")


def sidebar():
    """The project that is open, what runs, and what is chosen for every screen."""
    people.sidebar()
    if st.session_state.pop(session.UNKNOWN_WORK, False):
        st.warning(
            "The address names no project that you can open. It was deleted, made elsewhere, or belongs to somebody else. Your "
            "projects are on Start."
            if signs_in()
            else "The address names a project that is not on this computer. It was deleted, or made elsewhere. Projects of this "
            "computer are on Start.",
            icon=":material/search_off:",
        )
    project = session.workspace()
    if project is None:
        return
    with st.sidebar:
        for part in (_project, _changes, follow, _scenario_switch, _picked_features):
            try:
                part(project)
            except InputError:  # the page says it; here stays the way out
                st.caption(":material/warning: A part of this project cannot be read.")
                break
        if project.frozen is None:
            _delete(project)
        else:
            links.read_only(project)


def _openers():
    """Whom the address of a project lets in."""
    return "only you can open it, signed in" if signs_in() else "anybody who has it and may use this server can change the project"


def _delete(project):
    """How to get rid of a project."""
    with st.popover("Delete project", icon=":material/delete:", type="tertiary"):
        st.write(f"Deletes table, settings and results from {people.place()}, and all read-only copies. This cannot be undone.")
        st.caption(f"To keep it, keep the address of this page: {_openers()}.")
        if st.button("Delete project", key="forget"):
            project.forget()
            session.leave()
            st.switch_page("pages/start.py")


def _project(project):
    """The name of the project."""
    st.markdown(f"**{plain(project.title)}**")


def _changes(_):
    """What another tab has changed."""
    if change := scenarios.describe_change():
        st.info(plain(change), icon=":material/sync:")


def _scenario_switch(_):
    """Which of the scenarios of C every screen uses now."""
    every = scenarios.by_name()
    if len(every) < 2:
        return
    st.session_state[session.SCENARIO_SWITCH] = scenarios.chosen_name()
    st.selectbox(
        "Similar features",
        every,
        key=session.SCENARIO_SWITCH,
        help="Every screen uses this scenario. Scenarios are defined on Similarity.",
        on_change=lambda: scenarios.choose(st.session_state[session.SCENARIO_SWITCH]),
    )


def offered(results) -> list[str]:
    """Features to choose from: those highlighted, then the most often selected."""
    often = results.selections(results.finished_selectors[0]).counts.argsort(kind="stable")[::-1][:MOST_OFFERED]
    return list(dict.fromkeys([*highlights.picked(), *(results.features[i] for i in often)]))


def _picked_features(_):
    """The features that are highlighted on every screen; few of many thousands are offered, more can be clicked in figures."""
    results = cache.results()
    if results is None or not results.finished_selectors:
        return
    picked, few = highlights.picked(), len(results.features) <= MOST_OFFERED
    st.session_state[session.HIGHLIGHTED_CHOICE] = picked
    st.multiselect(
        "Highlighted features",
        offered(results),
        key=session.HIGHLIGHTED_CHOICE,
        on_change=_choose_features,
        accept_new_options=not few,
        placeholder=f"Click a figure, {'or choose' if few else 'choose or type'}",
        help=words.about("highlighted")
        + ("" if few else (f"\n\nThe {MOST_OFFERED} features selected most often are offered. Type the name of any other.")),
    )
    if picked:
        st.page_link("pages/passport.py", label="Feature profile", icon=":material/badge:")


def _choose_features():
    """Highlight what was chosen in the sidebar; a name that was typed may be none."""
    chosen, features = st.session_state[session.HIGHLIGHTED_CHOICE], set(cache.features() or ())
    for name in chosen:
        if name not in features:
            st.toast(no_feature(name, features), icon=":material/search_off:")
    highlights.pick([name for name in chosen if name in features])


def follow(project):
    """Look every few seconds, in the sidebar; the screen is drawn anew when there is something new to see."""
    running = project.running
    seen = _state(project)

    @st.fragment(run_every=RUNNING if running else IDLE)
    def look():
        with session.read_once(), sentences():
            now = session.workspace()
            if now is not None and (_state(now) != seen or scenarios.changed_elsewhere()):
                st.rerun()
            if running:
                _progress(project)

    look()


def _state(project) -> tuple:
    """What the screens depend on beside what is done on them and the scenario: what runs, how far it is in tenths."""
    running = project.running
    result = cache.own_study(project) if running else None
    return running, _done(result)[2] if result else 0


def _done(result) -> tuple:
    """(Tasks that are done, all, tenths that are done) of a study."""
    done = int(result.progress()[["done", "failed"]].to_numpy().sum())
    return done, result.total, TENTHS * done // max(1, result.total)


def _progress(project):
    """A line on how far it is."""
    if project.before is not None:
        st.caption(":material/hourglass_top: A study is waiting for its turn.")
        return
    result = cache.own_study(project)
    if result is None:
        st.caption(":material/play_circle: A study is starting.")
        return
    done, total, _ = _done(result)
    left = result.seconds_left(usual_workers())
    time_left = "" if left is None else f", about {duration(left)} left"
    if project.settings.get("trial"):
        st.caption(":material/timer: A trial is running.")
    else:
        st.progress(done / total, text=f"Study: {done} of {total} tasks{time_left}")
