"""The card of a certified judge: one page that says what its number is worth."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from judgekit.calibration.certificate import Certificate
from judgekit.calibration.record import EstimateRecord
from judgekit.reports.amounts import dollars
from judgekit.reports.calibration import kappa_name
from judgekit.reports.estimates import interval
from judgekit.reports.words import count, number
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import number_text

CARD_FORMAT = "judgekit.card/1"
MOST = 5
"""Confusions that are listed."""
UNCORRECTED = (
    "- A share or mean of its levels alone is *uncorrected*: it holds the judge's own error. "
    "`judgekit score` and `judgekit correct` take it off."
)
UNTIL = (
    "- It gives no number once the rubric, the model, its parameters or the labels change, or "
    "when the certificate's time is over."
)


class CardPart(NamedTuple):
    """What the card says of one criterion.

    Attributes:
        criterion: The criterion.
        certificate: Its certificate, which holds.
        tokens: About how many tokens the prompt of a made-up or the first labelled item has.
        cost_usd: About what judging one item costs, all calls for it together; None when the price
            is not known.
        calls: Calls for one item: replicates, orders and members of a panel.
    """

    criterion: Criterion
    certificate: Certificate
    tokens: int
    cost_usd: float | None
    calls: int


class Confused(NamedTuple):
    """How often people gave one level and the judge another."""

    people: str
    judge: str
    times: int
    of: int


def confused(certificate: Certificate) -> list[Confused]:
    """Return where judge and people part, the most frequent first."""
    table, names = certificate.evidence.confusion, certificate.scale.names
    found = []
    for row, counts in enumerate(table.table):
        of = sum(counts) + table.na[row] + table.unjudged[row]
        parts = [*zip(names, counts, strict=True), ("not applicable", table.na[row])]
        parts.append(("no usable reply", table.unjudged[row]))
        found += [
            Confused(names[row], said, times, of)
            for column, (said, times) in enumerate(parts)
            if times and column != row
        ]
    return sorted(found, key=lambda one: -one.times)


def card_json(judge: str, parts: list[CardPart]) -> dict[str, Any]:
    """Return the card as one JSON document."""
    return {
        "format": CARD_FORMAT,
        "judge": judge,
        "criteria": [_part_json(part) for part in parts],
    }


def card_markdown(judge: str, parts: list[CardPart]) -> str:
    """Return the card as a page of Markdown."""
    first = parts[0].certificate
    rubric = f"rubric {_cell(first.judge.rubric.name)} version {first.judge.rubric.version}"
    about = f"A judge of {_cell(first.judge.model)} with {rubric}, measured against human labels."
    lines = [f"# Judge card: {_cell(judge)}", "", about, ""]
    for part in parts:
        lines += _part_markdown(part)
    check = f"- Check it: `judgekit certificate verify {first.short}`"
    return "\n".join([*lines, "## How to use its numbers", "", UNCORRECTED, UNTIL, check, ""])


def _part_json(part: CardPart) -> dict[str, Any]:
    criterion, cert = part.criterion, part.certificate
    evidence, labels = cert.evidence, cert.labels
    estimates: Mapping[str, EstimateRecord | None] = {
        "agreement": evidence.agreement,
        "gate_agreement": evidence.gate_agreement,
        "pass_agreement": evidence.pass_agreement,
        "sensitivity": evidence.sensitivity,
        "specificity": evidence.specificity,
        "pass_shift": evidence.pass_shift,
        "human_agreement": _among(cert),
    }
    return {
        "criterion": criterion.name,
        "question": criterion.question,
        "levels": [
            {"value": lv.value, "name": lv.name, "definition": lv.definition}
            for lv in criterion.scale.levels
        ],
        "certificate": cert.id,
        "stamps": list(cert.stamps),
        "issued_at": cert.issued_at.isoformat(),
        "expires_at": cert.expires_at.isoformat(),
        "labels": {
            "items": labels.items,
            "raters": labels.raters,
            "cases": labels.cases,
            "source": labels.source,
            "sampling": labels.sampling,
        },
        "evidence": {
            name: None if found is None else found.model_dump(mode="json")
            for name, found in estimates.items()
        },
        "confused": [one._asdict() for one in confused(cert)],
        "cost": {
            "calls_per_item": part.calls,
            "prompt_tokens": part.tokens,
            "usd_per_item": part.cost_usd,
        },
    }


def _part_markdown(part: CardPart) -> list[str]:
    criterion, cert = part.criterion, part.certificate
    facts = [*_measures(criterion), *_labels(cert), *_agreement(cert), *_failures(cert)]
    return [f"## {_cell(criterion.name)}", "", *facts, "### What it costs", "", _cost(part), ""]


def _measures(criterion: Criterion) -> list[str]:
    passes = criterion.passes
    lines = ["### What it measures", "", _cell(criterion.question), ""]
    lines += ["| level | name | passes | definition |", "|---|---|---|---|"]
    for index, level in reversed([*enumerate(criterion.scale.levels)]):
        told = "" if passes is None else ("yes" if passes[index] else "no")
        cells = (number_text(level.value), level.name, told, level.definition)
        lines.append(f"| {' | '.join(_cell(cell) for cell in cells)} |")
    if criterion.not_applicable:
        lines += ["", f"Not applicable: {_cell(criterion.not_applicable)}"]
    return [*lines, ""]


def _labels(cert: Certificate) -> list[str]:
    labels = cert.labels
    raters, cases = count(labels.raters, "rater"), count(labels.cases, "case")
    drawn = labels.sampling or "not stated: no figure can be corrected"
    lines = [
        "### On what labels",
        "",
        f"- {count(labels.items, 'item')} in {cases}, by {raters}",
        f"- drawn: {drawn}",
    ]
    if cert.stamps:
        lines.append(f"- **{', '.join(cert.stamps)}**")
    if cert.scope is not None and cert.scope.languages:
        known = sorted(cert.scope.languages.items(), key=lambda one: -one[1])
        told = ", ".join(f"{name} {part:.0%}" for name, part in known[:4])
        rest = 1 - sum(cert.scope.languages.values())
        lines.append(f"- languages: {told}" + f", too short to tell {rest:.0%}" * (rest >= 0.01))
    return [*lines, ""]


def _agreement(cert: Certificate) -> list[str]:
    evidence = cert.evidence
    kappa = kappa_name(cert.scale.weights)
    rows: list[tuple[str, EstimateRecord | None]] = [
        (f"{kappa}, unreadable replies counted against it", evidence.gate_agreement),
        ("kappa of pass and fail", evidence.pass_agreement),
        ("people's passes that it passes", evidence.sensitivity),
        ("people's fails that it fails", evidence.specificity),
        ("its pass rate less people's", evidence.pass_shift),
        ("kappa of people among themselves", _among(cert)),
    ]
    figures = [f"- {name}: {interval(found)}" for name, found in rows if found is not None]
    asked = f"- asked for: the low end of the first at {number(cert.policy.bar)} or more"
    holds = f"issued {cert.issued_at:%Y-%m-%d}, holds until {cert.expires_at:%Y-%m-%d}"
    certificate = f"- certificate `{cert.id}`, {holds}"
    return ["### How well it agrees with people", "", *figures, asked, certificate, ""]


def _among(cert: Certificate) -> EstimateRecord | None:
    humans = cert.evidence.humans
    return None if humans is None else humans.human_agreement


def _failures(cert: Certificate) -> list[str]:
    found = confused(cert)
    lines = ["### Where it fails", ""]
    if not found:
        lines.append("- nowhere on these labels; what it does on other items they do not show")
    lines += [
        f"- people say {_cell(one.people)}, the judge {_cell(one.judge)}: {one.times} of {one.of}"
        for one in found[:MOST]
    ]
    if len(found) > MOST:
        rest = sum(one.times for one in found[MOST:])
        lines.append(f"- other ways: {rest}")
    return [*lines, ""]


def _cost(part: CardPart) -> str:
    prompts = count(part.tokens, "token")
    calls = f"{count(part.calls, 'call')} an item, about {prompts} a prompt"
    if part.cost_usd is None:
        return f"{calls}; the price is not known."
    if not part.cost_usd:
        return f"{calls}; free."
    return f"{calls}: about {dollars(part.cost_usd * 1000)} for 1,000 items, by an estimate."


def _cell(text: str) -> str:
    """Return a text on one line, in which Markdown and HTML find nothing of theirs."""
    return _MARKUP.sub(lambda sign: _SAFE.get(sign[0], f"\\{sign[0]}"), " ".join(text.split()))


_MARKUP = re.compile(r"[\\`*\[\]|<>&#]")
_SAFE = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
