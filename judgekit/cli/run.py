"""One run of the command line: parsing, exit codes, and errors without tracebacks."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

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


def run(argv: Sequence[str]) -> int:
    """Run one command line and return its exit code.

    0 fine; 1 measured, and it falls short; 2 bad usage or input, nothing done; 3 refused by the
    gate, nothing scored; 4 model calls failed or the budget ran out; 130 interrupted; 141 nobody
    reads what is printed any more, as behind ``| head``.
    """
    _prepare_streams()
    try:
        return _flushed(_run(argv))
    except BrokenPipeError:
        _let_go(sys.stdout)
        _let_go(sys.stderr)
        return NOBODY_READS


def _run(argv: Sequence[str]) -> int:
    """Run one command line; only a reader who went is left to the caller."""
    debug = "--debug" in argv
    arguments = [a for a in argv if a != "--debug"]
    as_json = "--json" in arguments
    try:
        return _dispatch(arguments)
    except JudgekitError as error:
        if debug:
            _print_traceback()
        return _report(error, as_json=as_json)
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        print("\nStopped. What was answered is kept; run it again to go on.", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  (no traceback ever reaches a user)
        if debug:
            _print_traceback()
        bug = JudgekitError(
            f"this is a bug in judgekit: {type(error).__name__}: {error}",
            hint="run it again with --debug to see where, and report it",
        )
        return _report(bug, as_json=as_json)


def _flushed(code: int) -> int:
    """Hand on what was printed, while a trouble with it can still be told; return the exit code."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _let_go(sys.stdout)
        print(f"what was printed cannot be written: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    return code


def _let_go(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, or the interpreter complains of it at its end."""
    with contextlib.suppress(OSError, ValueError):  # of a test, without a file
        stream.flush()
        return
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _prepare_streams() -> None:
    """Let no closed stream and no narrow encoding of the terminal stand in a result's way."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or getattr(stream, "closed", False):
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


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

    sys.stderr.write(Secrets().hide(traceback.format_exc()))


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
            print("\n".join(refusal_lines(error)), file=sys.stderr)
        return REFUSED
    if as_json:
        _print_json(error_json(error))
    else:
        text = error.message if isinstance(error, RubricError) else str(error)
        print("\n".join(error_lines(text, error.hint)), file=sys.stderr)
    return CALLS_FAILED if isinstance(error, JudgingError) else BAD_INPUT


def _print_json(document: object) -> None:
    from judgekit.cli.screen import print_json

    print_json(document)
