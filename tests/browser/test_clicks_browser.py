"""From a workbook as a hospital keeps it to the panel in the report: how many clicks it takes, and what they have accepted."""

import re

import numpy as np
from browser_support import START, go, heading, plots, settled
from file_support import workbook
from playwright.sync_api import expect

MOST_CLICKS = 5  # the choice of a file is one of them
MEASURED = re.compile(r"^([4-9]\d\d|\d{4,}) of \d+ tasks done")  # every selector in every run, before the outcome is shuffled


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
            rows.append([f"P{1000 + i}", f"{1 + i % 28:02d}.03.2023", "mw"[i % 3 == 0], *cells, ["gesund", "Fibrose"][sick]])
    groups = [None, None, None, "Leber", "Blutbild", None, "Niere", None, None]
    names = ["PatNr", "Aufnahme", "Geschlecht", "ALT", "Hb", "Leukozyten", "Kreatinin", "CRP", "Diagnose"]
    units = [None, None, None, "U/l", "g/dl", "10^9/l", "mg/dl", "mg/l", None]
    title, blank = ["Leberstudie 2023", *[None] * 8], [None] * 9
    foot = ["n.b. = nicht bestimmt", *[None] * 8]
    return workbook({"Deckblatt": [["Klinikum Nord"], ["12.03.2024"]], "Labor": [title, blank, groups, names, units, *rows, foot]})


def test_from_a_hospital_workbook_to_the_panel_in_the_report(page, server, tmp_path):
    table, clicks = tmp_path / "klinik.xlsx", []
    table.write_bytes(hospital_workbook())

    def click(element):
        clicks.append(element.inner_text())
        element.click()

    page.goto(server.url)
    heading(page, START)
    settled(page)
    clicks.append("choose a file")
    page.get_by_test_id("stFileUploader").nth(0).locator("input[type=file]").set_input_files(str(table))
    heading(page, "What is in the table?")
    assert page.get_by_role("button", name="Next: Study").count() == 0, "one main button, which says what it takes"
    expect(page.get_by_text("It accepts 2 suggestions about the cells below.")).to_be_visible()
    click(page.get_by_role("button", name="Run study with these suggestions"))
    expect(page.get_by_text(MEASURED)).to_be_visible(timeout=300_000)
    page.get_by_role("button", name="Cancel study (keep results)").click()  # for the time of this test: the rest are shuffles
    expect(page.get_by_role("button", name="Continue study")).to_be_visible()
    click(page.get_by_test_id("stSidebarNav").get_by_role("link", name="Panel", exact=True))
    plots(page)
    click(page.get_by_role("button", name="Next: Report"))
    with page.expect_download(timeout=120_000) as download:
        click(page.get_by_role("button", name="Download report"))
    report = download.value.path().read_text(encoding="utf-8")
    assert re.search(r"ALT[^<]{0,20}", report) and "Panel" in report
    assert len(clicks) <= MOST_CLICKS, clicks
    go(page, "Data")
    expect(page.get_by_text("and 6 features")).to_be_visible()
    expect(page.get_by_text("were read as half the limit")).to_be_visible()
