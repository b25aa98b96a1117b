"""The examples of the rules' pages, made into whole rubrics."""

from __future__ import annotations

import re
from textwrap import indent
from typing import NamedTuple

from judgekit.linting.engine import lint
from judgekit.linting.finding import Found
from judgekit.linting.fixing import fixed
from tests.rubric.make import BASES, in_memory

_FENCED = re.compile(r"```(\w+)\n(.*?)\n```", re.DOTALL)
_KEY = re.compile(r"(- )?\{?\s*(\w+):")
_FILE = re.compile(r"\{# (\S+\.jinja) #\}")
_CRITERION = ("question", "scale", "levels", "passes_at", "passing", "weights", "not_applicable")
_LEVEL = ("definition", "drops_when", "anchors")
_LEVELS = (
    "[{value: 1, name: met, definition: The reply names the hour., drops_when: It names none.},"
    " {value: 0, name: unmet, definition: The reply names no hour.}]"
)


class Snippet(NamedTuple):
    """A block of a page."""

    language: str
    text: str

    @property
    def is_whole(self) -> bool:
        """Whether it is a rubric by itself."""
        return self.text.startswith("---")


def snippets(section: str) -> list[Snippet]:
    """The blocks of a section of a page."""
    return [Snippet(*match) for match in _FENCED.findall(section)]


def found_in(snippet: Snippet) -> list[Found]:
    """What the linter says of an example, in the place it belongs to."""
    files = _files(snippet)
    return lint(whole(snippet), file="r.jinja", load=in_memory(files))


def mended(snippet: Snippet) -> str:
    """The rubric an example becomes when it is mended."""
    load = in_memory(_files(snippet))
    return fixed(whole(snippet), lambda text: lint(text, file="r.jinja", load=load))[0]


def _files(snippet: Snippet) -> dict[str, str]:
    beside = _FILE.match(snippet.text)
    return {beside[1]: snippet.text} if beside else {}


def whole(snippet: Snippet) -> str:
    """A rubric with an example in the place it belongs to; ``levels: ...`` stands for any."""
    text = snippet.text.replace("levels: ...", f"levels: {_LEVELS}") + "\n"
    if snippet.is_whole or snippet.language == "text":
        return text
    if snippet.language == "jinja":
        body = f'{{% include "{name}" %}}' if (name := "".join(_files(snippet))) else text
        front = BASES["binary"].removesuffix("---\n")
        return (
            f"{front}---\n{body}" if not name else f"{front}---\n{body}{{{{input}}}}{{{{output}}}}"
        )
    return f"---\n{_front(text)}---\n"


def _front(text: str) -> str:
    """The front matter around a piece of one."""
    first = _KEY.match(text)
    assert first, f"an example begins with a key: {text!r}"
    dash, key = first.groups()
    if dash and key in ("value", "name"):
        return _front(f"levels:\n{indent(text, '  ')}{_second(text)}")
    if not dash and key in _LEVEL:
        said = "" if "definition:" in text else "  definition: The reply names the hour.\n"
        said += "" if "drops_when:" in text else "  drops_when: It names none.\n"
        return _front(f"- value: 3\n{said}{indent(text, '  ')}")
    if not dash and key in _CRITERION:
        return _front(f"- criterion: c\n{indent(text, '  ')}{_lacking(text)}")
    if dash:
        return _front(f"criteria:\n{indent(text, '  ')}")
    keys = re.findall(r"^(\w+):", text, re.MULTILINE)
    head = "" if "rubric" in keys else "rubric: r\n"
    head += "" if {"rubric", "version"} & {*keys} else "version: 1\n"
    criterion = f"- criterion: c\n{_lacking('')}"
    return head + text + ("" if "criteria" in keys else f"criteria:\n{criterion}")


def _second(text: str) -> str:
    """A lower level, where there is only one."""
    if len(re.findall(r"^- ", text, re.MULTILINE)) > 1:
        return ""
    value = re.search(r"value: (\d+)", text)
    below = int(value[1]) - 1 if value else 0
    return f"  - {{value: {below}, name: silent, definition: No hour is named.}}\n"


def _lacking(text: str) -> str:
    """What a criterion still needs."""
    wanted = {"question": "Does the reply name the hour?", "scale": "ordinal", "levels": _LEVELS}
    keys = re.findall(r"^(\w+):", text, re.MULTILINE)
    return "".join(f"  {key}: {value}\n" for key, value in wanted.items() if key not in keys)
