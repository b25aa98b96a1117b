"""Front matter to YAML nodes: only plain YAML is read, and what is wrong is said plainly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from judgekit.rubric.source import NULL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgekit.rubric.source import Problems

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TEXT = "text"  # tags other than NULL make no difference: text is read as written
_EMPTY = {"", "~", "null", "Null", "NULL"}
_DEEPEST = 24
_UNREADABLE = ("front-matter-unreadable", "RB02")
_UNPLAIN = ("front-matter-unplain", "RB09")
_QUOTES = ("'", '"')
_BEGINS = {yaml.MappingStartEvent: yaml.MappingNode, yaml.SequenceStartEvent: yaml.SequenceNode}
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
_MARKED = re.compile(r"(?:^|[\s\[{,:])[&*!]")
"""Where an anchor, an alias or a tag may stand."""
_LINE_ENDS = ("\x85", "\u2028", "\u2029")  # to YAML, not to editors
_FORBIDDEN = "[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"


class _Meaning(NamedTuple):
    """What a YAML library's complaint means to an author, and the way out."""

    pattern: re.Pattern[str]
    message: str
    help: str | None
    at_start: bool = False  # points at where the unfinished thing began


_QUOTE = "put the text in quotes, or below a '|' and indented"
_MEANINGS = (
    _Meaning(
        re.compile("mapping values are not allowed"),
        "a ': ' in a text, or a line that is not indented like its neighbours",
        _QUOTE,
    ),
    _Meaning(
        re.compile("could not find expected ':'"),
        "a line without ': ' where a 'key: value' belongs",
        "a text of several lines is indented below its key",
        at_start=True,
    ),
    _Meaning(
        re.compile("end of stream|expected ',' or '[]}]'|expected the node|expected node content"),
        "a quote or bracket is opened here and not closed, or lacks a comma",
        None,
        at_start=True,
    ),
    _Meaning(
        re.compile("alphabetic or numeric character"),
        "a text that begins with '*' or '&' needs quotes",
        _QUOTE,
    ),
    _Meaning(
        re.compile("unknown escape"),
        "in double quotes a backslash has a meaning of its own",
        "use single quotes, or write the backslash twice",
    ),
    _Meaning(
        re.compile("expected key|block end|expected '-' indicator"),
        "this line does not go on with what stands above it",
        "indent it like its neighbours; a text with quotes inside goes below a '|'",
    ),
    _Meaning(
        re.compile("document"),
        "a line '...' or '%' ends the front matter before its '---'",
        "take it out",
    ),
)


def compose(front: str, problems: Problems) -> yaml.MappingNode | None:
    """Read the front matter into a node tree that knows its lines; None when it is no mapping.

    Tags, anchors and aliases are refused: nothing in a rubric is constructed, and a short text
    cannot stand for a long one.
    """
    problems.front = front
    # Whatever can be printed may stand there; the pattern is compiled for the rest only.
    printable = front.replace("\n", "").replace("\t", "").isprintable()
    odd = None if printable else re.search(_FORBIDDEN, front)
    if odd:
        line, column = problems.place(odd.start())
        message = f"the front matter holds the character U+{ord(odd.group()):04X}"
        problems.at(line, *_UNREADABLE, message, column=column, help="take it out")
        return None
    quoted: list[yaml.ScalarEvent] = []
    try:
        node = _plain_tree(front) or _tree(front, problems, quoted)
    except yaml.YAMLError as error:
        _report(error, front, problems, quoted)
        return None
    if isinstance(node, yaml.MappingNode):
        return node
    if not problems.fatal:
        said = "not made of 'key: value' lines" if node else "empty"
        message = f"the front matter is {said}"
        problems.at(2, *_UNREADABLE, message, help="begin with rubric: NAME and version: 1")
    return None


class _Plain(_Loader):  # type: ignore[misc]
    """Composes YAML whose tags make no difference, as deep as a rubric may be."""

    _depth = 0

    def resolve(self, kind: type[yaml.Node], value: str, implicit: tuple[bool, bool]) -> str:
        return NULL if kind is yaml.ScalarNode and implicit[0] and value in _EMPTY else _TEXT

    def descend_resolver(self, *_: object) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise yaml.YAMLError

    def ascend_resolver(self) -> None:
        self._depth -= 1


def _plain_tree(front: str) -> yaml.Node | None:
    """Return what :func:`_tree` does, in less time; None where that has something to say."""
    if any(sign in front for sign in "&*!") and _MARKED.search(front):
        return None
    loader = _Plain(front)
    try:
        found: yaml.Node | None = loader.get_single_node()
    except yaml.YAMLError:
        return None
    finally:
        loader.dispose()
    return found


def _tree(front: str, problems: Problems, quoted: list[yaml.ScalarEvent]) -> yaml.Node | None:
    """Return the nodes of a YAML text; where an alias stands, its name instead of what it names.

    ``quoted`` takes the texts in quotes, for complaints.
    """
    top = yaml.SequenceNode(_TEXT, [])
    open_nodes: list[yaml.CollectionNode] = [top]
    for event in _events(front):
        kind = type(event)
        if kind is yaml.ScalarEvent:
            if event.anchor is not None or event.tag is not None:
                _check_plain(event, problems)
            if event.style in _QUOTES:
                quoted.append(event)
            tag = NULL if event.implicit[0] and event.value in _EMPTY else _TEXT
            node = yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark)
            open_nodes[-1].value.append(node)
        elif kind in _ENDS:
            done = open_nodes.pop()
            if kind is yaml.MappingEndEvent:
                done.value = list(zip(done.value[::2], done.value[1::2], strict=True))
        elif kind in _BEGINS:
            _check_plain(event, problems)
            opened = _BEGINS[kind](_TEXT, [], event.start_mark, event.end_mark)
            open_nodes[-1].value.append(opened)
            open_nodes.append(opened)
            if len(open_nodes) > _DEEPEST:
                message = f"the front matter is nested more than {_DEEPEST} deep"
                problems.add(event, *_UNPLAIN, message)
                return None
        elif kind is yaml.AliasEvent:
            _check_plain(event, problems)
            named = yaml.ScalarNode(_TEXT, f"*{event.anchor}", event.start_mark, event.end_mark)
            open_nodes[-1].value.append(named)
    return top.value[0] if len(top.value) == 1 else None


def _events(front: str) -> Iterator[Any]:
    loader = _Loader(front)
    try:
        yield from iter(loader.get_event, None)
    finally:
        loader.dispose()


def _check_plain(event: Any, problems: Problems) -> None:
    if event.anchor is not None:
        sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
        message = f"YAML anchors and aliases are not read: {sign}{event.anchor}"
        say = f"write it out; a text that begins with {sign!r} needs quotes"
        problems.add(event, *_UNPLAIN, message, help=say)
    tag = getattr(event, "tag", None)
    if tag is not None:
        message = f"YAML tags are not read: {tag.replace('tag:yaml.org,2002:', '!!')}"
        say = "take it out; a text that begins with '!' needs quotes"
        problems.add(event, *_UNPLAIN, message, help=say)


def _report(
    error: yaml.YAMLError, front: str, problems: Problems, quoted: Sequence[yaml.ScalarEvent]
) -> None:
    said = str(getattr(error, "problem", None) or error)
    mark, start = (getattr(error, name, None) for name in ("problem_mark", "context_mark"))
    found = next((m for m in _MEANINGS if m.pattern.search(said)), None)
    if found and found.at_start:
        mark = start or mark
    index = mark.index if mark else 0
    runaway = _runaway(quoted, mark)
    if runaway is not None:
        index = runaway
    line, column = problems.place(index)
    message, say = f"the front matter is not valid YAML: {said}", _QUOTE
    if found:
        message, say = found.message, found.help or _QUOTE
    if runaway is not None:
        message, say = "a quote is opened here and not closed", _QUOTE
    elif front[index - 1 : index] in _LINE_ENDS:
        message = f"the character U+{ord(front[index - 1]):04X} ends a line in YAML"
    elif "cannot start" in said or "tab character" in said:
        message, say = _wrong_start(front[index : index + 1])
    problems.at(line, *_UNREADABLE, message, column=column, help=say)


def _runaway(quoted: Sequence[yaml.ScalarEvent], mark: Any) -> int | None:
    """Return where a quote was opened that only the beginning of another text has closed."""
    if not quoted or mark is None:
        return None
    start, end = quoted[-1].start_mark, quoted[-1].end_mark
    if start is None or end is None or start.line == end.line or end.line != mark.line:
        return None
    return int(start.index)


def _wrong_start(character: str) -> tuple[str, str]:
    if character == "\t":
        return "a tab where YAML wants spaces", "indent with spaces"
    return f"a text cannot begin with {character!r} here", _QUOTE
