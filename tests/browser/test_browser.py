"""What only a browser shows: the whole path of a new user, a reload in the middle, and names that try to escape."""

import re

import numpy as np
import pandas as pd
import pytest
from browser_support import choose, go, heading, metric, open_from_start, plots, press, settled
from page_support import studied, study_file
from playwright.sync_api import expect
from support import ROOT

import stabcore as sc


def clinical_table(rows=90):
    rng = np.random.default_rng(1)
    liver, blood = rng.normal(size=(2, rows, 1))
    frame = pd.DataFrame(
        np.hstack([liver + 0.3 * rng.normal(size=(rows, 3)), blood + 0.3 * rng.normal(size=(rows, 3)), rng.normal(size=(rows, 4))]),
        columns=["ALT", "AST", "ALP", "HGB", "HCT", "RBC", "age", "weight", "sodium", "potassium"],
    ).round(3)
    return frame.assign(outcome=np.where((liver + blood).ravel() + 0.5 * rng.normal(size=rows) > 0, "progressed", "stable"))


def open_table(page, server, table):
    """Upload a table on Start and use it."""
    page.goto(server.url)
    heading(page, "How far can you trust")
    settled(page)  # a file that is given while the page is still being made is lost
    page.get_by_test_id("stFileUploader").nth(0).locator("input[type=file]").set_input_files(str(table))
    button = page.get_by_role("button", name="Use this table")
    expect(button).to_be_enabled()
    button.click()
    heading(page, "What is in the table?")
    page.get_by_role("button", name="Yes, this is the outcome").click()
    expect(metric(page, "Features")).to_have_text("10")


def start_study(page, pairs):
    """Begin a study of all selectors on so many pairs of halves."""
    go(page, "Study")
    page.get_by_text("Details: selectors and their settings").click()
    page.get_by_label("Pairs of halves", exact=True).fill(str(pairs))
    page.get_by_label("Pairs of halves", exact=True).press("Enter")
    settled(page)
    page.get_by_text("Permutation control: shuffle").click()  # it would take several times as long
    settled(page)
    page.get_by_role("button", name="Start the study").click()


def take_groups(page, file):
    """Groups of features from a file, as the base of C."""
    go(page, "Groups & C")
    page.get_by_text("My groups: members").click()
    settled(page)
    press(page, re.compile("^File$"))
    page.locator(".st-key-group-file input[type=file]").set_input_files(str(file))
    page.get_by_role("button", name="Take the groups from this file").click()


def finish_study_over_a_reload(page, tasks):
    """A study that runs goes on while the page is loaded anew; the address stays."""
    expect(page.get_by_text(re.compile(rf"[1-9]\d* of {tasks} tasks done"))).to_be_visible()
    address = page.url
    page.reload()
    assert page.url == address
    expect(page.get_by_text(re.compile(rf"\d+ of {tasks} tasks done"))).to_be_visible()
    expect(page.get_by_text("The study is finished.")).to_be_visible(timeout=120_000)


def walk_through_the_results(page):
    for name, title, at_least in (
        ("Stability", "How often do the same features come back?", 1),
        ("Maps", "What did each run select?", 2),
        ("Profiles", "How many features can be trusted?", 1),
        ("Pareto", "Accurate and stable", 1),
    ):
        go(page, name)
        heading(page, title)
        expect(page.locator(".js-plotly-plot").nth(at_least - 1)).to_be_visible()
        plots(page, at_least)
        if name == "Stability":
            expect(page.get_by_text("The noise floor was not measured").first).to_be_visible()
        if name == "Maps":
            expect(page.locator(".js-plotly-plot:visible")).to_have_count(2)


def raise_the_threshold(page):
    """By keyboard alone, up to the end: effective stability changes, classic stability does not."""
    go(page, "Groups & C")
    page.get_by_text("Correlation: correlated features").click()
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("0.5")
    settled(page)
    before, classic = metric(page, "Effective stability").inner_text(), metric(page, "Classic stability").inner_text()
    slider.focus()
    page.keyboard.press("End")
    expect(metric(page, "Effective stability")).not_to_have_text(before)
    expect(metric(page, "Classic stability")).to_have_text(classic)


def test_the_whole_path_of_a_new_user(page, server, tmp_path):
    table, groups = tmp_path / "trial.csv", tmp_path / "groups.csv"
    clinical_table().to_csv(table, index=False)
    groups.write_text("feature,group\nALT,liver\nAST,liver\nALP,liver\nHGB,red cells\nHCT,red cells\nRBC,red cells\n")
    open_table(page, server, table)
    choose(page, "Which column is the outcome", "outcome")
    expect(metric(page, "Classes")).to_have_text("2")
    take_groups(page, groups)
    expect(page.get_by_text("Members of 2 groups are similar: 6 similar pairs")).to_be_visible()
    start_study(page, 8)
    address = page.url
    finish_study_over_a_reload(page, 128)
    walk_through_the_results(page)
    raise_the_threshold(page)
    again = page.context.browser.new_context().new_page()  # a closed tab: the address is enough
    again.goto(address.replace("/study", "/stability"))
    expect(again.get_by_text("The noise floor was not measured").first).to_be_visible()
    again.context.close()


def test_a_bookmark_works_right_after_the_server_was_restarted(page, server):
    open_from_start(page, server, "alzheimer_ad")
    address = page.url
    server.stop()
    server.start()
    page.goto(address)
    heading(page, "How often do the same features come back?")
    plots(page)
    pages = (ROOT / "app.py").read_text(encoding="utf-8").count("st.Page(")
    expect(page.get_by_test_id("stSidebarNav").get_by_role("link")).to_have_count(pages)


@pytest.mark.slow  # the same without a browser: tests/stabcore/test_commands.py, tests/pages/test_study_page.py
def test_cancel_keeps_what_is_done_and_resume_finishes(page, server, tmp_path):
    table = tmp_path / "trial.csv"
    clinical_table().to_csv(table, index=False)
    open_table(page, server, table)
    start_study(page, 12)
    expect(page.get_by_text(re.compile(r"[1-9]\d* of 192 tasks done"))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("The study stopped early")).to_be_visible()
    settled(page)  # what is above still moves, and a click may miss
    page.get_by_role("button", name="Go on with what is missing").click()
    expect(page.get_by_text("The study is finished.")).to_be_visible(timeout=120_000)


def test_names_in_data_cannot_escape(page, server, tmp_path, monkeypatch):
    """The fixture fails when any of these is fetched; here: nothing becomes a link, an image or a script."""
    table = tmp_path / "hostile.csv"
    frame = clinical_table()
    bad = [
        "![x](http://192.0.2.1/x.png)",
        "<img src=http://192.0.2.1/y.png>",
        "[a](http://192.0.2.1)",
        "http://192.0.2.1/z",
        '<a href="http://192.0.2.1">t</a>',
        "%{x} $\\alpha$ :red[c]",
    ]
    frame.columns = [*bad, *frame.columns[6:]]
    frame.to_csv(table, index=False)
    open_table(page, server, table)
    quiet(page, "Data", "Groups & C", "Study")
    monkeypatch.setenv("STABILITY_HOME", str(server.home))
    made = studied(
        study_file(tmp_path / "hostile.stab", frame, ["mim", "lasso", "random"], sc.ComplementaryPairs(4), classifier="logistic")
    )
    page.goto(f"{server.url}/stability?id={made.id}")
    heading(page, "How often do the same features come back?")
    quiet(page, "Stability", "Maps", "Profiles", "What if", "Pareto")


def quiet(page, *names):
    """Nothing on these screens leads anywhere else."""
    for name in names:
        go(page, name)
        settled(page)
        assert page.locator("[href*='192.0.2.1'], [src*='192.0.2.1']").count() == 0, name
