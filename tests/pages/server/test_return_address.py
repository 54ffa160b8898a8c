"""Back to the address by which somebody came to sign in, and every way by which others would have them end elsewhere."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from page_support import PAGES

from pages.server.sign_in import MAX_ADDRESS_LENGTH, ReturnAddress, cookie_name, decode_screen, encode_screen, screen_of

HOST, STATE = "stab.example.org", "s" * 30
LINK = "whatif?id=abc&features=7&name=%C3%A4"


def ask(path, query="", to=None, base="", origins=(), **headers):
    """(where it sends a browser, cookies set) of a server behind it that sends everybody to `to`."""

    async def app(scope, receive, send):
        sent = [(b"location", to.encode())] if to else []
        await send({"type": "http.response.start", "status": 302 if to else 200, "headers": sent})
        await send({"type": "http.response.body", "body": b""})

    scope = {
        "type": "http",
        "path": base + path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in {"host": HOST, **headers}.items()],
    }
    sent = []

    async def send(message):
        sent.append(message)

    with ThreadPoolExecutor(1) as apart:  # a browser test before may have left a loop running in this thread
        apart.submit(asyncio.run, ReturnAddress(app, lambda: origins)(scope, None, send)).result()
    sent_headers = [(name.decode(), value.decode()) for name, value in sent[0]["headers"]]
    return dict(sent_headers).get("location"), [value for name, value in sent_headers if name == "set-cookie"]


def leave(referer, state=STATE, **asked):
    """The cookie with which somebody leaves for the provider, name=value; "" where there is none."""
    to = f"https://id.example.org/authorize?state={state}&nonce=n"
    to, cookies = ask("/auth/login", "provider=x", to, referer=referer, **asked)
    assert to.startswith("https://id.example.org/authorize?") and "abc" not in to, "the sign-in service does not receive it"
    return cookies[0].partition(";")[0] if cookies else ""


def come_back(cookie, state=STATE, to="/", **asked):
    return ask("/oauth2callback", f"code=1&state={state}", to, cookie=f"other=1; {cookie}", **asked)


@pytest.mark.parametrize(
    ("host", "base", "origins"),
    [
        (f"http://{HOST}", "", ()),
        (f"https://{HOST}", "", ()),
        (f"http://{HOST}", "/tools/stab", ()),
        ("https://front.org", "", ("https://front.org",)),
    ],
)
def test_who_came_by_a_link_ends_there_signed_in(host, base, origins):
    cookie = leave(f"{host}{base}/{LINK}", base=base, origins=origins)
    to, cookies = come_back(cookie, base=base, to=f"{base}/")
    assert to == f"{base}/{LINK}"
    assert cookies == [f"{cookie_name(STATE)}=; Max-Age=0; Path={base}/oauth2callback; HttpOnly; SameSite=Lax"], "told once"


STRANGE = (
    *("", "null", "https://evil.org/whatif?id=abc", f"https://{HOST}.evil.org/x", f"https://{HOST}@evil.org/x", "http://["),
    *(
        "/whatif?id=1",
        f"http://{HOST}:81/x",
        f"http://{HOST}/{'x' * 41}",
        f"http://{HOST}/x?{'y' * MAX_ADDRESS_LENGTH}",
        f"http://{HOST}/",
    ),
    *(f"http://{HOST}/a.b?c", f"http://{HOST}/x?a=ä", f"http://{HOST}/x?a b", f"javascript://{HOST}/x%0aalert(1)x?"),
)
EVIL = (
    *("//evil.org", "/evil.org", "https://evil.org", "\\\\evil.org", "x/../../auth/logout", "auth/logout", "x\n", "x?a b", "ä"),
    *("x?a\r\nset-cookie: a=b", "X", "x#y", "x" * 41, "x?" + "y" * MAX_ADDRESS_LENGTH, "@evil.org", "\x00"),
)


def test_the_way_back_is_a_screen_of_this_server_for_minutes_or_none():
    _, (cookie,) = ask("/auth/login", to=f"https://id.example.org/a?state={STATE}", referer=f"http://{HOST}/{LINK}")
    assert cookie.split("; ")[1:] == ["Max-Age=600", "Path=/oauth2callback", "HttpOnly", "SameSite=Lax"] and "abc" not in cookie
    assert [leave(referer) for referer in STRANGE] == [""] * len(STRANGE)
    assert screen_of("https://evil.org/data?id=1", HOST, ["*"]) == "" and leave("https://evil.org/data?id=1", origins=["*"]) == ""
    for evil in EVIL:
        to, cookies = come_back(f"{cookie_name(STATE)}={encode_screen(evil)}")
        assert to == "/" and len(cookies) == 1 and decode_screen(encode_screen(evil)) == "", evil
    for text in ("", "%%%", "a", "====", "w6Q", "A" * 9999):
        assert come_back(f"{cookie_name(STATE)}={text}")[0] == "/", "it is no note"
    for page in PAGES:
        assert screen_of(f"https://{HOST}/{page}?id=1", HOST, [f"https://{HOST}"]) == f"{page}?id=1"


def test_a_cookie_belongs_to_one_sign_in_and_changes_one_redirect():
    cookie = leave(f"http://{HOST}/{LINK}")
    for state in ("", "t" * 30, STATE + "x"):
        assert come_back(cookie, state=state) == ("/", []), "another tab's, an older one's, or one that somebody else began"
    assert leave(f"http://{HOST}/{LINK}", state="") == ""
    assert ask("/oauth2callback", f"error=access_denied&state={STATE}", "/", cookie=cookie)[0] == f"/{LINK}", "who was refused"
    for to in ("https://id.example.org/logout", "//evil.org/", "/elsewhere"):
        assert come_back(cookie, to=to)[0] == to
    assert ask("//evil.org/oauth2callback", f"state={STATE}", "//evil.org/", cookie=cookie)[0] == "//evil.org/"
    assert ask("/oauth2callback", f"state={STATE}", None, cookie=cookie) == (None, [])
    assert ask("/data", f"state={STATE}", "/", cookie=cookie) == ("/", []), "no other answer is looked at"
