"""A judge that cannot be asked as it stands is refused, whoever made it and whatever named it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judgekit.api.setup import JudgeSetup, load_judge
from judgekit.errors import InputError, UnknownName
from judgekit.judging.judge import Member
from tests.e2e.house import RUBRIC

SECRET = "PLANTED2abcdef"
ONE = 'model = "openai/gpt-4.1-mini"\n'
SEVERAL = 'panel = ["openai/a", { model = "openai/b", price = { input = 1, output = 2 } }]\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test stands in a project, and knows one secret."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOME_SERVICE_TOKEN", SECRET)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "tone.jinja").write_text(RUBRIC)
    return tmp_path


def judge(text: str = ONE, **how: Any) -> JudgeSetup:
    """The judge of a project with this one."""
    Path("judgekit.toml").write_text(f'\n[judges.tone]\nrubric = "tone.jinja"\n{text}')
    return load_judge("tone", **how)


def refused(text: str = ONE, **how: Any) -> InputError:
    """The error such a judge gives; it repeats no secret."""
    with pytest.raises(InputError) as caught:
        judge(text, **how)
    assert SECRET not in f"{caught.value}{caught.value.hint}"
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        ({"params": {"my_token": "x"}}, "params: my_token looks like a secret"),
        ({"params": {"user": SECRET}}, "params: user holds a secret"),
        ({"params": {"user": {"a", "b"}}}, "params: user must be plain JSON"),
        ({"panel": [{"model": "openai/a", "params": {"api_key": "x"}}]}, "entry 1, params: api_k"),
        ({"api_base": ""}, "api_base: this is no address: it is empty"),
        ({"api_base": "http://[::1"}, "api_base: this is no address"),
        ({"api_key_env": ""}, "api_key_env: it is empty"),
        ({"model": ""}, "model: it is empty"),
        ({"modle": "x"}, "unknown key 'modle'"),
        ({"price": {"inptu": 1, "output": 1}}, "unknown key 'price.inptu'"),
        ({"model": "openai/a", "panel": ["openai/a", "openai/b"]}, "a model and a panel"),
    ],
)
def test_what_a_program_says_is_checked_as_the_file_is(
    overrides: dict[str, Any], told: str
) -> None:
    """In the same words, but it has no line."""
    error = refused(overrides=overrides)

    assert told in error.message
    assert (error.file, error.line) == (None, None)


@pytest.mark.parametrize("model", ["", " ", "openai/", f"openai/{SECRET}"])
def test_a_model_that_is_none_is_not_the_configured_one(model: str) -> None:
    """An option left empty by a script asks nobody."""
    assert refused(model=model).message.startswith("model: ")


@pytest.mark.parametrize("name", ["", " "])
def test_a_judge_without_a_name_is_none(name: str) -> None:
    """Nor is it the folder that an empty path stands for."""
    judge()

    with pytest.raises(UnknownName) as caught:
        load_judge(name)
    assert caught.value.hint == "Known: tone."


@pytest.mark.parametrize(
    "lent",
    [
        {"parameters": {"my_token": "x"}},
        {"parameters": {"user": SECRET}},
        {"parameters": {"timeout": 3}},
        {"parameters": {"top_p": float("nan")}},
        {"panel": (Member(model="openai/a", parameters={"my_token": "x"}),)},
        {"api_base": "http://h:99999/v1"},
        {"api_base": f"http://h/{SECRET}/v1"},
        {"panel": (Member(model="openai/a", api_base="http://[::1"),)},
    ],
)
def test_a_judge_that_was_made_by_hand_goes_through_the_same_check(lent: dict[str, Any]) -> None:
    """Else what it holds would be sent, recorded and certified."""
    setup = judge()

    with pytest.raises(InputError, match="judge 'tone', model 'openai/") as caught:
        replace(setup, judge=replace(setup.judge, **lent))
    assert SECRET not in f"{caught.value}{caught.value.hint}"


def test_a_secret_known_by_the_name_of_its_variable_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only when the judge is put together is it known that the variable holds one."""
    monkeypatch.setenv("MY_JUDGE", "quite-ordinary-9")
    error = refused(f'{ONE}api_key_env = "MY_JUDGE"\nparams = {{ user = "quite-ordinary-9" }}\n')

    assert "user holds a secret" in error.message
    assert (error.file, error.line) == ("judgekit.toml", 2)


def test_an_address_that_the_environment_says_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found before the first call as well."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:99999/v1")

    assert "this is no address: the port" in refused().message


def test_a_model_takes_the_place_of_a_panel_and_a_panel_its() -> None:
    """Said for one run, it is no contradiction; a member keeps its price."""
    alone = judge(SEVERAL, model="openai/b")
    other = judge(SEVERAL, model="openai/never-heard-of")
    said = judge(SEVERAL, overrides={"model": "openai/b"})
    several = judge(overrides={"panel": ["openai/a", "openai/b"]})

    assert [m.model for m in alone.judge.members] == ["openai/b"]
    price = alone.price("openai/b")
    assert price is not None
    assert price.input == pytest.approx(1e-6)
    assert other.price("openai/never-heard-of") is None
    assert [m.model for m in said.judge.members] == ["openai/b"]
    assert [m.model for m in several.judge.members] == ["openai/a", "openai/b"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('panel = ["openai/a", "openai/a"]', "names 'openai/a' twice"),
        (f'{ONE}scoring = "likelihood"', "needs a local model"),
        ("temperature = 0", "no model is known for 'tone'"),
    ],
)
def test_what_only_the_whole_judge_shows_has_its_place(text: str, told: str) -> None:
    """The file, and the line on which the judge begins."""
    error = refused(text)

    assert told in error.message
    assert (error.file, error.line) == ("judgekit.toml", 2)


def test_a_pinned_judge_takes_no_alias() -> None:
    """Complaint 52: a provider may put another model behind a name without a date."""
    dated = "openai/gpt-4.1-mini-2025-04-14"

    error = refused(f"{ONE}pinned = true\n")
    member = refused(f'panel = ["{dated}", "openai/b"]\npinned = true\n')
    setup = judge(f'model = "{dated}"\npinned = true\n')

    assert str(error).startswith("judgekit.toml:2")
    assert "'openai/gpt-4.1-mini' is an alias" in str(error)
    assert "'openai/b' is an alias" in str(member)
    assert setup.judge.model == dated
    assert refused(f'model = "{dated}"\npinned = true\n', model="openai/gpt-4.1-mini")
