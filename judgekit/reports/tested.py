"""What judges gave in a run of tests, for its last lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.reports.words import count, labelled, wrapped

Facts = Mapping[str, Any]


def tested_lines(tests: Sequence[Facts]) -> list[str]:
    """Return which judges gave how many values under which certificates, and what was refused.

    Args:
        tests: What each test that asked a judge has kept of it, by name.
    """
    groups: dict[tuple[str, str], list[Facts]] = {}
    for facts in tests:
        judge, criterion = str(facts["judge"]), str(facts.get("criterion") or facts["judge"])
        name = judge if criterion == judge else f"{judge}, {criterion}"
        groups.setdefault((name, str(facts.get("certificate") or "")), []).append(facts)
    return [line for (name, _), told in groups.items() for line in _judge(name, told)]


def _judge(name: str, tests: Sequence[Facts]) -> list[str]:
    """Return the lines of one judge under one certificate."""
    asked = [facts for facts in tests if facts.get("values") or facts.get("checks")]
    lines: list[str] = []
    if asked and asked[0].get("certificate"):
        values, unjudged = (sum(int(f.get(k) or 0) for f in asked) for k in ("values", "unjudged"))
        text = f"{count(values, 'value')} in {count(len(asked), 'test')}"
        text += f", {unjudged} unjudged" if unjudged else ""
        text += f"; certificate {asked[0]['certificate'][:6]}"
        text += f", valid until {asked[0].get('expires')}"
        verdicts = Counter(str(f["verdict"]).replace("_", " ") for f in asked if "verdict" in f)
        lines += wrapped(f"{name}: {text}", rest="  ")
        lines += wrapped(", ".join(f"{word} {n}" for word, n in verdicts.items()), first="  ")
    refused = [facts for facts in tests if facts.get("status") == "refused"]
    if refused:
        codes = ", ".join(dict.fromkeys(str(f.get("reason_code")) for f in refused))
        lines += wrapped(f"{name}: refused in {count(len(refused), 'test')}: {codes}", rest="  ")
        steps = dict.fromkeys(str(f["next"]) for f in refused if f.get("next"))
        lines += [line for step in steps for line in labelled("  Next", step)]
    return lines
