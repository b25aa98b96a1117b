import hashlib

from hypothesis import given
from hypothesis import strategies as st

from judgekit.labels.label import Label, LabelSet
from tests.labels.make import label

ROWS = (
    label("a", "ann", 0, line=2),
    label("b", "ann", None, line=3, weight=2.5, stratum="long", split="dev", case="k"),
    label("a", "bob", 2, line=4, note="hm"),
)


def test_views_keep_the_order_of_the_file() -> None:
    """Raters, items and the labels of an item come as they were written."""
    labels = LabelSet(ROWS)

    assert labels.raters == ("ann", "bob")
    assert labels.items == ("a", "b")
    assert labels.by_item() == {"a": (ROWS[0], ROWS[2]), "b": (ROWS[1],)}
    assert labels.keep({"b"}).labels == (ROWS[1],)


def test_one_criterion_of_several() -> None:
    """`of` picks by criterion and keeps notes and file."""
    other = label("a", "ann", 1, criterion="length")

    picked = LabelSet((*ROWS, other), ("a note",), "f.csv").of("length")

    assert picked == LabelSet((other,), ("a note",), "f.csv")


def test_one_demonstration_makes_a_demonstration_set() -> None:
    """The weaker source speaks for the set."""
    assert LabelSet(ROWS).source == "human"
    assert LabelSet((*ROWS, label("c", "ann", 0, source="demonstration"))).source == "demonstration"


@given(st.permutations(ROWS))
def test_the_hash_does_not_know_the_order(rows: list[Label]) -> None:
    """Sorting a label file changes nothing."""
    assert LabelSet(tuple(rows)).sha256 == LabelSet(ROWS).sha256


def test_the_hash_does_not_know_notes_lines_and_remarks() -> None:
    """What is no statement about the item is outside."""
    moved = tuple(row.model_copy(update={"line": 99, "note": "x"}) for row in ROWS)

    assert LabelSet(moved, ("read twice",), "other.csv").sha256 == LabelSet(ROWS).sha256


def test_the_hash_knows_everything_else() -> None:
    """Each field that says something changes the hash, and so does one row more or less."""
    changes = {
        "item": "z",
        "criterion": "z",
        "rater": "z",
        "level": 1,
        "source": "demonstration",
        "split": "z",
        "weight": 9.0,
        "stratum": "z",
        "case": "z",
    }
    first = LabelSet(ROWS).sha256
    changed = {
        name: LabelSet((ROWS[0].model_copy(update={name: value}), *ROWS[1:])).sha256
        for name, value in changes.items()
    }

    assert first not in changed.values()
    assert len(set(changed.values())) == len(changes)
    assert set(changes) | {"note", "line"} == set(Label.model_fields)
    assert LabelSet(ROWS[:2]).sha256 != first
    assert LabelSet((*ROWS, ROWS[0])).sha256 != first


def test_the_hash_is_fixed_for_good() -> None:
    """Certificates hold it: a change here would void them all."""
    text = (
        '["a","tone","ann",0,"human",null,null,null,null]\n'
        '["a","tone","bob",2,"human",null,null,null,null]\n'
        '["b","tone","ann",null,"human","dev",2.5,"long","k"]'
    )

    assert LabelSet(ROWS[::-1]).sha256 == hashlib.sha256(text.encode()).hexdigest()
