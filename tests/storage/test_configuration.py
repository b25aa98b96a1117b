"""What is written wrongly in a judgekit.toml is one clear error with its line, before any call."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.running.form import OURS
from judgekit.storage.configuration import MOST_DAYS
from judgekit.storage.configuration_values import DEEPEST, check_parameters
from judgekit.storage.project import open_project

HEAD = '[judges.tone]\nrubric = "tone.jinja"\n'
SECRET = "PLANTED2abcdef"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test stands in an empty folder, and knows one secret."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOME_SERVICE_TOKEN", SECRET)
    return tmp_path


def refused(text: str) -> InputError:
    """The error a judgekit.toml gives; it names the file and repeats no secret."""
    Path("judgekit.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        open_project()
    error = caught.value
    assert error.file == "judgekit.toml"
    assert SECRET not in f"{error}{error.hint}"
    assert error.__cause__ is None or "pydantic" not in type(error.__cause__).__module__
    return error


def deep(levels: int) -> str:
    """Lists in lists."""
    return "[" * levels + "]" * levels


PARAMETERS = [
    (f'my_token = "{SECRET}"', "my_token looks like a secret"),
    ('api_key = "x"', "api_key looks like a secret"),
    ('metadata = { "x-auth-token" = "x" }', "x-auth-token looks like a secret"),
    ('tools = [{ a = { password = "x" } }]', "password looks like a secret"),
    (f'user = "{SECRET}"', "user holds a secret"),
    (f'stop = ["a", "b {SECRET} c"]', "stop holds a secret"),
    ('user = "sk-live-abcdefgh"', "user holds a secret"),
    ('user = "https://me:pass@host/x"', "user holds a secret"),
    (f'"{SECRET}" = 1', "*** looks like a secret"),
    ('extra_headers = { Authorization = "x" }', "Authorization looks like a secret"),
    ('extra_headers = { x-team = "x" }', "extra_headers is no parameter"),
    ('model = "x"', "model is no parameter"),
    ("messages = []", "messages is no parameter"),
    ("n = 2", "n is no parameter"),
    ("stream = true", "stream is no parameter"),
    ("timeout = 3", "timeout is no parameter"),
    ('mock_response = "x"', "mock_response is no parameter"),
    ("extra_body = {}", "extra_body is no parameter"),
    ("top_p = nan", "top_p must be plain JSON"),
    ("when = 2026-01-01", "when must be plain JSON"),
    ("when = { at = [10:00:00] }", "when must be plain JSON"),
    (f"a = {deep(DEEPEST + 1)}", "a is nested too deeply"),
    ("seed = 100000000000000000000", "seed has more than 64 bits"),
]


@pytest.mark.parametrize(("written", "told"), PARAMETERS)
def test_parameters_are_checked_wherever_they_stand(written: str, told: str) -> None:
    """Of a judge, of a member of its panel, and in a table of their own: the same words."""
    own = refused(f'{HEAD}model = "openai/a"\n\nparams = {{ {written} }}\n')
    member = refused(
        f'{HEAD}panel = [\n  "openai/b",\n  {{ model = "openai/a", params = {{ {written} }} }},\n]'
    )
    apart = refused(f'{HEAD}model = "openai/a"\n[judges.tone.params]\ntop_k = 5\n\n{written}\n')

    assert own.message.startswith(f"judges.tone.params: {told}")
    assert member.message.startswith(f"judges.tone.panel, entry 2, params: {told}")
    assert apart.message == own.message
    assert [error.line for error in (own, member, apart)] == [5, 5, 7]
    assert own.hint == member.hint
    assert own.hint


@pytest.mark.parametrize("name", sorted(OURS))
def test_every_argument_of_a_call_is_refused_before_it(name: str) -> None:
    """What the lanes refuse for each item is never found out by item."""
    assert name in refused(f'{HEAD}model = "openai/a"\nparams = {{ {name} = 1 }}\n').message


def test_ordinary_parameters_are_taken() -> None:
    """Their names and values may look a little like something else."""
    given = {
        "seed": -(2**63),
        "stop": ["basic research", "Bearer of news", "key"],
        "logit_bias": {"50256": -100},
        "prompt_cache_key": "tone-v2",
        "metadata": {"team": "basic research", "model": "x", "n": 2},
        "thinking": {"type": "enabled", "budget_tokens": 2000},
        "a": [[None, True, 1.5]],
    }

    assert check_parameters(given) == given


@pytest.mark.parametrize(
    ("base", "told"),
    [
        ("http://[::1", "brackets"),
        ("http://h:99999/v1", "the port"),
        ("http://h:-1/v1", "the port"),
        ("http://h:0/v1", "the port"),
        (f"http://{'a' * 70}/v1", "longer than 63"),
        ("http://a..b/v1", "empty"),
        ("http:///v1", "no host"),
        ("localhost:8000/v1", "does not begin with http"),
        ("ftp://host/v1", "does not begin with http"),
        ("http://ho st/v1", "blank"),
        ("", "empty"),
        (" ", "empty"),
    ],
)
def test_an_address_is_looked_at_before_anything_is_sent_there(base: str, told: str) -> None:
    """An empty one is not the provider's own: items and key would go there."""
    own = refused(f'{HEAD}model = "openai/a"\napi_base = "{base}"\n')
    member = refused(f'{HEAD}panel = [{{ model = "openai/a", api_base = "{base}" }}]\n')

    assert told in own.message
    assert (own.line, member.line) == (4, 3)
    assert member.message == own.message.replace(".api_base", ".panel, entry 1, api_base")


def test_an_address_is_not_repeated() -> None:
    """It may hold a login."""
    error = refused(f'{HEAD}model = "openai/a"\napi_base = "http://me:hush-hush@h:99999/v1"\n')

    assert "hush" not in f"{error}{error.hint}"


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ('model = ""', 3),
        ('model = " "', 3),
        ('model = "openai/"', 3),
        ('model = "/a"', 3),
        ('model = " openai/a"', 3),
        ('model = "openai/a\\n"', 3),
        (f'model = "openai/{SECRET}"', 3),
        ('api_key_env = ""', 3),
        ('api_key_env = "A\\u0000B"', 3),
        ('api_key_env = "A=B"', 3),
        (f'api_key_env = "{SECRET}"', 3),
        ('api_key_env = "sk-live-abcdefgh"', 3),
        ('labels = ""', 3),
        ('items = "a\\u0000b"', 3),
        ('slices = [\n "team",\n ""]', 5),
        ('panel = ["openai/a", ""]', 3),
        ("panel = []", 3),
        ("panel = [\n 'openai/a',\n 5]", 5),
        ("panel = 'openai/a'", 3),
        *((f'[paths]\n{name} = ""', 4) for name in ("certificates", "cache", "runs", "batches")),
        ('[paths]\ncache = "a\\u0000b"', 4),
        ('[judges.""]\nrubric = "x"', 3),
        ("tokens_per_minute = 1000000000000000000000", 3),
        (f"[policy]\ndated_days = {MOST_DAYS + 1}", 4),
    ],
)
def test_names_that_are_none(written: str, line: int) -> None:
    """Empty ones among them, which elsewhere mean the default, or the folder itself."""
    assert refused(f"{HEAD}{written}\n").line == line


@pytest.mark.parametrize(
    ("written", "line", "told"),
    [
        ('model = "openai/a"\npanel = ["openai/b", "openai/c"]', 4, "a model and a panel"),
        ("max_tokens = 5\nparams = { max_tokens = 3 }", 4, "max_tokens is 5 beside params and 3"),
        ("temperature = 0\nparams = { top_p = 1,\ttemperature = 1 }", 4, "temperature is 0.0"),
        ("probabilities = true\nparams = { logprobs = false }", 4, "logprobs"),
    ],
)
def test_what_is_said_twice_must_be_the_same(written: str, line: int, told: str) -> None:
    """Else one of the two would be lost, and nobody told."""
    error = refused(HEAD + written)

    assert (error.line, told in error.message) == (line, True)
    assert "leave out" in str(error.hint)


@pytest.mark.parametrize(
    "written",
    [
        "max_tokens = 3\nparams = { max_tokens = 3 }",
        "params = { max_tokens = 3, temperature = 1 }",
        'max_tokens = 9\npanel = [{ model = "openai/a", params = { max_tokens = 3 } }]',
        "probabilities = true\nparams = { logprobs = true, top_logprobs = 5 }",
    ],
)
def test_what_is_said_once_stands(here: Path, written: str) -> None:
    """A default is not said; a member differs from its judge on purpose."""
    (here / "judgekit.toml").write_text(HEAD + written)

    assert open_project().entry("tone")


@pytest.mark.parametrize(
    ("written", "line", "told"),
    [
        (
            "price = { input = -1, output = 1 }",
            3,
            "judges.tone.price.input: input should be greater than or equal to 0, not -1",
        ),
        (
            "panel = ['openai/a',\n{ model = 'openai/b', price = { input = 1 } }]",
            4,
            "judges.tone.panel, entry 2, price has no 'output'",
        ),
        (
            "panel = ['openai/a',\n\n{ model = 'b', foo = 1 }]",
            5,
            "judges.tone.panel, entry 2: unknown key 'foo'",
        ),
        ("panel = [5]", 3, "judges.tone.panel, entry 1: must be a table, not 5"),
        ("price = 3", 3, "judges.tone.price: must be a table, not 3"),
        ("rubrik = 3", 3, "unknown key 'judges.tone.rubrik'"),
        ('timeout = "3"', 3, "judges.tone.timeout: must be a number, not '3'"),
        ("replicates = 1.5", 3, "judges.tone.replicates: must be a whole number, not 1.5"),
        ("slices = 'a'", 3, "judges.tone.slices: must be a list, not 'a'"),
        ("[judges]\nb = 3", 4, "judges.b: must be a table, not 3"),
        ("[policy]\nprise = 3", 4, "unknown key 'policy.prise'"),
        (f'timeout = "{SECRET}"', 3, "judges.tone.timeout: must be a number, not '***'"),
    ],
)
def test_an_error_speaks_of_the_file_and_not_of_the_program(
    written: str, line: int, told: str
) -> None:
    """Each on its own line, one problem, no class of Python's in its words."""
    text = written if written.startswith("[judges]") else HEAD + written
    error = refused(text.replace("[judges]\n", "\n\n[judges]\n"))

    assert error.message == told
    assert error.line == line


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (f"params = {{ a = {deep(3000)} }}", "nested too deeply"),
        (f"max_tokens = 1{'0' * 6000}", "too many digits"),
    ],
)
def test_what_python_gives_up_on_has_a_line(written: str, told: str) -> None:
    """And is no error of ours."""
    error = refused(f"{HEAD}# a remark\n\n{written}\nmodel = 'openai/a'\n")

    assert (told in error.message, error.line, bool(error.hint)) == (True, 5, True)
