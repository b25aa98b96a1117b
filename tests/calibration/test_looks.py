from datetime import timedelta
from itertools import permutations

import pytest
from pydantic import ValidationError

from judgekit.calibration.looks import (
    Look,
    answer_digests,
    item_digests,
    known_look,
    look_number,
    revealed_before,
)
from judgekit.calibration.rows import Row
from tests.calibration.make import NOW


def look(
    fingerprint: str = "a",
    evidence: str = "e1",
    items: range = range(100),
    *,
    hours: int = 0,
    criterion: str = "tone",
    judge: str = "tone",
) -> Look:
    """A look at items, so many hours from now."""
    return Look(
        judge=judge,
        criterion=criterion,
        fingerprint=fingerprint,
        labels=evidence,
        items=item_digests(Row(str(i), human=0, judge=0) for i in items),
        verdict="inconclusive",
        looked_at=NOW + timedelta(hours=hours),
    )


def test_the_first_look() -> None:
    """An empty ledger."""
    assert look_number(look(), []) == 1


def test_an_identical_rerun_is_no_look() -> None:
    """Same judge, same evidence: it keeps the number it had, also with others in between."""
    ledger = [look("a"), look("b", "e2", hours=1)]

    assert look_number(look("a", hours=9), ledger) == 1
    assert look_number(look("b", "e2", hours=9), ledger) == 2


def test_another_judge_on_the_same_items_is_a_look() -> None:
    """A changed prompt, model or parameter has another fingerprint."""
    assert look_number(look("c", "e3", hours=2), [look("a"), look("b", "e2", hours=1)]) == 3


def test_one_shared_item_is_enough() -> None:
    """Overlapping, not equal."""
    assert look_number(look("b", "e2", range(99, 200)), [look("a")]) == 2


def test_other_items_are_a_fresh_start() -> None:
    """Disjoint test items owe nothing to earlier looks."""
    assert look_number(look("b", "e2", range(100, 200)), [look("a")]) == 1


def test_another_criterion_is_another_question() -> None:
    """The same items, labelled for something else."""
    assert look_number(look("b", "e2", criterion="facts"), [look("a")]) == 1


def test_the_judges_name_does_not_matter() -> None:
    """Renaming the judge gives no fresh look."""
    assert look_number(look("b", "e2", judge="tone-2"), [look("a")]) == 2


def test_more_labels_are_a_look() -> None:
    """The same judge measured again on added or changed labels: stopping when it passes counts."""
    assert look_number(look("a", "e2", range(120)), [look("a")]) == 2


def test_the_order_of_the_files_does_not_matter() -> None:
    """The ledger is read in the order of time."""
    ledger = [look("a"), look("b", "e2", hours=1), look("c", "e3", hours=2)]

    for shuffled in permutations(ledger):
        assert [look_number(one, shuffled) for one in ledger] == [1, 2, 3]


def test_a_repeated_entry_counts_once() -> None:
    """Two branches that made the same measurement, merged."""
    assert look_number(look("b", "e2"), [look("a"), look("a", hours=1)]) == 2


def test_items_are_digests() -> None:
    """The ledger holds no ids in the clear, sorted and each once."""
    digests = item_digests(Row(i, human=0, judge=0) for i in ("b", "a", "b"))

    assert len(digests) == 2
    assert list(digests) == sorted(digests)
    assert all(len(d) == 12 and int(d, 16) >= 0 for d in digests)


def test_a_look_has_a_time_zone() -> None:
    """Times without a zone cannot be put in order."""
    with pytest.raises(ValidationError, match="timezone"):
        Look(**{**look().model_dump(), "looked_at": NOW.replace(tzinfo=None)})


def test_earlier_looks_that_showed_details() -> None:
    """Each changed judge counts once, and only where details were shown; one's own never."""
    shown, hidden = look("a"), look("b", "e2", hours=1).model_copy(update={"revealed": "none"})
    later = look("b", "e2", hours=3)
    new = look("c", "e3", hours=9)

    assert revealed_before(new, [shown, hidden]) == 1
    assert revealed_before(new, [shown, shown, hidden, later]) == 2
    assert revealed_before(shown, [shown, hidden]) == 0
    assert revealed_before(look("c", "e3", range(200, 300)), [shown]) == 0


def test_new_names_make_no_new_items() -> None:
    """The same texts under other ids overlap; without texts only the ids tell."""
    old = [Row(f"a{i}", human=0, judge=0, text=f"text {i}") for i in range(9)]
    new = [Row(f"b{i}", human=0, judge=0, text=f"text {i}") for i in range(9)]
    bare = [Row(f"b{i}", human=0, judge=0) for i in range(9)]
    first = look("a").model_copy(update={"items": item_digests(old)})

    assert look_number(look("b").model_copy(update={"items": item_digests(new)}), [first]) == 2
    assert look_number(look("b").model_copy(update={"items": item_digests(bare)}), [first]) == 1


def said(levels: dict[str, int | None], **more: object) -> Look:
    """A look of the judge "a" that gave these levels; None is no usable answer."""
    rows = [
        Row(i, rater="ann", human=0, judge=v, cause="unreadable" if v is None else None)
        for i, v in levels.items()
    ]
    made = look("a").model_copy(
        update={"items": item_digests(rows), "answers": answer_digests(rows)}
    )
    return made.model_copy(update=more)


FIRST = {"x": 0, "y": 1, "z": None}


@pytest.mark.parametrize(
    ("again", "old", "new", "number"),
    [
        (FIRST, {}, {}, 1),
        ({**FIRST, "z": 1}, {}, {}, 1),  # what was missing is filled in
        ({**FIRST, "y": 0}, {}, {}, 2),  # it answers otherwise
        ({**FIRST, "y": 0}, {"verdict": "calibrated"}, {}, 1),  # a renewal
        ({**FIRST, "y": 0}, {"verdict": "calibrated"}, {"recorded": True}, 2),
        (FIRST, {}, {"recorded": True}, 1),
    ],
)
def test_answers_that_change_are_another_look(
    again: dict[str, int | None], old: dict, new: dict, number: int
) -> None:
    """Verdicts of one name cannot be drawn until some pass."""
    ledger = [said(FIRST, **{"verdict": "inconclusive", **old})]
    found = said(again, looked_at=NOW + timedelta(hours=5), **new)

    assert look_number(found, ledger) == number
    assert (known_look(found, ledger) is None) is (number == 2)
