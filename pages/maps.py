"""Maps: run by run, which features were selected and how much each counted."""

import streamlit as st

from pages import _state, _widgets
from stabcore.figures.maps import ORDERS, draw_grid, draw_rectangles, finding_grid, finding_rectangles, frame_grid, frame_rectangles

_widgets.title("What did each run select?")
found = _widgets.need_result()
k = _widgets.cardinality(found)
relation = _state.relation()

left, right = st.columns(2)
with left:
    label = _widgets.selector_choice(found, _state.EXPLORED, "Selector")
with right:
    order = st.selectbox("Order of the features", ORDERS, format_func=ORDERS.get, key="order")
runs = found.preferences(label, k)

st.subheader("Which features, in which runs", divider="gray")
st.caption("One row a run, one column a feature; a filled cell was selected. Unbroken columns are features that always come back "
           "(Kalousis grid).")
grid = frame_grid(runs, relation, order)
_widgets.figure(draw_grid(grid), finding_grid(grid, runs.n_features), grid, "grid")

st.subheader("How much each feature counted", divider="gray")
if runs.weights is None:
    st.info("These runs carry no importances, so every selected feature counts the same.", icon=":material/info:")
st.caption("One bar a run; the width of a piece is the importance of a feature, the features selected most often on the left. "
           "Colours that stay in line are importance you can count on (Hamer–Dupont map).")
most = st.slider("Features drawn one by one", 5, 80, 40, key="pieces")
rectangles = frame_rectangles(runs, relation, most)
_widgets.figure(draw_rectangles(rectangles), finding_rectangles(rectangles), rectangles, "rectangles")
