"""What people do to controls, and a walk through many: each change is seen, outlives F5 and a link, and is one step back."""

import re
import time

from browser_support import choose, fine
from links_support import BUSY, SHOWN, apart, link, shown

PATIENCE = 20  # seconds in which a screen has to be as it should
ARROW = re.compile("^keyboard_arrow_[a-z]+")  # of what is folded: whether it is open is not kept


def main(page):
    """The screen itself, without the menu."""
    return page.get_by_test_id("stMain")


def slide(name, key="ArrowRight"):
    """A slider, by one key: how several become one step depends on how fast the browser draws."""
    return lambda page: main(page).get_by_role("slider", name=name).first.press(key)


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
