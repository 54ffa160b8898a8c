"""Requests that the server accepts by host, origin and session, and the limits in every answer."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
from support import ROOT

from pages.server.access import (
    MAX_SOCKETS,
    AccessControl,
    RenamedScreens,
    access_key,
    content_policy,
    is_allowed_host,
    is_allowed_origin,
    needs_session,
    script_hashes,
)
from pages.server.sessions import Browsers
from pages.workspace.files import write_atomically
from stabcore.base.errors import InputError

HOST, KEY = "127.0.0.1:8501", "k" * 32


async def app(scope, receive, send):
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})
        return
    kind = [(b"content-type", b"text/html; charset=utf-8")] * scope["path"].endswith("page")
    await send({"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"public"), (b"x-own", b"1"), *kind]})
    await send({"type": "http.response.body", "body": b"inside"})


def ask(wall, path="/", query="", kind="http", method="GET", body=b"", says=(), **headers):
    """(status, {header: value}, body) of the app behind its access control. says: functions whose results a tab sends."""
    scope = {
        "type": kind,
        "path": path,
        "method": method,
        "scheme": "http",
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in {"host": HOST, **headers}.items()],
    }
    sent, messages = [], iter(says)

    async def receive():
        if kind == "http":
            return {"type": "http.request", "body": body}
        say = next(messages, None)
        return {"type": "websocket.receive", "text": say()} if say else {"type": "websocket.disconnect"}

    async def send(message):
        sent.append(message)

    with ThreadPoolExecutor(1) as apart:  # a browser test before may have left a loop running in this thread
        apart.submit(asyncio.run, wall(scope, receive, send)).result()
    if kind == "websocket":
        answer = "".join(message.get("text", "") for message in sent)
        return 403 if sent[0]["type"] == "websocket.close" else 101, {}, answer.encode()
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, sent[1].get("body", b"")


def wall(**options):
    return AccessControl(app, **{"hosts": lambda: ["127.0.0.1", "localhost"], **options})


def test_only_its_own_names_and_pages_are_answered():
    for host in ("127.0.0.1:8501", "localhost", "LOCALHOST:1", "localhost."):
        assert ask(wall(), host=host)[0] == 200
    hosts = ("evil.org", "127.0.0.1.evil.org", "evil.org:8501", "", "127.0.0.1@evil.org", "[", "xlocalhost")
    origins = ("http://evil.org", "null", "http://127.0.0.1:3000", "http://localhost:8501", "file://")
    for kind in ("http", "websocket"):
        asked = [{"host": host} for host in hosts] + [{"origin": origin} for origin in origins]
        assert {ask(wall(), kind=kind, **question)[0] for question in asked} == {403}
    assert is_allowed_host("stab.example.org", ["*.example.org"]) and is_allowed_host("a", ["*"]) and is_allowed_host("a", [])
    assert not is_allowed_host("example.org.evil", ["*.example.org"]) and is_allowed_host("Mine.org:80", ["MINE.org"])
    assert ask(wall(), origin=f"http://{HOST}")[0] == 200 and is_allowed_origin("", HOST, [])
    assert is_allowed_origin("https://front.org", HOST, ["https://front.org"]) and is_allowed_origin("https://x", HOST, ["*"])


def test_every_answer_forbids_and_nothing_but_the_toolkit_is_stored():
    _, found, _ = ask(wall(scripts=("'sha256-x'",)))
    assert found["cache-control"] == "no-store" and found["x-own"] == "1"
    assert found["x-content-type-options"] == "nosniff" and "frame-ancestors 'self'" in found["content-security-policy"]
    assert "script-src 'self' 'sha256-x';" in found["content-security-policy"] and "unsafe-eval" not in str(found)
    assert ask(wall(), path="/static/js/x.js")[1]["cache-control"] == "public"
    assert ask(wall(browsers=Browsers(ROOT)))[1]["cache-control"] == ask(wall(), host="evil.org")[1]["cache-control"] == "no-store"


def test_a_policy_names_this_server_and_nothing_from_a_header():
    assert f"connect-src 'self' ws://{HOST} " in content_policy(HOST)
    assert "evil" not in content_policy("a; script-src evil.org")
    assert script_hashes(b"<script>a</script><script src=x></script>") == ("'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='",)


@pytest.fixture
def browsers(tmp_path):
    return Browsers(tmp_path)


def opened(access, **headers):
    """The cookie of a browser that came in by an address that opens once."""
    status, found, body = ask(access, query=f"token={access.browsers.make_key()}", **headers)
    assert status == 200 and b"inside" not in body
    return found["set-cookie"].split(";")[0]


def test_without_a_session_nothing_is_sent(browsers):
    locked = wall(browsers=browsers)
    for query in ("", "token=", "token=wrong", f"token={KEY}"):
        status, found, body = ask(locked, query=query)
        assert status == 403 and b"inside" not in body and b"<form" not in body and "set-cookie" not in found
    assert ask(locked, kind="websocket")[0] == ask(locked, cookie="stability=x")[0] == 403
    assert ask(locked, kind="websocket", query=f"token={browsers.make_key()}")[0] == 403


def test_an_address_opens_once_and_gives_the_browser_a_session(browsers):
    locked, key = wall(browsers=browsers), browsers.make_key()
    status, found, body = ask(locked, path="/maps", query=f"id=a%20b&token={key}", user_agent="Fire\tfox")
    assert status == 200 and b"url=/maps?id=a+b" in body and key.encode() not in body
    cookie = found["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and f"Max-Age={30 * 24 * 3600}" in cookie and key not in cookie
    assert ask(locked, cookie=f"broken=[; {cookie.split(';')[0]}")[2] == b"inside"
    assert ask(locked, query=f"token={key}")[0] == 403, "another browser"
    assert b"url=/" in ask(locked, query=f"token={key}", cookie=cookie.split(";")[0])[2], "the same browser"
    assert "Secure" in ask(locked, query=f"token={browsers.make_key()}", x_forwarded_proto="https")[1]["set-cookie"]
    for path in ("//evil.org", "/\\evil.org", "///evil.org/x"):
        assert b"url=/evil.org" in ask(locked, path=path, query=f"token={browsers.make_key()}")[2], "it leads to no other server"
    second = opened(locked)
    assert second != cookie.split(";")[0] and [session.browser for session in browsers.sessions()].count("Firefox") == 1


def test_a_session_that_was_revoked_ends_also_in_a_tab_that_is_open(browsers):
    locked = wall(browsers=browsers)
    first = opened(locked)
    (session,) = browsers.sessions()
    second = opened(locked)
    talk = [lambda: "a", lambda: "b" * browsers.revoke(session.name), lambda: "c"]
    assert ask(locked, kind="websocket", cookie=first, says=talk) == (101, {}, b"a")
    assert ask(locked, cookie=first)[0] == 403 and ask(locked, cookie=second)[0] == 200
    assert ask(locked, kind="websocket", cookie=second, says=[lambda: "a", lambda: "b"])[2] == b"ab"


def test_tabs_have_a_bound(browsers):
    full = wall(browsers=browsers, sockets=set(range(MAX_SOCKETS)))
    cookie = opened(full)
    assert ask(full, kind="websocket", cookie=cookie)[0] == 403
    full.sockets.pop()
    assert [ask(full, kind="websocket", cookie=cookie)[0] for _ in range(3)] == [101] * 3, "a tab that was closed counts no more"


def test_a_link_from_another_site_loads_again_with_the_strict_cookie(browsers):
    locked, comes = wall(browsers=browsers), {"sec_fetch_mode": "navigate", "sec_fetch_site": "cross-site"}
    status, _, body = ask(locked, path="/maps", query="id=1&x=%22", **comes)
    assert status == 200 and b"url=/maps?id=1&amp;x=%22" in body
    assert ask(locked, **{**comes, "sec_fetch_site": "same-origin"})[0] == 403
    assert ask(locked, **{**comes, "sec_fetch_mode": "no-cors"})[0] == 403


def test_a_browser_is_led_to_the_host_name_of_this_server(browsers):
    named = wall(browsers=browsers, own_host=lambda: "x.localhost:8501", hosts=lambda: ["127.0.0.1", "*.localhost"])
    status, found, _ = ask(named, path="/maps", query="id=1", sec_fetch_mode="navigate")
    assert (status, found["location"]) == (307, "http://x.localhost:8501/maps?id=1")
    assert ask(named, host="x.localhost:8501", sec_fetch_mode="navigate")[0] == 403
    assert ask(named)[0] == 403, "what is no browser is led nowhere"


@pytest.mark.parametrize(
    ("path", "query", "to"),
    [
        ("/groups", "id=1&tried=%22a%22", "similarity?id=1&tried=%22a%22"),
        ("/stability/profiles", "", "feature_count"),
        ("//evil.org/passport", "", "feature_profile"),
    ],
)
def test_old_addresses_lead_to_renamed_screens_only(path, query, to):
    status, found, _ = ask(RenamedScreens(app), path=path, query=query)
    assert (status, found["location"]) == (308, to)
    assert ask(RenamedScreens(app), path="/similarity")[2] == ask(RenamedScreens(app), path="/groups/x")[2] == b"inside"


@pytest.mark.parametrize("key", ["a key; with = & + % signs", "Straße, €uro 🍐 xyz"])
def test_any_text_can_be_the_key_and_is_typed_at_the_door(key, browsers, monkeypatch):
    monkeypatch.setenv("STABILITY_TOKEN", key)
    locked = wall(browsers=browsers, key=access_key())
    assert b"<form" in ask(locked)[2] and needs_session(True) and needs_session(False)
    assert ask(locked, query=urlencode({"token": key}))[0] == 403, "a key that lasts opens by no address, which others may see"
    status, found, body = ask(locked, path="/maps", method="POST", body=urlencode({"key": key}).encode())
    assert status == 200 and b"url=/maps" in body and key not in found["set-cookie"]
    assert ask(locked, cookie=found["set-cookie"].split(";")[0])[2] == b"inside"
    for wrong in (b"", b"key=", b"key=wrong", b"key=%ff", b"\xff", urlencode({"key": key[:-1]}).encode(), b"key=" + b"x" * 20_000):
        assert ask(locked, method="POST", body=wrong)[0] == 403
    assert ask(locked, method="POST", body=urlencode({"key": key}).encode(), origin="http://evil.org")[0] == 403


def test_browsers_need_a_key_unless_people_sign_in(monkeypatch):
    monkeypatch.delenv("STABILITY_TOKEN", raising=False)
    assert needs_session(signs_in=False) and not needs_session(signs_in=True)
    monkeypatch.setenv("STABILITY_TOKEN", "")
    assert not needs_session(signs_in=False)
    for key in ("abc", "k" * 15, "k" * 20 + "\n", "tab\t" * 9, "\udcff" * 20):  # short, or cannot be typed
        monkeypatch.setenv("STABILITY_TOKEN", key)
        with pytest.raises(InputError):
            access_key()


def test_the_health_check_needs_no_session_and_opens_nothing_else(browsers):
    for path in ("/_stcore/health", "/stability/_stcore/health"):
        assert ask(wall(browsers=browsers), path=path)[0] == 200
    for how in ({"method": "PUT"}, {"method": "POST"}, {"method": "DELETE"}, {"kind": "websocket", "method": None}):
        assert ask(wall(browsers=browsers), path="/_stcore/upload_file/_stcore/health", **how)[0] in (403, 1008)


def test_half_a_file_is_never_there(tmp_path, monkeypatch):
    path = tmp_path / "x"
    write_atomically(path, b"old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
