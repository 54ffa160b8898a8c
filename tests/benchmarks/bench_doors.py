"""From own files to the Stability screen in a real browser: clicks and seconds, without the time a person thinks.

python tests/benchmarks/bench_doors.py [folder]: with a folder, pictures of every screen on the way, also dark and narrow.
"""

import os
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmark_support import app_in_browser

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
        from doors_support import FILES, to_stability, to_study
        from playwright.sync_api import expect

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
