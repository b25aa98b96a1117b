"""What is said on when a criterion does not apply says nothing.

## What it does

Looks for a `not_applicable` that says no more than that it is one (*n/a*, *none*, *when it does not
apply*, *never*) or that the judge does not know, in English, German, French and Spanish, and for
one that repeats the question, a definition or a `drops_when`.

## Why it hurts

The judge is offered a way out and not told when to take it. Items then go missing from the
agreement by chance, mostly the hard ones, and the figures look better than they are.

## Example

```yaml
not_applicable: N/A
```

## Use instead

```yaml
not_applicable: The question asks for no code.
```

## When to ignore

Never: leave it out where the criterion applies to every item.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.alike import copied_from, originals
from judgekit.linting.bare import left_over
from judgekit.linting.words import set_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject

_FRAME = set_of(
    "n na nan never none null nil nothing always every any no yes true false inapplicable "
    "unassessable dimension aspect evaluated assessed answered graded decided ignored skip skipped "
    "cannot can't impossible possible sometimes often rarely case cases relevant irrelevant "
    "appropriate possibly unclear unsure doubt necessary "
    "nie niemals keine keiner anwendbar bewertbar beurteilbar beurteilt bewertet entfällt trifft "
    "zutreffend angabe möglich immer nötig relevant ja nein "
    "jamais aucun aucune applicable s'applique objet évalué possible non oui "
    "aplica aplicable nunca ninguno ninguna evaluar posible sí"
)
_ABOUT = set_of("criterion dimension question kriterium frage critère criterio pregunta")
"""What does not apply; any other noun is something that may be missing: *no question*."""
_APPLIES = set_of(
    "apply applies applicable inapplicable answered judged rated assessed evaluated graded "
    "relevant "
    "anwendbar bewertbar beurteilbar zutreffend zutrifft gilt s'applique aplica aplicable"
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each text that says nothing."""
    for criterion in subject.criteria:
        said = criterion.not_applicable
        problem = said and _problem(said.value, criterion)
        if said and problem:
            yield subject.at(
                said,
                f"not_applicable {problem}",
                help="say what an item is like that cannot be judged by this, or leave it out",
            )


def _problem(said: str, criterion: CriterionView) -> str | None:
    if _is_bare(said):
        return "does not say when"
    copied = copied_from(said, originals(criterion))
    return f"is {copied}" if copied else None


_UNSURE = re.compile(
    r"(?i)\W*(?:(?:when(?:ever)?|if|where|wenn|falls|sofern) )?"
    r"(?:you|the judge|one|du|sie|man|der richter) (?:are|is|feels?|bist|sind|ist|cannot|can't"
    r"|can not|do not|don't|does not) "
    r"(?:(?:still |at all )?(?:un(?:sure|certain|decided)|not (?:sure|certain)|in doubt|unsicher"
    r"|nicht sicher|im zweifel)|(?:decide|tell|know|say) (?:which|what|how)\b)"
    r"[^.]*\W*"
)
"""A judge that is unsure is so on the hard items, which are those that count."""


def _is_bare(said: str) -> bool:
    if _UNSURE.fullmatch(said):
        return True
    words = words_of(said)
    if not words or any(sign.isdigit() for sign in said):
        return False  # signs alone are a placeholder
    silent = _FRAME | (_ABOUT if set(words) & _APPLIES else frozenset())
    return not left_over(" ".join(word for word in words if word not in silent))
