"""``judgekit agreement``: which kind of scale is assumed is told, and levels keep their names."""

from __future__ import annotations

import pytest

from tests.e2e.house import House, Result

WORDS = ["bad", "ok", "good"]
ORDINAL = ("--kind", "ordinal")


def measured(house: House, levels: list[str], *options: str) -> Result:
    """Measure verdicts on a scale of these levels."""
    n = len(levels)
    rows = "".join(f"i{i},{levels[i % n]},{levels[i // 2 % n]}\n" for i in range(60))
    house.write("verdicts.csv", f"id,judge,human\n{rows}")
    return house.run(
        *("agreement", "verdicts.csv", "--judge", "judge", "--human", "human"),
        *("--levels", ",".join(levels), *options),
    )


@pytest.mark.parametrize(
    ("levels", "kind", "change"),
    [
        (WORDS, "nominal", "--kind ordinal"),
        (["1", "2", "3"], "ordinal", "--kind nominal"),
        (["no", "yes"], "binary", "no fails and yes passes; if neither is better: --kind nominal"),
    ],
)
def test_an_assumed_kind_is_told(house: House, levels: list[str], kind: str, change: str) -> None:
    """With the option that changes it, in text and in JSON; the option works."""
    note = measured(house, levels).err
    document = measured(house, levels, "--json")
    flag = change.partition("--kind ")[2]

    assert f"note: --kind is not said, and {kind} is assumed: " in note
    assert change in note
    assert document.err == ""
    assert document.json["kind"] == kind
    assert change in document.json["notes"][0]
    assert measured(house, levels, "--kind", flag, "--json").json["kind"] == flag


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_a_kind_that_was_said_is_not_told(house: House, kind: str) -> None:
    """Nothing was assumed."""
    result = measured(house, WORDS, "--kind", kind)

    assert "--kind" not in result.err
    assert f"Scale   {kind}: bad, ok, good\n" in result.out


def test_words_in_order_are_never_told_as_numbers(house: House) -> None:
    """In the counts of the pass line and in the scale; in JSON the names stand beside them."""
    options = (*ORDINAL, "--passes", "ok")
    result, document = measured(house, WORDS, *options), measured(house, WORDS, *options, "--json")

    assert "20 below ok, 40 at ok or above" in result.out
    assert "Scale   ordinal: bad, ok, good\n" in result.out
    assert document.json["level_names"] == WORDS


def test_weights_need_an_order(house: House) -> None:
    """The error says how to state it."""
    refused = measured(house, WORDS, "--weights", "linear")

    assert refused.code == 2
    assert "lowest first: --kind ordinal" in refused.err
    assert measured(house, WORDS, "--weights", "linear", *ORDINAL).code == 0
