"""Runs command lines in processes of their own, each ended with kill -9 at a given step.

litellm is imported once, and every run is a fork of that. Each line on stdin is a JSON object:
``folder``, ``runs`` (command lines, run at the same time) and ``dies`` (the step before which a run
is killed; 0 never). What is done after one step is done before the next. The answer is a line with
the exit codes; -9 for one that was killed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from judgekit.api import batch_steps
from judgekit.cli.run import run
from judgekit.running.batch_client import BatchClient
from judgekit.running.cache import ReplyCache
from judgekit.running.litellm_client import import_litellm
from judgekit.storage.batches import BatchStore

STEPS = (
    *((BatchStore, name) for name in ("save", "_write")),
    *((BatchClient, name) for name in ("upload", "create", "retrieve", "content")),
    (ReplyCache, "put_many"),
)


def die_at(moment: int) -> None:
    """Let this process be killed right before a step, counted from 1."""
    passed = 0

    def dying(step: Callable[..., Any]) -> Callable[..., Any]:
        def done(*args: Any, **more: Any) -> Any:
            nonlocal passed
            passed += 1
            if passed == moment:
                os.kill(os.getpid(), signal.SIGKILL)
            return step(*args, **more)

        return done

    for owner, name in STEPS:
        setattr(owner, name, dying(getattr(owner, name)))


def start(folder: str, command: list[str], dies: int) -> int:
    """Fork a process that runs a command line; return its id."""
    child = os.fork()
    if child:
        return child
    os.chdir(folder)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    if dies:
        die_at(dies)
    os._exit(run(command))


def main() -> None:
    """Do what stdin says, line by line."""
    import_litellm()
    batch_steps.SETTLE_S = 0.5
    for line in sys.stdin:
        told = json.loads(line)
        ids = [start(told["folder"], command, told["dies"]) for command in told["runs"]]
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in ids]
        sys.stdout.write(json.dumps(codes) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
