"""Sessions of browsers: opened once, ended after a time or before, and unreadable to whoever reads their folder."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.server.sessions import KEY_MINUTES, MAX_SESSIONS, SESSION_DAYS, Browsers


@pytest.fixture
def browsers(tmp_path):
    return Browsers(tmp_path)


def older(path, seconds):
    os.utime(path, (time.time() - seconds,) * 2)


def test_a_key_opens_once_whoever_gives_it(browsers):
    key = browsers.make_key()
    with ThreadPoolExecutor(8) as together:
        assert sorted(together.map(browsers.use_key, [key] * 8)) == [False] * 7 + [True]
    assert not browsers.use_key(key) and not browsers.use_key("") and not browsers.use_key("ä\ud800/../x")


def test_a_key_and_a_session_end(browsers):
    key, session = browsers.make_key(), browsers.open_session("Firefox")
    (session_file,) = (path for path in browsers.folder.iterdir() if path.suffix != ".key")
    older(session_file, SESSION_DAYS * 24 * 3600 - 60)
    older(next(browsers.folder.glob("*.key")), KEY_MINUTES * 60 - 5)
    assert browsers.has_session(session) and browsers.is_unused(key)
    older(session_file, SESSION_DAYS * 24 * 3600 + 1)
    older(next(browsers.folder.glob("*.key")), KEY_MINUTES * 60 + 1)
    assert not browsers.has_session(session) and not browsers.use_key(key) and browsers.sessions() == []
    browsers.open_session("Chrome")
    assert len(list(browsers.folder.iterdir())) == 1, "what has ended goes"


def test_nothing_in_the_folder_opens_anything(browsers):
    key, session = browsers.make_key(), browsers.open_session("Firefox")
    for path in browsers.folder.iterdir():
        assert key not in path.name + path.read_text() and session not in path.name + path.read_text()
        for text in (path.name, path.stem, path.stem[:8]):
            assert not browsers.has_session(text) and not browsers.use_key(text)
    assert not browsers.has_session("")


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_only_the_owner_reads_the_folder(browsers):
    browsers.open_session("Firefox")
    assert [path.stat().st_mode & 0o777 for path in (browsers.folder, *browsers.folder.iterdir())] == [0o700, 0o600]


def test_sessions_are_listed_and_ended_one_by_one_or_together(browsers):
    first, second, third = (browsers.open_session(name) for name in ("A\x1b[31m\n", "B" * 500, "C"))
    listed = {session.browser: session for session in browsers.sessions()}
    assert set(listed) == {"A[31m", "B" * 120, "C"} and all(0 <= time.time() - session.opened < 60 for session in listed.values())
    assert browsers.revoke(listed["C"].name) == 1 and browsers.revoke("C") == 0
    assert [browsers.has_session(secret) for secret in (first, second, third)] == [True, True, False]
    assert browsers.revoke(listed["B" * 120].name) == 1 and browsers.has_session(first)
    key = browsers.make_key()
    assert browsers.revoke() == 1 and not browsers.use_key(key), "addresses that were not used end, too"


def test_servers_of_a_home_share_sessions_which_have_a_bound(browsers, tmp_path):
    session = browsers.open_session("A")
    assert Browsers(tmp_path).has_session(session) and not Browsers(tmp_path / "other").has_session(session)
    for number in range(MAX_SESSIONS + 5):
        browsers.open_session(str(number))
    assert len(browsers.sessions()) == MAX_SESSIONS
