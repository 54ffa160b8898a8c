"""What-ifs of every screen: seen at once, the same after F5 and by a link in a second browser, one step back and one again."""

import re
import shutil
import time

import pytest
from browser_support import choose, fine, open_sample
from links_support import BUSY, SHOWN, apart, link, shown
from page_support import patients, study_file, table

import stabcore as sc
from pages.parts import other_studies

PATIENCE = 60  # seconds in which a screen has to be as it should
ARROW = re.compile("^keyboard_arrow_[a-z]+")  # of what is folded: whether it is open is not kept


def main(page):
    """The screen itself, without the menu."""
    return page.get_by_test_id("stMain")


def slide(name, key="ArrowRight"):
    """A slider, by one key: how several become one step depends on how fast the browser draws."""
    return lambda page: main(page).get_by_role("slider", name=name).first.press(key)


def switch(name):
    """A switch."""
    return lambda page: main(page).get_by_text(name, exact=True).first.click()


def select(name, option):
    """A select box."""
    return lambda page: choose(page, name, option)


def add(name, option):
    """One more of a list."""

    def act(page):
        box = main(page).get_by_role("combobox", name=name).first
        box.click()
        box.fill(option)
        page.get_by_role("option", name=option, exact=True).first.click()
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")

    return act


def take_out(name, place=0):
    """One less of a list."""

    def act(page):
        box = main(page).get_by_test_id("stMultiSelect").filter(has=page.get_by_role("combobox", name=name))
        box.get_by_role("button", name=re.compile("^Remove ")).or_(box.get_by_title("Delete")).nth(place).click()

    return act


def segment(name):
    """One of several buttons that stand side by side."""

    def act(page):
        of = main(page).get_by_test_id("stButtonGroup")
        of.get_by_role("radio", name=name, exact=True).or_(of.get_by_role("button", name=name, exact=True)).first.click()

    return act


def number(name, value):
    """A field for a number."""

    def act(page):
        field = main(page).get_by_role("spinbutton", name=name).first
        field.fill(value)
        field.press("Enter")

    return act


def button(name):
    """A button."""
    return lambda page: main(page).get_by_role("button", name=name).first.click()


def comes_to(page, wanted):
    """Where the screen differs in the end from what it should show; nothing as soon as it is that."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        page.wait_for_timeout(100)
        if not page.evaluate(BUSY) and not differing(wanted, page.evaluate(SHOWN)):
            fine(page)
            return {}
    return differing(wanted, shown(page))


def differing(wanted, now):
    """Where two screens differ, but for what is folded."""
    return apart(*({**one, "words": [ARROW.sub("", text) for text in one["words"]]} for one in (wanted, now)))


def walk(page, second, rows):
    """{what: what is wrong} of controls that are changed one after the other: [(name, change, what the address says then)]."""
    wrong, seen = {}, [shown(page)]
    for name, act, address in rows:
        act(page)
        seen.append(shown(page, address))
        if not apart(seen[-2], seen[-1]):
            wrong[name] = "nothing is seen of it"
    page.reload()
    note(wrong, f"F5 after {rows[-1][0]}", comes_to(page, seen[-1]))
    second.goto(link(page))
    note(wrong, f"link after {rows[-1][0]}", comes_to(second, seen[-1]))
    for number in range(len(rows) - 1, -1, -1):
        back(page, number)
        note(wrong, f"undo {rows[number][0]}", comes_to(page, seen[number]))
        if number == len(rows) // 2:
            page.reload()
            note(wrong, f"F5 after undo {rows[number][0]}", comes_to(page, seen[number]))
    for number, (name, *_) in enumerate(rows, 1):
        again(page, number)
        note(wrong, f"redo {name}", comes_to(page, seen[number]))
    return wrong


def note(wrong, what, differs):
    if differs:
        wrong[what] = differs


def back(page, number):
    """By key and by button in turn."""
    if number % 2:
        page.keyboard.press("Alt+z")
    else:
        page.locator(".st-key-undo button").first.click()


def again(page, number):
    """By key and by button in turn."""
    if number % 2:
        page.keyboard.press("Alt+y")
    else:
        page.locator(".st-key-redo button").first.click()


STUDY = "alzheimer_ad"
MIM, JMI = "Mutual information (MIM)", "Joint mutual information (JMI)"
SELECTOR = ("selector", select("Selector", "Random forest"), "explored=Random")
OTHER_K = ("another number", switch("What if another number of features were selected?"), "other-k=1")


def base(words):
    """What the scenario rests on."""
    return lambda page: main(page).locator(".st-key-scenario-base").get_by_text(words).click()


def third(name):
    """The third that a select box offers."""

    def act(page):
        main(page).get_by_role("combobox", name=name).click()
        page.get_by_role("option").nth(2).click()

    return act


# {(screen, section): what is changed there}: a walk for each screen, with every kind of control
WALKS = {
    ("panel", "Paths"): [
        ("whose panel", select("Whose panel", "Lasso"), "panel-of=Lasso"),
        ("share", slide("Least share of the runs (%)"), "share=80"),
        OTHER_K,
        ("how many", slide("Features selected in every run"), r"[?&]features=\d"),
    ],
    ("pareto", "The front"): [
        ("measure", select("Measure of stability", "Jaccard"), "measure=jaccard"),
        ("score", segment("Area under the ROC curve"), "score=auc"),
        ("compare", add("Compare", "Lasso"), "chosen=Lasso"),
        ("one more", add("Compare", JMI), "chosen=Joint"),
    ],
    ("whatif", "From which correlation on?"): [
        ("threshold", slide("Features stand for each other from |ρ| ="), "as="),
        ("method", select("Correlation", "Pearson (values)"), "as="),
        ("fully", switch("Fully, whatever the correlation (off: by |ρ| itself)"), "as="),
        ("interval", add("Show the interval of", "Lasso"), "threshold-bands=Lasso"),
    ],
    ("whatif", "What does each group do?"): [
        ("groups", button(re.compile("^Use my .* groups")), "scenario=groups"),
        SELECTOR,
        ("one off", segment("interleukins"), "groups-off=interleukins"),
        ("beside", switch("Beside another selector"), "two=1"),
        ("the other", select("The other selector", MIM), "beside=Mut"),
    ],
    ("whatif", "Which pairs matter most?"): [
        SELECTOR,
        ("pair", third("Pair"), "pair="),
        ("its value", slide("How far do they stand for each other?"), "as="),
        ("size", slide("Features in the picture"), "influences="),
    ],
    ("report", "parts"): [
        ("parts", take_out("Parts", 3), "parts="),
        ("figures", take_out("Figures"), "figures="),
        ("answer", lambda page: main(page).get_by_text("Yes, in these very patients").click(), ""),
        ("shown", switch("Show the report here"), "report=1"),
    ],
    ("groups", "tree"): [
        ("base", base("My groups: members"), "as="),
        ("by", segment("Suggest by correlation"), "groups-by=correlation"),
        ("cut", slide("Cut the tree at |ρ| ="), "cut="),
        ("taken", button("Take these groups"), "as="),
    ],
    ("groups", "fine-tune"): [
        ("list", segment("a list of pairs of any features"), "by-hand=list"),
        ("grid", segment("a grid of up to 60 features"), "^(?!.*by-hand)"),
        ("features", take_out(re.compile("Features in the grid")), "grid="),
    ],
    ("stability", "A measure's settings"): [
        ("measure", select("Measure", "Jaccard"), "tuned=jaccard"),
        ("undefined", select("Pairs of runs without a value", "leave these pairs out"), "jaccard-undefined="),
        ("tested", number("Test against the value", "0.3"), "at-most=0.3"),
    ],
    ("maps", ""): [
        SELECTOR,
        ("order", select("Order of the features", "selected together"), "order=cose"),
        ("two", switch("Compare with another selector"), "two=1"),
        ("beside", select("Beside it", MIM), "beside=Mut"),
        ("pieces", slide("Features drawn one by one", "ArrowLeft"), "pieces="),
    ],
    ("profiles", "Are the runs enough?"): [
        ("measure", select("Measure", "Jaccard"), "of=jaccard"),
        ("within", slide("How precisely must stability be known?"), "0.1"),
        ("interval", add("Show the interval of", MIM), "runs-of=Mut"),
    ],
    ("passport", ""): [
        ("feature", select(re.compile("^Feature"), "Ab_42"), "feature=Ab_42"),
        SELECTOR,
        ("highlighted", button("Highlight it everywhere"), "f="),
        OTHER_K,
    ],
}
FOLDED = {"fine-tune": "Fine-tune: single pairs by hand", "parts": "What is in the report"}  # has to be opened first
NAMES = {"tree"}  # of walks, not of sections
COHORTS = [
    ("the other", select("Compare with", "third"), "against="),
    ("share", slide("Least share of the runs (%)"), "share=80"),
    ("trained by", third("Trained by"), "transfer-by"),
]


def with_cohorts(folder):
    """A project with a study and those of two other cohorts, with their tables."""
    data, plan = patients("abcdef", 60), sc.Subsample(8)
    project = table(data, roles={"target": "outcome", "exclude": []})
    first = study_file(folder / "first.stab", data, ["mim", "random"], plan, classifier="3nn")
    shutil.copy(first, project.folder / "study.stab")
    for name, rows in (("second", 70), ("third", 80)):
        theirs = patients("abcdef", rows)
        file = study_file(folder / f"{name}.stab", theirs, ["mim", "random"], plan)
        other = other_studies.keep(project, file.name, file.read_bytes())
        other_studies.keep_table(project, other, f"{name}.csv", theirs.to_csv(index=False).encode())
    return project


@pytest.fixture
def second(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 3000})
    yield context.new_page()
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("where", WALKS, ids=" ".join)
def test_controls_outlive_f5_are_sent_and_are_one_step(page, second, server, where):
    screen, section = where
    page.set_viewport_size({"width": 1280, "height": 3000})
    open_sample(page, server, STUDY, screen)
    shown(page)
    if section in FOLDED:
        main(page).get_by_text(FOLDED[section]).click()
    elif section and section not in NAMES:
        segment(section)(page)
    assert walk(page, second, WALKS[where]) == {}


@pytest.mark.slow
def test_controls_of_other_cohorts_outlive_f5_are_sent_and_are_one_step(page, second, server, tmp_path, monkeypatch):
    monkeypatch.setenv("STABILITY_HOME", str(server.home))
    page.set_viewport_size({"width": 1280, "height": 3000})
    page.goto(f"{server.url}/panel?id={with_cohorts(tmp_path).id}")
    shown(page)
    segment("Would it replicate?")(page)
    assert walk(page, second, COHORTS) == {}
