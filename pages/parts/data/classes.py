"""Data: classes of the outcome are merged into one, or their rows are left out, without going back to the file."""

from __future__ import annotations

import streamlit as st

from pages.parts import cache, callbacks, session, text
from stabcore.io.choices import Mend
from stabcore.io.mends import levels_of
from stabcore.wording import listed

CHOSEN, MERGED = "classes-chosen", "classes-merged"
MOST = 20


def merge(target):
    """Merge or leave out classes; target: the outcome, which has classes and whose cells were read as texts."""
    raw = cache.reading().written.texts.get(target)
    if raw is None or session.workspace().sample:       # the table of a bundled study stays as it is
        return
    now = _texts_of_classes(target, raw)
    if not 3 <= len(now) <= MOST:
        return
    with st.expander("Merge classes of the outcome, or leave some out", key="classes", icon=":material/merge_type:"):
        chosen = [name for name in st.multiselect("Which classes?", list(now), key=CHOSEN) if name in now]
        into = st.text_input("Name of the merged class", value=" or ".join(chosen), key=f"{MERGED}-{'-'.join(chosen)}")
        first, second = st.columns(2)
        cells = tuple(cell for name in chosen for cell in now[name])
        rest = len(now) - len(chosen)
        first.button("Merge these classes", key="merge-classes", disabled=len(chosen) < 2 or rest < 1 or not into.strip(),
                     on_click=_decide, args=(Mend("as", (target,), cells, into=into.strip()),), width="stretch")
        second.button("Leave out their rows", key="leave-out-classes", disabled=not chosen or rest < 2, on_click=_decide,
                      args=(Mend("missing", (target,), cells),), width="stretch")
        if chosen:
            st.caption(text.plain(f"Chosen: {listed(chosen)}. Each decision can be undone above."))


def _texts_of_classes(target, raw):
    """{class as it is now: the texts of the file that are read as it}."""
    column, (levels, _, codes) = cache.reading().frame[target], levels_of(raw)
    pairs = {(str(value), levels[code]) for value, gone, code in zip(column, column.isna(), codes) if code >= 0 and not gone}
    of = {}
    for name, cell in sorted(pairs):
        of.setdefault(name, []).append(cell)
    return of


@callbacks.of_work
def _decide(mend):
    session.workspace().save(choices=cache.choices().mended(mend).settings())
    st.session_state.pop(CHOSEN, None)
