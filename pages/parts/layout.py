"""The frame of every page: title, sidebar, errors as sentences, and updates from elsewhere."""

import runpy
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

import streamlit as st

from pages.parts import address, cache, figures, glossary, highlights, links, people, scenarios, session, undoing
from pages.parts.text import describe_unknown_feature, plain, show_errors
from pages.server.sign_in import has_sign_in
from stabcore.base.errors import InputError
from stabcore.base.text import format_duration
from stabcore.plots.rendering import STYLE
from stabcore.study.machine import default_workers

# Focus is outlined everywhere. The toolkit has only a faint background in the menu, on links and radio buttons, and shows the tool
# bar of a table only on hovering. Buttons of the dark theme have dark letters, because white is unreadable on light blue. Long
# choices end in an ellipsis. A note appears if a rerun takes longer than a moment. Popovers are outside of the element with the
# colour scheme of the toolkit. Italic letters of formulas would make them scroll by two pixels, which no key reaches. On telephones
# formulas are smaller, and long labels have a second line. Radio rings have contrast in the dark theme, and tags of choices are as
# quiet as the figures. The toolkit leaves 36 pixels above a title more than its bar covers. Undo and redo are arrows with words for
# screen readers only, so that title and tools fit into one row. Headings in a dialog would be smaller than its text.
STYLE_SHEET = """
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
  animation: appears 0s .7s forwards;}
@keyframes appears {to {opacity: 1;}}
.st-key-head {margin-top: -2.25rem;}
.st-key-head > :has(> .st-key-tools) {margin-inline-start: auto;}
.st-key-tools [data-has-shortcut=true] p {font-size: 0;}
.st-key-tools [data-has-shortcut=true] kbd {display: none;}
.st-key-hidden-picture {display: none;}
[data-testid=stDialog] h3 {font-size: 1.2rem !important;}
@media (max-width: 760px) {
  [class*=st-key-wide-] {display: none;}
  [class*=st-key-sideways-] {overflow-x: auto;}
  [class*=st-key-sideways-] > * {min-width: 630px;}}
@media (min-width: 761px) {[class*=st-key-narrow-] {display: none;}}
.st-key-sheet {background: light-dark(#DDDCD8, #35342F); padding: clamp(.5rem, 3vw, 2rem); border-radius: .5rem;}
.st-key-sheet iframe {display: block; max-width: 740px; margin: auto; background: #FFFFFF;
  mask-image: linear-gradient(#000 calc(100% - 2.5rem), transparent);}
"""
MAX_OFFERED = 300  # limit of offered features, the most frequent ones
NEEDS_TABLE, NEEDS_FEATURES = ("data", "study"), ("similarity",)  # pages by their requirements
NEEDS_RESULTS = ("stability", "panel", "pareto", "whatif", "maps", "feature_count", "report")
HIDDEN_PAGES = ("feature_profile", "check")  # opened from a feature, from Start
RUNNING_SECONDS, IDLE_SECONDS = 2.0, 5.0  # seconds between two checks
N_REDRAWS = 10  # number of redraws while a study runs, because jumping numbers are unreadable


@contextmanager
def app_page(page):
    """Run a page by its name: open its project, and show errors as sentences."""
    st.html(f"<style>{STYLE_SHEET}{STYLE}</style>")
    people.require_sign_in()
    with session.counted_rerun():
        named = session.sync_with_address()
        with show_errors():
            address.read_or_write(named)
            highlights.sync_with_address()
        undoing.record_changes()
        st.session_state.pop(session.RERUN_PAGE, None)
        st.session_state[session.INSIDE_APP], st.session_state[session.PAGE] = True, page
        try:
            with show_errors():
                yield
        finally:
            st.session_state[session.INSIDE_APP] = False
            address.write()
            undoing.record_program_changes()


def page_visibilities() -> dict[str, Literal["visible", "hidden"]]:
    """{page: "visible" or "hidden"} in the menu. A page is visible if it has something to show."""
    table = results = True  # the page shows the error of settings that cannot be read
    with suppress(InputError):
        project = session.project_of_address()
        table, results = project is not None and project.table_file is not None, project is not None and project.has_results
    shown = {**dict.fromkeys(NEEDS_TABLE, table), **dict.fromkeys(NEEDS_FEATURES, table or results)}
    shown |= {**dict.fromkeys(NEEDS_RESULTS, results), **dict.fromkeys(HIDDEN_PAGES, False)}
    return {page: "visible" if has_something else "hidden" for page, has_something in shown.items()}


def show_title(text, then=None, detour=False):
    """The head of every page: its question, undo and redo, the glossary, links, and the usual next page.

    then: (page, title) of the main button. detour: a side page, whose button back is white.

    After a start of the server, a bookmarked page runs without app.py, because Streamlit takes a folder named pages for its own.
    The page then switches to app.py, which runs it again.
    """
    if not st.session_state.get(session.INSIDE_APP):
        runpy.run_path(str(Path(__file__).resolve().parents[2] / "app.py"), run_name="__main__")
        st.stop()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="head"):
        st.title(text, anchor=False)
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="right", width="content", gap="small", key="tools"
        ):
            if session.project_or_none() is not None:
                undoing.show_buttons()
            glossary.show_button()
            if session.project_or_none() is not None:
                links.show_popover()
            if then is not None:
                page, name, icon = f"pages/{then[0]}.py", f"Next: {then[1]}", ":material/arrow_forward:"
                if st.button(name, key="next", type="secondary" if detour else "primary", icon=icon, icon_position="right"):
                    st.switch_page(page)


def show_sidebar():
    """The open project, running studies, and choices for all screens."""
    people.show_person()
    if st.session_state.pop(session.UNKNOWN_PROJECT, False):
        st.warning(
            "The address names no project that you can open. It was deleted, made elsewhere, or belongs to somebody else. Your "
            "projects are on Start."
            if has_sign_in()
            else "The address names a project that is not on this computer. It was deleted, or made elsewhere. Projects of this "
            "computer are on Start.",
            icon=":material/search_off:",
        )
    project = session.project_or_none()
    if project is None:
        return
    with st.sidebar:
        try:
            st.markdown(f"**{plain(project.title)}**")
            if change := scenarios.describe_change():
                st.info(plain(change), icon=":material/sync:")
            watch_project(project)
            _show_scenario_switch()
            _show_highlighted()
        except InputError:  # the page shows the error, and the sidebar offers to close the project
            st.caption(":material/warning: A part of this project cannot be read.")
        if project.read_only_since is None:
            _show_delete_button(project)
        else:
            links.show_read_only_note(project)


def _show_delete_button(project):
    who = (
        "only you can open it, signed in" if has_sign_in() else "anybody who has it and may use this server can change the project"
    )
    with st.popover("Delete project", icon=":material/delete:", type="tertiary"):
        st.write(
            f"Deletes table, settings and results from {people.describe_home()}, and all read-only copies. This cannot be undone."
        )
        st.caption(f"To keep it, keep the address of this page: {who}.")
        if st.button("Delete project", key="forget"):
            project.delete()
            session.close_project()
            st.switch_page("pages/start.py")


def _show_scenario_switch():
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


def offered_features(results) -> list[str]:
    """Features to choose from: the highlighted ones, then the most frequent ones."""
    often = results.selections(results.finished_selectors[0]).counts.argsort(kind="stable")[::-1][:MAX_OFFERED]
    return list(dict.fromkeys([*highlights.highlighted_features(), *(results.features[i] for i in often)]))


def _show_highlighted():
    """The highlighted features. A few of many thousands are offered, and figures highlight more by a click."""
    results = cache.results()
    if results is None or not results.finished_selectors:
        return
    picked, few = highlights.highlighted_features(), len(results.features) <= MAX_OFFERED
    st.session_state[session.HIGHLIGHTED_CHOICE] = picked
    st.multiselect(
        "Highlighted features",
        offered_features(results),
        key=session.HIGHLIGHTED_CHOICE,
        on_change=_set_highlighted,
        accept_new_options=not few,
        placeholder=f"Click a figure, {'or choose' if few else 'choose or type'}",
        help=glossary.describe_term("highlighted")
        + f"\n\nThe {MAX_OFFERED} features selected most often are offered. Type the name of any other." * (not few),
    )
    if picked:
        st.page_link("pages/feature_profile.py", label="Feature profile", icon=":material/badge:")


def _set_highlighted():
    """Highlight the choice of the sidebar. A typed name may be unknown."""
    chosen, features = st.session_state[session.HIGHLIGHTED_CHOICE], set(cache.features() or ())
    for name in chosen:
        if name not in features:
            st.toast(describe_unknown_feature(name, features), icon=":material/search_off:")
    highlights.set_highlighted([name for name in chosen if name in features])


def watch_project(project):
    """Check every few seconds, and draw the screen again after a change."""
    running = project.is_running
    seen = _screen_state(project)

    @st.fragment(run_every=RUNNING_SECONDS if running else IDLE_SECONDS)
    def check():
        with session.read_once(), show_errors():
            now = session.project_or_none()
            if now is not None and (_screen_state(now) != seen or scenarios.has_changed_elsewhere()):
                st.rerun()
            if running:
                _show_progress(project)

    check()


def _screen_state(project) -> tuple:
    """Everything else that screens depend on: the theme, the running study and its progress in tenths."""
    running = project.is_running
    result = cache.last_study(project) if running else None
    return figures.is_dark(), running, _study_progress(result)[2] if result else 0


def _study_progress(result) -> tuple:
    """(finished tasks, all tasks, finished tenths) of a study."""
    done = int(result.progress()[["done", "failed"]].to_numpy().sum())
    return done, result.total, N_REDRAWS * done // max(1, result.total)


def _show_progress(project):
    if project.queue_position is not None:
        st.caption(":material/hourglass_top: A study is waiting for its turn.")
        return
    result = cache.last_study(project)
    if result is None:
        st.caption(":material/play_circle: A study is starting.")
        return
    done, total, _ = _study_progress(result)
    left = result.seconds_left(default_workers())
    time_left = "" if left is None else f", about {format_duration(left)} left"
    if project.settings.get("trial"):
        st.caption(":material/timer: A trial is running.")
    else:
        st.progress(done / total, text=f"Study: {done} of {total} tasks{time_left}")
