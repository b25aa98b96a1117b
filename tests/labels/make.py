"""Labels for tests, in one line each."""

from typing import Any

from judgekit.labels.label import Label


def label(item: str, rater: str, level: int | None, **rest: Any) -> Label:
    """A label of the criterion ``tone``."""
    return Label(**{"item": item, "criterion": "tone", "rater": rater, "level": level, **rest})
