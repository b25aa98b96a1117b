"""The one place that runs git: it is asked what a repository stores, and nothing else.

What a repository configures is never run: no remote is asked for what is missing, no hook, no
watcher of files and no pager is called. Nor does git look elsewhere than in the folder that was
named, whatever the environment says (a hook of git's own sets ``GIT_DIR`` and others). What the
environment says of folders that git may trust (``safe.directory``) is left to it: where the
repository belongs to somebody else, as in many a container, git answers nothing without.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from judgekit.errors import InputError

_TIMEOUT = 30.0
_OURS = {
    "GIT_ALLOW_PROTOCOL": "none",  # no protocol has this name, so none is allowed
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_FILES = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
"""Where the user's own configuration is; a repository has no say in it."""
_TRUST = "safe.directory"
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
    kept = {n: v for n, v in os.environ.items() if not n.startswith("GIT_") or n in _FILES}
    trusted = [word for place in _trusted() for word in ("-c", f"{_TRUST}={place}")]
    try:
        done = subprocess.run(  # noqa: S603  (no shell)
            ["git", *_OPTIONS, *trusted, "-C", os.fspath(folder), *arguments],  # noqa: S607
            input=asked.encode(),
            capture_output=True,
            check=False,
            timeout=_TIMEOUT,
            env=kept | _OURS,
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


def _trusted() -> Iterator[str]:
    """Yield the folders that the environment tells git to trust, in both ways to say so."""
    with contextlib.suppress(ValueError):  # quotes that are left open
        for word in shlex.split(os.environ.get("GIT_CONFIG_PARAMETERS", "")):
            key, given, value = word.partition("=")
            if given and key.lower() == _TRUST:
                yield value
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    for number in range(int(count) if count.isdecimal() and len(count) < 5 else 0):
        if os.environ.get(f"GIT_CONFIG_KEY_{number}", "").lower() == _TRUST:
            yield os.environ.get(f"GIT_CONFIG_VALUE_{number}", "")
