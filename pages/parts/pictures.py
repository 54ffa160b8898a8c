"""Downloads of figures: file names, and formats of the camera in the tool bar."""

import streamlit as st

from pages.parts import scenarios, session
from stabcore.measures.catalog import BY_KEY, entry

NAMES = {
    "directions": "Direction and size of effects",
    "other-half": "Effects on the other half of the patients",
    "front": "Accuracy against stability",
    "trade-off": "Accuracy weighed against stability",
    "weight-ranges": "Choices by weight",
    "changes": "Classic and effective stability",
    "sizes": "Size against stability",
    "space": "Size, stability and accuracy",
    "space-stability": "Size against stability of all",
    "space-accuracy": "Size against accuracy",
    "added": "Added to given columns",
    "predictions": "Differences in accuracy",
    "studies": "Ranks over studies",
    "each": "Accuracy against stability in each study",
    "profile": "Stability by number of features",
    "agreement-cutoff": "Agreement cutoff",
    "marginal": "Stability of the features ranked next",
    "convergence": "Stability by number of runs",
    "without-feature": "Stability without a feature",
    "without-run": "Stability without a run",
    "effects": "Effect of each group",
    "without-outer fold": "Stability without an outer fold",
    "thresholds": "Effective stability by threshold",
    "leading": "Leading selectors by threshold",
    "uncertainty": "Effective stability with resampled correlations",
    "influence": "Influence of pairs",
    "influence-matrix": "Influence of pairs as a matrix",
    "comparisons": "Differences in stability",
    "agreement": "Measures against each other",
    "disagreement": "Sources of disagreement",
    "stability": "Stability of each selector",
    "frequency": "Selection frequency of a feature",
    "ranks": "Ranks of a feature",
    "lesson": "Lesson",
    "lesson-guess": "Guess",
    "lesson-cells": "Draw of a lesson",
    "guesses": "Guesses and draws of a class",
    "grid": "Selections run by run",
    "importance-map": "Importances run by run",
    "similarity-matrix": "Similarity matrix",
    "survival": "Survival by value of a feature",
    "before-after": "Stability with similar features as one",
    "together": "Similar features in the same runs",
    "tree": "Tree of the features",
    "concordance": "Features that two studies share",
    "replicated": "Panels of two studies",
    "risks": "Risk of each patient",
    "risk-variation": "Variation of risks between models",
    "calibration": "Calibration",
    "decision": "Decision curve",
    "worth-calibration": "Calibration of the panel",
    "panel-picture": "Panel",
    "choices": "Panel by number of features and threshold",
    "panel-paths": "Stability paths",
    "panel-shared": "Panels of all selectors",
    "scenarios": "Stability in each scenario",
    "given-columns": "Panels with and without given columns",
    "subgroups": "Subgroups",
    "patient": "Risk of one patient",
    "rank-intervals": "Rank intervals",
    "substitutes": "Substitutes",
    "growth": "Agreement by number of patients",
    "centres": "Accuracy in each centre",
    "values": "Values by outcome",
    "outcome": "Sizes of the classes",
    "missing": "Missing cells",
    # tables without a figure
    "averaged-ranks": "Mean ranks",
    "bounds": "Expected false selections",
    "chosen": "Selectors side by side",
    "runs-needed": "Number of runs needed",
    "within-beside": "Inside the groups of two selectors",
    "within-between": "Inside and between groups",
    "scenario-differences": "Differences in each scenario",
    "similarity": "Related pairs",
    "suggested": "Groups that correlation suggests",
    "encoding": "Encoding of each column",
    "measures": "Stability by several measures",
    "tuned": "Stability",
    "messages": "Warnings and failures",
    "study-messages": "Warnings and failures",
    "selector-options": "Selectors and their options",
    "run-progress": "Progress of each run",
}
NARROW = "-narrow"  # the end of the key of a figure on a telephone
SECOND_FIGURE = "-2"  # the end of the key of a second figure of its kind
MAX_NAME_LENGTH = 60  # characters of a part of the name
FORBIDDEN = set("\\/:*?\"<>|%#{}[]$&@+`'=;,")

INCH, CSS, DPI = 25.4, 96, 300  # millimetres, and pixels per inch on screen and on paper
FORMATS = {
    f"{kind}-{width}": f"{kind.upper()}, {width} mm wide{', 300 dpi' if kind == 'png' else ''}"
    for kind in ("png", "svg")
    for width in (170, 85)
}


def ask_format():
    """The format of the camera above each figure: a column or a page of a journal."""
    box = session.bound(session.PICTURE_FORMAT, next(iter(FORMATS)), FORMATS)
    st.selectbox("The camera of a figure saves it as", list(FORMATS), format_func=FORMATS.__getitem__, **box)


def image_options(name, height) -> dict:
    """The settings of the camera for a name, see `toImageButtonOptions` of Plotly. height: pixels on the screen, or None."""
    kind, _, width = st.session_state.get(session.PICTURE_FORMAT, next(iter(FORMATS))).partition("-")
    return {
        "format": kind,
        "filename": f"{name} - {width} mm",
        "width": round(int(width) / INCH * CSS),
        "height": height,
        "scale": DPI / CSS if kind == "png" else 1,
    }


def load_plotly():
    """A hidden figure on Start, so that the browser loads the scripts of figures before the first visible one."""
    with st.container(key="hidden-picture"):
        st.plotly_chart({"data": [{"type": "scatter"}]}, key="hidden")


def figure_title(name) -> str:
    """The name of the figure of a key, in words."""
    name = name.removesuffix(SECOND_FIGURE).removesuffix(NARROW)
    if name in NAMES:
        return NAMES[name]
    kind, _, rest = name.partition("-")
    if kind == "lesson":
        from stabcore.teaching.catalog import LESSONS

        return f"{NAMES[kind]} {LESSONS[rest].question if rest in LESSONS else 'of your own'}"
    title = NAMES.get(kind, " ".join(name.split("-")).capitalize())  # exhibits of papers have names of their own
    return f"{title} by {entry(rest).label}" if rest in BY_KEY else title


def file_name(name, of="") -> str:
    """The file name of a figure or table without ending: study, figure (of a selector), scenario."""
    project = session.project_or_none()
    parts = [project.title if project else "", figure_title(name), of, scenarios.chosen_name() if project else ""]
    return " - ".join(filter(None, map(_safe_part, parts))) or "picture"


def _safe_part(text):
    """A part of a file name that every system accepts, without a dot at the start, cut between words if possible."""
    cleaned = "".join(" " if letter in FORBIDDEN or not letter.isprintable() else letter for letter in str(text).replace("'", "’"))
    words = " ".join(cleaned.split())
    short = (
        words
        if len(words) <= MAX_NAME_LENGTH
        else words[: MAX_NAME_LENGTH + 1].rpartition(" ")[0].partition(" (")[0] or words[:MAX_NAME_LENGTH]
    )
    return short.strip(" .")
