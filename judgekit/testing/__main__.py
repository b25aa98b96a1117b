"""``python -m judgekit.testing``: the stub server as a process of its own."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading

from judgekit.testing.faults import FAULTS, parse_faults
from judgekit.testing.server import StubServer


def main(arguments: list[str] | None = None) -> None:
    """Serve until interrupted; the first line on stdout is the address."""
    width = max(map(len, FAULTS))
    parser = argparse.ArgumentParser(
        prog="python -m judgekit.testing",
        description="An OpenAI-compatible stub model server on 127.0.0.1.",
        epilog="faults:\n" + "\n".join(f"  {name:{width}}  {FAULTS[name]}" for name in FAULTS),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--latency-ms", type=float, default=20.0)
    parser.add_argument("--faults", default="", help="e.g. 429=0.05,hang=0.01")
    parser.add_argument("--retry-after", type=float, default=1.0, help="seconds a 429 asks for")
    parser.add_argument("--hang-s", type=float, default=60.0, help="seconds a hanging reply takes")
    parser.add_argument("--levels", help="regular expression that finds the levels in a prompt")
    parser.add_argument("--served", help="the model name that replies carry")
    parser.add_argument(
        "--refuses",
        default="",
        help="parameters answered by 400, e.g. temperature,seed; also: system, images",
    )
    given = parser.parse_args(arguments)
    server = StubServer(
        port=given.port,
        latency_ms=given.latency_ms,
        faults=parse_faults(given.faults),
        retry_after=given.retry_after,
        hang_s=given.hang_s,
        levels=given.levels,
        served=given.served,
        refuses=tuple(name.strip() for name in given.refuses.split(",") if name.strip()),
    )
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    with server:
        sys.stdout.write(f"{server.base_url}\n")
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            ended.wait()


if __name__ == "__main__":
    main()
