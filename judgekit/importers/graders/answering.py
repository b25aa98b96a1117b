"""Sentences of a prompt that say how to answer: the form belongs to the scale and the template."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from judgekit.importers.graders.sentences import Piece, pieces, without, words_of
from judgekit.linting.words import set_of
from judgekit.rubric.scale import fold

_ASKS = set_of(
    "return respond answer reply output provide give assign print write emit use produce choose "
    "输出 返回 回答 出力 antworte antworten gib réponds répondez "
    "responde devuelve rispondi "
    "select pick rate score grade format conclude end"
)
_FORM = set_of(
    "number numbers integers digits integer int float floating decimal digit numeric numerical "
    "score rating grade json object format label word letter verdict value boolean true false "
    "yes no pass fail scale only explanation explanations text"
)
_SMALL = set_of(
    "a an the your you in on as of with and or to from for between by be is it its this that "
    "these those must should shall please just exactly strictly simply single one two valid no "
    "not nothing else any other additional extra following final below above then finally do "
    "don't never without either both inclusive range following brief short briefly concise "
    "one-sentence sentence sentences reason reasoning rationale justification explain "
    "explaining why commentary comments markdown code fence fences block blocks prose keys key "
    "field fields schema structure shape exact line lines first last next before after result "
    "results response responses judgment judgement evaluation assessment overall based criteria "
    "where like so only always include including contain containing string preamble "
    "introduction points point out percentage percent per cent ranging up most through whole "
    "half steps scores words least max maximum minimum min begin start starting ending "
    "consisting their his level levels possible evaluator evaluators otherwise if how to "
    "whether here should will would"
)
"""Small words of such sentences, among which nothing of what is judged is said."""
_HEADINGS = set_of(
    "scoring score scores using scale rubric rating ratings levels level grading grade guide "
    "guidelines criteria instructions format output response answer use following the as "
    "follows where points possible here is are meaning definitions labels categories values key "
    "follow according based on and with it of to from be by rate"
)
_CLAUSE = set_of(
    "return respond answer reply output give assign award score rate grade label mark classify "
    "choose select set use say it is are this that then and or a an the of as with otherwise "
    "else if not in all other cases anything everything rest when to be should must please "
    "scores gets rating value around about roughly from between where scale on range being for "
    "exactly following levels gib vergib bewerte mit donne attribue avec devuelve asigna con "
    "dai"
)
_FENCE = re.compile(
    r"[ \t]*```\w*[ \t]*\n(?P<inside>.{0,3000}?)\n[ \t]*```[ \t]*(?:\n|$)", re.DOTALL
)
_OBJECT = re.compile(r"\s*[{\[]")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)?")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?|\bx+\b|\bn\b")
_SPEAKS = re.compile(
    r"(?im)\[RESULT\]"
    r"|(?:(?:^|[.!?;,]\s|\b(?:please|must|should|only|and|then)\s)\W{0,40}"
    r"(?:return|respond|answer|reply|output|provide|give|assign)"
    r"|(?<=\s)(?-i:Return|Respond|Answer|Reply|Output|Provide|Give|Assign))\b[^.:\n]{0,60}?"
    r"\b(?:only|json|number|integer|score|format|exactly|one word|single word|nothing else)\b"
    r"|\bscale (?:of|from)\b|\bscore out of\b"
    r"|\b(?:from|between) \d+(?:\.\d+)? (?:to|and) \d+|\b\d+ ?[-–] ?\d+ scale\b"
)
_FIELD = re.compile(r"\[[^\]\n]*\]")
_MOST_NAMES = 20
_FEW = 8
"""Words of a sentence that does little more than list the answers."""
_LONGEST = 400


class Answering(NamedTuple):
    """A prompt without what it says of the answer's form alone.

    Attributes:
        rest: What is left.
        taken: The sentences that are gone.
        left: Those that say it among other things, and are still there.
    """

    rest: str
    taken: tuple[str, ...]
    left: tuple[str, ...]


def is_small(text: str, levels: Iterable[str] = ()) -> bool:
    """Return whether a text has only words by which levels are given out: ``Return``, ``else``.

    Args:
        text: A sentence without what was read of it.
        levels: The levels that were read; any other number in the sentence was not.
    """
    names = list(levels)
    own = {word for name in names for word in words_of(name)}
    numbers = {number for name in names for number in _floats(name)}
    said = [word for word in words_of(_NUMBER.sub(" ", text)) if word not in own]
    return all(word in _CLAUSE for word in said) and set(_floats(text)) <= numbers


def _floats(text: str) -> list[float]:
    return [float(number.replace(",", ".")) for number in _FIGURE.findall(text)]


def is_heading(text: str, labels: Iterable[str] = ()) -> bool:
    """Return whether a line only announces a list of levels."""
    own = {word for label in labels for word in words_of(label)}
    known = _HEADINGS | _SMALL | _ASKS | own
    said = words_of(text)
    marked = text.strip().endswith((":", "**", "where")) or text.lstrip().startswith("#")
    return bool(said) and marked and all(w in known or _NUMBER.fullmatch(w) for w in said)


def answering(text: str, labels: Sequence[str] = (), kept: Container[Piece] = ()) -> Answering:
    """Take out of a prompt the sentences that only say how to answer.

    Args:
        text: The prompt.
        labels: The levels' names, which such a sentence may list.
        kept: Sentences of the prompt that stay, whatever they say.
    """
    own = frozenset(word for label in labels for word in words_of(label))
    taken: list[Piece] = []
    for piece in pieces(text):
        is_gone = bool(taken) and piece.start < taken[-1].end
        if not is_gone and piece not in kept and _is_form(text[piece.start : piece.end], own):
            taken.append(Piece(piece.start, _with_example(text, piece)))
    rest = without(text, taken).strip()
    names = [name for name in map(fold, labels) if name]
    found = [" ".join(rest[p.start : p.end].split()) for p in pieces(rest)]
    left = [sentence for sentence in found if _speaks(sentence, names)]
    said = tuple(" ".join(text[start:end].split()) for start, end in taken)
    return Answering(rest, said, tuple(left))


def _is_form(sentence: str, own: frozenset[str]) -> bool:
    said = words_of(sentence)
    if not said or len(sentence) > _LONGEST or sentence.rstrip().endswith("?"):
        return False
    asks = next((i for i, word in enumerate(said) if word in _ASKS), None)
    form = any(
        i != asks and (word in _FORM or word in own or _NUMBER.fullmatch(word))
        for i, word in enumerate(said)
    )
    known = all(
        w in _SMALL or w in _ASKS or w in _FORM or w in own or _NUMBER.fullmatch(w) for w in said
    )
    return asks is not None and form and known


def _with_example(text: str, piece: Piece) -> int:
    """Return where a sentence ends together with the JSON that it announces."""
    if not text[piece.start : piece.end].rstrip().endswith((":", "json", "JSON")):
        return piece.end
    fence = _FENCE.match(text, piece.end)
    if fence and _OBJECT.match(fence["inside"]):
        return fence.end()
    if not _OBJECT.match(text, piece.end):
        return piece.end
    depth = 0
    for sign in re.finditer(r"[{}\[\]]", text[piece.end : piece.end + 2000]):
        depth += 1 if sign[0] in "{[" else -1
        if depth == 0:
            end = piece.end + sign.end()
            return end + 1 if text[end : end + 1] == "\n" else end
    return piece.end


def _speaks(sentence: str, names: Sequence[str]) -> bool:
    """Return whether a sentence says how to answer among other things, or lists the answers."""
    if sentence.endswith("?"):
        return False
    plain = _FIELD.sub(" ", sentence)
    if _SPEAKS.search(plain):
        return True
    listed = sum(name in fold(plain) for name in names[:_MOST_NAMES]) if len(names) > 1 else 0
    said = words_of(plain)
    return listed > 1 and (len(said) <= _FEW or any(word in _ASKS for word in said))
