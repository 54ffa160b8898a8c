"""C pair by pair: a matrix from a file, a small symmetric grid, and a list of pairs of any features."""

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import cache, scenarios, session
from pages.parts.controls import is_unfolded
from pages.parts.similarity.scenario import show_effect_numbers
from pages.parts.text import plain, show_errors, show_notes
from stabcore.base.errors import InputError
from stabcore.similarity.files import read_similarity
from stabcore.similarity.scenario import edits_from_cells, edits_from_rows

MAX_IN_GRID = 60
MAX_OFFERED = 500  # features in a menu. Beyond, names are typed
COLUMNS = ["feature", "other feature", "C"]


def show_matrix_upload(view):
    """Upload C, and show how it was read."""
    now = view.scenario
    st.caption(
        "A square table with the feature names on its sides, or a list with the columns feature_a, feature_b, value. Values are "
        "between 0 (unrelated) and 1 (the same). Missing pairs count as 0."
    )
    uploaded = st.file_uploader("Similarity matrix", key="matrix-file")
    if uploaded and st.button("Use matrix", key="take-matrix", type="primary"):
        with show_errors():
            content = uploaded.getvalue()
            read = read_similarity(content, uploaded.name, view.names)  # a wrong file changes nothing
            new = replace(now, matrix=session.project().save_upload(uploaded.name, content))
            cache.store_matrix(new, read)
            scenarios.change(new)
            st.rerun()
    if now.matrix:
        with show_errors():
            reading = cache.matrix_reading(now)
            show_notes(reading.notes if reading else ())


def show_pairs(view):
    """Single pairs as a grid of a few features or as a list, beside the resulting stability."""
    if refused := st.session_state.pop(session.GRID_REFUSED, ""):
        st.error(plain(refused), icon=":material/error:")
    opened = is_unfolded("fine-tune", session.PAIRS_BY, session.GRID, also=bool(view.scenario.edits))
    with st.expander("Edit pairs", key="fine-tune", expanded=opened):
        pairs_of, beside = st.columns([4, 1])
        with pairs_of:
            _show_ways(view)
        with beside:
            show_effect_numbers(view)


def _show_ways(view):
    ways = {"grid": f"Grid of up to {MAX_IN_GRID} features", "list": "List of pairs"}
    way = st.segmented_control(
        "Show as", ways, required=True, format_func=ways.__getitem__, **session.bound(session.PAIRS_BY, "grid", ways)
    )
    if way == "grid":
        show_grid(view)
    else:
        show_pair_list(view)
    st.button(
        "Clear pairs",
        key="clear-edits",
        disabled=not view.scenario.edits,
        on_click=scenarios.change,
        args=(replace(view.scenario, edits=()),),
    )


def show_grid(view):
    """C of a few features, to edit. A changed cell changes its mirror image."""
    st.caption("1: the same. 0: unrelated. A changed cell changes its mirror image, too. The diagonal is always 1.")
    shown = _ask_features(view.names)
    if len(shown) < 2:
        st.info("Choose two features or more.", icon=":material/info:")
        return
    position = {name: i for i, name in enumerate(view.names)}
    key = scenarios.table_key("c-grid")

    def mirror():
        typed = {
            (shown[int(row)], column): value
            for row, cells in st.session_state[key]["edited_rows"].items()
            for column, value in cells.items()
            if column in position
        }
        new = {
            (a, b): value for (a, b), value in typed.items() if value is None or round(value - values.loc[a, b], 6)
        }  # earlier edits are sent again
        try:
            scenarios.change(view.scenario.with_edits(edits_from_cells(new)), editing=True)
        except InputError as error:
            st.session_state[session.GRID_REFUSED] = f"{error} Nothing was changed."
            scenarios.redraw_tables()
        if any((b, a) in typed and (b, a) not in new for a, b in new):
            scenarios.redraw_tables()  # the mirror image was typed before, and would return

    values = pd.DataFrame(view.similarity.block(shown), index=shown, columns=shown)
    cells: dict[Any, Any] = {"_index": st.column_config.Column(disabled=True)}
    for name in shown:  # no limits here: the grid would silently turn 7 into 1
        cells[name] = st.column_config.NumberColumn(name, step=0.01, format="%.2f")
    st.data_editor(
        values, key=key, num_rows="fixed", on_change=mirror, alt="Similarity of the chosen features", column_config=cells
    )


def _ask_features(names):
    """Choose features among the most frequent ones and those chosen before."""
    counts = cache.selection_counts()
    first = range(len(names)) if counts is None else (-counts).argsort(kind="stable")
    if session.GRID in st.session_state:  # another column may have been left out since
        st.session_state[session.GRID] = [name for name in st.session_state[session.GRID] if name in names]
    offered = [names[i] for i in list(first)[:MAX_OFFERED]]
    chosen = st.session_state.get(session.GRID) or ()
    offered = sorted({*offered, *chosen}, key={name: i for i, name in enumerate(names)}.__getitem__)
    shown = st.multiselect(
        f"Choose features (up to {MAX_IN_GRID})",
        offered,
        max_selections=MAX_IN_GRID,
        **session.bound(session.GRID, [names[i] for i in list(first)[:12]], offered, MAX_IN_GRID),
    )
    if len(offered) < len(names):
        st.caption(f"The {MAX_OFFERED} features selected most often are offered. Use the list for others.")
    return shown


def show_pair_list(view):
    """The pairs set by hand as rows, which apply after a click."""
    now, names = view.scenario, view.names
    st.caption("One row per pair: two features and their similarity, from 0 (unrelated) to 1 (the same).")
    listed = pd.DataFrame(list(now.edits), columns=COLUMNS).astype({COLUMNS[0]: object, COLUMNS[1]: object, COLUMNS[2]: float})
    few = len(names) <= MAX_OFFERED
    name = (lambda label: st.column_config.SelectboxColumn(label, options=list(names))) if few else st.column_config.TextColumn
    edited = st.data_editor(
        listed,
        key=scenarios.table_key("pair-list"),
        num_rows="dynamic",
        hide_index=True,
        alt="Pairs set by hand",
        column_config={
            COLUMNS[0]: name(COLUMNS[0]),
            COLUMNS[1]: name(COLUMNS[1]),
            COLUMNS[2]: st.column_config.NumberColumn(COLUMNS[2], step=0.01, format="%.3f"),
        },
    )
    if st.button("Use pairs", key="take-pairs", type="primary"):
        with show_errors():
            edits = edits_from_rows(edited.itertuples(index=False, name=None), names)
            if edits != now.edits:
                scenarios.change(replace(now, edits=edits))
                st.rerun()
            st.caption(plain("Nothing changed."))
