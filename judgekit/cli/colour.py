"""Lines whose colours help and never are the message: styled on a screen that has colours."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from judgekit.cli.screen import show
from judgekit.reports.spans import Line, plain
from judgekit.reports.words import printable


def in_colour() -> bool:
    """Tell whether what is printed can be coloured: a terminal, or one is asked for."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty() or "FORCE_COLOR" in os.environ


def show_spans(lines: Sequence[Line], *, coloured: bool) -> None:
    """Print lines, in colours or plain."""
    if not coloured:
        show([plain(line) for line in lines])
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(soft_wrap=True, highlight=False, markup=False, emoji=False)
    for line in lines:
        text = Text()
        for span in line:
            text.append(printable(span.text), span.style)
        console.print(text)
