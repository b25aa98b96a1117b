"""Inspect AI: judges as scorers of a task, and by name as scorers of its saved log."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest
from inspect_ai import Task
from inspect_ai import eval as run_tasks
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from parity import Parity
from seen import Seen, column, present
from world import TONES, Row, World, item, items

ROLES = {"user": ChatMessageUser, "assistant": ChatMessageAssistant}
QUIET = {"display": "none", "log_dir": "logs", "log_format": "json"}


@solver
def saying() -> Solver:
    """Answer each sample with what its metadata says for the epoch."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        says = state.metadata[f"says_{state.epoch}"]
        state.output = ModelOutput.from_content("mockllm/model", says)
        return state

    return solve


def sample(row: Row) -> Sample:
    """Return an item as a sample."""
    asked = row["input"]
    if isinstance(asked, list):
        asked = [ROLES[m["role"]](content=m["content"]) for m in asked]
    rest = {k: v for k, v in row.items() if k.startswith("output_")}
    metadata = {"says_1": row.get("output", ""), "says_2": row.get("again", ""), **rest}
    return Sample(id=row["id"], input=asked, target=row.get("reference", ""), metadata=metadata)


def task(asked: list[Row], judge: Any, **how: Any) -> Task:
    """Return a task with a judge as its scorer."""
    return Task(dataset=[*map(sample, asked)], solver=saying(), scorer=judge, **how)


def logs_of(*tasks: Task) -> list[Path]:
    """Run tasks and return their logs."""
    return [
        Path(log.location)
        for log in run_tasks([*tasks], model="mockllm/model", max_tasks=len(tasks), **QUIET)
    ]


def seen_in(path: Path) -> Seen:
    """Return what a log shows: a task fails in CI that has samples without a score."""
    kept = path.read_text(encoding="utf-8")
    log = json.loads(kept)
    scores = [next(iter(one["scores"].values())) for one in log["samples"]]
    values = [present({column(score["metadata"]): score["value"]}) for score in scores]
    result = log["results"]["scores"][0]
    figures = {name: metric["value"] for name, metric in result["metrics"].items()}
    return Seen(values, kept, result["unscored_samples"] == 0, present(figures))


def inspect_score(log: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Score a saved log by Inspect's own command, in place."""
    command = [Path(sys.executable).with_name("inspect"), "score", str(log), "--overwrite"]
    plain = ["--action", "overwrite", "--display", "none"]
    return subprocess.run(
        [*command, *plain, *arguments], check=False, capture_output=True, text=True
    )


class TestInspect(Parity):
    """A task whose scorer is a judge, and its log as it is on disk."""

    runner = "inspect"
    stated: ClassVar[Row] = {"population": "same"}
    first = reddens = aggregates = True

    @staticmethod
    def run(judge: Any, asked: list[Row]) -> Seen:
        """Run a task, and read its log."""
        return seen_in(logs_of(task(asked, judge))[0])

    @classmethod
    def exported(cls, file: str) -> Any:
        """Return what the function in the file makes: Inspect's own form of a scorer."""
        return super().exported(file)()

    def test_exported_names_the_score(self, world: World) -> None:
        """``inspect score`` takes the file as it stands, and the score is called as the judge."""
        log = logs_of(task(items(3), None))[0]
        file = world.root / "judgekit_tone.py"
        world.judgekit("export", "inspect", "tone", "--out", str(file))
        ended = inspect_score(log, "--scorer", f"{file}@tone")

        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert seen_in(log).values == self.expected(world, items(3))
        assert [*json.loads(log.read_text())["samples"][0]["scores"]] == ["tone"]

    def test_scored_by_name(self, world: World) -> None:
        """``inspect score`` finds the judge, in a log that was made without one."""
        log = logs_of(task(items(3), None))[0]
        told = ["--scorer", "judgekit/judge", "-S", f"project={world.root}", "-S"]
        ended = inspect_score(log, *told, "name=tone")

        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert seen_in(log).values == self.expected(world, items(3))
        before = log.read_text(encoding="utf-8")
        ended = inspect_score(log, *told, "name=plain")
        assert ended.returncode != 0
        assert "no_certificate" in ended.stdout + ended.stderr
        assert log.read_text(encoding="utf-8") == before

    def test_precomputed(self, world: World) -> None:
        """The rows of ``judgekit score`` as a file: the values, and the certificate beside them."""
        log = logs_of(task(items(3), None))[0]
        expected = self.expected(world, items(3))
        file, rows = world.root / "scores.inspect.jsonl", str(world.root / "scores.jsonl")
        world.judgekit("export", "inspect-scores", "tone", "--scores", rows, "--out", str(file))
        ended = inspect_score(log, "--scorer", "precomputed_scores", "-S", f"scores={file}")

        assert ended.returncode == 0, ended.stdout + ended.stderr
        seen = seen_in(log)
        assert seen.values == expected
        assert "judgekit_certificate" in seen.kept

    def test_population_unknown(self, world: World) -> None:
        """Nothing is corrected while nobody says what the items are."""
        seen = self.seen(world, items(), population="unknown")

        assert {*seen.figures} == {"uncorrected", "uncorrected_low", "uncorrected_high"}

    def test_epochs(self, world: World) -> None:
        """Each epoch of a sample counts, and all of them are one case."""
        again = [item(i, TONES[i * 3 % 4]) for i in range(40)]
        asked = [{**one, "again": two["output"]} for one, two in zip(items(), again, strict=True)]
        seen = seen_in(logs_of(task(asked, self.make(world.root, "tone"), epochs=2))[0])
        both = [{**row, "case": row["id"]} for row in items()]
        both += [{**row, "case": row["id"], "id": f"{row['id']}-again"} for row in again]

        assert seen.figures == pytest.approx(world.figures(both))

    def test_two_tasks(self, world: World) -> None:
        """Tasks with the same judge in one process have figures of their own."""
        halves = [items()[:20], items()[20:]]
        tasks = [task(half, self.make(world.root, "tone")) for half in halves]
        found = [seen_in(log).figures for log in logs_of(*tasks)]

        assert found == [pytest.approx(world.figures(half)) for half in halves]

    def test_one_scorer_twice(self, world: World) -> None:
        """A scorer that is used again gives the figures of the second run only."""
        judge = self.make(world.root, "tone")
        self.run(judge, items()[:3])

        assert self.run(judge, items()[28:]).figures == pytest.approx(world.figures(items()[28:]))

    def test_refused_in_the_middle(self, world: World) -> None:
        """With ``raise`` the evaluation is an error, not a success without scores."""
        turned = [item(i, "polite", "turned") for i in range(2)]
        judge = self.make(world.root, "tone", on_refused="raise")
        log = json.loads(logs_of(task(turned, judge))[0].read_text(encoding="utf-8"))

        assert log["status"] == "error"
        assert "model_served_changed" in log["error"]["traceback"]
