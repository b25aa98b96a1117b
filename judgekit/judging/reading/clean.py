"""Bring a reply into one plain form, so that every later rule is written once.

Digits of any script become ASCII, look-alike punctuation becomes the plain one, what has no
width goes, and markdown is taken off. Nothing here decides anything.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_PLAIN = {
    **dict.fromkeys("“”„‟«»「」『』❝❞＂", '"'),
    **dict.fromkeys("‘’‚‛´＇", "'"),
    **dict.fromkeys("‐‑‒–−﹣", "-"),
    **dict.fromkeys("—―", " - "),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("\u2028\u2029\x85", "\n"),
    **dict.fromkeys("。।", ". "),  # a sentence ends, and the next one needs no space there
    "【": "[",
    "】": "]",
    "、": ", ",
    "،": ", ",
    "؟": "?",
    "٫": ".",
    "≫": ">>",
    "≪": "<<",
    "→": "->",
    "⟶": "->",
}
# Letters that take no width although Unicode calls them letters or symbols.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_FRACTION = re.compile("([0-9]?)([\u00bc-\u00be\u2150-\u215e\u2189])")
# A raised or lowered digit is a footnote or an exponent, never part of the number before it.
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉]")

_TOKENS_OF_THE_END = re.compile(
    r"<\|(?:im_end|eot_id|end_of_text|endoftext|end|return|eom_id)\|>|</s>|<eos>|<end_of_turn>"
)
_CHAT_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>|<bos>|\[/?INST\]")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_STRUCK = re.compile(
    r"~~[^~\n]{1,500}~~|<(?P<cut>del|strike)>[^<]{0,500}</(?P=cut)>", re.IGNORECASE
)
_BREAK = re.compile(r"<(?:br|p|div|li|tr|h[1-6])\b[^<>\n]{0,100}>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:b|strong|i|em|u|p|span|div|h[1-6]|code|pre|mark|center|font|ul|ol|li|tr|td|th|table)"
    r"\b[^<>\n]{0,100}>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*\w*[ \t]*$", re.MULTILINE)
_STARS = re.compile(r"(?<!\w)\*+|\*+(?!\w)")
_UNDERSCORES = re.compile(r"(?<![\w])_+(?=\w)|(?<=\w)_+(?![\w])")
_LATEX = re.compile(r"\\(?:text|textbf|mathbf|mathrm|textit|emph)\s*\{([^{}\n]*)\}")
_LINE_MARK = re.compile(r"^[ \t]*(?:[#>]+[ \t]*)+|[ \t]+#+[ \t]*$", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|[ \t]*([^|\n]+?)[ \t]*\|[ \t]*([^|\n]+?)[ \t]*\|[ \t]*$", re.MULTILINE)


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    known = _PLAIN.get(char)
    if known is not None:
        return known
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category in {"Cf", "Me", "Cs", "Co"} or char in _BLANK_LETTERS or "︀" <= char <= "️":
        return ""
    return " " if category in {"Zs", "Cc", "So"} else char  # So: ticks, crosses, stars


def _fraction(match: re.Match[str]) -> str:
    part = f"{unicodedata.numeric(match[2]):.4g}"
    return match[1] + part[1:] if match[1] and part.startswith("0.") else f"{match[1]} {part}"


def normalise(text: str) -> str:
    """Return ``text`` in NFKC with ASCII digits and plain punctuation, without zero-width marks."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    text = _FRACTION.sub(_fraction, text)
    text = _RAISED.sub("^", text)
    text = unicodedata.normalize("NFKC", text)
    table = {ord(char): _plain(char) for char in set(text) if char > "~"}
    return text.translate(table)


def strip_markup(text: str) -> str:
    """Return normalised ``text`` without markdown, simple HTML and chat tokens.

    What is struck out is no longer said, and what follows an end-of-turn token was never part of
    the reply. A table row of two cells becomes a ``name: value`` line.
    """
    if "~~" in text or "<" in text:
        text = _STRUCK.sub(" ", text)
    if "<" in text:
        ended = _TOKENS_OF_THE_END.search(text)
        if ended and text[: ended.start()].strip():
            text = text[: ended.start()]
        text = _COMMENT.sub(" ", text) if "-->" in text else text
        text = _CHAT_TOKEN.sub(" ", text)
        text = _TAG.sub("", _BREAK.sub("\n", text))
    if "`" in text or "~~~" in text:
        text = _FENCE.sub("", text).replace("`", "")
    if "*" in text:
        text = _STARS.sub("", text)
    if "_" in text:
        text = _UNDERSCORES.sub("", text)
    if "\\" in text:
        text = _LATEX.sub(r"\1", text)
    if "#" in text or ">" in text:
        text = _LINE_MARK.sub("", text)
    if "|" in text:
        text = _ROW.sub(r"\1: \2", text)
    return text.strip()
