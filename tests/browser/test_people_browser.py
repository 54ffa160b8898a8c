"""Many people: sign-in by a provider, and one person's works out of another one's reach."""

import base64
import hashlib
import hmac
import json
import secrets
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from browser_support import Server, heading, person, settled
from playwright.sync_api import expect

from pages.workspace.projects import owners, projects

CLIENT, SECRET = "dashboard", "a secret of the client that is long enough"


def _part(content) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Provider:
    """subject: the person who signs in, None if sign-in is refused."""

    def __init__(self):
        self.subject, self.asked, self._codes = "anne", [], {}
        provider = self

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self):
                provider.asked.append(self.path)
                if self.path.startswith("/.well-known"):
                    return self.say(provider.metadata())
                if self.path == "/keys":
                    return self.say({"keys": [{"kty": "oct", "k": _part(SECRET.encode())}]})
                asked = {name: texts[0] for name, texts in parse_qs(urlsplit(self.path).query).items()}
                self.send_response(302)
                self.send_header("Location", f"{asked['redirect_uri']}?{urlencode(provider.vouch(asked))}")
                self.end_headers()
                return None

            def do_POST(self):
                asked = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                self.say(provider.token(asked["code"][0]))

            def say(self, answer):
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    def metadata(self):
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["HS256"],
        }

    def vouch(self, asked):
        """The answer that the browser carries back to the dashboard."""
        if self.subject is None:
            return {"error": "access_denied", "state": asked["state"]}
        code = secrets.token_urlsafe(8)
        self._codes[code] = self.subject, asked.get("nonce")
        return {"code": code, "state": asked["state"]}

    def token(self, code):
        """The signed word on who it is, given once."""
        subject, nonce = self._codes.pop(code)
        now = int(time.time())
        claims = {
            "iss": self.url,
            "sub": subject,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 600,
            "nonce": nonce,
            "name": subject.title(),
            "email": f"{subject}@example.org",
        }
        text = ".".join(_part(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
        signed = _part(hmac.new(SECRET.encode(), text.encode(), hashlib.sha256).digest())
        return {"access_token": secrets.token_urlsafe(8), "token_type": "Bearer", "expires_in": 600, "id_token": f"{text}.{signed}"}


def secrets_file(folder, port, provider):
    """A .streamlit/secrets.toml for a dashboard at a port, as the toolkit wants it."""
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "secrets.toml").write_text(
        f'[auth]\nredirect_uri = "http://127.0.0.1:{port}/oauth2callback"\ncookie_secret = "{secrets.token_urlsafe(32)}"\n'
        f'client_id = "{CLIENT}"\nclient_secret = "{SECRET}"\n'
        f'server_metadata_url = "{provider.url}/.well-known/openid-configuration"\n',
        encoding="utf-8",
    )


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


def sign_in(page, provider, subject):
    """By way of the provider, from the door at which the browser stands."""
    heading(page, "Sign in")
    provider.subject = subject
    page.get_by_role("button", name="Sign in").click()


def signed_in(page, name):
    """Until the page says who is here, and all below that is drawn."""
    expect(page.get_by_text("Signed in as")).to_contain_text(name)
    settled(page)


def sign_out(page, server):
    """Sign out, and wait for the page that asks to sign in."""
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{server.url}/")
    heading(page, "Sign in")
    assert not any(cookie["name"].startswith("_streamlit_user") for cookie in page.context.cookies())


def test_people_sign_in_and_reach_their_own_works_alone(browser, server, provider, tmp_path, monkeypatch):
    """One after the other at one computer."""
    monkeypatch.setenv("STABILITY_HOME", str(server.home))
    page = person(browser, viewport={"width": 1280, "height": 1000}).new_page()
    page.goto(server.url)
    sign_in(page, provider, "anne")
    signed_in(page, "Anne")
    table = tmp_path / "annes.csv"
    table.write_text("a,b,outcome\n" + "\n".join(f"{i},{i * 7 % 5},{'xy'[i % 2]}" for i in range(30)), encoding="utf-8")
    page.locator("input[type=file]").first.set_input_files(table)
    heading(page, "What is in the table?")
    settled(page)
    address = page.url
    assert len(owners()) == 1 and len(projects(*owners())) == 1 and "anne" not in str(*owners())

    sign_out(page, server)
    page.goto(address)
    sign_in(page, provider, "bert")
    signed_in(page, "Bert")
    expect(page.get_by_text("or belongs to somebody else")).to_be_visible()
    expect(page.get_by_text("annes.csv")).to_have_count(0)

    sign_out(page, server)
    page.goto(address)
    heading(page, "Sign in")
    expect(page.get_by_text("annes.csv")).to_have_count(0)
    sign_in(page, provider, "anne")  # and is back at the address by which she came
    heading(page, "What is in the table?")
    expect(page.get_by_text("annes.csv").first).to_be_visible()
    assert page.url == address and not any(address.partition("id=")[2] in path for path in provider.asked)
    assert not any(
        cookie["name"].startswith("stability-came-by") for cookie in page.context.cookies(f"{server.url}/oauth2callback")
    )
    page.context.close()
