"""In a fresh interpreter: what is imported when, and what the import of litellm connects to."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.running.cache import ReplyCache
from judgekit.running.engine import answer_all
from judgekit.testing import StubServer
from tests.running.helpers import DirectModel, questions

HEAVY = ["aiohttp", "diskcache", "httpx", "litellm", "numpy", "openai", "pydantic_settings", "rich"]


def fresh(code: str, *arguments: object) -> str:
    """Run ``code`` in a new interpreter; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    "module",
    [
        *("judgekit.running.engine", "judgekit.running.cache", "judgekit.running.model"),
        *("judgekit.running.litellm_client", "judgekit.testing"),
    ],
)
def test_importing_loads_nothing_heavy(module: str) -> None:
    """The import of litellm alone costs seconds and 200 MB."""
    loaded = json.loads(fresh(f"import {module}, json, sys; print(json.dumps(list(sys.modules)))"))

    assert not set(HEAVY) & set(loaded)


CACHED = """
import asyncio, json, sys
from judgekit.running.cache import ReplyCache
from judgekit.running.engine import answer_all
from judgekit.running.model import open_model
from tests.running.helpers import questions
answers = asyncio.run(answer_all(
    questions(50, sys.argv[2]),
    open_model=lambda: open_model("openai/stub"),
    cache=ReplyCache(sys.argv[1]),
))
assert all(a.cached for a in answers)
print(json.dumps(list(sys.modules)))
"""


def test_a_fully_cached_run_loads_nothing_heavy(
    stub: StubServer, cache: ReplyCache, tmp_path: Path
) -> None:
    """Neither litellm nor an HTTP client, nor even diskcache."""
    requests = questions(50, stub.base_url)
    asyncio.run(answer_all(requests, open_model=DirectModel, cache=cache))
    cache.close()

    loaded = json.loads(fresh(CACHED, tmp_path / "cache", stub.base_url))

    assert not set(HEAVY) & set(loaded)
    assert stub.stats.requests == 50


CONNECTING = """
import asyncio, json, os, socket, sys
seen = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        seen.append([event, repr(arguments[-1] if event == "socket.connect" else arguments[0])])
sys.addaudithook(watch)
from judgekit.running.model import open_model
from tests.running.helpers import question
async def main():
    model = open_model("openai/stub")
    await model.complete(question("x", sys.argv[1]), timeout=60)
    await model.aclose()
asyncio.run(main())
import threading
print(json.dumps({
    "seen": seen,
    "threads": [t.name for t in threading.enumerate()],
    "offline": os.environ.get("LITELLM_OFFLINE_MODE"),
    "map": os.environ.get("LITELLM_LOCAL_MODEL_COST_MAP"),
}))
"""


def test_litellm_connects_to_nothing_but_the_endpoint(stub: StubServer) -> None:
    """Neither at import nor in a call; no thread keeps trying; stderr stays empty."""
    told = json.loads(fresh(CONNECTING, stub.base_url))

    assert {address.strip("'\"b").split(",")[0] for _, address in told["seen"]} <= {
        "('127.0.0.1'",
        "127.0.0.1",
    }
    assert told["seen"]
    assert (told["offline"], told["map"]) == ("true", "True")
    assert not [name for name in told["threads"] if "litellm" in name]
