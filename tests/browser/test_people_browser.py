"""Many people: sign-in by a provider, and one person's works out of another one's reach."""

import re
import sys

import pytest
from browser_support import Server, heading, plots, settled
from playwright.sync_api import expect
from provider_support import Provider, secrets_file

from pages.workspace.projects import owners, projects

pytest.importorskip("authlib", reason="pip install -e '.[server,test]' brings what signs people in")


@pytest.fixture(scope="module")
def provider():
    made = Provider()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory, provider):
    folder = tmp_path_factory.mktemp("many")
    made = Server(
        folder / "home",
        command=(sys.executable, "-m", "pages.server.launch", "--no-browser"),
        port="--port",
        cwd=folder,
        PYTHONPATH=":".join(sys.path),
    )
    del made.environment["STABILITY_TOKEN"]  # whoever signs in needs no key
    secrets_file(folder, made.port, provider)
    yield made.start()
    made.stop()


@pytest.fixture
def second(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    yield context.new_page()
    context.close()


def signed_in(page, server, provider, subject):
    """Somebody comes, and goes by way of the provider."""
    page.goto(server.url)
    heading(page, "Sign in")
    provider.subject = subject
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Signed in as")).to_contain_text((subject or "").title())
    settled(page)  # what is below the name is drawn after it


def sign_out(page, server):
    """Until the browser stands at the door: the page says so before the browser goes to be told to forget, and is led back."""
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{server.url}/")
    heading(page, "Sign in")
    assert not any(one["name"].startswith("_streamlit_user") for one in page.context.cookies())


def test_people_sign_in_and_reach_their_own_works_alone(browser, second, server, provider, tmp_path, monkeypatch):
    monkeypatch.setenv("STABILITY_HOME", str(server.home))
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    signed_in(page, server, provider, "anne")
    table = tmp_path / "annes.csv"
    table.write_text("a,b,outcome\n" + "\n".join(f"{i},{i * 7 % 5},{'xy'[i % 2]}" for i in range(30)), encoding="utf-8")
    page.locator("input[type=file]").first.set_input_files(table)
    page.locator(".st-key-use-table button").click()
    heading(page, "What is in the table?")
    settled(page)
    address = page.url
    page.goto(server.url)
    page.locator(".st-key-open-wine button").click()
    heading(page, "How often do the same features come back?")
    plots(page)
    assert len(owners()) == 1 and len(projects(*owners())) == 2 and "anne" not in str(*owners())

    signed_in(second, server, provider, "bert")
    expect(second.get_by_text("Go on with a work")).to_have_count(0)
    for path in (address, re.sub(r"/data\?", "/study?", address), re.sub("id=.*", "id=" + "x" * 22, address)):
        second.goto(path)
        expect(second.get_by_text("or is somebody else's")).to_be_visible()
        expect(second.get_by_text("annes.csv")).to_have_count(0)

    sign_out(page, server)
    page.goto(address)
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_text("annes.csv")).to_have_count(0)
    provider.subject = "anne"
    page.get_by_role("button", name="Sign in").click()  # and is back at the address by which she came
    heading(page, "What is in the table?")
    expect(page.get_by_text("annes.csv").first).to_be_visible()
    assert page.url == address and not any(address.partition("id=")[2] in path for path in provider.asked)
    assert not any(one["name"].startswith("stability-came-by") for one in page.context.cookies(f"{server.url}/oauth2callback"))
    page.context.close()
