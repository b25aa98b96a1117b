"""A judge as other eval runners take it: asked item by item, refused where it is not certified."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from judgekit.adapters.aggregate import Given, aggregate
from judgekit.adapters.options import check_options, names_in
from judgekit.adapters.outcome import Outcome
from judgekit.adapters.outcomes import (
    judged_outcome,
    number_of,
    refused_outcome,
    unusable_outcome,
)
from judgekit.adapters.session import Session
from judgekit.adapters.texts import make_item
from judgekit.api.admission import admit_judge
from judgekit.api.card import card_link
from judgekit.api.setup import JudgeSetup, load_judge
from judgekit.api.stream import Judged
from judgekit.calibration.certificate import Certificate
from judgekit.calibration.gate import CertifiedJudge
from judgekit.calibration.scope import traits_of
from judgekit.errors import GateRefusal, InputError, Reason
from judgekit.judging.judgment import Unjudged
from judgekit.rubric.model import Criterion
from judgekit.running import background
from judgekit.scoring.corrected import Population
from judgekit.scoring.score import Scores

_SHORT = 6
"""Signs of a certificate's id that people are shown."""
OnRefused = Literal["unscored", "raise"]


def lend(
    judge: str | LentJudge,
    *,
    criterion: str | Sequence[str] | None = None,
    project: str | Path = ".",
    on_refused: OnRefused = "unscored",
    max_cost_usd: float | None = None,
    runner: str = "python",
    certificate: str | None = None,
    **overrides: Any,
) -> LentJudge:
    """Return a judge of the project, ready to be asked by another runner.

    Args:
        judge: A name in ``judgekit.toml``, or a rubric file (then with ``model=``). One that is
            lent already stays as it is.
        criterion: The criteria asked for; all by default.
        project: The project, or a folder in it.
        on_refused: What a judge that is not certified does when it is asked: give an outcome that
            says so, or raise.
        max_cost_usd: Most that all its calls in this process may cost, by an estimate before each.
        runner: Who asks, for the record of the run.
        certificate: Its certificate at the time it was handed on (:attr:`LentJudge.version`); with
            another one it is refused.
        overrides: Other keys of the judge's table, such as ``model`` or ``api_base``.

    Raises:
        InputError: there is no such judge or criterion, or its rubric cannot be used.
        GateRefusal: it is not certified, with ``on_refused="raise"``.
    """
    if isinstance(judge, LentJudge):
        return judge
    check_options(overrides)
    asked = names_in(criterion)
    if not names_in(judge):
        raise InputError(f"the judge is {judge!r}; it is a name, or a rubric file")
    model = overrides.pop("model", None)
    setup = load_judge(judge, project=project, model=model, overrides=overrides or None)
    lent = LentJudge(
        setup,
        asked,
        on_refused=on_refused,
        max_cost_usd=max_cost_usd,
        runner=runner,
        certificate=certificate,
    )
    if on_refused == "raise":
        lent.preflight()
    return lent


class LentJudge:
    """A judge lent to a runner: its name, its certificate, and one question at a time.

    May be asked from any thread and any loop. Replies are cached as they come, as in every other
    use of the judge.

    Args:
        setup: The judge.
        criteria: The criteria asked for; all by default.
        on_refused: What it does when it is not certified: ``unscored`` or ``raise``.
        max_cost_usd: Most that all its calls in this process may cost.
        runner: Who asks, for the record of the run.
        certificate: The only certificate it is admitted with; any that holds by default.

    Attributes:
        criteria: The criteria it is asked about.
        given: What it has judged so far, for a figure over all of it.

    Raises:
        InputError: there is no such criterion or mode.
    """

    def __init__(
        self,
        setup: JudgeSetup,
        criteria: Sequence[str] | None = None,
        *,
        on_refused: OnRefused = "unscored",
        max_cost_usd: float | None = None,
        runner: str = "python",
        certificate: str | None = None,
    ) -> None:
        dollars: object = 0 if max_cost_usd is None else max_cost_usd
        if not (isinstance(dollars, int | float) and 0 <= dollars < math.inf):
            raise InputError(
                f"max_cost_usd is {max_cost_usd!r}; it is an amount of dollars, 0 or more"
            )
        if on_refused not in get_args(OnRefused):
            known = " or ".join(map(repr, get_args(OnRefused)))
            raise InputError(f"on_refused is {on_refused!r}; it is {known}")
        rubric = setup.judge.rubric
        self._setup, self._runner, self._budget = setup, runner, max_cost_usd
        asked = dict.fromkeys(criteria or ())
        self.criteria = tuple(map(rubric.criterion, asked)) or rubric.criteria
        self.on_refused, self._pinned = on_refused, certificate
        self.given: list[Given] = []
        self._gate: CertifiedJudge | GateRefusal | None = None
        self._session: Session | None = None
        self._process = os.getpid()
        self._admit()

    @property
    def judge(self) -> str:
        """Return its own name."""
        return self._setup.judge.name

    @property
    def name(self) -> str:
        """Return its name as a column or metric of its own: letters, digits and ``_``."""
        name, judges = _column(self.judge), self._setup.project.configuration.judges
        same = [other for other in judges if _column(other) == name]
        before = same.index(self.judge) if self.judge in same else 0
        return f"{name}_{before + 1}" if before else name

    @property
    def columns(self) -> dict[str, str]:
        """Return what each criterion is called in a runner's results, by its own name."""
        whole = self._setup.judge.rubric.criteria
        if len(whole) == 1:
            return {whole[0].name: self.name}
        names: dict[str, str] = {}
        for criterion in whole:
            name = base = _column(f"{self.name}_{criterion.name}")
            number = 1
            while name in names.values():  # "a-b" and "a_b", or letters of another alphabet
                number += 1
                name = f"{base}_{number}"
            names[criterion.name] = name
        return {c.name: names[c.name] for c in self.criteria}

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return what its rubric shows of an item, by name."""
        return self._setup.judge.rubric.inputs

    @property
    def column(self) -> str:
        """Return what its one criterion is called in a runner's results.

        Raises:
            InputError: it has several criteria.
        """
        if len(self.criteria) != 1:
            names = ", ".join(c.name for c in self.criteria)
            told = f"{self.judge} has {len(self.criteria)} criteria: {names}"
            raise InputError(f"{told}; name one for each use: criterion=...")
        return self.columns[self.criteria[0].name]

    @property
    def threshold(self) -> float:
        """Return the number from which on its first criterion passes; 0 where all levels do."""
        criterion = self.criteria[0]
        passes = criterion.passes or ()
        passing = [n for level, n in self._numbers(criterion) if passes and passes[level]]
        return min((n for n in passing if n is not None), default=0.0)

    def passes(self, value: object) -> bool:
        """Tell whether a value it gave passes on its first criterion; where none can fail, all do.

        Args:
            value: An outcome's ``number``; its ``value`` where it has none.
        """
        criterion = self.criteria[0]
        if criterion.passes is None:
            return True
        return value in [n for level, n in self._numbers(criterion) if criterion.passes[level]]

    @property
    def rated(self) -> bool:
        """Return whether its values on its first criterion come to one figure."""
        criterion = self.criteria[0]
        return criterion.passes is not None or criterion.scale.kind == "ordinal"

    @cached_property
    def card(self) -> str:
        """Return where its card is to be found, or how it is made."""
        return card_link(self._setup)

    @property
    def version(self) -> str | None:
        """Return the id of its certificate; of several the ids joined by ``+``; None without."""
        gate = self._admit()
        return None if isinstance(gate, GateRefusal) else _ids(gate)

    def preflight(self) -> None:
        """Raise before any money is spent where the judge is not certified.

        Raises:
            GateRefusal: with every reason.
        """
        if isinstance(gate := self._admit(), GateRefusal):
            raise gate

    def score(self, **item: Any) -> Outcome:
        """Judge one item; see :meth:`ascore`. Works inside a running loop, which then waits."""
        _ = self.column  # there must be one
        return self.score_each(**item)[0]

    async def ascore(self, **item: Any) -> Outcome:
        """Judge one item on the one criterion of the judge.

        Args:
            item: ``input``, ``output``, ``reference`` and ``context``, as
                :func:`judgekit.adapters.texts.make_item` takes them.

        Raises:
            GateRefusal: it is not certified, with ``on_refused="raise"``.
            InputError: the judge has several criteria.
            StorageError: the cache cannot be written.
        """
        _ = self.column
        return (await self.ascore_each(**item))[0]

    def score_each(self, **item: Any) -> tuple[Outcome, ...]:
        """Judge one item on every criterion; works inside a running loop, which then waits."""
        return background.wait(lambda: self._each(item))

    async def ascore_each(self, **item: Any) -> tuple[Outcome, ...]:
        """Judge one item on every criterion; see :meth:`ascore`."""
        return await background.wait_async(lambda: self._each(item))

    def corrected(self, population: Population = "unknown") -> Scores:
        """Return what all that was judged so far comes to, with known judge error taken off.

        Args:
            population: What the items are, as in :func:`judgekit.score`.

        Raises:
            GateRefusal: it is not certified.
            InputError: nothing was judged yet, or there is no such population.
        """
        self.preflight()
        return aggregate(self._setup, self.given, population=population).scores

    def close(self) -> None:
        """Finish the record of what was asked and let go of the model; done at exit as well."""
        session, self._session = self._session, None
        if session is not None:
            background.not_at_end(self.close)
            background.wait(session.close)

    async def _each(self, given: Mapping[str, Any]) -> tuple[Outcome, ...]:
        gate, columns = self._admit(), self.columns
        if isinstance(gate, GateRefusal):
            return self._refused(gate)
        try:
            item = make_item(self._setup.judge.rubric.inputs, **given)
            judged = await self._opened(gate).judge(item)
        except GateRefusal as refusal:  # the endpoint serves another model
            self._gate = refusal
            return self._refused(refusal)
        except InputError as error:
            certificates = {c.name: gate.certificates[c.name] for c in self.criteria}
            self.given += [
                Given(name, one.judge.fingerprint, "", None, None, "missing")
                for name, one in certificates.items()
            ]
            return tuple(
                unusable_outcome(c, columns[c.name], certificates[c.name], error)
                for c in self.criteria
            )
        self.given.extend(_given(judged[c.name], gate.certificates[c.name]) for c in self.criteria)
        return tuple(
            judged_outcome(judged[c.name], columns[c.name], gate.certificates[c.name], self.card)
            for c in self.criteria
        )

    @staticmethod
    def _numbers(criterion: Criterion) -> list[tuple[int, float | None]]:
        return [(i, number_of(criterion, i)) for i in range(len(criterion.scale.levels))]

    def _refused(self, refusal: GateRefusal) -> tuple[Outcome, ...]:
        if self.on_refused == "raise":
            raise refusal
        columns = self.columns
        return tuple(
            refused_outcome(c, columns[c.name], self.judge, refusal) for c in self.criteria
        )

    def _opened(self, certified: CertifiedJudge) -> Session:
        if self._session is not None and self._process == os.getpid():
            return self._session
        # A forked child asks by connections of its own: those of its parent belong to its parent.
        self._process, command = os.getpid(), f"lent to {self._runner}"
        self._session = Session(self._setup, certified, command=command, max_cost_usd=self._budget)
        background.at_end(self.close)
        return self._session

    def _admit(self) -> CertifiedJudge | GateRefusal:
        """Ask the gate: at the beginning, and when a certificate's time is over."""
        now = datetime.now(UTC)  # noqa: TID251  (the shell has the clock)
        gate = self._gate
        if isinstance(gate, CertifiedJudge):
            ends = min(c.expires_at for c in gate.certificates.values())
            gate = gate if now < ends else None
        if gate is None:
            try:
                names = [c.name for c in self.criteria]
                gate = self._as_pinned(admit_judge(self._setup, criteria=names, now=now))
            except GateRefusal as refusal:
                gate = refusal
        self._gate = gate
        return gate

    def _as_pinned(self, certified: CertifiedJudge) -> CertifiedJudge:
        """Return the admitted judge, if it is the one that was handed on.

        Raises:
            GateRefusal: it has another certificate.
        """
        if self._pinned is None or _is_pinned(str(self._pinned), _ids(certified)):
            return certified
        message = (
            f"{self.judge} was handed on with certificate {str(self._pinned)[:6]}, and "
            f"{_ids(certified)[:6]} is the one that holds now."
        )
        raise GateRefusal(
            [Reason("certificate_invalid", message, f"judgekit export RUNNER {self.judge} --force")]
        )


def _ids(certified: CertifiedJudge) -> str:
    return "+".join(c.id for c in certified.certificates.values())


def _is_pinned(pinned: str, ids: str) -> bool:
    """Return whether certificates are those handed on, whose ids may be cut as people see them."""
    parts, whole = pinned.split("+"), ids.split("+")
    alike = all(one.startswith(part) for part, one in zip(parts, whole, strict=False))
    return len(parts) == len(whole) and alike and min(map(len, parts)) >= _SHORT


def _given(judged: Judged, certificate: Certificate) -> Given:
    said, item = judged.outcome, judged.item
    level, cause = (None, said.cause) if isinstance(said, Unjudged) else (said.level, None)
    fingerprint = certificate.judge.fingerprint
    name, traits = judged.criterion.name, traits_of(item)
    return Given(name, fingerprint, item.id, item.case, level, cause, traits)


def _column(name: str) -> str:
    return re.sub(r"\W", "_", name, flags=re.ASCII)
