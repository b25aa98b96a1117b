"""``python -m judgekit.testing``: its options reach the server."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest


def test_the_stub_can_be_told_what_to_refuse() -> None:
    """A parameter of the list is answered by 400, any other is taken."""
    command = [sys.executable, "-m", "judgekit.testing", "--port", "0", "--latency-ms", "0"]
    with subprocess.Popen(
        [*command, "--refuses", "temperature, seed"], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        try:
            assert _status(address, top_p=1) == 200
            for name in ("temperature", "seed"):
                assert _status(address, **{name: 0}) == 400
        finally:
            server.send_signal(signal.SIGTERM)


def _status(address: str, **parameters: object) -> int:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}], **parameters}
    request = urllib.request.Request(  # noqa: S310  (our own server)
        f"{address}/chat/completions",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as response:  # noqa: S310
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


pytestmark = pytest.mark.timeout(60)
