"""Commands that are advised ask the very judge they are about; help fits the screen."""

from __future__ import annotations

import re
import shlex

import pytest

from judgekit.cli.app import COMMANDS
from tests.e2e.house import House, spread

ENDPOINT = ("--api-base", "http://127.0.0.1:9/v1", "--api-key-env", "MY_KEY")
MODEL = ("--model", "openai/other")
LEVELS = ["rude", "cold", "polite", "friendly"]


def advised(text: str) -> list[str]:
    """Return the words of the one command that is advised."""
    whole = re.sub(r" \\\n\s*", " ", text)
    (command,) = set(re.findall(r"judgekit ((?:calibrate|score) .*)", whole))
    return shlex.split(command)


def test_a_refusal_names_the_judge_it_refused(house: House) -> None:
    """With its endpoint and its model: without them another judge would be asked."""
    house.judge()
    house.labels(spread(LEVELS, 8))
    house.items(["cold"])

    refused = house.run("score", "tone", "items.jsonl", *ENDPOINT, *MODEL)

    assert refused.code == 3
    assert advised(refused.err) == [
        *("calibrate", "tone"),
        *(*ENDPOINT, *MODEL),
        *("--labels", "labels.csv"),
    ]


def test_a_certified_judge_is_scored_as_it_was_measured(
    served: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command below a certificate holds for it."""
    monkeypatch.setenv("MY_KEY", "any")
    assert served.server is not None
    base = served.server.base_url.replace("127.0.0.1", "localhost")
    options = ("--api-base", base, "--api-key-env", "MY_KEY", "--model", "openai/stub-2025-01-01")
    measured = served.run("calibrate", "tone", *options)
    served.items(["friendly"] * 3)

    command = advised(measured.out)
    assert measured.code == 0
    assert command == ["score", "tone", *options, "ITEMS", "--out", "scores.jsonl"]
    done = served.run(*("items.jsonl" if word == "ITEMS" else word for word in command))
    assert done.code == 0


def test_another_model_is_tried_at_the_same_endpoint(served: House) -> None:
    """A stronger one, after a judge that does not agree with people."""
    assert served.server is not None
    base = served.server.base_url
    served.labels(spread(["rude", "friendly", "cold", "polite"], 200), name="right.csv")
    text = (served.root / "right.csv").read_text()
    served.write("labels.csv", re.sub(r"ann,(\w+)$", "ann,rude", text, flags=re.MULTILINE))

    measured = served.run("calibrate", "tone", "--api-base", base)

    assert measured.code == 1
    assert advised(measured.out)[:6] == [
        "calibrate",
        "tone",
        "--api-base",
        base,
        *("--model", "MODEL"),
    ]


def test_no_secret_of_an_address_is_said_back(house: House) -> None:
    """A placeholder stands for it."""
    house.judge()
    house.items(["cold"])

    refused = house.run(
        "score", "tone", "items.jsonl", "--api-base", "http://me:a-secret-word@127.0.0.1:9/v1"
    )

    assert "a-secret-word" not in refused.err
    assert advised(refused.err)[:4] == ["calibrate", "tone", "--api-base", "URL"]


GROUPS = [name for name, (place, _) in COMMANDS.items() if place.endswith(":app")]


@pytest.mark.parametrize("command", GROUPS)
def test_the_commands_of_a_group_are_told_in_whole_sentences(house: House, command: str) -> None:
    """In 80 columns."""
    told = house.run(command, "--help").out

    assert "Commands:" in told
    assert "..." not in told.partition("Commands:")[2]


@pytest.mark.parametrize("command", ["try", "calibrate", "score", "batch submit", "batch collect"])
def test_numbers_say_their_limits(house: House, command: str) -> None:
    """And no name of a type."""
    told = house.run(*command.split(), "--help").out

    assert "range>" not in told
    assert "--concurrency" not in told or "1024 at most" in " ".join(told.split())
