"""A rubric as data: what the front matter says, checked, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from judgekit.errors import UnknownName
from judgekit.rubric.scale import Scale, Value, Weights


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """One named quality, judged on its own scale in a call of its own.

    Attributes:
        name: Its name, unique in the rubric.
        question: What the judge is asked.
        scale: All its levels.
        passes_at: Ordinal: this level and above pass.
        passing: Nominal: the values of the levels that pass.
        not_applicable: When the criterion does not apply; None when it always does.
        weights: Disagreement weights of its kappa.
    """

    name: str
    question: str
    scale: Scale
    passes_at: Value | None = None
    passing: tuple[Value, ...] = ()
    not_applicable: str | None = None
    weights: Weights = "unweighted"

    @cached_property
    def passes(self) -> tuple[bool, ...] | None:
        """Return which levels pass, in scale order, or None when the rubric sets no pass line."""
        scale = self.scale
        if scale.kind == "binary":
            return tuple(value == 1 for value in scale.values)
        if self.passes_at is not None:
            edge = scale.values.index(self.passes_at)
            return tuple(i >= edge for i in range(len(scale.levels)))
        if self.passing:
            return tuple(value in self.passing for value in scale.values)
        return None


@dataclass(frozen=True, kw_only=True)
class Rubric:
    """One or more criteria and the prompt template they are judged with.

    ``templates`` holds every template source the body reaches, by name; ``body`` is the entry.
    A rubric is therefore complete in itself: rendering it reads nothing.
    """

    name: str
    version: int
    inputs: tuple[str, ...]
    criteria: tuple[Criterion, ...]
    body: str
    templates: dict[str, str]

    def criterion(self, name: str) -> Criterion:
        """Return the criterion of that name.

        Raises:
            UnknownName: the rubric has none of that name.
        """
        for criterion in self.criteria:
            if criterion.name == name:
                return criterion
        raise UnknownName("criterion", name, [c.name for c in self.criteria])
