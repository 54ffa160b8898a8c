"""What if a feature, a run or an outer fold is left out."""

import streamlit as st

from pages.parts import cache, highlights, session
from pages.parts.controls import ask_selector
from pages.parts.figures import show_figure
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


def show_leaving_out(view):
    """Leave out one feature, run or fold at a time."""
    results, similarity = view.results, view.similarity
    noun = "run pair" if results.of_halves else "run"
    view.screen.explain(f"Each feature and each {noun} is left out in turn, and effective stability is measured again.")
    label = ask_selector(results, session.SELECTOR, "Choose selector")
    runs = view.selections([label])[label]
    floor = view.floor_frame("effective")
    floor = floor[floor["selector"] == label].reset_index(drop=True)
    half = half_width(cache.computed(stability, runs, "effective", similarity=similarity))
    show_features(view, cache.computed(frame_left_out_features, runs, similarity), half, label)
    left_out = cache.computed(frame_left_out_runs, runs, similarity, results.run_numbers(label))
    show_runs(view, left_out, noun, floor, half, label)
    folds = results.folds(label)
    if folds:
        show_runs(view, cache.computed(frame_left_out_runs, runs, similarity, folds=folds), "outer fold", floor, half, label)
    view.screen.explain(plain(describe_floor(floor, results, view.k)))


def show_features(view, frame, half, label):
    """The features that change the stability most when left out."""
    if frame.empty:
        st.info("No run selected any feature.", icon=":material/info:")
        return
    explain_missing(view, frame, "feature")
    if frame["change"].notna().any():
        show_figure(
            draw_left_out_features(frame, view.highlighted, half),
            finding_left_out_features(frame, half),
            frame,
            "without-feature",
            subject=label,
            pick=lambda clicked: clicked and highlights.toggle_highlighted([frame["feature"][int(row)] for row in clicked]),
            screen=view.screen,
        )
        view.screen.explain(
            f"The feature counts as absent from the table. The runs keep their other features. Up to {MAX_BARS} are drawn.",
            "Grey: within the interval of the stability. Click a bar to highlight its feature on every screen.",
        )


def show_runs(view, frame, noun, floor, half, label):
    """Each run or outer fold left out in turn."""
    st.header(f"Without {'an' if noun[0] in 'aeiou' else 'a'} {noun}", divider="gray")
    explain_missing(view, frame, noun)
    if frame["change"].notna().any():
        show_figure(
            draw_left_out_runs(frame, noun, floor, half),
            finding_left_out_runs(frame, noun, half),
            frame,
            f"without-{noun}",
            subject=label,
        )
        view.screen.explain(f"A point above the line: that {noun} disagrees with the others more than most do.")


def explain_missing(view, frame, noun):
    """The reasons of missing values, each once."""
    for reason, rows in frame[frame["reason"] != ""].groupby("reason", sort=False):
        view.screen.explain(plain(f"No value without {len(rows):,} {noun}{'s' * (len(rows) != 1)}: {reason}."))
