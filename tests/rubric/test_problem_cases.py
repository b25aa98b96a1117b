"""Every case of tests/cases/rubrics, and what the table as a whole must cover."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import judgekit
from judgekit.errors import Problem
from judgekit.importers.rubrics import template_loader
from judgekit.rubric.parse import parse
from tests.rubric.make import BASES, CASES, edited

TABLE = [
    (path.stem, case)
    for path in sorted(CASES.glob("*.yml"))
    for case in yaml.safe_load(path.read_text("utf-8"))
]
ROOM = Path(judgekit.__file__).parent / "rubric"


def problems_of(case: dict[str, Any], folder: Path) -> tuple[Problem, ...]:
    """What the parser reports of a case, in a folder with its files."""
    here = folder / "rubrics"
    here.mkdir()
    for name, text in case.get("files", {}).items():
        path = here / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    text = case.get("text")
    if text is None:
        text = edited(case["base"], case.get("swap"), body=case.get("body"))
    rubric, found = parse(text, load=template_loader(here))

    assert (rubric is None) == any(p.fatal for p in found), "unusable exactly if something is fatal"
    return found


@pytest.mark.parametrize("case", [c for _, c in TABLE], ids=[f"{f}: {c['why']}" for f, c in TABLE])
def test_every_problem_is_reported_where_it_is(case: dict[str, Any], tmp_path: Path) -> None:
    """All problems at once, each with its line, column and code, and nothing else."""
    found = problems_of(case, tmp_path)
    told = "\n".join(f"{p.message} | {p.help}" for p in found)

    assert [f"{p.line}:{p.column} {p.code}" for p in found] == case["expect"], told
    assert case.get("says", "") in told


def test_the_table_covers_every_code() -> None:
    """A code without a case is a message nobody has read."""
    source = "".join(path.read_text("utf-8") for path in ROOM.glob("*.py"))
    codes = set(re.findall(r'"((?:RB|ID|CR|SC|AN|TP)\d\d)"', source))
    covered = {line.split()[1] for _, case in TABLE for line in case["expect"]}

    assert codes == covered


def test_a_code_and_a_rule_are_one(tmp_path: Path) -> None:
    """Each code belongs to one rule name and each name to one code: people use either."""
    pairs = set()
    for number, (_, case) in enumerate(TABLE):
        (folder := tmp_path / str(number)).mkdir()
        pairs |= {(p.rule, p.code) for p in problems_of(case, folder)}

    assert len({rule for rule, _ in pairs}) == len(pairs)
    assert len({code for _, code in pairs}) == len(pairs)


def test_every_message_is_one_sentence_for_a_person(tmp_path: Path) -> None:
    """No message holds a line end, a Python object or the name of a YAML or Jinja class."""
    for number, (_, case) in enumerate(TABLE):
        (folder := tmp_path / str(number)).mkdir()
        for problem in problems_of(case, folder):
            text = f"{problem.message} {problem.help or ''}"

            assert not re.search(r"[\n\r]|object at 0x|Node\(|<class|Traceback|Event\(", text), text
            assert len(problem.message) < 260


def test_bases_are_as_the_cases_count_them() -> None:
    """Each base begins its front matter on line 1, so that case lines are file lines."""
    assert {text.split("\n")[0] for text in BASES.values()} == {"---"}
