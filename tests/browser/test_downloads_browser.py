"""Files that pages offer: each is made when it is asked for and comes, also after many others."""

from browser_support import heading, settled


def downloaded(page, name):
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return download.value


def test_files_come_after_many_others(page, open_small):
    open_small("report")
    heading(page, "What does the report contain?")
    settled(page)
    page.get_by_role("button", name="Download tables, script, ZIP").click()
    for _ in range(7):  # more than a browser has connections to a server
        assert downloaded(page, "study.toml").path().stat().st_size > 200
    page.keyboard.press("Escape")
    page.get_by_role("slider").first.press("ArrowRight")  # another report
    settled(page)
    report = downloaded(page, "Download report")
    assert report.suggested_filename == "report.html" and report.path().stat().st_size > 1_000_000
