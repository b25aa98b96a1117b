"""A text is a placeholder that was never filled in.

## What it does

Looks for questions, definitions, `drops_when`, `not_applicable`, reasons and example texts that
are nothing but TODO, TBD, FIXME, *no definition yet*, dots, *lorem ipsum*, `xxx`, *text here*,
`<a placeholder>` or `{{ one }}`, for texts that begin with such a mark or stand between dots, and
for variables and tags of templates that are never filled in: `{answer}` in the body, or any in the
front matter, which is no template. In English, German, French and Spanish. A text that speaks of
variables or templates may show some.

## Why it hurts

The judge is shown the placeholder. It has to guess what was meant, guesses anew on every call, and
nothing in its answers tells that it did.

## Example

```yaml
- value: 2
  name: stretched
  definition: "TODO: describe"
```

## Use instead

```yaml
- value: 2
  name: stretched
  definition: One claim is neither stated nor follows.
```

## When to ignore

When the words are the real text, such as an example whose output is `TODO`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.examples import fields_of
from judgekit.linting.late import Late
from judgekit.linting.prose import words_only
from judgekit.linting.remembered import remembered
from judgekit.linting.words import set_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject, Text

_OPEN = re.compile(
    r"(?i)[\W_]*(?:todo|to do|t\.?b\.?[acd]|fixme|placeholder|platzhalter|x{3,}|wip"
    r"|fill (?:this|me) in"
    r"|to be (?:defined|done|decided|written))[\W_]*"
)
_THING = r"(?:(?:the )?(?:definition|description|wording) )"
_DING = r"(?:(?:die )?(?:beschreibung|definition|formulierung) )"
_WRITTEN = (
    r"(?:added|agreed(?: on)?|clarified|completed|confirmed|decided|defined|described|determined"
    r"|discussed|done|explained|filled(?: in)?|finali[sz]ed|refined|specified|worked out|written)"
)
_GESCHRIEBEN = (
    r"(?:ausgearbeitet|ausgefüllt|beschrieben|definiert|eingefügt|ergänzt|festgelegt|formuliert"
    r"|geklärt|geschrieben|nachgereicht|nachgetragen)"
)
_NOT_YET = Late(
    rf"(?i)[\W_]*(?:{_THING}?(?:is |are )?(?:still |yet )?to (?:be {_WRITTEN}|come|follow)"
    r"(?: (?:after|by|later|once|soon|when|with)\b[^.]*)?"
    rf"|{_THING}(?:is |still )*(?:follows|missing|open|outstanding)|still missing"
    r"|missing (?:definition|description)|coming (?:later|soon)"
    rf"|needs? (?:(?:an? )?(?:definition|description|wording)|(?:more )?work|to be {_WRITTEN})"
    rf"|(?:must|has to|have to) (?:still )?be {_WRITTEN}"
    rf"|{_THING}?will (?:be {_WRITTEN}|follow|come)(?: later| soon)?"
    r"|(?:no|without an?) (?:definition|description|wording)s?(?: (?:available|given|so far|yet))?"
    r"|no (?:question|reason|text) (?:so far|yet)|not available yet|not yet available"
    rf"|not (?:yet )?{_WRITTEN}(?: yet)?|work in progress|under construction"
    r"|(?:please )?leave (?:blank|empty)|some text|describe(?: it| this| the)?(?: level)?(?: here)?"
    rf"|{_DING}?(?:ist |sind |wäre )?(?:noch )?(?:zu (?:beschreiben|besprechen|bestimmen|definieren"
    r"|ergänzen|formulieren|klären|schreiben)|aus(?:zuarbeiten|zufüllen)|einzufügen|festzulegen"
    rf"|nachzutragen)|{_DING}?(?:folgt|kommt)(?: (?:bald|demnächst|hier|in kürze|noch|später))*"
    rf"|(?:{_DING}|text )fehlt(?: noch)?|fehlt noch"
    rf"|{_DING}?(?:wird|werden) (?:(?:bald|demnächst|noch|später) )*{_GESCHRIEBEN}"
    rf"|{_DING}?(?:muss|müssen) (?:noch )?{_GESCHRIEBEN} werden|noch nicht {_GESCHRIEBEN}"
    r"|(?:noch )?keine (?:angaben?|beschreibung|definition)(?: vorhanden| verfügbar)?|k\. ?a"
    r"|noch (?:ohne|keine) begründung|in arbeit|noch in bearbeitung"
    r"|pas encore (?:défini|rédigé)e?|à (?:compléter|définir|préciser|rédiger|venir)"
    r"|en cours de rédaction|(?:por|a) (?:completar|definir|determinar|escribir)|próximamente"
    r"|sin definir|da (?:completare|definire|scrivere)|nog (?:te bepalen|in te vullen))[\W_]*$"
)
"""What stands for prose that is still to come; an output may well say so."""
_MARKS = set_of(
    "asdf asdfasdf asdfgh bar baz bla blabla blah dummy foo foobar ipsum lorem n.n nan nil nn null "
    "platzhalter placeholder qwerty qwertz string tba tbd test undefined xx"
)
"""Words that stand for a text that is not there yet."""
_LABELS = set_of(
    "answer content criterion definition description output question reason reply text "
    "antwort ausgabe begründung beschreibung frage définition raison réponse texte definición "
    "descripción pregunta razón respuesta texto"
)
_FILL = set_of(
    "add enter fill insert pending put type write "
    "ausfüllen einfügen eintragen ergänzen folgt nachtragen "
    "compléter définir insérer remplir rédiger "
    "completar definir escribir insertar pendiente rellenar"
)
_DONE = set_of(
    "added complete completed confirmed decided defined filled replaced specified written "
    "ausgefüllt definiert eingefügt ergänzt offen"
)
"""Behind *to be* and the like."""
_AROUND = set_of(
    "a an be click do example for goes here in it later level me more of please sample some "
    "something still that the this to yet your "
    "bitte der die das hier muss noch werden wird zu "
    "à ce cette de ici la le un une votre "
    "aquí el este por su tu una"
)
_HERE = set_of("here hier ici aquí goes your sample example")
_KNOWN = _MARKS | _LABELS | _FILL | _DONE | _AROUND | _HERE
_FIRST = re.compile(r"[\W\d_]*([^\W\d_]+)")
_SIGNS = frozenset("<[{$%.…_ ")
_LONGEST = 60
"""Signs of a text that is nothing but such words."""
_BEGINS = re.compile(
    r"[\W_]*(?:(?:TODO|TBD|FIXME|XXX)(?:$|\s*[:!(.–—-]|\s+(?:add|check|decide|define|describe"
    r"|explain|fill|find|finish|replace|say|think|update|write)\b)|[Ll]orem ipsum\b)"
)
_BETWEEN = re.compile(r"(?:\.{3}|…)[^\n]{1,80}(?:\.{3}|…)")
_ANGLE = re.compile(
    r"<\s*[^\W\d_][^<>=/]*>|\[\s*(?:insert|your|add|describe|fill|enter|write|put)\b[^\[\]]*\]"
    r"|\[\s*(?:\.{3}|…|text|definition|description|output|answer|reason|question|todo|tbd)\s*\]"
)
_TEMPLATE = re.compile(r"\{[{%#][^{}]*[}%#]\}|\$\{\w*\}|\{\w*\}|%\(?\w*\)?s|\[\]|<>|<%[^<>]*%>")
"""A text of an example that is one of these was never filled in; in prose any of the first is."""
_VARIABLE = re.compile(
    r"\{(?:(?<![\w$%{/\\\"'`]\{)(?:\{\s*[A-Za-z_][\w.]*\s*\}\}|[A-Za-z_]\w{2,}\})(?![\w}/\"'`])"
    r"|(?<![\w\"'`]\{)%-?\s*[a-z]\w*[^{}%]*%\}(?![\w\"'`]))"
    r"|\$\{(?<![\w\"'`]\$\{)[A-Za-z_]\w*\}(?![\w\"'`])"
)
_ON_VARIABLES = re.compile(r"(?i)placeholder|variable|template|braces|latex|format string|jinja")
_TAG = re.compile(r"<\s*\w+\s*>")
_MEANT = re.compile(
    r"(?i)\W(?:answer|context|criterion|definition|description|input|insert|level|output"
    r"|placeholder|question|reason|reference|text)s?\W"
)
_LEFT_OPEN = re.compile(
    r"\b(?:TODO|TBD|FIXME|Lorem ipsum|Platzhalter:)(?=\W|$)|<(?:your|insert) [^<>]{1,40}>"
    r"|\[(?:your|insert|[A-Z]{3,}(?:[ _][A-Z]+)+)\b[^\[\]]{0,40}\]"
)
"""What stands in the prompt's own words only until somebody has written them."""
_MARKUP = re.compile(r"</?\w+[^<>]*>|&\w+;")


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each text that is a placeholder."""
    yield from _in_body(subject)
    for criterion in subject.criteria:
        for text in criterion.texts:
            if _unfilled(text.value, prose=True) or _said_nothing(text.value):
                yield _finding(subject, text)
            elif "{" in text.value and (variable := _variable(text.value)):
                message = f"{variable!r} is never filled in: the front matter is no template"
                yield subject.at(text, message, word=variable, help=_SAY)
        for _, anchor in criterion.examples:
            for name, text in fields_of(anchor):
                prose = name == "reason"
                if _unfilled(text.value, prose=prose) or (prose and _said_nothing(text.value)):
                    yield _finding(subject, text)


_WRITE = "write what the judge is to read"
_SAY = "say in words what is meant; the prompt shows the inputs by itself"


def _in_body(subject: Subject) -> Iterator[Finding]:
    """Yield each line of the body with a variable in single braces, which Jinja leaves alone."""
    lines = subject.body.split("\n") if "{" in subject.body else []
    for number, line in enumerate(lines, start=1):
        variable = _variable(line) if "{" in line else None
        if variable and not variable.startswith(("{{", "{%")):
            message = f"{variable!r} is never filled in: a variable stands in two pairs of braces"
            yield subject.in_body(number, message, word=variable, help=_SAY)
    shown = words_only(subject.body)
    lines = shown.split("\n") if _LEFT_OPEN.search(shown) else []
    for number, line in enumerate(lines, start=1):
        if left := _LEFT_OPEN.search(line):
            message = f"{left[0]!r} is a placeholder: the judge would be shown it"
            yield subject.in_body(number, message, word=left[0], help=_WRITE)


def _variable(text: str) -> str | None:
    """Return the first variable in a text that nothing fills in."""
    found = _VARIABLE.search(text)
    return found[0] if found and not _ON_VARIABLES.search(text) else None


@remembered
def _unfilled(text: str, *, prose: bool) -> bool:
    """Return whether a text was plainly left open; what is judged in an example may be any word."""
    text = text.strip()
    if text[:1] in _SIGNS and (_is_dots(text) or _BETWEEN.fullmatch(text)):
        return True
    if len(text) > _LONGEST:
        return _BEGINS.match(text) is not None
    if _BEGINS.match(text) or _OPEN.fullmatch(text) or _to_fill(text, prose=prose):
        return True
    if prose and _NOT_YET.match(text):
        return True
    return text[:1] in _SIGNS and _in_brackets(text, prose=prose)


def _in_brackets(text: str, *, prose: bool) -> bool:
    """Return whether a text is a variable, a tag of a template, or an order in brackets."""
    if _TEMPLATE.fullmatch(text):
        return prose or text[:2] in ("{{", "{%", "${")
    if not _ANGLE.fullmatch(text):
        return False
    return not _TAG.fullmatch(text) or _MEANT.search(text) is not None


def _to_fill(text: str, *, prose: bool) -> bool:
    """Return whether all words of a text say that one is to be put there."""
    first = _FIRST.match(text)
    if first is None or (len(first[1]) > 1 and first[1].casefold() not in _KNOWN):
        return False
    words = words_of(text)
    if prose and "".join(words) in _MARKS:
        return True
    if not words or not _KNOWN.issuperset(words):
        return False
    said = set(words)
    if said & _LABELS and said & _HERE:
        return True
    done = said & _DONE and said & {"be", "noch", "werden"}
    return prose and bool(done or said & (_MARKS | _FILL) or (len(words) == 1 and said <= _LABELS))


def _is_dots(text: str) -> bool:
    return not text.strip(" \n.…_") and any(sign in text for sign in ("...", "…", "___"))


@remembered
def _said_nothing(text: str) -> bool:
    shown = _MARKUP.sub("", text) if text[:1] in "<&" else text
    return not any(sign.isalnum() for sign in shown)


def _finding(subject: Subject, text: Text) -> Finding:
    shown = " ".join(text.value.split())
    shown = shown if len(shown) <= 30 else f"{shown[:30]}…"
    return subject.at(text, f"{shown!r} is a placeholder", help=_WRITE)
