"""How often rules find something in evidence in which nothing is, and whether they find what is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from judgekit.linting.engine import lint
from judgekit.linting.evidence import Evidence, ExampleSaid, ItemSaid
from judgekit.linting.rules import FROM_EVIDENCE
from tests.linting.test_evidence_cases import TABLE
from tests.rubric.make import BASES, LOAD

RUBRICS = {"groundedness": BASES["clean"], "tone": TABLE["EV04"]["two"]}
Levels = np.ndarray
DATA_SETS = 100


def codes(name: str, *evidence: Evidence) -> set[str]:
    """What is found by rules from evidence."""
    found = lint(RUBRICS[name], file="r.jinja", load=LOAD, evidence=evidence)
    return {f.code for f in found} & set(FROM_EVIDENCE)


def shown(
    people: Levels, judge: Levels, criterion: str = "groundedness", size: int = 1
) -> Evidence:
    """Evidence of levels from 0 to 2: (n, raters) of people, (n,) of the judge."""
    items = tuple(
        ItemSaid(
            f"i{n}",
            tuple((f"r{j}", int(level)) for j, level in enumerate(row)),
            int(said),
            f"c{n // size}" if size > 1 else None,
        )
        for n, (row, said) in enumerate(zip(people, judge, strict=True))
    )
    return Evidence("run x", "j", criterion, "ordinal", ("1", "2", "3"), (1.0, 2.0, 3.0), items)


def levelled(values: Levels) -> Levels:
    """Numbers from 0 to 3 as levels."""
    return np.clip(np.floor(values), 0, 2).astype(int)


def clean(rng: np.random.Generator) -> Iterator[tuple[str, list[Evidence]]]:
    """Evidence of rubrics on which people and judge agree as well at every border, and use all.

    Items spread over the scale; the same with most items on top; in cases of three outputs; and two
    criteria that correlate, with a judge that is steadier than people.
    """
    n = int(rng.choice([30, 60, 120]))
    raters = int(rng.choice([1, 2, 3]))
    for where in (3 * rng.random(n), 3 * rng.beta(3, 1.5, n), 3 * np.repeat(rng.random(n), 3)[:n]):
        said = levelled(where[:, None] + rng.normal(0, 0.3, (n, raters + 1)))
        size = 3 if where[0] == where[1] else 1
        yield "groundedness", [shown(said[:, :raters], said[:, raters], size=size)]
    rho = float(rng.choice([0.0, 0.5]))
    meant = 1.5 + rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], n)
    people = levelled(meant + rng.normal(0, 0.5, (n, 2)))
    judge = levelled(meant + rng.normal(0, 0.2, (n, 2)))
    names = ("tone", "facts")
    yield "tone", [shown(people[:, [i]], judge[:, i], name) for i, name in enumerate(names)]


@pytest.mark.slow
def test_clean_evidence_is_called_so() -> None:
    """Each rule finds something in five of a hundred data sets of a kind at most."""
    rng = np.random.default_rng(20261201)
    false: dict[tuple[int, str], int] = {}
    for _ in range(DATA_SETS):
        for kind, (name, evidence) in enumerate(clean(rng)):
            for code in codes(name, *evidence):
                false[kind, code] = false.get((kind, code), 0) + 1

    assert {found: n for found, n in false.items() if n > 0.05 * DATA_SETS} == {}


def test_examples_that_a_judge_mostly_levels_right_are_not_named() -> None:
    """With one answer in ten wrong, over three examples of three to ten answers."""
    rng = np.random.default_rng(5)
    false = 0
    for _ in range(200):
        wrong = rng.random((3, int(rng.integers(3, 11)))) < 0.1
        said = tuple(
            ExampleSaid(i, 0, tuple(np.where(row, (i + 1) % 3, i).tolist()), ("x",))
            for i, row in enumerate(wrong)
        )
        numbers = (1.0, 2.0, 3.0)
        false += "EV05" in codes(
            "groundedness",
            Evidence(
                "run x", "j", "groundedness", "ordinal", ("1", "2", "3"), numbers, examples=said
            ),
        )

    assert false <= 0.05 * 200


def unused(rng: np.random.Generator) -> list[Evidence]:
    """Nobody uses the level in the middle."""
    meant = 2 * rng.integers(0, 2, 120)
    return [shown(meant[:, None], meant)]


def confused(rng: np.random.Generator, *, judge_only: bool) -> list[Evidence]:
    """On the two upper levels people, or the judge alone, toss coins."""
    meant = rng.integers(0, 3, (200, 1))
    said = np.repeat(meant, 3, axis=1)
    coins = np.where(meant > 0, rng.integers(1, 3, (200, 3)), said)
    people = said if judge_only else coins
    return [shown(people[:, :2], coins[:, 2])]


def moving(rng: np.random.Generator) -> list[Evidence]:
    """The judge has one impression of both criteria, and a little of its own of each."""
    meant = rng.multivariate_normal([0, 0], [[1, 0.2], [0.2, 1]], 120)
    impression = meant.mean(axis=1, keepdims=True)
    judge = levelled(1.5 + 0.4 * meant + 0.8 * impression + rng.normal(0, 0.2, (120, 2)))
    people = levelled(1.5 + meant + rng.normal(0, 0.2, (120, 2)))
    names = ("tone", "facts")
    return [shown(people[:, [i]], judge[:, i], name) for i, name in enumerate(names)]


@pytest.mark.parametrize(
    ("code", "planted", "name"),
    [
        ("EV01", unused, "groundedness"),
        ("EV02", lambda rng: confused(rng, judge_only=False), "groundedness"),
        ("EV03", lambda rng: confused(rng, judge_only=True), "groundedness"),
        ("EV04", moving, "tone"),
    ],
)
def test_what_is_planted_is_found(
    code: str, planted: Callable[[np.random.Generator], list[Evidence]], name: str
) -> None:
    """In nine of ten data sets of 200 items, or of 120 for what concerns the whole scale."""
    rng = np.random.default_rng(7)
    found = sum(code in codes(name, *planted(rng)) for _ in range(20))

    assert found >= 18
