"""The panel at size: its core by seconds of the processor, and its sliders in a real Chromium. Nothing is asserted.

    python tests/benchmarks/bench_panel.py [core|screens]

50 runs of 8 selectors. Of a screen stand the seconds from a key to the redrawn picture, and those of the processor that the server
spent on it meanwhile, which other work on the machine disturbs less.
"""

import os
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import stabcore as sc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # what tests share

from bench_maps import LISTEN, WATCH, step
from bench_whatif_screen import SELECTORS, bundled
from benchmark_support import IDLE, app_in_browser, best
from panel_support import drawn

from stabcore.analysis.consensus import consensus, shared_panels
from stabcore.analysis.panel import panel
from stabcore.plots.panel import draw_panel, draw_shared, frame_panel, frame_shared
from stabcore.study.results import Results

RUNS, LARGE = 50, 12_600


def results(d, k=20):
    """Eight selectors, 50 runs each: scores with a common part."""
    rng = np.random.default_rng(d)
    pull = np.where(np.arange(d) < 30, np.linspace(3, 1, d)[np.arange(d)], 0)
    return Results({f"s{i}": sc.Selections.from_scores(rng.normal(size=(RUNS, d)) + pull).top(k) for i in range(len(SELECTORS))})


def table():
    """102 patients and 12,600 features, of which 20 differ."""
    X, y = drawn(np.random.default_rng(0), 102, LARGE, 20, 1.0)
    frame = pd.DataFrame(X.round(3), columns=[f"gene{i}" for i in range(LARGE)])
    return frame.assign(outcome=np.where(y, "sick", "well"))


def core():
    quick = partial(panel, with_swaps=False)  # as the screen does while a slider is moved
    for d, most in ((130, 0.3), (LARGE, 1.0)):
        made = results(d)
        labels = made.selectors
        made.selections(labels[0], 10)
        seconds = {
            "panel, another threshold": best(lambda: draw_panel(frame_panel(quick(made, 0.6), 0.6))),
            "panel, another k": best(lambda: draw_panel(frame_panel(quick(made, 0.6, 15), 0.6))),
            "what swaps, once": best(lambda: sc.substitutes(made), 1),
            "UpSet (0.3 s)": best(lambda: draw_shared(frame_shared(shared_panels(made, 0.6), labels), labels)),
            "consensus": best(lambda: consensus(made, 0.6)),
        }
        for what, spent in seconds.items():
            print(f"{most:.1f} s asked   {spent:6.2f} s   d = {d:6,}   {what}", flush=True)
    data = sc.Dataset.from_frame(table(), target="outcome")
    for what, make in (("effects, as measured and shrunken", sc.effects), ("rank intervals", sc.rank_intervals)):
        spent = best(partial(make, data), 1)
        print(f"10 s asked    {spent:6.2f} s   d = {LARGE:,}, n = 102: {what}, once")


def large(home):
    """Id of a workspace with a study of 8 selectors on such a table, 25 pairs of halves."""
    from pages.workspace.project import Project

    os.environ["STABILITY_HOME"] = home
    made = Project.create()
    name = made.keep("made.csv", table().to_csv(index=False).encode())
    data = sc.Dataset.from_file(made.folder / name, target="outcome")
    made.save(kind="table", name=f"{LARGE} features", table=name, roles={"target": "outcome", "exclude": []}, store="study.stab")
    sc.Study(data, SELECTORS, plan=sc.ComplementaryPairs(RUNS // 2), k=20, classifier="none", n_permutations=0).run(
        store=made.folder / "study.stab", n_jobs=2
    )
    return made.id


def spent(server):
    """Seconds of the processor that the server has taken since it began; 0 where the system does not tell."""
    file = Path(f"/proc/{server.process.pid}/stat")
    if not file.exists():
        return 0.0
    user, system = file.read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def told(page, server, what, act, most, times=7):
    """Medians of several: from an action to its redrawn first picture."""
    seconds = []
    for _ in range(times):
        page.wait_for_timeout(600)
        page.evaluate(WATCH, 0)
        begun, start = spent(server), page.evaluate("() => performance.now()")
        act()
        page.wait_for_function("() => window.drawn.length > 0")
        page.wait_for_function(IDLE)
        page.wait_for_timeout(400)
        seconds.append(((page.evaluate("() => window.drawn.at(-1)") - start) / 1000, spent(server) - begun))
    screen, processor = (statistics.median(column) for column in zip(*seconds, strict=True))
    print(f"{most:.1f} s asked   {screen:6.2f} s on the screen, {processor:5.2f} s of the processor   {what}", flush=True)


def screens():
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        for d, id, most in ((130, bundled(home), 0.3), (LARGE, large(home), 1.0)):
            page = browser.new_page(viewport={"width": 1280, "height": 2200})
            page.set_default_timeout(120_000)
            page.add_init_script(LISTEN)
            for section in ("panel", "together"):
                page.goto(f"{server.url}/panel?id={id}&panel={section}")
                page.locator(".js-plotly-plot .main-svg").first.wait_for()
                page.wait_for_timeout(3000)
                page.wait_for_function(IDLE)
                limit = 0.3 if section == "together" else most
                told(page, server, f"d = {d:,}, {section}: threshold", step(page, "Least share", "ArrowLeft"), limit)
                if section == "panel":
                    page.get_by_text("What if another number of features were selected?").click()
                    page.get_by_role("slider", name="Features selected in every run").wait_for()
                    page.wait_for_timeout(3000)
                    told(page, server, f"d = {d:,}, {section}: k", step(page, "Features selected in every run"), most)
            page.close()


if __name__ == "__main__":
    for part in sys.argv[1:] or ("core", "screens"):
        {"core": core, "screens": screens}[part]()
