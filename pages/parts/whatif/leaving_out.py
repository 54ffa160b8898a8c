"""What if a feature, a run or an outer fold had not been there?"""

import streamlit as st

from pages.parts import cache, highlights, session, words
from pages.parts.controls import selector_choice, similarity_line
from pages.parts.figures import figure
from pages.parts.text import plain
from stabcore.inference.estimate import stability
from stabcore.plots.noise_floor import describe_floor
from stabcore.plots.whatif import (
    MAX_BARS,
    draw_left_out_features,
    draw_left_out_runs,
    finding_left_out_features,
    finding_left_out_runs,
    frame_left_out_features,
    frame_left_out_runs,
    half_width,
)


def ask(view):
    """One feature, run or fold left out at a time."""
    st.markdown(
        "How much hangs on a single feature, or on a single run? Each is left out in turn, and the **effective stability** "
        "is measured again."
    )
    results, similarity = view.results, view.similarity
    label = selector_choice(results, session.SELECTOR, "Selector")
    runs = view.selections([label])[label]
    floor = view.drawn_floor("effective")
    floor = floor[floor["selector"] == label].reset_index(drop=True)
    half = half_width(cache.computed(stability, runs, "effective", similarity=similarity))
    with view.top:
        features(cache.computed(frame_left_out_features, runs, similarity), view.highlighted, half, label)
    parts(cache.computed(frame_left_out_runs, runs, similarity, results.run_numbers(label)), "run", floor, half, label)
    folds = results.folds(label)
    if folds:
        parts(cache.computed(frame_left_out_runs, runs, similarity, folds=folds), "outer fold", floor, half, label)
    words.tell(plain(describe_floor(floor, results, view.k)))
    similarity_line(view)


def features(frame, highlighted, half, label):
    """The features whose absence moves the stability most."""
    st.header("Without a feature", divider="gray")
    if frame.empty:
        st.info("No run selected any feature.", icon=":material/info:")
        return
    why_missing(frame, "feature")
    if frame["change"].notna().any():
        figure(
            draw_left_out_features(frame, highlighted, half),
            finding_left_out_features(frame, half),
            frame,
            "movers",
            of=label,
            pick=lambda clicked: clicked and highlights.toggle([frame["feature"][int(row)] for row in clicked]),
        )
        words.tell(
            f"As if it had not been in the table; the runs keep what else they selected. Up to {MAX_BARS} are drawn, "
            "grey within the interval of the stability. Click a bar to highlight its feature everywhere."
        )


def parts(frame, noun, floor, half, label):
    """Each run or outer fold left out in turn."""
    st.header(f"Without {'an' if noun[0] in 'aeiou' else 'a'} {noun}", divider="gray")
    why_missing(frame, noun)
    if frame["change"].notna().any():
        figure(
            draw_left_out_runs(frame, noun, floor, half),
            finding_left_out_runs(frame, noun, half),
            frame,
            f"without-{noun}",
            of=label,
        )
        words.tell(f"A point above the line: that {noun} disagrees with the others more than most.")


def why_missing(frame, noun):
    """Why values are missing, once a reason."""
    for reason, rows in frame[frame["reason"] != ""].groupby("reason", sort=False):
        words.tell(plain(f"No value without {len(rows):,} {noun}{'s' * (len(rows) != 1)}: {reason}."))
