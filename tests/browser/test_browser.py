"""What only a browser shows: the whole path of a new user, a reload in the middle, and names that try to escape."""

import re

import numpy as np
import pandas as pd
from browser_support import NOT_IN_MENU, STABILITY, START, choose, go, heading, metric, open_from_start, plots, press, settled
from page_support import TITLES, studied, study_file
from playwright.sync_api import expect

import stabcore as sc
from stabcore.similarity.scenario import BASES


def clinical_table(rows=90):
    rng = np.random.default_rng(1)
    liver, blood = rng.normal(size=(2, rows, 1))
    frame = pd.DataFrame(
        np.hstack([liver + 0.3 * rng.normal(size=(rows, 3)), blood + 0.3 * rng.normal(size=(rows, 3)), rng.normal(size=(rows, 4))]),
        columns=["ALT", "AST", "ALP", "HGB", "HCT", "RBC", "age", "weight", "sodium", "potassium"],
    ).round(3)
    return frame.assign(outcome=np.where((liver + blood).ravel() + 0.5 * rng.normal(size=rows) > 0, "progressed", "stable"))


def open_table(page, server, table):
    """Upload a table on Start, which opens it."""
    page.goto(server.url)
    heading(page, START)
    settled(page)  # a file that is given while the page is still being made is lost
    page.get_by_test_id("stFileUploader").nth(0).locator("input[type=file]").set_input_files(str(table))
    heading(page, "What is in the table?")
    page.get_by_role("button", name="Confirm outcome").click()
    expect(page.get_by_text("and 10 features")).to_be_visible()


def start_study(page, pairs):
    """Begin a study of all selectors on so many pairs of halves."""
    go(page, "Study")
    page.get_by_text("Settings: selectors, resampling").click()
    page.get_by_label("Pairs of halves", exact=True).fill(str(pairs))
    page.get_by_label("Pairs of halves", exact=True).press("Enter")
    settled(page)
    page.get_by_text("Permutation control (").click()  # it would take several times as long
    settled(page)
    page.get_by_role("button", name="Run study").click()


def take_groups(page, file):
    """Groups of features from a file, as the base of C."""
    go(page, "Similarity")
    choose(page, "Define similar features by", BASES["groups"])
    settled(page)
    press(page, re.compile("^File$"))
    page.locator(".st-key-group-file input[type=file]").set_input_files(str(file))
    page.get_by_role("button", name="Use groups").click()


def finish_study_over_a_reload(page, tasks):
    """A study that runs goes on while the page is loaded anew; the address stays."""
    expect(page.get_by_text(re.compile(rf"[1-9]\d* of {tasks} tasks done"))).to_be_visible()
    address = page.url
    page.reload()
    assert page.url == address
    expect(page.get_by_text(re.compile(rf"\d+ of {tasks} tasks done"))).to_be_visible()
    expect(page.get_by_text("The study is finished.")).to_be_visible(timeout=120_000)


def walk_through_the_results(page):
    for name, address in (("Stability", "stability"), ("Maps", "maps"), ("Feature count", "feature_count"), ("Accuracy", "pareto")):
        go(page, name)
        page.wait_for_url(re.compile(address))
        plots(page)


def raise_the_threshold(page):
    """By keyboard alone, up to the end: effective stability changes, classic stability does not."""
    go(page, "Similarity")
    choose(page, "Define similar features by", BASES["correlation"])
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible()
    settled(page)
    page.get_by_text("Edit pairs", exact=True).click()
    effective, classic = metric(page, "Effective stability"), metric(page, re.compile("^Stability"))
    expect(effective).to_be_visible()
    before, unchanged = effective.inner_text(), classic.inner_text()
    slider.focus()
    page.keyboard.press("End")
    expect(effective).not_to_have_text(before)
    expect(classic).to_have_text(unchanged)


def test_the_whole_path_of_a_new_user(page, server, tmp_path):
    table, groups = tmp_path / "trial.csv", tmp_path / "groups.csv"
    clinical_table().to_csv(table, index=False)
    groups.write_text("feature,group\nALT,liver\nAST,liver\nALP,liver\nHGB,red cells\nHCT,red cells\nRBC,red cells\n")
    open_table(page, server, table)
    choose(page, "Choose outcome", "outcome")
    expect(page.get_by_text("The outcome is progressed in")).to_be_visible()
    take_groups(page, groups)
    expect(metric(page, "Similar pairs")).to_have_text("6")
    start_study(page, 8)
    address = page.url
    finish_study_over_a_reload(page, 128)
    walk_through_the_results(page)
    raise_the_threshold(page)
    again = page.context.browser.new_context().new_page()  # a closed tab: the address is enough
    again.goto(address.replace("/study", "/stability"))
    plots(again)
    again.context.close()


def test_a_bookmark_works_right_after_the_server_was_restarted(page, server):
    open_from_start(page, server, "alzheimer_ad")
    address = page.url
    server.stop()
    server.start()
    page.goto(address)
    heading(page, STABILITY)
    plots(page)
    expect(page.get_by_test_id("stSidebarNav").get_by_role("link")).to_have_count(len(TITLES) - len(NOT_IN_MENU))


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
    quiet(page, "Data", "Study")
    monkeypatch.setenv("STABILITY_HOME", str(server.home))
    made = studied(
        study_file(tmp_path / "hostile.stab", frame, ["mim", "lasso", "random"], sc.ComplementaryPairs(4), classifier="logistic")
    )
    page.goto(f"{server.url}/stability?id={made.id}")
    heading(page, STABILITY)
    quiet(page, "Stability", "Maps", "What if")


def quiet(page, *names):
    """Nothing on these screens leads anywhere else."""
    for name in names:
        go(page, name)
        settled(page)
        assert page.locator("[href*='192.0.2.1'], [src*='192.0.2.1']").count() == 0, name
