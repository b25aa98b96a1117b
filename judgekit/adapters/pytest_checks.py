"""What a test asks its judge, and what the test comes to once its body is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest

from judgekit.adapters.aggregate import Given
from judgekit.adapters.lent import LentJudge
from judgekit.adapters.options import check_options
from judgekit.adapters.outcome import Outcome
from judgekit.adapters.pytest_rate import Tested, rate_of
from judgekit.adapters.texts import text_of
from judgekit.api.setup import JudgeSetup, load_judge
from judgekit.errors import GateRefusal, InputError, JudgekitError, Reason
from judgekit.fingerprint import sha256_text
from judgekit.reports.scores import refusal_lines
from judgekit.scoring.corrected import Population
from judgekit.storage.project import open_project

PREFIX = "judgekit."
STATUS = f"{PREFIX}status"
_LENT = pytest.StashKey[dict[str, "Lent"]]()


class JudgeUncalibratedWarning(pytest.PytestWarning):
    """A test asked a judge that is not certified, and got no value."""


class Lent(NamedTuple):
    """A judge as the tests of one process share it."""

    setup: JudgeSetup
    judge: LentJudge


class Asked(NamedTuple):
    """What the marker of a test says.

    Attributes:
        name: The judge.
        criterion: The criterion; None where the judge has one.
        replays: How often the test's body runs, 1 or more.
        at_least: What the low end of the interval of the pass rate must reach, 0 to 1; with None
            every check must pass.
        population: What the checks are, for the correction.
        how: Other arguments of :func:`judgekit.adapters.lent.lend`.
    """

    name: str
    criterion: str | None = None
    replays: int = 1
    at_least: float | None = None
    population: Population = "unknown"
    how: Mapping[str, Any] = {}


class Checks:
    """The judge of one test: what it was asked so far, and what comes of it.

    Args:
        item: The test.
        asked: What its marker says.
        lent: The judge.

    Attributes:
        replays: How often the body runs.
        replay: Which of these runs it is in.
        outcomes: What the judge said, in the order it was asked.
    """

    def __init__(self, item: pytest.Item, asked: Asked, lent: Lent) -> None:
        self.replays, self.replay = asked.replays, 0
        self.outcomes: list[Outcome] = []
        self._outputs: list[object] = []
        self._item, self._asked, self._lent = item, asked, lent
        self._begins, self._in_replay = len(lent.judge.given), (0, 0)
        self._over = False

    def check(
        self,
        *,
        input: object = None,  # noqa: A002  (the word for it in a rubric)
        output: object = None,
        reference: object = None,
        context: object = None,
        case: str | None = None,
    ) -> Outcome:
        """Judge one output; the test's verdict counts it.

        Inside a running loop it works and blocks; there, :meth:`check_async`.

        Args:
            input: What the output answers.
            output: What is judged; for a pair both, as a mapping or a list of two.
            reference: What it is compared with.
            context: More inputs of the rubric, by name.
            case: The group it belongs to; by default checks of one input are one case.
        """
        self._check_open()
        given = {"input": input, "output": output, "reference": reference, "context": context}
        outcome = self._lent.judge.score(**given, case=case or self._case(input))
        return self._kept(outcome, output)

    async def check_async(
        self,
        *,
        input: object = None,  # noqa: A002  (as above)
        output: object = None,
        reference: object = None,
        context: object = None,
        case: str | None = None,
    ) -> Outcome:
        """Judge one output; twin of :meth:`check` that other tasks run beside."""
        self._check_open()
        given = {"input": input, "output": output, "reference": reference, "context": context}
        outcome = await self._lent.judge.ascore(**given, case=case or self._case(input))
        return self._kept(outcome, output)

    def _check_open(self) -> None:
        """Refuse a question after the verdict: it would be in none, or in another test's rate."""
        if self._over:
            message = f"{self._item.name} is over, and has its verdict: ask in the test's own body"
            raise InputError(message)

    def decide(self) -> None:
        """Fail the test unless what was checked is enough; its verdict becomes properties.

        A test that was refused, in the mode that only warns, has no verdict.
        """
        if not self.outcomes:
            pytest.fail("the judge was asked nothing: call judge.check(...)", pytrace=False)
        self.record()
        if (
            gone := next((one for one in self.outcomes if one.status == "refused"), None)
        ) is not None:
            # The test may have swallowed what the refused check raised, in a thread for example.
            refused(self._item, self._asked, _refusal_of(gone))
            return
        with _said_plainly(self._item, self._asked):
            rate = rate_of(self._lent.setup, self._rows, self._asked.population)
            tested = Tested(self._asked.at_least, self.outcomes, self._outputs, rate)
            keep(self._item, tested.facts())
            if tested.verdict != "passes":
                pytest.fail("\n".join(tested.lines()), pytrace=False)

    def record(self) -> None:
        """Put what is known among the properties of the test, which is over."""
        self._over = True
        found: dict[str, object] = {"judge": self._asked.name, "checks": len(self.outcomes)}
        for outcome in self.outcomes:
            for name in ("criterion", "certificate", "expires"):
                found[name] = outcome.metadata.get(f"judgekit_{name}") or found.get(name)
        found["values"] = sum(outcome.value is not None for outcome in self.outcomes)
        found["unjudged"] = sum(outcome.status == "unjudged" for outcome in self.outcomes)
        odd = [outcome for outcome in self.outcomes if outcome.value is None]
        if len(self.outcomes) == 1:
            found["value"], found["level"] = self.outcomes[0].value, self.outcomes[0].level
        if self.outcomes:
            gone = any(outcome.status == "refused" for outcome in odd)
            scored = found["values"] and not gone
            found["status"] = (
                "scored" if scored or not odd else "refused" if gone else odd[0].status
            )
            found["reason_code"] = next((o.reason_code for o in odd if o.reason_code), None)
        keep(self._item, found)

    def _kept(self, outcome: Outcome, output: object) -> Outcome:
        self.outcomes.append(outcome)
        self._outputs.append(output)
        if outcome.status == "refused":
            refused(self._item, self._asked, _refusal_of(outcome))
        if outcome.reason_code == "missing":  # the test is wrong, not the output
            pytest.fail(outcome.told, pytrace=False)
        return outcome

    def _case(self, question: object) -> str:
        """Return the case of a check: its input, else its place in the body."""
        replay, before = self._in_replay
        place = before + 1 if replay == self.replay else 1
        self._in_replay = self.replay, place
        return f"check {place}" if question is None else sha256_text(str(text_of(question)))

    @property
    def _rows(self) -> list[Given]:
        return self._lent.judge.given[self._begins :]


def _refusal_of(outcome: Outcome) -> GateRefusal:
    return GateRefusal([Reason(outcome.reason_code or "no_certificate", str(outcome.explanation))])


def begin(item: pytest.Item, mark: str) -> Checks:
    """Return the judge a test is marked with, before anything is asked.

    What is wrong with the marker, the project or the certificate is said at once.
    """
    with _said_plainly():
        asked = _asked(item.get_closest_marker(mark))
        lent = _lent(item, asked)
        _check_line(asked, lent)
    with _said_plainly(item, asked):
        lent.judge.preflight()
    return Checks(item, asked, lent)


@contextmanager
def _said_plainly(item: pytest.Item | None = None, asked: Asked | None = None) -> Iterator[None]:
    """End the test with an error's own words, and a refusal as the command line asks."""
    try:
        yield
    except GateRefusal as refusal:
        if item is None or asked is None:
            raise
        refused(item, asked, refusal)
    except JudgekitError as error:
        text = str(error) if error.hint is None else f"{error}\n{error.hint}"
        raise pytest.fail.Exception(text, pytrace=False) from None


def refused(item: pytest.Item, asked: Asked, refusal: GateRefusal) -> None:
    """End a test whose judge is not certified as ``--judge-uncalibrated`` says; warn goes on."""
    mode = item.config.getoption("--judge-uncalibrated")
    if mode == "warn" and (STATUS, "refused") in item.user_properties:
        return  # said already
    first = refusal.reasons[0]
    found = {"judge": asked.name, "criterion": asked.criterion, "status": "refused"}
    keep(item, found | {"reason_code": first.code, "next": first.next})
    text, short = "\n".join(refusal_lines(refusal)), f"{asked.name} is not certified: {first.code}"
    if mode == "skip":
        raise pytest.skip.Exception(short, _use_item_location=True) from None
    if mode == "xfail":
        raise pytest.xfail.Exception(short) from None
    if mode == "error":
        raise pytest.fail.Exception(text, pytrace=False) from None
    item.warn(JudgeUncalibratedWarning(f"{asked.name} gave no value. {text}"))


def keep(item: pytest.Item, found: Mapping[str, object]) -> None:
    """Put facts among the properties of a test, in the place of those known before."""
    known = [(n, v) for n, v in item.user_properties if n.removeprefix(PREFIX) not in found]
    told = [(f"{PREFIX}{name}", value) for name, value in found.items() if value is not None]
    item.user_properties[:] = [*known, *told]


def close(config: pytest.Config) -> None:
    """Finish the record of every judge that was asked."""
    for lent in config.stash.get(_LENT, {}).values():
        lent.judge.close()


def _asked(marker: pytest.Mark | None) -> Asked:
    """Return what the marker of a test says.

    Raises:
        InputError: the test has none, or what it says cannot be.
    """
    if marker is None:
        raise InputError(
            "the fixture `judge` needs to know which judge",
            hint='mark the test: @pytest.mark.judge("tone")',
        )
    if len(marker.args) != 1 or not isinstance(marker.args[0], str):
        raise InputError(
            "the marker names one judge, and everything else by name",
            hint='@pytest.mark.judge("tone", at_least=0.8)',
        )
    own: dict[str, Any] = {n: v for n, v in marker.kwargs.items() if n in Asked._fields}
    how = {name: value for name, value in marker.kwargs.items() if name not in own}
    check_options(how, (*Asked._fields[1:5], "project", "max_cost_usd", "certificate"))
    _check_asked(**own)
    return Asked(marker.args[0], **own)._replace(how=how)


def _check_asked(
    *, replays: object = 1, at_least: object = None, population: object = "unknown", **_: object
) -> None:
    """Refuse numbers and words of a marker that cannot be."""
    if not (isinstance(replays, int) and replays >= 1):
        raise InputError(f"replays={replays!r} is no number of runs, 1 or more")
    if at_least is not None and not (isinstance(at_least, int | float) and 0 < at_least < 1):
        raise InputError(
            f"at_least={at_least!r} is no share that checks can show: one between 0 and 1",
            hint="without it, every check must pass",
        )
    if population not in get_args(Population):
        known = ", ".join(get_args(Population))
        raise InputError(f"there is no population {population!r}; say one of {known}")


def _lent(item: pytest.Item, asked: Asked) -> Lent:
    """Return the judge of the project that the test's file is in; tests that name it share it."""
    known = item.config.stash.setdefault(_LENT, {})
    how = dict(asked.how)
    given = item.config.getoption("--judge-project")
    here = item.path.parent if given is None else Path(item.config.invocation_params.dir, given)
    project = open_project(how.pop("project", here))
    key = repr((project.root, asked.name, asked.criterion, sorted(how.items())))
    if key not in known:
        own = {name: how.pop(name) for name in ("certificate", "max_cost_usd") if name in how}
        model = how.pop("model", None)
        setup = load_judge(asked.name, project=project, model=model, overrides=how or None)
        names = None if asked.criterion is None else [asked.criterion]
        known[key] = Lent(setup, LentJudge(setup, names, runner="pytest", **own))
    return known[key]


def _check_line(asked: Asked, lent: Lent) -> None:
    """Refuse a rate of a criterion on which nothing passes or fails, and several at once."""
    _ = lent.judge.column
    criterion = lent.judge.criteria[0]
    if asked.at_least is not None and criterion.passes is None:
        raise InputError(
            f"no level of {criterion.name!r} passes or fails, so there is no rate to ask for",
            hint="leave out at_least, and look at the outcome that judge.check(...) returns",
        )
