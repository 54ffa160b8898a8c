"""Groups & C: which features stand for each other. A what-if: every number follows at once, no study runs again."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from pages import _state, _widgets
from stabcore.correlation import METHODS
from stabcore.reading import read_groups
from stabcore.scenario import BASES

MOST_IN_GRID = 60

_widgets.title("Which features stand for each other?")
names = _widgets.need(_state.features(), "Load a table with its outcome, or results, first.", "pages/start.py", "Go to Start")
data, found, now = _state.dataset(), _state.result(), _state.scenario()
has_table = data is not None and data.features == names
st.markdown("If two markers carry the same information, picking one instead of the other is no real disagreement. What you choose "
            "here changes every **effective** number and picture at once, and runs no study again.")


def control(field, widget, *args, **options):
    """A widget that shows one setting of the scenario and changes it."""
    key = f"scenario-{field}"
    st.session_state[key] = getattr(now, field)

    def changed():
        _state.set_scenario(replace(_state.scenario(), **{field: st.session_state[key]}))

    widget(*args, key=key, on_change=changed, **options)


def correlation_controls():
    """From which |ρ| on, of which kind, and how far features stand for each other."""
    left, right = st.columns(2)
    with left:
        control("threshold", st.slider, "Stand for each other from |ρ| =", 0.0, 1.0, step=0.01)
    with right:
        control("method", st.selectbox, "Correlation", METHODS, format_func=METHODS.get)
        control("binary", st.toggle, "Fully, whatever the correlation (off: by |ρ| itself)")
    if data.table.categorical.any():
        st.caption("Categories of three or more levels have no rank correlation and stand for themselves only.")


def group_controls():
    """The group of each feature, as a table to edit or a file to upload."""
    st.caption("One row a feature; features with the same group name stand for each other. Leave the group empty for a feature "
               "that stands alone.")
    of = {feature: group for group, members in now.groups.items() for feature in members}
    listed = pd.DataFrame({"feature": names, "group": [of.get(name, "") for name in names]})

    def regrouped():
        for row, cells in st.session_state["group-table"]["edited_rows"].items():
            listed.loc[int(row), "group"] = (cells.get("group") or "").strip()
        given = listed[listed["group"] != ""]
        _state.set_scenario(replace(now, groups={g: part["feature"].tolist() for g, part in given.groupby("group", sort=False)}))

    st.data_editor(listed, hide_index=True, num_rows="fixed", disabled=["feature"], height=320, key="group-table",
                   on_change=regrouped, alt="The group of each feature")
    uploaded = st.file_uploader("or upload a table with the columns feature and group", key="group-file",
                                type=["csv", "tsv", "txt", "xlsx"])
    if uploaded and st.button("Take the groups from this file", key="take-groups"):
        with _widgets.sentences():
            groups = read_groups(uploaded, names)
            _state.set_scenario(replace(now, groups=groups))
            st.rerun()


def grid_of_pairs(relation):
    """C of a few features to edit; a changed cell changes its mirror image."""
    first = found.preferences(found.ready[0]).counts.argsort()[::-1] if found and found.ready else range(len(names))
    if _state.GRID in st.session_state:             # another column may have been left out since
        st.session_state[_state.GRID] = [name for name in st.session_state[_state.GRID] if name in names]
    shown = _state.keep(_state.GRID, lambda **at: st.multiselect(
        f"Features in the grid (up to {MOST_IN_GRID})", names, max_selections=MOST_IN_GRID, **at),
        default=[names[i] for i in list(first)[:12]])
    position = {name: i for i, name in enumerate(names)}
    if len(shown) < 2:
        return

    def mirror():
        changed = {(shown[int(row)], column): value for row, cells in st.session_state["c-grid"]["edited_rows"].items()
                   for column, value in cells.items() if column in position and column != shown[int(row)] and value is not None}
        if changed:
            _state.set_scenario(now.with_edits(changed))

    grid = pd.DataFrame(relation.block([position[name] for name in shown]), index=shown, columns=shown)
    number = {"min_value": 0.0, "max_value": 1.0, "step": 0.01, "format": "%.2f"}
    st.data_editor(grid, key="c-grid", num_rows="fixed", on_change=mirror, alt="The relation C of the chosen features",
                   column_config={"_index": st.column_config.Column(disabled=True),
                                  **{name: st.column_config.NumberColumn(name, **number) for name in shown}})


bases = [key for key in BASES if key != "correlation" or has_table]
if now.base not in bases:
    now = replace(now, base="none")
control("base", st.radio, "What stands for what?", bases, format_func=BASES.get)
if now.base == "correlation":
    correlation_controls()
elif now.base == "groups":
    group_controls()

relation = _state.relation()
st.success(_widgets.plain(now.sentence(relation)), icon=":material/hub:")

if found is not None and found.ready:
    label = _widgets.selector_choice(found, _state.EXPLORED, "See what it does to")
    row = found.table(["nogueira", "effective"], relation=relation).loc[label]
    classic, effective = st.columns(2)
    classic.metric("Classic stability", f"{row['nogueira']:.3f}")
    change = round(row["effective"] - row["nogueira"], 3)
    effective.metric("Effective stability", f"{row['effective']:.3f}", delta=f"{change:+.3f}" if change else None)
    if row["effective_note"]:
        st.warning(_widgets.plain(row["effective_note"]))

st.subheader("Set single pairs by hand", divider="gray")
st.caption("1: the same; 0: unrelated. Changing a cell changes its mirror image too; the diagonal is always 1.")
grid_of_pairs(relation)
undo, clear = st.columns(2)
earlier = st.session_state.get(_state.UNDO, [])
undo.button("Undo the last change", key="undo", disabled=not earlier, icon=":material/undo:",
            on_click=_state.undo_scenario)
clear.button("Clear all pairs set by hand", key="clear-edits", disabled=not now.edits,
             on_click=lambda: _state.set_scenario(replace(now, edits=())))
_widgets.table(relation.pairs, "relation", f"All related pairs ({relation.n_related:,})")
