"""Bring a reply into one plain form, so that every later rule is written once.

Digits of any script become ASCII, look-alike punctuation becomes the plain one, what has no
width goes, and markdown is taken off. Nothing here decides anything.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.tables import without_tables

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
    "∶": ":",
}
# Letters that take no width although Unicode calls them letters or symbols.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_FRACTION = pattern("([0-9]?)([\u00bc-\u00be\u2150-\u215e\u2189])")
# A raised or lowered digit is a footnote or an exponent, never part of the number before it.
_RAISED = pattern("[⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉]")

# What hides in a terminal, and what angle brackets are escaped as.
_COLOUR = pattern(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_CONTROL = pattern(r"[\x00-\x08\x0e-\x1f\x7f]")
_ESCAPED = pattern(r"(?:&(?:amp;)*|\\u003)(?:(?P<less>lt;|c)|(?:gt;|e))", re.IGNORECASE)
# Stars drawn as a rating: three signs or more, the full ones first.
_STARS_DRAWN = pattern("(?P<full>(?:[★⭐🌟]\ufe0f?)+)(?P<empty>(?:☆\ufe0f?)*)")

_TOKENS_OF_THE_END = pattern(
    r"<\|(?:im_end|eot_id|end_of_text|endoftext|end|return|eom_id)\|>|</s>|<eos>|<end_of_turn>"
)
_CHAT_TOKEN = pattern(r"<\|[^|<>\n]{1,40}\|>|</?s>|<bos>|\[/?INST\]")
_COMMENT = pattern(r"<!--.*?-->", re.DOTALL)
_STRUCK = pattern(r"~~[^~\n]{1,500}~~|<(?P<cut>del|strike)>[^<]{0,500}</(?P=cut)>", re.IGNORECASE)
_BREAK = pattern(r"<(?:br|p|div|li|tr|h[1-6])\b[^<>\n]{0,100}>", re.IGNORECASE)
_TAG = pattern(
    r"</?(?:b|strong|i|em|u|p|span|div|h[1-6]|code|pre|mark|center|font|ul|ol|li|tr|td|th|table)"
    r"\b[^<>\n]{0,100}>",
    re.IGNORECASE,
)
_WRAPPERS = r"(?:output|response|evaluation|assessment|assistant|json|xml|yaml|tool_call|review)"
_WRAPPED = pattern(
    rf"(?:^|(?<=>))[ \t]*<{_WRAPPERS}>[ \t]*|</{_WRAPPERS}>[ \t]*(?=$|<)",
    re.IGNORECASE | re.MULTILINE,
)
# A value where a label expects one: no tag of HTML begins with a digit or stands behind a colon.
_ANGLED = pattern(
    r"(?:^|(?<=[:=]))(?P<gap>[ \t]*)<[ \t]*(?P<said>\d[^<>\n]{0,12}|[A-F][ \t]?)>"
    r"(?=[ \t]*(?:$|[.,;(]))",
    re.MULTILINE,
)
_FENCE = pattern(r"^[ \t]*(?:```|~~~)[ \t]*\w*[ \t]*$", re.MULTILINE)
_STARS = pattern(r"(?<!\w)\*+|\*+(?!\w)")
_UNDERSCORES = pattern(r"(?<![\w])_+(?=\w)|(?<=\w)_+(?![\w])")
_LATEX = pattern(r"\\(?:text|textbf|mathbf|mathrm|textit|emph)\s*\{([^{}\n]*)\}")
_MATHS = pattern(r"\\[()\[\]]")
_DOLLARS = pattern(r"\$\$?([^$\n]{1,40})\$\$?")
_LINE_MARK = pattern(
    r"^[ \t]*(?:(?:[#>]+|={2,}|-{3,})[ \t]*)+|(?<![ \t])[ \t]+(?:#+|={2,}|-{3,})[ \t]*$",
    re.MULTILINE,
)


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


def _stars(match: re.Match[str]) -> str:
    full, empty = (len(match[part].replace("\ufe0f", "")) for part in ("full", "empty"))
    if full + empty < 3:
        return " "
    return f" {full}/{full + empty} " if empty else f" {full} stars "


def normalise(text: str) -> str:
    """Return ``text`` in NFKC with ASCII digits and plain punctuation, without zero-width marks."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isprintable():
        text = _CONTROL.sub(" ", _COLOUR.sub("", text) if "\x1b" in text else text)
    if "&" in text or "\\u003" in text:
        text = _ESCAPED.sub(lambda match: "<" if match["less"] else ">", text)
    if text.isascii():
        return text
    text = _STARS_DRAWN.sub(_stars, text)
    text = _FRACTION.sub(_fraction, text)
    text = _RAISED.sub("^", text)
    text = unicodedata.normalize("NFKC", text)
    table = {ord(char): _plain(char) for char in set(text) if char > "~"}
    return text.translate(table)


def until_end_of_turn(text: str) -> str:
    """Return ``text`` without what follows an end-of-turn token: that was never part of it."""
    ended = _TOKENS_OF_THE_END.search(text) if "<" in text else None
    return text[: ended.start()] if ended and text[: ended.start()].strip() else text


def strip_markup(text: str) -> str:
    """Return normalised ``text`` without markdown, simple HTML and chat tokens.

    What is struck out is no longer said. A table row becomes a ``name: value`` line.
    """
    if "~~" in text or "<" in text:
        text = _STRUCK.sub(" ", text)
    if "<" in text:
        text = _COMMENT.sub(" ", text) if "-->" in text else text
        text = _CHAT_TOKEN.sub(" ", text)
        text = text if "</" in text else _ANGLED.sub(r"\g<gap>\g<said>", text)
        text = _TAG.sub("", _BREAK.sub("\n", _WRAPPED.sub("\n", text)))
    if "`" in text or "~~~" in text:
        text = _FENCE.sub("", text).replace("`", "")
    if "*" in text:
        text = _STARS.sub("", text)
    if "_" in text:
        text = _UNDERSCORES.sub("", text)
    if "\\" in text:
        text = _MATHS.sub(" ", _LATEX.sub(r"\1", text))
    if "$" in text:
        text = _DOLLARS.sub(r"\1", text)
    text = without_tables(text)
    if "#" in text or ">" in text or "==" in text or "---" in text:
        text = _LINE_MARK.sub("", text)
    return text.strip()
