"""The maps in a real Chromium: from a key to the redrawn figure, how long of it the browser draws, and what is sent for it."""

import os
import statistics
import tempfile

from benchmark_support import IDLE, app_in_browser

# When what arrived (bytes), and when which figure was drawn; before the page opens its connection.
LISTEN = """
window.got = [];
const Plain = window.WebSocket;
window.WebSocket = class extends Plain {
  constructor(...how) {
    super(...how);
    this.addEventListener('message', e => window.got.push([performance.now(), e.data.byteLength ?? e.data.size ?? e.data.length]));
  }
};"""
# Streamlit puts another element in the place of a figure that changed; the last change inside of it is the end of its drawing.
WATCH = """i => {
  const at = () => document.querySelectorAll('.js-plotly-plot')[i], before = at();
  window.drawn = [];
  window.eye?.disconnect();
  window.eye = new MutationObserver(changes => {
    const now = at();
    if (now && now !== before && changes.some(one => now.contains(one.target))) window.drawn.push(performance.now());
  });
  window.eye.observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


def study(home, d, k):
    """Id of a workspace with a study of 100 runs on made-up data."""
    import numpy as np
    import pandas as pd

    import stabcore as sc
    from pages.workspace.project import Project

    os.environ["STABILITY_HOME"] = home
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 40)
    frame = pd.DataFrame(rng.normal(size=(80, d)) + y[:, None] * np.linspace(1, 0, d), columns=[f"gene{i}" for i in range(d)])
    data = sc.Dataset.from_frame(frame.assign(outcome=np.where(y, "sick", "well")), target="outcome")
    made = Project.create()
    wanted = sc.Study(data, selectors=["mim"], plan=sc.Subsample(100), k=k, classifier="none", n_permutations=0)
    wanted.run(store=made.folder / "study.stab", n_jobs=1)
    made.save(kind="study", name=f"{d} features", store="study.stab")
    return made.id


def redrawn(page, act, figure):
    """(seconds from an action to the redrawn figure, of these after its data arrived, KB received), medians of seven."""
    found = []
    for _ in range(7):
        page.wait_for_timeout(600)
        page.evaluate(WATCH, figure)
        start = page.evaluate("() => { window.got = []; return performance.now() }")
        act()
        page.wait_for_function("() => window.drawn.length > 0")
        page.wait_for_function(IDLE)
        page.wait_for_timeout(600)
        got, drawn = page.evaluate("() => [window.got, window.drawn]")
        arrived = max((one for one in got if one[0] < drawn[-1]), key=lambda one: one[1])
        found.append(((drawn[-1] - start) / 1000, (drawn[-1] - arrived[0]) / 1000, sum(size for _, size in got) / 1000))
    return [statistics.median(column) for column in zip(*found)]


def step(page, label, key="ArrowRight"):
    """An action: one step on a slider, each time to a place where it was not before, for what was sent once is kept."""
    slider = page.get_by_role("slider", name=label).first

    def act():
        slider.focus()
        page.keyboard.press(key)

    return act


def opened(browser, server, id):
    page = browser.new_page(viewport={"width": 1280, "height": 2200})
    page.add_init_script(LISTEN)
    page.goto(f"{server.url}/maps?id={id}")
    page.locator(".js-plotly-plot .main-svg").nth(1).wait_for()
    page.wait_for_timeout(3000)
    return page


def main():
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        large, small = study(home, 10_000, 3000), study(home, 50, 45)
        page = opened(browser, server, large)
        places, pieces = "Places in the order", "Features drawn one by one"
        tell("grid 100 × all of 10 000 features that were selected", redrawn(page, step(page, places), 0))
        page.close()
        page = opened(browser, server, small)
        tell("rectangles 100 × 41 to 47", redrawn(page, step(page, pieces), 1))
        page.close()
        page = opened(browser, server, large)
        step(page, pieces, "End")()
        page.wait_for_timeout(3000)
        tell("rectangles beyond 5000 segments", redrawn(page, step(page, pieces, "ArrowLeft"), 1))


def tell(what, numbers):
    total, drawing, size = numbers
    print(
        f"{what}: {total:.2f} s from the key to the redrawn figure, {drawing:.2f} s of it in the browser, {size:.0f} KB", flush=True
    )


if __name__ == "__main__":
    main()
