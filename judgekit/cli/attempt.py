"""``judgekit try``."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from judgekit.api.runtime import How, Judged, judge_stream
from judgekit.cli import options as opt
from judgekit.cli.run import CALLS_FAILED, FINE
from judgekit.cli.screen import print_json, progress, remark, show, told_at_end
from judgekit.errors import InputError, ModelCallError
from judgekit.importers.itemstream import ItemFile
from judgekit.judging.judgment import Judgment
from judgekit.reports.rows import trial_row
from judgekit.reports.words import wrapped
from judgekit.running.bridge import run_blocking
from judgekit.storage.disk import check_output, is_stream, writing

STAMP = "uncalibrated: levels of single items only; no figure over items until certified"
Sink = Callable[[Judged], None]


def attempt(
    ctx: typer.Context,
    judge: opt.JudgeName,
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="The items: JSONL or CSV.")],
    model: opt.Model = None,
    criterion: opt.CriterionName = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first N items.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write one JSONL row an item, as the answers come."),
    ] = None,
    api_base: opt.ApiBase = None,
    api_key_env: opt.ApiKeyEnv = None,
    concurrency: opt.Concurrency = None,
    max_cost: opt.MaxCost = None,
    max_time: opt.MaxTime = None,
    transport: opt.Transport = None,
    offline: opt.Offline = False,
    refresh: opt.Refresh = False,
    as_json: opt.Json = False,
) -> int:
    """Show levels and reasons item by item, stamped uncalibrated; no aggregate of any kind."""
    setup = opt.setup_of(ctx.params)
    rubric = setup.judge.rubric
    criteria = [rubric.criterion(criterion)] if criterion else list(rubric.criteria)
    if out is not None:
        check_output(out, items, *opt.files_of(setup, ctx.params))
    found = ItemFile(items, inputs=rubric.inputs, limit=limit)
    if not len(found):
        raise InputError("there are no items to judge", file=items)
    counts = _Counts()
    rows: list[dict[str, Any]] = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(told_at_end(quiet=as_json))
        if out is not None:
            sink = stack.enter_context(_into_file(Path(out)))
        else:
            then = rows.append if as_json else _shown(several=len(criteria) > 1)
            sink = _in_order(found, [c.name for c in criteria], then)
        title = f"Trying {setup.judge.model}"
        report = stack.enter_context(progress(title, quiet=as_json or out is None))
        how = How(progress=report, max_cost_usd=max_cost, offline=offline, refresh=refresh)

        async def run() -> None:
            stream = judge_stream(setup, found, criteria=criteria, how=how, command="try")
            async with contextlib.aclosing(stream):
                async for batch in stream:
                    for judged in batch:
                        counts.add(judged)
                        sink(judged)

        run_blocking(run)
    _conclude(counts, rows, out, as_json=as_json)
    if counts.failure is None:
        return FINE
    again = counts.failure.hint or "run it again: what was answered is kept"
    remark([] if as_json else [*wrapped(str(counts.failure.message)), *wrapped(again)])
    return CALLS_FAILED


class _Counts:
    """How many items have a level, why the others have none, and the first call that failed."""

    def __init__(self) -> None:
        self.judged = 0
        self.causes: Counter[str] = Counter()
        self.failure: ModelCallError | None = None

    def add(self, judged: Judged) -> None:
        """Count one item."""
        if isinstance(judged.outcome, Judgment):
            self.judged += 1
        else:
            self.causes[judged.outcome.cause] += 1
        if self.failure is None:
            self.failure = next((a.failure for a in judged.answers if a.failure), None)

    @property
    def told(self) -> str:
        """How many, and why not."""
        causes = ", ".join(f"{cause} {n:,}" for cause, n in self.causes.most_common())
        lost = self.causes.total()
        return f"{self.judged:,} judged, {lost:,} not" + (f" ({causes})" if causes else "")


@contextlib.contextmanager
def _into_file(path: Path) -> Iterator[Sink]:
    """Write rows to a file, in the order they come."""
    with writing(path) as write:

        def sink(judged: Judged) -> None:
            row = trial_row(judged.outcome, judged.criterion)
            try:
                line = orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
            except TypeError:  # half a surrogate pair, which models do send
                text = str(row["reason"]).encode("utf-8", "backslashreplace").decode()
                line = orjson.dumps({**row, "reason": text}, option=orjson.OPT_APPEND_NEWLINE)
            write(line)

        yield sink


def _in_order(items: ItemFile, criteria: list[str], then: Callable[[dict[str, Any]], None]) -> Sink:
    """Hand rows on in the order of the items, each as soon as those before it are there."""
    expected = ((item.id, name) for item in items for name in criteria)
    waiting: dict[tuple[str, str], dict[str, Any]] = {}
    following = [next(expected)]

    def sink(judged: Judged) -> None:
        row = trial_row(judged.outcome, judged.criterion)
        waiting[judged.item.id, judged.criterion.name] = row
        while following and following[0] in waiting:
            then(waiting.pop(following.pop()))
            following.extend(pair for pair in [next(expected, None)] if pair is not None)

    return sink


def _shown(*, several: bool) -> Callable[[dict[str, Any]], None]:
    def then(row: dict[str, Any]) -> None:
        what = f"{row['item_id']}, {row['criterion']}" if several else row["item_id"]
        said = row["level"] or (f"unjudged ({row['cause']})" if row["cause"] else "not applicable")
        lines = [f"{what}: {said}{_votes(row.get('votes') or ())}"]
        if row["reason"]:
            lines += wrapped(" ".join(str(row["reason"]).split()), first="    ", rest="    ")
        show(lines)

    return then


def _votes(votes: Sequence[dict[str, Any]]) -> str:
    """Return the single answers behind a level, where there were several."""
    told = [f"{v['order']} " * bool(v["order"]) + str(v["level"] or v["cause"]) for v in votes]
    return f"  ({', '.join(told)})" if told else ""


def _conclude(
    counts: _Counts, rows: list[dict[str, Any]], out: str | None, *, as_json: bool
) -> None:
    head = {"format": "judgekit.trial/1", "calibrated": False}
    if as_json and out:
        unjudged = dict(counts.causes)
        print_json({**head, "out": out, "judged": counts.judged, "unjudged": unjudged})
    elif as_json:
        print_json({**head, "items": rows})
    elif out:
        lines = [f"{out}: {counts.told}", STAMP]
        remark(lines) if is_stream(Path(out)) else show(lines)  # the rows may be where this goes
    else:
        show(["", STAMP])
