"""One click, one file: while the page is drawn anew, and after many others."""

import re

import pytest
from browser_support import heading, open_sample, settled

REPORT = "The report (HTML)"


@pytest.mark.slow           # the same without a browser: tests/pages/test_late_files.py
def test_every_click_gives_the_report_after_many_and_while_the_page_is_drawn_anew(page, server):
    routes, late, holds = [], [], [False]

    def between(route):
        above = route.connect_to_server()
        routes.append(route)
        route.on_message(above.send)
        above.on_message(lambda message: late.append(message) if holds[0] else route.send(message))

    page.route_web_socket(re.compile("_stcore/stream"), between)
    try:
        open_sample(page, server, "wine", "report")
        heading(page, "What do you hand to others?")
        settled(page)
        button = page.get_by_role("button", name=REPORT)
        for _ in range(8):                      # more than a browser has connections to a server
            with page.expect_download() as download:
                button.click()
            assert download.value.path().stat().st_size > 1_000_000
        holds[0] = True                         # the browser does not see yet that the page was drawn anew
        page.get_by_role("slider").first.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(4000)
        assert late
        with page.expect_download() as download:
            button.click()
            page.wait_for_timeout(500)
            holds[0] = False
            for message in late:
                routes[-1].send(message)
        assert download.value.suggested_filename == "report.html"
    finally:
        page.unroute_all()
