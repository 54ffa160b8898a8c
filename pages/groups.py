"""Groups & C: which features stand for each other. A what-if: every number follows at once, no study runs again."""

from dataclasses import replace

import streamlit as st

from pages import _groups_define, _groups_pairs, _groups_scenarios, _loaded, _scenarios, _state, _widgets
from stabcore.cautions import cautions, on_categories
from stabcore.correlation import METHODS
from stabcore.errors import InputError
from stabcore.figures.relations import draw_relation, finding_relation, frame_relation
from stabcore.overview import MOST_SHOWN, look
from stabcore.scenario import BASES
from stabcore.words import listed, several

_widgets.title("Which features stand for each other?")
names = _widgets.need(_loaded.features(), "Load a table with its outcome, or results, first.", "pages/start.py", "Go to Start")
data, found = _loaded.matching_data(), _loaded.result()
st.markdown("If two markers carry the same information, picking one instead of the other is no real disagreement. What you choose "
            "here changes every **effective** number and picture at once, and runs no study again.")


def control(field, widget, *args, **options):
    """A widget that shows one setting of the scenario and changes it."""
    key = f"scenario-{field}"
    _state.show(key, getattr(now, field))

    def changed():
        _scenarios.change(replace(_scenarios.chosen(), **{field: st.session_state[key]}))

    widget(*args, key=key, on_change=changed, **options)


def correlation_controls():
    """From which |ρ| on, of which kind, and how far features stand for each other."""
    left, right = st.columns(2)
    with left:
        control("threshold", st.slider, "Stand for each other from |ρ| =", 0.0, 1.0, step=0.01)
    with right:
        control("method", st.selectbox, "Correlation", METHODS, format_func=METHODS.get)
        control("binary", st.toggle, "Fully, whatever the correlation (off: by |ρ| itself)")
    if on_categories(data):
        st.caption(_widgets.plain(on_categories(data)))


def built():
    """The relation of the scenario; where it cannot be made, why, and the way out."""
    try:
        return _loaded.relation()
    except InputError as error:
        st.error(_widgets.plain(error), icon=":material/error:")
    strangers = now.unknown(names)
    if strangers:
        st.button(f"Take out what is not a feature here: {_widgets.plain(listed(strangers, 3))}", key="take-out",
                  on_click=lambda: _scenarios.change(now.among(names)))
    st.stop()


def effect(relation):
    """What the relation does to one selector, and what to keep in mind."""
    runs = None
    if found is not None and found.ready:
        label = _widgets.selector_choice(found, _state.EXPLORED, "See what it does to")
        k = _widgets.asked_cardinality(found)
        runs = found.preferences(label, k)
        row = _loaded.effect(runs)
        classic, effective = st.columns(2)
        classic.metric("Classic stability", _widgets.number(row["nogueira"]))
        change = round(row["effective"] - row["nogueira"], 3)
        effective.metric("Effective stability", _widgets.number(row["effective"]),
                         delta=f"{change:+.3f}" if change and not row["note"] else None)
        if k is not None:
            st.caption(f"With {several(k, 'feature')} in every run, the what-if of the other screens.")
        if row["note"]:
            st.warning(_widgets.plain(f"Undefined: {row['note']}."))
    for sentence in cautions(relation, runs):
        st.warning(_widgets.plain(sentence), icon=":material/warning:")


def heat_map(relation):
    """C of the features that matter most, those that go together side by side."""
    st.subheader("C as a picture", divider="gray")
    seen = look(relation, _loaded.counts())
    if len(names) > MOST_SHOWN:
        st.caption(f"Of {len(names):,} features the {MOST_SHOWN} that were selected most often are drawn; where there are no "
                   "selections, those that stand for most others.")
    st.caption("The fuller the colour of a square, the more its two features stand for each other. Columns are in the order of the "
               "rows.")
    _widgets.figure(draw_relation(frame_relation(seen, names)), finding_relation(seen, names), lambda: frame_relation(seen, names),
                    "heat")


_groups_scenarios.bar(names, data)
now = _scenarios.chosen()
bases = [key for key in BASES if key != "correlation" or data is not None]
if data is None and _loaded.dataset() is not None:
    st.info("Correlations cannot be asked for: the results are about other features than those that are chosen on Data now.")
if now.base not in bases:
    st.info("This scenario asks for correlations, which need the data table with the features of the results.")
    now = replace(now, base="none")
    _scenarios.change(now)
control("base", st.radio, "What stands for what?", bases, format_func=BASES.get)
if now.base == "correlation":
    correlation_controls()
elif now.base == "groups":
    _groups_define.controls(now, names, data)
elif now.base == "matrix":
    _groups_pairs.matrix_controls(now, names)

relation = built()
st.success(_widgets.plain(now.sentence(relation)), icon=":material/hub:")
effect(relation)
heat_map(relation)
_groups_pairs.by_hand(now, names, relation)
_widgets.table(relation.pairs, "relation", f"The related pairs, largest first ({relation.n_related:,})")
