"""A class of thirty on one teacher's page: seconds until all can guess and until all are pooled, and the server's part in it."""

import os
import sys
import tempfile
from pathlib import Path

from benchmark_support import app_in_browser, line
from browser_support import in_class
from playwright.sync_api import expect

PEOPLE = 30
SERVER = 30  # most seconds of the server's processor: the rest is the work of thirty browsers, which share this machine


def used(pid):
    """(seconds of the processor, MB in use) of a process."""
    times = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main():
    expect.set_options(timeout=300_000)
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        before = used(server.process.pid)
        opened, pooled = in_class(browser, server, PEOPLE)
        after = used(server.process.pid)
    line(f"{PEOPLE} people open the link of a class, all browsers here", opened)
    line("from then until all guesses are pooled", pooled)
    line("the server's processor in all", after[0] - before[0], SERVER, f"{before[1]:.0f} MB before, {after[1]:.0f} MB after")


if __name__ == "__main__":
    sys.exit(main())
