"""Model names behind which a provider may put another model."""

from __future__ import annotations

import re

_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
_DATED = re.compile(rf"(?<!\d)(?:20\d\d(-?){_MONTH}\1{_DAY}|{_MONTH}{_DAY})(?!\d)")


def has_date(model: str) -> bool:
    """Whether a model's name says of which day it is."""
    return _DATED.search(model) is not None


def is_alias(model: str) -> bool:
    """Whether another model may stand behind a hosted model's name tomorrow: it has no date."""
    return not model.startswith("local/") and not has_date(model)
