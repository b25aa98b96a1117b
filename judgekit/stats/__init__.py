"""Numbers and their doubt: agreement of judge and human, with intervals that hold when n is small.

This room knows arrays of codes, not rubrics: levels are ``0 .. k - 1`` in the order of the declared
scale. It has no clock and no dice. What cannot be computed is an :class:`Undefined` with a reason,
never nan and never 0.

- Data: :class:`Pairs` and the table they make (``table``).
- Agreement: ``weights``, ``kappa``, its interval (``path_score``), both together (``agreement``).
- Shares and shifts: ``proportions``, ``levels``, ``shift``.
- What clustering costs: ``clusters``. Quantiles: ``quantiles``.
"""

from judgekit.stats.agreement import agreement
from judgekit.stats.clusters import design_effect
from judgekit.stats.estimate import Estimate, Undefined, UndefinedReason
from judgekit.stats.kappa import influence, kappa, raw_agreement, standard_error
from judgekit.stats.levels import precision, recall, sensitivity, specificity
from judgekit.stats.path_score import bounds, path_score
from judgekit.stats.proportions import newcombe_paired, wilson
from judgekit.stats.quantiles import critical
from judgekit.stats.shift import mean_signed_error, rate_shift
from judgekit.stats.table import Pairs, contingency, pass_decision
from judgekit.stats.weights import by_name, identity, linear, quadratic, with_disagreeing

__all__ = [
    "Estimate",
    "Pairs",
    "Undefined",
    "UndefinedReason",
    "agreement",
    "bounds",
    "by_name",
    "contingency",
    "critical",
    "design_effect",
    "identity",
    "influence",
    "kappa",
    "linear",
    "mean_signed_error",
    "newcombe_paired",
    "pass_decision",
    "path_score",
    "precision",
    "quadratic",
    "rate_shift",
    "raw_agreement",
    "recall",
    "sensitivity",
    "specificity",
    "standard_error",
    "wilson",
    "with_disagreeing",
]
