"""The stub model server, over plain HTTP."""

# ruff: noqa: S310  (every address is our own server's)

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from judgekit.errors import InputError, JudgekitError, UnknownName
from judgekit.testing import FAULTS, StubError, StubServer
from judgekit.testing.faults import choose_fault, parse_faults
from judgekit.testing.wire import take_request
from tests.running.helpers import LEVELS, SCHEMA

pytestmark = pytest.mark.timeout(60)


@pytest.fixture
def stub() -> Iterator[StubServer]:
    """A server that answers at once."""
    with StubServer() as server:
        yield server


def post(base_url: str, prompt: str = "hi", path: str = "/chat/completions", **more: Any) -> Any:
    """Ask like any HTTP client; return the answer's JSON, also that of an error."""
    body: Any = {"model": "m", "messages": [{"role": "user", "content": prompt}], **more}
    if not path.startswith("/chat"):
        base_url, body = base_url.removesuffix("/v1"), more
    request = urllib.request.Request(base_url + path, json.dumps(body).encode(), method="POST")
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return {"status": error.code, "headers": dict(error.headers), **json.load(error)}


def get(url: str) -> Any:
    """Fetch a page of the server's own."""
    with urllib.request.urlopen(url, timeout=20) as answer:
        return json.load(answer)


def text_of(answer: Any) -> str:
    """Return the reply text."""
    content = answer["choices"][0]["message"]["content"]
    assert isinstance(content, str)
    return content


def test_the_level_follows_the_schema_and_the_question(stub: StubServer) -> None:
    """Every level is given, the same question gets the same answer, the reason stands first."""
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}}

    texts = [text_of(post(stub.base_url, f"question {n}", response_format=form)) for n in range(30)]

    answers = [json.loads(text) for text in texts]
    assert {answer["level"] for answer in answers} == set(LEVELS)
    assert [list(answer) for answer in answers] == [["reason", "level"]] * 30
    assert texts[7] == text_of(post(stub.base_url, "question 7", response_format=form))


def test_a_schema_of_every_kind_is_followed(stub: StubServer) -> None:
    """References, alternatives and plain types."""
    schema = {
        "$defs": {"level": {"enum": ["x", "y"]}},
        "type": "object",
        "properties": {
            "ref": {"$ref": "#/$defs/level"},
            "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "const": {"const": "c"},
            "list": {"type": "array", "items": {"type": "boolean"}},
            "maybe": {"type": ["number", "null"]},
            "nothing": {"type": "null"},
        },
    }
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}

    answer = json.loads(text_of(post(stub.base_url, response_format=form)))

    assert answer["ref"] in ("x", "y")
    assert answer["either"] in range(1, 6)
    assert answer["const"] == "c"
    assert answer["list"] in ([True], [False])
    assert 0 <= answer["maybe"] <= 1
    assert answer["nothing"] is None


def test_without_a_schema_the_levels_stand_in_the_prompt() -> None:
    """Found by a regular expression; else a number from 1 to 5."""
    prompt = "Levels:\n- good: fine\n- poor: not fine\nAnswer 'level'."
    with StubServer(levels=r"(?m)^- (\w+):") as stub:
        answers = [json.loads(text_of(post(stub.base_url, f"{prompt}{n}"))) for n in range(12)]
        assert {answer["level"] for answer in answers} == {"good", "poor"}
        stub.configure(levels=None)
        assert json.loads(text_of(post(stub.base_url, prompt)))["level"] in range(1, 6)


def test_answers_of_ones_own() -> None:
    """By a piece of the prompt, or by a function of the request."""
    with StubServer(answers={"Paris": "right", "London": "wrong"}) as stub:
        assert text_of(post(stub.base_url, "is it Paris?")) == "right"
        assert text_of(post(stub.base_url, "is it London?")) == "wrong"
        assert "level" in text_of(post(stub.base_url, "is it Rome?"))
    with StubServer(reply=lambda request: request["messages"][0]["content"].upper()) as stub:
        assert text_of(post(stub.base_url, "abc")) == "ABC"


def test_an_error_of_ones_own() -> None:
    """Raised by the reply function."""

    def reply(request: dict[str, Any]) -> str:
        raise StubError(418, message="a teapot", code="teapot")

    with StubServer(reply=reply) as stub:
        answer = post(stub.base_url)

    assert answer["status"] == 418
    assert answer["error"] == {"message": "a teapot", "code": "teapot"}


FAULTY: dict[str, Any] = {
    "empty": lambda m, c: m["content"] == "",
    "null_content": lambda m, c: m["content"] is None,
    "refusal": lambda m, c: m["content"] is None and "can't" in m["refusal"],
    "filter_finish": lambda m, c: m["content"] == "" and c["finish_reason"] == "content_filter",
    "truncated": lambda m, c: c["finish_reason"] == "length" and not _is_json(m["content"]),
    "malformed": lambda m, c: m["content"].startswith("{") and not _is_json(m["content"]),
    "think": lambda m, c: "</think>" in m["content"] and m["content"].endswith("}"),
    "think_only": lambda m, c: "<think>" in m["content"] and "</think>" not in m["content"],
    "out_of_scale": lambda m, c: json.loads(m["content"])["level"] not in LEVELS,
    "contradictory": lambda m, c: (
        len({part for part in LEVELS if f'"{part}"' in m["content"]}) == 2
    ),
}


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_answer_is_faulty_in_its_way(stub: StubServer, fault: str) -> None:
    """Status 200, and counted."""
    stub.configure(faults={fault: 1.0})
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}}

    choice = post(stub.base_url, response_format=form)["choices"][0]

    assert FAULTY[fault](choice["message"], choice)
    assert stub.stats.errors == {fault: 1}


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        *(("400", 400), ("401", 401), ("403", 403), ("404", 404), ("429", 429), ("500", 500)),
        *(("503", 503), ("quota", 429), ("context", 400), ("filter", 400)),
    ],
)
def test_an_error_has_status_and_body(stub: StubServer, fault: str, status: int) -> None:
    """As OpenAI writes them."""
    stub.configure(faults={fault: 1.0}, retry_after=3)

    answer = post(stub.base_url)

    assert answer["status"] == status
    assert answer["error"]["message"]
    assert answer["headers"].get("retry-after") == ("3" if fault == "429" else None)


def test_broken_connections_and_bodies(stub: StubServer) -> None:
    """No JSON, half a body, no answer at all, an empty list of choices."""
    stub.configure(faults={"bad_body": 1.0})
    with pytest.raises(ValueError, match="Expecting value"):
        post(stub.base_url)
    stub.configure(faults={"half_body": 1.0})
    with pytest.raises(http.client.IncompleteRead):
        post(stub.base_url)
    stub.configure(faults={"reset": 1.0})
    with pytest.raises((ConnectionError, http.client.RemoteDisconnected)):
        post(stub.base_url)
    stub.configure(faults={"no_choices": 1.0})
    assert post(stub.base_url)["choices"] == []


def test_latency_and_hanging(stub: StubServer) -> None:
    """The one delays every answer, the other one in a while."""
    stub.configure(latency_ms=60)
    began = time.monotonic()
    post(stub.base_url)
    assert time.monotonic() - began >= 0.06
    stub.configure(latency_ms=0, faults={"hang": 1.0}, hang_s=0.3)
    began = time.monotonic()
    post(stub.base_url)
    assert time.monotonic() - began >= 0.3


def test_faults_come_at_their_rates_and_can_be_repeated() -> None:
    """Decided by the question and the attempt, so a retry may succeed."""
    rates = {"429": 0.1, "hang": 0.05}
    questions = [str(n).encode() for n in range(5000)]

    first = [choose_fault(q, 1, rates) for q in questions]

    counts = Counter(first)
    assert abs(counts["429"] - 500) < 4 * (5000 * 0.1 * 0.9) ** 0.5
    assert abs(counts["hang"] - 250) < 4 * (5000 * 0.05 * 0.95) ** 0.5
    assert first == [choose_fault(q, 1, rates) for q in questions]
    second = [choose_fault(q, 2, rates) for q in questions]
    assert sum(a is not None and b is not None for a, b in zip(first, second, strict=True)) < 200


def test_it_counts(stub: StubServer) -> None:
    """Requests, repeats, the most at once; also for other processes."""
    stub.configure(latency_ms=100)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda n: post(stub.base_url, f"q{n % 3}"), range(4)))

    stats = stub.stats
    assert (stats.requests, stats.answered, stats.in_flight) == (4, 4, 0)
    assert (stats.distinct, stats.duplicates) == (3, 1)
    assert 2 <= stats.peak <= 4
    root = stub.base_url.removesuffix("/v1")
    assert get(f"{root}/stats") == stats._asdict()
    assert get(f"{stub.base_url}/models")["data"][0]["object"] == "model"
    post(stub.base_url, path="/reset")
    assert stub.stats.requests == stub.stats.distinct == 0


def test_settings_can_be_changed_over_http(stub: StubServer) -> None:
    """And a wrong one is refused with a message."""
    assert post(stub.base_url, path="/config", faults={"500": 1.0}) == {}
    assert post(stub.base_url)["status"] == 500
    wrong = post(stub.base_url, path="/config", faults={"5000": 1.0})
    assert wrong["status"] == 400
    assert "'5000'" in wrong["error"]["message"]
    assert post(stub.base_url, path="/config", latency=1)["status"] == 400


def test_what_it_received_can_be_looked_at(stub: StubServer) -> None:
    """Body and headers."""
    post(stub.base_url, "look at me")

    (received,) = stub.received
    assert b"look at me" in received.body
    assert received.headers["content-length"] == str(len(received.body))


def test_an_unknown_fault_is_refused_with_a_suggestion() -> None:
    """Before the server starts."""
    with pytest.raises(UnknownName) as caught:
        StubServer(faults={"truncate": 0.1})
    assert "truncated" in (caught.value.hint or "")
    with pytest.raises(InputError, match="more than 1"):
        StubServer(faults={"429": 0.6, "500": 0.6})
    with pytest.raises(InputError, match="between 0 and 1"):
        StubServer(faults={"429": -1})


def test_faults_on_a_command_line() -> None:
    """NAME=RATE, NAME=RATE."""
    assert parse_faults("429=0.05, hang=0.01") == {"429": 0.05, "hang": 0.01}
    assert parse_faults("") == {}
    with pytest.raises(InputError, match="NAME=RATE"):
        parse_faults("429")


def test_a_taken_port_is_one_clear_error(stub: StubServer) -> None:
    """Not a hanging thread."""
    with pytest.raises(JudgekitError, match=str(stub.port)):
        StubServer(port=stub.port).start()


def test_requests_may_come_in_pieces() -> None:
    """Chunked bodies, bodies in several packets, two requests in one."""
    whole = b"POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b?x=1 HTTP/1.1\r\n\r\n"
    buffer = bytearray()
    seen = []
    for byte in whole:
        buffer.append(byte)
        if (taken := take_request(buffer)) is not None:
            seen.append((taken.method, taken.path, taken.body))
    assert seen == [("POST", "/a", b"abc"), ("GET", "/b", b"")]
    chunked = (
        b"POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n"
    )
    buffer = bytearray(chunked[:-1])
    assert take_request(buffer) is None
    buffer += chunked[-1:]
    taken = take_request(buffer)
    assert taken is not None
    assert taken.body == b"abc"
    assert not buffer


def test_it_serves_other_programs() -> None:
    """With python -m judgekit.testing: the first line is the address; ends on SIGTERM."""
    command = [sys.executable, "-m", "judgekit.testing", "--port", "0", "--latency-ms", "1"]
    server = subprocess.Popen(
        [*command, "--faults", "500=1", "--served", "m-2"], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    try:
        assert post(address)["status"] == 500
        post(address, path="/config", faults={})
        assert post(address)["model"] == "m-2"
    finally:
        server.terminate()
        server.communicate(timeout=20)
    assert server.returncode == 0


def test_its_help_names_every_fault() -> None:
    """So that nobody has to read the source."""
    command = [sys.executable, "-m", "judgekit.testing", "--help"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert all(f"  {name} " in said for name in FAULTS)
