"""The exact prompt of a judge on the screen: what is the rubric's, and what the item's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.request import ModelRequest
from judgekit.reports.spans import Line, Span
from judgekit.reports.words import count, wrapped
from judgekit.rubric.fence import MARK_LENGTH, closing
from judgekit.running.prices import estimated_tokens

_OPENING = re.compile(rf"<<<(\w+) ([0-9a-f]{{{MARK_LENGTH}}})")
_HEADING, _FENCE, _DATA = "bold", "bold cyan", "cyan"


def prompt_lines(request: ModelRequest, *, measured: bool) -> list[Line]:
    """Return the messages of a request; texts that are only data stand out from instructions.

    Args:
        request: The request.
        measured: Whether each message tells its length.
    """
    lines: list[Line] = []
    for message in request.messages:
        lines += _block(message.role, message.text, measured=measured)
    task = request.likelihood
    if task is not None:
        told = f"prompt 1 of {len(task.prompts)}, read by which level's name would come next"
        lines += _block(told, task.prompts[0], measured=measured)
        examples = count(sum(map(len, task.held_out)), "worked example")
        said = f"levels: {', '.join(task.labels)}; bias measured on {examples}"
        lines += [[Span(line)] for line in wrapped(said)]
    return lines


def _block(name: str, text: str, *, measured: bool) -> list[Line]:
    size = f", {size_text(len(text))}" if measured else ""
    heading = [Span(f"--- {name}{size} ---", _HEADING)]
    return [heading, *fenced_lines(text), [Span("")]]


def size_text(characters: int) -> str:
    """Return ``812 characters, about 203 tokens``."""
    tokens = count(estimated_tokens(characters), "token")
    return f"{count(characters, 'character')}, about {tokens}"


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
