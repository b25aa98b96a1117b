"""Tokens are counted as the model counts them where that needs no network, and estimated else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import judgekit
from judgekit.api import preview_tokens
from judgekit.api.preview_tokens import tokens_of

TEXT = "The parcel left on Monday, the day that was named. 包裹星期一寄出。" * 5
OFFLINE = """
import json, socket, sys
def refuse(*_, **__): raise OSError("no network here")
socket.socket.connect = socket.getaddrinfo = refuse
from judgekit.api.preview_tokens import tokens_of
found = [tokens_of(model) for model in sys.argv[2:]]
print(json.dumps([[one.count(sys.argv[1]), one.table] for one in found]))
"""


def offline(*models: str, home: Path) -> list[list[object]]:
    """What is counted for each model in a process that has no network and nothing cached."""
    env = {"HOME": str(home), "TMPDIR": str(home), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, TEXT, *models],
        capture_output=True,
        text=True,
        check=True,
        env=env | {"PYTHONPATH": str(Path(judgekit.__file__).parents[1])},
    )
    found: list[list[object]] = json.loads(done.stdout)
    return found


def test_models_whose_table_is_at_hand_are_counted_without_a_network(tmp_path: Path) -> None:
    """By the names that litellm has for them; all others are estimates, said to be so."""
    models = [
        "openai/gpt-4.1-mini",
        "gpt-5",
        "azure/gpt-4",
        "openai/mine",
        "local/m",
        "gpt-oss-20b",
    ]
    found = offline(*models, home=tmp_path)
    estimate = [-(-len(TEXT) // 4), None]

    assert [table for _, table in found[:3]] == ["o200k_base", "o200k_base", "cl100k_base"]
    assert found[0] == found[1]
    assert found[0][0] not in (found[2][0], estimate[0])
    assert found[3:] == [estimate] * 3
    assert list(tmp_path.iterdir()) == []


def test_counting_leaves_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others use the same setting."""
    for before in (None, "/elsewhere"):
        monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
        if before:
            monkeypatch.setenv("TIKTOKEN_CACHE_DIR", before)
        assert tokens_of("openai/gpt-4.1").table == "o200k_base"
        assert os.environ.get("TIKTOKEN_CACHE_DIR") == before


def test_words_that_steer_a_model_are_text() -> None:
    """Item text may hold them; they are counted like any other."""
    assert tokens_of("openai/gpt-4.1").count("<|endoftext|>") > 1


def test_a_table_that_was_altered_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be removed, and fetched anew."""
    monkeypatch.setitem(preview_tokens._TABLES, "o200k_base", "0" * 64)

    assert tokens_of("openai/gpt-4.1").table is None
