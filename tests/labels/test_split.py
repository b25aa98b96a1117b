"""The split: by the hash of the case alone, and evened out only where one is written down."""

import hashlib
from collections import Counter
from collections.abc import Hashable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.errors import InputError, UnknownName
from judgekit.labels.label import LabelSet
from judgekit.labels.split import (
    PARTS,
    SHARES,
    Shares,
    assign,
    case_of_items,
    parse_shares,
    part_of_case,
    split_for,
    splits_of,
)
from tests.labels.make import label

CASES = [f"case-{i}" for i in range(1000)]
names = st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=60)


def test_it_is_the_plain_hash() -> None:
    """Anybody can check it: the first 64 bits of sha256, as a share of all there are."""
    for case in ("q-001", "ü 1", "-", "conala-000-baseline"):
        place = int(hashlib.sha256(case.encode()).hexdigest()[:16], 16) / 2**64
        expected = "train" if place < 0.2 else "dev" if place < 0.6 else "test"
        assert part_of_case(case) == expected


def test_it_stays_what_it_is() -> None:
    """A release that moved a case would put test items into somebody's prompt."""
    parts = [part_of_case(f"item-{i:03}") for i in range(12)]

    assert parts == FROZEN


FROZEN = ["test", "dev", "dev", "dev", "dev", "test", "train", "train", *["dev"] * 4]


def test_shares_come_out_on_average() -> None:
    """Of a thousand cases each part has about its share; three standard errors are 4.6 points."""
    counts = Counter(part_of_case(case) for case in CASES)

    for part, share in SHARES._asdict().items():
        assert counts[part] / 1000 == pytest.approx(share, abs=0.046)


def test_another_name_is_another_split() -> None:
    """Fresh test cases can be drawn from old labels, knowingly."""
    one, two = (assign(dict.fromkeys(CASES, 0), seed_name=name) for name in ("", "2027"))

    same = sum(one[case] == two[case] for case in CASES) / 1000
    assert same == pytest.approx(0.2**2 + 2 * 0.4**2, abs=0.046)


@given(names, names, st.integers(0, 3))
def test_adding_labels_moves_nobody(old: list[str], more: list[str], level: int) -> None:
    """Without memory the others do not matter, nor the levels, nor the order."""
    before = assign(dict.fromkeys(old, level))
    after = assign({case: i % 3 for i, case in enumerate([*more, *old])})

    assert all(after[case] == part for case, part in before.items())


@given(names, st.integers(1, 4), st.data())
def test_old_cases_keep_their_part(cases: list[str], levels: int, data: st.DataObject) -> None:
    """Whatever it is, even a part nobody has heard of; every case gets one."""
    known = {
        case: data.draw(st.sampled_from([*PARTS, "holdout"]))
        for case in cases
        if data.draw(st.booleans())
    }

    found = assign({case: i % levels for i, case in enumerate(cases)}, known)

    assert list(found) == cases
    assert all(found[case] == part for case, part in known.items())
    assert set(found.values()) <= {*PARTS, "holdout"}


@given(st.integers(0, 80), st.integers(10, 120), st.integers(0, 1000), st.sampled_from([0, 1]))
def test_shares_come_out_within_each_level(old: int, new: int, seed: int, kind: int) -> None:
    """Where new cases can still even it out, every part has its share of each level, to a case."""
    shares = (SHARES, Shares(0.0, 0.5, 0.5))[kind]
    cases: dict[str, Hashable] = {f"{seed}-{i}": "ab"[i % 2] for i in range(old + new)}
    known = {case: part_of_case(case, shares) for case in list(cases)[:old]}

    found = assign(cases, known, shares=shares)

    if not known:
        return
    for level in "ab":
        mine = [found[case] for case in cases if cases[case] == level]
        kept = Counter(known[case] for case in known if cases[case] == level)
        for part, share in shares._asdict().items():
            over = max(0.0, kept[part] - share * len(mine))
            assert mine.count(part) <= share * len(mine) + 1 + over
            if not any(kept[p] > s * len(mine) for p, s in shares._asdict().items()):
                assert abs(mine.count(part) - share * len(mine)) <= 1


def test_as_few_as_needed_are_moved() -> None:
    """New cases go where their hash says, but for those that even out the shares."""
    cases = dict.fromkeys(CASES, "x")
    known = dict.fromkeys(CASES[:100], "train")

    found = assign(cases, known)

    moved = sum(found[case] != part_of_case(case) for case in CASES[100:])
    by_hash = Counter(part_of_case(case) for case in CASES[100:])
    assert Counter(found.values()) == {"train": 200, "dev": 400, "test": 400}
    assert moved == by_hash["train"] - 100
    places = {case: hashlib.sha256(case.encode()).hexdigest() for case in CASES[100:]}
    stayed = [places[case] for case in places if found[case] == "train"]
    left = [places[c] for c in places if part_of_case(c) == "train" and found[c] != "train"]
    assert max(stayed) < min(left)  # those whose hash lies nearest to dev are the ones that go


def test_an_empty_memory_is_none() -> None:
    """A split column without a value yet decides nothing."""
    assert assign(dict.fromkeys(CASES, 0), {}) == assign(dict.fromkeys(CASES, 0))


def test_rare_levels_go_by_hash() -> None:
    """One case of a level is not always a train case."""
    known = {"old": "test"}

    found = [assign({"old": "a", case: "rare"}, known)[case] for case in CASES[:50]]

    assert found == [part_of_case(case) for case in CASES[:50]]


def labels(*rows: tuple[str, str | None, str | None]) -> LabelSet:
    """Labels of items with their case and split."""
    made = [
        label(item, "ann", 0).model_copy(update={"case": case, "split": split})
        for item, case, split in rows
    ]
    return LabelSet(tuple(made), file="labels.csv")


PLAIN = labels(*((f"item-{i}", None, None) for i in range(40)))


def test_split_for_names_the_items_left_out() -> None:
    """Each item is in one of the three parts, by the hash of its case."""
    left = {part: split_for(PLAIN, part) for part in PARTS}

    for item in PLAIN.items:
        assert [part for part in PARTS if item not in left[part]] == [part_of_case(item)]


def test_items_of_a_case_go_together() -> None:
    """The case of the items' file goes before that of the labels, and that before the item."""
    made = labels(("a", "one", None), ("b", "one", None), ("c", None, None), ("d", None, None))
    cases = {"c": "two", "d": None, "b": "three"}

    assert case_of_items(made, cases) == {"a": "one", "b": "three", "c": "two", "d": "d"}
    many = labels(*((f"i{i}", "one", None) for i in range(20)))
    assert split_for(many, part_of_case("one")) == frozenset()


def test_a_part_without_items_is_an_error() -> None:
    """Nothing could be measured on it."""
    (other, *_) = [part for part in PARTS if part != part_of_case("a")]

    with pytest.raises(InputError, match="no label is in split"):
        split_for(labels(("a", None, None)), other)


def test_a_misspelt_part_is_an_error() -> None:
    """With the nearest one that there is."""
    with pytest.raises(UnknownName) as caught:
        split_for(PLAIN, "tset")

    assert caught.value.hint == "Did you mean 'test'?"


def test_splits_of_labels() -> None:
    """What the labels say, else nothing, or the hash where it is in force."""
    told = labels(("a", None, "dev"), ("b", None, None), ("a", None, None))

    assert splits_of(told) == splits_of(told, by_hash=True) == {"a": "dev"}
    assert splits_of(PLAIN) == {}
    assert splits_of(PLAIN, by_hash=True) == {item: part_of_case(item) for item in PLAIN.items}


def test_shares_are_read() -> None:
    """Three numbers that add up to 1."""
    assert parse_shares("0.2,0.4,0.4") == SHARES
    assert parse_shares(" 0, .5 ,.5") == (0.0, 0.5, 0.5)


@pytest.mark.parametrize(
    "text", ["", "1", "0.5,0.5", "0.2,0.4,0.5", "-0.2,0.6,0.6", "a,b,c", "0.2;0.4;0.4", "nan,0,1"]
)
def test_bad_shares_are_refused(text: str) -> None:
    """With an example of good ones."""
    with pytest.raises(InputError) as caught:
        parse_shares(text)

    assert "--shares 0.2,0.4,0.4" in str(caught.value.hint)
