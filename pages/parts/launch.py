"""The command feature-stability: starts the server of the app from any folder, for this computer alone."""

from __future__ import annotations

import argparse
import errno
import os
import secrets
import socket
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

from stabcore.app import processes
from stabcore.app.place import APP
from stabcore.app.private import token
from stabcore.app.workspace import home
from stabcore.errors import InputError

ABOUT = ("How far can a set of selected features be trusted? Opens the app in the browser; Ctrl+C ends it. Works are kept in "
         "~/.stability-dashboard, or in the folder that the environment variable STABILITY_HOME names.")
NAME = "feature-stability"
THIS_COMPUTER = "127.0.0.1"
PORTS = range(8501, 8521)               # the first that is free, so that a kept address mostly stays good
EVERYBODY = ("Whoever reaches this computer at {address} and has the key of the first address can open the works in {home}: put a "
             "server before it that encrypts, and asks for a login.")
SIGNED_IN = ("Whoever reaches this computer at {address} and can sign in has works of their own in {home}: put a server before it "
             "that encrypts.")


def main(arguments=None) -> int:
    """Start the app and stay until it is stopped. Returns 1 when it could not start.

    Settings that cannot be read start nothing: passed over in silence, they would let everybody in.
    """
    asked = _asked(arguments)
    try:
        _writable(home())
        of_user = _settings_folder()
        settings = [_readable(folder / ".streamlit" / "config.toml") for folder in (of_user, Path.cwd())]
        told = [_readable(folder / ".streamlit" / "secrets.toml") for folder in (of_user, Path.cwd(), APP)]
        count = _count(asked.server, settings)
        port = _port(asked.address, asked.port)
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    if asked.address != THIS_COMPUTER:
        words = SIGNED_IN if any("auth" in tables for tables in told) else EVERYBODY
        print(words.format(address=asked.address, home=home()), file=sys.stderr)
    if count > 1:
        return _several(count, asked, port)
    from streamlit.web import cli  # takes a second, and a refusal is said before

    cli.main(["run", str(APP / "app.py"), *_flags(asked.address, port, asked.browser, asked.address)], prog_name=NAME)
    return 0


def _several(count, asked, port) -> int:
    """Start so many processes behind one address, and stay until they are stopped."""
    def flags(own_port, tells):
        own = _flags(THIS_COMPUTER, own_port, asked.browser and tells, asked.address)
        return ["streamlit", "run", str(APP / "app.py"), *own]

    token(home())                   # made once, for all of them
    os.environ.setdefault("STREAMLIT_SERVER_COOKIE_SECRET", secrets.token_urlsafe(32))      # what one has signed, all can read
    try:
        return processes.run(count, asked.address, port, flags)
    except InputError as error:
        print(error, file=sys.stderr)
        return 1


def _count(asked, settings) -> int:
    """How many processes. Raises InputError for what is no number of them, and where they would encrypt by themselves."""
    if not (asked.isascii() and asked.isdigit() and 1 <= int(asked) <= processes.MOST):
        raise InputError(f"--server is the number of processes, from 1 to {processes.MOST}; found {asked}. One answers four or "
                         "five changes of a what-if a second: as many as this computer has cores are enough.")
    encrypts = (one.get("server", {}).get("sslCertFile") for one in settings)
    if int(asked) > 1 and any([*encrypts, os.environ.get("STREAMLIT_SERVER_SSL_CERT_FILE")]):
        raise InputError("server.sslCertFile is set, but several processes behind one address do not encrypt. Leave it out and put "
                         "a server before them that does (as .ci/docker/compose.yaml says), or leave --server out.")
    return int(asked)


def _asked(arguments):
    from stabcore import __version__

    parser = argparse.ArgumentParser(prog=NAME, description=ABOUT)
    parser.add_argument("--port", help=f"the port to listen on (default: the first free one from {PORTS[0]} on)")
    parser.add_argument("--address", default=THIS_COMPUTER, help=f"the address to listen on (default: {THIS_COMPUTER}, which no "
                        "other computer reaches)")
    parser.add_argument("--server", default="1", metavar="N", help="so many processes behind one address, for many people at once; "
                        "each browser stays with one of them (default: 1)")
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="only print the address")
    parser.add_argument("--version", action="version", version=__version__)
    return parser.parse_args(arguments)


def _flags(address, port, browser, reached) -> list[str]:
    """What no configuration file and no environment variable may change; the rest is in .streamlit beside app.py.

    address, port: where this process listens; reached: the address by which people come, which may be that of a front.
    """
    options = {"server.address": address, "server.port": port, "server.headless": not browser, "server.fileWatcherType": "none",
               "browser.gatherUsageStats": False, "server.showEmailPrompt": False}
    if reached != THIS_COMPUTER:        # by whichever name it is reached; what lets a browser in is the key
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
        raise InputError(f"Port {asked} cannot be used: another program listens on it, or it is kept for the system. Give another "
                         "one, or none: without --port a free one is looked for.")
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
        if os.name == "posix":          # a port that was closed a minute ago is free; on Windows this would mean another thing
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise InputError(f"{address} is no address of this computer. Leave --address out to be alone, or give 0.0.0.0 to be "
                             "reached from others.") from None
        raise
    return listening


def _writable(folder):
    """Raises InputError where works cannot be kept."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not (os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)):      # folder.is_dir() fails below a closed one
        raise InputError(f"Works are kept in {folder}, which is no folder that you may write to. Give another one by the "
                         "environment variable STABILITY_HOME.")


def _settings_folder() -> Path:
    """The user's home. The toolkit stumbles over none, and over a closed one: then that of works takes its place here."""
    of_user = Path(os.path.expanduser("~"))         # not Path.home(), which fails for a user without one
    if os.path.isdir(of_user) and os.access(of_user, os.X_OK):
        return of_user
    instead = home()
    os.environ["HOME"] = os.environ["USERPROFILE"] = str(instead)
    print(f"There is no home folder {of_user} that this user may open, so settings of Streamlit are not looked for there. Works "
          f"are kept in {instead}.", file=sys.stderr)
    return instead


def _readable(path) -> dict:
    """The tables of a configuration file. Raises InputError for one that the server would stumble over."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(f"The configuration file {path}, which belongs to Streamlit, cannot be read: {error}. Mend it, or move it "
                         "away.") from None


if __name__ == "__main__":
    sys.exit(main())
