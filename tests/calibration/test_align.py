from hypothesis import given
from hypothesis import strategies as st

from judgekit.calibration.align import HumanLevel, Subject, align
from judgekit.calibration.rows import Row, tally
from judgekit.judging.judgment import CAUSES, Judgment, Unjudged
from tests.calibration.strategies import IDS, outcome, unhurried

LABEL = st.builds(HumanLevel, st.sampled_from(["ann", "bob"]), st.none() | st.integers(0, 1))
WHY = st.sampled_from(["rubric_example", "other_split", "tied_majority"])


@unhurried
@given(
    st.lists(IDS, unique=True),
    st.dictionaries(IDS, st.lists(LABEL, max_size=3, unique_by=lambda h: h.rater)),
    st.dictionaries(IDS, outcome(st.integers(0, 1))),
    st.dictionaries(IDS, WHY),
)
def test_every_item_is_accounted_for(
    items: list[str],
    labels: dict[str, list[HumanLevel]],
    outcomes: dict[str, Judgment | Unjudged | None],
    set_aside: dict[str, str],
) -> None:
    """Whatever comes in: items = judged + sum(unjudged) + sum(set_aside), and none is lost."""
    said = {item: found for item, found in outcomes.items() if found is not None}
    rows = align([Subject(i) for i in items], labels, said, set_aside)

    found = tally(rows)

    assert found.items == found.judged + sum(found.unjudged.values()) + sum(
        found.set_aside.values()
    )
    assert {row.item for row in rows} == set(items) | set(labels)
    assert found.items == len(set(items) | set(labels))
    assert found.paired == found.judged <= found.labelled <= found.items


@unhurried
@given(
    st.dictionaries(IDS, st.lists(LABEL, max_size=3, unique_by=lambda h: h.rater)),
    st.dictionaries(IDS, WHY),
)
def test_labelled_counts_the_items_with_a_label(
    labels: dict[str, list[HumanLevel]], set_aside: dict[str, str]
) -> None:
    """An item is labelled when somebody labelled it, whatever it was set aside for."""
    ties = {item for item, why in set_aside.items() if why == "tied_majority"}
    rows = align([Subject(i) for i in set_aside], labels, {}, set_aside)

    found = tally(rows)

    assert found.labelled == len({item for item, given in labels.items() if given} | ties)


def one(labels: list[HumanLevel], outcome: Judgment | Unjudged | None, why: str = "") -> list[Row]:
    """The rows of one item called ``i``."""
    said = {} if outcome is None else {"i": outcome}
    return align([Subject("i", "case", "text")], {"i": labels}, said, {"i": why} if why else {})


def test_a_pair_holds_what_both_said() -> None:
    """Item, case, rater, both levels, the text's digest and the weight are in the row."""
    rows = one([HumanLevel("ann", 2, 0.5)], Judgment("i", "tone", 1))

    assert rows == [Row("i", "case", "ann", human=2, judge=1, text="text", weight=0.5)]


def test_a_judge_may_say_not_applicable() -> None:
    """The judge's "not applicable" against a human level stays a pair: they disagree."""
    (row,) = one([HumanLevel("ann", 0)], Judgment("i", "tone", None))

    assert row.judge is None
    assert row.judge_na
    assert row.cause is None
    assert tally([row]).judged == 1


def test_unjudged_keeps_its_cause() -> None:
    """Each cause reaches the tally under its own name; no outcome at all is ``missing``."""
    for cause in CAUSES:
        assert tally(one([HumanLevel("ann", 0)], Unjudged("i", "tone", cause))).unjudged == {
            cause: 1
        }
    assert tally(one([HumanLevel("ann", 0)], None)).unjudged == {"missing": 1}


def test_human_na_sets_the_pair_aside() -> None:
    """One rater's "does not apply" takes out that pair and is kept on record; the item stays."""
    rows = one([HumanLevel("ann", None), HumanLevel("bob", 1)], Judgment("i", "tone", 1))

    assert [(row.rater, row.set_aside) for row in rows] == [("ann", "human_na"), ("bob", None)]
    assert tally(rows).judged == 1
    assert tally(rows).set_aside == {}


def test_an_item_all_humans_call_na_is_set_aside() -> None:
    """Nothing is left to compare with."""
    rows = one([HumanLevel("ann", None), HumanLevel("bob", None)], Judgment("i", "tone", 1))

    assert tally(rows).set_aside == {"human_na": 1}
    assert tally(rows).items == 1


def test_raters_do_not_multiply_items() -> None:
    """Three raters of one item are three pairs and one item."""
    rows = one([HumanLevel(r, 1) for r in "abc"], Judgment("i", "tone", 1))

    assert len(rows) == 3
    assert tally(rows).items == tally(rows).judged == 1


def test_an_unlabelled_item_is_unlabelled_first() -> None:
    """A worked example nobody labelled counts as unlabelled, not as a labelled one set aside."""
    found = tally(one([], Judgment("i", "tone", 1), "rubric_example"))

    assert found.set_aside == {"unlabelled": 1}
    assert found.labelled == 0


def test_a_tie_is_labelled_although_no_label_stands() -> None:
    """The labels of a tied item were taken out before; it still has some."""
    found = tally(one([], Judgment("i", "tone", 1), "tied_majority"))

    assert found.set_aside == {"tied_majority": 1}
    assert found.labelled == 1


def test_a_label_without_an_item_is_not_lost() -> None:
    """A label of an item that nobody listed still makes a row."""
    rows = align([], {"ghost": [HumanLevel("ann", 1)]}, {}, {})

    assert tally(rows).unjudged == {"missing": 1}
