import json
from math import log
from typing import Any

import pytest

from judgekit.judging.judge import Judge, Member
from judgekit.judging.judgment import Judgment, Order, Unjudged
from judgekit.judging.reading import read
from judgekit.judging.reply import Reader, read_reply
from judgekit.judging.request import ModelReply
from judgekit.judging.votes import combine
from tests.calibration.make import rubric
from tests.timing import cpu_seconds

PAIRS = rubric("pairwise")
BETTER = PAIRS.criteria[0]


def said(level: str, **more: Any) -> ModelReply:
    """A reply in the form of the schema."""
    text = json.dumps({"reason": "because", "level": level})
    return ModelReply(**{"text": text, "finish": "stop", "served": "m-1", **more})


def pair(reply: ModelReply, order: Order | None) -> Judgment | Unjudged:
    """What a reply about a pair in this order comes to."""
    return read_reply(Judge("tone", PAIRS, "m"), BETTER, "a", reply, order=order)


def level_of(outcome: Judgment | Unjudged) -> str | None:
    """The level in words, in item order."""
    assert isinstance(outcome, Judgment)
    return None if outcome.level is None else BETTER.scale.names[outcome.level]


@pytest.mark.parametrize(
    ("order", "levels"),
    [
        (None, ["A", "B", "tie"]),
        ("AB", ["A", "B", "tie"]),
        ("BA", ["B", "A", "tie"]),
    ],
)
def test_a_level_is_in_item_order(order: Order | None, levels: list[str]) -> None:
    """A reply speaks of what it was shown: shown swapped, its A is the item's B."""
    assert [level_of(pair(said(name), order)) for name in ("A", "B", "tie")] == levels


def test_a_judge_that_always_prefers_the_first_place_says_nothing_of_the_outputs() -> None:
    """Complaint 58: what flips with the order is a tie, and both replies are kept."""
    votes = [pair(said("A"), "AB"), pair(said("A"), "BA")]

    found = combine(votes, Judge("tone", PAIRS, "m"), BETTER)

    assert level_of(found) == "tie"
    assert [level_of(vote) for vote in found.votes] == ["A", "B"]


@pytest.mark.parametrize(("order", "expected"), [("AB", (0.7, 0.2, 0.1)), ("BA", (0.2, 0.7, 0.1))])
def test_probabilities_are_in_item_order(order: Order, expected: tuple[float, ...]) -> None:
    """As the level is."""
    text = json.dumps({"reason": "", "level": "A"})
    before, after = text.split("A")
    weighed = ("A", log(0.7), (("A", log(0.7)), ("B", log(0.2)), ("tie", log(0.1))))
    tokens = ((before, 0.0, ()), weighed, (after, 0.0, ()))

    found = pair(ModelReply(text, finish="stop", logprobs=tokens), order)

    assert isinstance(found, Judgment)
    assert found.probabilities == pytest.approx(expected)


def test_everything_about_an_asking_is_kept() -> None:
    """For a level and for none; the text is unchanged."""
    reader = Reader(Judge("tone", PAIRS, "m", panel=(Member(model="x"), Member(model="y"))), BETTER)
    where: dict[str, Any] = {"replicate": 3, "cached": True, "member": 1, "order": "BA"}

    good, bad = (reader.read("a", said(level), **where) for level in ("A", "nonsense"))

    for found in (good, bad):
        assert (found.item, found.criterion, found.served) == ("a", "tone", "m-1")
        assert (found.replicate, found.cached, found.member, found.order) == (3, True, 1, "BA")
    assert good.raw == said("A").text
    assert isinstance(good, Judgment)
    assert good.reason == "because"
    assert isinstance(bad, Unjudged)
    assert bad.cause == "out_of_scale"


@pytest.mark.parametrize("number", [4, -1, 155, 15559])
def test_a_number_off_the_scale_is_never_clamped(number: int) -> None:
    """Complaint 21: 4 on 0 to 2, or a digit repeated, is out of the scale and no number."""
    levels: list[dict[str, Any]] = [
        {"value": v, "name": f"grade {v}", "definition": "it is", "drops_when": "it is not"}
        for v in (0, 1, 2)
    ]
    of = rubric("ordinal", levels=levels)
    reply = ModelReply(json.dumps({"reason": "", "level": number}), finish="stop")

    found = read_reply(Judge("tone", of, "m"), of.criteria[0], "a", reply)

    assert isinstance(found, Unjudged)
    assert found.cause == "out_of_scale"


@pytest.mark.parametrize("order", [None, "AB", "BA"])
def test_not_applicable_has_no_order(order: Order | None) -> None:
    """There is nothing to swap."""
    of = rubric("pairwise", not_applicable="Both are empty.")

    found = read_reply(Judge("tone", of, "m"), of.criteria[0], "a", said("na"), order=order)

    assert isinstance(found, Judgment)
    assert found.level is None


def test_scores_of_a_judge_read_by_likelihood() -> None:
    """One whose labels tie is unjudged; shown swapped, its level is mapped back too."""
    judge = Judge("tone", PAIRS, "local/x", scoring="likelihood")

    def scores(*row: float) -> ModelReply:
        return ModelReply(json.dumps({"prompts": [row], "bias": [[0.0, 0.0, 0.0]], "mass": [0.9]}))

    swapped = read_reply(judge, BETTER, "a", scores(-0.1, -2, -3), order="BA")
    tied = read_reply(judge, BETTER, "a", scores(-1, -1, -3))

    assert level_of(swapped) == "B"
    assert isinstance(tied, Unjudged)
    assert tied.cause == "contradictory"


def test_reading_costs_little_beside_the_reader() -> None:
    """A judgment is made in a few microseconds (aim 3, bar 12 on a loaded machine)."""
    of = rubric("ordinal")
    criterion, reply = of.criteria[0], said("grade 3")
    reader = Reader(Judge("tone", of, "m"), criterion)

    def cost(call: Any) -> float:
        return cpu_seconds(call, times=4000, rounds=7)

    bare = cost(lambda: read(reply, criterion.scale))
    whole = cost(lambda: reader.read("a", reply, replicate=0, cached=True, member=0, order=None))

    assert whole - bare < 12e-6
