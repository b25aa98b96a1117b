import pytest

from judgekit.calibration.language import language_of
from judgekit.calibration.scope import (
    Scope,
    Traits,
    out_of_scope,
    output_length,
    profile,
    read_traits,
    traits_of,
)
from judgekit.judging.item import Item, Text
from judgekit.judging.judgment import Judgment, Unjudged


def items(*texts: Text) -> list[Item]:
    """One item for each output."""
    return [Item(id=str(n), fields={"input": "q", "output": t}) for n, t in enumerate(texts)]


def traits(*texts: Text) -> list[Traits]:
    """What a profile is made of, for one item each."""
    return [*map(traits_of, items(*texts))]


def judged(*levels: int | None) -> list[Judgment]:
    """One judgment for each level."""
    return [Judgment(str(n), "tone", level) for n, level in enumerate(levels)]


def scope(
    length: int = 100, script: str = "LATIN", levels: tuple[float, ...] = (0.5, 0.5)
) -> Scope:
    """A profile of a hundred items of about one length."""
    return Scope(items=100, length=(length, length, length), scripts={script: 1.0}, levels=levels)


def test_a_profile() -> None:
    """Lengths of the judged text, shares of scripts, shares of levels."""
    texts = ["ab" * n for n in range(1, 101)]
    found = profile(traits(*texts), [*judged(0, 0, 1, None), Unjudged("x", "tone", "empty")], 2)

    assert found is not None
    assert found.items == 100
    # 2, 4 ... 200: the 5th of 100 from either end, and the middle
    assert found.length == (10, 101, 192)
    assert found.scripts == {"LATIN": 1.0}
    assert found.levels == (0.6667, 0.3333)


def test_only_letters_have_a_script() -> None:
    """Digits, signs and emoji tell no language."""
    found = profile(traits("Привет 123 👍!", "abc ab"), [], 2)

    assert found is not None
    assert found.scripts == {"CYRILLIC": 0.5455, "LATIN": 0.4545}


def test_the_judged_text_counts() -> None:
    """Output, or both outputs of a pair; all fields where there is neither."""
    pair = Item(id="i", fields={"input": "x" * 99, "output_a": "aaa", "output_b": "bb"})
    other = Item(id="i", fields={"note": "aaaa"})
    chat = Item(id="i", fields={"output": [{"role": "assistant", "content": "hello"}]})

    lengths = [
        p.length[1] for one in (pair, other, chat) if (p := profile([traits_of(one)], [], 2))
    ]
    assert lengths == [6, 4, 5]


def test_without_text_only_levels_compare() -> None:
    """Recorded levels alone; without any item there is no profile."""
    found = profile([traits_of(Item(id="i", fields={}))], judged(1), 2)

    assert found is not None
    assert (found.length, found.levels) == ((0, 0, 0), (0.0, 1.0))
    assert profile([], [], 2) is None


@pytest.mark.parametrize(
    "text",
    ["This is the answer and it is for you.", "Привет, abc", "日本語のテキスト", "42!", "a" * 9000],
)
def test_traits_as_a_text(text: str) -> None:
    """They are read as they were written; nothing else is read."""
    known = traits(text)[0]

    assert read_traits(known.written) == known
    assert read_traits(known.written + "x y") is None
    assert read_traits(None) is None


def test_the_same_kind_is_in_scope() -> None:
    """Nothing to say."""
    assert out_of_scope(scope(), scope()) == []


@pytest.mark.parametrize(("length", "out"), [(25, False), (24, True), (400, False), (401, True)])
def test_lengths_far_from_the_evidence(length: int, *, out: bool) -> None:
    """More than four times beyond what was labelled."""
    found = out_of_scope(scope(100), scope(length))

    assert bool(found) is out
    if out:
        assert found == [f"typical length {length} characters, evidence 100 to 100"]


def test_another_writing_system() -> None:
    """More than half of the letters."""
    mixed = Scope(
        items=50, length=(99, 99, 99), scripts={"LATIN": 0.5, "CYRILLIC": 0.5}, levels=(1, 0)
    )
    most = Scope(
        items=50, length=(99, 99, 99), scripts={"LATIN": 0.4, "CYRILLIC": 0.6}, levels=(1, 0)
    )

    assert out_of_scope(scope(), mixed) == []
    assert out_of_scope(scope(), most) == ["mostly Cyrillic letters, unlike the evidence"]


def test_levels_the_evidence_does_not_know() -> None:
    """A judge certified on good outputs alone is not asked to count bad ones."""
    evidence = scope(levels=(0.01, 0.99))

    assert out_of_scope(evidence, scope(levels=(0.5, 0.5))) == []
    assert out_of_scope(evidence, scope(levels=(0.51, 0.49))) == [
        "most items get a level the evidence hardly holds"
    ]


def test_all_of_it_at_once() -> None:
    """Every way in which the items are unlike is named."""
    now = Scope(items=10, length=(9000, 9000, 9000), scripts={"HAN": 1.0}, levels=(1.0, 0.0))

    assert len(out_of_scope(scope(levels=(0.0, 1.0)), now)) == 3


def test_few_items_say_nothing() -> None:
    """Nine items have no profile worth withholding a figure for; nor has unknown evidence."""
    far = Scope(items=9, length=(9000, 9000, 9000), scripts={"HAN": 1.0}, levels=(1.0, 0.0))

    assert out_of_scope(scope(), far) == []
    assert out_of_scope(None, scope()) == []
    assert out_of_scope(scope(), None) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The parcel is on its way and you will have it on Monday.", "english"),
        ("Das Paket ist auf dem Weg und kommt nicht vor Montag.", "german"),
        ("Le colis est en route et vous le recevrez avec un reçu.", "french"),
        ("El paquete está en camino y no llega con retraso para los clientes.", "spanish"),
        ("42 17 8", None),
        ("", None),
    ],
)
def test_a_language_is_told_by_its_little_words(text: str, language: str | None) -> None:
    """Where it is not plain, nothing is claimed."""
    assert language_of(text) == language


def test_another_language_is_out_of_scope() -> None:
    """The same letters, and another language."""
    german = traits(*(f"Das ist die Antwort {n} und sie ist für dich." for n in range(20)))
    english = traits(*(f"This is the answer {n} and it is for you." for n in range(20)))

    assert out_of_scope(profile(german, [], 2), profile(german, [], 2)) == []
    assert out_of_scope(profile(german, [], 2), profile(english, [], 2)) == [
        "mostly English, unlike the evidence"
    ]


def test_the_length_of_what_is_judged() -> None:
    """Characters of the output; of a pair how much longer A is; None without the text."""
    chat = [{"role": "assistant", "content": "four"}, {"role": "user", "content": "ab"}]

    assert output_length(Item(id="1", fields={"output": "seven77", "input": "long " * 9})) == 7
    assert output_length(Item(id="1", fields={"output": chat})) == len("four\nab")
    assert output_length(Item(id="1", fields={"output_a": "ab", "output_b": "abcde"})) == -3
    assert output_length(Item(id="1", fields={"input": "only this"})) is None


def test_padding_is_no_length() -> None:
    """Spaces count once, and a blank text is no text."""
    assert output_length(Item(id="1", fields={"output": "two  words" + " " * 90})) == 9
    assert output_length(Item(id="1", fields={"output": "  \n "})) is None
    assert output_length(Item(id="1", fields={"output_a": "abc", "output_b": " "})) == 3
