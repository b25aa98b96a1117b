"""What the gate asks. Every number has a default; a project may change them in one place."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from judgekit.rubric.frozen import Frozen

MOST_LOOKS = 20


class Policy(Frozen):
    """The stated requirements of the gate (VIM 2.44).

    Attributes:
        min_agreement: What the low end of ``gate_agreement`` must reach, -1 to 1.
        beat_length: The judge must agree with people better than the length of the text alone.
        route: ``fixed`` holds agreement against ``min_agreement``. ``human-level`` is for
            subjective criteria, where people agree too little for a fixed bar: three raters or
            more, a judge not inferior to them, and agreement above ``human_floor``.
        human_margin: On the human-level route: how far below the agreement among people the
            judge's agreement with people may lie, 0 to 1.
        human_floor: On the human-level route: what the low end of ``gate_agreement`` must reach.
        min_items: Labelled items needed before there is any verdict.
        recommended_items: Below this a certificate carries a warning.
        min_per_class: Labels needed in each class, or on each side of the pass line.
        min_judged: Share of items that must be judged, 0 to 1.
        max_pass_shift: How far the judge's pass rate may stand from the humans', 0 to 1.
        max_level_shift: Without a pass line: how far the mean error may go, in steps of one level.
        max_incomplete: Share of items lost to provider errors, budget or missing records above
            which there is no verdict at all.
        max_looks: How many looks one label set allows.
        dated_days: How long a certificate of a dated hosted model holds.
        alias_days: The same for a floating model name.
        local_days: The same for local weights known by their hash.
        warn_days: How long before expiry ``status`` begins to warn.
    """

    min_agreement: float = Field(0.60, ge=-1, le=1)
    beat_length: bool = True
    route: Literal["fixed", "human-level"] = "fixed"
    human_margin: float = Field(0.10, ge=0, le=1)
    human_floor: float = Field(0.40, ge=-1, le=1)
    min_items: int = Field(30, ge=10)
    recommended_items: int = Field(100, ge=10)
    min_per_class: int = Field(10, ge=1)
    min_judged: float = Field(0.95, gt=0, le=1)
    max_pass_shift: float = Field(0.10, ge=0, le=1)
    max_level_shift: float = Field(0.5, ge=0)
    max_incomplete: float = Field(0.05, ge=0, lt=1)
    max_looks: int = Field(5, ge=1, le=MOST_LOOKS)
    dated_days: int = Field(90, ge=1)
    alias_days: int = Field(30, ge=1)
    local_days: int = Field(365, ge=1)
    warn_days: int = Field(14, ge=0)

    @property
    def bar(self) -> float:
        """Return what the low end of ``gate_agreement`` must reach on the policy's route."""
        return self.min_agreement if self.route == "fixed" else self.human_floor

    def look_confidence(self, look: int) -> float:
        """Return the two-sided confidence the gate uses at look ``look`` (1 is the first).

        Look k may spend 0.05 / 2**k one-sided, so all looks together never spend more than
        0.05; the first is the ordinary 95% interval. Beyond the most looks any policy allows the
        bound stays where it is.
        """
        return 1.0 - 2.0 * 0.05 / 2.0 ** min(look, MOST_LOOKS)
