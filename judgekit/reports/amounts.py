"""What something cost and how long it took, in words."""

from __future__ import annotations


def cost_text(cost_usd: float | None, unpriced: int, asked: int) -> str:
    """Return what calls cost; an unknown cost is unknown, never 0.

    Args:
        cost_usd: What the calls with a known cost come to; None when none is known.
        unpriced: Calls whose cost is not known.
        asked: Requests for which calls were made.
    """
    if not asked:
        return "no call, no cost"
    if cost_usd is None or (unpriced and not cost_usd):
        return "cost unknown"
    known = dollars(cost_usd)
    return f"{known} and {unpriced:,} of unknown cost" if unpriced else known


def calls_text(asked: int, failed: int, cached: int, not_asked: int) -> str:
    """Return how requests were answered: ``5 asked (1 failed), 0 cached, 2 not asked``.

    Args:
        asked: Requests for which calls were made.
        failed: Those of them without reply.
        cached: Requests answered by the cache.
        not_asked: Requests without reply for which no call was made.
    """
    lost = f" ({failed:,} failed)" if failed else ""
    left = f", {not_asked:,} not asked" if not_asked else ""
    return f"{asked:,} asked{lost}, {cached:,} cached{left}"


def dollars(cost_usd: float) -> str:
    """Return an amount with the digits that say something: ``0.41 USD``, ``0.0049 USD``."""
    return f"{cost_usd:.2f} USD" if cost_usd >= 0.01 or not cost_usd else f"{cost_usd:.2g} USD"


def duration(seconds: float) -> str:
    """Return seconds as people say them: ``0.4 s``, ``3 min 20 s``, ``2 h 5 min``."""
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, left = divmod(minutes, 60)
    return f"{hours} h {left} min" if hours else f"{minutes} min {rest} s"
