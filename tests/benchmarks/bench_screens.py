"""The screens in a real Chromium: first picture, and a changed threshold to its redrawn figures. Medians of several."""

import statistics
import tempfile
import time

from benchmark_support import IDLE, app_in_browser


def first_picture(browser, server):
    """Seconds from the click on a bundled study to its first drawn figure."""
    page = browser.new_page()
    page.goto(server.url)
    button = page.get_by_test_id("stMain").get_by_role("button", name="Open with results").first
    button.wait_for()
    start = time.perf_counter()
    button.click()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    return time.perf_counter() - start, page


def changed(page, address, text):
    """Median seconds from a key on the threshold slider to the changed sentence, and what was received for it."""
    page.goto(address)
    slider = page.get_by_role("slider").first
    slider.wait_for()
    page.wait_for_timeout(2000)
    seconds = []
    for _ in range(9):
        before = page.get_by_text(text).first.inner_text()
        start = time.perf_counter()
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("([text, before]) => [...document.querySelectorAll('p')].some(p => p.innerText.includes(text)"
                               " && p.innerText !== before)", arg=[text, before])
        page.wait_for_function(IDLE)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def main():
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        cold, page = first_picture(browser, server)
        warm = statistics.median(first_picture(browser, server)[0] for _ in range(3))
        print(f"first picture of a bundled study (d = 130): {cold:.2f} s on a server just started, {warm:.2f} s afterwards")
        identity = page.url.split("?")[1]
        for what, screen, text in (("threshold to changed numbers on Groups & C", "groups", "related pairs."),
                                   ("cardinality to redrawn curves on Profiles", "profiles", "features, ")):
            print(f"{what}: {changed(page, f'{server.url}/{screen}?{identity}', text):.3f} s")


if __name__ == "__main__":
    main()
