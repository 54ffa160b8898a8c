"""Pictures to take along: what their files are called, and the menu of the tool bar that saves them in light colours."""

from pathlib import Path

import streamlit as st

from pages.parts import scenarios, session
from stabcore.measures.catalog import BY_KEY, entry

NAMES = {
    "directions": "Which way features go", "other-half": "Effects on the other half of the patients",
    "front": "Accuracy against stability", "compromise": "Accuracy weighed against stability", "reach": "Choices by weight",
    "changes": "Classic and effective stability", "sizes": "Size against stability", "space": "Size, stability and accuracy",
    "space-stability": "Size against stability of all", "space-accuracy": "Size against accuracy",
    "predictions": "Differences in accuracy", "studies": "Ranks over studies", "each": "Accuracy against stability in each study",
    "profile": "Stability by number of features", "knots": "Where agreement ends",
    "marginal": "Stability of the features ranked next", "convergence": "Stability by number of runs",
    "movers": "Stability without a feature", "without-run": "Stability without a run", "effects": "Effect of each group",
    "without-outer fold": "Stability without an outer fold", "thresholds": "Effective stability by threshold",
    "uncertainty": "Effective stability with C of other patients", "influence": "Influence of pairs",
    "influence-matrix": "Influence of pairs as a matrix", "comparisons": "Differences in stability",
    "agreement": "Measures against each other", "dice": "Whose dice", "stability": "Stability of each selector",
    "frequency": "How often each selector takes a feature", "ranks": "Ranks of a feature",
    "lesson": "Lesson", "grid": "Selections run by run", "rectangles": "Importances run by run", "heat": "What stands for what",
    "tree": "Tree of the features", "concordance": "Features that two studies share", "replicated": "Panels of two studies",
    "risks": "Risk of each patient", "moves": "How far risks move", "calibration": "Calibration", "panel-picture": "Panel",
    "choices": "Panel by number of features and threshold", "panel-paths": "Stability paths",
    "panel-shared": "Panels of all selectors", "scenarios": "Stability in each scenario", "patient": "Risk of one patient",
    "places": "Places of features", "swaps": "Features that swap",
    "growth": "Agreement by number of patients", "centres": "Accuracy in each centre",
    # tables without a picture
    "averaged-ranks": "Averaged ranks", "bounds": "Bounds on false features", "chosen": "Selectors side by side",
    "runs-needed": "How many runs it would take",
    "within-beside": "Inside the groups of two selectors", "within-between": "Inside and between groups",
    "conclusions": "Differences in each scenario", "relation": "Related pairs",
    "suggested": "Groups that correlation suggests",
    "encoding": "What selectors make of each column", "measures": "Stability by several measures", "tuned": "Stability",
    "messages": "Warnings and failures", "brought-messages": "Warnings and failures",
    "selector-options": "Selectors and their options", "run-progress": "How far each run is",
}
NARROW = "-narrow"          # the end of the key of a figure as a telephone shows it
BESIDE = "-2"               # the end of the key of a figure that stands beside another one of its kind
LONGEST = 60                # letters of a part of the name
FORBIDDEN = set('\\/:*?"<>|%#{}[]$&@+`\'=;,')

SCRIPTS = ("picture_presses.js", "picture_menu.js")
MENU = st.components.v2.component("picture_menu", js="\n".join(
    (Path(__file__).parent / name).read_text(encoding="utf-8") for name in SCRIPTS))


def meet():
    """A picture that nobody sees, last on Start: the browser then shows the first that counts a third of a second sooner.

    So long the toolkit's page waits before it shows an element of a kind that it meets for the first time.
    """
    with st.container(key="picture-met"):
        st.plotly_chart({"data": [{"type": "scatter"}]}, key="met")


def menu():
    """The menu behind the camera of every figure of the page, and presses on points; nothing of it is seen before."""
    with st.sidebar:
        MENU(key="picture-menu")


def named(name) -> str:
    """What the figure of a key is called, in words."""
    name = name.removesuffix(BESIDE).removesuffix(NARROW)
    if name in NAMES:
        return NAMES[name]
    kind, _, rest = name.partition("-")
    if kind == "lesson":
        from stabcore.lessons.catalog import LESSONS

        return f"{NAMES[kind]} {LESSONS[rest].question}"
    known = NAMES.get(kind, " ".join(name.split("-")).capitalize())         # exhibits of papers have names of their own
    return f"{known} by {entry(rest).label}" if rest in BY_KEY else known


def file_name(name, of="") -> str:
    """What a picture or table is saved as, without its ending: study, figure (of a selector), scenario."""
    here = session.workspace()
    parts = [here.title if here else "", named(name), of, scenarios.chosen_name() if here else ""]
    return " - ".join(filter(None, map(_writable, parts))) or "picture"


def _writable(text):
    """A part of the name of a file that every system takes; it begins with no dot, and is cut between words where it can be."""
    kept = "".join(" " if one in FORBIDDEN or not one.isprintable() else one for one in str(text).replace("'", "’"))
    words = " ".join(kept.split())
    short = words if len(words) <= LONGEST else words[:LONGEST + 1].rpartition(" ")[0].partition(" (")[0] or words[:LONGEST]
    return short.strip(" .")
