"""What-ifs of a few screens, one after the other: seen at once, the same after F5 and by a link in a second browser, one step back
and one again. That each control is in the address and a step is tested without a browser."""

import re

import pytest
from browser_support import open_sample
from links_support import shown
from walk_support import add, button, number, segment, select, settings, slide, switch, take_out, walk

from stabcore.similarity.scenario import BASES

STUDY = "alzheimer_ad"
MIM = "Mutual information (MIM)"
SELECTOR = ("selector", select("Choose selector", "Random forest"), "explored=Random")
THRESHOLD = ("threshold", slide("Set threshold |ρ|"), "as=")


# {(study, screen, what the address says already): controls}
WALKS = {
    ("wine", "panel", "panel=paths"): [
        ("whose panel", select("Choose selector", "Lasso"), "panel-of=Lasso"),
        ("share", slide("Set threshold: least share of runs (%)"), "share=80"),
        ("another number", switch("Set features per run"), "other-k=1"),
        ("how many", slide("Features per run"), r"[?&]features=\d"),
    ],
    (STUDY, "stability", "section=tuned"): [
        ("measure", select("Measure", "Jaccard"), "tuned=jaccard"),
        ("interval", select("Interval (95%)", "by leaving runs out (jackknife)"), "tuned-interval=jack"),
        ("tested", number("Test against the value", "0.3"), "at-most=0.3"),
    ],
    (STUDY, "pareto", "front=chosen"): [
        ("measure", select("Choose stability measure", "Jaccard"), "measure=jaccard"),
        ("score", segment("Area under the ROC curve"), "score=auc"),
        ("compare", add("Choose selectors", "Lasso"), "chosen=Lasso"),
    ],
    (STUDY, "maps", ""): [
        SELECTOR,
        ("order", select("Sort features by", "selected together"), "order=cose"),
        ("ways", settings(switch("Colour features by direction", everywhere=True)), "ways=1"),
        ("importance", segment("Importance"), "map=imp"),
        ("pieces", slide("Set number of separate features", "ArrowLeft"), "pieces="),
    ],
    (STUDY, "whatif", ""): [THRESHOLD, ("fully", settings(switch("Count fully (off: weight by |ρ|)", everywhere=True)), "as=")],
    (STUDY, "whatif", "question=groups"): [
        ("base", button(re.compile("^Use my .* groups")), "scenario=groups"),
        SELECTOR,
        ("one off", segment("interleukins"), "groups-off=interleukins"),
    ],
    (STUDY, "whatif", "question=pairs"): [
        SELECTOR,
        ("its value", slide("Set similarity C of the pair"), "as="),
        ("matrix", switch("Show as a matrix"), "matrix=1"),
        ("side by side", segment("Scenario"), "question=scen"),
        ("one less", take_out("Choose scenarios", 2), "side-by-side="),
    ],
    (STUDY, "groups", ""): [
        THRESHOLD,
        ("selector", select("Choose selector", MIM), "explored=Mut"),
        ("base", select("Define similar features by", BASES["groups"]), "as="),
        ("by", segment("Correlation clusters"), "groups-by=correlation"),
        ("cut", slide("Cut tree at |ρ|"), "cut="),
        ("taken", button("Use groups"), "as="),
    ],
    (STUDY, "profiles", "profile=runs"): [
        ("k", slide("Set features per run"), "features="),
        ("measure", select("Choose measure", "Jaccard"), "of=jaccard"),
        ("within", slide("Set precision of stability"), "0.1"),
        ("interval", add("Show interval of", MIM), "runs-of=Mut"),
    ],
    (STUDY, "report", ""): [
        ("share", slide("Set panel threshold: least share of runs (%)"), "share=80"),
        ("shown", switch("Show preview"), "report=1"),
    ],
    (STUDY, "passport", ""): [
        ("feature", select("Choose feature", "Ab_42"), "feature=Ab_42"),
        ("highlighted", button("Highlight on every screen"), "f="),
    ],
}


@pytest.fixture
def second(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 3000})
    yield context.new_page()
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("where", WALKS, ids=" ".join)
def test_what_is_tried_outlives_f5_is_sent_and_is_one_step(page, second, server, where):
    study, screen, opened = where
    page.set_viewport_size({"width": 1280, "height": 3000})
    open_sample(page, server, study, screen, **dict([opened.split("=")] if opened else []))
    shown(page)
    assert walk(page, second, WALKS[where]) == {}
