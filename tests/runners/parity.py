"""What holds for a lent judge in every runner; the tests of each runner inherit it.

A runner's own file says how to run it and what it shows (:meth:`Parity.run`), and adds what only
that runner has.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from seen import Seen
from world import SHARES, Row, World, item, items, pairs, referenced

from judgekit.adapters.lent import lend
from judgekit.adapters.table import runner_named
from judgekit.errors import GateRefusal

HERE = Path(__file__).parent
AGAIN = """
import json, sys
sys.path.insert(0, sys.argv[1])
from offline import go_offline
go_offline()
from {module} import {name} as Runner
from judgekit.errors import GateRefusal
try:
    seen = Runner.run(Runner.exported(sys.argv[2]), json.loads(sys.argv[3]))
    told = [seen.values, seen.kept]
except GateRefusal as refusal:
    told = [[], str(refusal)]
with open(sys.argv[4], "w", encoding="utf-8") as file:
    json.dump(told, file)
"""


class Parity:
    """The same judge, the same values, the same refusals.

    Attributes:
        runner: Its name in the table of runners.
        keeps: What the runner takes as a value: any ``value``, a number where there is one and
            else a ``label``, only a ``number``, or only a ``share``.
        messages: Whether the input may be a list of chat messages.
        first: Whether a judge that is not certified is refused before the run begins.
        reddens: Whether it fails a run of which one item has no value.
        aggregates: Whether it shows the corrected figure.
        stated: How its judges are lent in all tests.
    """

    runner: ClassVar[str]
    keeps: ClassVar[Literal["value", "label", "number", "share"]] = "value"
    messages: ClassVar[bool] = True
    first: ClassVar[bool] = False
    reddens: ClassVar[bool] = False
    aggregates: ClassVar[bool] = False

    stated: ClassVar[Row] = {}

    @staticmethod
    def run(judge: Any, asked: list[Row]) -> Seen:
        """Run the runner over the items with a judge as it takes one.

        The items are said to be of the labels' population, where the runner can be told.
        """
        raise NotImplementedError

    @classmethod
    def make(cls, project: Path, judge: str, **how: Any) -> Any:
        """Return a judge of the project as the runner takes it."""
        runner = runner_named(cls.runner)
        factory = getattr(import_module(f"judgekit.adapters.{runner.module}"), runner.factory)
        how = {"project": str(project), **cls.stated, **how}
        return factory(judge, **how)

    @classmethod
    def exported(cls, file: str) -> Any:
        """Return the judge ``tone`` that a file written by ``judgekit export`` defines."""
        return runpy.run_path(file)[runner_named(cls.runner).variable or "tone"]

    def seen(self, world: World, asked: list[Row], judge: str = "tone", **how: Any) -> Seen:
        """Return what the runner shows of a run with a judge of the project."""
        return self.run(self.make(world.root, judge, **how), asked)

    def expected(self, world: World, asked: list[Row], judge: str = "tone") -> list[Row]:
        """Return the values that ``judgekit score`` gives, as this runner keeps them."""
        columns = lend(judge, project=world.root).columns
        rows, _ = world.score(judge, asked)
        shown: dict[str, Row] = {row["id"]: {} for row in asked}
        for row in rows:
            value = row["value"]
            if self.keeps == "share" or (self.keeps != "value" and isinstance(value, str)):
                value = SHARES.get(row["level"], value if self.keeps == "label" else None)
            if value is not None:
                shown[row["item_id"]][columns[row["criterion"]]] = value
        return list(shown.values())

    def test_values(self, world: World) -> None:
        """The values are those of ``score``; both ask the same questions, byte by byte."""
        seen = self.seen(world, items())
        calls = world.stub.stats.requests
        expected = self.expected(world, items())

        assert seen.values == [pytest.approx(row) for row in expected]
        assert sum(map(len, expected)) == 40
        assert world.stub.stats.requests == calls

    def test_certificate(self, world: World) -> None:
        """The runner's own results have the id of the certificate, and say: uncorrected."""
        seen = self.seen(world, items(3))

        assert str(lend("tone", project=world.root).version) in seen.kept
        assert "judgekit_uncorrected" in seen.kept

    def test_no_certificate(self, world: World) -> None:
        """No number anywhere, the reason is there to read, no call is made, and a CI run fails."""
        calls = world.stub.stats.requests
        seen = self.seen(world, items(3), "plain", on_refused="unscored")

        assert (seen.values, seen.figures) == ([{}, {}, {}], {})
        assert "no_certificate" in seen.kept
        assert "judgekit calibrate plain" in seen.kept
        assert seen.green is (False if self.reddens else None)
        assert world.stub.stats.requests == calls

    def test_refused_at_once(self, world: World) -> None:
        """A judge that shall raise does so before anything is run."""
        calls = world.stub.stats.requests
        how = {} if self.first else {"on_refused": "raise"}
        with pytest.raises(GateRefusal, match="no_certificate"):
            self.make(world.root, "plain", **how)

        assert world.stub.stats.requests == calls

    def test_exported(self, world: World) -> None:
        """An exported file works as it stands; no process takes it once the rubric is edited."""
        file = world.root / "judgekit_tone.py"
        world.judgekit("export", self.runner, "tone", "--out", str(file))
        assert self.run(self.exported(str(file)), items(2)).values == self.expected(world, items(2))
        world.edit_rubric()
        calls = world.stub.stats.requests
        values, kept = self.in_new_process(world, file, items(2))

        assert not any(values)
        assert "rubric_changed" in kept
        assert world.stub.stats.requests == calls

    def test_another_model(self, world: World) -> None:
        """From the reply of a model that was never calibrated on, there is no number."""
        asked = [*items(4), *(item(i, "polite", "turned") for i in range(4, 8))]
        seen = self.seen(world, asked, on_refused="unscored")

        assert seen.values[4:] == [{}] * 4
        assert "model_served_changed" in seen.kept
        assert "model_served_changed" in world.corrected(seen.kept)
        assert seen.figures == {}

    def test_unreadable_reply(self, world: World) -> None:
        """An item without a judgment has no value, the others do, and figures are withheld."""
        asked = [*items(3), item(3, "unheard_of")]
        seen = self.seen(world, asked)

        assert [*map(bool, seen.values)] == [True, True, True, False]
        assert seen.green is (False if self.reddens else None)
        assert seen.figures == {}
        assert "too_many_unjudged" in world.corrected(seen.kept)

    def test_two_criteria(self, world: World) -> None:
        """Each criterion has a value of its own, one of them without an order."""
        several = runner_named(self.runner).several
        parts = [{}] if several else [{"criterion": name} for name in ("correct", "language")]
        runs = [self.seen(world, referenced(), "answer", **how) for how in parts]
        rows = zip(*(one.values for one in runs), strict=True)
        seen = [{k: v for part in parts for k, v in part.items()} for parts in rows]

        assert seen == self.expected(world, referenced(), "answer")
        assert "french" in runs[-1].kept

    def test_pairs(self, world: World) -> None:
        """A pair is shown to the judge as a pair."""
        assert self.seen(world, pairs(), "pair").values == self.expected(world, pairs(), "pair")

    def test_chat_messages(self, world: World) -> None:
        """A list of chat messages is shown as one."""
        if not self.messages:
            pytest.skip("the runner's input is a text")
        said = [("user", "Grüß Gott"), ("assistant", "How may I help?"), ("user", "Wo ist es?")]
        talk = [{"role": role, "content": text} for role, text in said]
        asked = [{**row, "input": talk} for row in items(2)]
        seen = self.seen(world, asked)
        calls = world.stub.stats.requests

        assert seen.values == [pytest.approx(row) for row in self.expected(world, asked)]
        assert world.stub.stats.requests == calls

    def test_no_reference(self, world: World) -> None:
        """An item that lacks what the rubric shows has no value, and says what it lacks."""
        asked = referenced(3)
        del asked[1]["reference"]
        seen = self.seen(world, asked, "answer", criterion="correct")

        assert [*map(bool, seen.values)] == [True, False, True]
        assert "needs reference" in seen.kept

    def test_corrected(self, world: World) -> None:
        """Where the runner shows figures over all, they are those that ``score`` gives."""
        seen = self.seen(world, items())

        assert seen.figures == (pytest.approx(world.figures(items())) if self.aggregates else {})

    def in_new_process(self, world: World, file: Path, asked: list[Row]) -> tuple[list[Row], str]:
        """Return the values and the results of a run in a process of its own."""
        out = world.root / "seen.json"
        code = AGAIN.format(module=type(self).__module__, name=type(self).__name__)
        arguments = [str(HERE), str(file), json.dumps(asked), str(out)]
        subprocess.run([sys.executable, "-c", code, *arguments], check=True)
        values, kept = json.loads(out.read_text(encoding="utf-8"))
        return values, kept
