"""The JSON schema of the front matter takes what the parser takes, and says what it refuses."""

from __future__ import annotations

import datetime as dt
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import judgekit
from judgekit.rubric.parse import parse
from judgekit.rubric.schema import front_matter_schema
from judgekit.rubric.source import Problems, split
from tests.linting.test_rule_cases import FAIL, PASS, text_of
from tests.rubric.make import BASES, edited, in_memory

ROOT = Path(judgekit.__file__).parent
GALLERY = sorted((ROOT.parent / "rubrics").glob("*.jinja"))
CHECK = jsonschema.Draft202012Validator(front_matter_schema())
BEYOND = {
    "CR02": "a name given twice",
    "RB03": "a key given twice: editors say so themselves",
    "RB09": "anchors and tags of YAML",
    "SC03": "a level given twice",
    "SC11": "a pass line that is none of the levels",
    "SC14": "which level stands for A and which for B",
    "SC15": "a pass line that lets every level pass",
}
"""What a schema cannot say: what one text has to do with another."""
NOT_SEEN = {
    ("ID02", "as programs number theirs"): "1.0 is a whole number to JSON",
    (
        "SC04",
        "a number with a zero before it, which YAML counts in eights",
    ): "010 is 10 to YAML 1.2",
}


class Core(yaml.SafeLoader):
    """YAML as version 1.2 has it: ``yes`` is a text, a date too, ``010`` is ten."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  (as the class it extends has it)


for _kind, _words, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
):
    _whole = re.compile(f"^(?:{_words})$")
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{_kind}", _whole, list(_first))


def front(text: str, loader: type[yaml.SafeLoader] = Core) -> Any:
    """The front matter as an editor reads it; None where it cannot."""
    parts = split(text.removeprefix("\ufeff"), Problems())
    try:
        return None if parts is None else yaml.load(parts.front, loader)  # noqa: S506
    except (yaml.YAMLError, ValueError):
        return None


def fatal(text: str, case: dict[str, Any]) -> set[str]:
    """The codes of what makes a front matter unusable."""
    _, problems = parse(text, load=in_memory(case.get("files", {})))
    return {p.code for p in problems if p.fatal and not p.code.startswith("TP")}


def test_the_published_file_is_the_schema() -> None:
    """Editors read the file; it is written anew with ``judgekit rubric schema``."""
    published = json.loads((ROOT / "_schemas" / "rubric-1.json").read_text("utf-8"))

    assert published == front_matter_schema()
    jsonschema.Draft202012Validator.check_schema(published)


@pytest.mark.parametrize("name", sorted(BASES))
def test_it_takes_good_rubrics(name: str) -> None:
    """Every kind of scale."""
    assert [e.message for e in CHECK.iter_errors(front(BASES[name]))] == []


@pytest.mark.parametrize("path", GALLERY, ids=[path.stem for path in GALLERY])
def test_it_takes_the_gallery(path: Path) -> None:
    """All of what people start from."""
    assert [e.message for e in CHECK.iter_errors(front(path.read_text("utf-8")))] == []


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("version: 1", "version: 0", ["version"]),
        ("scale: ordinal", "scale: ordnal", ["criteria", 0, "scale"]),
        ("passes_at: 3", "pases_at: 3", ["criteria", 0]),
        ("rubric: groundedness\n", "", []),
        (
            (
                "        definition: Each opening hour and each price in the answer stands in the "
                "context.\n"
            ),
            "",
            ["criteria", 0, "levels", 0],
        ),
        ("    question: Is every claim", "    questions: Is every claim", ["criteria", 0]),
        ("inputs: [input, output, context]", "inputs: [input, input]", ["inputs"]),
        ("criterion: groundedness", "criterion: a/b", ["criteria", 0, "criterion"]),
    ],
)
def test_it_names_the_place_of_what_is_wrong(old: str, new: str, where: list[object]) -> None:
    """At the key that an editor underlines."""
    found = [list(e.absolute_path) for e in CHECK.iter_errors(front(edited("clean", {old: new})))]

    assert where in found


@cache
def every() -> list[tuple[str, str, Any, set[str]]]:
    """Each case of a rule that an editor can read: code, why, what it reads, what is fatal."""
    read = [(code, case, front(text_of(case))) for code, case in (*FAIL, *PASS)]
    return [
        (code, case["why"], data, fatal(text_of(case), case))
        for code, case, data in read
        if data is not None
    ]


def test_no_rubric_that_can_be_used_is_refused() -> None:
    """Whatever rules of taste it violates: over the cases of every rule, good and bad ones."""
    usable = {(code, why): data for code, why, data, fatal in every() if not fatal}
    wrong = {at: [e.message for e in CHECK.iter_errors(data)] for at, data in usable.items()}

    assert len(usable) > 400
    assert {at: found for at, found in wrong.items() if found} == {}


def test_an_older_yaml_reads_the_same_rubrics() -> None:
    """To version 1.1 ``yes`` is true; a date, which JSON has not, is its text."""
    others = 0
    for code, case in PASS:
        text = text_of(case)
        read = front(text, yaml.SafeLoader)
        plain = json.loads(json.dumps(read, default=dt.date.isoformat))
        if read is not None and plain != front(text) and not fatal(text, case):
            others += 1
            assert [e.message for e in CHECK.iter_errors(plain)] == [], (code, case["why"])

    assert others


def test_what_makes_a_rubric_unusable_is_refused() -> None:
    """By an editor already, wherever a schema can say it."""
    missed = []
    for code, why, data, found in every():
        seen = found - BEYOND.keys()
        declared = seen == {"AN01"} and "inputs" in data
        if seen and not declared and (code, why) not in NOT_SEEN and CHECK.is_valid(data):
            missed.append((code, why, seen))

    assert missed == []
