"""Files that pages offer: each is made when it is asked for and comes, also after many others."""

from browser_support import heading, open_sample, settled


def downloaded(page, name):
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return download.value


def test_files_come_after_many_others(page, server):
    open_sample(page, server, "wine", "report")
    heading(page, "What do you hand to others?")
    settled(page)
    for name in ("All tables (CSV)", *["study.toml"] * 7, "All tables (CSV)"):  # more than a browser has connections to a server
        assert downloaded(page, name).path().stat().st_size > 100
    page.get_by_role("slider").first.press("ArrowRight")  # another report
    settled(page)
    page.get_by_role("button", name="The report (HTML)").click()
    report = downloaded(page, "Download report.html")
    assert report.suggested_filename == "report.html" and report.path().stat().st_size > 1_000_000
