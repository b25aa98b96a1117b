"""``judgekit rubric import``: what it prints, writes, refuses and exits with."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from judgekit.api.rubric_import import import_rubric as imported_rubric
from judgekit.cli.app import SETTINGS
from judgekit.cli.rubric_import import import_rubric
from judgekit.errors import InputError, UnknownName
from tests.importers.graders.make import CASES, SAMPLES, sample

WHOLE = {
    "type": "label_model",
    "name": "dated",
    "input": [
        {
            "role": "user",
            "content": "Has {{sample.output_text}} a date?\nyes: A day is there.\nno: None is.",
        }
    ],
    "labels": ["yes", "no"],
    "passing_labels": ["yes"],
}
"""A grader of which nothing is lost."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    """The exit code of the command."""
    app = typer.Typer(**SETTINGS)
    app.command(name="import")(import_rubric)
    code: Any = typer.main.get_command(app).main(list(arguments), standalone_mode=False)
    return int(code)


def test_the_rubric_is_alone_on_standard_output(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report is beside it, on stderr: what is lost, what the linter says, the settings."""
    path = sample("openai", folder)
    code = run(path.name)
    printed = capsys.readouterr()

    assert code == 1
    assert printed.out == imported_rubric(path.name).text
    assert "Not carried over:" in printed.err
    assert "import-model (IM16)" in printed.err
    assert "In the rubric, as it would stand in rubrics/openai.jinja:" in printed.err
    assert "[judges.openai]" in printed.err
    report, command = printed.err.rstrip().rsplit("\n", 1)
    assert command == "Next    judgekit rubric import openai.json --out rubrics/openai.jinja"
    assert max(map(len, report.split("\n"))) <= 80
    assert [p.name for p in folder.iterdir()] == [path.name]


def test_a_rubric_is_written_where_it_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the report goes to standard output."""
    sample("prometheus", folder)
    code = run("prometheus.json", "--out", "places.jinja", "--name", "places")
    printed = capsys.readouterr()

    assert code == 1
    assert (folder / "places.jinja").read_text("utf-8").startswith("---\nrubric: places\n")
    assert "places.jinja:" in printed.out
    assert "        judgekit lint places.jinja\n" in printed.out
    assert printed.err == ""


def test_json_is_one_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the text, the settings, and both lists of violations in the form lint has."""
    sample("promptfoo", folder)
    code = run("promptfoo.yaml", "--json")
    document = json.loads(capsys.readouterr().out)

    assert code == 1
    assert document["format"] == "judgekit.import/1"
    assert document["tool"] == "promptfoo"
    assert document["file"] is None
    assert document["text"].startswith("---\nrubric: promptfoo\n")
    assert {v["file"] for v in document["lost"]} == {"promptfoo.yaml"}
    assert {v["file"] for v in document["violations"]} == {"rubrics/promptfoo.jinja"}
    assert set(document["lost"][0]) == set(document["violations"][0])


def test_exit_0_needs_a_rubric_without_any_violation(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nothing was lost of still has to be clean: it has no worked example."""
    (folder / "list.json").write_text(json.dumps(WHOLE))
    result = imported_rubric("list.json")

    assert result.lost == ()
    assert run("list.json") == (1 if result.found else 0)
    monkeypatch.setattr("judgekit.api.rubric_import.check", lambda *_, **__: [])
    assert run("list.json") == 0


def test_a_file_that_is_there_is_not_replaced(folder: Path) -> None:
    """Somebody wrote it; --force says that it may go."""
    sample("prometheus", folder)
    (folder / "mine.jinja").write_text("precious")
    with pytest.raises(InputError, match="there already") as caught:
        run("prometheus.json", "--out", "mine.jinja")
    assert "--force" in (caught.value.hint or "")
    assert (folder / "mine.jinja").read_text() == "precious"

    assert run("prometheus.json", "--out", "mine.jinja", "--force") == 1
    assert "rubric: directions" in (folder / "mine.jinja").read_text("utf-8")


def test_what_is_only_printed_is_in_no_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report says where it would stand, and the command that writes it does as it is pasted."""
    sample("openai", folder).rename(folder / "my evals.json")
    run("my evals.json", "--grader", "tone", "--name", "the tone")
    told = capsys.readouterr().err
    command = told.rstrip().rsplit("\n", 1)[1].removeprefix("Next    ")
    words = shlex.split(command)

    assert "In the rubric, as it would stand in rubrics/the_tone.jinja:" in told
    assert "For judgekit.toml, once there is rubrics/the_tone.jinja:" in told
    assert words[:3] == ["judgekit", "rubric", "import"]
    assert run(*words[3:]) == 1
    assert (folder / "rubrics" / "the_tone.jinja").read_text("utf-8").startswith("---\nrubric: the")


def test_a_folder_that_is_missing_is_made(folder: Path) -> None:
    """With those above it; of nothing when there is no rubric to write."""
    sample("prometheus", folder)
    assert run("prometheus.json", "--out", "a/b/r.jinja") == 1
    assert (folder / "a" / "b" / "r.jinja").is_file()
    with pytest.raises(InputError):
        run("prometheus.json", "--from", "openai", "--out", "c/r.jinja")
    assert not (folder / "c").exists()


@pytest.mark.parametrize("out", ["prometheus.json/r.jinja", ".judgekit/runs/new/r.jinja"])
def test_a_folder_that_cannot_be_is_refused(folder: Path, out: str) -> None:
    """Below a file, or where the project keeps its own."""
    sample("prometheus", folder)
    (folder / "judgekit.toml").write_text("")
    (folder / ".judgekit" / "runs").mkdir(parents=True)
    with pytest.raises(InputError, match=r"no folder to stand in|files of its own"):
        run("prometheus.json", "--out", out)


def test_a_long_command_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """However long the name is."""
    sample("prometheus", folder)
    out = f"{'long_' * 20}/{'name_' * 20}.jinja"
    run("prometheus.json", "--out", out)

    assert f"        judgekit lint {out}\n" in capsys.readouterr().out


@pytest.mark.parametrize("tool", ["openai", "prometheus"])
def test_json_on_one_line_has_columns(folder: Path, tool: str) -> None:
    """Each loss is found where the value stands, and told apart by grader."""
    path = sample(tool, folder)
    document = json.loads(path.read_text("utf-8"))
    wide = {(v.rule, v.message) for v in imported_rubric(path).lost}
    path.write_text(json.dumps(document, separators=(",", ":"), ensure_ascii=False))
    lost = imported_rubric(path).lost
    text = path.read_text("utf-8")
    begins = {text[v.column - 1 : v.column + 8] for v in lost}

    assert {(v.rule, v.message) for v in lost} == wide
    assert {v.line for v in lost} == {1}
    assert len({v.column for v in lost}) > 1 or tool == "prometheus"
    if tool == "openai":
        assert {'"gpt-4.1-', '"o4-mini"', '2.5,"inpu'} <= begins
        only_tone = imported_rubric(path, graders=["tone"]).lost
        assert [text[v.column - 1 : v.column + 8] for v in only_tone] == ['"o4-mini"']


@pytest.mark.parametrize("out", ["prometheus.json", "rubrics/r.jinja", "judgekit.toml"])
def test_what_must_stay_is_not_replaced_by_force_either(folder: Path, out: str) -> None:
    """The source, a rubric that the project names, its configuration."""
    sample("prometheus", folder)
    (folder / "rubrics").mkdir()
    (folder / "rubrics" / "r.jinja").write_text("precious")
    (folder / "judgekit.toml").write_text('[judges.r]\nrubric = "rubrics/r.jinja"\n')
    before = (folder / out).read_text("utf-8")
    with pytest.raises(InputError, match="would be overwritten"):
        run("prometheus.json", "--out", out, "--force")

    assert (folder / out).read_text("utf-8") == before


def test_a_device_is_written_to(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """``/dev/stdout`` is no file that is there already."""
    sample("prometheus", folder)

    assert run("prometheus.json", "--out", "/dev/stdout") == 1
    assert "rubric: directions" in capfd.readouterr().out


@pytest.mark.parametrize("tool", SAMPLES)
def test_the_tool_is_told_by_the_form(folder: Path, tool: str) -> None:
    """And naming it gives the same."""
    path = sample(tool, folder)

    assert imported_rubric(path).text == imported_rubric(path, tool=tool).text


def test_the_tool_of_another_file_finds_no_grader(folder: Path) -> None:
    """One clear error; nothing is written."""
    sample("prometheus", folder)
    with pytest.raises(InputError, match="no OpenAI graders"):
        run("prometheus.json", "--from", "openai", "--out", "r.jinja")
    assert not (folder / "r.jinja").exists()


def test_unknown_names_have_suggestions(folder: Path) -> None:
    """Of tools, and of graders."""
    sample("openai", folder)
    with pytest.raises(UnknownName, match="no tool named 'prometeus'") as caught:
        run("openai.json", "--from", "prometeus")
    assert "'prometheus'" in (caught.value.hint or "")
    with pytest.raises(UnknownName, match="no grader named 'tones'"):
        run("openai.json", "--grader", "tones")


def test_only_the_losses_of_chosen_graders_are_told(folder: Path) -> None:
    """What was left out by wish is not lost."""
    path = sample("openai", folder)
    result = imported_rubric(path, graders=["tone"])

    assert result.criteria == ("tone",)
    assert result.name == "tone"
    assert {v.line for v in result.lost} == {25}
    assert result.settings[-1] == 'model = "openai/o4-mini"'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nothing.json", '{"a": 1}'),
        ("broken.json", '{"a": '),
        ("words.txt", "Be nice."),
        ("code.py", "print('x')"),
        ("empty.yaml", "# nothing"),
    ],
)
def test_a_file_without_a_grader_is_refused(folder: Path, name: str, text: str) -> None:
    """Named, with the way out."""
    (folder / name).write_text(text)
    with pytest.raises(InputError) as caught:
        run(name)

    assert caught.value.file == name


def test_every_sample_has_its_case() -> None:
    """The samples are files of the tests, none of another tool's."""
    assert {path.name for path in CASES.iterdir()} == {*SAMPLES.values(), "prometheus.txt"}
