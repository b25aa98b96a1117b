"""Files made to hang the reader: refused in plain words, or read in time that grows with them."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.importers.graders.autorubric import _parted
from judgekit.importers.graders.dividing import divided
from judgekit.importers.graders.grader import Draft, reviewed
from judgekit.importers.graders.node import START, Node, Unread, read_yaml
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.prompt import Fields
from judgekit.importers.graders.python import Reader, read_python
from judgekit.importers.graders.tools import read_graders
from judgekit.importers.graders.wording import level_words
from judgekit.importers.graders.writer import inert, sorted_kinds
from judgekit.importers.rubrics import template_loader
from judgekit.rubric import criteria
from judgekit.rubric.parse import parse
from judgekit.rubric.scale import fold
from tests.importers.graders.make import imported, rules
from tests.timing import cpu_seconds

METRIC = "GEval(name='n', criteria={}, evaluation_params=[P.INPUT])"


def _refused(source: str, folder: Path) -> InputError:
    path = folder / "f.py"
    path.write_text(source, "utf-8")
    with pytest.raises(InputError) as caught:
        read_graders(path)
    assert caught.value.file == str(path)
    return caught.value


@pytest.mark.parametrize("tool", [None, "deepeval"])
def test_a_long_sum_of_texts_is_refused(tool: str | None, tmp_path: Path) -> None:
    """Where the tool is told, and where it is found out first."""
    path = tmp_path / "f.py"
    path.write_text(METRIC.format(" + ".join(["'a'"] * 2000)))
    with pytest.raises(InputError, match="nested too deeply"):
        read_graders(path, tool=tool)


def _chain(first: str, link: str, last: int) -> str:
    lines = [f"a0 = {first}"]
    lines += [f"a{n} = {link.replace('a', f'a{n - 1}')}" for n in range(1, last + 1)]
    return "\n".join([*lines, METRIC.format(f"a{last}")])


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("a = b + b\nb = a + a\n" + METRIC.format("a"), "stands for itself"),
        ("a = {'x': b}\nb = {'x': a}\n" + METRIC.format("a"), "stands for itself"),
        (_chain("'xxxxxxxxxx'", "a + a + a + a", 18), "more than 200,000 values"),
        (_chain("'x'", "[" + ", ".join("a" * 8) + "]", 18), "more than 200,000 values"),
        (_chain(f"'{'x' * 50_000}'", "a + a", 10), "more than 2,000,000 characters"),
    ],
)
def test_names_of_names_cannot_blow_up(source: str, says: str, tmp_path: Path) -> None:
    """A circle, or a few lines that stand for billions of values, with the line."""
    begun = time.process_time()
    error = _refused(source, tmp_path)

    assert says in str(error)
    assert error.line
    assert time.process_time() - begun < 5


def test_a_name_made_of_itself_is_not_known() -> None:
    """It had another value before, from an import perhaps: ordinary Python."""
    tree = read_python("from m import B\nB = B + 'x'\nf(x=B)", "f.py")
    (_, call), *_ = Reader(tree).calls(["f"], ())

    assert call.entries["x"].value == Unread("B")


def test_a_name_may_be_used_often() -> None:
    """Twice in one text and a hundred times in a file: that is no circle."""
    uses = "\n".join(["f(x=C + B + C)"] * 100)
    tree = read_python(f"B = 'b'\nC = B + 'c'\n{uses}", "f.py")
    found = [call.entries["x"].text for _, call in Reader(tree).calls(["f"], ())]

    assert found == ["bcbbc"] * 100


def test_long_texts_of_yaml_cannot_be_multiplied() -> None:
    """One long text under a thousand aliases; a long file by itself is read."""
    aliases = "\n".join(["- *a"] * 1000)
    with pytest.raises(InputError, match="more than 2,000,000 characters"):
        read_yaml(f"- &a {'x' * 10_000}\n{aliases}", "f.yaml")
    assert len(read_yaml("- " + "x" * 3_000_000, "f.yaml").items) == 1


@pytest.mark.parametrize("text", ["[" * 60_000, "- " * 60_000 + "a", "{a: " * 60_000])
def test_yaml_that_is_too_deep_is_refused(text: str) -> None:
    """The library would end the program, without an error that could be caught."""
    with pytest.raises(InputError, match="nested too deeply"):
        read_yaml(text, "f.yaml")


def test_merges_keep_their_order() -> None:
    """What is merged first goes before the rest, and what the mapping says itself before that."""
    text = "a: &a {x: 1, y: 1}\nb: &b {x: 2, z: 2, w: 2}\nc: {<<: [*a, *b], w: 3}"

    assert read_yaml(text, "f").entries["c"].plain() == {"x": 1, "z": 2, "w": 3, "y": 1}


def _divided(text: str) -> object:
    return divided(level_words(f"a\n{text}"), "n", at=START, notes=Notes("f"))


def _shown(text: str) -> object:
    return Fields(Notes("f")).read(text, START)


@pytest.mark.parametrize(
    ("work", "unit"),
    [
        (_divided, "1: a "),
        (_divided, "{{a}} "),
        (_divided, "Score "),
        (_divided, "1"),
        (_divided, "return 1 if "),
        (_divided, "\n"),
        (_divided, "! "),
        (_divided, "if a, "),
        (_divided, "| 1 | a |\n"),
        (_divided, "A (1): b\n"),
        (_divided, "1 = a, "),
        (_divided, "Return JSON:\n```json\n{\n"),
        (_divided, "add "),
        (_shown, "{{"),
        (_shown, "{{ "),
        (_shown, "{%"),
        (_shown, "{{" + " " * 500),
        (level_words, '"'),
        (_parted, " "),
    ],
)
def test_reading_grows_with_the_text(work: Callable[[str], Any], unit: str) -> None:
    """Ten times the text takes about ten times as long, and no more than a moment."""
    text = unit * (50_000 // len(unit)) + "x"

    assert cpu_seconds(lambda: work(text)) < 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{{ output }}", "[Output]"),
        ("{{-output-}}", "[Output]"),
        ("{{~ output ~}}", "[Output]"),
        ("{{ {{ output }}", "{{ {{ output }}"),
        ("{{ open {% if x %} {{output}}", "{{ open {% if x %} {{output}}"),
        ("{% open {{output}}", "{% open [Output]"),
        ("{# {{output}} #}{{output}}", "{# {{output}} #}[Output]"),
        ("{{}} {%}", "{{}} {%}"),
    ],
)
def test_tags_are_found_from_the_left(text: str, shown: str) -> None:
    """Each up to its first end; one that is left open is plain text."""
    assert _shown(text) == shown


def test_braces_in_a_row_are_one_expression() -> None:
    """A template of a hundred thousand expressions would take minutes to check."""
    assert inert("{{ x }} {% y {") == "{{ '{' }}{ x }} {{ '{' }}% y {"
    assert inert("{" * 50_000) == "{{ '" + "{" * 49_999 + "' }}{"


def test_two_thousand_assertions_are_read_in_a_moment(tmp_path: Path) -> None:
    """All of the same first words, so that each needs a number of its own."""
    each = [
        {"type": "llm-rubric", "value": f"Is it short, sweet, whole and plain in part {n}?"}
        for n in range(2000)
    ]
    path = tmp_path / "f.json"
    path.write_text(json.dumps({"prompts": [], "tests": [{"assert": each}]}))
    begun = time.process_time()
    read = read_graders(path)
    drafts = sorted_kinds(read.drafts, read.notes)

    assert time.process_time() - begun < 2
    assert [draft.name for draft in drafts][:3] == [
        f"short_sweet_whole_plain{end}" for end in ("", "_2", "_3")
    ]
    assert len({draft.name for draft in drafts}) == 2000


def test_a_number_never_takes_the_name_of_another() -> None:
    """Long names are cut for it; what they are cut to stays free, and is no less counted."""
    long = "a" * 64
    drafts = [
        Draft(name=name, at=START, question="q", kind="binary", levels=(), inputs=())
        for name in (long, long, "A" * 64, long[:59], f"{long[:59]}_2")
    ]

    assert [draft.name for draft in reviewed(drafts, Notes("f"))] == [
        *(long, f"{long[:59]}_2", f"{'A' * 59}_3", long[:59]),
        f"{long[:59]}_4",
    ]


def _with_criteria(count: int) -> str:
    levels = "levels: [{value: 1, definition: a}, {value: 0, definition: b}]"
    each = "- {{criterion: c{}, question: q, scale: binary, {}}}\n"
    listed = "".join(f"  {each.format(n, levels)}" for n in range(count))
    return f"---\nrubric: r\nversion: 1\ncriteria:\n{listed}---\n"


def test_names_of_criteria_are_compared_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rubric of many criteria is read in time that grows with their number."""
    compared: list[str] = []

    def counted(text: str) -> str:
        compared.append(text)
        return fold(text)

    monkeypatch.setattr(criteria, "fold", counted)
    rubric, _ = parse(_with_criteria(100), load=template_loader(Path()))
    assert rubric is not None
    assert 100 <= len(compared) <= 200


def test_many_inputs_are_told_in_few_words(tmp_path: Path) -> None:
    """Each assertion shows another variable: the notes name ten of them, and count the rest."""
    each = [{"type": "llm-rubric", "value": f"Is {{{{v{n}}}}} short?"} for n in range(30)]
    result = imported(json.dumps({"tests": [{"assert": each}]}), ".json", tmp_path)

    shared = [v.message for v in result.lost if v.rule == "import-inputs-shared"]
    assert len(shared) == 30
    assert "and 19 more" in shared[0]
    assert "import-input-added" in rules(result)


def test_numbers_no_float_holds_are_none() -> None:
    """A whole number of hundreds of digits is no score."""
    assert Node(START, 10**400).number is None
