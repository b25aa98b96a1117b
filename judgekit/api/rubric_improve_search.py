"""The search for a better rubric: GEPA proposes, candidates are judged on train, kept on dev.

The library decides which candidate to build on, and whether a proposal is worth a look at dev. All
it is given are ids of items and numbers; whatever is asked of a model is asked by judgekit.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from judgekit.api.rubric_improve_calls import Bench, Reflector
from judgekit.api.rubric_improve_material import Grounds
from judgekit.calibration.leaks import leaked_anchors
from judgekit.calibration.pairs import agreement_weights
from judgekit.calibration.rows import ScaleSpec
from judgekit.errors import JudgingError, MissingExtra, ModelCallError
from judgekit.judging.improving.applying import applied, task_of
from judgekit.judging.improving.asking import Case, Tried
from judgekit.judging.improving.edits import Edit, Refused
from judgekit.judging.improving.rewriting import written
from judgekit.judging.judgment import INCOMPLETE, Judgment, Unjudged
from judgekit.reports.rubric_improve_story import Gain, Round
from judgekit.rubric.model import Criterion, Rubric

MINIBATCH = 8
"""Items of train that a candidate is judged on first: half of them such as are judged wrongly."""

_MOST_SAID = 200
"""Characters of an error of the library that are told."""

_PART = "rubric"
"""What the library calls the text that is improved."""

Said = dict[str, Judgment | Unjudged]


def library() -> Any:
    """Return GEPA.

    Raises:
        MissingExtra: it is not installed, or another of that name is; says how to.
    """
    try:
        found = importlib.import_module("gepa")
    except ImportError as error:
        raise MissingExtra("improve", "gepa") from error
    if not (hasattr(found, "optimize") and hasattr(found, "EvaluationBatch")):
        missing = MissingExtra("improve", "gepa")
        missing.message = "the 'gepa' that is installed is not the library that judgekit knows"
        raise missing
    return found


class Candidate(NamedTuple):
    """A rubric that is tried.

    Attributes:
        text: The text of its file.
        rubric: What it says.
        parent: The text of the rubric it was made of; "" for the one it all began with.
        round: The round that made it; 0 for the one it all began with.
        taken: Items of train that are worked examples of it, and were none of its parent.
    """

    text: str
    rubric: Rubric
    parent: str = ""
    round: int = 0
    taken: frozenset[str] = frozenset()


class Scorer:
    """How near a judge's word comes to what people said: 1 for as near as any level comes.

    Args:
        criterion: The criterion, whose agreement weights count.
    """

    def __init__(self, criterion: Criterion) -> None:
        spec = ScaleSpec.of(criterion)
        self._weights: list[list[float]] = agreement_weights(spec).tolist()

    def __call__(self, outcome: Judgment | Unjudged, people: Sequence[int]) -> float:
        """Return the score, 0 to 1; what is no level agrees with nobody."""
        near = [sum(self._weights[p][j] for p in people) for j in range(len(self._weights))]
        level = outcome.level if isinstance(outcome, Judgment) else None
        got = 0.0 if level is None else near[level]
        return 1.0 - (max(near) - got) / len(people)


class Search:
    """One search, from the rubric as it is to the candidates that were measured on dev.

    Args:
        seed: The rubric as it is.
        said: What the judge says by it of the items of train and dev.
        grounds: Train and dev.
        bench: Judges.
        reflector: Proposes.
        load: Returns the source of a template by name, or None.
    """

    def __init__(
        self,
        seed: Candidate,
        said: Said,
        grounds: Grounds,
        bench: Bench,
        reflector: Reflector,
        load: Callable[[str], str | None],
    ) -> None:
        self.seed, self._name, self._load = seed, grounds.criterion, load
        self.train, self.dev = grounds.train, grounds.dev
        self._bench, self._reflector = bench, reflector
        self._known = {seed.text: seed}
        self._said: dict[str, Said] = {seed.text: dict(said)}
        self._people = {**self.train.people, **self.dev.people}
        self._items = {i.id: i for ground in (self.train, self.dev) for i in ground.items}
        self._score = Scorer(seed.rubric.criterion(self._name))
        self._shown: list[str] = []
        self._failure: BaseException | None = None
        self.rounds: list[Round] = []

    def run(self, rounds: int) -> list[Candidate]:
        """Return the candidates that were measured on dev, in the order they were found.

        Raises:
            MissingExtra: the library is not installed.
            ModelCallError: a call failed, or the budget ran out.
            JudgingError: the library failed.
        """
        gepa = library()
        train, dev = ([item.id for item in ground.items] for ground in (self.train, self.dev))
        try:
            found = gepa.optimize(
                seed_candidate={_PART: self.seed.text},
                trainset=train,
                valset=dev,
                adapter=_Adapter(self, gepa.EvaluationBatch),
                batch_sampler=_Batches(self, train),
                stop_callbacks=lambda state: state.i + 1 >= rounds or self._failure is not None,
                logger=_Silence(),
                seed=0,
            )
        except Exception as error:
            raise self._failure or _broken(error) from error
        if self._failure is not None:  # the library goes on when a proposal fails
            raise self._failure
        return [self._known[one[_PART]] for one in found.candidates[1:]]

    def said(self, candidate: Candidate, items: Sequence[str]) -> Said:
        """Return what the judge says of items by a candidate.

        An item that is one of its worked examples is not judged: its answer stands there. It
        counts as by the rubric before.

        Raises:
            ModelCallError: an item was not answered.
        """
        known = self._said.setdefault(candidate.text, {})
        before = [item for item in items if item in candidate.taken and item not in known]
        if before:
            known.update(self.said(self._known[candidate.parent], before))
        new = [self._items[item] for item in items if item not in known]
        if new:
            criterion = candidate.rubric.criterion(self._name)
            known.update(self._bench.judge(candidate.rubric, criterion, new))
        if candidate is not self.seed:
            self._refuse_incomplete(known)
        return {item: known[item] for item in items}

    def scores(self, candidate: Candidate, items: Sequence[str]) -> list[float]:
        """Return how near the judge comes to people on each item, by a candidate."""
        said = self.said(candidate, items)
        return [self._score(said[item], self._people[item]) for item in items]

    def wrong(self) -> list[str]:
        """Return the items of train on which judge and people differ, the furthest apart first."""
        train = [item.id for item in self.train.items]
        scores = dict(zip(train, self.scores(self.seed, train), strict=True))
        return sorted((i for i in train if scores[i] < 1 - 1e-9), key=scores.__getitem__)

    def candidate(self, text: str) -> Candidate:
        """Return the candidate of a text."""
        return self._known[text]

    def begin(self, shown: Sequence[str]) -> None:
        """Begin a round with these items of train."""
        self.rounds.append(Round(len(self.rounds) + 1))
        self._shown = list(shown)

    def propose(self, parent: Candidate) -> str | None:
        """Return the text of a new candidate; None where the proposal was thrown away."""
        criterion, number = parent.rubric.criterion(self._name), len(self.rounds)
        task = task_of(parent.rubric) if len(parent.rubric.criteria) == 1 else None
        edits = self._reflector.propose(
            parent.text, criterion, self._cases(parent), self._tried(), task=task
        )
        about = Round(number, shown=tuple(self._shown), base=parent.round)
        if isinstance(edits, Refused):
            self.rounds[-1] = replace(about, why=edits.why)
            return None
        made = self._made(parent, criterion, edits)
        why = made.why if isinstance(made, Refused) else None
        self.rounds[-1] = replace(about, edits=edits, why=why)
        if isinstance(made, Refused):
            return None
        self._known[made.text] = made
        self.rounds[-1] = replace(self.rounds[-1], gain=self._gain(parent, made))
        return made.text

    def _made(
        self, parent: Candidate, criterion: Criterion, edits: Sequence[Edit]
    ) -> Candidate | Refused:
        after = applied(parent.rubric, criterion, edits, self._examples(parent))
        if isinstance(after, Refused):
            return after
        text = written(parent.text, parent.rubric, after, self._load)
        if isinstance(text, Refused):
            return text
        if text in self._known:
            return Refused("it was tried before")
        changed = after.criterion(self._name)
        leaked = leaked_anchors(changed, self.dev.items, after.inputs)
        if leaked:
            return Refused(f"it takes an example that is also item {next(iter(leaked))!r} of dev")
        cannot = self._bench.why_not(after, changed, list(self._items.values()))
        if cannot is not None:
            return Refused(f"it cannot be judged by: {cannot}")
        mine = leaked_anchors(changed, self.train.items, after.inputs)
        old = leaked_anchors(criterion, self.train.items, after.inputs)
        taken = frozenset(mine.keys() - old.keys()) | parent.taken
        return Candidate(text, after, parent.text, len(self.rounds), taken)

    def _examples(self, parent: Candidate) -> Mapping[str, Any]:
        found = self.train.examples(self.seed.rubric.criterion(self._name))
        return {item: one for item, one in found.items() if item not in parent.taken}

    def _gain(self, parent: Candidate, made: Candidate) -> Gain:
        before, after = (sum(self.scores(one, self._shown)) for one in (parent, made))
        return Gain(before, after, len(self._shown))

    def _cases(self, parent: Candidate) -> list[Case]:
        names = parent.rubric.criterion(self._name).scale.names
        said = self.said(parent, self._shown)
        cases = []
        for item in self._shown:
            outcome, people = said[item], dict.fromkeys(names[p] for p in self._people[item])
            cases.append(
                Case(
                    item=item,
                    fields={n: self._items[item].fields[n] for n in parent.rubric.inputs},
                    people=", ".join(people),
                    judge=_words(outcome, names),
                    reason=(outcome.reason or "") if isinstance(outcome, Judgment) else "",
                    differs=self._score(outcome, self._people[item]) < 1 - 1e-9,
                )
            )
        return cases

    def _tried(self) -> list[Tried]:
        return [Tried(one.edits, _outcome(one)) for one in self.rounds[:-1] if one.shown]

    def _refuse_incomplete(self, said: Said) -> None:
        for item, outcome in said.items():
            if isinstance(outcome, Unjudged) and outcome.cause in INCOMPLETE:
                raise ModelCallError(
                    f"the judge did not answer item {item!r}: {outcome.detail or outcome.cause}",
                    cause="server",
                    transient=True,
                    hint="run it again: what was answered is kept",
                )

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Remember what goes wrong inside: the library tries again, or goes on without it."""
        if self._failure is not None:
            raise self._failure
        try:
            yield
        except Exception as error:
            self._failure = error
            raise


class _Adapter:
    """What the library asks of us."""

    def __init__(self, search: Search, batch: Any) -> None:
        self._search, self._batch = search, batch

    def evaluate(
        self,
        batch: list[str],
        candidate: dict[str, str],
        capture_traces: bool = False,  # noqa: FBT001, FBT002  (the library's signature)
    ) -> Any:
        """Return the scores of items by a candidate."""
        with self._search.guarded():
            scores = self._search.scores(self._search.candidate(candidate[_PART]), batch)
        return self._batch(outputs=list(batch), scores=scores, trajectories=list(batch))

    def make_reflective_dataset(
        self, candidate: dict[str, str], eval_batch: Any, components_to_update: list[str]
    ) -> dict[str, list[dict[str, Any]]]:
        """Return the ids of the items: their text stays here."""
        return {_PART: [{"item": item} for item in eval_batch.trajectories]}

    def propose_new_texts(
        self,
        candidate: dict[str, str],
        reflective_dataset: Mapping[str, Sequence[Mapping[str, Any]]],
        components_to_update: list[str],
    ) -> dict[str, str]:
        """Return the text of a new candidate, or nothing."""
        with self._search.guarded():
            text = self._search.propose(self._search.candidate(candidate[_PART]))
        return {} if text is None else {_PART: text}


class _Batches:
    """Minibatches of train in turn: half of it judged wrongly, half of it rightly.

    They depend on the round alone, so that a second run asks the same and is answered by the cache.
    """

    def __init__(self, search: Search, train: Sequence[str]) -> None:
        self._search, self._train = search, list(train)
        self._wrong = search.wrong()
        self._right = [item for item in train if item not in set(self._wrong)]

    def next_minibatch_ids(self, loader: Any, state: Any) -> list[int]:
        """Return the places of the next items in train."""
        turn = len(self._search.rounds)
        wrong = _turn(self._wrong, max(MINIBATCH // 2, MINIBATCH - len(self._right)), turn)
        chosen = [*wrong, *_turn(self._right, MINIBATCH - len(wrong), turn)]
        self._search.begin(chosen)
        return [self._train.index(item) for item in chosen]


def _broken(error: Exception) -> JudgingError:
    """Return what is raised where the library fails by itself."""
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return JudgingError(
        f"GEPA, which searches, failed: {said[:_MOST_SAID]}. Nothing was written",
        hint="install the version judgekit is tested with: what was answered is kept",
    )


def _turn(items: Sequence[str], most: int, turn: int) -> list[str]:
    count = min(most, len(items))
    return [items[(turn * count + i) % len(items)] for i in range(count)]


class _Silence:
    """The library's log, which nobody reads."""

    def log(self, message: str) -> None:
        """Say nothing."""


def _words(outcome: Judgment | Unjudged, names: Sequence[str]) -> str:
    if isinstance(outcome, Unjudged):
        return f"nothing that could be read ({outcome.cause})"
    return "not applicable" if outcome.level is None else names[outcome.level]


def _outcome(one: Round) -> str:
    if one.why is not None:
        return f"thrown away: {one.why}"
    if one.gain is None or one.gain.after <= one.gain.before:
        return "no nearer to what people say"
    return "nearer to what people say on the outputs it was made from"
