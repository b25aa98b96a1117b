"""Secrets to plant, a judge that says back whatever it was sent, and the search for them."""

from __future__ import annotations

import base64
import contextlib
import html
import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from judgekit.cli.run import run as run_command
from judgekit.testing.wire import Sent
from tests.e2e.house import House, Result, echo

KEY = "sk-planted/first+key==0123456789"
ODD = "odd-planted-key-4711-abcdefgh"
PASSWORD = "planted-p@ss/word-2342"
QUERY = "planted-in-the-query-0815"
TOKEN = "planted-token-of-another-99"
PROXY = "planted-for-the-proxy-77"
PLANTED = (KEY, ODD, PASSWORD, QUERY, TOKEN, PROXY)
IN_THE_ENVIRONMENT = (KEY, TOKEN, PROXY)
IN_THE_ADDRESS = (PASSWORD, QUERY)
USER = "judge-user"
SOURCES = {"judgekit.toml", ".env", "secret-items.jsonl"}
"""Where the secrets stand because somebody put them there."""


def basic(secret: str) -> str:
    """Return what a client sends for a login with this password."""
    return base64.b64encode(f"{USER}:{secret}".encode()).decode()


def forms(secret: str) -> set[str]:
    """Return the forms in which a secret may turn up, and its beginning."""
    data = secret.encode()
    coded = (base64.b64encode(data).decode(), base64.urlsafe_b64encode(data).decode())
    whole = {secret, quote(secret), quote(secret, safe=""), html.escape(secret), basic(secret)}
    return {*whole, *(c.rstrip("=") for c in coded), secret[:14], json.dumps(secret)[1:-1]}


def leaks(root: Path, *said: str) -> list[tuple[str, str]]:
    """Return where secrets stand: in files below ``root``, and in what was said."""
    places = {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and path.name not in SOURCES
    }
    places |= {f"output {n}": text.encode() for n, text in enumerate(said)}
    known = [form for secret in PLANTED for form in forms(secret)]
    return [(place, f) for place, data in places.items() for f in known if f.encode() in data]


def run(house: House, *arguments: str) -> Result:
    """Run the command line as ``house.run`` does, but let it show tracebacks."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(house.root),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run_command(list(arguments))
    return Result(code, out.getvalue(), err.getvalue())


def with_login(address: str) -> str:
    """Return an address with a login and a key in its query."""
    login = f"{USER}:{quote(PASSWORD, safe='')}"
    return address.replace("://", f"://{login}@") + f"?api-key={QUERY}&api-version=1"


class Parrot:
    """A judge that says secrets back: in replies, errors, names and headers.

    Args:
        known: The secrets it was sent.
        how: ``reply``, an HTTP status, or another way to answer (see ``__call__``).
    """

    def __init__(self, known: tuple[str, ...], how: str = "reply") -> None:
        self.how, self._level = how, echo()
        each = [(s, quote(s, safe=""), base64.b64encode(s.encode()).decode()) for s in known]
        self.says = f"you sent Bearer {known[0]} and {' '.join(f for s in each for f in s)}"
        if PASSWORD in known:
            self.says += f", Authorization: Basic {basic(PASSWORD)}, http://{USER}:{PASSWORD}@h/"
        self._headers = {"x-you-sent": known[0], "www-authenticate": f"Bearer {known[0]}"}

    def __call__(self, request: dict[str, Any]) -> Sent:
        """Answer a request."""
        error = dict.fromkeys(("message", "type", "code", "param"), self.says)
        if self.how.isdigit():
            return self._sent(int(self.how), json.dumps({"error": error}))
        match self.how:
            case "page":
                return self._sent(404, f"<html>{self.says}</html>")
            case "text":
                return self._sent(400, self.says)
            case "error in 200":
                return self._sent(200, json.dumps({"error": {**error, "code": 400}}))
            case "redirect":
                address = with_login("http://127.0.0.1:9")
                return Sent(302, b"", {"location": address, **self._headers})
        return self._sent(200, json.dumps(self._completion(request)))

    def _sent(self, status: int, body: str) -> Sent:
        return Sent(status, body.encode(), self._headers)

    def _completion(self, request: dict[str, Any]) -> dict[str, Any]:
        said = json.loads(self._level(request))
        text = json.dumps({"reason": self.says, "level": said["level"]})
        message = {"role": "assistant", "content": text, "reasoning_content": self.says}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1700000000,
            "model": f"stub-{KEY}",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
        }
