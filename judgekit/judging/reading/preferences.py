"""Read which side a sentence prefers, as in "Therefore, Output (b) is better".

Only an unqualified statement is an answer. "Output (a) is better in terms of detail", "if the
goal is speed, A is better" and "neither A nor B is better" prefer nothing. Behind an answer, the
other side on a condition takes it back: "A is better. However, if speed counts, B is better".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.comparisons import (
    IF,
    ORDINALS,
    SUPPOSED,
    Compared,
    before_other,
    compared,
    conditioned,
    other_side,
    stands,
    subject_of,
)
from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.sentences import CONCLUDES, LONGEST, Sentence
from judgekit.judging.reading.values import value_at
from judgekit.judging.reading.vocabulary import SIDE_NOUN, Vocabulary

_HINT = pattern(
    r"better|best|worse|worst|inferior|weaker|poorer|loser"
    r"|superior|prefer|winn|wins|strong|choose|select|pick|favou?r|vote|opt for|go with"
    r"|outperform|surpass|beats|verdict|decision|choice|equal|tie\b|tied|draw|neither|difference"
    r"|more |besser|schlechter|bevorzug|wähle|meilleur|bonne|pire|préf|choisis|mejor"
    r"|peor|prefi|elijo|melhor|pior|escolho|migliore|peggiore|scelgo|лучше|хуже|предпоч|更|优|優|良|劣|悪|较|喜|偏|选",
    re.IGNORECASE,
)
_SEEMS = pattern(r"\s+(?:seems|appears|would be|should be)\b", re.IGNORECASE)
_CHOOSES = pattern(
    r"\b(?:i|we)(?:'d|\s+would|\s+will|'ll)?\s+(?:(?:therefore|thus|hence|clearly|strongly|slightly)"
    r"\s+)?(?:prefer|choose|select|pick|favou?r|vote\s+for|go\s+with|opt\s+for|declare)\s+(?=\S)"
    r"|\b(?:better|best|preferred|winning|superior|stronger)\s+(?:output|response|answer|option|one"
    r"|choice|assistant|model|candidate|summary|solution)(?:\s+overall)?"
    r"(?:\s+(?:is|would\s+be|was)\b\s*:?|\s*:)\s*|\bvote\s+(?:goes\s+to|is\s+for)\s+"
    r"|\b(?:winner|verdict|decision|choice|preference|final\s+answer|judge?ment)\s+"
    r"(?:is|goes\s+to|would\s+be)\s*:?\s*",
    re.IGNORECASE,
)
_EVEN = pattern(
    r"\b(?:both|the two|they|outputs|responses|answers|A and B)\b[^.;]*"
    r"\b(?:equally (?:good|well|bad|valid|strong)|(?:are|is) (?:tied|equal))\b"
    r"|\bit(?:'s| is) a (?:tie|draw)\b"
    r"|\bboth\b[^.;]{0,60}\bare of (?:\w+ )?equal quality\b"
    r"|\bno (?:\w+ )?(?:difference|preference)(?: in (?:overall )?quality)? between"
    r" (?:them|(?:the )?(?:two|both)(?: \w+)?)[\s.]*$"
    r"|\bneither\b[^.;]*\bis better\b|\b(?:results? in|declare|call (?:it|this)) a (?:tie|draw)\b",
    re.IGNORECASE,
)


_MORE = pattern(
    r"\s+is\s+(?:(?:slightly|much|far|clearly|overall|significantly)\s+)?more\s+(?:helpful|accurate|useful"
    r"|suitable|appropriate|effective|complete|comprehensive|correct|convincing|relevant)"
    r"(?:(?:,|\s+and|,\s+and)\s+(?:more\s+)?(?:helpful|accurate|useful|suitable|appropriate|effective"
    r"|complete|comprehensive|correct|convincing|relevant|detailed|clear|concise)){0,3}\s*[.!]*$",
    re.IGNORECASE,
)
_SIDE_ABROAD = (
    r"(?:antwort|r[ée]ponse|respuesta|resposta|risposta|ответ|回答|回复|答案|助手|応答|応答|响应)"
    r"\s*[(\"']?(?P<side>[AB12])[)\"']?"
)
_STOPS_ABROAD = (  # "als Antwort A", and then no condition and no reservation
    r"(?![\w-])(?:\s+(?:als|que|che|di|do\s+que|del?|della|чем|à|a|sobre|vor|gegenüber)"
    r"\s+[^\n.,;:!?]{0,25}?[AB12][)\"']?(?!\w))?"
    r"(?=\s*(?:$|[.!]|,(?!\s*(?:wenn|falls|sofern|si|se|если|aber|mais|pero|mas|ma|но|如果|但))))"
)
_ABROAD = pattern(
    rf"^[^\n.,;:!?]{{0,20}}?{_SIDE_ABROAD}\s*(?:(?:ist|est|es|é|è)\s+)?"
    r"(?:(?:deutlich|klar|etwas|viel|nettement|clairement|mucho|claramente|muito|molto|явно)\s+)?"
    r"(?:(?:la|le|die|a)\s+)?"
    r"(?:besser|meilleure?|mejor|melhor|migliore|(?:明显|稍微|略)?(?:更好|更优|更佳|较好)|лучше"
    r"|の(?:方|ほう)が(?:優れ|良|よ)\w*"
    r"|(?P<worse>schlechter|pire|moins\s+bonne|peor|pior|peggiore|хуже|(?:明显|稍微|略)?(?:更差|较差)"
    rf"|の(?:方|ほう)が(?:劣|悪)\w*)){_STOPS_ABROAD}",
    re.IGNORECASE,
)
_CHOOSES_ABROAD = pattern(
    r"\W*(?:ich\s+(?:bevorzuge|wähle)|je\s+(?:préfère|choisis)|prefiero|elijo|prefiro|escolho"
    r"|preferisco|scelgo|(?:я\s+)?предпочитаю|我(?:更|比较)?(?:喜欢|偏好|选择?))\s*"
    rf"(?:(?:die|la|a)\s+)?{_SIDE_ABROAD}{_STOPS_ABROAD}",
    re.IGNORECASE,
)
_NUMBERED = pattern(
    rf"(?:the\s+)?(?P<side>first|second)\s+(?:{SIDE_NOUN}|one)(?=\s*(?:$|[.,;!]|because|since|as\b))",
    re.IGNORECASE,
)
_OPTION = pattern(r"\W*(?P<side>[AB])\s*[:)]\s")


def preferences(words: Vocabulary, said: list[Sentence]) -> Iterator[Evidence]:
    """Yield which side each sentence prefers; nothing on scales that are not pairwise."""
    if words.pair is None:
        return
    given: set[int] = set()
    for sentence in said:
        text = sentence.text
        if len(text) > LONGEST or not _HINT.search(text):
            continue
        places = list(compared(words, text))
        found = _preferred(words, text, places) or _said_abroad(words, text)
        if found is not None:
            found = _with_option(words, sentence, found)
            plain = (sentence.edge or CONCLUDES.search(text)) and not _SEEMS.search(text)
            given.add(found.level)
            yield Evidence(Weight.ANSWER if plain else Weight.MENTION, sentence.at, found)
        elif given and any(level not in given for level in _on_condition(words, text, places)):
            both = Found("contradictory", -1, text.strip()[:60], len(text))
            yield Evidence(Weight.MENTION, sentence.at, both)
        elif _EVEN.search(text) and not SUPPOSED.search(text):
            plain = sentence.last or CONCLUDES.search(text) is not None
            even = Found("out_of_scale", -1, text.strip()[:60], len(text))
            if words.tie is not None:
                even = even._replace(kind="level", level=words.tie)
            yield Evidence(Weight.ANSWER if plain else Weight.MENTION, sentence.at, even)
        elif (sentence.last or CONCLUDES.search(text)) and (more := _MORE.search(text)):
            yield from _more(words, sentence, more.start())


def _numbered(words: Vocabulary, text: str, at: int) -> Found | None:
    """Return the side that "the second response" at ``at`` is."""
    match = _NUMBERED.match(text, at)
    level = words.side_level(ORDINALS[match["side"].lower()]) if match else None
    if match is None or level is None:
        return None
    return Found("level", level, match[0], match.end(), name=True)


def _more(words: Vocabulary, sentence: Sentence, at: int) -> Iterator[Evidence]:
    """Yield the side that is called more helpful, which is the answer where there is no other."""
    subject = subject_of(words, sentence.text[:at])
    if subject is not None and not SUPPOSED.search(sentence.text, 0, subject[1]):
        said = sentence.text.strip()[:60]
        yield Evidence(Weight.HINT, sentence.at, Found("level", subject[0], said, at, name=True))


def _chosen(words: Vocabulary, text: str, at: int) -> list[Found]:
    """Return the side behind "I prefer", as a list of one; of none where none stands there."""
    over = before_other(words, text, at)
    if over is not None:
        return [Found("level", over[0], text[at : over[1]], over[1], name=True)]
    value = _numbered(words, text, at) or value_at(words, text, at)
    named = value is not None and value.kind in {"level", "contradictory"} and value.name
    return [value] if value is not None and named else []


def _on_condition(words: Vocabulary, text: str, places: list[Compared]) -> Iterator[int]:
    """Yield the sides that one sentence prefers on a condition."""
    yield from (place.level for place in places if conditioned(text, place))
    for match in _CHOOSES.finditer(text):
        if IF.search(text, 0, match.start()):
            yield from (found.level for found in _chosen(words, text, match.end()))


def _said_abroad(words: Vocabulary, text: str) -> Found | None:
    """Return what one sentence of another language prefers."""
    match = _ABROAD.match(text) or _CHOOSES_ABROAD.match(text)
    level = words.side_level(match["side"]) if match else None
    if match is not None and level is not None and match.groupdict().get("worse"):
        level = other_side(words, level)
    return None if match is None or level is None else Found("level", level, match[0], match.end())


def _with_option(words: Vocabulary, sentence: Sentence, found: Found) -> Found:
    """Return ``found`` beside the option that opens the reply: "A: Response 2 is better"."""
    option = _OPTION.match(sentence.text) if sentence.at == 0 else None
    if option is None or words.side_level(option["side"]) == found.level:
        return found
    return found._replace(kind="contradictory", level=-1)


def _preferred(words: Vocabulary, text: str, places: list[Compared]) -> Found | None:
    """Return what one sentence prefers, or None when it prefers nothing plainly."""
    found = [
        Found("level", place.level, text[place.start : place.end], place.end)
        for place in places
        if stands(text, place.before, place.end)
    ]
    for match in _CHOOSES.finditer(text):
        if not SUPPOSED.search(text, 0, match.start()):
            found += _chosen(words, text, match.end())
    if len({f.level for f in found}) > 1:
        return Found("contradictory", -1, text.strip()[:60], len(text))
    return found[-1] if found else None
