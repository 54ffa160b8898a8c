"""One click, one file: while the page is drawn anew, and after many others, on this computer and from another one."""

import re
from types import SimpleNamespace

import pytest
from browser_support import Server, chromium, heading, open_sample, settled
from pages.parts.late_files import ASKS_FOR_THE_HEAD

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


def test_a_page_asks_for_the_head_of_a_file_and_for_the_whole_of_anything_else(page):
    page.set_content(f"<script>asked = []; fetch = (...all) => asked.push(all)</script>{ASKS_FOR_THE_HEAD}")
    head, whole = {"method": "HEAD"}, None
    for what, how, asked in [("http://a.org:1/media/x.html", None, head), ("/base/media/x.csv?a=1", None, head),
                             ("/media/x.csv", {"method": "GET"}, {"method": "GET"}), ("/static/media/x.woff2", None, whole),
                             ("/_stcore/health?of=/media/x", None, whole)]:
        page.evaluate("([what, how]) => { fetch(what, how ?? undefined) }", [what, how])
        assert page.evaluate("asked.pop()") == [what, asked]


@pytest.mark.slow
def test_many_downloads_from_another_computer_by_plain_http(browser, tmp_path):
    """Such a browser does not say what it asks for a file for."""
    server = Server(tmp_path)
    server.command += ["--server.allowedHosts", "*"]
    server.start()
    server.url = server.url.replace("127.0.0.1", "elsewhere.test")
    try:
        elsewhere = chromium(SimpleNamespace(chromium=browser.browser_type), "--host-resolver-rules=MAP elsewhere.test 127.0.0.1")
        page = elsewhere.new_page()
        asked = []
        page.on("request", lambda request: asked.append(request))
        open_sample(page, server, "wine", "report")
        heading(page, "What do you hand to others?")
        settled(page)
        for _ in range(8):                      # more than a browser has connections to a server
            with page.expect_download() as download:
                page.get_by_role("button", name=REPORT).click()
            assert download.value.path().stat().st_size > 1_000_000
        of_files = [one for one in asked if "/media/" in one.url and one.method == "HEAD"]
        assert len(of_files) >= 8 and not any("sec-fetch-mode" in one.all_headers() for one in of_files)
        elsewhere.close()
    finally:
        server.stop()
