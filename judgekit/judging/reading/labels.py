"""Answers behind a label: ``Score: 3``, ``**Final verdict**: grounded``, ``评分：4``.

A label is taken at the start of a line or a sentence only, so "downgrade: 2" is no grade and a
score quoted in the middle of a sentence is none either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judgekit.judging.reading.evidence import Evidence, Weight
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.lines import is_quoted, without_bullet
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.quoted import told_of
from judgekit.judging.reading.rivals import is_split, split
from judgekit.judging.reading.values import value_at, whole_value
from judgekit.judging.reading.vocabulary import Vocabulary

KNOWN = (
    r"(?:scores?|rating|grade|level|verdict|label|answer|choice|result|decision|judge?ment|winner"
    r"|preference|conclusion|evaluation|assessment|classification|category|mark|option|selection"
    r"|overall|final|the(?:score|rating)|evaluaci[oó]n|puntuaci[oó]n|calificaci[oó]n|puntaje|respuesta|nota|r[ée]ponse"
    r"|note|(?:gesamt|end|schluss)?(?:bewertung|punktzahl|ergebnis|urteil|note)|antwort|punteggio"
    r"|voto|giudizio|beoordeling|ocena|pontua[cç][aã]o|resposta|оценка|ответ|балл"
    r"|评分|得分|分数|评级|等级|答案|结论|判断|评价|総合評価|評価|スコア|判定|答え|점수|평가|등급"
    r"|정답|स्कोर|अंक|उत्तर|الدرجة|التقييم|النتيجة|الإجابة)"
)
"""Pattern of the words that announce an answer."""

FINAL = pattern(
    r"\b(?:final(?:ly)?|overall|ultimate|endg[üu]ltige?|finale?|dernière)\b"
    r"|最终|总体|最終|総合|итог|최종",
    re.IGNORECASE,
)
"""Says that an answer is the last word."""

SOMEBODY_ELSES = pattern(
    r"\b(?:draft|initial|initially|preliminary|tentative|first|previous|prior|earlier|old|original"
    r"|max|maximum|min|minimum|possible|potential|highest|lowest|best|worst|worse|weaker|loser|rejected|inferior|perfect|top|expected"
    r"|passing|threshold|target|average|mean|example|sample|confidence|certainty|correct|reference"
    r"|gold|golden|true|ground[- ]truth|human|student'?s?|model's|user'?s?|submitted|given|actual"
    r"|extracted|candidate's|assistant's|their|his|her|its|if|when|whether|not|no|would|could|might"
    r"|without|each|every|any|which|what|how|sub|partial|weighted|author'?s?|provided|stated|right"
    r"|wrong|alternative)\b",
    re.IGNORECASE,
)
"""Says that a level is a draft, a bound or an example, or was given by somebody else."""

# Of what an item may well have of its own, only "my", "the" and "final" are the judge's.
_OWN_WORDS = frozenset(
    {"answer", "result", "option", "mark", "category", "note", "choice", "level"}
)
_CJK = "[\u3040-\u9fff\uac00-\ud7a3]"
_LABEL = pattern(
    r"(?:^|(?<=[.!?;:)])[ \t])[ \t]*(?:[-•+][ \t]+)?"
    r"(?:\(?\d{1,2}[.)][ \t]+|step \d+[.:][ \t]*)?[\"']?"
    rf"(?P<label>(?P<pre>(?:[^\W\d_](?:[^\W_]|['/&-]){{0,30}}[ _]+){{0,5}}?{_CJK}{{0,8}}?)"
    rf"(?P<word>{KNOWN}))(?!\w)"
    r"(?P<post>[ \t]+(?:of|for|on|to)[ \t]+[^:=\n.]{1,60}?)?[\"']?"
    r"(?P<range>[ \t]*[(\[][^()\[\]\n]{0,40}[)\]]|[ \t]+\d+[ \t]?(?:-|to)[ \t]?\d+)?[\"']?"
    r"[ \t]*(?P<sep>[:=]|->|-(?=[ \t])|\bis\b(?:[ \t]+that\b)?[:]?|\n)[ \t]*(?P<gap>\n\s*)?",
    re.IGNORECASE | re.MULTILINE,
)
_LETTER = pattern(r"[^\W\d_]")
_LEGEND_OF = pattern(r"\s+of\s+\d+\s*")
_LEGEND = pattern(r"\s*[(\[]\s*\w{1,12}\s*[)\]]")
_MINE = pattern(r"\b(?:my|our)\s+$", re.IGNORECASE)
_OURS = pattern(r"(?:(?:so|thus|therefore)\s+)?(?:(?:the|my|our)\s+)?", re.IGNORECASE)
_ITEM_SENT_BACK = pattern(
    r"^[ \t]*(?:question|q|input|problem|context|user|prompt|instruction)\b[^:\n]{0,30}:",
    re.IGNORECASE | re.MULTILINE,
)
_VALUE_LINE = pattern(r"[\"'\[(]*\w+[\"'\])]*\s*(?:/|out of|-|\()", re.IGNORECASE)


def labelled(words: Vocabulary, text: str) -> Iterator[Evidence]:
    """Yield what stands behind a label that announces an answer."""
    item = _ITEM_SENT_BACK.search(text)
    at = 0
    while match := _LABEL.search(text, at):
        at = match.end("sep")
        echo = item is not None and item.start() < match.start()
        if not _is_ours(match, echo=echo) or is_quoted(text, match.start("label")):
            continue
        found = _behind(words, text, match)
        if found is not None and not told_of(text, found.end):
            total = FINAL.search(match["label"]) is not None
            if match["gap"] is None and is_split(words, text, found, labels=not total):
                found = split(found)
            label = " ".join(match["label"].lower().split())
            yield Evidence(_weight(match, found), match.start("label"), found, label)


def _weight(match: re.Match[str], found: Found) -> Weight:
    """Return how plainly the label claims to be the answer.

    Words that are no level are the last word only behind a label that says "final", and only
    where they stand in the place of a level: "Overall: a decent answer" takes nothing back.
    """
    if not FINAL.search(match["label"]):
        return Weight.ANSWER
    if found.kind in {"unknown", "other"}:
        short = len(found.said.split()) <= 6
        return Weight.FINAL if short and "final" in match["pre"].lower() else Weight.ANSWER
    return Weight.FINAL


def _is_ours(match: re.Match[str], *, echo: bool) -> bool:
    """Return whether the label is the judge's own, and not a draft's, a legend's or the item's."""
    pre, word = match["pre"], match["word"].lower()
    if SOMEBODY_ELSES.search(pre) or _LEGEND.fullmatch(match["range"] or ""):
        return False
    if _LEGEND_OF.fullmatch(match["post"] or ""):  # "A score of 3: half of it is right"
        return False
    if word not in _OWN_WORDS or FINAL.search(pre):
        return True
    if match["sep"].lower().startswith("is"):  # "The answer is correct" speaks of the item
        return _MINE.search(pre) is not None
    return not echo and _OURS.fullmatch(pre) is not None


def _behind(words: Vocabulary, text: str, match: re.Match[str]) -> Found | None:
    """Return what stands behind a label; under a heading only what has the line for itself."""
    at = match.end()
    if match["gap"] is not None or match["sep"] == "\n":
        return _below(words, text, at)
    found = value_at(words, text, at) or nothing(end=at)
    if found.kind != "unknown":
        return found
    if match["sep"].lower().startswith(("is", "-")):  # a sentence, and no label
        return None
    return found._replace(kind="other") if _is_word(words, found.said) else found


def _below(words: Vocabulary, text: str, at: int) -> Found | None:
    line = without_bullet(words, text[at:].lstrip().split("\n", 1)[0])
    found = whole_value(words, line)
    if found is None and _VALUE_LINE.match(line):
        found = value_at(words, line, 0)
    if found is None or found.kind == "unknown":
        return None if line else nothing(end=at)
    return found


def _is_word(words: Vocabulary, said: str) -> bool:
    """Return whether ``said`` is a word or two in the place of a level, and no level is in them."""
    if not 0 < len(said.split()) <= 4 or re.search(r"\d", said) or not _LETTER.search(said):
        return False
    return all(len(token[0]) == 1 for token in words.token.finditer(said))
