"""How the server is started: behind its wall, with a key in the first address, and files for this user alone."""

from __future__ import annotations

import gc
import os
import socket
import sys
import webbrowser
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st
from starlette.middleware import Middleware
from streamlit import runtime

from pages.parts import people
from pages.parts.late_files import ASKS_FOR_THE_HEAD, LateFiles
from pages.parts.offered import Offered, OwnFiles
from pages.parts.text import plain
from stabcore.app import memory, private
from stabcore.app.ahead import Ahead, running
from stabcore.app.processes import FRONT
from stabcore.app.room import forget_untouched
from stabcore.app.wall import TOKEN, Wall, script_hashes
from stabcore.app.way_back import WayBack
from stabcore.app.workspace import home
from stabcore.errors import InputError, fault_words
from stabcore.figures import style
from stabcore.reporting.page import scripts_alone
from stabcore.selectors.base import one_thread

LIBRARIES = ("pandas", "scipy.sparse", "scipy.special", "plotly.graph_objects", "plotly.io", "pyarrow", "scipy.stats",
             "pyarrow.pandas_compat", "streamlit.emojis", "stabcore.data", "stabcore.study.study_result", "pages.parts.figures")

PICTURES = "PlotlyChart"            # five megabytes
NEEDED = (PICTURES, "withFullScreenWrapper", "printWidthCap", "resolveDefaultExport",     # scripts of the toolkit: on most screens
          "DataFrame", "arrowFormatUtils", "recordbatch", "serialization", "moment", "rehype-katex", "Html", "purify.es",
          "BidiComponent", "Selectbox", "Multiselect", "Checkbox", "useMenuTrigger", "useSyncComboBoxEnterTargetFocus")

OFFERED = Offered()


def walls():
    """The wall, as the settings of the server say it, which may be changed while it runs; behind it, what leads people back."""
    signs_in = bool(people.asked_for())
    toolkit = Path(st.__file__).with_name("static")
    scripts = {name: f"./static/js/{path.name}" for name in NEEDED for path in toolkit.glob(f"static/js/{name}.*.js")}
    part = ASKS_FOR_THE_HEAD + (running(scripts[PICTURES]) if PICTURES in scripts else "")
    known = (toolkit / "index.html").read_bytes() + scripts_alone().encode() + part.encode()
    wall = Middleware(Wall, token=private.token(home(), signs_in), once=lambda told: private.opens_once(home(), told),
                      scripts=script_hashes(known), hosts=lambda: st.get_option("server.allowedHosts"), origins=_origins)
    ahead = Middleware(Ahead, scripts=tuple(scripts.values()), page_part=part)
    own = [Middleware(WayBack, origins=_origins), Middleware(OwnFiles, may=OFFERED.may)]
    return [wall, ahead, *own * signs_in]


@asynccontextmanager
async def opened(_):
    """When the server is started: say the address with the key, and open it, as `streamlit run` does with its own."""
    os.umask(private.MASK)
    private.close(home())
    forget_untouched()
    _send_at_once()
    Thread(target=load, daemon=True).start()
    Thread(target=memory.keep_giving_back, daemon=True).start()
    LateFiles().watch(runtime.get_instance().media_file_mgr)
    if people.asked_for():
        OFFERED.watch(runtime.get_instance().media_file_mgr)
    if fault := people.fault():
        print(f"  Nobody can sign in. {fault}", file=sys.stderr, flush=True)
    _tell()
    yield {}


def _send_at_once():
    """No small answer waits up to 40 ms for the browser to confirm the one before (Nagle), as sockets of the toolkit do.

    The event loop spares that only sockets that were made for TCP by name. Connections take over what holds for what listens.
    """
    every = [one for one in gc.get_objects() if type(one) is socket.socket]
    for one in every:
        with suppress(OSError):         # closed meanwhile, or of a kind that cannot be asked: it waits, and works
            if (one.type == socket.SOCK_STREAM and one.family in (socket.AF_INET, socket.AF_INET6)
                    and one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _tell():
    """Say where the server is, and open it; of several behind one address, the first does so."""
    if os.environ.get(FRONT) == "":
        return
    address = _address()
    if key := private.token(home(), bool(people.asked_for())):
        print("", f"  Open this address, which holds the key: {address}/?{TOKEN}={key}", "", sep="\n", file=sys.stderr, flush=True)
    else:
        print("", f"  Open this address: {address}", "", sep="\n", file=sys.stderr, flush=True)
    if not st.get_option("server.headless"):
        with suppress(OSError):         # a home that cannot be written: whoever sits there opens the address
            webbrowser.open(f"{address}/?{TOKEN}={private.token_once(home())}" if key else address)


def load():
    """Load what screens need while the first person still reads Start; and let nobody hold up the others.

    Streamlit looks for garbage among all objects after every rerun: half of a what-if, and nobody else is served meanwhile.
    Libraries never go, so what they made need not be looked at again. Small matrices take many times longer on threads that wait
    for each other while several sessions calculate: each calculates on one.
    """
    for name in LIBRARIES:
        import_module(name)
    style.blank().to_json()
    one_thread()                # left on
    memory.of_system()
    gc.collect()
    gc.freeze()


def told(error) -> bool:
    """Say what went wrong after a click, outside of any page; was it something that people can do something about?"""
    words = str(error) if isinstance(error, InputError) else fault_words(error)
    if words:
        st.error(plain(words), icon=":material/error:")
    return bool(words)


def _origins():
    return st.get_option("server.corsAllowedOrigins") if st.get_option("server.enableCORS") else ["*"]


def _address():
    """Of the server, as a browser on this computer opens it."""
    host, port = st.get_option("server.address") or "localhost", st.get_option("server.port")
    if os.environ.get(FRONT):
        host, _, port = os.environ[FRONT].rpartition(":")
    base = st.get_option("server.baseUrlPath").strip("/")
    where = f"{'localhost' if host in ('0.0.0.0', '::') else host}:{port}"
    return f"{'https' if st.get_option('server.sslCertFile') else 'http'}://{where}{'/' + base if base else ''}"
