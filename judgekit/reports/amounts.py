"""What something cost and how long it took, in words."""

from __future__ import annotations


def cost_text(cost_usd: float | None, unpriced: int, asked: int) -> str:
    """Return what calls cost; an unknown price is unknown, never 0."""
    if not asked:
        return "no call, no cost"
    if cost_usd is None or (unpriced and not cost_usd):
        return "cost unknown"
    known = dollars(cost_usd)
    return f"{known} and {unpriced:,} of unknown price" if unpriced else known


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
