"""The server of the app: what stands before its pages, and what it does when it is started."""

from __future__ import annotations

import gc
import os
import sys
import webbrowser
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from threading import Thread

import streamlit as st
from starlette.middleware import Middleware

from pages.server import sign_in
from pages.server.access import KEY_PARAMETER, Access, access_key, make_one_time_key, script_hashes, take_one_time_key
from pages.server.return_address import ReturnAddress
from pages.workspace.files import MASK, home, make_private
from pages.workspace.works import forget_untouched
from stabcore.plots import style
from stabcore.reporting.page import scripts_alone
from stabcore.selectors.base import one_thread

LIBRARIES = (
    "pandas",
    "scipy.sparse",
    "scipy.special",
    "plotly.graph_objects",
    "plotly.io",
    "pyarrow",
    "scipy.stats",
    "stabcore.data",
    "stabcore.study.study_result",
    "pages.parts.figures",
)


def middleware() -> list[Middleware]:
    """Who may ask, as the settings of the server say it, which may be changed while it runs; behind it, what leads people back."""
    signs_in = bool(sign_in.read_settings())
    access = Middleware(
        Access,
        key=access_key(home(), signs_in),
        is_one_time_key=lambda key: take_one_time_key(home(), key),
        scripts=script_hashes(scripts_alone().encode()),
        hosts=lambda: st.get_option("server.allowedHosts"),
        origins=_origins,
    )
    return [access, *[Middleware(ReturnAddress, origins=_origins)] * signs_in]


@asynccontextmanager
async def lifespan(_):
    """When the server is started: say the address with the key, and open it, as `streamlit run` does with its own."""
    os.umask(MASK)
    make_private(home())
    forget_untouched()
    Thread(target=load, daemon=True).start()
    if fault := sign_in.fault():
        print(f"  Nobody can sign in. {fault}", file=sys.stderr, flush=True)
    _announce()
    yield {}


def _announce():
    """Say where the server is, and open it."""
    address = _address()
    if key := access_key(home(), bool(sign_in.read_settings())):
        print(
            "",
            f"  Open this address, which holds the key: {address}/?{KEY_PARAMETER}={key}",
            "",
            sep="\n",
            file=sys.stderr,
            flush=True,
        )
    else:
        print("", f"  Open this address: {address}", "", sep="\n", file=sys.stderr, flush=True)
    if not st.get_option("server.headless"):
        with suppress(OSError):  # a home that cannot be written: whoever sits there opens the address
            webbrowser.open(f"{address}/?{KEY_PARAMETER}={make_one_time_key(home())}" if key else address)


def load():
    """Load what screens need while the first person still reads Start; and let nobody hold up the others.

    Streamlit looks for garbage among all objects after every rerun: half of a what-if, and nobody else is served meanwhile.
    Libraries never go, so what they made need not be looked at again. Small matrices take many times longer on threads that wait
    for each other while several sessions calculate: each calculates on one. Arrow takes memory from the C library, which gives
    back what a large table took.
    """
    for name in LIBRARIES:
        import_module(name)
    import pyarrow

    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    style.blank().to_json()
    one_thread()  # left on
    gc.collect()
    gc.freeze()


def _origins():
    return st.get_option("server.corsAllowedOrigins") if st.get_option("server.enableCORS") else ["*"]


def _address():
    """Of the server, as a browser on this computer opens it."""
    host, port = st.get_option("server.address") or "localhost", st.get_option("server.port")
    base = st.get_option("server.baseUrlPath").strip("/")
    where = f"{'localhost' if host in ('0.0.0.0', '::') else host}:{port}"
    return f"{'https' if st.get_option('server.sslCertFile') else 'http'}://{where}{'/' + base if base else ''}"
