"""A definition says only how the level compares with another.

## What it does

Looks for definitions such as *better than the above*, *like level 2 but less so*, *worse than
polite* where that is another level, that hold nothing to see besides the comparison; also for
*everything else*, on ordinal scales and under names of nominal levels that say more than *other*.
On pairwise scales, where outputs are compared, for definitions without a word on what in them is
looked at (*A is better than B*, *both are equal*). In English, German, French and Spanish.

## Why it hurts

The judge reads one output, not two. To place it, it has to imagine the others, and imagines others
on every call. People who label in another order label otherwise.

## Example

```yaml
- value: 2
  name: fair
  definition: Somewhat worse than the level above.
```

## Use instead

```yaml
- value: 2
  name: fair
  definition: One claim is neither stated in the context nor follows from it.
```

## When to ignore

When what is compared stands in the question, and one word of it is all there is to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.bare import LONGEST, left_over
from judgekit.linting.others import REST, names_besides, names_of, relative
from judgekit.linting.words import set_of, telling_words, vague_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, LevelView, Subject

_ENOUGH = 4
_OTHER_NAMES = set_of(
    "default else general misc miscellaneous mixed neither neutral no non none not other others "
    "remaining rest unclear undecided unknown unsure "
    "andere anderes kein keine keines nicht sonstige sonstiges unklar weitere übrige übriges "
    "aucun aucune autre autres divers ninguna ninguno otra otras otro otros varios"
)
"""With one of these in its name, a kind is there for the rest."""
_FEWEST = 3
"""Levels from which on the rest is more than the opposite of the other one."""
_PAIR = set_of(
    "a against all also answer answers any anything around b beats better between both candidate "
    "case cases changed chosen compared contrary doesn't draw each either else equal equally "
    "equals even everything favored favoured first good image inverse lose loses loser mirror "
    "mirrored more neither nobody none nor one opposite option other others output outputs "
    "outright over par prefer preferable preferred prefers rather remaining replies reply "
    "response responses reverse reversed round same second side sides somewhat somewhere stronger "
    "superior swapped than text texts tie tied ties two version versa vice way weaker whichever "
    "win winner wins worse alles andere anderen anders antwort antworten ausgabe ausgaben beide "
    "beiden besser bessere bevorzugt dazwischen erste ersten fälle gegenteil gewinnt gleich "
    "gleichauf gleichwertig keine keiner schlechter schlägt sieger spiegelbild stärker umgekehrt "
    "unentschieden unterliegt verliert weder zwei zweite zweiten autre deux gagne inverse "
    "meilleure mieux perd première préférée réponse réponses égales ambas gana igual iguales "
    "inverso mejor peor pierde preferida primera respuesta respuestas segunda"
)
"""Words that say which of two is better, or that none is, and nothing on why."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each definition with a comparison and nothing to see besides."""
    for criterion in subject.criteria:
        for level in criterion.levels:
            definition = level.definition
            if definition is None:
                continue
            if criterion.kind == "pairwise":
                if _is_verdict(definition.value, criterion):
                    message = f"the definition of {level.called} does not say what is compared"
                    say = "name what the better one has, or does not have, for a reader to see"
                    yield subject.at(definition, message, help=say)
                continue
            word = _compared(definition.value, level, criterion)
            if word is not None:
                yield subject.at(
                    definition,
                    f"the definition of {level.called} only compares it with another level",
                    word=word,
                    help="the judge sees one output: say what is in it",
                )


def _is_verdict(said: str, criterion: CriterionView) -> bool:
    """Return whether a definition of a side says who wins and no more; bare words are another's."""
    words = words_of(said)
    names = names_of(criterion.levels)
    if not words or len(words) > LONGEST:
        return False
    if vague_words(said):
        if not {"than", "als"} & {*words}:
            return False
    elif not left_over(said, names) and not relative(said, names):
        return False
    return all(word in _PAIR or not left_over(word, names) for word in words)


def _compared(said: str, level: LevelView, criterion: CriterionView) -> str | None:
    """Return the comparison that a definition rests on, or None."""
    if _is_rest_left(level, criterion) and REST.fullmatch(said):
        return said
    found = relative(said, names_besides(level, criterion.levels))
    if found is None:
        return None
    rest = f"{found.string[: found.start()]} {found.string[found.end() :]}"
    return found[0].split("§")[0].strip() if len(telling_words(rest)) < _ENOUGH else None


def _is_rest_left(level: LevelView, criterion: CriterionView) -> bool:
    """Return whether a level is one that the rest may not be left to."""
    if criterion.kind == "ordinal":
        return True
    if criterion.kind != "nominal" or len(criterion.levels) < _FEWEST or level.name is None:
        return False
    return _OTHER_NAMES.isdisjoint(words_of(level.name.value.replace("-", " ").replace("_", " ")))
