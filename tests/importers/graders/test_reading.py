"""Files read with their lines: JSON, YAML and Python, and none of it run."""

from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.importers.graders.node import Unread, read_json, read_yaml
from judgekit.importers.graders.python import Reader, read_python
from judgekit.importers.graders.source import read_source
from judgekit.importers.graders.tools import read_graders
from judgekit.importers.graders.wording import level_words


def test_json_knows_its_lines() -> None:
    """Of every value, whatever stands around it."""
    node = read_json('{\n "a": [1,\n\t2.5, {"b": "\\ud83d\\ude00 \\n x"}],\n "c": null}', "f")

    assert node.plain() == {"a": [1, 2.5, {"b": "\U0001f600 \n x"}], "c": None}
    assert [one.at.line for one in node.entries["a"].items] == [2, 3, 3]
    assert node.entries["c"].at.line == 4


@pytest.mark.parametrize("text", ["{}", "[]", " [ ] ", '{"a":{}}', "[[],[1,[]]]", '"x"', "3"])
def test_json_of_every_shape_is_read(text: str) -> None:
    """Empty and nested, with and without blanks."""
    import json

    assert read_json(text, "f").plain() == json.loads(text)


@pytest.mark.parametrize(
    ("text", "line"), [('{\n"a": }', 2), ("[" * 90_000, None), ("9" * 9_000, None)]
)
def test_json_that_is_none_is_refused(text: str, line: int | None) -> None:
    """Broken, too deep, or with a number of thousands of digits."""
    with pytest.raises(InputError) as caught:
        read_json(text, "f.json")

    assert caught.value.file == "f.json"
    assert line is None or caught.value.line == line


def test_yaml_aliases_cannot_blow_up() -> None:
    """A few lines that stand for billions of values are refused, not expanded."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    with pytest.raises(InputError, match="stands for more than"):
        read_yaml("\n".join(lines), "f.yaml")


@pytest.mark.parametrize("text", ["a: [", "a: &a [*a]", "a: 1\n---\nb: 2", "# nothing", "a: \x07"])
def test_yaml_that_is_none_is_refused(text: str) -> None:
    """Broken, going round in a circle, two documents, or nothing at all."""
    with pytest.raises(InputError):
        read_yaml(text, "f.yaml")


def test_yaml_builds_no_objects() -> None:
    """Tags of a language are text here, and so are dates."""
    node = read_yaml("a: !!python/object/apply:os.system [ls]\nb: 2024-01-01\nc: 0x1f", "f")

    assert node.plain() == {"a": ["ls"], "b": "2024-01-01", "c": 31}


def test_python_is_read_and_not_run(tmp_path: Path) -> None:
    """A file that would leave a trace leaves none."""
    trace = tmp_path / "trace"
    path = tmp_path / "f.py"
    path.write_text(
        f"open({str(trace)!r}, 'w').close()\nimport missing_module\nmake_judge(name='n', "
        "instructions='Is {{ outputs }} short? Return yes if it is, otherwise no.', "
        "feedback_value_type=bool)\n"
    )
    assert [draft.name for draft in read_graders(path).drafts] == ["n"]
    assert not trace.exists()


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("'a' 'b'", "ab"),
        ("'a' + B", "ab"),
        ("f'a{B}'", "ab"),
        ("textwrap.dedent('''\n  a\n  b''').strip()", "a\nb"),
        ("' a '.strip()", "a"),
        ("f'a{g()}'", Unread("f'a{g()}'", "a{g()}")),
        ("TWICE", Unread("TWICE")),
        ("g()", Unread("g()")),
        ("-2", -2),
        ("Thing(a=1)", {"a": 1}),
    ],
)
def test_plain_values_are_known(value: str, found: object) -> None:
    """Texts that are put together of plain parts, names that stand for one value."""
    tree = read_python(f"B = 'b'\nTWICE = 1\nTWICE = 2\nf(x={value})", "f.py")
    (_, call), *_ = Reader(tree).calls(["f"], ())
    node = call.entries["x"]

    assert (node.value if isinstance(found, Unread) else node.plain()) == found


def test_a_name_that_a_function_is_given_is_not_known() -> None:
    """It may be anything, though the module has one of that name."""
    tree = read_python("B = 'b'\ndef g(B):\n    f(x=B)", "f.py")
    (_, call), *_ = Reader(tree).calls(["f"], ())

    assert call.entries["x"].value == Unread("B")


@pytest.mark.parametrize("text", ["def f(:", "x = 1\0", "f(" * 3000])
def test_python_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    """With the line where there is one."""
    path = tmp_path / "f.py"
    path.write_text(text)
    with pytest.raises(InputError):
        read_graders(path)


def test_a_suffix_that_says_nothing_is_told_by_the_text(tmp_path: Path) -> None:
    """Braces are JSON; anything else is text."""
    for text, is_json in (('{"a": 1}', True), ("[Is it?]\nScore 1: no", False)):
        path = tmp_path / "f"
        path.write_text(text)

        assert (read_source(path).root is not None) is is_json


@pytest.mark.parametrize(
    ("text", "labels", "found"),
    [
        ("- good: a b\n- bad: c d", ["good", "bad"], {"good": "a b", "bad": "c d"}),
        ("**5** - all\n**1** - none", None, {"5": "all", "1": "none"}),
        ("Score of 0.5: half\nScore of 1.0: all", None, {"0.5": "half", "1": "all"}),
        ("1: one\n   and more\n2: two", None, {"1": "one and more", "2": "two"}),
        ("Return 1 if it has a date. Return 0 otherwise.", ["0", "1"], {"1": "it has a date"}),
        ("'a' when x is 2.5, 'b' when y", ["a", "b"], {"a": "x is 2.5", "b": "y"}),
        ("A if x; B if y; otherwise C.", ["A", "B", "C"], {"A": "x", "B": "y"}),
        ("1. Read it.\n2. Count them.", None, {}),
        ("Rate from 1 to 5.", None, {}),
        ("1 - Read it first.", None, {}),
        ("goodness: a\nbadly: b", ["good", "bad"], {}),
    ],
)
def test_definitions_are_found_in_prompts(
    text: str, labels: list[str] | None, found: dict[str, str]
) -> None:
    """Lines and clauses that name a level; steps, ranges and longer words are none."""
    said = level_words(text, labels).said

    assert {label: said.get(label) for label in found} == found
    if not found:
        assert said == {}
    if "therwise" in text:
        assert len(said) == len(labels or ())
