"""What is lost when a grader becomes a rubric: the rules, and where each was met."""

from __future__ import annotations

from collections.abc import Container

from judgekit.importers.graders.node import Node, Unread
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
}
"""Rule -> its code. A rule says one thing, and a code is never given to another."""


class Notes:
    """Collects what could not be carried over from one file.

    Args:
        file: The file, as the user named it.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._grader: int | None = None
        self._found: dict[tuple[int, str, str], tuple[int | None, Violation]] = {}

    def begin(self, line: int | None) -> None:
        """Say that what follows is of the grader defined on a line; None for the whole file."""
        self._grader = line

    def keep(self, lines: Container[int]) -> None:
        """Forget what is of graders defined on other lines than these."""
        for key, (grader, _) in list(self._found.items()):
            if grader is not None and grader not in lines:
                del self._found[key]

    @property
    def found(self) -> list[Violation]:
        """Return every violation once, by line."""
        found = [violation for _, violation in self._found.values()]
        return sorted(found, key=lambda v: (v.line, v.code, v.message))

    def add(self, rule: str, line: int, message: str, help: str | None = None) -> None:  # noqa: A002  (the word users see)
        """Note one loss at a line of the source file."""
        violation = Violation(self.file, line, 1, rule, RULES[rule], message, help)
        self._found.setdefault((line, rule, message), (self._grader, violation))

    def text(self, node: Node | None, what: str) -> str | None:
        """Return the text of a node, as far as it stands there plainly; note what does not."""
        if node is None or not isinstance(node.value, Unread):
            return None if node is None else node.text
        short = node.value.source if len(node.value.source) <= 60 else node.value.source[:59] + "…"
        message = f"{what}: made by code, which is not run: {short}"
        self.add("import-code", node.line, message, "write out in the rubric what the code gives")
        return node.value.known
