"""Groups & C: which features stand for each other. A what-if: every number follows at once, no study runs again."""

from dataclasses import replace

import streamlit as st

from pages.parts import cache, controls, figures, guards, layout, scenarios, session, text
from pages.parts.groups import define, pairs, scenario_bar
from stabcore.analysis.cautions import cautions, on_categories
from stabcore.errors import InputError
from stabcore.figures.relations import draw_relation, finding_relation, frame_relation
from stabcore.relation.correlation import METHODS
from stabcore.relation.excerpt import MOST_SHOWN, excerpt
from stabcore.relation.scenario import BASES
from stabcore.wording import listed, several

layout.title("Which features stand for each other?")
names = guards.require(cache.features(), "Load a table with its outcome, or results, first.", "pages/start.py", "Go to Start")
data, found = cache.matching_data(), cache.result()
st.markdown("If two markers carry the same information, picking one instead of the other is no real disagreement. What you choose "
            "here changes every **effective** number and picture at once, and runs no study again.")


def control(field, widget, *args, **options):
    """A widget that shows one setting of the scenario and changes it."""
    key = f"scenario-{field}"
    session.set_widget(key, getattr(now, field))

    def changed():
        scenarios.change(replace(scenarios.chosen(), **{field: st.session_state[key]}))

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
        st.caption(text.plain(on_categories(data)))


def built():
    """The relation of the scenario; where it cannot be made, why, and the way out."""
    try:
        return cache.relation()
    except InputError as error:
        st.error(text.plain(error), icon=":material/error:")
    strangers = now.unknown(names)
    if strangers:
        st.button(f"Take out what is not a feature here: {text.plain(listed(strangers, 3))}", key="take-out",
                  on_click=lambda: scenarios.change(now.among(names)))
    st.stop()


def effect(relation):
    """What the relation does to one selector, and what to keep in mind."""
    runs = None
    if found is not None and found.ready:
        label = controls.selector_choice(found, session.EXPLORED, "See what it does to")
        k = controls.asked_cardinality(found)
        runs = found.preferences(label, k)
        row = cache.effect(runs)
        classic, effective = st.columns(2)
        classic.metric("Classic stability", text.number(row["nogueira"]))
        change = round(row["effective"] - row["nogueira"], 3)
        effective.metric("Effective stability", text.number(row["effective"]),
                         delta=f"{change:+.3f}" if change and not row["note"] else None)
        if k is not None:
            st.caption(f"With {several(k, 'feature')} in every run, the what-if of the other screens.")
        if row["note"]:
            st.warning(text.plain(f"Undefined: {row['note']}."))
    for sentence in cautions(relation, runs):
        st.warning(text.plain(sentence), icon=":material/warning:")


def heat_map(relation):
    """C of the features that matter most, those that go together side by side."""
    st.subheader("C as a picture", divider="gray")
    seen = excerpt(relation, cache.counts())
    if len(names) > MOST_SHOWN:
        st.caption(f"Of {len(names):,} features the {MOST_SHOWN} that were selected most often are drawn; where there are no "
                   "selections, those that stand for most others.")
    st.caption("The fuller the colour of a square, the more its two features stand for each other. Columns are in the order of the "
               "rows.")
    figures.figure(draw_relation(frame_relation(seen, names)), finding_relation(seen, names), lambda: frame_relation(seen, names),
                    "heat")


scenario_bar.bar(names, data)
now = scenarios.chosen()
bases = [key for key in BASES if key != "correlation" or data is not None]
if data is None and session.workspace().settings.get("table") and not session.workspace().settings.get("roles"):
    st.info("Once the outcome of the table is chosen on Data, its correlations can say what stands for what.",
            icon=":material/info:")
    st.page_link("pages/data.py", label="Choose the outcome on Data", icon=":material/arrow_forward:")
if data is None and cache.dataset() is not None:
    st.info("Correlations cannot be asked for: the results are about other features than those that are chosen on Data now.")
if now.base not in bases:
    st.info("This scenario asks for correlations, which need the data table with the features of the results.")
    now = replace(now, base="none")
    scenarios.change(now)
control("base", st.radio, "What stands for what?", bases, format_func=BASES.get)
if now.base == "correlation":
    correlation_controls()
elif now.base == "groups":
    define.controls(now, names, data)
elif now.base == "sets":
    define.overlapping(now, names)
elif now.base == "matrix":
    pairs.matrix_controls(now, names)

relation = built()
st.success(text.plain(now.sentence(relation)), icon=":material/hub:")
effect(relation)
heat_map(relation)
pairs.by_hand(now, names, relation)
figures.table(relation.pairs, "relation", f"The related pairs, largest first ({relation.n_related:,})")
