"""A judge: rubric, model, parameters and protocol, known by its fingerprint."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from judgekit.fingerprint import fingerprint, sha256_text
from judgekit.judging.likelihood import LIKELIHOOD_VERSION
from judgekit.judging.reading import READER_VERSION
from judgekit.rubric.meaning import meaning_parts
from judgekit.rubric.scale import Frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

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


class RubricIdentity(Frozen):
    """Which rubric, and a digest of what each part of it means."""

    name: str
    version: int
    sha256: str
    parts: dict[str, str]


class JudgeIdentity(Frozen):
    """Everything that makes one criterion's judge the judge it is.

    ``fingerprint`` covers all other fields except ``name`` and ``rubric.name`` and
    ``rubric.version``: a name may change without the judge changing.
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
        replicates: How often each item is asked; the majority level counts.
        scoring: How a level is got: from generated text, or from the likelihood of each
            level's name.
        structured: True when the reply is asked to follow a JSON schema.
        recorded: True when the judgments were made elsewhere and only read here.
        panel: Several models that judge as one, or empty; ``model`` then names them all.
        rule: How several levels for one item become one.
        orders: Pairs only: shown in both orders, or as given.
        inconsistent: Pairs only: what an item is whose two orders disagree.
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

    def identity(self, criterion: Criterion) -> JudgeIdentity:
        """Return what identifies this judge on one criterion; the part certificates keep."""
        parts = meaning_parts(self.rubric, criterion)
        version = LIKELIHOOD_VERSION if self.scoring == "likelihood" else 1
        facts: dict[str, Any] = {
            "model": self.model,
            "api_base": without_secrets(self.api_base),
            "parameters": dict(self.parameters),
            "replicates": self.replicates,
            "scoring": f"{self.scoring}/{version}",
            "reader": READER_VERSION,
            "structured": self.structured,
            "recorded": self.recorded,
        }
        meaning = fingerprint(parts)
        return JudgeIdentity(
            name=self.name,
            fingerprint=fingerprint({**facts, "criterion": criterion.name, "rubric": meaning}),
            rubric=RubricIdentity(
                name=self.rubric.name, version=self.rubric.version, sha256=meaning, parts=parts
            ),
            **facts,
        )

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the whole judge: its only criterion's, or that of all."""
        each = [self.identity(c).fingerprint for c in self.rubric.criteria]
        return each[0] if len(each) == 1 else fingerprint(each)


def without_secrets(url: str | None) -> str | None:
    """Return an endpoint's address without user and password; of a query only its digest.

    Keys like to hide there, but another deployment in the query is another judge.
    """
    if url is None:
        return None
    bare, mark, query = url.partition("?")
    bare = re.sub(r"^([a-z][a-z0-9+.-]*://)[^/]*@", r"\1", bare.rstrip("/"), flags=re.IGNORECASE)
    return f"{bare}?sha256={sha256_text(query)[:12]}" if mark else bare
