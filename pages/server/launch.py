"""The command feature-stability: starts the server of the app from any folder, for this computer alone."""

from __future__ import annotations

import argparse
import errno
import os
import runpy
import socket
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

from stabcore.base.errors import InputError

APP = Path(__file__).resolve().parents[2]  # app.py and its pages, in a checkout or where pip put them
ABOUT = (
    "How far can a set of selected features be trusted? Opens the app in the browser; Ctrl+C ends it. Works are kept in "
    "~/.stability-dashboard, or in the folder that the environment variable STABILITY_HOME names."
)
NAME = "feature-stability"
THIS_COMPUTER = "127.0.0.1"
PORTS = range(8501, 8521)  # the first that is free, so that a kept address mostly stays good
EVERYBODY = (
    "Whoever reaches this computer at {address} and has the key of the first address can open the works in {home}: put a "
    "server before it that encrypts, and asks for a login."
)
SIGNED_IN = (
    "Whoever reaches this computer at {address} and can sign in has works of their own in {home}: put a server before it "
    "that encrypts."
)


def main(arguments=None) -> int:
    """Start the app and stay until it is stopped. Returns 1 when it could not start.

    Settings that cannot be read start nothing: passed over in silence, they would let everybody in.
    """
    sys.path.insert(0, str(APP))  # `pages` is a package of the app alone, as it is to `streamlit run`
    from pages.workspace.files import home

    asked = _asked(arguments)
    try:
        works = home()
        _writable(works)
        of_user = _settings_folder(works)
        for folder in (of_user, Path.cwd()):
            _readable(folder / ".streamlit" / "config.toml")
        secrets = [_readable(folder / ".streamlit" / "secrets.toml") for folder in (of_user, Path.cwd(), APP)]
        port = _port(asked.address, asked.port)
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    if asked.address != THIS_COMPUTER:
        warning = SIGNED_IN if any("auth" in tables for tables in secrets) else EVERYBODY
        print(warning.format(address=asked.address, home=works), file=sys.stderr)
    sys.argv = [NAME, "run", str(APP / "app.py"), *_flags(asked.address, port, asked.browser)]
    runpy.run_module("streamlit", run_name="__main__")  # as `python -m streamlit run`
    return 0


def _asked(arguments):
    from stabcore import __version__

    parser = argparse.ArgumentParser(prog=NAME, description=ABOUT)
    parser.add_argument("--port", help=f"the port to listen on (default: the first free one from {PORTS[0]} on)")
    parser.add_argument(
        "--address",
        default=THIS_COMPUTER,
        help=f"the address to listen on (default: {THIS_COMPUTER}, which no other computer reaches)",
    )
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="only print the address")
    parser.add_argument("--version", action="version", version=__version__)
    return parser.parse_args(arguments)


def _flags(address, port, browser) -> list[str]:
    """What no configuration file and no environment variable may change; the rest is in .streamlit beside app.py."""
    options = {
        "server.address": address,
        "server.port": port,
        "server.headless": not browser,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "server.showEmailPrompt": False,
    }
    if address != THIS_COMPUTER:  # by whichever name it is reached; what lets a browser in is the key
        options["server.allowedHosts"] = "*"
    return [text for name, value in options.items() for text in (f"--{name}", str(value).lower())]


def _port(address, asked) -> int:
    """The port that was asked for, or the first free one. Raises InputError for one that is none, or taken."""
    if asked is None:
        any_port = _bound(address, 0)
        with any_port:
            return next((port for port in PORTS if _is_free(address, port)), any_port.getsockname()[1])
    if not (asked.isascii() and asked.isdigit() and 1 <= int(asked) <= 65535):
        raise InputError(f"A port is a whole number from 1 to 65535; found {asked}. Without --port a free one is looked for.")
    if not _is_free(address, int(asked)):
        raise InputError(
            f"Port {asked} cannot be used: another program listens on it, or it is kept for the system. Give another "
            "one, or none: without --port a free one is looked for."
        )
    return int(asked)


def _is_free(address, port) -> bool:
    try:
        with _bound(address, port):
            return True
    except OSError:
        return False


def _bound(address, port):
    """A socket here, 0: any port. Raises InputError for an address of another computer, OSError for a port that is taken."""
    try:
        family, *_, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":  # a port that was closed a minute ago is free; on Windows this would mean another thing
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise InputError(
                f"{address} is no address of this computer. Leave --address out to be alone, or give 0.0.0.0 to be "
                "reached from others."
            ) from None
        raise
    return listening


def _writable(folder):
    """Raises InputError where works cannot be kept."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not (os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)):  # folder.is_dir() fails below a closed one
        raise InputError(
            f"Works are kept in {folder}, which is no folder that you may write to. Give another one by the "
            "environment variable STABILITY_HOME."
        )


def _settings_folder(works) -> Path:
    """The user's home. The toolkit stumbles over none, and over a closed one: then that of works takes its place here."""
    of_user = Path(os.path.expanduser("~"))  # not Path.home(), which fails for a user without one
    if os.path.isdir(of_user) and os.access(of_user, os.X_OK):
        return of_user
    os.environ["HOME"] = os.environ["USERPROFILE"] = str(works)
    print(
        f"There is no home folder {of_user} that this user may open, so settings of Streamlit are not looked for there. Works "
        f"are kept in {works}.",
        file=sys.stderr,
    )
    return works


def _readable(path) -> dict:
    """The tables of a configuration file. Raises InputError for one that the server would stumble over."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(
            f"The configuration file {path}, which belongs to Streamlit, cannot be read: {error}. Mend it, or move it away."
        ) from None


if __name__ == "__main__":
    sys.exit(main())
