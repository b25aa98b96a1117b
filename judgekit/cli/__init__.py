"""The command line. Nothing but this file is imported until a command is known."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code (see ``judgekit --help``)."""
    from judgekit.cli.run import run

    sys.exit(run(sys.argv[1:]))
