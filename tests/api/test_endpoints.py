"""Where a judge is asked is part of who it is, whoever says it: the project or the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgekit.api.setup import JudgeSetup, load_judge
from judgekit.running.places import stated_base
from tests.e2e.house import RUBRIC

HERE = "http://127.0.0.1:8000/v1"


def judge(folder: Path, more: str = "", asked: str = 'model = "openai/gpt-4.1-mini"') -> JudgeSetup:
    """A project with one judge."""
    (folder / "tone.jinja").write_text(RUBRIC)
    (folder / "judgekit.toml").write_text(f'[judges.tone]\nrubric = "tone.jinja"\n{asked}\n{more}')
    return load_judge("tone", project=folder)


def fingerprint(setup: JudgeSetup) -> str:
    """Who the judge is."""
    return setup.judge.identity(setup.judge.rubric.criteria[0]).fingerprint


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE", "AZURE_API_BASE", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_an_address_in_the_environment_makes_another_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Complaint 51: else its replies would be taken for the provider's own."""
    own = judge(tmp_path)
    stated = judge(tmp_path, f'api_base = "{HERE}"\n')

    monkeypatch.setenv("OPENAI_BASE_URL", HERE)
    led = judge(tmp_path)

    assert own.judge.api_base is None
    assert led.judge.api_base == HERE
    assert fingerprint(led) == fingerprint(stated) != fingerprint(own)


def test_what_the_project_says_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment only fills the gap."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")

    assert judge(tmp_path, f'api_base = "{HERE}"\n').judge.api_base == HERE


def test_an_env_file_says_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read before the judge is known, not with the first call."""
    monkeypatch.setenv("OPENAI_API_BASE", "")
    monkeypatch.delenv("OPENAI_API_BASE")
    (tmp_path / ".env").write_text(f"OPENAI_API_BASE={HERE}\n")

    found = judge(tmp_path).judge.api_base
    monkeypatch.delenv("OPENAI_API_BASE", raising=False)

    assert found == HERE


def test_members_of_a_panel_go_by_their_own_provider(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each by the variable of its own."""
    monkeypatch.setenv("AZURE_API_BASE", "https://azure.example/")
    panel = 'panel = ["azure/gpt-4o", "mistral/large"]'

    members = judge(tmp_path, asked=panel).judge.members

    assert [m.api_base for m in members] == ["https://azure.example/", None]


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/gpt-4o", "OPENAI_BASE_URL"),
        ("gpt-4o", "OPENAI_BASE_URL"),
        ("azure/gpt-4o", "AZURE_API_BASE"),
        ("anthropic/claude-x", "ANTHROPIC_BASE_URL"),
        ("together_ai/some/model", "TOGETHER_AI_API_BASE"),
        ("hosted_vllm/m", "HOSTED_VLLM_API_BASE"),
    ],
)
def test_variables(model: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names that litellm reads."""
    assert stated_base(model) is None
    monkeypatch.setenv(variable, HERE)
    assert stated_base(model) == HERE


@pytest.mark.parametrize("model", ["local/smollm2-135m", "custom_openai/x", "who-knows"])
def test_models_of_no_such_provider(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model in this process, an endpoint that is always named, a name on no list."""
    for name in ("LOCAL_API_BASE", "CUSTOM_OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, HERE)

    assert stated_base(model) is None
