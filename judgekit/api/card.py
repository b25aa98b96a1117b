"""The card of a certified judge, gathered."""

from __future__ import annotations

import json
import re
from pathlib import Path

from judgekit.api.admission import admit_judge
from judgekit.api.preview import preview_judge
from judgekit.api.setup import JudgeSetup
from judgekit.reports.card import CardPart, card_json, card_markdown
from judgekit.running.prices import REPLY_TOKENS
from judgekit.storage.disk import write_text

FOLDER = "cards"


def judge_card(setup: JudgeSetup) -> list[CardPart]:
    """Return what the card of a judge says of each criterion.

    Raises:
        GateRefusal: the judge is not certified; it has no card.
    """
    certified = admit_judge(setup)
    parts = []
    for shown in preview_judge(setup):
        criterion, tokens = shown.criterion, shown.tokens
        places, members = setup.judge.places(criterion), setup.judge.members
        prices = [setup.price(members[member].model) for member, _, _ in places]
        known = [p.expected(tokens, REPLY_TOKENS) for p in prices if p is not None]
        cost = sum(known) if len(known) == len(prices) else None
        certificate = certified.certificates[criterion.name]
        parts.append(CardPart(criterion, certificate, tokens, cost, len(places)))
    return parts


def write_card(setup: JudgeSetup, parts: list[CardPart], path: Path) -> None:
    """Write the card as Markdown, and as JSON beside it.

    Raises:
        StorageError: the disk would not have it.
    """
    write_text(path, card_markdown(setup.judge.name, parts))
    document = json.dumps(card_json(setup.judge.name, parts), ensure_ascii=False, indent=1)
    write_text(path.with_suffix(".json"), f"{document}\n")


def card_place(setup: JudgeSetup) -> Path:
    """Return where the card of a judge stands unless it is told otherwise."""
    return setup.project.root / FOLDER / f"{_file_name(setup)}.md"


def card_link(setup: JudgeSetup) -> str:
    """Return where the card is to be found, from the project's folder, or how it is made."""
    if card_place(setup).is_file():
        return f"{FOLDER}/{_file_name(setup)}.md"
    return f"judgekit card {setup.named}"


def _file_name(setup: JudgeSetup) -> str:
    """Return a judge's name as that of a file: it stays within the folder, whatever it is."""
    return re.sub(r"[^\w.-]", "_", setup.judge.name).lstrip(".") or "judge"
