"""The question asks for a no.

## What it does

Looks for questions whose own verb is negated, in English and German: *Does the answer not ...?*,
*Is the reply never ...?*, *Isn't the tone ...?* A *not* further on, as in *Does the answer say what
what it does not know?*, is left alone, and so are *free of*, *avoid* and *contains no*. In a
checklist the statement is looked at: *Is this true of the output? Must not contain an apology*.

## Why it hurts

"No" to such a question can mean that it does, or that it does not. Models answer negated questions
wrongly far more often than plain ones, and on a binary scale the passing level then stands for a
no.

## Example

```yaml
question: Does the answer not promise a refund?
```

## Use instead

```yaml
question: Is the answer free of promises of a refund?
```

## When to ignore

Hardly ever: turn the question round, and the levels with it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.places import spot
from judgekit.linting.words import CHECKLIST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_VERB = r"is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|must"
_WHO = (
    r"(?:[\w'’-]+ ){0,3}?(?:answers?|responses?|repl(?:y|ies)|outputs?|summary|text|essay|code|tone"
    r"|message|assistant|agent|bot|chatbot|model|ai|translation|explanation|solution|it|they|there)"
)
_CLAIM = re.compile(
    rf"(?i)(?:{_WHO} )?(?:(?:{_VERB}) )?(not|never)"
    r"(?! (?:only|just|merely|simply|necessarily|yet)\b)\b"
)
_DENIED = re.compile(
    r"(?i)\s*(?:is it|ist es) (not the case|false|untrue|incorrect|nicht der fall|nicht so"
    r"|falsch)\b"
)
_CONTRACTED = re.compile(rf"(?i)\s*((?:{_VERB}|wo|ca)n['’]t)\s")
_ENGLISH = re.compile(
    rf"(?i)\s*(?:{_VERB}) {_WHO} (not|never)(?! (?:only|just|merely|simply|necessarily|to|yet)\b)\b"
)
_GERMAN = re.compile(
    r"(?i)\s*(?:ist|sind|wird|werden|hat|haben|kann|enthält|nennt|gibt|bleibt|verspricht|macht"
    r"|verwendet|erfindet|behauptet|verrät) (?:die|der|das|sie|er|es)(?: (?:antwort|ausgabe|text"
    r"|nachricht|zusammenfassung|modell|assistent|ton|lösung))? (?:[^\W\d_]+ ){0,3}?"
    r"(nicht|niemals|nie)(?! (?:nur|bloß|allein|unbedingt)\b)\b"
)


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each negated question, at the word that negates it."""
    for criterion in subject.criteria:
        question = criterion.question
        if question is None or "?" not in question.value:
            continue
        folded = question.value.replace("\n", " ")
        stated = CHECKLIST.match(folded)
        found = (
            _CLAIM.match(folded, stated.end()) or _CONTRACTED.match(folded, stated.end())
            if stated
            else _DENIED.match(folded)
            or _CONTRACTED.match(folded)
            or _ENGLISH.match(folded)
            or _GERMAN.match(folded)
        )
        if found:
            binary = ": a yes then means a no" if criterion.kind == "binary" else ""
            yield subject.at(
                spot(subject, question, found.start(1), found.end(1)),
                f"the question asks for a no{binary}",
                help='ask for what is there, or for "free of", and turn the levels with it',
            )
