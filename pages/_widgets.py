"""The same control, the same everywhere: words made safe, messages, figures with the table behind them."""

from __future__ import annotations

import re
import runpy
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from pages import _highlighted, _loaded, _scenarios, _state
from stabcore.basis import by_whom
from stabcore.errors import InputError
from stabcore.figures.style import CONFIG
from stabcore.inference import ENOUGH
from stabcore.words import several

MOST_SHOWN = 2000
MOST_OFFERED = 300          # highlighted features are chosen among the most often selected
FROM_THE_SAME_ROWS = ("These correlations are estimated from the same rows and taken as known here; how far that moves the "
                      "numbers can be asked on What if?")
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])")
_LINKED = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)


def plain(text) -> str:
    """Text from somebody's data for a Markdown surface: shown as it is, never as markup, link or image."""
    unlinked = _LINKED.sub("\u200b", " ".join(str(text).split()))       # bare addresses become links even when escaped
    return _SPECIAL.sub(r"\\\1", unlinked)


@contextmanager
def inside_app(page):
    """Around every page, which is told its name: its work is found, and what goes wrong becomes a sentence."""
    with _state.one_rerun():
        _state.remember()
        _highlighted.remember()
        st.session_state.pop(_state.EVERYWHERE, None)
        st.session_state[_state.INSIDE], st.session_state[_state.PAGE] = True, page
        try:
            with sentences():
                yield
        finally:
            st.session_state[_state.INSIDE] = False


def title(text):
    """The head of every page.

    Right after a start of the server, a bookmarked page is run without app.py (Streamlit takes a folder named pages for
    pages of its own); the page then hands over to app.py, which runs it again as one of its pages.
    """
    if not st.session_state.get(_state.INSIDE):
        runpy.run_path(str(Path(__file__).resolve().parent.parent / "app.py"), run_name="__main__")
        st.stop()
    st.title(text)


@contextmanager
def sentences():
    """Turn an InputError, wherever it was raised, into its sentence on the page."""
    try:
        yield
    except InputError as error:
        st.error(plain(error), icon=":material/error:")


def alive(draw):
    """Draw a part of a page that answers to its own controls: what is beside it is neither computed nor sent anew.

    Where a control also changes what is beside it, as highlighted features do, the whole page follows.
    """
    @st.fragment
    def part():
        if st.session_state.pop(_state.EVERYWHERE, False):
            st.rerun()
        with _state.one_rerun(), sentences():
            draw()

    part()


def number(value) -> str:
    """A stability as it stands in a tile."""
    return f"{value:z.3f}" if value == value else "undefined"


def notes(said):
    """What was assumed while reading, one line each."""
    for sentence in said:
        st.caption(plain(sentence))


def need(found, what, page, label):
    """Stop the page with the way out when something is not there yet."""
    if found is None:
        st.info(what, icon=":material/info:")
        st.page_link(page, label=label, icon=":material/arrow_forward:")
        st.stop()
    return found


def need_result():
    """The runs to look at, or the way to get some."""
    found = need(_loaded.result(), "There are no results to look at yet. Open a bundled study, run one, or bring selections.",
                 "pages/start.py", "Go to Start")
    if not found.ready:
        why = found.most_frequent_failure()
        st.info(plain(f"No selector has finished two runs{'. ' + why if why else ' yet; agreement needs at least two.'}"),
                icon=":material/hourglass_top:")
        st.page_link("pages/study.py", label="See how the study gets on", icon=":material/arrow_forward:")
        st.stop()
    st.caption(plain(found.sentence()))
    notes(found.notes)
    for said in by_whom(missing_runs(found), unless_all=False):
        st.caption(f":material/warning: {plain(said)}")
    if _loaded.changed_since():
        st.warning("The table or what was chosen on Data has changed since these runs: they are shown as they were.",
                   icon=":material/history:")
    return found


def missing_runs(found) -> dict[str, str]:
    """{selector: what its numbers rest on} of those of which runs failed or are not finished."""
    return found.missing_runs().set_index("selector")["sentence"].to_dict()


def of_planned(found, labels) -> list[str]:
    """How many runs each of these selectors rests on, as it stands in a table: 82 of 100."""
    missing = found.missing_runs().set_index("selector")
    return [f"{missing['runs'][one]} of {missing['planned'][one]}" if one in missing.index else f"{found.preferences(one).n_runs}"
            for one in labels]


def score_notes(table, whose=""):
    """Beside accuracies, of a result table: the classes that they cannot speak of."""
    for said in by_whom(table["accuracy_note"].to_dict()):
        st.warning(plain(whose + said), icon=":material/warning:")


def figure(drawn, finding, frame, name, key=None, pick=None, by="customdata", lasso=False):
    """A figure under the sentence it shows, with its numbers in a table behind it.

    frame: a DataFrame, or what makes one when it is asked for.
    pick: called with the customdata (or what else `by` names) of the points that a person clicked or marked, before the page is
    drawn anew.
    lasso: may points also be marked by drawing around them?
    """
    key = key or name
    st.markdown(f"**{plain(finding)}**")
    if pick is None:
        st.plotly_chart(drawn, key=key, config=CONFIG, alt=finding)
    else:
        def marked():
            points = st.session_state[key]["selection"]["points"]
            pick([point.get(by) for point in points])

        buttons = {"modeBarButtonsToRemove": ["sendDataToCloud"]} if lasso else {}
        if lasso:
            drawn.update_layout(dragmode="select", clickmode="event+select")
        st.plotly_chart(drawn, key=key, config={**CONFIG, **buttons}, alt=finding, on_select=marked,
                        selection_mode=("points", "box", "lasso") if lasso else ("points", "box"))
    rows = "" if callable(frame) else f" ({len(frame):,} rows)"
    table(frame if callable(frame) else lambda: frame, name, f"The numbers behind this picture{rows}")


@st.fragment
def table(make, name, label):
    """A table that is made and sent when it is opened, and can be downloaded as CSV. make: gives the DataFrame."""
    box = st.expander(label, key=f"table-{name}", on_change="rerun")
    if not box.open:
        return
    frame = make()
    with box:
        st.dataframe(frame.head(MOST_SHOWN), hide_index=True, alt=label)
        if len(frame) > MOST_SHOWN:
            st.caption(f"The first {MOST_SHOWN:,} rows; the download holds all.")
        st.download_button("Download as CSV", lambda: csv_bytes(frame), f"{name}.csv", "text/csv", key=f"csv-{name}",
                           on_click="ignore", icon=":material/download:")


def csv_bytes(frame) -> bytes:
    """CSV that a spreadsheet opens safely: a text cell that would start a formula gets a leading apostrophe."""
    def disarmed(cell):
        return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell

    safe = frame.rename(columns=disarmed)
    for column in safe.columns:
        if safe[column].dtype.kind not in "fiub":
            safe[column] = safe[column].map(disarmed)
    return safe.to_csv(index=False).encode("utf-8-sig")


def cardinality(found):
    """The what-if on how many features count as selected; None: what each run really selected."""
    if not all(found.can_rank(label) for label in found.ready):
        return None
    d = len(found.features)
    whole = _state.keep(_state.OTHER_CARDINALITY, lambda **at: st.toggle(
        "What if another number of features were selected?", **at,
        help="The runs kept what they would select with other numbers, so no study has to run again. How well that predicts is "
        "not known; nor is how much each feature counts, where a selector fits its final model to the chosen features."),
        default=False)
    if not whole:
        return None
    k = _state.slide(_state.CARDINALITY, "Features selected in every run", 1, d, default=found.n_selected or max(1, d // 4))
    short = short_rankings(found, found.ready, k)
    if short:
        st.caption(plain(f"Some runs cannot give {k} features, and then as many count as they give: {short}."))
    return k


def short_rankings(found, labels, k) -> str:
    """Those of the selectors of which some runs rank fewer than k features, with how many those rank; empty when none do."""
    short = {label: most for label in labels if (most := found.longest([label])) < k}
    return ", ".join(f"{label} ({several(most, 'feature')})" for label, most in short.items())


def asked_cardinality(found):
    """What `cardinality` gives, on a page that does not ask for it."""
    free = st.session_state.get(_state.OTHER_CARDINALITY) and all(found.can_rank(label) for label in found.ready)
    return st.session_state.get(_state.CARDINALITY) if free else None


def selector_choice(found, key, label, default=0):
    """Choose one of the selectors that have results."""
    if key in st.session_state:
        st.session_state[key] = found.called(st.session_state[key])      # chosen elsewhere, or by its key
    if st.session_state.get(key) not in found.ready:
        st.session_state[key] = found.ready[min(default, len(found.ready) - 1)]
        st.session_state.pop(f"{key}__widget", None)
    return _state.keep(key, lambda **at: st.selectbox(label, found.ready, **at), default=None)


def interval_caveat():
    """What an interval says and does not say; wherever intervals are shown."""
    st.caption("Intervals (95 %) say how much the number would move with other resamples of this dataset; the runs share "
               "rows, so they do not speak of new patients.")


def few_runs_caveat(found):
    """What runs count as in intervals, and where that of nogueira comes from when there are few."""
    if counted := found.preferences(found.ready[0]).counted:
        st.caption(counted)
    if found.n_runs < ENOUGH:
        st.caption(f"With fewer than {ENOUGH} runs Nogueira has the interval of the jackknife, as all others have: in simulations "
                   "the published one held the truth too seldom (with 10 runs 83 times of 100, with 3 runs 46).")


def relation_line(found=None):
    """Which features stand for each other now, what makes that hard to read, and the way to change it.

    found: the runs whose effective stability stands on the page.
    """
    now = _scenarios.chosen()
    st.caption(f"For the effective stability: {plain(now.sentence(_loaded.relation()))}" + (
        f" {FROM_THE_SAME_ROWS}" if now.base == "correlation" else ""))
    for sentence in _loaded.cautions() if found is not None else ():
        st.caption(f":material/warning: {plain(sentence)}")
    st.page_link("pages/groups.py", label="Change which features stand for each other", icon=":material/hub:")


def sidebar():
    """What is loaded, where it can be found again, and how to get rid of it."""
    here = _state.workspace()
    if here is None:
        return
    with st.sidebar:
        st.caption("Loaded")
        st.markdown(f"**{plain(here.settings.get('name') or 'untitled')}**")
        if here.running:
            st.caption(":material/play_circle: A study is running.")
        _scenario_switch()
        _picked_features()
        st.caption("Everything stays on this computer. Keep the address of this page to come back to it.")
        with st.popover("Forget this work", icon=":material/delete:"):
            st.write("Deletes the uploaded table, the settings and the results from this computer. This cannot be undone.")
            if st.button("Delete for good", key="forget"):
                here.forget()
                st.session_state.clear()
                st.query_params.clear()
                st.switch_page("pages/start.py")


def _scenario_switch():
    """Which of the scenarios of C every screen uses now."""
    kept = _scenarios.every()
    if len(kept) < 2:
        return
    st.session_state["scenario-switch"] = _scenarios.chosen_name()
    st.selectbox("What stands for what", kept, key="scenario-switch", help="Scenarios of C, made on Groups & C.",
                 on_change=lambda: _scenarios.choose(st.session_state["scenario-switch"]))


def offered(found) -> list[str]:
    """Features to choose from: those highlighted, then the most often selected."""
    often = found.preferences(found.ready[0]).counts.argsort(kind="stable")[::-1][:MOST_OFFERED]
    return list(dict.fromkeys([*_highlighted.picked(), *(found.features[i] for i in often)]))


def _picked_features():
    """The features that are highlighted on every screen; few of many thousands are offered, more can be clicked in pictures."""
    found = _loaded.result()
    if found is None or not found.ready:
        return
    picked = _highlighted.picked()
    st.session_state["picked__widget"] = picked
    st.multiselect("Highlighted features", offered(found), key="picked__widget", placeholder="Click one in a picture, or choose",
                   on_change=lambda: _highlighted.pick(st.session_state["picked__widget"]))
    if picked:
        st.page_link("pages/passport.py", label="All about them", icon=":material/badge:")
