"""The server of the app: the layers in front of its pages, and its actions at the start."""

import asyncio
import errno
import gc
import hashlib
import os
import secrets
import socket
import subprocess
import sys
from contextlib import asynccontextmanager, suppress
from html import escape
from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st
from starlette.middleware import Middleware

from pages.server import sign_in
from pages.server.access import PAGE_HTML, AccessControl, RenamedScreens, access_key, is_allowed_host, needs_session, script_hashes
from pages.server.sessions import KEY_MINUTES, KEY_PARAMETER, Browsers
from pages.server.sign_in import ReturnAddress
from pages.workspace.files import ADDRESS_FILE, MASK, home, prepare_home, read_text, write_atomically
from pages.workspace.projects import delete_stale_projects
from stabcore.base.errors import InputError
from stabcore.plots import style
from stabcore.reporting.page import script_page
from stabcore.selectors.base import one_thread

LIBRARIES = (
    *("pandas", "scipy.sparse", "scipy.special", "plotly.graph_objects", "plotly.io", "pyarrow", "scipy.stats"),
    *("stabcore.data", "stabcore.study.study_result", "pages.parts.figures"),
)
LOOPBACK = "127.0.0.1"
# the only script in the page of the toolkit itself, for crawlers. Nothing breaks without it, but every console has an error
TOOLKIT_SCRIPT = b"<script>\n      window.prerenderReady = false\n    </script>"
MAX_FILES = 65_536  # largest number of open files, and so of connections, of this process
HOST_FILE = "host"  # in the home: the host name of its server


class DashboardServer:
    """Settings of `st.App`: middleware, and actions at the start and the end."""

    def __init__(self):
        try:
            prepare_home(home())
            signs_in = bool(sign_in.read_settings())
            self.browsers = Browsers(home()) if needs_session(signs_in) else None
            self.key = access_key() or ""
        except InputError as error:
            raise SystemExit(str(error)) from None
        self.signs_in = signs_in
        self.host = ""  # host and port of the server, once known
        self._reserved: socket.socket | None = None

    def middleware(self) -> list[Middleware]:
        """The access rules from the settings of the server, which can change while it runs, and the return after sign-in."""
        access = Middleware(
            AccessControl,
            browsers=self.browsers,
            cookie=f"stability-{hashlib.sha256(str(home()).encode()).hexdigest()[:12]}",  # each home of a computer has its own
            key=self.key,
            own_host=lambda: self.host,
            scripts=script_hashes(TOOLKIT_SCRIPT + script_page().encode()),
            hosts=lambda: st.get_option("server.allowedHosts"),
            origins=_allowed_origins,
        )
        return [access, Middleware(RenamedScreens), *[Middleware(ReturnAddress, origins=_allowed_origins)] * self.signs_in]

    @asynccontextmanager
    async def lifespan(self, _):
        """Print the address at the start, and open it, as `streamlit run` does."""
        os.umask(MASK)
        _allow_many_files()
        delete_stale_projects()
        Thread(target=load_libraries, daemon=True).start()
        if fault := sign_in.fault():
            print(f"  Nobody can sign in. {fault}", file=sys.stderr, flush=True)
        if self.browsers is not None:
            self._reserve_host()
        address = self._address()
        with suppress(OSError):  # a full disk: the app can still be viewed
            write_atomically(home() / ADDRESS_FILE, address.encode())
        self._announce(address)
        opening = asyncio.create_task(self._open_browser(address)) if not st.get_option("server.headless") else None
        try:
            yield {}
        finally:
            if opening:
                opening.cancel()
                await asyncio.wait([opening])
            if self._reserved:
                self._reserved.close()

    def _announce(self, address):
        """Print the address of the server. Logs may keep it, so its key opens once."""
        lines = [f"  Open this address: {address}"]
        if self.browsers is not None:
            once = f"  Open this address within {KEY_MINUTES} minutes. It opens once: {self.browsers.make_address(address)}"
            lines = [once, "  Another browser needs another address: feature-stability --invite"]
        print("", *lines, "", sep="\n", file=sys.stderr, flush=True)

    async def _open_browser(self, address):
        """Open the address in a browser.

        All accounts can read the arguments of a process, so they name a file of this user that redirects. The file is in the user's
        folder without a dot, because browsers in a sandbox (snap) read no other, and is deleted after its key was used.
        """
        if self.browsers is None:
            _start_browser(address)
            return
        page = Path(os.path.expanduser("~")) / f"feature-stability-{st.get_option('server.port')}.html"
        try:
            key = self.browsers.make_key()
            url = escape(f"{address}/?{KEY_PARAMETER}={key}")
            write_atomically(
                page, PAGE_HTML.format(f'<meta http-equiv="refresh" content="0; url={url}"><a href="{url}">Open</a>').encode()
            )
            _start_browser(page.as_uri())
            while self.browsers.is_unused(key):
                await asyncio.sleep(1)
        except OSError:  # a person at this computer opens the printed address
            pass
        finally:
            with suppress(OSError):
                page.unlink()

    def _reserve_host(self):
        """Take a host name of its own, so that other ports of this computer do not get its cookie, if browsers find the name.

        Browsers first look for a name below localhost at ::1. The port is taken there, too, so that nobody else can listen.
        """
        if st.get_option("server.address") != LOOPBACK or st.get_option("server.sslCertFile"):
            return
        port, name = st.get_option("server.port"), _own_host_name()
        if not (_resolves(name) and is_allowed_host(name, st.get_option("server.allowedHosts"))):
            return
        try:
            self._reserved = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
            if sys.platform == "win32":
                self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            self._reserved.bind(("::1", port))
        except OSError as error:
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):  # otherwise nobody can listen there
                return
        self.host = f"{name}:{port}"

    def _address(self):
        """The address of the server in a browser on this computer."""
        host, port = st.get_option("server.address") or "localhost", st.get_option("server.port")
        base = st.get_option("server.baseUrlPath").strip("/")
        where = self.host or f"{'localhost' if host in ('0.0.0.0', '::') else host}:{port}"
        return f"{'https' if st.get_option('server.sslCertFile') else 'http'}://{where}{'/' + base if base else ''}"


def _start_browser(url):
    """Open an address in a process without a terminal, so that a text browser blocks nothing."""
    none = subprocess.DEVNULL
    with suppress(OSError):
        subprocess.Popen([sys.executable, "-m", "webbrowser", url], stdin=none, stdout=none, stderr=none, start_new_session=True)


def _allow_many_files():
    """Allow as many connections as the system does, so that half-open ones of others shut nobody out."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = hard if 0 < hard < MAX_FILES else MAX_FILES
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def load_libraries():
    """Load the libraries of screens while the first person reads Start, and keep reruns from blocking each other.

    Streamlit collects garbage among all objects after every rerun, which takes half of the time of a what-if and blocks all others.
    Libraries stay, so their objects are excluded. Small matrices take many times longer if several sessions share threads, so each
    session computes on one. Arrow takes memory from the C library, which returns the memory of large tables.
    """
    for name in LIBRARIES:
        import_module(name)
    import pyarrow

    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    style.empty_figure().to_json()
    one_thread()  # stays in effect
    gc.collect()
    gc.freeze()


def _allowed_origins():
    return st.get_option("server.corsAllowedOrigins") if st.get_option("server.enableCORS") else ["*"]


def _own_host_name() -> str:
    """The secret host name of this home."""
    path = home() / HOST_FILE
    if not (name := read_text(path)):
        name = f"stability-{secrets.token_hex(8)}.localhost"
        write_atomically(path, name.encode())
    return name


def _resolves(name) -> bool:
    """Whether browsers find a name below localhost. Chrome, Edge and Firefox do by themselves. Safari asks the system."""
    if sys.platform != "darwin":
        return True
    try:
        return bool(socket.getaddrinfo(name, None))
    except OSError:
        return False
