"""The loops that the runner is compared with, and the runner, each over the same items."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.runner_project import bodies, make_project
from judgekit.api.runtime import How, judge_stream
from judgekit.importers.itemstream import ItemFile


class Took(NamedTuple):
    """What a run took: seconds of CPU of this process and on the wall, and items answered."""

    cpu: float
    wall: float
    items: int


def timed(work: Coroutine[Any, Any, int]) -> Took:
    """Run to the end and measure."""
    wall, cpu = time.perf_counter(), time.process_time()
    count = asyncio.run(work)
    return Took(time.process_time() - cpu, time.perf_counter() - wall, count)


async def bare_aiohttp(base: str, wanted: list[dict[str, Any]], at_once: int) -> int:
    """Post JSON, parse the reply, parse its content: nothing else."""
    import aiohttp

    slots = asyncio.Semaphore(at_once)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def ask(body: dict[str, Any]) -> bool:
            async with slots, session.post(f"{base}/chat/completions", json=body) as response:
                reply = await response.json()
            return "level" in json.loads(reply["choices"][0]["message"]["content"])

        return sum(await asyncio.gather(*(ask(body) for body in wanted)))


async def bare_litellm(base: str, wanted: list[dict[str, Any]], at_once: int) -> int:
    """Call litellm, parse the content: nothing else."""
    from judgekit.running.litellm_client import import_litellm

    litellm = import_litellm()
    slots = asyncio.Semaphore(at_once)

    async def ask(body: dict[str, Any]) -> bool:
        given = {**body, "model": f"openai/{body['model']}"}
        async with slots:
            response = await litellm.acompletion(
                **given, api_base=base, api_key="none", max_retries=0, num_retries=0
            )
        return "level" in json.loads(response.choices[0].message.content)

    return sum(await asyncio.gather(*(ask(body) for body in wanted)))


async def runner(folder: Path, base: str, items: Path, at_once: int, transport: str) -> int:
    """Everything: project, rubric, items, cache, calls, reading, the record of the run."""
    setup = make_project(folder, base, transport=transport, concurrency=at_once)
    found = ItemFile(items, inputs=setup.judge.rubric.inputs)
    judged = 0
    stream = judge_stream(setup, found, how=How())
    async with contextlib.aclosing(stream):
        async for batch in stream:
            judged += sum(one.outcome.raw is not None for one in batch)
    return judged


def wanted(folder: Path, base: str, items: Path) -> list[dict[str, Any]]:
    """Return what the bare loops send."""
    return bodies(make_project(folder, base, transport="direct", concurrency=1), items)


def peak_mb() -> float:
    """Return the most memory this process has held, in MB.

    Not by ``getrusage``, which counts what the process that started it held.
    """
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def current_mb() -> float:
    """Return the memory this process holds now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
