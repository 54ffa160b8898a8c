"""A link in a browser that was never here: ms from its address to the last number of every screen, and are all the sender's?

Usage: bench_links.py [STUDY TIMES]: a bundled study, and how many viewers open each link (the slowest counts). The last number is
the last change of words, tables or pictures that can be seen, as the browser itself saw it; 3 s are allowed. A table is drawn on a
canvas; what it says to a screen reader, inside of it, comes later (second number). Learn, with nothing loaded, has 2 s a lesson.
"""

import os
import sys
import tempfile

from benchmark_support import app_in_browser

GOAL = 3000  # ms
GOAL_OF_LEARN = 2000
QUIET = 1200  # ms without a change: the screen stands still
SCREENS = ("stability", "maps", "feature_count", "whatif", "feature_profile", "panel", "pareto", "report", "similarity")
WIDE = {"width": 1280, "height": 3000}
# Before anything of the page: when something of the screen changed last, in ms since the address was asked for.
WATCH = """
window.changed = window.seen = 0;
const isMain = node => document.querySelector('[data-testid=stMain]')?.contains(node);
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (...words) {
  if (isMain(this.canvas)) window.changed = window.seen = performance.now();
  return write.apply(this, words);
};
new MutationObserver(all => {
  const changed = all.map(one => one.target).filter(isMain), now = performance.now();
  if (changed.length) window.changed = now;
  if (changed.some(one => !(one.closest ? one : one.parentElement)?.closest('canvas'))) window.seen = now;
}).observe(document, {subtree: true, childList: true, characterData: true});
"""
STILL = "quiet => !({busy})() && window.changed > 0 && performance.now() - window.changed > quiet"


def sent(page, server, work, screen):
    """(The link to a read-only copy of what is seen on a screen, what is seen there)."""
    from links_support import link, shown

    page.goto(f"{server.url}/{screen}?id={work}")
    seen = shown(page)
    return link(page), seen


def opened(browser, address, seen=None):
    """(ms to the last number that can be seen, ms to the last change of all, where what is shown differs from what was sent), in a
    browser that was never here."""
    from links_support import BUSY, apart, shown

    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.add_init_script(WATCH)
    page.goto(address, wait_until="commit")
    page.wait_for_function(STILL.replace("{busy}", BUSY), arg=QUIET)
    last, whole = page.evaluate("() => [window.seen, window.changed]")
    differs = apart(seen, shown(page)) if seen else {}
    context.close()
    return last, whole, differs


def told(name, times, whole, same, goal=GOAL):
    """A line of the report."""
    print(
        f"  {name:28} {', '.join(f'{one:5.0f}' for one in times)} ms ({max(whole):.0f})  "
        f"{'met' if max(times) <= goal else 'MISSED'}, {same}, load {os.getloadavg()[0]:.0f}",
        flush=True,
    )


def compared(differs):
    """In words: are all numbers the sender's?"""
    wrong = {what: there for one in differs for what, there in one.items()}
    return f"NOT the same: {', '.join(wrong)}" if wrong else "the same numbers"


def main(study="alzheimer_ad", times=2):
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        from browser_support import open_from_start
        from playwright.sync_api import expect

        from stabcore.teaching.catalog import LESSONS

        expect.set_options(timeout=120_000)
        page = browser.new_page(viewport=WIDE)
        page.set_default_timeout(120_000)
        open_from_start(page, server, study)
        page.wait_for_url("**id=*")
        work = page.url.partition("id=")[2].partition("&")[0]
        print(f"a link to {study}, from its address to the last number; {GOAL} ms are allowed", flush=True)
        links = {}
        for screen in SCREENS:
            links[screen] = address, seen = sent(page, server, work, screen)
            seconds, whole, differs = zip(*(opened(browser, address, seen) for _ in range(int(times))), strict=True)
            told(screen, seconds, whole, compared(differs))
        page.close()
        server.stop()
        server.start()
        last, whole, differs = opened(browser, *links["stability"])
        told("stability, server just begun", [last], [whole], compared([differs]))
        for lesson in ("", *LESSONS):
            last, whole, _ = opened(browser, f"{server.url}/learn?lesson={lesson}")
            told(f"Learn {lesson}", [last], [whole], "nothing loaded", GOAL_OF_LEARN)


if __name__ == "__main__":
    main(*sys.argv[1:3])
