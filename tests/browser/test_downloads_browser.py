"""Files that pages offer: each is made when it is asked for and comes, also after many others."""

from browser_support import heading, open_sample, settled


def test_reports_come_after_many_others(page, server):
    open_sample(page, server, "wine", "report")
    heading(page, "What do you hand to others?")
    settled(page)
    for _ in range(8):  # more than a browser has connections to a server
        page.get_by_role("slider").first.focus()
        page.keyboard.press("ArrowRight")  # another report
        settled(page)
        page.get_by_role("button", name="The report (HTML)").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download report.html").click()
        assert download.value.suggested_filename == "report.html" and download.value.path().stat().st_size > 1_000_000
    with page.expect_download() as download:
        page.get_by_role("button", name="All tables (CSV)").click()
    assert download.value.path().stat().st_size > 1000
