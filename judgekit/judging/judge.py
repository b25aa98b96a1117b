"""A judge: rubric, model, parameters and protocol, known by its fingerprint."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from judgekit.fingerprint import canonical_json, fingerprint, sha256_text
from judgekit.judging.judgment import Order
from judgekit.judging.likelihood import LIKELIHOOD_VERSION
from judgekit.judging.reading import READER_VERSION
from judgekit.rubric.frozen import Frozen
from judgekit.rubric.meaning import meaning_parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judgekit.rubric.model import Criterion, Rubric

Scoring = Literal["generation", "likelihood"]
Rule = Literal["majority", "median"]
Orders = Literal["both", "given"]
Inconsistent = Literal["tie", "unjudged"]


class Member(Frozen):
    """One model of a panel; what it does not say is the judge's own.

    Attributes:
        model: The model asked.
        api_base: Its endpoint, or None for the provider's own.
        api_key_env: Name of the environment variable that holds its key; not part of who it is.
        parameters: Parameters that differ from the judge's.
    """

    model: str
    api_base: str | None = None
    api_key_env: str | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)


class Asking(NamedTuple):
    """One of the times an item is asked about.

    Attributes:
        member: Which of the judge's ``members`` is asked.
        order: How a pair is shown: ``AB`` in item order, ``BA`` swapped; None for no pair.
        replicate: 0 for the first time, 1 for the second ...
    """

    member: int
    order: Order | None
    replicate: int


class MemberIdentity(Frozen):
    """Who one member of a panel is, complete: its endpoint and all its parameters."""

    model: str
    api_base: str | None
    parameters: dict[str, Any]

    @classmethod
    def of(cls, member: Member) -> MemberIdentity:
        """Return who a complete member is: the name of its key is no part of it."""
        base = without_secrets(member.api_base)
        return cls(model=member.model, api_base=base, parameters=member.parameters)


class RubricIdentity(Frozen):
    """Which rubric, and a digest of what each part of it means."""

    name: str
    version: int
    sha256: str
    parts: dict[str, str]


class JudgeIdentity(Frozen):
    """Everything that makes one criterion's judge the judge it is.

    ``fingerprint`` covers all other fields except ``name`` and ``rubric.name`` and
    ``rubric.version``: a name may change without the judge changing. The fields from ``panel`` on
    are there, in the fingerprint and in a certificate's file, only where they mean something: a
    judge of one model that is asked once is told as briefly as ever.

    Attributes:
        model: The model; of a panel all of them, joined by " + ".
        api_base: The endpoint; of a panel the one that all members share.
        parameters: What is sent; of a panel what all members share.
        panel: Its members, in an order of their own: which was named first has no meaning.
        rule: How several levels become one, where there are several.
        orders: How pairs are shown.
        inconsistent: What a pair is whose two orders disagree.
        system_in_user: The system message stands in front of the user's.
    """

    name: str
    fingerprint: str
    rubric: RubricIdentity
    model: str
    api_base: str | None
    parameters: dict[str, Any]
    replicates: int
    scoring: str
    reader: int
    structured: bool
    recorded: bool
    panel: tuple[MemberIdentity, ...] = ()
    rule: Rule | None = None
    orders: Orders | None = None
    inconsistent: Inconsistent | None = None
    system_in_user: bool = False

    @property
    def models(self) -> tuple[str, ...]:
        """Return every model that is asked."""
        return tuple(member.model for member in self.panel) or (self.model,)

    @model_serializer(mode="wrap")
    def _briefly(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # A certificate's id is the digest of what is written here: what an older one did not say
        # must not be said of it now.
        told: dict[str, Any] = write(self)
        return {name: v for name, v in told.items() if name not in _OPTIONAL or getattr(self, name)}


_OPTIONAL = ("panel", "rule", "orders", "inconsistent", "system_in_user")


@dataclass(frozen=True)
class Judge:
    """Rubric + model + parameters + protocol. Gives levels, never a score.

    Attributes:
        name: Its name in ``judgekit.toml``, or the rubric's.
        rubric: What it judges by.
        model: The model asked (any litellm string, or ``local/...``); for recorded judgments
            what the rows declare.
        parameters: Sampling parameters to send.
        api_base: Endpoint, or None for the provider's own.
        replicates: How often each member is asked about each item (and order).
        scoring: How a level is got: from generated text, or from the likelihood of each
            level's name.
        structured: True when the reply is asked to follow a JSON schema.
        recorded: True when the judgments were made elsewhere and only read here.
        panel: Several models that judge as one, or empty; ``model`` then names them all
            (:func:`panel_model`).
        rule: How several levels for one item become one.
        orders: Pairs only: shown in both orders, or as given.
        inconsistent: Pairs only: what an item is whose two orders disagree; a ``tie`` on a scale
            without one is unjudged all the same.
        system_in_user: The system message is put in front of the user's, for models without one.
    """

    name: str
    rubric: Rubric
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    api_base: str | None = None
    replicates: int = 1
    scoring: Scoring = "generation"
    structured: bool = True
    recorded: bool = False
    panel: tuple[Member, ...] = ()
    rule: Rule = "majority"
    orders: Orders = "both"
    inconsistent: Inconsistent = "tie"
    system_in_user: bool = False

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """Return who is asked, each complete: what a member does not say is the judge's own."""
        if not self.panel:
            return (
                Member(model=self.model, api_base=self.api_base, parameters=dict(self.parameters)),
            )
        return tuple(
            member.model_copy(
                update={
                    "api_base": member.api_base or self.api_base,
                    "parameters": {**self.parameters, **member.parameters},
                }
            )
            for member in self.panel
        )

    def places(self, criterion: Criterion) -> list[Asking]:
        """Return what has to be asked about one item: members x orders x replicates."""
        orders: tuple[Order | None, ...] = (None,)
        if criterion.scale.kind == "pairwise":
            orders = ("AB", "BA") if self.orders == "both" else ("AB",)
        asked = product(range(len(self.members)), orders, range(self.replicates))
        return [Asking(*one) for one in asked]

    def identity(self, criterion: Criterion) -> JudgeIdentity:
        """Return what identifies this judge on one criterion; the part certificates keep."""
        parts = meaning_parts(self.rubric, criterion)
        version = LIKELIHOOD_VERSION if self.scoring == "likelihood" else 1
        facts: dict[str, Any] = {
            "model": panel_model(self.panel) if self.panel else self.model,
            **self._shared(),
            "replicates": self.replicates,
            "scoring": f"{self.scoring}/{version}",
            "reader": READER_VERSION,
            "structured": self.structured,
            "recorded": self.recorded,
            **self._protocol(criterion),
        }
        meaning, panel = fingerprint(parts), self._panel()
        told = {**facts, "criterion": criterion.name, "rubric": meaning}
        if panel:
            told["panel"] = [member.model_dump() for member in panel]
        return JudgeIdentity(
            name=self.name,
            fingerprint=fingerprint(told),
            rubric=RubricIdentity(
                name=self.rubric.name, version=self.rubric.version, sha256=meaning, parts=parts
            ),
            panel=panel,
            **facts,
        )

    def _shared(self) -> dict[str, Any]:
        """Return the endpoint and the parameters that all members have."""
        first, *others = self.members
        bases = {without_secrets(member.api_base) for member in self.members}
        return {
            "api_base": bases.pop() if len(bases) == 1 else None,
            "parameters": {
                name: value
                for name, value in first.parameters.items()
                if all(name in m.parameters and m.parameters[name] == value for m in others)
            },
        }

    def _panel(self) -> tuple[MemberIdentity, ...]:
        """Return who the members are, in the one order that does not depend on how they came."""
        found = [MemberIdentity.of(member) for member in self.members] if self.panel else []
        return tuple(sorted(found, key=lambda one: (one.model, canonical_json(one.model_dump()))))

    def _protocol(self, criterion: Criterion) -> dict[str, Any]:
        """Return the parts of the protocol that mean something for this judge and criterion.

        How often and in which orders a recorded judge was asked stands in its rows: of how they
        become one, only what is not the default is part of it.
        """
        found: dict[str, Any] = {}
        if self.panel or self.replicates > 1 or (self.recorded and self.rule != "majority"):
            found["rule"] = self.rule
        if criterion.scale.kind == "pairwise":
            if not self.recorded:
                found["orders"] = self.orders
            if self.inconsistent != "tie" if self.recorded else self.orders == "both":
                found["inconsistent"] = self.inconsistent
        if self.system_in_user:
            found["system_in_user"] = True
        return found

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the whole judge: its only criterion's, or that of all."""
        each = [self.identity(c).fingerprint for c in self.rubric.criteria]
        return each[0] if len(each) == 1 else fingerprint(each)


def panel_model(members: Sequence[Member]) -> str:
    """Return the name of a panel where a judge has the name of its model."""
    return " + ".join(sorted(member.model for member in members))


def without_secrets(url: str | None) -> str | None:
    """Return an endpoint's address without user and password; of a query only its digest.

    Keys like to hide there, but another deployment in the query is another judge.
    """
    if url is None:
        return None
    bare, mark, query = url.partition("?")
    bare = re.sub(r"^([a-z][a-z0-9+.-]*://)[^/]*@", r"\1", bare.rstrip("/"), flags=re.IGNORECASE)
    return f"{bare}?sha256={sha256_text(query)[:12]}" if mark else bare
