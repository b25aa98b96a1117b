"""One run of the command line: parsing, exit codes, and errors without tracebacks."""

from __future__ import annotations

import contextlib
import sys
import traceback
from typing import TYPE_CHECKING

from judgekit.cli.streams import Output, Unwritten, let_go, prepare_streams
from judgekit.errors import (
    GateRefusal,
    InputError,
    JudgekitError,
    JudgingError,
    RubricError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

FINE, FALLS_SHORT, BAD_INPUT, REFUSED, CALLS_FAILED = range(5)
INTERRUPTED = 130
NOBODY_READS = 141
"""What a shell says of a program whose reader went: 128 and the number of SIGPIPE."""

_ASKING = frozenset(("try", "calibrate", "score", "batch", "draft", "improve"))
"""Commands that ask models: what is kept of their answers is worth a word."""


class Stopped(Exception):
    """Ctrl-C in a command that says itself what became of its work.

    A ``KeyboardInterrupt`` with words of its own would not do: typer makes an exit code of it.
    """


def run(argv: Sequence[str]) -> int:
    """Run one command line and return its exit code.

    0 fine; 1 measured, and it falls short; 2 bad usage or input, nothing done; 3 refused by the
    gate, nothing scored; 4 model calls failed or the budget ran out; 130 interrupted; 141 nobody
    reads what is printed any more, as behind ``| head``.
    """
    prepare_streams()
    with contextlib.redirect_stdout(Output(sys.stdout)):
        try:
            code = _run(argv)
            sys.stdout.flush()
        except BrokenPipeError:
            let_go(sys.stdout)
            let_go(sys.stderr)
            return NOBODY_READS
        except Unwritten as error:
            let_go(sys.stdout)
            _remark([f"what was printed cannot be written: {error}"])
            return BAD_INPUT
    return code


def _run(argv: Sequence[str]) -> int:
    """Run one command line; only trouble with standard output is left to the caller."""
    debug = "--debug" in argv
    arguments = [a for a in argv if a != "--debug"]
    as_json = "--json" in arguments
    try:
        return _dispatch(arguments)
    except JudgekitError as error:
        if debug:
            _print_traceback()
        return _report(error, as_json=as_json)
    except (BrokenPipeError, Unwritten):
        raise
    except (KeyboardInterrupt, Stopped) as stopped:
        kept = " What was answered is kept; run it again to go on."
        asks = not _ASKING.isdisjoint(arguments[:2])
        _remark(["", str(stopped) or f"Stopped.{kept if asks else ''}"])
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  (no traceback ever reaches a user)
        if debug:
            _print_traceback()
        bug = JudgekitError(
            f"this is a bug in judgekit: {type(error).__name__}: {error}",
            hint="run it again with --debug to see where, and report it",
        )
        return _report(bug, as_json=as_json)


def _dispatch(arguments: list[str]) -> int:
    from judgekit.cli.app import build

    try:
        code = build().main(args=arguments, prog_name="judgekit", standalone_mode=False)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # typer's way with a reader who went
            raise ended.__context__ from None
        raise
    except Exception as error:
        message = getattr(error, "format_message", None)  # what typer raises for wrong usage
        if message is None:
            raise
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "judgekit"
        raise InputError(message().rstrip("."), hint=f"see: {command} --help") from error
    if code == INTERRUPTED:  # typer turns Ctrl-C into an exit code
        raise KeyboardInterrupt
    return code if isinstance(code, int) else FINE


def _print_traceback() -> None:
    """Print the error being handled and what led to it, without any secret."""
    from judgekit.running.secrets import Secrets

    _remark([Secrets().hide(traceback.format_exc()).rstrip("\n")])


def _report(error: JudgekitError, *, as_json: bool) -> int:
    from judgekit.reports.documents import error_json, refusal_json
    from judgekit.reports.scores import error_lines, refusal_lines
    from judgekit.running.secrets import Secrets

    secrets = Secrets()
    error.message = secrets.hide_values(error.message)
    error.hint = None if error.hint is None else secrets.hide_values(error.hint)
    if isinstance(error, GateRefusal):
        if as_json:
            _print_json(refusal_json(error))
        else:
            _remark(refusal_lines(error))
        return REFUSED
    if as_json:
        _print_json(error_json(error))
    else:
        text = error.message if isinstance(error, RubricError) else str(error)
        _remark(error_lines(text, error.hint))
    return CALLS_FAILED if isinstance(error, JudgingError) else BAD_INPUT


def _print_json(document: object) -> None:
    from judgekit.cli.screen import print_json

    print_json(document)


def _remark(lines: Sequence[str]) -> None:
    from judgekit.cli.screen import remark

    remark(lines)
