"""A small OpenID Connect provider on this computer, for tests of signing in: it vouches for whoever the test says."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT, SECRET = "dashboard", "a secret of the client that is long enough"


def _part(content) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Provider:
    """subject: whom it vouches for; None: it refuses."""

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
        """What the browser brings back to the dashboard."""
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
        text = ".".join(_part(json.dumps(one).encode()) for one in ({"alg": "HS256", "typ": "JWT"}, claims))
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
