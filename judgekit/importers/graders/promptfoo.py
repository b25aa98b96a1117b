"""promptfoo configurations: the assertions that ask a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from judgekit.importers.graders.grader import Draft
from judgekit.importers.graders.node import Node
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.promptfoo_drafts import Asked, drafts_of
from judgekit.importers.graders.source import Source

_KEYS = {"tests", "defaultTest", "assert", "scenarios", "assertionTemplates"}
_JUDGES = ("llm-rubric", "model-graded-closedqa", "g-eval", "select-best")
_BUILT_IN = (
    *("factuality", "model-graded-factuality", "answer-relevance", "conversation-relevance"),
    *("context-recall", "context-relevance", "context-faithfulness", "search-rubric"),
    *("agent-rubric", "trajectory:goal-success", "moderation", "pi", "classifier", "similar"),
)
_CODE = ("javascript", "python", "ruby", "webhook")


class _Place(NamedTuple):
    """Where an assertion stands: the options over it, and whether it is of one test only."""

    options: tuple[Node, ...]
    test: int | None = None


def recognises(source: Source) -> bool:
    """Return whether a file is a configuration of this tool."""
    if source.root is None:
        return False
    kinds = [node.get("type") for node in source.root.walk() if node.get("type") is not None]
    graded = any(kind and (kind.text or "").removeprefix("not-") in _JUDGES for kind in kinds)
    return graded or ("prompts" in source.root.entries and bool(_KEYS & set(source.root.entries)))


def read(source: Source, notes: Notes) -> list[Draft]:
    """Return every assertion in the file that asks a model by a rubric of its own."""
    if source.root is None:
        return []
    found = list(_assertions(source.root, notes))
    _note_others([node for node, _ in found], notes)
    asked = _merged([(n, p) for n, p in found if _kind(n) in _JUDGES], notes)
    return [draft for one in asked for draft in drafts_of(one, notes)]


def _kind(node: Node) -> str:
    kind = node.get("type")
    return ((kind.text if kind is not None else None) or "").removeprefix("not-")


def _assertions(root: Node, notes: Notes) -> Iterator[tuple[Node, _Place]]:
    """Yield every assertion of a configuration, those for all tests first."""
    templates = root.get("assertionTemplates")
    default = root.get("defaultTest")
    over = () if default is None else (default,)
    for node in (root, *over):
        yield from _under(node, _Place(over), templates, notes)
    tests = [root.get("tests"), *_scenarios(root)]
    number = 0
    for listed in filter(None, tests):
        if listed.text is not None:
            notes.add("import-file", listed.at, f"the tests are in another file: {listed.text}")
        for test in listed.items:
            number += 1
            yield from _under(test, _Place((test, *over), number), templates, notes)
    if root.items:  # a bare list of assertions
        place = _Place(())
        for node in root.items:
            yield from _one(node, place, templates, notes)


def _scenarios(root: Node) -> list[Node | None]:
    scenarios = root.get("scenarios")
    return [] if scenarios is None else [one.get("tests") for one in scenarios.items]


def _under(
    node: Node, place: _Place, templates: Node | None, notes: Notes
) -> Iterator[tuple[Node, _Place]]:
    given = node.get("assert")
    if given is not None and given.text is not None:
        notes.add("import-file", given.at, f"the assertions are in another file: {given.text}")
    for one in [] if given is None else given.items:
        yield from _one(one, place, templates, notes)


def _one(
    node: Node, place: _Place, templates: Node | None, notes: Notes
) -> Iterator[tuple[Node, _Place]]:
    reference = node.get("$ref")
    if reference is not None and reference.text and templates is not None:
        node = templates.get(reference.text.rpartition("/")[2]) or node
    if _kind(node) == "assert-set":
        message = "a set of assertions has a score and a threshold of its own; they are lost"
        notes.add("import-formula", node.at, message, "each criterion stands alone here")
        yield from _under(node, place, templates, notes)
    elif node.get("assert") is not None and node.get("type") is None:
        yield from _under(node, place, templates, notes)
    else:
        yield node, place


def _note_others(nodes: list[Node], notes: Notes) -> None:
    """Note the assertions that are no rubric, once for each kind."""
    others = [(kind, node.at) for node in nodes if (kind := _kind(node)) not in _JUDGES]
    first = dict(reversed(others))
    for kind, times in Counter(kind for kind, _ in others).items():
        at = first[kind]
        what = f"{times} assertion{'s' if times > 1 else ''} of the type {kind or '(none)'!r}"
        stays = "it stays where it is: what a program can decide needs no judge"
        if kind in _BUILT_IN:
            help_ = "write a rubric for what it is to decide, or begin from one of the gallery"
            notes.add("import-built-in", at, f"{what}: the prompt is the tool's own", help_)
        elif kind in _CODE:
            notes.add("import-code", at, f"{what}: a program, which is not run", stays)
        else:
            notes.add("import-not-a-judge", at, f"{what}: no model is asked", stays)


def _merged(found: list[tuple[Node, _Place]], notes: Notes) -> list[Asked]:
    """Return each different assertion once, and note which of them are of some tests only."""
    groups: dict[str, list[tuple[Node, _Place]]] = {}
    for node, place in found:
        groups.setdefault(repr(node.plain()), []).append((node, place))
    tests = {place.test for _, place in found if place.test is not None}
    asked = []
    for group in groups.values():
        node, place = group[0]
        of = {p.test for _, p in group}
        notes.begin(node.at)
        if None not in of and (len(of) < len(tests) or _has_vars(place)):
            message = (
                f"this {_kind(node)} belongs to {len(of)} of the tests; here every item gets it"
            )
            help_ = (
                "keep it if it holds for all items; what comes with each item is an input of its "
                "own: inputs: [..., criterion_text]"
            )
            notes.add("import-item-criterion", node.at, message, help_)
        asked.append(Asked(node, place.options))
    notes.begin(None)
    return asked


def _has_vars(place: _Place) -> bool:
    return len(place.options) > 0 and place.options[0].get("vars") is not None
