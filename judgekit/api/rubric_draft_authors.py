"""Who writes the draft: a model that writes it whole, or a small one, sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from judgekit.api.rubric_draft_calls import DRAFT_ROOM, Desk
from judgekit.judging.authoring import asking, small
from judgekit.judging.authoring.draft import Draft, Frame, NoDraft
from judgekit.judging.authoring.reading import Check, read_check, read_draft, read_field
from judgekit.judging.authoring.writing import Field
from judgekit.judging.request import Message
from judgekit.reports.rubric_draft_story import Call

_CHECK_ROOM = 2048
_SMALL_CHECK_ROOM = 200
_MOST_MENDED = 8
"""Fields that a small model is asked to mend at a time."""


class Complaint(NamedTuple):
    """One thing that is wrong with a draft: what, and where in it."""

    text: str
    field: Field = ()


class Author(Protocol):
    """Writes drafts. Each method returns what was written, and what each call took."""

    async def draft(self) -> tuple[Draft | NoDraft, tuple[Call, ...]]:
        """Write the first draft."""
        ...

    async def mend(
        self, text: str, complaints: Sequence[Complaint]
    ) -> tuple[Draft | NoDraft, tuple[Call, ...]]:
        """Write a better one than ``text``, the last."""
        ...

    async def check(self, text: str) -> tuple[Check, tuple[Call, ...]]:
        """Say whether a rubric measures what was asked."""
        ...


def author_of(desk: Desk, frame: Frame) -> Author:
    """Return who drafts with a model: of one that runs in this process little is asked at once."""
    local = desk.setup.judge.members[0].model.startswith("local/")
    return SmallAuthor(desk, frame) if local else WholeAuthor(desk, frame)


class WholeAuthor:
    """Writes a whole rubric in one reply."""

    def __init__(self, desk: Desk, frame: Frame) -> None:
        self._desk, self._frame, self._said = desk, frame, ""

    async def draft(self) -> tuple[Draft | NoDraft, tuple[Call, ...]]:
        """Write the first draft."""
        return await self._ask(asking.draft_messages(self._frame))

    async def mend(
        self, text: str, complaints: Sequence[Complaint]
    ) -> tuple[Draft | NoDraft, tuple[Call, ...]]:
        """Write a better one; of a reply that was no draft, the reply itself is shown again."""
        told = [complaint.text for complaint in complaints]
        return await self._ask(asking.mend_messages(self._frame, text or self._said, told))

    async def check(self, text: str) -> tuple[Check, tuple[Call, ...]]:
        """Ask once whether the rubric measures what was asked."""
        messages = asking.check_messages(self._frame.wish, text)
        asked = [(messages, asking.check_schema(), _CHECK_ROOM)]
        replies, calls = await self._desk.ask(asked, long=False)
        return read_check(replies[0]), calls

    async def _ask(self, messages: tuple[Message, ...]) -> tuple[Draft | NoDraft, tuple[Call, ...]]:
        room = max(DRAFT_ROOM, self._desk.setup.entry.max_tokens)
        asked = [(messages, asking.draft_schema(self._frame), room)]
        replies, calls = await self._desk.ask(asked, long=True)
        self._said = replies[0].text
        return read_draft(replies[0], self._frame), calls


class SmallAuthor:
    """Writes names, sentences and examples, one small question each."""

    def __init__(self, desk: Desk, frame: Frame) -> None:
        self._desk, self._frame = desk, frame
        self._answers: dict[Field, str] = {}

    async def draft(self) -> tuple[Draft | NoDraft, tuple[Call, ...]]:
        """Ask for the names first, then about each level."""
        first = await self._ask(small.first_questions(self._frame))
        names = small.names_of(self._frame, self._answers)
        more = await self._ask(small.more_questions(self._frame, names))
        return small.assembled(self._frame, self._answers), (*first, *more)

    async def mend(
        self, text: str, complaints: Sequence[Complaint]
    ) -> tuple[Draft | NoDraft, tuple[Call, ...]]:
        """Ask again for each field that is complained of, with the complaint."""
        names = small.names_of(self._frame, self._answers)
        told: dict[Field, str] = {}
        for complaint in complaints:
            field = small.asked_field(complaint.field)
            if field in self._answers:
                told.setdefault(field, complaint.text)
        chosen = list(told.items())[:_MOST_MENDED]
        calls = await self._ask(
            [small.question_of(field, self._frame, names, said) for field, said in chosen]
        )
        return small.assembled(self._frame, self._answers), calls

    async def check(self, text: str) -> tuple[Check, tuple[Call, ...]]:
        """Ask once whether the rubric measures what was asked."""
        messages = asking.check_messages(self._frame.wish, text)
        asked = [(messages, asking.check_schema(short=True), _SMALL_CHECK_ROOM)]
        replies, calls = await self._desk.ask(asked, long=False)
        return read_check(replies[0]), calls

    async def _ask(self, questions: Sequence[small.Question]) -> tuple[Call, ...]:
        if not questions:
            return ()
        asked = [(q.messages, q.schema, q.room) for q in questions]
        replies, calls = await self._desk.ask(asked, long=False)
        for question, reply in zip(questions, replies, strict=True):
            self._answers[question.field] = read_field(reply, question.key)
        return calls
