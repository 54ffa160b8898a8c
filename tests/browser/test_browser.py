"""The whole path of a new user: from a hospital's workbook, with names that try to escape, to the panel in the report, and back."""

import re

import numpy as np
from browser_support import NOT_IN_MENU, START, choose, fine, forget, go, heading, metric, plots, press, settled
from file_support import workbook
from page_support import TITLES
from playwright.sync_api import expect

from stabcore.similarity.scenario import BASES

MAX_CLICKS = 5  # the choice of a file is one of them
SOME = re.compile(r"^([2-9]\d|\d{3,}) of (\d+) tasks done")  # enough runs of every selector
HOSTILE = (
    "![x](http://192.0.2.1/x.png)",
    "<img src=http://192.0.2.1/y.png>",
    "[a](http://192.0.2.1)",
    "http://192.0.2.1/z",
    '<a href="http://192.0.2.1">t</a>',
    "%{x} $\\alpha$ :red[c]",
)
ADDRESSES = {title: key for key, title in TITLES.items()}
OUTSIDE = "[href*='192.0.2.1'], [src*='192.0.2.1']"
WALK = ("Data", "Study", "Stability", "Maps", "Feature count", "Accuracy", "What if")


def german(number, digits):
    return f"{number:.{digits}f}".replace(".", ",")


def hospital_workbook(patients=70):
    """A cover sheet, titles, a header of groups, units, decimal commas, limits, marks, dates, repeated patients and a footer."""
    rng, rows = np.random.default_rng(3), []
    for i in range(patients):
        sick = i % 2
        for _ in range(1 + (i % 4 == 0)):
            z = rng.normal(size=5)
            cells = [german(value, digits) for value, digits in ((np.exp(3.4 + 0.4 * z[0] + 0.9 * sick), 0), (14 + z[1], 1))]
            cells += [german(7 + z[2], 1), german(0.9 + 0.2 * z[3], 2)]
            cells.append("<5" if z[4] < -0.6 else german(6 + 3 * abs(z[4]), 1))
            cells[i % 5] = "n.b." if i % 11 == 3 else cells[i % 5]
            more = [german(value, 2) for value in rng.normal(size=len(HOSTILE))]
            rows.append([f"P{1000 + i}", f"{1 + i % 28:02d}.03.2023", "mw"[i % 3 == 0], *cells, *more, ["gesund", "Fibrose"][sick]])
    none = [None] * len(HOSTILE)
    groups = [None, None, None, "Leber", "Blutbild", None, "Niere", None, *none, None]
    names = ["PatNr", "Aufnahme", "Geschlecht", "ALT", "Hb", "Leukozyten", "Kreatinin", "CRP", *HOSTILE, "Diagnose"]
    units = [None, None, None, "U/l", "g/dl", "10^9/l", "mg/dl", "mg/l", *none, None]
    title, blank, foot = ([text, *[None] * (len(names) - 1)] for text in ("Leberstudie 2023", None, "n.b. = nicht bestimmt"))
    return workbook({"Deckblatt": [["Klinikum Nord"], ["12.03.2024"]], "Labor": [title, blank, groups, names, units, *rows, foot]})


def clicks_to_the_report(page, table):
    """From Start to a downloaded report, which is returned. The study goes on while the page is loaded anew, and is cancelled."""
    clicks = ["choose a file"]

    def click(element):
        clicks.append(element.inner_text())
        element.click()

    page.get_by_test_id("stFileUploader").nth(0).locator("input[type=file]").set_input_files(str(table))
    heading(page, "What is in the table?")
    expect(page.get_by_text("It accepts 2 suggestions about the cells below.")).to_be_visible()
    settled(page)
    assert page.get_by_role("button", name="Next: Study").count() == 0, "one main button, which says what it takes"
    click(page.get_by_role("button", name="Run study with these suggestions"))
    expect(page.get_by_text(re.compile(r"^[1-9]\d* of \d+ tasks done"))).to_be_visible(timeout=120_000)
    address = page.url
    page.reload()
    assert page.url == address
    expect(page.get_by_text(SOME)).to_be_visible(timeout=300_000)
    page.get_by_role("button", name="Cancel study (keep results)").click()  # for the time of this test
    expect(page.get_by_role("button", name="Continue study")).to_be_visible()
    click(page.get_by_test_id("stSidebarNav").get_by_role("link", name="Panel", exact=True))
    plots(page)
    click(page.get_by_role("button", name="Next: Report"))
    with page.expect_download(timeout=120_000) as download:
        click(page.get_by_role("button", name="Download report"))
    assert len(clicks) <= MAX_CLICKS, clicks
    return download.value.path().read_text(encoding="utf-8")


def take_groups(page, file):
    """Groups of features from a file, as the base of C."""
    go(page, "Similarity")
    choose(page, "Define similar features by", BASES["groups"])
    settled(page)
    press(page, re.compile("^File$"))
    page.locator(".st-key-group-file input[type=file]").set_input_files(str(file))
    page.get_by_role("button", name="Use groups").click()
    expect(metric(page, "Similar pairs")).to_have_text("4")


def raise_the_threshold(page):
    """By keyboard alone, up to the end: effective stability changes, classic stability does not."""
    choose(page, "Define similar features by", BASES["correlation"])
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible()
    settled(page)
    page.get_by_text("Edit pairs", exact=True).click()
    effective, classic = metric(page, "Effective stability"), metric(page, re.compile("^Stability"))
    expect(effective).to_be_visible()
    slider.focus()
    page.keyboard.press("Home")
    settled(page)
    before, unchanged = effective.inner_text(), classic.inner_text()
    slider.focus()
    page.keyboard.press("End")
    settled(page)  # until then, a value may stand beside the one before
    expect(effective).not_to_have_text(before)
    expect(classic).to_have_text(unchanged)


def test_the_whole_path_of_a_new_user(page, server, tmp_path):
    """The fixture of the page fails when anything outside is fetched. Here: no name becomes a link, an image or a script."""
    table, groups = tmp_path / "klinik.xlsx", tmp_path / "groups.csv"
    table.write_bytes(hospital_workbook())
    groups.write_text("feature,group\nALT,liver\nCRP,liver\nKreatinin,liver\nHb,blood\nLeukozyten,blood\n")
    page.goto(server.url)
    heading(page, START)
    settled(page)  # a file that is given while the page is still being made is lost
    report = clicks_to_the_report(page, table)
    assert re.search(r"ALT[^<]{0,20}", report) and "Panel" in report
    showing_address = []
    for name in WALK:
        go(page, name)
        page.wait_for_url(re.compile(f"/{ADDRESSES[name]}[?]"))
        settled(page)
        if name not in ("Data", "Study"):
            plots(page)
        assert page.locator(OUTSIDE).count() == 0, name
        showing_address += [name] * ("192.0.2.1" in page.get_by_test_id("stMain").text_content())
        if name == "Data":
            expect(page.get_by_text("and 12 features")).to_be_visible()
            expect(page.get_by_text("were read as half the limit")).to_be_visible()
    assert "Maps" in showing_address, showing_address
    take_groups(page, groups)
    raise_the_threshold(page)
    address = page.url.replace("/similarity", "/stability")
    server.stop()
    server.start()
    forget(page)
    page.goto(address)  # a bookmark, in a browser that knows nothing more
    plots(page)
    fine(page)
    expect(page.get_by_test_id("stSidebarNav").get_by_role("link")).to_have_count(len(TITLES) - len(NOT_IN_MENU))
