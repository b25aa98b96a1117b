"""What a rubric means, for comparing two states of it without showing an item to either.

It tells the same changes as :func:`judgekit.rubric.meaning.meaning_parts`: where everything that a
template is given is the same, and the syntax of the templates too, so is what it shows.
Certificates hold the digests of ``meaning_parts``, which are compared with those only.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from judgekit.fingerprint import fingerprint
from judgekit.rubric.meaning import said_parts
from judgekit.rubric.syntax import templates_meaning

if TYPE_CHECKING:
    from judgekit.rubric.model import Criterion, Rubric

TEMPLATE = "template"
"""The part that stands in the place of ``prompt``."""


def state_of(rubric: Rubric, criterion: Criterion) -> dict[str, str]:
    """Return a digest for each part of one criterion's meaning, the templates being one."""
    templates = _digest(rubric.body, tuple(sorted(rubric.templates.items())))
    return {**said_parts(rubric, criterion), TEMPLATE: templates}  # rendering is what takes long


@lru_cache(maxsize=64)
def _digest(body: str, templates: tuple[tuple[str, str], ...]) -> str:
    """Return the digest of templates; most rubrics of a folder have the same."""
    return fingerprint(templates_meaning(body, dict(templates)))[:16]
