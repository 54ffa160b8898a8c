"""Maps: run by run, which features were selected and how much each counted; two selectors side by side."""

import streamlit as st

from pages.parts import cache, controls, figures, guards, highlights, layout, session, text
from stabcore.analysis.seriation import MOST_CLUSTERED
from stabcore.figures.columns import ORDERS, arrange
from stabcore.figures.floor import sentence_often
from stabcore.figures.maps import MOST_CELLS, columns_a_pixel, draw_grid, finding_grid, frame_grid
from stabcore.figures.rectangles import MOST_SEGMENTS, draw_rectangles, finding_rectangles, frame_rectangles


def runs_of(label):
    """(Preferences, numbers of the runs, numbers of their outer folds or None) of the runs of a selector that are shown."""
    runs = found.preferences(label, k)
    numbers, folds = found.run_numbers(label), found.folds(label)
    kept = [i for i in range(runs.n_runs) if not folds or folds[i] not in left_out]
    if len(kept) < runs.n_runs:
        runs = runs.take(kept)
    return runs, [numbers[i] for i in kept], [folds[i] for i in kept] if folds else None


def toggle(seen):
    """What a click on columns does: highlights their features everywhere, or no more."""
    def clicked(positions):
        for position in dict.fromkeys(one for one in positions if one):
            highlights.toggle([found.features[i] for i in seen.members(position - 1)])
    return clicked


def side_by_side(draw):
    """draw(label, name) for each selector, two beside each other."""
    for place, label, name in zip(st.columns(len(labels)), labels, ("", "-2")):
        with place:
            if len(labels) > 1:
                st.markdown(f"##### {text.plain(label)}")
            draw(label, name)


def grid(label, name):
    """The Kalousis grid of one selector."""
    seen = ordered[label]
    part = seen.part(*span) if span else seen
    often = "" if left_out else sentence_often(found, label, found.preferences(label, k).frequencies, k)
    figures.figure(draw_grid(part, len(labels)), f"{finding_grid(part, len(found.features))} {often}".strip(),
                    lambda: frame_grid(part), f"grid{name}", pick=toggle(seen))


def rectangles(label, name):
    """The Hamer–Dupont map of one selector."""
    seen = by_frequency[label]
    frame = frame_rectangles(seen, most)
    if seen.weights is None:
        why = found.preferences(label, k).no_importances
        st.info(text.plain(f"Every selected feature counts the same here: {why or 'these runs carry no importances'}."),
                icon=":material/info:")
    figures.figure(draw_rectangles(frame, seen), finding_rectangles(frame, seen.merged), frame, f"rectangles{name}",
                    pick=toggle(seen))
    if len(frame) > MOST_SEGMENTS:
        st.caption(f"With more than {MOST_SEGMENTS:,} pieces this is a picture: its pieces cannot be clicked and do not say their "
                   "names. Draw fewer features one by one to have that back.")


layout.title("What did each run select?")
found = guards.require_results()
picture = st.container()                                    # above its controls
k = controls.cardinality(found)
relation = cache.relation()
has_groups = relation.labels is not None and len(relation.group_names) > 0

left, right = st.columns(2)
with left:
    labels = [controls.selector_choice(found, session.EXPLORED, "Selector")]
    if len(found.ready) > 1 and session.kept(
            "beside", lambda **at: st.toggle("Compare with another selector", **at), default=False):
        labels.append(controls.selector_choice(found, "explored_beside", "Beside it", default=1))
with right:
    order = session.kept("order", lambda **at: st.selectbox("Order of the features", ORDERS, format_func=ORDERS.get, **at),
                        default="frequency")
    merged = session.kept("merged", lambda **at: st.toggle(
        "Merge the members of each group", disabled=not has_groups, **at,
        help="A column is a group then; it is filled as strongly as many of its members were selected. The groups are those of "
             "Groups & C."), default=False) and has_groups
    if not has_groups:
        st.caption("The chosen scenario has no groups to merge; groups are made on Groups & C.")
left_out = []
folds = sorted({fold for label in labels for fold in found.folds(label) or ()})
if folds:
    st.session_state["folds-left-out"] = [fold for fold in st.session_state.get("folds-left-out", ()) if fold in folds]
    left_out = session.kept("folds-left-out", lambda **at: st.multiselect(
        "Leave outer folds out", folds, max_selections=len(folds) - 1, format_func=lambda fold: f"fold {fold}",
        placeholder="All are shown", **at), default=[])
    if left_out:
        st.caption(f"What if outer fold {', '.join(map(str, sorted(left_out)))} had not been run? Its runs are left blank and "
                   "count nowhere on this page.")

labels = list(dict.fromkeys(labels))
shown = [runs_of(label) for label in labels]


def arranged(order):
    """{selector: Map} with the columns in one order for all of them."""
    runs, numbers, folds = zip(*shown)
    return dict(zip(labels, arrange(list(runs), relation, order, merged=merged, picked=highlights.picked(), runs=numbers,
                                    folds=folds)))


by_frequency = arranged("frequency")
ordered = by_frequency if order == "frequency" else arranged(order)
columns = ordered[labels[0]].columns
never = [name for name in highlights.picked() if ordered[labels[0]].column_of[found.features.index(name)] < 0]
if never:
    st.info(f"Highlighted, but never selected here: {text.plain(', '.join(never))}.", icon=":material/info:")

st.caption("One row a run, one column a feature; a filled cell was selected. Unbroken columns are features that always come back "
           "(Kalousis grid). Click a bar above the grid to highlight a feature everywhere.")
if order == "coselection" and len(columns) > MOST_CLUSTERED:
    st.caption(f"With more than {MOST_CLUSTERED:,} columns the order follows the first principal component of the selections "
               "instead of a clustering tree.")
span = None
if len(columns) > MOST_CELLS:
    span = st.slider("Places in the order to look at", 1, len(columns), (1, len(columns)), key=f"span-{len(columns)}")
    if span[1] - span[0] < MOST_CELLS:
        st.caption("Few enough columns to see, point at and click every one of them.")
    else:
        a_pixel = columns_a_pixel(ordered[labels[0]].part(*span), len(labels))
        st.caption((f"One pixel covers {a_pixel} places: the darker, the more of them were selected. " if a_pixel > 1 else "")
                   + f"The {MOST_CELLS} most frequent columns shown can be clicked as points on the line; take {MOST_CELLS} places "
                   "or fewer to see and click every one.")
with picture:
    side_by_side(grid)

st.subheader("How much each feature counted", divider="gray")
st.caption("One bar a run; the width of a piece is the importance of a feature, the features selected most often on the left. "
           "Colours that stay in line are importance you can count on (Hamer–Dupont map).")
d = len(found.features)
most = session.kept_slider("pieces", "Features drawn one by one", 5, min(200, d), default=min(40, d)) if d > 5 else d
side_by_side(rectangles)
