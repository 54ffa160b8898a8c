"""A class on one teacher's page: people open the link together, guess together; seconds until all are pooled, and memory."""

import os
import sys
import tempfile
import time
from pathlib import Path

from benchmark_support import app_in_browser, line
from playwright.sync_api import expect

PEOPLE = 30
OPEN, POOLED, SERVER = 60, 15, 30  # most seconds until all can guess, until all guesses are seen, and of the server's processor


def memory(pid):
    """MB in use by a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    return pages * 4096 / 1e6


def spent(pid):
    """Seconds of the processor that a process has used."""
    used = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


def in_class(browser, server, people=PEOPLE):
    """(seconds until all can guess, from then until all are pooled, of the server's processor, its MB before, after)."""
    teacher = browser.new_context().new_page()
    teacher.goto(f"{server.url}/learn?lesson=blind_labs")
    teacher.get_by_text("With a class").click()
    teacher.get_by_role("button", name="Open class").click()
    expect(teacher.get_by_text("No guess yet.")).to_be_visible()
    link = teacher.get_by_test_id("stCode").first.inner_text().strip()
    before, used, begun = memory(server.process.pid), spent(server.process.pid), time.perf_counter()
    pages = [browser.new_context(viewport={"width": 390, "height": 844}).new_page() for _ in range(people)]
    for page in pages:
        page.goto(link, wait_until="commit")
    for page in pages:
        expect(page.get_by_role("spinbutton").first).to_be_visible()
    opened, begun = time.perf_counter() - begun, time.perf_counter()
    for person, page in enumerate(pages):
        box = page.get_by_role("spinbutton").first
        box.fill(str(person))
        box.press("Enter")
    expect(teacher.get_by_text(f"{people} guesses: mean {(people - 1) / 2:.2f}.").first).to_be_visible()
    pooled = time.perf_counter() - begun
    for page in pages:
        expect(page.get_by_text("You guessed").first).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
    return opened, pooled, spent(server.process.pid) - used, before, memory(server.process.pid)


def main():
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        expect.set_options(timeout=180_000)
        opened, pooled, server_seconds, before, after = in_class(browser, server)
    line(f"{PEOPLE} people open the link of a class", opened, OPEN)
    line("from the first guess until all are pooled", pooled, POOLED)
    line("the server's processor in all", server_seconds, SERVER, f"{before:.0f} MB before, {after:.0f} MB after")


if __name__ == "__main__":
    sys.exit(main())
