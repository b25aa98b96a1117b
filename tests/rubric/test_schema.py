"""The JSON schema of the front matter takes what the parser takes, and says what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import judgekit
from judgekit.rubric.schema import front_matter_schema
from tests.rubric.make import BASES, edited

ROOT = Path(judgekit.__file__).parent
GALLERY = sorted((ROOT.parent / "rubrics").glob("*.jinja"))
CHECK = jsonschema.Draft202012Validator(front_matter_schema())


def front(text: str) -> Any:
    """The front matter as an editor reads it."""
    return yaml.safe_load(text.split("\n---\n", maxsplit=1)[0])


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
