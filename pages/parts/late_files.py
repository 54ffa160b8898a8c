"""A file that a page offers comes when it is asked for: where the page was drawn anew meanwhile, and after many others.

The toolkit forgets what makes a file once a page is drawn anew: for a moment the browser shows a button that does nothing. And it
forgets a file that was made when screens were drawn twice, whosever they are, even before the browser has fetched it. Here the last
offers of each button are remembered while its session lasts, and what nobody needs any more is looked for twice a minute at most.

Before it shows or saves a file, the toolkit's page asks for all of it, to see whether it is there, and reads none of the answer. A
browser has six connections to a server: five reports later it waited for ever. A page that is told ASKS_FOR_THE_HEAD asks for that
alone. The server could not tell the one question from the other: by plain http from another computer they look the same.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict

from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.offered import FILES

OFFERS = 3          # of a button that are remembered: the browser is not further behind
BUTTONS = 40        # of a session: those of its page, and of the one before; each holds the numbers that it would write
LATE = "late"       # a place on no page
FETCHED = 30.0      # seconds in which a browser has fetched a file that was made for it
# Stands in every page before the scripts of the toolkit run. Its own files, such as letters, lie in another folder of that name.
ASKS_FOR_THE_HEAD = """<script>
{
  const ask = window.fetch, file = /^[^?#]*(?<!\\/static){files}/;
  window.fetch = (what, how) => ask(what, how ?? (typeof what === "string" && file.test(what) ? {method: "HEAD"} : undefined));
}
</script>""".replace("{files}", FILES.replace("/", r"\/"))


class LateFiles:
    """What makes the files that buttons of a session have offered."""

    def __init__(self):
        self._offers: dict[str, dict[str, dict[str, tuple]]] = defaultdict(dict)      # session, button, promise
        self._lock, self._looked = threading.Lock(), -FETCHED

    def watch(self, manager):
        """From now on, remember what a manager of the toolkit is asked to promise."""
        promise_file, make_file = manager.add_deferred, manager.execute_deferred
        clear, remove = manager.clear_session_refs, manager.remove_orphaned_files

        def promised(content, mimetype, coordinates, file_name=None, *, element_id=""):
            promise = promise_file(content, mimetype, coordinates, file_name=file_name, element_id=element_id)
            self._remember(element_id or coordinates, promise, (content, mimetype, file_name))
            return promise

        def carried_out(promise):
            try:
                return make_file(promise)
            except MediaFileStorageError:
                offer = self._offer(promise)
                if offer is None:
                    raise
                content, mimetype, file_name = offer
                return make_file(promise_file(content, mimetype, LATE, file_name=file_name))

        def cleared(session_id=None):
            if session_id is not None:          # it has ended
                with self._lock:
                    self._offers.pop(session_id, None)
            clear(session_id)

        def removed():
            if time.monotonic() - self._looked >= FETCHED:
                self._looked = time.monotonic()
                remove()

        manager.add_deferred, manager.execute_deferred = promised, carried_out
        manager.clear_session_refs, manager.remove_orphaned_files = cleared, removed

    def _remember(self, button, promise, offer):
        session = get_script_run_ctx().session_id
        with self._lock:
            buttons = self._offers[session]
            offers = buttons[button] = buttons.pop(button, {})          # the last that was drawn
            offers[promise] = offer
            for kept, most in ((offers, OFFERS), (buttons, BUTTONS)):
                while len(kept) > most:
                    del kept[next(iter(kept))]

    def _offer(self, promise):
        """What makes this file; None where it is remembered no more."""
        with self._lock:
            return next((offers[promise] for buttons in self._offers.values() for offers in buttons.values() if promise in offers),
                        None)
