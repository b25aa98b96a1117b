"""One requirement of the gate, held against what was found."""

from __future__ import annotations

from typing import Any

from judgekit.rubric.frozen import Frozen


class Check(Frozen):
    """One requirement: what was asked, what was found, and the refusal reason if it fails.

    ``ruled_out`` says that the evidence settles it: more labels of this kind would not help.
    """

    name: str
    required: Any
    observed: Any
    passed: bool
    reason: str
    ruled_out: bool = False
