"""A text breaks off in the middle of a sentence.

## What it does

Looks for questions, definitions, `drops_when`, `not_applicable` and reasons that end on a word or a
sign that cannot end a sentence (*the*, *and*, *because*, a comma, an opening bracket), in English,
German, French and Spanish, for dots at the end, for brackets that are never closed, and for texts
whose rest YAML takes for a comment (`Answers ticket #12` without quotes).

## Why it hurts

What was cut off is mostly the condition that matters. The judge finishes the sentence in its own
way, on every call in another one.

## Example

```yaml
- value: 3
  name: warm
  definition: The reply names what went wrong and the
```

## Use instead

```yaml
- value: 3
  name: warm
  definition: The reply names what went wrong and the day on which it is put right.
```

## When to ignore

When the last word is what the sentence is about, such as an article in a grammar exercise.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.examples import fields_of
from judgekit.linting.late import Late
from judgekit.linting.words import language_of, set_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject, Text

_OPEN_ENDED: dict[str, frozenset[str]] = {
    "en": set_of(
        "although an and because but every if its nor or our than the their unless whether which "
        "while whose your"
    ),
    "de": set_of(
        "aber dass dem den denn der des die eine einem einen einer eines falls für ob obwohl oder "
        "sondern sowie und weil wenn zum zur"
    ),
    "fr": set_of(
        "au aux car ce ces cet cette dans de des du et la le les lorsque mais ou où parce pour que "
        "qui sa se ses"
    ),
    "es": set_of("al aunque cuando de del el en la las los o para pero por porque que se su sus y"),
}
"""Words that no sentence ends on."""
_SELDOM = set_of(
    "a about against any are as at be been being between both by can could did do does each few "
    "for from had has have how in into is least may might more most must no not of on one only "
    "onto other over should such that these this those to too two under upon very was were what "
    "when where who will with within without would "
    "als am bei durch gegen hat im in ihre ihrer ist jede kein keine mit nach nicht nur sehr sich "
    "sind über um unter von war welche werden wie wird zwischen "
    "avec comme est leur ne par pas plus quand sans si son sont sous sur très un une "
    "como con cada entre es está más muy no ser sin sobre son una unas unos"
)
"""Words that few sentences end on: one without a full stop where all others have one is cut off."""
_STOPS = (".", "!", "?", ":", '"', "”", "“", "»", ")", "'", "’", "…")
_WHOLE = (".", "!", "?", "…")
_LAST = re.compile(r"([^\W\d_]+)\s*$")
_COMMENT = "the text ends here: YAML takes ' #' for the beginning of a comment"
_QUOTE = "put the text in quotes"
_REST = Late(
    r"\s#(?:(?!\d{4}-\d|\d{1,2}[./]\d)\d.*|[^\W\d_][\w-]*(?:[\s.,;?!)].*)?"
    r"|\s(?:and|but|n?or|und|oder|aber|et|ou|mais|y|o|pero)\s(?!maybe|perhaps|rather|eher).*)"
)
"""A comment that reads as the rest of a sentence: no blank behind its sign, or a conjunction."""
_NUMBERED = Late(
    r"(?i)\b(?:bugs?|cases?|chapters?|customers?|invoices?|issues?|items?|lines?|no|numbers?|orders?"
    r"|pages?|parcels?|prs?|pull requests?|questions?|requests?|rooms?|sections?|steps?|tickets?"
    r"|versions?|aufträg?e?|auftrag|bestellung(?:en)?|fall|frage|kunde|nr|nummer|paket|rechnung"
    r"|seite|stufe|zeile|commande|facture|numéro|pedido|factura)\.?$"
)
_COUNTED = Late(r"\s#\s?(?:\d|[a-zà-ÿ]+ (?:is|was|and|or|in|of|with|ist|und|oder|wird)\b).*")
"""What follows *ticket #* in a sentence."""
_MARKED = Late(
    r"(?i)\s#\s?(?:todo|tbd|fixme|xxx|hack|noqa|nb|note|hint|see|cf|siehe|vgl|judgekit|yaml|type|was"
    r"|old|new|changed?|added|removed?|draft|check|ok|version|v\d|agreed|pylint|ignore|still)\b"
)
"""A comment that says that it is one."""
_QUOTED = re.compile(r"[\"“”„«»‘`*]|(?<!\w)'")
"""Dots at the end may be those of somebody else's words."""
_MANY = 3
_DOTS = 5
"""Signs of a text that is more than dots."""
_LATELY = 40
"""Signs from the end in which the last word stands."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each text that breaks off: at its last words, or where its rest is a comment."""
    commented = "#" in subject.front
    for criterion in subject.criteria:
        texts = _texts(criterion)
        stopped = len(texts) > _MANY and sum(not t.value.endswith(_STOPS) for t in texts) == 1
        cut = dict(_cut(subject, criterion)) if commented else {}
        yield from (subject.at(at, _COMMENT, help=_QUOTE) for at in cut.values())
        for text in texts:
            problem = None if cut and text.node in cut else _problem(text.value, stopped=stopped)
            if problem:
                yield subject.at(text, problem, help="finish the sentence")


def _cut(subject: Subject, criterion: CriterionView) -> Iterator[tuple[yaml.Node, int]]:
    """Yield the texts whose rest YAML takes for a comment, and where that begins."""
    shown = [text for e in criterion.examples for _, text in fields_of(e.anchor)]
    for value, node in (*criterion.texts, *shown):
        end = node.end_mark.index if node.end_mark else 0
        if subject.front.startswith((" #", "\t#"), end) and not value.endswith(_WHOLE):
            rest = subject.front[end:].partition("\n")[0].rstrip()
            if subject.front[end - 1] not in "\"'" and _reads_on(value, rest):
                yield node, end + 1


def _reads_on(said: str, rest: str) -> bool:
    """Return whether a comment is the rest of a sentence."""
    if _NUMBERED.search(said, max(0, len(said) - _LATELY)) and _COUNTED.match(rest):
        return True
    return _REST.match(rest) is not None and _MARKED.match(rest) is None


def _texts(criterion: CriterionView) -> list[Text]:
    reasons = [example.anchor.reason for example in criterion.examples]
    return [*criterion.texts, *filter(None, reasons)]


def _problem(said: str, *, stopped: bool) -> str | None:
    """Return what is wrong; ``stopped`` says whether all others end with a full stop."""
    if said[-1:] in (",", "(", "[", "–", "—"):
        return f"the text breaks off behind {said[-1]!r}"
    found = None if said.endswith(_STOPS) else _LAST.search(said[-_LATELY:])
    if found and " " in said and found[1].islower():
        word = found[1]
        open_ended = _OPEN_ENDED.get(language_of(said), frozenset())
        if word in open_ended or (stopped and word in _SELDOM):
            return f"the text breaks off behind {word!r}"
    if (said[-1:] == "…" or said[-3:] == "...") and _ends_in_dots(said):
        return "the text breaks off in dots"
    if said.count("(") == said.count(")") + 1 and said.rfind("(") > said.rfind(")"):
        return "the text breaks off within brackets"
    return None


def _ends_in_dots(said: str) -> bool:
    return len(said) > _DOTS and _QUOTED.search(said) is None
