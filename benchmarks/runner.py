"""What judging costs beside the bare calls: ``python benchmarks/runner.py [--quick] [--only ...]``.

Everything is measured in one run against a stub server with 20 ms latency, ratios from pairs that
take turns, since a machine is never quiet. The runner's side holds all of it: reading the items,
rendering, keys, the durable cache, reading the replies and the record of the run.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.runner_loops import (
    Took,
    bare_aiohttp,
    bare_litellm,
    current_mb,
    peak_mb,
    runner,
    timed,
    wanted,
)
from benchmarks.runner_project import make_project, write_items

AT_ONCE = 64


class Sizes(NamedTuple):
    """How much is measured."""

    pairs: int
    litellm_items: int
    direct_items: int
    warm: int
    streamed: int


FULL = Sizes(pairs=18, litellm_items=300, direct_items=3000, warm=100_000, streamed=100_000)
QUICK = Sizes(pairs=4, litellm_items=150, direct_items=1500, warm=10_000, streamed=10_000)


class Bench:
    """A place to work in, and a server to ask."""

    def __init__(self, folder: Path, base: str, sizes: Sizes) -> None:
        self.folder, self.base, self.sizes = folder, base, sizes
        self._numbers = itertools.count()
        self._first = 0

    def fresh(self) -> Path:
        """Return a folder nobody has used."""
        return self.folder / f"project-{next(self._numbers)}"

    def items(self, count: int) -> Path:
        """Write items nobody has asked about."""
        path = self.folder / f"items-{next(self._numbers)}.jsonl"
        write_items(path, count, self._first)
        self._first += count
        return path

    def stats(self) -> dict[str, Any]:
        """Return what the server has counted."""
        with urllib.request.urlopen(self.base.removesuffix("/v1") + "/stats") as answer:  # noqa: S310
            return dict(json.load(answer))


def take_turns(sides: dict[str, Callable[[], Took]], rounds: int) -> dict[str, Took]:
    """Run the sides in turn, rotating who goes first; return what each took in sum."""
    sums = {name: Took(0.0, 0.0, 0) for name in sides}
    names = list(sides)
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            gc.collect()
            took = sides[name]()
            before = sums[name]
            sums[name] = Took(*(a + b for a, b in zip(before, took, strict=True)))
    return sums


def report(sums: dict[str, Took], bare: str, bars: tuple[float, float]) -> None:
    """Print each side, and its ratios to the bare loop."""
    for name, took in sums.items():
        cpu, wall = took.cpu / sums[bare].cpu, took.wall / sums[bare].wall
        print(
            f"  {name:26}{took.cpu / took.items * 1e3:8.3f} ms CPU an item"
            f"{took.items / took.wall:9.0f} items/s   CPU x {cpu:.2f}   wall x {wall:.2f}"
        )
    print(f"  asked: CPU at most x {bars[0]}, wall at most x {bars[1]}")


def default_lane(bench: Bench) -> None:
    """Default lane against bare litellm, with bare against bare for the noise."""
    print(f"default lane, {AT_ONCE} at a time, {bench.sizes.pairs} rounds")
    count = bench.sizes.litellm_items

    def bare() -> Took:
        items = bench.items(count)
        asked = wanted(bench.fresh(), bench.base, items)
        return timed(bare_litellm(bench.base, asked, AT_ONCE))

    def ours() -> Took:
        items = bench.items(count)
        return timed(runner(bench.fresh(), bench.base, items, AT_ONCE, "litellm"))

    bare()
    ours()
    sides = {"bare litellm": bare, "bare litellm, again": bare, "judgekit": ours}
    report(take_turns(sides, bench.sizes.pairs), "bare litellm", (1.15, 1.2))


def direct_lane(bench: Bench) -> None:
    """Direct lane against a bare aiohttp loop."""
    print(f"direct lane, {AT_ONCE} at a time, {bench.sizes.pairs} rounds")
    count = bench.sizes.direct_items

    def bare() -> Took:
        items = bench.items(count)
        asked = wanted(bench.fresh(), bench.base, items)
        return timed(bare_aiohttp(bench.base, asked, AT_ONCE))

    def ours() -> Took:
        items = bench.items(count)
        return timed(runner(bench.fresh(), bench.base, items, AT_ONCE, "direct"))

    bare()
    ours()
    sides = {"bare aiohttp": bare, "bare aiohttp, again": bare, "judgekit": ours}
    report(take_turns(sides, bench.sizes.pairs), "bare aiohttp", (2.0, 1.5))


def in_flight(bench: Bench) -> None:
    """CPU for an item with 256 calls in flight against 16."""
    print("direct lane, 256 at a time against 16")
    count = bench.sizes.direct_items

    def ours(at_once: int) -> Took:
        items = bench.items(count)
        return timed(runner(bench.fresh(), bench.base, items, at_once, "direct"))

    sides = {"16 at a time": lambda: ours(16), "256 at a time": lambda: ours(256)}
    report(take_turns(sides, max(3, bench.sizes.pairs // 4)), "16 at a time", (2.0, 1.0))


def warm(bench: Bench) -> None:
    """A second run over everything: no request, and how many items a second of CPU."""
    count = bench.sizes.warm
    print(f"warm re-run of {count:,} judgments, in a process of its own")
    items, project = bench.items(count), bench.fresh()
    for name in ("cold", "warm", "warm"):
        before = bench.stats()["requests"]
        told = child("run", project, bench.base, items)
        asked = bench.stats()["requests"] - before
        rate = count / told["cpu"]
        print(
            f"  {name}: {asked:,} requests; {told['judged']:,} judged; {rate:,.0f} items a second "
            f"of CPU; {told['wall']:.1f} s; peak memory {told['peak_mb']:.0f} MB"
        )
    print("  asked: 0 requests when warm, 20,000 items a second of CPU")


def memory(bench: Bench) -> None:
    """How much memory a long run holds, cold, on the direct lane."""
    count = bench.sizes.streamed
    print(f"{count:,} items streamed through the direct lane, 256 at a time")
    told = child("run", bench.fresh(), bench.base, bench.items(count), "--at-once", "256")
    print(
        f"  {told['judged']:,} judged; peak memory {told['peak_mb']:.0f} MB; after a tenth of it "
        f"{told['early_mb']:.0f} MB, at the end {told['late_mb']:.0f} MB; "
        f"{count / told['wall']:.0f} items/s, {told['cpu'] / count * 1e3:.3f} ms CPU an item"
    )
    print("  asked: under 150 MB for a million items (--items 1000000)")


def start(bench: Bench) -> None:
    """From the start of the process to the first judgment of a fully cached run."""
    print("start of a fully cached run, seconds to the first judgment")
    items, project = bench.items(200), bench.fresh()
    child("run", project, bench.base, items)
    walls, cpus, loaded = [], [], set()
    for _ in range(5):
        began = time.time()
        told = child("run", project, bench.base, items, "--first")
        walls.append(told["at"] - began)
        cpus.append(told["cpu"])
        loaded |= set(told["heavy"])
    print(f"  wall {min(walls):.2f} to {max(walls):.2f} s, CPU {min(cpus):.2f} s at best")
    print(f"  heavy packages loaded: {', '.join(sorted(loaded)) or 'none'};  asked: under 0.7 s")


def child(command: str, project: Path, base: str, items: Path, *more: str) -> dict[str, Any]:
    """Run the runner in a process of its own and return what it tells."""
    script = [sys.executable, str(Path(__file__)), command, str(project), base, str(items), *more]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(script, check=True, capture_output=True, text=True, env=environment)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def run_child(arguments: list[str]) -> None:
    """Be the process that `child` starts."""
    import asyncio
    import contextlib

    from judgekit.api.runtime import judge_stream
    from judgekit.importers.itemstream import ItemFile

    parser = argparse.ArgumentParser()
    parser.add_argument("project", type=Path)
    parser.add_argument("base")
    parser.add_argument("items", type=Path)
    parser.add_argument("--at-once", type=int, default=AT_ONCE)
    parser.add_argument("--first", action="store_true")
    given = parser.parse_args(arguments)
    told: dict[str, Any] = {"judged": 0}

    async def main() -> None:
        setup = make_project(
            given.project, given.base, transport="direct", concurrency=given.at_once
        )
        items = ItemFile(given.items, inputs=setup.judge.rubric.inputs)
        stream = judge_stream(setup, items)
        async with contextlib.aclosing(stream):
            async for batch in stream:
                told["judged"] += sum(one.outcome.raw is not None for one in batch)
                if given.first:
                    told["at"] = time.time()
                    break
                if "early_mb" not in told and told["judged"] >= len(items) // 10:
                    told["early_mb"] = current_mb()

    began = time.perf_counter()
    asyncio.run(main())
    heavy = ("litellm", "aiohttp", "sklearn", "numpy", "scipy")
    told |= {
        "cpu": time.process_time(),
        "wall": time.perf_counter() - began,
        "peak_mb": peak_mb(),
        "late_mb": current_mb(),
        "heavy": [name for name in heavy if name in sys.modules],
    }
    print(json.dumps(told))


@contextmanager
def server(latency_ms: float) -> Iterator[str]:
    """Start the stub server in a process of its own."""
    command = [sys.executable, "-m", "judgekit.testing", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--latency-ms", str(latency_ms)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None  # noqa: S101  (it is a pipe)
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


SECTIONS: dict[str, Callable[[Bench], None]] = {
    "default": default_lane,
    "direct": direct_lane,
    "in-flight": in_flight,
    "warm": warm,
    "memory": memory,
    "start": start,
}


def main() -> None:
    """Measure what is asked for."""
    if sys.argv[1:2] == ["run"]:
        run_child(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a minute instead of ten")
    parser.add_argument(
        "--only", choices=SECTIONS, action="append", help="this section; repeatable"
    )
    parser.add_argument("--items", type=int, help="how many are streamed in the section memory")
    parser.add_argument("--server", help="address (.../v1) of a stub server that is running")
    given = parser.parse_args()
    sizes = QUICK if given.quick else FULL
    if given.items:
        sizes = sizes._replace(streamed=given.items)
    with tempfile.TemporaryDirectory() as folder:
        if given.server:
            measure(Bench(Path(folder), given.server, sizes), given.only)
            return
        with server(20.0) as base:
            measure(Bench(Path(folder), base, sizes), given.only)


def measure(bench: Bench, only: list[str] | None) -> None:
    """Run the sections."""
    for name in only or SECTIONS:
        SECTIONS[name](bench)
        print(flush=True)


if __name__ == "__main__":
    main()
