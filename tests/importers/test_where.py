import pytest

from judgekit.errors import InputError, UnknownName
from judgekit.importers.where import Where, parse_where, select
from judgekit.judging.item import Item

ITEMS = [
    Item(id="1", fields={"topic": "sea"}, case="k", metadata={"agent": "MetaGPT", "n": 3.0}),
    Item(id="2", fields={"topic": "sky"}, metadata={"agent": "GPT-Pilot", "n": 3, "ok": True}),
    Item(id="3", fields={"topic": "sky"}, metadata={"agent": "OpenHands", "n": None, "l": [1]}),
]


def ids(*conditions: str) -> list[str]:
    """The items that meet the conditions."""
    return [item.id for item in select(ITEMS, parse_where(conditions))]


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([], ["1", "2", "3"]),
        (["agent=MetaGPT"], ["1"]),
        (["n=3"], ["1", "2"]),
        (["n="], ["3"]),
        (["ok=true"], ["2"]),
        (["l=[1]"], ["3"]),
        (["topic=sky"], ["2", "3"]),
        (["id=2"], ["2"]),
        (["case=k"], ["1"]),
        (["topic=sky", "n=3"], ["2"]),
        (["agent=MetaGPT", "agent=OpenHands"], ["1", "3"]),
        (["agent=MetaGPT", "agent=OpenHands", "topic=sky"], ["3"]),
    ],
)
def test_select(conditions: list[str], expected: list[str]) -> None:
    """Columns must all agree; several values of one column are alternatives."""
    assert ids(*conditions) == expected


def test_values_may_hold_an_equals_sign() -> None:
    """The first one divides."""
    assert parse_where([" a = b=c "]) == (Where("a", "b=c"),)


@pytest.mark.parametrize("text", ["agent", "=x", " =x", ""])
def test_what_is_no_condition_is_refused(text: str) -> None:
    """It would select everything."""
    with pytest.raises(InputError, match="is not of the form COLUMN=VALUE"):
        parse_where([text])


def test_an_unknown_column_is_refused() -> None:
    """With the nearest."""
    with pytest.raises(UnknownName) as caught:
        ids("agnet=MetaGPT")

    assert caught.value.hint == "Did you mean 'agent'?"


@pytest.mark.parametrize(
    ("condition", "hint"),
    [
        ("agent=MetaGTP", "Did you mean agent=MetaGPT?"),
        ("agent=x", "agent is one of: MetaGPT, GPT-Pilot, OpenHands"),
        ("n=4", "n is one of: 3, (blank)"),
    ],
)
def test_a_value_nothing_has_is_refused(condition: str, hint: str) -> None:
    """An empty selection is a mistake, not a result."""
    with pytest.raises(InputError) as caught:
        ids(condition)

    assert caught.value.message == f"no item has {condition}"
    assert caught.value.hint == hint
