"""What texts speak of that only an input of the rubric can show, and how they do."""

from __future__ import annotations

from typing import NamedTuple

from judgekit.linting.late import Late
from judgekit.linting.words import set_of


class Field(NamedTuple):
    """Something that texts speak of.

    Attributes:
        input: What the input that holds it is mostly called.
        words: One of them is in every way to speak of it, in lower case.
        spoken: How texts speak of it; the group is what they call it.
        names: What else the input may be called.
    """

    input: str
    words: frozenset[str]
    spoken: Late
    names: Late


_RESTS = (
    r"(?:support|back|ground|stat|found|find|contain|bas|contradict|borne|entail|follow|cit|quot|tak"
    r"|drawn|rest|mention|present|clash|agree|consistent|faithful|point|missing|go(?:es)? beyond"
    r"|outside|belegt|gestützt|steht|stehen|widerspr)"
)
CONTEXT = Field(
    "context",
    set_of("context contexts kontext retrieved provided supplied dokumente dokument dokumenten"),
    Late(
        rf"(?i)\b{_RESTS}\w*(?: \w+){{0,2}} the (context)"
        r"(?! (?:of|in which|window|des)\b)(?![-\w])"
        r"|\b((?:retrieved|given|provided|supplied|source) contexts?)(?! (?:of|window)\b)(?![-\w])"
        r"|\bthe ((?:retrieved|provided|supplied) (?:documents?|passages?|chunks?|articles?"
        r"|sources?))\b"
        r"|\bthe (context) (?:it (?:was|is) given|(?:that )?(?:was |is )?(?:provided|supplied)"
        r"|(?:does not |do not )?(?:support|say|state|contain|mention|contradict|back|allow)s?)\b"
        r"|\bder (kontext) (?:stützt|belegt|sagt|enthält|nennt)\b|\b(abgerufenen? dokumente?n?)\b"
        r"|\b(?:durch|von) den (kontext)\b|\bim (kontext) (?:steht|stehen|belegt|genannt)\b"
    ),
    Late(
        r"(?i)context|kontext|doc|passage|source|quelle|retriev|evidence|knowledge|chunk|search"
        r"|article|background|material|facts|page"
    ),
)
REFERENCE = Field(
    "reference",
    set_of("reference referenzantwort musterlösung gold golden ground ground-truth expected"),
    Late(
        r"(?i)\b(?:the|this|der|die) (reference (?:answers?|responses?|outputs?|solutions?|summary"
        r"|texts?|translations?|implementation)|referenzantwort|musterlösung"
        r"|gold(?:en)? (?:standard )?answers?|ground[- ]truth answers?)\b"
        r"|\b(?:with|to|from|on|in|matche?s?|contradicts?|equals?|than|like|against)"
        r" (?:the )?['\"“]?(expected (?:answers?|outputs?|responses?))\b"
        r"(?! (?:from|by|format|length|times?|types?)\b)"
        r"|\b(?:with|to|from|match(?:es)?|contradicts?|in|by|than|like|omits?)"
        r" the (reference|ground truth)"
        r"(?=[.,;:?!)]|$| (?:says|states|does|has|gives|contains|is|and|or|but)\b)"
    ),
    Late(
        r"(?i)reference|referenz|expected|gold|truth|target|ideal|solution|lösung|key|correct|label"
    ),
)
HISTORY = Field(
    "history",
    set_of(
        "history gesprächsverlauf chatverlauf above far precedes before previous earlier preceding "
        "prior obige obigen"
    ),
    Late(
        r"(?i)\b((?:conversation|chat|dialogue|dialog|message) history|gesprächsverlauf"
        r"|chatverlauf)\b"
        r"|\bthe ((?:conversation|chat|dialogue|dialog|discussion|exchange|messages?|thread"
        r"|transcript) (?:above|so far|that precedes|before (?:it|this|the)))\b"
        r"|\bthe (above (?:conversation|chat|dialogue|dialog|discussion|messages?|transcript))\b"
        r"|\bthe ((?:previous|earlier|preceding|prior) (?:messages|turns?|conversations?|dialogue"
        r"|chat|exchange))\b|\b(?:das|dem|im) (obigen? gespräch)\b"
    ),
    Late(r"(?i)history|conversation|dialog|messages|chat|turns|transcript|thread|verlauf|session"),
)
CRITERION = Field(
    "criterion_text",
    set_of("criterion"),
    Late(r"(?i)\b(criterion_text)\b"),
    Late(r"(?i)criteri|requirement|rubric"),
)
_SHOWN = r"(?:attached|given|provided|uploaded|following|accompanying|included|enclosed)"
_THING = (
    r"(?:screenshots?|images?|pictures?|photos?|photographs?|figures?|diagrams?|charts?|videos?"
    r"|audio(?: recordings?| clips?| files?)?|recordings?|sketch(?:es)?)"
)
_MEDIA = Field(
    "image",
    set_of(
        "screenshot screenshots image images picture pictures photo photos photograph photographs "
        "figure figures diagram diagrams chart charts video videos audio recording recordings "
        "sketch sketches bild"
    ),
    Late(
        rf"(?i)\b(?:the|this|an?) ({_SHOWN} {_THING})\b"
        rf"|\bthe ({_THING} (?:above|below|attached|(?:that )?(?:is |was )?(?:shown|provided)))\b"
        r"|\bthe (screenshots?|images?|photos?|photographs?|videos?|audio(?: recordings?| clips?)?"
        r"|recordings?|charts?|diagrams?)"
        r"(?=[?.,;:!)]|$| (?:shows?|depicts?|contains?|does|and|or)\b)"
        r"|\b(?:dem|das|im|vom) ((?:angehängten |beigefügten )?(?:bild|screenshot))\b"
    ),
    Late(
        r"(?i)screen|image|picture|photo|figure|diagram|chart|video|audio|recording|media|frame|clip"
        r"|visual|bild|attach|file|page|scan|sketch|transcript|caption"
    ),
)
_ATTACHED = Field(
    "attachment",
    set_of("attached enclosed uploaded above attachment attachments"),
    Late(
        r"(?i)\b(?:uses?|based on|in|from|by|with|match(?:es)?|fits?|according to|summari[sz]es?"
        r"|covers?|agrees? with|follows?|to|on) the ((?:attached|enclosed|uploaded) (?:files?"
        r"|documents?|pdfs?|reports?|spreadsheets?|tables?|texts?|articles?|data|e-?mails?)"
        r"|attachments?(?=[?.,;:!)]|$))\b"
        r"|\bthe ((?:table|document|file|spreadsheet|report) above)\b"
    ),
    Late(
        r"(?i)attach|file|doc|pdf|report|context|source|material|table|data|text|article|passage|mail"
    ),
)
_SYSTEM = Field(
    "system_prompt",
    set_of("system"),
    Late(
        r"(?i)\b(?:follows?|obeys?|complies with|comply with|adheres? to|sticks? to|respects?"
        r"|match(?:es)?|fits?|allowed by|forbidden by|by|breaks?|violates?) the"
        r" (system (?:prompt|message|instructions?))(?!\w)"
    ),
    Late(r"(?i)system|context|instruction|prompt|messages|conversation|developer|policy|rules"),
)
_OUTPUT = Field(
    "output",
    set_of(
        "output outputs answer answers reply replies response responses completion completions "
        "antwort"
    ),
    Late(
        r"(?i)\b(?:the|this) (outputs?|answers?|repl(?:y|ies)|responses?|completions?)\b"
        r"(?! (?:key|sheet|options?|choices?|format)\b)|\b(?:die|der) (antwort)\b"
    ),
    Late(
        r"(?i)^(?!(?:input|question|prompt|query|request|context|instructions?|reference"
        r"|history|documents?|sources?|expected\w*|criteri\w*|system\w*)$)"
    ),
)
"""It is missing where every input is known to hold something else."""

FIELDS = (CONTEXT, REFERENCE, HISTORY, CRITERION, _MEDIA, _ATTACHED, _SYSTEM, _OUTPUT)
OF_TEXTS = (CONTEXT, REFERENCE, HISTORY, CRITERION)
"""What an input called otherwise may be instead."""

ON_PAPER = (HISTORY, _MEDIA, _ATTACHED, _SYSTEM)
"""What chat messages may hold, which any input may be."""
