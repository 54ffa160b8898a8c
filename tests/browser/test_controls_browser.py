"""What-ifs of a few screens, one after the other: seen at once, the same after F5 and by a link in a second browser, one step back
and one again. That each control is in the address and a step is tested without a browser."""

import re
import time

import pytest
from browser_support import choose, fine, open_sample
from links_support import BUSY, SHOWN, apart, link, shown

from stabcore.similarity.scenario import BASES

PATIENCE = 20  # seconds in which a screen has to be as it should
ARROW = re.compile("^keyboard_arrow_[a-z]+")  # of what is folded: whether it is open is not kept


def main(page):
    """The screen itself, without the menu."""
    return page.get_by_test_id("stMain")


def slide(name, key="ArrowRight", everywhere=False):
    """A slider, by one key: how several become one step depends on how fast the browser draws. everywhere: as below."""
    return lambda page: (page if everywhere else main(page)).get_by_role("slider", name=name).first.press(key)


def switch(name, everywhere=False):
    """A switch; everywhere: also of what has popped up, which stands beside the screen."""
    return lambda page: (page if everywhere else main(page)).get_by_text(name, exact=True).first.click()


def settings(act):
    """The same under More settings, which is opened before and closed afterwards."""

    def opened(page):
        more = main(page).get_by_role("button", name="More settings").first
        more.click()
        act(page)
        more.click()

    return opened


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


# ---- the walks ----

STUDY = "alzheimer_ad"
MIM = "Mutual information (MIM)"
SELECTOR = ("selector", select("Choose selector", "Random forest"), "explored=Random")
THRESHOLD = ("threshold", slide("Set threshold |ρ|"), "as=")


# {(study, screen, what the address says already): controls}
WALKS = {
    ("wine", "panel", "panel=paths"): [
        ("whose panel", select("Choose selector", "Lasso"), "panel-of=Lasso"),
        ("share", slide("Set threshold (% of runs)"), "share=80"),
        ("another number", settings(switch("Set features per run", everywhere=True)), "other-k=1"),
        ("how many", settings(slide("Features per run", everywhere=True)), r"[?&]features=\d"),
    ],
    (STUDY, "stability", "section=tuned"): [
        ("measure", select("Choose measure", "Jaccard"), "tuned=jaccard"),
        ("interval", select("Choose 95% interval", "jackknife over runs"), "tuned-interval=jack"),
        ("tested", number("Test against value", "0.3"), "at-most=0.3"),
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
    (STUDY, "similarity", ""): [
        THRESHOLD,
        ("selector", settings(select("Choose selector", MIM)), "explored=Mut"),
        ("base", select("Define similar features by", BASES["groups"]), "as="),
        ("by", segment("Correlation clusters"), "groups-by=correlation"),
        ("cut", slide("Cut tree at |ρ|"), "cut="),
        ("taken", button("Use groups"), "as="),
    ],
    (STUDY, "feature_count", "profile=runs"): [
        ("k", slide("Set features per run"), "features="),
        ("measure", select("Choose measure", "Jaccard"), "of=jaccard"),
        ("within", slide("Set precision of stability"), "0.1"),
        ("interval", add("Show interval of", MIM), "runs-of=Mut"),
    ],
    (STUDY, "report", ""): [
        ("share", slide("Set threshold (% of runs)"), "share=80"),
        ("shown", switch("Show preview"), "report=1"),
    ],
    (STUDY, "feature_profile", ""): [
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
