"""Where people sign in: what a page offers as a file is for whom it offered it, whoever learns the address."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from pages.parts import offered
from stabcore.app.people import NOBODY


@pytest.fixture
def shared(monkeypatch):
    """(what is remembered, a manager of files as the toolkit has it, who is at the page now)"""
    promises, at_page = {}, {"who": NOBODY}

    def add(content, kind):
        return f"/media/{content}.csv"

    def add_deferred(content, kind):
        promises["p1"] = content
        return "p1"

    manager = SimpleNamespace(add=add, add_deferred=add_deferred, execute_deferred=lambda name: add(promises[name](), ""))
    monkeypatch.setattr(offered.people, "who", lambda: at_page["who"])
    remembered = offered.Offered()
    remembered.watch(manager)
    return remembered, manager, at_page


def test_a_file_is_for_whom_it_was_offered_and_what_was_offered_before_sign_in_for_everybody(shared):
    remembered, manager, at_page = shared
    icon = manager.add("icon", "")
    at_page["who"] = "anne"
    own, same = manager.add("own", ""), manager.add("same", "")
    at_page["who"] = "bert"
    assert manager.add("same", "") == same
    assert [remembered.may(who, own) for who in ("anne", "bert", NOBODY)] == [True, False, False]
    assert [remembered.may(who, same) for who in ("anne", "bert", NOBODY)] == [True, True, False]
    assert all(remembered.may(who, icon) for who in ("anne", NOBODY)) and not remembered.may("anne", "/media/never.csv")


def test_a_file_that_is_made_when_it_is_asked_for_is_for_whom_the_page_was_drawn(shared):
    remembered, manager, at_page = shared
    at_page["who"] = "anne"
    promise = manager.add_deferred(lambda: "late", "")
    at_page["who"] = "bert"
    address = manager.execute_deferred(promise)
    assert [remembered.may(who, address) for who in ("anne", "bert")] == [True, False]


def test_what_is_remembered_has_an_end(shared, monkeypatch):
    remembered, manager, at_page = shared
    monkeypatch.setattr(offered, "MOST", 2)
    at_page["who"] = "anne"
    addresses = [manager.add(name, "") for name in "abac"]
    assert [remembered.may("anne", one) for one in addresses] == [True, False, True, True]


@pytest.mark.parametrize(("path", "passes"), [("/media/a.csv", False), ("/base/media/a.csv", False), ("/media/b.csv", True),
                                              ("/panel", True), ("/media/../media/a.csv", False)])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_whoever_has_no_cookie_of_theirs_gets_a_sentence_instead_of_a_file(path, passes, method):
    asked, sent = [], []

    async def app(scope, receive, send):
        asked.append(scope["path"])

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "path": path, "method": method, "headers": [(b"cookie", b"a=b")]}
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, offered.OwnFiles(app, lambda who, where: who is NOBODY and "b.csv" in where)(scope, None, send)
                     ).result()
    assert bool(asked) == passes and [one.get("status") for one in sent[:1]] == [404] * (not passes)
