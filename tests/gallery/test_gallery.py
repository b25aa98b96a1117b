"""What holds for every rubric of the gallery and its labelled set."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from scipy.stats import spearmanr

from judgekit.api.lint import lint_paths
from judgekit.calibration.leaks import leaked_anchors
from judgekit.importers.items import read_item_set
from judgekit.importers.labels import read_labels
from judgekit.importers.rubrics import load_rubric
from judgekit.judging.item import Item
from judgekit.labels.label import LabelSet
from judgekit.rubric.model import Criterion, Rubric

GALLERY = Path(__file__).resolve().parents[2] / "rubrics"
RUBRICS = sorted(path.stem for path in GALLERY.glob("*.jinja"))
NEEDED = {
    "answer-relevance", "code-review", "completeness", "conciseness", "correctness",
    "criterion-met", "groundedness", "instruction-following", "pairwise-preference",
    "refusal-appropriateness", "safety", "summary-coverage", "support-tone",
    "tool-use-justification",
}  # fmt: skip
FEWEST_ITEMS, FEWEST_CASES, FEWEST_PER_LEVEL = 40, 10, 5
MOST_TOLD_BY_LENGTH = 0.4
"""Rank correlation of length with level: well above what chance gives among 40 to 80 items."""
APART = (0.08, 0.25)
"""Share of items on which two points of view differ: they are two, and they look at one thing."""
OURS = {"id", "case", "source"}


class Set(NamedTuple):
    """A rubric with its labelled set, read as a user's are."""

    rubric: Rubric
    rows: list[dict[str, Any]]
    raters: tuple[str, ...]
    items: tuple[Item, ...]
    labels: LabelSet

    @property
    def criterion(self) -> Criterion:
        """The only criterion."""
        return self.rubric.criteria[0]

    def places(self, rater: str) -> list[int]:
        """Return the place of each item's level in the scale, in file order."""
        by_item = {one.item: one.level for one in self.labels.labels if one.rater == rater}
        places = [by_item[item.id] for item in self.items]
        assert None not in places, "an item of the gallery is one to which the criterion applies"
        return [place for place in places if place is not None]


def read_set(rubric: Path, labels: Path) -> Set:
    """Read a rubric and its labels with judgekit's own importers."""
    parsed = load_rubric(rubric)
    rows = [json.loads(line) for line in labels.read_text("utf-8").splitlines()]
    raters = tuple(key for key in rows[0] if key not in OURS | set(parsed.inputs))
    return Set(
        rubric=parsed,
        rows=rows,
        raters=raters,
        items=read_item_set(labels, inputs=parsed.inputs).items,
        labels=read_labels(labels, parsed.criteria, rater_columns=raters, inputs=parsed.inputs),
    )


@pytest.fixture(scope="module", params=RUBRICS)
def entry(request: pytest.FixtureRequest) -> Set:
    """Each rubric of the gallery with its labelled set."""
    name = request.param
    return read_set(GALLERY / f"{name}.jinja", GALLERY / "labels" / f"{name}.jsonl")


def length(item: Item) -> int:
    """Return the length of what is judged; of a pair, how much longer B is."""
    if "output" in item.fields:
        return len(item.fields["output"])
    return len(item.fields["output_b"]) - len(item.fields["output_a"])


def told_by_length(kind: str, lengths: Sequence[int], places: Sequence[int]) -> float:
    """Return the largest rank correlation of length with level; 0 to 1.

    Levels without an order are held against all others, one after the other.
    """
    ways: list[list[int]] = [list(places)]
    if kind == "nominal":
        ways = [[int(place == one) for place in places] for one in set(places)]
    return max(abs(float(spearmanr(lengths, way).statistic)) for way in ways)


def test_the_gallery_is_whole() -> None:
    """Every rubric that was promised is there, each with a set, and no set without a rubric."""
    assert set(RUBRICS) >= NEEDED
    assert sorted(path.stem for path in (GALLERY / "labels").glob("*.jsonl")) == RUBRICS


@pytest.mark.parametrize("name", RUBRICS)
def test_a_rubric_is_lint_clean(name: str) -> None:
    """Not one violation, by every rule there is."""
    found = lint_paths([str(GALLERY / f"{name}.jinja")])

    assert [(v.line, v.rule, v.message) for v in found.violations] == []
    assert not found.unreadable
    assert len(found.files) == 1


def test_a_rubric_is_called_as_its_file(entry: Set) -> None:
    """The name inside is the name outside, it is a first version, and it has one criterion."""
    assert entry.rubric.name in RUBRICS
    assert (GALLERY / f"{entry.rubric.name}.jinja").is_file()
    assert entry.rubric.version == 1
    assert len(entry.rubric.criteria) == 1


def test_every_level_is_shown_by_example(entry: Set) -> None:
    """Each level has a definition and an anchor with every input and the reason."""
    for level in entry.criterion.scale.levels:
        assert level.definition
        assert level.anchors, level.name
        for anchor in level.anchors:
            assert set(anchor.fields) == set(entry.rubric.inputs), level.name
            assert anchor.reason, level.name


def test_it_says_what_passes(entry: Set) -> None:
    """An ordinal scale has its pass line, a nominal one its list; the others need none."""
    kind = entry.criterion.scale.kind
    assert (entry.criterion.passes_at is not None) == (kind == "ordinal")
    assert bool(entry.criterion.passing) == (kind == "nominal")


def test_a_set_is_large_enough(entry: Set) -> None:
    """Items and cases suffice for figures, and each item has a label of each of two raters."""
    assert len(entry.items) >= FEWEST_ITEMS
    assert len({item.case for item in entry.items}) >= FEWEST_CASES
    assert len(entry.raters) == 2
    assert len(entry.labels.labels) == 2 * len(entry.items)


def test_ids_are_unique(entry: Set) -> None:
    """No id and no item occurs twice."""
    ids = [row["id"] for row in entry.rows]
    texts = [tuple(row[name] for name in entry.rubric.inputs) for row in entry.rows]

    assert len(set(ids)) == len(ids) == len(entry.items)
    assert len(set(texts)) == len(texts)


def test_a_set_says_that_it_is_a_demonstration(entry: Set) -> None:
    """Every row does, and so the whole set: nothing real can rest on it."""
    assert {row["source"] for row in entry.rows} == {"demonstration"}
    assert entry.labels.source == "demonstration"


def test_every_level_is_used(entry: Set) -> None:
    """Each rater gives each level several times."""
    for rater in entry.raters:
        used = Counter(entry.places(rater))
        for place, name in enumerate(entry.criterion.scale.names):
            assert used[place] >= FEWEST_PER_LEVEL, (rater, name)


def test_two_points_of_view_differ_now_and_then(entry: Set) -> None:
    """They are neither copies nor strangers."""
    first, second = (entry.places(rater) for rater in entry.raters)
    apart = sum(a != b for a, b in zip(first, second, strict=True)) / len(first)

    assert APART[0] <= apart <= APART[1]


def test_no_item_is_a_worked_example(entry: Set) -> None:
    """The judge has not been shown the answer to any item."""
    assert leaked_anchors(entry.criterion, entry.items, entry.rubric.inputs) == {}


def test_length_does_not_tell_the_level(entry: Set) -> None:
    """Counting letters gets no judge far."""
    lengths = [length(item) for item in entry.items]
    for rater in entry.raters:
        kind = entry.criterion.scale.kind
        assert told_by_length(kind, lengths, entry.places(rater)) < MOST_TOLD_BY_LENGTH, rater


def test_the_measure_of_length_sees_levels_without_order() -> None:
    """A nominal level that stands out is found, though the order of the list hides it."""
    lengths, places = [1, 9, 2, 8, 10, 3], [0, 1, 2, 1, 1, 0]

    assert told_by_length("ordinal", lengths, places) < MOST_TOLD_BY_LENGTH
    assert told_by_length("nominal", lengths, places) > 0.8


def test_no_two_rubrics_share_a_set() -> None:
    """Each set was written for its rubric: no output is found in two of them."""
    outputs = {}
    for name in RUBRICS:
        lines = (GALLERY / "labels" / f"{name}.jsonl").read_text("utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        outputs[name] = {row.get("output", row.get("output_a")) for row in rows}
    for one, other in combinations(RUBRICS, 2):
        assert not outputs[one] & outputs[other], (one, other)
