"""An interval for new patients: computed at once for quick selectors, else by a process of its own once it was asked for."""

import pandas as pd
import streamlit as st

from pages.parts import cache, figures, session, text, words
from pages.workspace.queue import describe_place
from stabcore.errors import InputError
from stabcore.study import new_patients
from stabcore.study.risk_file import INTERVALS, in_study, name_of, read_models
from stabcore.wording import duration

MEASURES, HALVES = ("nogueira", "effective"), ("kappa", "effective")
ENDS = ["patients_low", "patients_high"]
HOW = ("Other patients of the same kind give another value. The study is computed ten times, each time without one fifth of the "
       "patients. The interval (95%) is for the average over such tables. In simulations it held it in 91 to 99 of 100 studies.")
COLUMNS = {"of": st.column_config.TextColumn("Compared"),
           **{name: st.column_config.NumberColumn(label, format="%.2f") for name, label in (
               ("value", "Value"), ("patients_low", "From"), ("patients_high", "To"))},
           "note": st.column_config.TextColumn("Note", width="large")}


def ends(view, measure, of=new_patients.ALL):
    """DataFrame(patients_low, patients_high), one row per selector of which the interval is known without asking; else empty."""
    table = known(view, quick=False)
    return table[(table["measure"] == measure) & (table["of"] == of)].set_index("selector")[ENDS]


def known(view, quick=True):
    """DataFrame(selector, measure, of, value, patients_low, patients_high, note) of all intervals that are there.

    quick: compute those that take no longer than AT_ONCE seconds.
    """
    data, parts = view.own_data(), []
    related = view.relation is not None and view.relation.n_related > 0
    chosen = [[one for one in keys if related or one != "effective"] for keys in (MEASURES, HALVES)]
    for label in view.results.ready if data is not None else ():
        asked = _question(view, data, label)
        pieces = _made(view, data, label, asked, quick) if asked else None
        if pieces:
            table = cache.cached(lambda: new_patients.from_pieces(data, view.results, asked, pieces, *chosen,
                                                                        relation=view.relation),
                                 "patients", asked, len(pieces), view.relation_key)
            if table is not None:
                parts.append(table.assign(selector=label).rename(columns={"low": ENDS[0], "high": ENDS[1]}))
    columns = ["selector", "measure", "of", "value", *ENDS, "note"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def section(view):
    """The table of what is known, and a button for each selector that takes longer."""
    data = view.own_data()
    if data is None or view.results.plan is None:
        st.info("An interval for new patients needs the table that the study was made of.", icon=":material/info:")
        return
    table = known(view)
    if len(table):
        figures.numbers(table.replace({"of": {new_patients.ALL: "all runs", new_patients.HALVES: "two halves"}}), hide_index=True,
                        column_config=COLUMNS, alt="Stability of each selector with an interval for new patients")
    words.tell(HOW)
    left = [label for label in view.results.ready if label not in set(table["selector"])]
    if left:
        with text.sentences():
            _ask(view, data, left)


def _question(view, data, label):
    try:
        return new_patients.question(data, view.results, label, view.k)
    except InputError:
        return None


def _made(view, data, label, asked, quick):
    """The pieces that were kept, or made at once; None where there are none."""
    size = new_patients.size_of(view.results)
    kept = in_study(view.results, asked, size, INTERVALS) or read_models(
        session.workspace().folder / name_of(asked, INTERVALS), asked, size, INTERVALS)
    if kept or not quick or new_patients.seconds(view.results, label) > new_patients.AT_ONCE:
        return kept
    return cache.cached(lambda: new_patients.pieces(data, view.results, asked), "pieces", asked)


def _ask(view, data, left):
    """Which selector, how long it takes, and how far it is. Raises InputError for a table or a plan that has no interval."""
    here = session.workspace()
    if here.patients.running:
        _watch(here)
        return
    if here.patients.words and not here.patients.words.startswith("Done"):
        st.warning(text.plain(here.patients.words), icon=":material/pause_circle:")
    label = st.selectbox("Selector", left, key="patients-selector")
    asked = new_patients.question(data, view.results, label, view.k)
    takes = duration(new_patients.seconds(view.results, label))
    if st.button(f"Compute the interval (about {takes})", key="patients-compute", icon=":material/play_arrow:"):
        here.start_patients(asked, data.choices)
        st.rerun()


def _watch(here):
    """How far it is, every second; the page is drawn anew when it is finished."""
    @st.fragment(run_every=1.0)
    def look():
        if not here.patients.running:
            st.rerun()
        if (before := here.patients.before) is not None:
            st.info(f"{describe_place('The interval', *before)} It starts by itself, also when this page is closed.",
                    icon=":material/hourglass_top:")
        else:
            done, _, total = here.patients.words.partition(" of ")
            share = int(done) / max(int(total), 1) if done.isdigit() and total.isdigit() else 0.0
            st.progress(min(share, 1.0), text=f"{share:.0%} of the runs")
        if st.button("Cancel (what is done is kept)", key="patients-cancel", icon=":material/stop_circle:"):
            here.patients.cancel()

    look()
