"""A number with its doubt, or the reason why there is no number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

MIN_CLUSTERS = 10
"""Below so many clusters there is no interval: their variance is too rough for a verdict."""

UndefinedReason = Literal[
    "empty",
    "single_category",
    "zero_variance",
    "too_few_clusters",
    "no_positive",
    "no_negative",
    "too_few_raters",
    "too_few_items",
    "not_separable",
    "ill_conditioned",
    "uninformative",
]
"""Why there is no number.

- ``empty``: nothing to measure. ``single_category``: everybody used one level, so chance alone
  explains all agreement. ``zero_variance``: a side does not vary, or there is one value only.
- ``too_few_clusters``, ``too_few_raters``, ``too_few_items``: fewer than the method needs.
- ``no_positive``, ``no_negative``: the denominator of a share is 0.
- ``not_separable``: the largest likelihood lies at infinity. ``ill_conditioned``: the judge
  confuses levels so much that its errors cannot be taken out. ``uninformative``: the interval
  covers more than half of what is possible.
"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its two-sided interval.

    Attributes:
        value: The point estimate.
        low: Lower end of the interval.
        high: Upper end of the interval.
        n: How many independent units (items) it rests on.
        method: How value and interval were made, for example ``cohen_kappa/path_score``.
        confidence: Two-sided coverage the interval aims at.
        pairs: How many (item, rater) pairs it rests on; None where it does not rest on pairs.
        clusters: How many clusters the interval was adjusted for, or None.
        design_effect: Variance inflation the interval was adjusted by; 1 means none.
    """

    value: float
    low: float
    high: float
    n: int
    method: str
    confidence: float = 0.95
    pairs: int | None = None
    clusters: int | None = None
    design_effect: float = 1.0


@dataclass(frozen=True, slots=True)
class Undefined:
    """No number, and why. Takes the place of an :class:`Estimate`; never NaN, never 0.

    ``clusters`` says of ``too_few_clusters`` how many there are; :data:`MIN_CLUSTERS` are needed.
    """

    reason: UndefinedReason
    n: int = 0
    method: str = ""
    pairs: int | None = None
    clusters: int | None = field(default=None, compare=False)
