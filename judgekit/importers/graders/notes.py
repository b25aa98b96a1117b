"""What is lost when a grader becomes a rubric: the rules, and where each was met."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container
from functools import cached_property
from itertools import islice

from judgekit.importers.graders.node import Node, Place, Unread
from judgekit.linting.violations import Violation

RULES = {
    "import-definition-missing": "IM01",
    "import-range-bare": "IM02",
    "import-scale-unknown": "IM03",
    "import-span": "IM04",
    "import-level-values": "IM05",
    "import-pass-line-missing": "IM06",
    "import-threshold": "IM07",
    "import-question-missing": "IM08",
    "import-several-questions": "IM09",
    "import-steps": "IM10",
    "import-answer-form": "IM11",
    "import-input-added": "IM12",
    "import-variable-unknown": "IM13",
    "import-inputs-shared": "IM14",
    "import-item-criterion": "IM15",
    "import-model": "IM16",
    "import-weight": "IM17",
    "import-turned-round": "IM18",
    "import-formula": "IM19",
    "import-code": "IM20",
    "import-file": "IM21",
    "import-not-a-judge": "IM22",
    "import-kinds-mixed": "IM23",
    "import-setting": "IM24",
    "import-renamed": "IM25",
    "import-picture": "IM26",
    "import-comparison": "IM27",
    "import-built-in": "IM28",
    "import-level-unread": "IM29",
    "import-definition-made": "IM30",
}
"""Rule -> its code. A rule says one thing, and a code is never given to another."""


_BLANK = r"(?:\s|\\[nt]|[\"'])+"
"""What may stand between two words of a text in a source: line breaks, or a text that goes on."""
_FIELD = re.compile(r"\[[^\]\n]*\]")
_MANY = 6
"""Words of a phrase that are looked for."""
_SEARCHES = 200
"""Times the whole source is searched for a phrase; each takes as long as the source is."""
_BEFORE = 5_000
"""Characters of a grader that may stand before the value the phrase is of."""


class Notes:
    """Collects what could not be carried over from one file.

    Args:
        file: The file, as the user named it.
        text: What stands in it.
    """

    def __init__(self, file: str, text: str = "") -> None:
        self.file = file
        self._source = text
        self._searches = _SEARCHES
        self._grader: Place | None = None
        self._found: dict[tuple[Place, str, str], tuple[Place | None, Violation]] = {}

    def begin(self, at: Place | None) -> None:
        """Say that what follows is of the grader defined here; None for the whole file."""
        self._grader = at

    def keep(self, graders: Container[Place]) -> None:
        """Forget what is of graders defined elsewhere than at these places."""
        for key, (grader, _) in list(self._found.items()):
            if grader is not None and grader not in graders:
                del self._found[key]

    @property
    def found(self) -> list[Violation]:
        """Return every violation once, by line."""
        found = [violation for _, violation in self._found.values()]
        return sorted(found, key=lambda v: (v.line, v.column, v.code, v.message))

    def add(self, rule: str, at: Place, message: str, help: str | None = None) -> None:  # noqa: A002  (the word users see)
        """Note one loss at a place in the source file."""
        violation = Violation(self.file, *at, rule, RULES[rule], message, help)
        self._found.setdefault((at, rule, message), (self._grader, violation))

    def place(self, at: Place, phrase: str, size: int) -> Place:
        """Return where a phrase of a value stands; where that is not found, where the value does.

        Args:
            at: Where the value begins, or something before it.
            phrase: Some words of it.
            size: The characters of the value, which may take more in the source.
        """
        words = max(_FIELD.split(phrase), key=len).split()[:_MANY]
        if not words or at.line > len(self._ends):
            return at
        start = (self._ends[at.line - 2] + 1 if at.line > 1 else 0) + at.column - 1
        looks = _BLANK.join(re.escape(word).replace('"', r'\\?"') for word in words)
        pattern = re.compile(looks)
        found = pattern.search(self._source, start, start + 4 * size + _BEFORE)
        found = found or self._only(pattern)
        if found is None:
            return at
        above = bisect_left(self._ends, found.start())
        return Place(above + 1, found.start() - (self._ends[above - 1] if above else -1))

    def _only(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the only place of a text that stands elsewhere, under a name of its own."""
        if not self._searches:
            return None
        self._searches -= 1
        found = list(islice(pattern.finditer(self._source), 2))
        return found[0] if len(found) == 1 else None

    @cached_property
    def _ends(self) -> list[int]:
        return [found.start() for found in re.finditer("\n|$", self._source)]

    def text(self, node: Node | None, what: str) -> str | None:
        """Return the text of a node, as far as it stands there plainly; note what does not."""
        if node is None or not isinstance(node.value, Unread):
            return None if node is None else node.text
        short = node.value.source if len(node.value.source) <= 60 else node.value.source[:59] + "…"
        message = f"{what}: made by code, which is not run: {short}"
        self.add("import-code", node.at, message, "write out in the rubric what the code gives")
        return node.value.known
