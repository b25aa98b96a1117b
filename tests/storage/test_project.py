from pathlib import Path

import pytest

from judgekit.calibration.policy import Policy
from judgekit.errors import InputError, UnknownName
from judgekit.storage.project import Configuration, JudgeEntry, open_project

GOOD = """
[judges.tone]
rubric = "rubrics/tone.jinja"
model = "openai/gpt-4.1-mini"
params = { top_p = 0.5, stop = ["x"] }

[policy]
min_agreement = 0.7

[paths]
certificates = "proofs"
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test stands in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(text: str | bytes) -> InputError:
    """The error a judgekit.toml gives."""
    Path("judgekit.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        open_project()
    assert caught.value.file == "judgekit.toml"
    return caught.value


def test_a_project(here: Path) -> None:
    """Judges, policy and paths; what is not said has its default."""
    (here / "judgekit.toml").write_text(GOOD)

    project = open_project()

    assert project.root == here
    assert project.file == "judgekit.toml"
    assert project.entry("tone").model == "openai/gpt-4.1-mini"
    assert project.entry("tone").params == {"top_p": 0.5, "stop": ["x"]}
    assert project.policy == Policy(min_agreement=0.7)
    assert project.certificates == here / "proofs"
    assert project.cache == here / ".judgekit" / "cache"
    assert project.path("labels/x.csv") == here / "labels" / "x.csv"


def test_it_is_found_from_a_folder_inside(here: Path) -> None:
    """The nearest one upwards."""
    (here / "judgekit.toml").write_text(GOOD)
    (here / "a" / "b").mkdir(parents=True)

    assert open_project(here / "a" / "b").root == here

    (here / "a" / "judgekit.toml").write_text("")
    assert open_project(here / "a" / "b").root == here / "a"


def test_without_a_file_all_is_default(here: Path) -> None:
    """No project is a project of defaults."""
    project = open_project()

    assert (project.root, project.file) == (here, None)
    assert project.configuration == Configuration()
    with pytest.raises(UnknownName, match="no judge named 'tone'"):
        project.entry("tone")


def test_a_byte_order_mark_is_no_trouble(here: Path) -> None:
    """As some editors write it."""
    (here / "judgekit.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.encode())

    assert "tone" in open_project().configuration.judges


def test_a_judge_that_is_not_there(here: Path) -> None:
    """The nearest name is offered."""
    (here / "judgekit.toml").write_text(GOOD)

    with pytest.raises(UnknownName) as caught:
        open_project().entry("tine")

    assert caught.value.hint == "Did you mean 'tone'?"


@pytest.mark.parametrize(
    ("text", "line", "told", "hint"),
    [
        (GOOD.replace("model", "modle"), 4, "unknown key 'judges.tone.modle'", "'model'"),
        (GOOD.replace("min_agreement", "min_agrement"), 8, "policy.min_agrement", "min_agreement"),
        (GOOD.replace("[paths]", "[path]"), 10, "unknown key 'path'", "paths"),
        (GOOD.replace("0.7", "7"), 8, "less than or equal to 1, not 7", None),
        (GOOD.replace("0.7", '"0.7"'), 8, "policy.min_agreement", None),
        (GOOD.replace("0.7", "nan"), 8, "finite number", None),
        (GOOD.replace("0.7", "true"), 8, "policy.min_agreement", None),
        (GOOD.replace('["x"]', "2026-01-01"), 5, "plain JSON", None),
        (GOOD.replace('["x"]', "nan"), 5, "plain JSON", None),
        (
            GOOD.replace('rubric = "rubrics/tone.jinja"\n', ""),
            2,
            "judges.tone has no 'rubric'",
            None,
        ),
        ("judges = 3\n", 1, "judges", None),
        ("[judges.tone\n", 1, "not valid TOML", None),
        ('x = "\n', 1, "not valid TOML", None),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(
    text: str, line: int, told: str, hint: str | None
) -> None:
    """A misspelt key, a value of the wrong kind or size, a missing key, no TOML at all."""
    error = refused(text)

    assert told in error.message
    assert error.line == line
    assert hint is None or hint in (error.hint or "")


def test_several_problems_are_counted() -> None:
    """The first is told, the rest are announced."""
    error = refused(GOOD.replace("0.7", "7").replace("top_p = 0.5", "when = nan"))

    assert error.message.endswith("(and 1 more problem)")


def test_a_binary_file_is_no_project() -> None:
    """Said as such, without a traceback."""
    assert "not UTF-8" in refused(b"\xff\xfe\x00").message


def test_every_default_is_a_promise() -> None:
    """What the gate asks when nobody says anything."""
    policy = Policy()

    assert (policy.min_agreement, policy.min_items, policy.recommended_items) == (0.60, 30, 100)
    assert (policy.min_per_class, policy.min_judged, policy.max_incomplete) == (10, 0.95, 0.05)
    assert (policy.max_pass_shift, policy.max_level_shift, policy.max_looks) == (0.10, 0.5, 5)
    assert (policy.dated_days, policy.alias_days, policy.local_days) == (90, 30, 365)
    assert policy.warn_days == 14
    assert JudgeEntry(rubric="r").temperature == 0


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[cache]\nmax_byte = 5", "Did you mean 'max_bytes'?"),
        ('[judges.a]\nrubric = "r"\nprice = { inptu = 1, output = 2 }', "Did you mean 'input'?"),
        ('[judges.a]\nrubric = "r"\nrequest_per_minute = 5', "Did you mean 'requests_per_minute'?"),
    ],
)
def test_a_misspelt_key_is_told_beside_its_own_kind(here: Path, text: str, hint: str) -> None:
    """The names of that table are offered, not those of another."""
    (here / "judgekit.toml").write_text(text)

    with pytest.raises(InputError) as caught:
        open_project()

    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("said", "size"),
    [
        ('"500 MB"', 500_000_000),
        ('"2gb"', 2 * 10**9),
        ('"1.5 GiB"', 3 * 2**29),
        ("1_000_000", 10**6),
    ],
)
def test_the_size_of_the_cache_is_bytes_or_text(here: Path, said: str, size: int) -> None:
    """As the command line takes it."""
    (here / "judgekit.toml").write_text(f"[cache]\nmax_bytes = {said}")

    assert open_project().configuration.cache.max_bytes == size


@pytest.mark.parametrize(
    "said", ["500", '"999 kB"', "-1", "0", '"some"', "true", "nan", "inf", "1.5", "[]", '""']
)
@pytest.mark.parametrize(
    ("text", "line"),
    [("# max_bytes = 1\n\n[cache]\nmax_bytes = {}", 4), ("\ncache = {{ max_bytes = {} }}", 2)],
)
def test_a_cache_too_small_to_keep_anything_is_refused(
    here: Path, said: str, text: str, line: int
) -> None:
    """So is what is no size: with file, line and what to write."""
    (here / "judgekit.toml").write_text(text.format(said))

    with pytest.raises(InputError) as caught:
        open_project()

    assert (caught.value.file, caught.value.line) == ("judgekit.toml", line)
    assert caught.value.message.endswith(("is no size", "emptied after every run"))
    assert 'max_bytes = "500 MB"' in str(caught.value.hint)
