"""What if? in a real Chromium: from a key or click to what it changes, drawn anew, and what is sent for it.

Usage: bench_whatif_screen.py [TABLE TARGET]; without a table, one of 10 000 made-up features is used.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path

from benchmark_support import IDLE, LISTEN, SELECTORS, app_in_browser, bundled, redrawn, step

VALUES = "[...document.querySelectorAll('[data-testid=\"stMetric\"]')].map(one => one.innerText).join()"


def large(home, table=None, target="outcome"):
    """Id of a workspace with a study of 8 selectors on ten thousand features, M = 100, k = 500, 25 groups."""
    import stabcore as sc
    from pages.workspace.project import Project

    os.environ["STABILITY_HOME"] = home
    made = Project.create()
    text = Path(table).read_bytes() if table else made_up()
    name = made.keep(Path(table).name if table else "made.csv", text)
    data = sc.Dataset.from_file(made.folder / name, target=target)
    groups = {f"group {i}": list(data.features[40 * i : 40 * i + 40]) for i in range(25)}
    made.save(
        kind="table",
        name=f"{data.n_features} features",
        table=name,
        roles={"target": target, "exclude": []},
        scenario={"base": "groups", "groups": groups},
    )
    study = sc.Study(data, selectors=SELECTORS, plan=sc.Subsample(100), k=500, classifier="none", n_permutations=0)
    study.run(store=made.folder / "study.stab", n_jobs=2)
    return made.id


def made_up(n=100, d=10_000):
    """A table in modules of ten that share a cause, as CSV."""
    import numpy as np
    import pandas as pd

    rng, y = np.random.default_rng(0), np.repeat([0, 1], n // 2)
    X = np.repeat(rng.normal(size=(n, d // 10)), 10, axis=1) + rng.normal(size=(n, d)) + y[:, None] * np.linspace(1, 0, d)
    frame = pd.DataFrame(X.round(3), columns=[f"gene{i}" for i in range(d)])
    return frame.assign(outcome=np.where(y, "sick", "well")).to_csv(index=False).encode()


def opened(browser, server, id, section):
    page = browser.new_page(viewport={"width": 1280, "height": 2200})
    page.set_default_timeout(120_000)
    page.add_init_script(LISTEN)
    page.goto(f"{server.url}/whatif?id={id}")
    page.get_by_text(section).first.click()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    page.wait_for_timeout(2000)
    page.wait_for_function(IDLE)
    page.wait_for_timeout(2000)
    return page


def settled(page):
    page.wait_for_timeout(4000)
    page.wait_for_function(IDLE)
    page.wait_for_timeout(1000)


def switched(page):
    """(seconds from a click on a group to its number, 0, KB received), medians of seven."""
    found, pills = [], page.get_by_test_id("stButtonGroup").last.get_by_role("button")
    for i in range(7):
        page.wait_for_timeout(600)
        before = page.evaluate(VALUES)
        box = pills.nth(i).bounding_box()
        start = page.evaluate("() => { window.got = []; return performance.now() }")
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_function(f"before => {VALUES} !== before", arg=before, polling=10)
        end = page.evaluate("() => performance.now()")
        page.wait_for_function(IDLE)
        page.wait_for_timeout(300)
        found.append(((end - start) / 1000, 0, page.evaluate("() => window.got.reduce((sum, one) => sum + one[1], 0)") / 1000))
    return [statistics.median(column) for column in zip(*found)]


def tell(what, numbers):
    total, drawing, size = numbers
    print(f"  {what:58} {total:6.2f} s, {drawing:.2f} s of it in the browser, {size:4.0f} KB", flush=True)


def screens(browser, server, id):
    """Every what-if of one study."""
    page = opened(browser, server, id, "From which correlation on?")
    tell("threshold → curves of 8 selectors", redrawn(page, step(page, "Features stand for each other"), 0))
    page.get_by_text("What if another number of features were selected?").click()
    page.get_by_role("slider", name="Features selected in every run").wait_for()
    tell("cardinality → curves of 8 selectors", redrawn(page, step(page, "Features selected in every run"), 0))
    for section in ("Which pairs matter most?", "What does each group do?", "Without a feature or a run"):
        page.get_by_text(section).first.click()
        settled(page)
        mine = page.get_by_role("button", name="groups on every screen")
        if mine.count():  # the threshold above made correlation the base
            mine.click()
            settled(page)
        tell(f"cardinality → {section}", redrawn(page, step(page, "Features selected in every run"), 0))
        if section.startswith("Which"):
            name = "How far do they stand"
            key = "ArrowLeft" if page.get_by_role("slider", name=name).input_value() == "1" else "ArrowRight"
            tell("C of a pair → influence of all pairs", redrawn(page, step(page, name, key), 0))
        if section.startswith("What"):
            tell("a group off → its numbers", switched(page))
    page.close()


def main():
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        ids = {"d = 130, M = 50, 8 selectors": bundled(home), "d = 10 000, M = 100, 8 selectors": large(home, *sys.argv[1:3])}
        for title, id in ids.items():
            print(title, flush=True)
            screens(browser, server, id)


if __name__ == "__main__":
    main()
