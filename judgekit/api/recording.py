"""The record that each run of a judge leaves: who was asked, and a row for each answer."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from judgekit.api.counts import failed_cost
from judgekit.errors import StorageError
from judgekit.judging.judge import without_secrets
from judgekit.judging.reading import READER_VERSION
from judgekit.reports.runs import messages_json, run_row, shared_messages
from judgekit.running.model import lane_of
from judgekit.storage.runs import RunRecorder

if TYPE_CHECKING:
    from judgekit.api.counts import Counts
    from judgekit.api.setup import JudgeSetup
    from judgekit.judging.judgment import Judgment, Unjudged
    from judgekit.rubric.model import Criterion
    from judgekit.running.progress import Answer

_watched: ContextVar[list[Recording] | None] = ContextVar("watched", default=None)

NAMED = 5
"""Rows of the cache that could not be used and are named one by one."""


class Recording:
    """The record of one run while it is made.

    Args:
        setup: The judge.
        criteria: What it judges.

    Attributes:
        recorder: Where the rows go; None keeps none.
    """

    def __init__(self, setup: JudgeSetup, criteria: Sequence[Criterion]) -> None:
        self._judge, self._price = setup.judge, setup.price
        self.recorder: RunRecorder | None = None
        self._shared = {c.name: shared_messages(setup.judge, c) for c in criteria}
        self._rows: list[dict[str, Any]] = []
        self._counts: list[Counts] = []
        self._began = time.monotonic()

    def about(self, setup: JudgeSetup) -> dict[str, Any]:
        """Return what is known of the run before it begins."""
        judge = self._judge
        criteria = [judge.rubric.criterion(name) for name in self._shared]
        identities = {c.name: judge.identity(c) for c in criteria}
        first = next(iter(identities.values()))
        pairs = any(c.scale.kind == "pairwise" for c in criteria)
        return {
            "judge": judge.name,
            "fingerprints": {name: i.fingerprint for name, i in identities.items()},
            "model": judge.model,
            "panel": [m.model for m in judge.panel] or None,
            "api_base": without_secrets(judge.api_base),
            "parameters": dict(judge.parameters),
            "replicates": judge.replicates,
            "rule": judge.rule,
            **({"orders": judge.orders, "inconsistent": judge.inconsistent} if pairs else {}),
            "rubric": {
                "name": first.rubric.name,
                "version": first.rubric.version,
                "sha256": {name: i.rubric.sha256 for name, i in identities.items()},
                "file": setup.rubric_file,
            },
            "reader": READER_VERSION,
            "transport": setup.entry.transport,
            "lanes": lanes_of(setup),
            "shared": {name: messages_json(said) for name, said in self._shared.items()},
        }

    def follow(self, counts: Counts) -> None:
        """Take what these counts come to into the tally of the run."""
        self._counts.append(counts)

    def row(self, criterion: Criterion, outcome: Judgment | Unjudged, answer: Answer) -> None:
        """Take one answer, to be written with the next :meth:`flush`."""
        if self.recorder is not None:
            request = None if answer.cached else answer.request
            shared = self._shared[criterion.name]
            row = run_row(self._judge, criterion, outcome, answer, request, shared)
            if answer.reply is None and failed_cost(answer, self._price) is None:
                row["cost_usd"] = None
            self._rows.append(row)

    def flush(self) -> None:
        """Write the rows taken so far."""
        if self.recorder is not None and self._rows:
            self.recorder.write(self._rows)
            self._rows.clear()

    def tally(self) -> dict[str, Any]:
        """Return what the run has come to: every item is judged or unjudged."""
        unjudged: Counter[str] = Counter()
        set_aside: dict[str, str] = {}
        for counts in self._counts:
            unjudged.update(counts.unjudged)
            set_aside.update(counts.set_aside)
        total: dict[str, Any] = {
            name: sum(getattr(counts, name) for counts in self._counts)
            for name in (
                *("judged", "asked", "cached", "failed", "not_asked", "unpriced"),
                *("tokens_in", "tokens_out", "cost_usd"),
            )
        }
        named = islice(set_aside.items(), NAMED)
        return {
            "items": total["judged"] + unjudged.total(),
            **total,
            "cost_usd": None if total["unpriced"] else total["cost_usd"],
            "known_usd": total["cost_usd"],
            "set_aside": len(set_aside),
            "set_aside_rows": [{"key": key, "why": why} for key, why in named],
            "unjudged": dict(unjudged),
            "seconds": time.monotonic() - self._began,
        }


@contextlib.contextmanager
def watched_runs() -> Iterator[list[Recording]]:
    """Gather the recordings of the runs made inside, for whoever tells how they went."""
    found: list[Recording] = []
    token = _watched.set(found)
    try:
        yield found
    finally:
        _watched.reset(token)


def lanes_of(setup: JudgeSetup) -> list[str]:
    """Return the lanes that calls to a judge's models take, each once: ``direct``, ``litellm``.

    ``local`` stands for models in this process. Whether a call is made is another matter.
    """
    chosen = setup.entry.transport
    taken = (lane_of(m.model, m.api_base, chosen) for m in setup.judge.members)
    return list(dict.fromkeys(taken))


@contextlib.contextmanager
def record_run(
    setup: JudgeSetup, criteria: Sequence[Criterion], command: str, *, needed: bool = True
) -> Iterator[Recording]:
    """Keep a record of what is judged inside.

    Args:
        setup: The judge.
        criteria: What it judges.
        command: What the run is for.
        needed: A folder that cannot be written is an error; else the run goes without a record.

    Raises:
        StorageError: the record cannot be written.
    """
    recording = Recording(setup, criteria)
    if (watching := _watched.get()) is not None:
        watching.append(recording)
    recorder = RunRecorder(
        setup.project.runs,
        command=command,
        now=datetime.now(UTC),  # noqa: TID251  (the shell has the clock)
        about=recording.about(setup),
        tally=recording.tally,
    )
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(recorder)
        except StorageError:
            if needed:
                raise
            yield recording
            return
        recording.recorder = recorder
        yield recording
        recording.flush()
        recorder.finish("done", recording.tally())
