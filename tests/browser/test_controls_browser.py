"""Every what-if of every screen: seen at once, the same after F5 and by a link in a second browser, one step back and one again."""

import re
import shutil

import pytest
from browser_support import open_sample
from links_support import shown
from page_support import nested, patients, studied, study_file, table
from walk_support import add, button, main, number, segment, select, slide, switch, take_out, walk

import stabcore as sc
from pages.parts import other_studies

# What several walks do.
SELECTOR = ("selector", select("Selector", "Random forest"), "explored=Random")
WHOSE = ("whose panel", select("Whose panel", "Lasso"), "panel-of=Lasso")
SHARE = ("share", slide("Least share of the runs (%)"), "share=80")
OTHER_K = ("another number", switch("What if another number of features were selected?"), "other-k=1")
K = ("how many", slide("Features selected in every run"), r"[?&]features=\d")
MEASURE = ("measure", select("Measure of stability", "Jaccard"), "measure=jaccard")
MIM, JMI = "Mutual information (MIM)", "Joint mutual information (JMI)"
FULLY = ("fully", switch("Fully, whatever the correlation (off: by |ρ| itself)"), "as=")
METHOD = ("method", select("Correlation", "Pearson (values)"), "as=")


def base(words):
    """What the scenario rests on."""
    return lambda page: main(page).locator(".st-key-scenario-base").get_by_text(words).click()


def third(name):
    """The third that a select box offers."""

    def act(page):
        main(page).get_by_role("combobox", name=name).click()
        page.get_by_role("option").nth(2).click()

    return act


STUDY = "alzheimer_ad"
WALKS = {
    ("wine", "panel", "Paths"): [WHOSE, SHARE, OTHER_K, K],
    ("wine", "stability", "A measure's settings"): [
        ("measure", select("Measure", "Jaccard"), "tuned=jaccard"),
        ("random sets", select("What random sets share", "is taken out"), "jaccard-corrected="),
        ("interval", select("Interval (95%)", "by leaving runs out (jackknife)"), "tuned-interval=jack"),
        ("tested", number("Test against the value", "0.3"), "at-most=0.3"),
    ],
    (STUDY, "panel", "Who stays"): [("section", segment("Paths"), "panel=paths"), ("another", segment("Which way"), "panel=dir")],
    (STUDY, "panel", "Paths"): [WHOSE, SHARE, OTHER_K, K],
    (STUDY, "panel", "Number and threshold"): [
        WHOSE,
        SHARE,
        ("colours", select("Show", "How many of them are false on average"), "colours=false"),
    ],
    (STUDY, "panel", "Selectors together"): [("groups as one", switch("Members of a group count as one"), "grouped=1"), SHARE],
    (STUDY, "panel", "Which way"): [WHOSE, SHARE],
    (STUDY, "panel", "In which order?"): [WHOSE],
    (STUDY, "panel", "Which swap?"): [WHOSE, OTHER_K],
    (STUDY, "panel", "Would it replicate?"): [WHOSE, SHARE],
    (STUDY, "panel", "Each patient's risk"): [
        ("classifier", third("Classifier"), "risk-by"),
        ("from", slide("A patient is called from this risk on (%)"), "risk=51"),
        OTHER_K,
    ],
    ("breast_wdbc", "maps", ""): [
        ("groups", select("What stands for what", "groups"), "scenario=groups"),
        ("merged", switch("Merge the members of each group"), "merged=1"),
        SELECTOR,
    ],
    (STUDY, "pareto", "The front"): [
        MEASURE,
        ("score", segment("Area under the ROC curve"), "score=auc"),
        ("compare", add("Compare", "Lasso"), "chosen=Lasso"),
        ("one more", add("Compare", JMI), "chosen=Joint"),
    ],
    (STUDY, "pareto", "Weigh them"): [("γ", slide("γ: how much accuracy counts against stability"), "gamma=0.51"), MEASURE],
    (STUDY, "pareto", "Classic → effective"): [MEASURE, ("score", segment("Area under the ROC curve"), "score=auc")],
    (STUDY, "pareto", "Equally accurate?"): [MEASURE],
    (STUDY, "pareto", "Other studies"): [
        ("laid over", add("Lay other studies over this one", "Wines of three cultivars"), ""),
        ("each", switch("Show accuracy against stability in each study"), "each=1"),
        MEASURE,
    ],
    (STUDY, "whatif", "From which correlation on?"): [
        ("threshold", slide("Features stand for each other from |ρ| ="), "as="),
        METHOD,
        FULLY,
        ("interval", add("Show the interval of", "Lasso"), "threshold-bands=Lasso"),
        OTHER_K,
    ],
    ("wine", "whatif", "From which correlation on?"): [
        ("other patients", switch("Draw other patients for C (takes a while with many features)"), "uncertain=1")
    ],
    (STUDY, "whatif", "What does each group do?"): [
        ("groups", button(re.compile("^Use my .* groups")), "scenario=groups"),
        SELECTOR,
        ("one off", segment("interleukins"), "groups-off=interleukins"),
        ("two off", segment("chemokines"), "groups-off=chemo"),
        ("beside", switch("Beside another selector"), "two=1"),
        ("the other", select("The other selector", MIM), "beside=Mut"),
    ],
    (STUDY, "whatif", "Which pairs matter most?"): [
        SELECTOR,
        ("pair", third("Pair"), "pair="),
        ("its value", slide("How far do they stand for each other?"), "as="),
        ("matrix", switch("As a matrix of features"), "matrix=1"),
        ("size", slide("Features in the picture"), "influences="),
    ],
    (STUDY, "whatif", "Scenarios side by side"): [
        ("against", select("Hold the others against", "correlated"), "held-against=correlated"),
        ("one less", take_out("Scenarios", 2), "side-by-side="),
        OTHER_K,
    ],
    (STUDY, "whatif", "Without a feature or a run"): [SELECTOR, OTHER_K, K],
    (STUDY, "report", "parts"): [
        ("parts", take_out("Parts", 3), "parts="),
        ("figures", take_out("Figures"), "figures="),
        ("share", slide("The panel: least share of the runs (%)"), "share=80"),
        ("answer", lambda page: main(page).get_by_text("Yes, in these very patients").click(), ""),
        ("shown", switch("Show the report here"), "report=1"),
    ],
    (STUDY, "groups", "correlated"): [
        ("threshold", slide("Stand for each other from |ρ| ="), "as="),
        METHOD,
        FULLY,
        ("selector", select("See what it does to", MIM), "explored=Mut"),
    ],
    (STUDY, "groups", "scenarios"): [
        ("scenario", select("The scenario that you are editing", "nothing"), "scenario=nothing"),
        ("card", lambda page: main(page).locator(".st-key-card-correlation button").first.click(), "scenario=correlated"),
    ],
    (STUDY, "groups", "tree"): [
        ("base", base("My groups: members"), "as="),
        ("by", segment("Suggest by correlation"), "groups-by=correlation"),
        ("cut", slide("Cut the tree at |ρ| ="), "cut="),
        ("cut by", select("Correlation of the features", "Pearson (values)"), "cut-by=pearson"),
        ("linkage", select("Two groups are as alike as their members:", "Complete: every two members are alike"), "linkage="),
        ("taken", button("Take these groups"), "as="),
    ],
    (STUDY, "groups", "fine-tune"): [
        ("list", segment("a list of pairs of any features"), "by-hand=list"),
        ("grid", segment("a grid of up to 60 features"), "^(?!.*by-hand)"),
        ("features", take_out(re.compile("Features in the grid")), "grid="),
    ],
    (STUDY, "stability", "Other measures"): [("measures", segment("Dice"), "measures-overlap="), OTHER_K, K],
    (STUDY, "stability", "A measure's settings"): [
        ("measure", select("Measure", "Jaccard"), "tuned=jaccard"),
        ("undefined", select("Pairs of runs without a value", "leave these pairs out"), "jaccard-undefined="),
    ],
    (STUDY, "stability", "Compare selectors"): [("measure", select("Measure", "Jaccard"), "compared-by=jaccard")],
    (STUDY, "stability", "Do the measures agree?"): [("measures", take_out("Measures"), "agreeing=")],
    (STUDY, "stability", "Which measure for my question?"): [
        ("wish", segment("Stay between fixed limits"), "wishes=bounds"),
        ("another", segment("Count features that stand for each other as the same"), "wishes=inter"),
    ],
    (STUDY, "maps", ""): [
        SELECTOR,
        ("order", select("Order of the features", "selected together"), "order=cose"),
        ("alike", switch("Runs that selected alike beside each other"), "alike=1"),
        ("ways", switch("Colours tell which way features go with the outcome"), "ways=1"),
        ("two", switch("Compare with another selector"), "two=1"),
        ("beside", select("Beside it", MIM), "beside=Mut"),
        ("pieces", slide("Features drawn one by one", "ArrowLeft"), "pieces="),
    ],
    (STUDY, "profiles", ""): [
        ("k", slide("Number of selected features"), "features="),
        ("measures", add("Measures, up to four", "Jaccard"), "=jacc"),
        ("interval", add("Show the interval of", MIM), "bands=Mut"),
        ("ends", switch("Mark where their stability seems to end"), "marks=1"),
    ],
    (STUDY, "profiles", "Where does it seem to end?"): [
        ("selectors", take_out("Selectors"), "knots="),
        ("related", switch("Features that stand for each other count as shared"), "related=1"),
    ],
    (STUDY, "profiles", "The features ranked next"): [
        ("selectors", take_out("Selectors"), "knots="),
        ("window", number("How many features further to look", "7"), "window=7"),
    ],
    (STUDY, "profiles", "Are the runs enough?"): [
        ("measure", select("Measure", "Jaccard"), "of=jaccard"),
        ("within", slide("How precisely must stability be known?"), "0.1"),
        ("interval", add("Show the interval of", MIM), "runs-of=Mut"),
    ],
    (STUDY, "passport", ""): [
        ("feature", select(re.compile("^Feature"), "Ab_42"), "feature=Ab_42"),
        SELECTOR,
        ("highlighted", button("Highlight it everywhere"), "f="),
        OTHER_K,
    ],
}
FOLDED = {"fine-tune": "Fine-tune: single pairs by hand", "parts": "What is in the report"}  # has to be opened first
NAMES = {"correlated", "scenarios", "tree"}  # of walks, not of sections


OTHER = ("selector", select("Selector", "Random ranking (baseline)"), "explored=")
# Of studies that are not bundled: outer folds, thousands of features, sizes that differ, and another cohort.
MADE = {
    ("folds", "maps", ""): [("fold", add("Leave outer folds out", "fold 2"), "without-folds=2"), OTHER],
    ("folds", "whatif", "Without a feature or a run"): [OTHER],
    ("many", "maps", ""): [
        ("places", slide("Places in the order to look at"), "span="),
        ("pieces", slide("Features drawn one by one", "ArrowLeft"), "pieces="),
    ],
    ("sizes", "pareto", "Number of features"): [
        MEASURE,
        ("margin", slide("Accuracy that may be lost on the best"), "margin=0.06"),
        ("in space", switch("In space"), "space=1"),
    ],
    ("cohorts", "panel", "Would it replicate?"): [
        ("the other", select("Compare with", "third"), "against="),
        SHARE,
        ("trained by", third("Trained by"), "transfer-by"),
    ],
}


def made(kind, folder):
    """A workspace of a study that is made now."""
    data, n = patients("abcdef", 60), sc.Subsample(8)
    if kind == "folds":
        return nested(folder)
    if kind == "many":
        genes = patients([f"gene {i}" for i in range(2500)], 60)
        return studied(study_file(folder / "many.stab", genes, ["mim", "random"], n, k=900))
    if kind == "sizes":
        boosted = study_file(
            folder / "sizes.stab", patients("abcdefghijklmn", 60), ["glm_boosting", "mim", "random"], n, k=9, classifier="3nn"
        )
        return studied(boosted)
    work = table(data, roles={"target": "outcome", "exclude": []})
    first = study_file(folder / "first.stab", data, ["mim", "random"], n, classifier="3nn")
    shutil.copy(first, work.folder / "study.stab")
    for name, rows in (("second", 70), ("third", 80)):
        theirs = patients("abcdef", rows)
        file = study_file(folder / f"{name}.stab", theirs, ["mim", "random"], n)
        kept = other_studies.keep(work, file.name, file.read_bytes())
        other_studies.keep_table(work, kept, f"{name}.csv", theirs.to_csv(index=False).encode())
    return work


@pytest.fixture
def second(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 3000})
    yield context.new_page()
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("where", WALKS, ids=" ".join)
def test_every_control_outlives_f5_is_sent_and_is_one_step(page, second, server, where):
    study, screen, section = where
    page.set_viewport_size({"width": 1280, "height": 3000})
    open_sample(page, server, study, screen)
    shown(page)
    if section in FOLDED:
        main(page).get_by_text(FOLDED[section]).click()
    elif section and section not in NAMES:
        segment(section)(page)
    assert walk(page, second, WALKS[where]) == {}


@pytest.mark.slow
@pytest.mark.parametrize("where", MADE, ids=" ".join)
def test_every_control_of_other_studies_outlives_f5_is_sent_and_is_one_step(page, second, server, where, tmp_path, monkeypatch):
    kind, screen, section = where
    monkeypatch.setenv("STABILITY_HOME", str(server.home))
    page.set_viewport_size({"width": 1280, "height": 3000})
    page.goto(f"{server.url}/{screen}?id={made(kind, tmp_path).id}")
    shown(page)
    if section:
        segment(section)(page)
    assert walk(page, second, MADE[where]) == {}
