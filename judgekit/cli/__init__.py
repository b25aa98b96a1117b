"""The command line. Nothing but this file is imported until a command is known."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code (see ``judgekit --help``)."""
    try:
        from judgekit.cli.run import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before there was a command to stop
        sys.stderr.write("\nStopped.\n")
        code = 130
    sys.exit(code)
