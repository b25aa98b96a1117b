"""How a written level is matched to the scale, and which side of a pair a level speaks for."""

import pytest

from judgekit.rubric.scale import Kind, Level, Scale, Value, number_text, spelling


def scale(kind: Kind, *levels: tuple[Value, str]) -> Scale:
    """A scale of values and names."""
    return Scale(
        kind=kind,
        levels=tuple(Level(value=v, name=n, definition=f"It is {n}.") for v, n in levels),
    )


STARS = scale("ordinal", (1, "poor"), (2, "fair"), (2.5, "good"))
MET = scale("binary", (0, "unmet"), (1, "met"))
TONE = scale("nominal", ("rude", "rude"), ("kind", "Très kind"))


@pytest.mark.parametrize(
    ("on", "written", "expected"),
    [
        (STARS, 2, 1),
        (STARS, 2.0, 1),
        (STARS, "2", 1),
        (STARS, " 2.0 ", 1),
        (STARS, "FAIR", 1),
        (STARS, "2.5", 2),
        (STARS, 2.2, None),
        (STARS, 3, None),
        (STARS, "", None),
        (STARS, "nan", None),
        (STARS, float("nan"), None),
        (STARS, float("inf"), None),
        (STARS, None, None),
        (STARS, [1], None),
        (STARS, True, None),
        (MET, True, 1),
        (MET, False, 0),
        (MET, "True", 1),
        (MET, "yes", None),
        (MET, "Met", 1),
        (TONE, "kind", 1),
        (TONE, "TRÈS  KIND", 1),
        (TONE, "very kind", None),
    ],
)
def test_a_written_level_is_found_or_is_none(on: Scale, written: object, expected: object) -> None:
    """Value or name in any case; complaint 21: never the nearest one, never a clamp."""
    assert on.index(written) == expected


@pytest.mark.parametrize(
    ("levels", "sides"),
    [
        ((("A", "A"), ("B", "B")), (0, 1)),
        ((("B", "B"), ("A", "A")), (1, 0)),
        ((("tie", "tie"), ("B", "B"), ("A", "A")), (2, 1)),
        (((1, "a"), (2, "b"), (0, "neither")), (0, 1)),
        (((1, "first"), (2, "second")), (0, 1)),
        (((2, "second"), (1, "first")), (1, 0)),
        (((0, "no difference"), (1, "first"), (2, "second")), (1, 2)),
        (((0, "no difference"), (2, "second"), (1, "first")), (2, 1)),
        (((-1, "first"), (0, "no difference"), (1, "second")), (0, 2)),
        (((1, "tie"), (2, "first"), (3, "second")), (1, 2)),
        ((("left", "left"), ("right", "right")), (0, 1)),
        ((("left", "left"), ("same", "about the same"), ("right", "right")), (0, 2)),
        ((("output_b", "output_b"), ("output_a", "output_a")), (1, 0)),
    ],
)
def test_the_sides_of_a_pair(levels: tuple[tuple[Value, str], ...], sides: tuple[int, int]) -> None:
    """A and B by their names, else 1 and 2, else the first and second that are no tie."""
    pair = scale("pairwise", *levels)

    assert pair.sides == sides
    assert [pair.swap[side] for side in sides] == list(sides[::-1])
    assert [pair.swap[pair.swap[i]] for i in range(len(levels))] == list(range(len(levels)))


@pytest.mark.parametrize(
    "levels", [("left", "middle", "right"), ("tie", "same"), ("equal", "draw", "both")]
)
def test_sides_that_cannot_be_told_are_not_guessed(levels: tuple[str, ...]) -> None:
    """Turning the wrong two levels round would turn judgments round."""
    with pytest.raises(IndexError):
        _ = scale("pairwise", *((name, name) for name in levels)).sides


def test_values_as_people_write_them() -> None:
    """3 and not 3.0; one spelling for what is one level."""
    assert [number_text(v) for v in (3, 3.0, 2.5, -1.0, "3.0")] == ["3", "3", "2.5", "-1", "3.0"]
    assert {spelling(t) for t in ("3", "3.0", " 3.00 ")} == {"3"}
    assert spelling("Très  Bien") == "très bien"
    assert spelling("nan") == "nan"
