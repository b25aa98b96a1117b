"""The exact prompt of a judge on the screen: what is the rubric's, and what the item's."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from judgekit.judging.request import ModelRequest
from judgekit.reports.spans import Line, Span
from judgekit.reports.words import count, wrapped
from judgekit.rubric.fence import MARK_LENGTH, closing

_OPENING = re.compile(rf"<<<(\w+) ([0-9a-f]{{{MARK_LENGTH}}})")
_HEADING, _FENCE, _DATA = "bold", "bold cyan", "cyan"


def prompt_lines(request: ModelRequest, sizes: Sequence[str] = ()) -> list[Line]:
    """Return the messages of a request; texts that are only data stand out from instructions.

    Args:
        request: The request.
        sizes: What to say of the length of each message; nothing where it is not told.
    """
    lines: list[Line] = []
    for message, size in zip_longest(request.messages, sizes[: len(request.messages)]):
        lines += _block(f"{message.role}, {size}" if size else message.role, message.text)
    task = request.likelihood
    if task is not None:
        told = f"prompt 1 of {len(task.prompts)}, read by which level's name would come next"
        lines += _block(told, task.prompts[0])
        examples = count(sum(map(len, task.held_out)), "worked example")
        said = f"levels: {', '.join(task.labels)}; bias measured on {examples}"
        lines += [[Span(line)] for line in wrapped(said)]
    return lines


def _block(name: str, text: str) -> list[Line]:
    return [[Span(f"--- {name} ---", _HEADING)], *fenced_lines(text), [Span("")]]


def size_text(characters: int, tokens: int, table: str | None) -> str:
    """Return ``812 characters, about 203 tokens (characters / 4)``.

    Args:
        characters: How long a text is.
        tokens: How many tokens that is.
        table: What they were counted with; None for an estimate.
    """
    how = f"{count(tokens, 'token')} ({table})"
    if table is None:
        how = f"about {count(tokens, 'token')} (characters / 4)"
    return f"{count(characters, 'character')}, {how}"


def folded(line: Line, width: int) -> Iterator[Line]:
    """Yield a line in pieces that a screen shows whole, broken between words; all of one style."""
    (span,) = line
    pieces = textwrap.wrap(
        span.text,
        width,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for piece in pieces or [""]:
        yield [Span(piece, span.style)]


def fenced_lines(text: str) -> Iterator[Line]:
    """Yield the lines of a prompt, those of a fence and of what stands in it with their styles.

    A text cannot hold the mark it stands between, so what looks like a fence inside one is data.
    """
    lines = text.split("\n")
    end = -1
    for at, line in enumerate(lines):
        opened = _OPENING.fullmatch(line) if at > end else None
        if opened:
            last = closing(opened[1], opened[2])
            end = lines.index(last, at) if last in lines[at:] else -1
        fence = at == end or (opened is not None and end > at)
        yield [Span(line, _FENCE if fence else _DATA if at < end else "")]
