"""What does the reply cache cost?

Run from the repository: ``python benchmarks/cache.py`` (about a minute) or ``--quick``.

- Microseconds of CPU for each reply: read and written one by one, and many at a time; beside it
  diskcache's own ``get`` and ``set``, in a folder of the same settings with a Disk that refuses
  pickles, so that both do the same work. A reply is 600 bytes of JSON.
- Four processes that write and read one folder at once: replies a second, all together. None may
  be lost.

Rounds of the candidates alternate, so that a busy moment falls on all of them; the figure is the
best round.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from pathlib import Path

import diskcache

from judgekit.judging.request import ModelReply
from judgekit.running.cache import ReplyCache
from judgekit.running.cache_schema import SETTINGS
from judgekit.running.stored import decode, encode
from judgekit.running.textdisk import TextDisk

REPLY = ModelReply(
    '{"reason": "' + "the answer says what the context says, and claims no more. " * 7 + '"}',
    "stop",
    served="gpt-4.1-mini-2025-04-14",
    tokens_in=812,
    tokens_out=77,
    cost_usd=0.000448,
    latency_s=0.8125,
)
PROCESS = """
import sys
from benchmarks.cache import REPLY, key
from judgekit.running.cache import ReplyCache
cache, count = ReplyCache(sys.argv[1]), int(sys.argv[3])
keys = [key(f"{sys.argv[2]} {n}") for n in range(count)]
for start in range(0, count, 64):
    cache.put_many((key, REPLY) for key in keys[start : start + 64])
    assert len(cache.get_many(keys[: start + 64])) == min(count, start + 64)
cache.close()
"""


def key(name: object) -> str:
    """Return the key of a made-up request."""
    return sha256(str(name).encode()).hexdigest()


def batches(keys: list[str], size: int) -> Iterable[list[str]]:
    """Deal keys out, ``size`` at a time."""
    return (keys[start : start + size] for start in range(0, len(keys), size))


def cpu(work: Callable[[], object], count: int) -> float:
    """Return the microseconds of CPU that each of ``count`` replies takes."""
    started = time.process_time()
    work()
    return (time.process_time() - started) / count * 1e6


class Bench:
    """Two folders with the same replies, and what is done with them."""

    def __init__(self, root: Path, count: int) -> None:
        self.ours = ReplyCache(root / "ours")
        folder = str(root / "theirs")
        self.theirs = diskcache.Cache(folder, disk=TextDisk, **SETTINGS)
        self.keys = [key(n) for n in range(count)]
        self.text = encode(REPLY)
        self.fresh = 0
        for batch in batches(self.keys, 500):
            self.ours.put_many((key, REPLY) for key in batch)
            with self.theirs.transact():
                for one in batch:
                    self.theirs.set(one, self.text)
        random.Random(1).shuffle(self.keys)

    def new(self, count: int) -> list[str]:
        """Return keys that were never used."""
        self.fresh += count
        return [key(f"new {n}") for n in range(self.fresh - count, self.fresh)]

    def their_get(self, count: int) -> float:
        """Look up one by one with diskcache."""
        return cpu(lambda: [decode(self.theirs.get(k)) for k in self.keys[:count]], count)

    def their_set(self, count: int) -> float:
        """Write one by one with diskcache."""
        keys = self.new(count)
        return cpu(lambda: [self.theirs.set(k, encode(REPLY)) for k in keys], count)

    def get(self, count: int, size: int) -> float:
        """Look up ``size`` at a time."""
        parts = batches(self.keys[:count], size)
        return cpu(lambda: [self.ours.get_many(part) for part in parts], count)

    def put(self, count: int, size: int) -> float:
        """Write ``size`` at a time."""
        parts = batches(self.new(count), size)
        return cpu(lambda: [self.ours.put_many((k, REPLY) for k in p) for p in parts], count)


def alone(root: Path, quick: bool) -> None:  # noqa: FBT001
    """Print what one process needs."""
    bench = Bench(root, 5_000 if quick else 50_000)
    few, many, rounds = (300, 2_000, 3) if quick else (2_000, 10_000, 7)
    candidates: dict[str, Callable[[], float]] = {
        "diskcache get": partial(bench.their_get, few),
        "get_many 1": partial(bench.get, few, 1),
        "get_many 16": partial(bench.get, many, 16),
        "get_many 500": partial(bench.get, many, 500),
        "diskcache set": partial(bench.their_set, few),
        "put_many 1": partial(bench.put, few, 1),
        "put_many 64": partial(bench.put, many, 64),
        "put_many 500": partial(bench.put, many, 500),
        "encode": lambda: cpu(lambda: [encode(REPLY) for _ in range(many)], many),
        "decode": lambda: cpu(lambda: [decode(bench.text) for _ in range(many)], many),
    }
    best = dict.fromkeys(candidates, float("inf"))
    for _ in range(rounds):
        for name, work in candidates.items():
            best[name] = min(best[name], work())
    bench.ours.close()
    bench.theirs.close()
    print(f"{'a reply':<16}{'CPU, us':>10}")
    for name, figure in best.items():
        print(f"{name:<16}{figure:>10.1f}")


def together(root: Path, count: int) -> None:
    """Print what four processes do on one folder."""
    started = time.perf_counter()
    command = [sys.executable, "-c", PROCESS, str(root)]
    processes = [subprocess.Popen([*command, f"p{n}", str(count)]) for n in range(4)]
    if any(process.wait() for process in processes):
        raise SystemExit("a process failed")
    took = time.perf_counter() - started
    with ReplyCache(root) as cache:
        kept = cache.stats().entries
    print(f"\n4 processes: {4 * count / took:,.0f} replies/s written, {4 * count - kept} lost")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer replies, rougher figures")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as folder:
        alone(Path(folder), quick)
        together(Path(folder, "shared"), 500 if quick else 3_000)


if __name__ == "__main__":
    main()
