"""The papers, live: a figure or table of a paper, made again, with what the paper found and whether it shows here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import figures, people, session, text
from stabcore.wording import duration

if TYPE_CHECKING:
    from stabcore.papers.exhibit import Shown

LESSONS, PAPERS = "lessons", "papers"
PARTS = {LESSONS: "Lessons", PAPERS: "The papers, live"}
FOLDER = "papers"           # where studies that take long are kept, among the works


def read_address():
    """Open the figure or table that the address names, unless this screen wrote it there."""
    asked = st.query_params.get("paper")
    if asked is not None and asked != st.session_state.get(session.PAPER_ADDRESS):
        st.session_state[session.LEARN], st.session_state[session.PAPER] = PAPERS, asked


def part():
    """Choose an exhibit, make it, and say what shows."""
    from stabcore.papers.catalog import EXHIBITS

    exhibit = EXHIBITS[_choose(EXHIBITS)]
    st.header(text.plain(f"{exhibit.number}. {exhibit.title}"), divider="gray")
    st.markdown(f"**In the paper.** {text.plain(exhibit.told)}")
    st.caption(f"Here: {text.plain(exhibit.here)} {text.plain(exhibit.paper)}.")
    result = _made(exhibit)
    if result is not None:
        _show(result)
    st.markdown("**The same with my data**")
    st.page_link(exhibit.page, label=exhibit.page_label, icon=":material/arrow_forward:")
    _from_the_shell(exhibit)


def _from_the_shell(exhibit):
    """What is a settings file of it, and how it is made again without a browser."""
    own = " Add --folder and a folder of your own tables, each a settings file with its results." if exhibit.tables else ""
    st.caption(f"{exhibit.rests_on} Without a browser it is made by this.{own}")
    st.code(f"python -m stabcore papers {exhibit.key}", language=None)
    if exhibit.protocol:
        st.download_button("Its settings file", lambda: _source().settings_text(exhibit.protocol), f"{exhibit.protocol}.toml",
                           "text/plain", key="paper-settings", on_click="ignore", icon=":material/download:")


def _choose(exhibits):
    """The exhibit that is open, paper by paper; the address names it."""
    papers = list(dict.fromkeys(one.paper for one in exhibits.values()))
    names = {key: f"{one.paper}: {one.number}. {one.title}" for key, one in sorted(
        exhibits.items(), key=lambda item: papers.index(item[1].paper))}
    key = session.kept(session.PAPER, lambda **at: st.selectbox("Figure or table", list(names), format_func=names.get, **at),
                       next(iter(names)), names)
    st.query_params["paper"] = st.session_state[session.PAPER_ADDRESS] = key
    return key


def _made(exhibit) -> Shown | None:
    """What it came out as: at once, or once it was asked for, with how far it is meanwhile."""
    kept = _kept()
    if exhibit.key not in kept:
        if exhibit.seconds and not st.button(f"Make it (about {duration(exhibit.seconds)})", key=f"make-{exhibit.key}",
                                             type="primary", icon=":material/play_circle:"):
            st.caption("It is computed on this computer. You may leave meanwhile: what is done of a study is kept, and it goes on "
                       "from there the next time.")
            return None
        with text.sentences():
            kept[exhibit.key] = _make(exhibit)
        if exhibit.seconds and exhibit.key in kept:
            st.rerun(scope="fragment")          # without the button
    return kept.get(exhibit.key)


def _make(exhibit):
    """At once, or when it has its turn among the studies that run on this computer."""
    from stabcore.app.queue import place_words, turn
    from stabcore.app.workspace import home
    from stabcore.papers.exhibit import shown

    if not exhibit.seconds:
        return shown(exhibit, _source())
    bar = st.progress(0.0, "It begins …")
    with turn(home(), f"paper-{exhibit.key}", people.who() or "",
              lambda run, wait: bar.progress(0.0, place_words("This", run, wait))):
        result = shown(exhibit, _source(), lambda done, total: bar.progress(done / max(total, 1), f"{done} of {total} done"))
    bar.empty()
    return result


@st.cache_resource(show_spinner=False)
def _kept() -> dict:
    """{exhibit: Shown} of all that was made since the program started: the same for everybody."""
    return {}


@st.cache_resource(show_spinner=False)
def _source():
    from stabcore.app.samples import SAMPLES
    from stabcore.app.workspace import home
    from stabcore.papers.source import Source

    return Source(SAMPLES, kept=home() / FOLDER)


def _show(result):
    from stabcore.figures.papers import draw_exhibit, finding_exhibit, frame_exhibit
    from stabcore.papers.exhibit import TABLE
    from stabcore.papers.tried import tried

    frame, exhibit = frame_exhibit(result), result.exhibit
    if exhibit.kind == TABLE:
        st.markdown(f"**{text.plain(finding_exhibit(result))}**")
        figures.numbers(frame.round(3), hide_index=True, alt=exhibit.title)
    else:
        figures.figure(draw_exhibit(frame, exhibit), finding_exhibit(result), frame, exhibit.key, of=exhibit.title)
    for claim, holds, numbers in result.claims:
        trials = tried(exhibit.key, claim)
        mark = ":material/check_circle: Shows here" if holds else ":material/cancel: Does not show here"
        mark += trials.mark(holds) if trials else ""
        st.markdown(f"- {text.plain(claim)} {mark}: {text.plain(numbers)}."
                    + (f" :gray[{text.plain(trials.sentence)}]" if trials else ""))
    st.caption("Whether something shows is computed from the numbers above. One table or a few are no proof of a claim, nor "
               "against it. The trials with other seeds were made beforehand, some of them with fewer runs.")
