"""From own files to the Stability screen in a real browser: clicks and seconds, without the time a person thinks.

python tests/benchmarks/bench_doors.py [folder]: with a folder, pictures of every screen on the way, also dark and narrow.
"""

import os
import re
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmark_support import app_in_browser
from browser_support import fine, heading, settled
from messy_support import messy_workbook
from playwright.sync_api import expect
from shape_support import CLASSES, measured, series_matrix
from table_shapes_support import NAMES, ROWS, text

# {what it is: (file name, its bytes)}
FILES = {
    "a laboratory's workbook": ("messy.xlsx", messy_workbook()),
    "a German export with gaps": (
        "export.csv",
        text(
            [
                NAMES,
                *([*row[:2], "k.A." if i % 9 == 4 else "NA" if i % 9 == 7 else row[2], *row[3:]] for i, row in enumerate(ROWS)),
            ],
            ";",
            ",",
            "cp1252",
        ),
    ),
    "a GEO series matrix": ("GSE1_series_matrix.txt", series_matrix(measured(), [[f"state: {one}" for one in CLASSES]])),
}
ANSWERS = ("Turn it: each column becomes a row", "Yes, this is the outcome to predict", "Take the first answer to every question")


class Person:
    """Who clicks; `clicks` counts them, choosing a file as one."""

    def __init__(self, page):
        self.page, self.clicks, self.start = page, 0, time.perf_counter()

    def click(self, where):
        """One click, after which the page has done what it was asked."""
        where.first.click()
        self.clicks += 1
        settled(self.page)

    def button(self, name):
        """A button of the page itself."""
        return self.page.get_by_test_id("stMain").get_by_role("button", name=name)

    @property
    def seconds(self):
        """Since the person came."""
        return time.perf_counter() - self.start


def to_study(page, server, file, look=lambda step: None) -> Person:
    """Bring a file and go on to the form of a study; look: called with the name of each screen on the way."""
    name, content = file
    page.goto(server.url)
    heading(page, "How stable is your feature selection")
    person = Person(page)
    page.get_by_test_id("stFileUploader").filter(has_text="Upload a table").locator("input").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )
    person.clicks += 1
    settled(page)
    person.click(person.button("Use this table"))
    heading(page, "What is in the table?")
    settled(page)
    look("data")
    answer(person)
    look("data-answered")
    person.click(page.get_by_role("link", name="or go straight to running a study"))
    heading(page, "Run the selectors again and again")
    settled(page)
    expect(person.button("Start the study")).to_be_enabled()
    look("study")
    return person


def to_stability(person, look=lambda step: None):
    """From the form of a study to the Stability screen."""
    page = person.page
    person.click(person.button("Start the study"))
    expect(page.get_by_text("The study is finished.")).to_be_visible(timeout=180_000)
    settled(page)
    look("study-finished")
    person.click(page.get_by_role("link", name="See how stable each selector is"))
    heading(page, "How often do the same features come back?")
    expect(page.get_by_test_id("stMain").get_by_text(re.compile(r"0\.\d\d")).first).to_be_visible()
    settled(page)
    look("stability")


def answer(person):
    """Every question that the table leaves open, by its first answer; the outcome where none was guessed."""
    for _ in range(8):
        asked = [name for name in ANSWERS if person.button(name).count()]
        offers = person.page.locator("[class*='st-key-offer-'] button")
        if asked:
            person.click(person.button(asked[0]))
        elif offers.count():
            person.click(offers)
        elif person.page.get_by_text("Choose the outcome to go on.").count():
            person.click(person.page.get_by_label("Which column is the outcome to predict?"))
            person.click(person.page.get_by_role("option", name=re.compile("state|Outcome")))
        else:
            return fine(person.page)
    raise AssertionError("the questions do not end")


LOOKS = {
    "light": {"viewport": {"width": 1280, "height": 1000}},
    "dark": {"viewport": {"width": 1280, "height": 1000}, "color_scheme": "dark"},
    "narrow": {"viewport": {"width": 400, "height": 900}},
}


def picture(page, folder, name, step):
    """What a screen on the way looks like."""
    page.screenshot(path=Path(folder) / f"{name}-{step}.png", full_page=True)


def main(folder=None):
    with TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        expect.set_options(timeout=60_000)
        for (what, file), shown in zip(FILES.items(), LOOKS, strict=True):
            context = browser.new_context(**(LOOKS[shown] if folder else LOOKS["light"]))
            page = context.new_page()
            page.set_default_timeout(60_000)

            name = f"{file[0].partition('.')[0]}-{shown}"
            look = partial(picture, page, folder, name) if folder else lambda step: None
            person = to_study(page, server, file, look)
            before = person.seconds
            to_stability(person, look)
            print(
                f"{what:28} {person.clicks:3} clicks, {before:6.1f} s to the study, {person.seconds:6.1f} s to the first number, "
                f"load {os.getloadavg()[0]:.0f}",
                flush=True,
            )
            context.close()


if __name__ == "__main__":
    main(*sys.argv[1:2])
