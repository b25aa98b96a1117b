"""Words that can only be the name of an input: a text with one speaks of what the item holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.remembered import remembered
from judgekit.linting.slips import slip_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.subject import Subject

_OF_A_TEXT = (
    r"(?:answers?|articles?|chunks?|completions?|contexts?|docs?|documents?|facts|history|labels?"
    r"|messages?|outputs?|passages?|prompts?|questions?|quer(?:y|ies)|references?|repl(?:y|ies)"
    r"|responses?|results?|snippets?|solution|sources?|summary|texts?|transcript|translation|truth"
    r"|turns?|instructions?)"
)
_NAMED = Late(
    r"(?<![\w.\"'/$<-])("
    rf"(?:expected|gold(?:en)?|ground|ideal|reference|retrieved)_{_OF_A_TEXT}"
    r"|(?:agent|assistant|candidate|chat|conversation|correct|customer|dialog(?:ue)?|generated"
    r"|human|model|original|predicted|previous|rag|source|student|system|target|user)"
    rf"_{_OF_A_TEXT})(?!\.?\w|[(\"'=/>-])"
)
"""What nothing but an input is called."""
_SHOWN_IN = Late(
    r"(?i)\b(?:(?:stands?|stated|found|named|given|listed|mentioned|contained|supported|backed"
    r"|covered|confirmed|quoted|taken|copied|occurs?|appears?)(?: (?:only|also|both|verbatim))?"
    r" (?:in|by|from)|agrees? with|contradicts?|matches|consistent with|compared? (?:to|with)"
    r"|faithful to|according to|(?:stehe?[nt]|belegt|genannt|enthalten)(?: auch| nur)? (?:in|durch)"
    r"|laut|gemäß|überein(?:stimmt)? mit)(?: the| den?| der| dem)? [`\"“„']"
    r"((?-i:[a-z]+(?:_[a-z0-9]+)+))[`\"”“']"
)
"""What a text compares the output with, by a name as inputs have them."""
_QUOTED = re.compile(r"[`\"“„'][a-z0-9]+_")
_CODE = re.compile(
    r"(?i)\b(?:argument|call(?:s|ed)?|class|code|column|escape[sd]?|file|function|json|key|method"
    r"|parameter|schema|script|select|sql|table|tool|variable|yaml|spalte|funktion|tabelle)s?\b"
)
"""In a text on code, a name may be one of the code."""


def unknown_input(text: str, subject: Subject) -> str | None:
    """Return the first name of an input in a text that the rubric has none of, or None.

    A name that a worked example shows is one of the item's own.
    """
    return next((name for name in _names_in(text) if not _is_known(name, subject)), None)


@remembered
def _names_in(text: str) -> tuple[str, ...]:
    if "_" not in text or _CODE.search(text):
        return ()
    quoted = _SHOWN_IN.finditer(text) if _QUOTED.search(text) else ()
    return tuple(match[1] for match in (*_NAMED.finditer(text), *quoted))


def _is_known(name: str, subject: Subject) -> bool:
    known = {*subject.inputs, *_own_names(subject)}
    return name in known or slip_of(name, subject.inputs) is not None or _is_shown(name, subject)


def _own_names(subject: Subject) -> Iterator[str]:
    for criterion in subject.criteria:
        yield from (level.name.value for level in criterion.levels if level.name)
        if criterion.name:
            yield criterion.name.value


def _is_shown(name: str, subject: Subject) -> bool:
    anchors = (a for c in subject.criteria for level in c.levels for a in level.anchors)
    return any(name in text.value for anchor in anchors for text in anchor.fields.values())
