"""The report of eight selectors × 50 runs, on a bundled study and on 102 × 12 600.

Seconds with and without interactive figures, megabytes, the same bytes twice, and milliseconds of a step in Chromium.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from benchmark_support import line, timed
from browser_support import CHROMIUM, chromium

import stabcore as sc
from pages.workspace.samples import SAMPLES
from stabcore.__main__ import main as command

EIGHT = {
    "mim": "mim",
    "auc": "auc",
    "variance": "variance",
    "welch_t": "welch_t",
    "anova_f": "anova_f",
    "information_gain": "information_gain",
    "random": "random",
    "random again": "random",
}
ROWS, FEATURES, SIGNAL = 102, 12_600, 40
CONTROLS, STEPS = ("size", "share", "who", "step", "scenario", "map"), 9
MOVE = """async ([id, steps]) => {
  const control = document.getElementById(id), last = control.max || control.options.length - 1, spent = [];
  for (let i = 0; i < steps; i++) {
    control.value = i % (+last + 1);
    const begun = performance.now();
    control.dispatchEvent(new Event(control.max ? "input" : "change"));
    document.body.getBoundingClientRect();
    spent.push(performance.now() - begun);
    await new Promise(done => setTimeout(done, 200));
  }
  return spent;
}"""


def wide(folder):
    """(study file, table) of filters on a table as wide as a microarray."""
    rng, ill = np.random.default_rng(0), np.arange(ROWS) % 2
    values = rng.normal(size=(ROWS, FEATURES))
    values[:, :SIGNAL] += 1.2 * ill[:, None]
    table = folder / "wide.csv"
    pd.DataFrame(values, columns=[f"g{i}" for i in range(FEATURES)]).assign(target=np.where(ill, "ill", "well")).to_csv(
        table, index=False, float_format="%.5g"
    )
    study = sc.Study(
        sc.Dataset.from_file(table, target="target"), EIGHT, plan=sc.ComplementaryPairs(25), k=20, random_state=1, n_permutations=0
    )
    study.run(store=folder / "wide.stab", n_jobs=2)
    return folder / "wide.stab", table


def told(name, store, table, folder, target, most_mb):
    """Lines on two reports of one study, the seconds that interactive figures add, and a step of their controls."""
    pages, seconds = [], []
    for number in range(2):
        page = folder / f"{number}.html"
        seconds.append(made(store, table, page))
        pages.append(page.read_bytes())
    size, still = len(pages[0]) / 1e6, made(store, table, folder / "still.html", "--no-interactive")
    line(
        name,
        max(seconds),
        target,
        f"{still:.1f} s without interactive figures; {size:.1f} MB, at most {most_mb}: {'met' if size <= most_mb else 'MISSED'}; "
        f"the same bytes twice: {'yes' if pages[0] == pages[1] else 'NO'}",
    )
    if CHROMIUM:
        for control, spent in steps(folder / "0.html").items():
            line(f"  a step of {control}, median of {STEPS}", spent, 0.1)


def made(store, table, page, *options):
    """Seconds of the processor that a report takes."""
    seconds, refused = timed(
        lambda: command(["report", str(store), "--table", str(table), "-o", str(page), *options]), time.process_time
    )
    assert not refused
    return seconds


def steps(path):
    """{control: median seconds from moving it until everything is drawn}"""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_context(offline=True).new_page()
        page.goto(path.as_uri())
        page.wait_for_selector("#panel-plot .main-svg")
        spent = {control: page.evaluate(MOVE, [control, STEPS]) for control in CONTROLS if page.locator(f"#{control}").count()}
        browser.close()
    return {control: statistics.median(times) / 1000 for control, times in spent.items()}


def main():
    with tempfile.TemporaryDirectory() as made_in:
        folder = Path(made_in)
        told(
            "report, 8 selectors × 50 runs, 130 features", SAMPLES / "alzheimer_ad.stab", SAMPLES / "alzheimer_ad.csv", folder, 5, 8
        )
        told("report, 8 selectors × 50 runs, 12 600 features", *wide(folder), folder, 20, 15)


if __name__ == "__main__":
    sys.exit(main())
