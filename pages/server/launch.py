"""The command feature-stability: starts the server of the app from any folder, for this computer only."""

import argparse
import errno
import os
import runpy
import socket
import sys
import time
import tomllib
from pathlib import Path

from stabcore.base.errors import InputError

APP_FOLDER = Path(__file__).resolve().parents[2]  # app.py and its pages, in a checkout or installed by pip
DESCRIPTION = (
    "Open the dashboard on the stability of feature selection in the browser. Ctrl+C ends it. Projects are kept in "
    "~/.stability-dashboard, or in the folder that the environment variable STABILITY_HOME names."
)
COMMAND = "feature-stability"
THIS_COMPUTER = "127.0.0.1"
FIRST_PORT = 8501  # the first port that the toolkit tries, so that saved addresses mostly stay valid
OPEN_WARNING = (
    "Everybody who can reach {address} and has a session can open the projects in {home}. Use a proxy that encrypts, and sign-in."
)
SIGN_IN_WARNING = "Everybody who can reach {address} and sign in has projects of their own in {home}. Use a proxy that encrypts."


def main(arguments=None) -> int:
    """Start the app until it is stopped, or run an option. Returns 1 if it could not start.

    Unreadable settings start nothing, because ignoring them could let everybody in.
    """
    sys.path.insert(0, str(APP_FOLDER))  # `pages` is a package of the app only, as for `streamlit run`
    from pages.server.access import access_key
    from pages.workspace.files import home, prepare_home

    options = _parse_arguments(arguments)
    try:
        projects = home()
        prepare_home(projects)
        if options.invite or options.sessions or options.revoke:
            return _manage_sessions(projects, options)
        access_key()
        user_folder = _settings_folder(projects)
        for folder in (user_folder, Path.cwd()):
            _read_config(folder / ".streamlit" / "config.toml")
        secrets = [_read_config(folder / ".streamlit" / "secrets.toml") for folder in (user_folder, Path.cwd(), APP_FOLDER)]
        port = _checked_port(options.address, options.port)
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    if options.address != THIS_COMPUTER:
        warning = SIGN_IN_WARNING if any("auth" in tables for tables in secrets) else OPEN_WARNING
        print(warning.format(address=options.address, home=projects), file=sys.stderr)
    sys.argv = [COMMAND, "run", str(APP_FOLDER / "app.py"), *_server_flags(options.address, port, options.browser)]
    runpy.run_module("streamlit", run_name="__main__")  # as `python -m streamlit run`
    return 0


def _parse_arguments(arguments):
    from stabcore import __version__

    parser = argparse.ArgumentParser(prog=COMMAND, description=DESCRIPTION)
    parser.add_argument("--port", help=f"the port to listen on (default: the first free one from {FIRST_PORT} on)")
    about = f"the address to listen on (default: {THIS_COMPUTER}, which no other computer reaches)"
    parser.add_argument("--address", default=THIS_COMPUTER, help=about)
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="only print the address")
    parser.add_argument("--invite", action="store_true", help="print an address that lets one more browser in, once")
    parser.add_argument("--sessions", action="store_true", help="list the browsers that may open the app")
    parser.add_argument("--revoke", metavar="SESSION", help="end a session by its name in the list, or all of them: all")
    parser.add_argument("--version", action="version", version=__version__)
    return parser.parse_args(arguments)


def _manage_sessions(projects, options) -> int:
    """Make an address for another browser, list the browsers with a session, or end sessions."""
    from pages.server.sessions import SESSION_DAYS, Browsers
    from pages.workspace.files import ADDRESS_FILE, read_text

    browsers = Browsers(projects)
    if options.revoke:
        print(f"Sessions ended: {browsers.revoke('' if options.revoke == 'all' else options.revoke)}")
    if options.sessions:
        for session in browsers.sessions():
            print(session.name, time.strftime("%Y-%m-%d %H:%M", time.localtime(session.opened)), session.browser, sep="  ")
        print(f"A session ends after {SESSION_DAYS} days. To end one before: {COMMAND} --revoke SESSION")
    if options.invite:
        if not (address := read_text(projects / ADDRESS_FILE)):
            raise InputError(f"No app was started for the projects in {projects}. Start it: {COMMAND}")
        print(browsers.make_address(address))
    return 0


def _server_flags(address, port, browser) -> list[str]:
    """Options that no configuration file and no environment variable may change. The others are in .streamlit beside app.py."""
    options = {
        "server.address": address,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "server.showEmailPrompt": False,
    }
    if port is not None:
        options["server.port"] = port
    if not browser:  # otherwise one opens if there is a display
        options["server.headless"] = True
    if address != THIS_COMPUTER:  # under any name: access depends on the session
        options["server.allowedHosts"] = "*"
    return [text for name, value in options.items() for text in (f"--{name}", str(value).lower())]


def _checked_port(address, asked) -> int | None:
    """The requested port. None for any free one. Raises InputError for an invalid or taken one."""
    if asked is None:
        if not _is_free(address, FIRST_PORT):
            print(f"Port {FIRST_PORT} is taken, perhaps by this app. This one uses the next free port.", file=sys.stderr)
        return None
    if not (asked.isascii() and asked.isdigit() and 1 <= int(asked) <= 65535):
        raise InputError(f"A port must be a whole number from 1 to 65535. Found {asked}. Omit --port to use a free port.")
    if not _is_free(address, int(asked)):
        free = next((port for port in range(int(asked) + 1, 65536) if _is_free(address, port)), FIRST_PORT)
        raise InputError(
            f"Port {asked} is taken by another program, or kept for the system. Port {free} is free: {COMMAND} --port {free}"
        )
    return int(asked)


def _is_free(address, port) -> bool:
    """Whether a port can be taken here. Raises InputError for an address of another computer."""
    try:
        family, *_, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as listening:
            if os.name == "posix":  # a port that was closed a minute ago is free. On Windows this option means something else
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
        return True
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise InputError(
                f"{address} is no address of this computer. Omit --address for this computer only, or give 0.0.0.0 for other "
                "computers."
            ) from None
        return False


def _settings_folder(projects) -> Path:
    """The user's home. The toolkit fails without one, so the folder of projects then replaces it."""
    user_folder = Path(os.path.expanduser("~"))  # not Path.home(), which fails for a user without one
    if os.path.isdir(user_folder) and os.access(user_folder, os.X_OK):
        return user_folder
    os.environ["HOME"] = os.environ["USERPROFILE"] = str(projects)
    print(
        f"There is no home folder {user_folder} that this user may open, so settings of Streamlit are not looked for there. "
        f"Projects are kept in {projects}.",
        file=sys.stderr,
    )
    return projects


def _read_config(path) -> dict:
    """The tables of a configuration file. Raises InputError for a file that would break the server."""
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
