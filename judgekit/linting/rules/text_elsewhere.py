"""A text sends its reader to a document that the judge is not shown.

## What it does

Looks for questions, definitions, `drops_when`, `not_applicable` and reasons with little to read but
a pointer to a guide, a handbook, a section, a meeting or a link: *See the labelling guide, section
4*, *As described in the handbook*. In English, German, French and Spanish. A document that is one
of the inputs, or that the body speaks of, is left alone.

## Why it hurts

A judge has what stands in the prompt and nothing else. It cannot look anything up, makes up what
the guide may say, and makes it up anew on every call; people who label with the guide at hand do
something else.

## Example

```yaml
- value: 3
  name: friendly
  definition: See the labelling guide, section 4.
```

## Use instead

```yaml
- value: 3
  name: friendly
  definition: The reply greets the customer, thanks them once and blames nobody.
```

## When to ignore

When every item brings the document with it, under another name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.bare import left_over
from judgekit.linting.words import set_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import CriterionView, Subject, Text

_GUIDES = set_of(
    "codebook guide guideline guidelines handbook manual wiki "
    "codebuch handbuch leitfaden richtlinie richtlinien guía manuel"
)
"""Documents for those who judge; what an output is about is hardly ever called so."""
_DOCUMENTS = set_of(
    "annex appendix briefing chapter confluence doc docs document documentation faq figure "
    "footnote guidance instructions intranet link meeting notion page paragraph policy protocol "
    "section sheet spreadsheet table training tutorial video website workshop "
    "abschnitt anhang anleitung anweisung anweisungen besprechung dokument dokumentation fussnote "
    "kapitel merkblatt schulung seite tabelle vorgaben "
    "annexe chapitre consignes formation réunion tableau "
    "anexo capítulo documentación documento formación instrucciones página sección tabla"
)
_LEADS = set_of(
    "according cf consult details per refer see "
    "gemäss gem laut s siehe vgl conformément consulter selon voir consulte consúltese según ver "
    "véase"
)
"""A text that begins with one of these sends its reader away."""
_AS = set_of("as how like what wie was comme como")
_DESCRIBED = set_of(
    "agreed defined described discussed documented explained laid listed outlined set taught "
    "abgesprochen beschrieben besprochen definiert erklärt erläutert festgelegt vereinbart "
    "convenu décrit décrite défini définie expliqué acordado definido define describe descrito "
    "explicado"
)
_POINTERS = (
    _LEADS
    | _DESCRIBED
    | set_of(
        "adheres based check complies conforms explanation find found follow following line look "
        "please read respective stated specified entsprechend nachlesen nachzulesen indiqué indica"
    )
)
_NONE = set_of("no none kein keine keinen aucun aucune ningún ninguna without ohne sans sin")
_KIND = set_of(
    "annotation annotator annotators attached coding company corporate editorial evaluation full "
    "internal label labeling labelling latest number official operations our p page pages project "
    "quality rater raters rating review reviewer rubric scoring separate shared style support team "
    "tone bewertung kapitel nr punkt d'annotation l'annexe qualité anotación calidad"
)
_LINK = re.compile(r"https?://[^\s<>\"')]+|\bwww\.[^\s<>\"')]+")
_ENDS = ("eitfaden", "andbuch", "ichtlinie")
_GUIDE = ("leitfaden", "handbuch", "richtlinie", "richtlinien")
_NAMED = _DOCUMENTS | _GUIDES
_ENOUGH = 2
"""So many words of its own say something."""


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each text that only says where to read, at the document it names."""
    for criterion in subject.criteria:
        for text in _texts(criterion):
            document = _document(text.value, asked=text is criterion.question)
            if document and document not in {*subject.inputs, *words_of(subject.body)}:
                yield subject.at(
                    text,
                    f"{document!r} is not shown to the judge, and little else is said",
                    word=document,
                    help="write down here what the document says on it",
                )


def _texts(criterion: CriterionView) -> list[Text]:
    reasons = [example.anchor.reason for example in criterion.examples]
    return [*criterion.texts, *filter(None, reasons)]


def _document(text: str, *, asked: bool) -> str | None:
    """Return the document that a text points to and rests on."""
    link = _LINK.search(text) if "://" in text or "www." in text else None
    said = _LINK.sub(" ", text) if link else text
    words = words_of(said)
    if not link and _NAMED.isdisjoint(words) and not any(end in said for end in _ENDS):
        return None
    guides = [word for word in words if _is_guide(word)]
    documents = [*guides, *(word for word in words if word in _DOCUMENTS)]
    silent = _POINTERS | _KIND | _NAMED | {*guides}
    own = [word for word in left_over(said) if word not in silent]
    of_guide = documents == guides and not asked and _NONE.isdisjoint(words)
    alone = not own and (link is not None or of_guide)
    if len(own) >= _ENOUGH or not (alone or _points(words)):
        return None
    return link[0] if link else documents[0]


def _points(words: tuple[str, ...]) -> bool:
    """Return whether a text sends its reader away with its first words."""
    return bool(_LEADS.intersection(words[:2])) or (
        len(words) > 0 and words[0] in _AS and not _DESCRIBED.isdisjoint(words)
    )


def _is_guide(word: str) -> bool:
    """Return whether a word, or its last part, is one: *Bewertungsleitfaden*."""
    return word in _GUIDES or word.endswith(_GUIDE)
