"""promptfoo: judges as Python assertions and behind its rubrics, run by its own command.

promptfoo starts a Python process for every assertion. All that is not about a whole run is
therefore asked in one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from offline import attempts
from world import Row, World, heard, item, items, pairs, referenced

PROMPTFOO = Path(sys.prefix) / "node_modules" / ".bin" / "promptfoo"
FAILED = 100
"""How ``promptfoo eval`` ends when a test fails."""
KNOWN = {"r.promptfoo.app"}
"""Where it says that it was told to say nothing; nothing else switches this off."""
QUIET = ("--no-cache", "--no-table", "--no-progress-bar", "--no-share")
# Stands in the place of an application: says what the file of answers has for the item.
SAYS = """
const answers = require("./answers.json");
module.exports = class {
  id() { return "says"; }
  async callApi(prompt, context) { return { output: answers[context.vars.test] }; }
};
"""


class Asked(NamedTuple):
    """One test: an item, and the file of the judge that grades it.

    A judge behind a rubric is named by the text of the assertion, ``rubric``.
    """

    name: str
    row: Row
    file: Path
    rubric: str | None = None
    threshold: float | None = None


class Ran(NamedTuple):
    """How a run ended, and its results as promptfoo saved them."""

    code: int
    kept: str

    @property
    def results(self) -> dict[str, Row]:
        """Return the result of each test."""
        return {one["vars"]["test"]: one for one in json.loads(self.kept)["results"]["results"]}

    def named(self, test: str) -> Row:
        """Return the scores of a test that have a name."""
        return self.results[test]["namedScores"]

    def facts(self, test: str) -> list[Row]:
        """Return the metadata of the outcomes behind a test's grade."""
        return facts_in(self.results[test]["gradingResult"]["componentResults"][0])


def facts_in(found: Any) -> list[Row]:
    """Return every outcome's metadata, however deep it stands."""
    if isinstance(found, list):
        return [facts for one in found for facts in facts_in(one)]
    if not isinstance(found, dict):
        return []
    return [found] if "judgekit_status" in found else facts_in([*found.values()])


def promptfoo(asked: list[Asked]) -> Ran:
    """Run an evaluation in the folder one stands in."""
    tests = []
    for one in asked:
        assertion: Row = {"type": "python", "value": f"file://{one.file}"}
        if one.rubric is not None:
            assertion = {
                "type": "llm-rubric",
                "value": one.rubric,
                "provider": f"file://{one.file}",
            }
        told = {name: value for name, value in one.row.items() if name != "output"}
        test: Row = {"vars": {**told, "test": one.name}, "assert": [assertion]}
        if one.threshold is not None:
            test["assert"].append({"type": "equals", "value": one.row["output"]})
            test["threshold"] = one.threshold
        tests.append(test)
    config = {
        "prompts": ["{{test}}"],
        "providers": ["file://says.js"],
        "defaultTest": {"options": {"disableVarExpansion": True}},  # a list is one input, not many
        "tests": tests,
    }
    answers = {one.name: one.row.get("output", "-") for one in asked}
    Path("says.js").write_text(SAYS)
    Path("answers.json").write_text(json.dumps(answers))
    Path("config.json").write_text(json.dumps(config))
    tried = Path("tried.txt")
    told = {
        "ATTEMPTS": str(tried.absolute()),
        "NODE_OPTIONS": f"--require={Path(__file__).with_name('offline.cjs')}",
        "PROMPTFOO_CONFIG_DIR": str(Path("settings").absolute()),
        "PROMPTFOO_PYTHON": sys.executable,
    }
    command = [PROMPTFOO, "eval", "-c", "config.json", "-o", "results.json", *QUIET]
    ended = subprocess.run(
        command, env=os.environ | told, capture_output=True, text=True, check=False
    )
    assert ended.returncode in {0, FAILED}, ended.stdout + ended.stderr
    if tried.exists():
        attempts.extend({*tried.read_text().split()} - KNOWN)
    return Ran(ended.returncode, Path("results.json").read_text(encoding="utf-8"))


def exported(world: World, judge: str, *options: str) -> Path:
    """Return the file that ``judgekit export promptfoo`` writes."""
    file = world.root / f"{judge}{'_provider' * bool(options)}.py"
    world.judgekit("export", "promptfoo", judge, *options, "--out", str(file))
    return file


def lending(world: World, judge: str, factory: str = "assertion", **how: Any) -> Path:
    """Return a file written by hand."""
    module = {"assertion": "promptfoo", "provider": "promptfoo_provider"}[factory]
    variable = {"assertion": "get_assert", "provider": "call_api"}[factory]
    file = world.root / f"by_hand_{judge}_{factory}.py"
    how["project"] = str(world.root)
    file.write_text(
        f"from judgekit.adapters.{module} import {factory}\n"
        f"{variable} = {factory}({judge!r}, **{how!r})\n"
    )
    return file


class TestPromptfoo:
    """The values, and what has none."""

    def test_values(self, world: World) -> None:
        """The scores are those of ``score``, and named; both ask the same questions."""
        file = exported(world, "tone")
        ran = promptfoo([Asked(row["id"], row, file) for row in items()])
        calls = world.stub.stats.requests
        rows, _ = world.score("tone", items())

        for row in rows:
            name, result = row["item_id"], ran.results[row["item_id"]]
            assert (result["score"], ran.named(name)) == (row["value"], {"tone": row["value"]})
            assert result["success"] is (row["value"] >= 3)
            assert ran.facts(name)[0]["judgekit_certificate"] == row["certificate"]
            assert ran.facts(name)[0]["judgekit_uncorrected"] is True
        assert len(ran.results) == 40
        assert ran.code == FAILED  # some are rude
        assert world.stub.stats.requests == calls

    def test_without_values(self, world: World) -> None:
        """What has no value fails, with the reason to read and no score of the judge's name."""
        never = item(77, "polite")
        no_reference = {k: v for k, v in referenced(1)[0].items() if k != "reference"}
        tone = exported(world, "tone")
        asked = [
            Asked("no_certificate", never, lending(world, "plain")),
            Asked("no_certificate ", never, lending(world, "plain", "provider"), "plain"),
            Asked("model_served_changed", item(4, "polite", "turned"), tone),
            Asked("judgekit[", item(5, "unheard_of"), tone),
            Asked("needs reference", no_reference, lending(world, "answer", criterion="correct")),
        ]
        ran = promptfoo(asked)

        for name, result in ran.results.items():
            assert (result["success"], result["score"], ran.named(name)) == (False, 0, {})
            assert name.strip() in result["gradingResult"]["reason"]
            assert all("judgekit_value" not in facts for facts in ran.facts(name))
        assert len(ran.results) == len(asked)
        assert ran.code == FAILED
        mean = promptfoo([asked[0]._replace(threshold=0.3)])
        assert mean.code == FAILED
        assert not mean.results["no_certificate"]["success"]
        assert not any("question 77" in text for text in heard)

    def test_other_judges(self, world: World) -> None:
        """Several criteria, pairs, chat messages, and the judge behind a rubric."""
        talk = [{"role": r, "content": f"{r}: Grüß Gott"} for r in ("user", "assistant", "user")]
        answer, tone = exported(world, "answer"), exported(world, "tone")
        behind = exported(world, "tone", "--provider")
        both = exported(world, "answer", "--provider")
        asked = [
            Asked("criteria", referenced(1)[0], answer),
            Asked("pair", pairs(1)[0], exported(world, "pair")),
            Asked("messages", {**item(1, "cold"), "input": talk}, tone),
            Asked("rubric", item(2, "cold"), behind, "tone"),
            Asked("rubrics", referenced(1)[0], both, "answer"),
        ]
        ran = promptfoo(asked)
        levels = {name: [one["judgekit_level"] for one in ran.facts(name)] for name in ran.results}

        assert levels == {
            "criteria": ["right", "french"],
            "pair": ["A"],
            "messages": ["cold"],
            "rubric": ["cold"],
            "rubrics": ["right", "french"],
        }
        assert ran.named("criteria") == {"answer_correct": 1}
        assert ran.named("pair") == {"pair": 1}
        assert ran.results["rubric"]["score"] == 2
        calls = world.stub.stats.requests
        assert world.score("tone", [asked[2].row])[0][0]["level"] == "cold"
        assert world.stub.stats.requests == calls

    def test_edited_rubric(self, world: World) -> None:
        """A run in which all passes ends well; with the rubric edited it fails unasked."""
        asked = [Asked("rubric_changed", item(1, "polite"), exported(world, "tone"))]
        assert promptfoo(asked).code == 0
        world.edit_rubric()
        calls = world.stub.stats.requests
        ran = promptfoo(asked)

        assert (ran.code, ran.named("rubric_changed")) == (FAILED, {})
        assert "rubric_changed" in ran.results["rubric_changed"]["gradingResult"]["reason"]
        assert world.stub.stats.requests == calls
