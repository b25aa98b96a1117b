"""Judge and item to the request that is sent."""

from __future__ import annotations

import hashlib
from functools import partial
from json.encoder import encode_basestring as _escaped  # as canonical JSON has it
from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError
from judgekit.judging.images import whole, with_images
from judgekit.judging.likelihood import build_task
from judgekit.judging.request import Ask, Message, ModelRequest
from judgekit.rubric.fence import fence
from judgekit.rubric.holes import Holed
from judgekit.rubric.meaning import probes
from judgekit.rubric.planning import plan_of
from judgekit.rubric.render import answers, render_fenced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from judgekit.judging.item import Item, Text
    from judgekit.judging.judge import Judge
    from judgekit.judging.judgment import Order
    from judgekit.rubric.model import Criterion, Rubric
    from judgekit.rubric.plan import Plan, Values
    from judgekit.rubric.render import Shown


def build_request(
    judge: Judge,
    criterion: Criterion,
    item: Item,
    *,
    replicate: int = 0,
    member: int = 0,
    order: Order | None = None,
) -> ModelRequest:
    """Return the request that asks ``judge`` about one criterion of one item.

    Args:
        judge: The judge.
        criterion: What is judged.
        item: What is judged by it.
        replicate: 0 for the first asking, 1 for the second ...
        member: Which of the judge's ``members`` is asked.
        order: ``"BA"`` shows ``output_b`` as output A and the other way round; ``"AB"`` and None
            show a pair as it is.

    Raises:
        InputError: the item lacks an input of the rubric, or holds something that the judge would
            not be shown; names the item.
    """
    fields = _fields(judge.rubric, item, order)
    form = _form(judge, criterion, replicate, member)
    _check_shown(judge, item)
    if judge.scoring == "likelihood":
        return form(messages=(), likelihood=build_task(criterion, fields, judge.rubric.inputs))
    fences = fence({name: fields[name] for name in judge.rubric.inputs})
    shown = _placed(judge, render_fenced(judge.rubric, criterion, fences))
    if not fences.images:
        return form(messages=_messages(shown))
    try:
        return form(messages=with_images(shown, fences, f"item {item.id!r}"))
    except InputError as error:
        raise InputError(error.message, hint=error.hint, line=item.line) from None


def _check_shown(judge: Judge, item: Item) -> None:
    """Refuse an item that would be judged without a part of it."""
    texts_only = judge.scoring == "likelihood"
    for name in judge.rubric.inputs:
        text, whose = item.fields[name], f"{name!r} of item {item.id!r}"
        try:
            whole(text, whose)
        except InputError as error:
            raise InputError(error.message, hint=error.hint, line=item.line) from None
        if texts_only and fence({name: text}).images:
            raise InputError(
                f"{whose} holds images, and a model read by likelihood takes text only",
                hint="Ask a model that takes images.",
                line=item.line,
            )


class Asker:
    """Asks one judge about one criterion of many items: their keys first, which are quick to have.

    Gives the requests that :func:`build_request` gives. What is the same in all of them is
    rendered, written as JSON and hashed once.

    Args:
        judge: The judge.
        criterion: What is judged.
    """

    def __init__(self, judge: Judge, criterion: Criterion) -> None:
        self._judge, self._criterion = judge, criterion
        generates = judge.scoring == "generation"
        self._plan = plan_of(judge.rubric, criterion) if generates else None
        self._frames: dict[tuple[int, int], _Frame | None] = {}

    def ask(
        self,
        item: Item,
        *,
        replicate: int = 0,
        member: int = 0,
        order: Order | None = None,
        place: Any = None,
    ) -> Ask:
        """Return the request for one item, known by its key and built when it is needed.

        Args:
            item: What is judged.
            replicate: As in :func:`build_request`.
            member: As in :func:`build_request`.
            order: As in :func:`build_request`.
            place: What the request is about, for whoever asks.

        Raises:
            InputError: as :func:`build_request` does.
        """
        frame = self._frame(replicate, member)
        if frame is not None:
            values = frame.plan.values(_fields(self._judge.rubric, item, order))
            if values is not None:
                key = frame.key(values)
                return Ask(key, _Request(frame, values, key), place)
        request = build_request(
            self._judge, self._criterion, item, replicate=replicate, member=member, order=order
        )
        return Ask(request.key, lambda: request, place)

    def _frame(self, replicate: int, member: int) -> _Frame | None:
        """Return what is the same in all requests of a replicate and a member."""
        if self._plan is None:
            return None
        at = (replicate, member)
        if at not in self._frames:
            form = _form(self._judge, self._criterion, replicate, member)
            frame = _Frame(self._plan, partial(_placed, self._judge), form)
            self._frames[at] = frame if frame.agrees() else None
        return self._frames[at]


class _Request:
    """A request that is built when it is needed, once: to be asked, and for the record."""

    __slots__ = ("_frame", "_key", "_made", "_values")

    def __init__(self, frame: _Frame, values: Values, key: str) -> None:
        self._frame, self._values, self._key = frame, values, key
        self._made: ModelRequest | None = None

    def __call__(self) -> ModelRequest:
        if self._made is None:
            self._made = self._frame.request(self._values, self._key)
        return self._made


class _Frame:
    """The requests of one judge that differ in their item only.

    Args:
        plan: The prompt.
        placed: Puts its messages where they belong.
        form: Makes a request of them.
    """

    def __init__(
        self,
        plan: Plan,
        placed: Callable[[list[Shown]], list[Shown]],
        form: Callable[..., ModelRequest],
    ) -> None:
        self.plan, self._placed, self._form = plan, placed, form
        whole = plan.cut(form(messages=_messages(placed(plan.sample))).keyed_text())
        first, *rest = map(_bytes, whole.constants)
        self._start = hashlib.sha256(first)
        self._rest = Holed([b"", *rest], whole.holes, len(plan.inputs) + 1)

    def key(self, values: Values) -> str:
        """Return the key of the request with these values: escaped, they are JSON text."""
        digest = self._start.copy()
        digest.update(self._rest.fill(tuple([_bytes(_escaped(v)[1:-1]) for v in values])))
        return digest.hexdigest()

    def request(self, values: Values, key: str) -> ModelRequest:
        """Return the request with these values."""
        messages = _messages(self._placed(self.plan.fill(values)))
        return self._form(messages=messages).with_key(key)

    def agrees(self) -> bool:
        """Return whether the keys of items made up for the purpose are those of their requests."""
        found = filter(None, map(self.plan.values, probes(self.plan.inputs)))
        return all(
            self.key(v) == self._form(messages=_messages(self._placed(self.plan.fill(v)))).key
            for v in found
        )


def reply_schema(criterion: Criterion) -> dict[str, Any]:
    """Return the JSON schema of a reply: the reason first, then one level by name."""
    return {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "level": {"type": "string", "enum": answers(criterion)},
        },
        "required": ["reason", "level"],
        "additionalProperties": False,
    }


def _fields(rubric: Rubric, item: Item, order: Order | None) -> Mapping[str, Text]:
    """Return what is shown of an item, in the order asked for."""
    fields = item.fields
    for name in rubric.inputs:
        if name not in fields:
            raise InputError(
                f"item {item.id!r} has no {name!r}, which rubric {rubric.name!r} shows",
                line=item.line,
                hint=f"inputs of this rubric: {', '.join(rubric.inputs)}",
            )
    if order != "BA":
        return fields
    if not {"output_a", "output_b"} <= set(rubric.inputs):
        raise ValueError(f"rubric {rubric.name!r} shows no pairs, which could be turned")
    return {**fields, "output_a": fields["output_b"], "output_b": fields["output_a"]}


def _form(
    judge: Judge, criterion: Criterion, replicate: int, member: int
) -> Callable[..., ModelRequest]:
    """Return a function that makes a request of messages, or of a likelihood task."""
    asked = judge.members[member]
    if judge.scoring == "likelihood":
        return partial(ModelRequest, model=asked.model, replicate=replicate)
    return partial(
        ModelRequest,
        model=asked.model,
        parameters=asked.parameters,
        schema=reply_schema(criterion) if judge.structured else None,
        api_base=asked.api_base,
        replicate=replicate,
    )


def _placed(judge: Judge, shown: list[Shown]) -> list[Shown]:
    """Return the messages as the model takes them: some take no system message."""
    system = [content for role, content in shown if role == "system"]
    if not (judge.system_in_user and system):
        return shown
    rest = [message for message in shown if message[0] != "system"]
    first = next((i for i, (role, _) in enumerate(rest) if role == "user"), None)
    if first is None:
        return [("user", "\n\n".join(system)), *rest]
    rest[first] = ("user", "\n\n".join([*system, rest[first][1]]))
    return rest


def _messages(shown: Sequence[Shown]) -> tuple[Message, ...]:
    return tuple(Message(role, content) for role, content in shown)


def _bytes(text: str) -> bytes:
    """Return text as it is hashed; lone surrogates as they stand."""
    return text.encode("utf-8", "surrogatepass")
