"""The wall before the server: whom it lets through, and what every answer forbids."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.server.access import (
    Access,
    access_key,
    content_policy,
    is_allowed_host,
    is_allowed_origin,
    make_one_time_key,
    script_hashes,
    take_one_time_key,
)
from pages.workspace.files import write_whole

HOST, KEY = "127.0.0.1:8501", "k" * 32


async def app(scope, receive, send):
    kind = [(b"content-type", b"text/html; charset=utf-8")] * scope["path"].endswith("page")
    await send({"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"public"), (b"x-own", b"1"), *kind]})
    await send({"type": "http.response.body", "body": b"inside"})


def ask(wall, path="/", query="", kind="http", **headers):
    """(status, {header: value}, body) that the wall and what is behind it answer."""
    scope = {
        "type": kind,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in {"host": HOST, **headers}.items()],
    }
    sent = []

    async def receive():
        return {"type": f"{kind}.connect"}

    async def send(message):
        sent.append(message)

    with ThreadPoolExecutor(1) as apart:  # a browser test before may have left a loop running in this thread
        apart.submit(asyncio.run, wall(scope, receive, send)).result()
    if sent[0]["type"] == "websocket.close":
        return 403, {}, b""
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, sent[1].get("body", b"")


def wall(**options):
    return Access(app, **{"hosts": lambda: ["127.0.0.1", "localhost"], **options})


@pytest.mark.parametrize("host", ["127.0.0.1:8501", "localhost", "LOCALHOST:1", "localhost."])
def test_its_own_names_are_answered(host):
    assert ask(wall(), host=host)[0] == 200


@pytest.mark.parametrize("host", ["evil.org", "127.0.0.1.evil.org", "evil.org:8501", "", "127.0.0.1@evil.org", "[", "xlocalhost"])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_other_names_for_this_computer_are_not(host, kind):
    assert ask(wall(), host=host, kind=kind)[0] == 403


def test_names_that_were_added_are_answered():
    assert is_allowed_host("stab.example.org", ["*.example.org"]) and is_allowed_host("a", ["*"]) and is_allowed_host("a", [])
    assert not is_allowed_host("example.org.evil", ["*.example.org"]) and is_allowed_host("Mine.org:80", ["MINE.org"])


@pytest.mark.parametrize("origin", ["http://evil.org", "null", "http://127.0.0.1:3000", "http://localhost:8501", "file://"])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_pages_of_others_are_refused_before_anything_else_is_asked(origin, kind):
    assert ask(wall(), origin=origin, kind=kind)[0] == 403


def test_own_pages_and_what_is_no_browser_may_ask():
    assert ask(wall(), origin=f"http://{HOST}")[0] == 200 and is_allowed_origin("", HOST, [])
    assert is_allowed_origin("https://front.org", HOST, ["https://front.org"]) and is_allowed_origin("https://x", HOST, ["*"])


def test_every_answer_forbids_and_nothing_but_the_toolkit_is_stored():
    _, found, _ = ask(wall(scripts=("'sha256-x'",)))
    assert found["cache-control"] == "no-store" and found["x-own"] == "1"
    assert found["x-content-type-options"] == "nosniff" and "frame-ancestors 'self'" in found["content-security-policy"]
    assert "script-src 'self' 'sha256-x';" in found["content-security-policy"] and "unsafe-eval" not in str(found)
    assert ask(wall(), path="/static/js/x.js")[1]["cache-control"] == "public"
    assert ask(wall(key=KEY))[1]["cache-control"] == ask(wall(), host="evil.org")[1]["cache-control"] == "no-store"


def test_a_policy_names_this_server_and_never_what_a_header_smuggles_in():
    assert f"connect-src 'self' ws://{HOST} " in content_policy(HOST)
    assert "evil" not in content_policy("a; script-src evil.org")
    assert script_hashes(b"<script>a</script><script src=x></script>") == ("'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='",)


def test_without_the_key_nothing_is_told_and_with_it_the_browser_knows_it():
    locked = wall(key=KEY)
    status, _, body = ask(locked)
    assert status == 403 and b"?token=" in body and b"inside" not in body
    assert ask(locked, kind="websocket")[0] == ask(locked, query="token=wrong")[0] == ask(locked, cookie="stability=x")[0] == 403
    status, found, _ = ask(locked, path="/maps", query=f"id=a%20b&token={KEY}")
    assert status == 303 and found["location"] == "/maps?id=a+b" and "HttpOnly" in found["set-cookie"]
    cookie = found["set-cookie"].split(";")[0]
    assert ask(locked, cookie=f"broken=[; {cookie}")[2] == b"inside"
    assert ask(wall(key="other" * 8), cookie=cookie)[0] == 403


def test_the_key_that_a_browser_is_started_with_opens_once_and_for_some_minutes(tmp_path):
    """Everybody on this computer can read with what a browser was started."""
    locked = wall(key=KEY, is_one_time_key=lambda key: take_one_time_key(tmp_path, key))
    first = make_one_time_key(tmp_path)
    assert ask(locked, query=f"token={'x' * 32}")[0] == ask(locked, kind="websocket", query=f"token={first}")[0] == 403
    status, found, _ = ask(locked, query=f"token={first}")
    assert status == 303 and ask(locked, cookie=found["set-cookie"].split(";")[0])[2] == b"inside"
    assert ask(locked, query=f"token={first}")[0] == 403
    late = make_one_time_key(tmp_path)
    os.utime(tmp_path / "once", (0, 0))
    assert first != late and ask(locked, query=f"token={late}")[0] == 403
    assert KEY not in first + late and not take_one_time_key(tmp_path, "ä\ud800".encode("utf-8", "replace").decode())


def test_the_health_of_the_server_needs_no_key():
    assert ask(wall(key=KEY), path="/_stcore/health")[0] == 200


@pytest.mark.parametrize("path", ["//evil.org", "/\\evil.org", "///evil.org/x"])
def test_the_key_leads_to_no_other_server(path):
    assert ask(wall(key=KEY), path=path, query=f"token={KEY}")[1]["location"].startswith("/evil.org")


def test_the_key_is_the_same_after_a_restart_and_only_this_users(tmp_path, monkeypatch):
    monkeypatch.delenv("STABILITY_TOKEN", raising=False)
    home = tmp_path / "home"
    first = access_key(home)
    assert len(first) >= 22 and access_key(home) == first and oct((home / "token").stat().st_mode)[-3:] in ("600", "666")
    (home / "token").write_text("short")
    assert access_key(home) not in ("short", first)
    monkeypatch.setenv("STABILITY_TOKEN", "")
    assert access_key(home) == ""


def test_half_a_file_is_never_there(tmp_path, monkeypatch):
    path = tmp_path / "x"
    write_whole(path, b"old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="space"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
