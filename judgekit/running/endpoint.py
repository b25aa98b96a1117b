"""What one endpoint takes: how a request is put to it, and what is learnt from its complaints."""

from __future__ import annotations

from typing import Any, Literal

from judgekit.judging.request import Message, ModelRequest
from judgekit.running.facts import Facts
from judgekit.running.form import Form, Put, check_request
from judgekit.running.messages import is_sendable, mended, system_in_user
from judgekit.running.refused import FORMAT, refused, refuses_system
from judgekit.running.secrets import Secrets

System = Literal["auto", "system", "user"]
"""Where system messages go: where they stand, or in front of the user's text."""

ROOM = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
"""The two names of the room for a reply; a model that refuses one is asked with the other."""
_NOTHING: tuple[str, ...] = ()
_KEPT = 64
"""Forms remembered for each endpoint: the criteria of a judge, and more."""


class Endpoint:
    """One model at one address.

    Args:
        secrets: What must not stand in anything that comes from it.
        system: Where system messages go; ``auto`` moves them when the model takes none.
        refused: Names of parameters known not to be taken.
    """

    def __init__(
        self, secrets: Secrets, system: System = "auto", refused: frozenset[str] = frozenset()
    ) -> None:
        self.secrets = secrets
        self._auto = system == "auto"
        self._in_user = system == "user"
        self._refused = set(refused)
        self._forms: dict[tuple[int, int], Form] = {}

    def put(self, request: ModelRequest) -> Put:
        """Return ``request`` as it is to be sent.

        Raises:
            ModelCallError: it is no question for an endpoint.
        """
        form = self._forms.get((id(request.parameters), id(request.schema)))
        if form is None:
            form = self._form(request)
        messages, notes = request.messages, _NOTHING
        if self._in_user and any(m.role == "system" for m in messages):
            messages, notes = system_in_user(messages), (*notes, "system_in_user")
        if not all(is_sendable(m.content) for m in messages):
            messages = tuple(Message(m.role, mended(m.content)) for m in messages)
            notes = (*notes, "mended_text")
        return Put(messages, form, notes)

    def learn(self, facts: Facts, put: Put) -> bool:
        """Take note of what a complaint says is not taken; whether to ask again, otherwise."""
        if self._auto and refuses_system(facts) and any(m.role == "system" for m in put.messages):
            self._in_user = True
            return True
        names = refused(facts, put.form.sent)
        if not names <= self._refused:
            self._refused |= names
            self._forms.clear()
        return bool(names)

    def _form(self, request: ModelRequest) -> Form:
        check_request(request)
        wanted = dict(request.parameters)
        if request.schema is not None:
            form = {"name": "reply", "schema": request.schema, "strict": True}
            wanted[FORMAT] = {"type": "json_schema", "json_schema": form}
        sent: dict[str, Any] = {}
        adjusted = []
        for name, value in wanted.items():
            if name not in self._refused:
                sent[name] = value
            elif (other := ROOM.get(name)) and other not in self._refused | wanted.keys():
                sent[other] = value
                adjusted.append((other, value))
        renamed = {ROOM[name] for name, _ in adjusted}
        left_out = tuple(sorted(wanted.keys() - sent.keys() - renamed))
        of = (request.parameters, request.schema)
        made = Form(of, sent, left_out, tuple(adjusted))
        if len(self._forms) >= _KEPT:
            self._forms.clear()
        self._forms[id(of[0]), id(of[1])] = made
        return made
