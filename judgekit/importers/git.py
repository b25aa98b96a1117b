"""The one place that runs git: it is asked what a repository stores, and nothing else.

What a repository configures is never run: no remote is asked for what is missing, no hook, no
watcher of files and no pager is called. Nor does git look elsewhere than in the folder that was
named, whatever the environment says (a hook of git's own sets ``GIT_DIR`` and others).
"""

from __future__ import annotations

import os
import subprocess
from typing import NamedTuple

from judgekit.errors import InputError

_TIMEOUT = 30.0
_OURS = {
    "GIT_ALLOW_PROTOCOL": "none",  # no protocol has this name, so none is allowed
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_OPTIONS = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
)


class Answer(NamedTuple):
    """What git said.

    Attributes:
        data: What it wrote, as far as it came.
        trouble: Why it ended before it was done, in its own words; empty where it was.
    """

    data: bytes
    trouble: str = ""


def ask_git(folder: str | os.PathLike[str], *arguments: str, asked: str = "") -> Answer:
    """Return what git says of the repository that a folder belongs to.

    Args:
        folder: The folder.
        arguments: A command of git that reads what is stored, such as ``cat-file``.
        asked: What the command reads from its input.

    Raises:
        InputError: git is not installed, takes too long, or cannot be asked that.
    """
    others = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603  (no shell)
            ["git", *_OPTIONS, "-C", os.fspath(folder), *arguments],  # noqa: S607
            input=asked.encode(),
            capture_output=True,
            check=False,
            timeout=_TIMEOUT,
            env=others | _OURS,
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"git did not answer within {_TIMEOUT:.0f} seconds") from None
    except FileNotFoundError:
        raise InputError(
            "git is not installed, which knows earlier revisions",
            hint="save the earlier version as a file of its own and name both files",
        ) from None
    except (OSError, ValueError) as error:  # a NUL in a name, too many names
        raise InputError(f"git cannot be asked: {error}") from None
    if not done.returncode:
        return Answer(done.stdout)
    said = done.stderr.decode("utf-8", "replace").strip().split("\n")
    fatal = next((line for line in said if line.startswith("fatal: ")), said[0])
    return Answer(done.stdout, fatal.removeprefix("fatal: ") or f"git ended with {done.returncode}")
