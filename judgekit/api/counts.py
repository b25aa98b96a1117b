"""What a run of a judge has come to so far."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.running.progress import Answer

NOT_NAMED = "(not named)"
"""The model of a reply that names none."""


@dataclass(slots=True)
class Counts:
    """What a run has come to so far.

    Attributes:
        judged: Items with a level or "not applicable", criterion by criterion added up.
        unjudged: The others, by cause.
        asked: Requests for which calls were made; ``cached``: answered by the cache;
            ``failed``: without reply.
        cost_usd: What replies with a known price cost; ``unpriced``: replies without one.
        tokens_in: Prompt tokens of fresh replies, where known; ``tokens_out`` likewise.
        replies: criterion -> model as the endpoint names it -> replies.
        left_out: Parameters that some reply's model did not take.
    """

    judged: int = 0
    unjudged: Counter[str] = field(default_factory=Counter)
    asked: int = 0
    cached: int = 0
    failed: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    replies: dict[str, Counter[str]] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)

    def answer(self, criterion: str, answer: Answer) -> None:
        """Count one answer."""
        _, reply, _, cached, attempts = answer
        if reply is None:
            self.asked += attempts > 0
            self.failed += 1
            return
        self.replies[criterion][reply.served or NOT_NAMED] += 1
        if reply.left_out:
            self.left_out.update(reply.left_out)
        if cached:
            self.cached += 1
            return
        self.asked += attempts > 0
        self.tokens_in += reply.tokens_in or 0
        self.tokens_out += reply.tokens_out or 0
        if reply.cost_usd is None:
            self.unpriced += 1
        else:
            self.cost_usd += reply.cost_usd

    def outcome(self, outcome: Judgment | Unjudged) -> None:
        """Count what became of an item."""
        if isinstance(outcome, Unjudged):
            self.unjudged[outcome.cause] += 1
        else:
            self.judged += 1
