"""Secrets planted wherever a user may put one, and looked for in all that is kept or shown."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from judgekit.cli.app import COMMANDS
from judgekit.testing import StubError, StubServer
from tests.e2e import drafting, improving
from tests.e2e.house import RUBRIC, House, spread
from tests.e2e.planted import (
    IN_THE_ADDRESS,
    IN_THE_ENVIRONMENT,
    KEY,
    ODD,
    PASSWORD,
    PROXY,
    TOKEN,
    USER,
    Parrot,
    basic,
    leaks,
    run,
    with_login,
)
from tests.judging.drafts import tone

LEVELS = ["rude", "cold", "polite", "friendly"]
LANES = ["litellm", "direct"]


@pytest.fixture
def planted(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """Return a project with secrets in the environment, and with a home of its own."""
    home = house.root / "home"
    home.mkdir()
    for name, value in {"HOME": home, "XDG_CACHE_HOME": home / ".cache", "TMPDIR": home}.items():
        monkeypatch.setenv(name, str(value))
    for name in ("LITELLM_LOG", "http_proxy", "HTTP_PROXY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MY_JUDGE", ODD)
    monkeypatch.setenv("ANOTHER_SERVICE_TOKEN_2", TOKEN)
    monkeypatch.setenv("ftp_proxy", f"http://{USER}:{PROXY}@127.0.0.1:9")
    return house


@pytest.mark.parametrize(
    ("how", "transport"),
    [("provider", "litellm"), ("odd name", "direct"), ("login", "litellm")],
)
def test_all_commands_of_a_judge_that_works(
    planted: House, capfd: pytest.CaptureFixture[str], transport: str, how: str
) -> None:
    """Certified, scored, shown: the endpoint repeats the secrets in every reply."""
    known = {
        "provider": IN_THE_ENVIRONMENT,
        "odd name": (ODD, *IN_THE_ENVIRONMENT),
        "login": (*IN_THE_ENVIRONMENT, *IN_THE_ADDRESS),
    }
    with StubServer(reply=Parrot(known[how])) as server:
        base = with_login(server.base_url) if how == "login" else server.base_url
        named = {"api_key_env": "MY_JUDGE"} if how == "odd name" else {}
        planted.judge(api_base=base, transport=transport, **named)
        planted.labels(spread(LEVELS, 44))
        planted.items(spread(LEVELS, 4))
        done = [run(planted, "calibrate", "tone", "--json", "--disagreements", "differ.jsonl")]
        assert done[0].code == 0, done[0].out
        (certificate,) = (planted.root / "certificates").glob("*.json")
        done += [
            run(planted, *command.split())
            for command in (
                "calibrate tone --debug",
                "preview tone --json",
                "try tone items.jsonl --debug",
                "try tone items.jsonl --json",
                "score tone items.jsonl --out out.jsonl --debug",
                "score tone items.jsonl --json",
                "card tone --json",
                "export inspect tone --json",
                "export otel tone --scores out.jsonl",
                "status --json",
                f"certificate show {certificate} --json",
                f"certificate verify {certificate}",
                "runs list --json",
                "runs show last --json",
                "runs show last new-003",
                "cache stats --json",
            )
        ]
        if "export" in run(planted, "cache", "--help").out:
            done.append(run(planted, "cache", "export", "cache.jsonl"))
        sent = {r.headers["authorization"] for r in server.received}

    wanted = {"provider": f"Bearer {KEY}", "odd name": f"Bearer {ODD}", "login": basic(PASSWORD)}
    assert sent == {wanted[how] if how != "login" else f"Basic {wanted[how]}"}
    assert [r.code for r in done] == [0] * len(done), [r.err + r.out for r in done if r.code]
    assert len(list(planted.root.glob(".judgekit/runs/*/judgments.jsonl"))) >= 6
    assert leaks(planted.root, *(r.out + r.err for r in done), *capfd.readouterr()) == []


@pytest.mark.parametrize("transport", LANES)
@pytest.mark.parametrize(
    "how", ["400", "401", "404", "407", "422", "page", "text", "error in 200", "redirect"]
)
def test_calls_that_fail(
    planted: House, capfd: pytest.CaptureFixture[str], transport: str, how: str
) -> None:
    """The endpoint repeats the secrets in every field of its errors."""
    with StubServer(reply=Parrot((*IN_THE_ENVIRONMENT, *IN_THE_ADDRESS), how)) as server:
        planted.judge(api_base=with_login(server.base_url), transport=transport, timeout=5)
        planted.items(["cold"])
        done = [run(planted, "try", "tone", "items.jsonl", "--debug")]
        asked = server.stats.requests
    done += [run(planted, "runs", "show", "last", "new-000"), run(planted, "runs", "list")]

    assert asked > 0
    assert done[0].code == 4, done[0].out + done[0].err
    assert leaks(planted.root, *(r.out + r.err for r in done), *capfd.readouterr()) == []


@pytest.mark.parametrize("transport", LANES)
@pytest.mark.parametrize("proxy", [None, f"http://{USER}:{PROXY}@127.0.0.1:9"])
def test_an_endpoint_that_is_not_there(
    planted: House,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    transport: str,
    proxy: str | None,
) -> None:
    """The address may stand in the error, its login does not; nor does the proxy's."""
    address = "http://127.0.0.1:9/v1" if proxy is None else "http://judge.invalid/v1"
    if proxy is not None:
        monkeypatch.setenv("http_proxy", proxy)
    planted.judge(transport=transport, api_base=with_login(address), timeout=2)
    planted.items(["cold"])
    done = [run(planted, "try", "tone", "items.jsonl", "--debug")]
    done += [run(planted, "runs", "show", "last", "new-000")]

    assert done[0].code == 4
    assert leaks(planted.root, *(r.out + r.err for r in done), *capfd.readouterr()) == []


@pytest.mark.parametrize("transport", LANES)
def test_a_message_that_is_cut_inside_a_secret(planted: House, transport: str) -> None:
    """What is left of the secret is no longer known: it is hidden before the cut."""

    def reply(request: dict[str, Any]) -> str:
        (filler,) = re.findall(r"question (\d+)", request["messages"][-1]["content"])
        raise StubError(400, message="x " * ((260 + int(filler)) // 2) + ODD)

    with StubServer(reply=reply) as server:
        planted.judge(api_base=server.base_url, transport=transport, api_key_env="MY_JUDGE")
        planted.items(["cold"] * 40)
        done = run(planted, "try", "tone", "items.jsonl", "--json")

    assert done.code == 4
    assert leaks(planted.root, done.out, done.err) == []


def test_authors_of_rubrics(planted: House) -> None:
    """A drafted rubric, one refused and an improved one: the author repeats the key it was sent."""
    said = tone()
    said["highest"]["definition"] += f" Sent with {KEY} and {quote(KEY, safe='')}."
    script = drafting.Script(said)
    script.check = {"doubts": [f"You sent Bearer {KEY}."], "measures": "yes"}
    planted.items(["flat"])
    with drafting.serve(planted, script):
        made = ("rubric", "draft", "--model", drafting.MODEL, "--items", "items.jsonl")
        asked = (*made, "--api-base", planted.server.base_url, "--from")
        done = [run(planted, *asked, "tone of replies")]
        script.drafts = [f"no: {KEY}"]
        done.append(run(planted, *asked, "their grammar", "--debug"))
    written = (planted.root / "rubrics/support-tone.jinja").read_text("utf-8")
    with improving.serve(planted, improving.Script(improving.GOOD.replace("The", KEY))):
        improving.project(planted)
        done += [run(planted, "rubric", "improve", "tone", "--labels", "labels.csv", "--json")]

    assert [r.code in (0, 1) for r in done] == [True, False, True], [r.err + r.out for r in done]
    assert "Sent with" in written
    assert leaks(planted.root, *(r.out + r.err for r in done)) == []


def test_a_secret_in_an_item(planted: House) -> None:
    """It is shown to the judge, since it is in the item; the record does not keep it."""
    row = {"id": f"i-{ODD}", "input": f"my key is {KEY}", "output": "answer 1 is cold"}
    planted.write("secret-items.jsonl", json.dumps(row) + "\n")
    with StubServer(reply=Parrot((ODD,))) as server:
        planted.judge(api_base=server.base_url, api_key_env="MY_JUDGE")
        assert run(planted, "try", "tone", "secret-items.jsonl").code == 0
        (sent,) = (r.body.decode() for r in server.received)

    assert KEY in sent
    assert leaks(planted.root) == []


MISTAKES = [
    f'api_key = "{ODD}"',
    f'api_key_env = "{ODD}"',
    f'params = {{ api_key = "{ODD}" }}',
    f'params = {{ "x-api-key" = "{ODD}" }}',
    f'params = {{ extra_headers = {{ Authorization = "{ODD}" }} }}',
    f'params = {{ extra_headers = {{ Cookie = "{ODD}" }} }}',
    f'params = {{ vertex_credentials = "{ODD}" }}',
    f'panel = [{{ model = "openai/a", api_key = "{ODD}" }}]',
    f"temperature = {ODD}",
    f'temperature = "{KEY}"',
    f'transport = "{KEY}"',
    f'api_base = "{KEY}"',
    f'params = "{KEY}"',
    f'params = {{ user = "{KEY}" }}',
]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_in_the_configuration(planted: House, mistake: str) -> None:
    """A key put where none belongs is refused, and no message repeats it."""
    planted.write("rubrics/tone.jinja", RUBRIC)
    planted.write(
        "judgekit.toml",
        '[judges.tone]\nrubric = "rubrics/tone.jinja"\nmodel = "openai/stub"\n'
        + ("" if "api_base" in mistake else 'api_base = "http://127.0.0.1:9/v1"\n')
        + f"timeout = 2\n{mistake}\n",
    )
    planted.items(["cold"])
    done = [run(planted, "try", "tone", "items.jsonl", extra) for extra in ("--debug", "--json")]

    assert {result.code for result in done} <= {2, 4}, done
    if "params" in mistake:
        assert done[0].code == 2, done
    assert leaks(planted.root, *(r.out + r.err for r in done)) == []


@pytest.mark.slow
@pytest.mark.parametrize("transport", LANES)
def test_a_dotenv_file_and_a_proxy(planted: House, transport: str) -> None:
    """In a process of its own: through a proxy with a login, with keys in a ``.env``."""
    planted.write(".env", f"MY_JUDGE={ODD}\nANTHROPIC_API_KEY={TOKEN}\n")
    given = () if transport == "direct" else (TOKEN,)  # the direct lane reads no such file
    said = []
    with StubServer(reply=Parrot((KEY, PROXY, *given))) as server:
        planted.judge(api_base="http://judge.invalid/v1", transport=transport, timeout=5)
        planted.items(["cold"])
        env = {k: v for k, v in os.environ.items() if "TOKEN" not in k and k != "MY_JUDGE"}
        env["http_proxy"] = f"http://{USER}:{PROXY}@127.0.0.1:{server.port}"
        for how in ("reply", "401"):
            server._model._reply.how = how
            start = "import sys; from judgekit.cli import main; sys.exit(main())"
            command = ["try", "tone", "items.jsonl", "--json", "--debug"]
            done = subprocess.run(
                [sys.executable, "-c", start, *command],
                cwd=planted.root,
                env=env,
                check=False,
                capture_output=True,
                text=True,
                timeout=100,
            )
            said += [done.stdout, done.stderr]
            planted.items(["rude"])
        reached = {r.headers.get("proxy-authorization") for r in server.received}

    assert reached == {f"Basic {basic(PROXY)}"}
    assert '"status": "judged"' in said[0]
    assert '"cause": "provider_error"' in said[2]
    assert leaks(planted.root, *said) == []


def test_an_ordinary_value_is_no_secret(planted: House) -> None:
    """A reply may say what stands in HOME or PATH."""
    said = f"{os.environ['HOME']} and {os.environ['PATH']}"

    def reply(request: dict[str, Any]) -> str:
        return json.dumps({"reason": said, "level": "cold"})

    with StubServer(reply=reply) as server:
        planted.judge(api_base=server.base_url)
        planted.items(["cold"])
        found = run(planted, "try", "tone", "items.jsonl", "--json").json["items"][0]

    assert found["reason"] == said


def test_every_command_is_searched() -> None:
    """A new command must be run above, or stand here with a reason."""
    elsewhere = {
        "agreement",  # reads files only
        "batch",  # asks through the same clients
        "correct",  # reads files only
        "explain",  # reads the package's own pages
        "init",  # writes its own files
        "lint",  # reads rubrics only
        "plan",  # computes
        "split",  # reads files only
    }
    text = Path(__file__).read_text(encoding="utf-8")
    tried = {name for name in COMMANDS if re.search(rf'"{name}[ "]', text)}

    assert set(COMMANDS) <= tried | elsewhere
