"""A real server, a real Chromium (the system's, because tests must not download one), and actions of a user."""

import http.client
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from weakref import WeakSet

from playwright.sync_api import TimeoutError as TookTooLong
from playwright.sync_api import expect
from support import ROOT, free_port

COMMAND = (sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true")
START, STABILITY = "How stable is your feature selection?", "How stable is each selector?"  # titles of two screens
CARD = "alzheimer_ad"  # the bundled study with a card on Start, the others are behind a button
NOT_IN_MENU = {"Feature profile": "feature_profile", "Check": "check"}
# Counts the runs of the app's script that end from now on.
RUNS = """() => {
  const app = document.querySelector('[data-testid=stApp]'), state = 'data-test-script-state';
  window.runsEnded = 0;
  new MutationObserver(() => { window.runsEnded += app.getAttribute(state) === 'notRunning'; })
    .observe(app, {attributeFilter: [state]});
}"""
# Whether the page waits for nothing, and nothing on it has changed for some milliseconds since this was first asked.
STANDS = """([asked, pause]) => {
  if (window.watched?.asked !== asked) {
    window.watched?.eye.disconnect();
    const watched = {asked, changed: performance.now(), eye: new MutationObserver(() => { watched.changed = performance.now(); })};
    watched.eye.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
    window.watched = watched;
  }
  const busy = document.querySelector(':is([data-stale=true], [data-testid=stSkeleton])')
    || document.querySelector('[data-testid=stApp]')?.dataset.testScriptState !== 'notRunning';
  if (busy) window.watched.changed = performance.now();
  return performance.now() - window.watched.changed > pause;
}"""
WAITING: WeakSet = WeakSet()  # pages that wait for an answer of the app
PAUSE = 300  # milliseconds, because a slider reports its position after 200
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def chromium(playwright, *more):
    """The Chromium of the system, without requests of its own."""
    return playwright.chromium.launch(
        executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", *more]
    )


def person(browser, **how):
    """A context of a new visitor. Its pages know whether the app has answered their last request."""
    context = browser.new_context(**how)
    context.on("page", lambda page: page.on("websocket", lambda socket: _listen(page, socket)))
    return context


def _listen(page, socket):
    """Record requests of a page that the app answers at once."""
    socket.on("framesent", lambda _: WAITING.add(page))
    socket.on("framereceived", lambda _: WAITING.discard(page))
    socket.on("close", lambda _: WAITING.discard(page))


class Server:
    """The app on its own port, with its own folder for projects."""

    def __init__(self, home, command=COMMAND, port="--server.port", cwd=ROOT, **environment):
        self.home, self.cwd, self.process, self.opened = home, cwd, None, {}
        self.environment = {"STABILITY_TOKEN": "", **environment}  # without access key
        self.port = free_port()
        self.command, self.url = [*command, port, str(self.port)], f"http://127.0.0.1:{self.port}"

    def start(self):
        environment = {**os.environ, "STABILITY_HOME": str(self.home), **self.environment}
        self.process = subprocess.Popen(
            self.command, cwd=self.cwd, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + 180
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1)
                return self
            except OSError:
                time.sleep(0.1)
        raise TimeoutError("the app did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=120)


# What a page asks to open its connection.
KNOCK = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "x" * 22 + "=="}


def ask(port, path="/", **headers):
    """Return (status, headers, body) of a response."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    body = b"" if answer.status == 101 else answer.read()
    line.close()
    return answer.status, answer.headers, body


def cookies_of(headers):
    """The cookies of a response, as a browser sends them back."""
    return "; ".join(cookie.split(";")[0] for cookie in headers.get_all("Set-Cookie") or ())


# ---- actions of a user ----


def go(page, name):
    """Open another screen by the menu, or by its URL if it is not in the menu."""
    if name in NOT_IN_MENU:
        page.goto(re.sub(r"(//[^/]+/)\w*", rf"\1{NOT_IN_MENU[name]}", page.url))
        return
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()


def heading(page, text):
    expect(page.get_by_role("heading", name=text)).to_be_visible()


def open_from_start(page, server, key):
    """Open a bundled study from Start."""
    page.goto(server.url)
    heading(page, START)
    if key != CARD:
        page.get_by_role("button", name="Other examples").click()
    page.locator(f".st-key-open-{key} button").click()
    heading(page, STABILITY)


def metric(page, label):
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")


def plots(page):
    """Assert that a figure is drawn and no error is shown."""
    expect(page.locator(".js-plotly-plot .main-svg:visible").first).to_be_visible()
    fine(page)


def fine(page):
    expect(page.get_by_test_id("stException")).to_have_count(0)


def choose(page, label, option):
    """Choose an option of a select box by typing."""
    box = page.get_by_role("combobox", name=label).first  # its words also occur in a figure
    found = page.get_by_role("option", name=option, exact=True).first
    for patience in (5_000, 5_000, 30_000):  # redrawing closes the list, and a user types again
        box.click()
        box.fill(option)
        with suppress(TookTooLong):
            found.click(timeout=patience)
            return
    raise AssertionError(f"{label} does not offer {option}")


def settled(page):
    """Wait until the app has answered and the page no longer changes."""
    asked = secrets.token_hex(4)
    page.wait_for_function(STANDS, arg=[asked, PAUSE], polling=50)
    until = time.monotonic() + 120
    while page in WAITING:
        assert time.monotonic() < until, "the app did not answer"
        page.wait_for_timeout(50)
        page.wait_for_function(STANDS, arg=[asked, PAUSE], polling=50)
    fine(page)


def click_mark(page, x, y):
    """Click a mark of a figure, which needs to see the pointer there first."""
    label = page.locator(".js-plotly-plot .hoverlayer > *")
    page.mouse.move(0, 0)
    expect(label).to_have_count(0)
    page.mouse.move(x, y)
    expect(label.first).to_be_attached()
    page.mouse.click(x, y)


def press(page, name):
    """One of several adjacent buttons, which may be radio buttons for the browser."""
    main = page.get_by_test_id("stMain")
    main.get_by_role("radio", name=name).or_(main.get_by_role("button", name=name)).first.click()


def forget(page):
    """Data about the app in the browser of the page."""
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
    page.context.clear_cookies()


def narrow(page):
    """Return whether nothing is wider than the window."""
    return page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
