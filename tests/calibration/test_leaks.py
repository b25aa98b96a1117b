import pytest

from judgekit.calibration.leaks import leaked_anchors
from judgekit.judging.item import Item, Text
from judgekit.rubric.model import Criterion
from tests.calibration.make import criterion

OPENING = "The museum opens at nine on weekdays and at ten on Sundays, says the notice."
REFUND = "You will get your money back within fourteen days of our receiving the parcel."
CHINESE = "博物馆平日九点开门，周日十点开门，公告上是这么写的。"
JAPANESE = "博物館は平日は九時に、日曜日は十時に開きます。"
THAI = "พิพิธภัณฑ์เปิดเวลาเก้าโมงในวันธรรมดาและสิบโมงในวันอาทิตย์"
KOREAN = "박물관은 평일에는 아홉 시에, 일요일에는 열 시에 문을 엽니다."


def rubric_with(*examples: dict[str, Text]) -> Criterion:
    """A binary criterion whose level ``good`` has these worked examples."""
    levels = [
        {
            "value": 1,
            "name": "good",
            "definition": "it is good",
            "drops_when": "it is not",
            "anchors": [{**fields, "reason": "so"} for fields in examples],
        },
        {"value": 0, "name": "bad", "definition": "it is bad"},
    ]
    return criterion("binary", levels=levels)


def item(output: Text, input: Text = "something else entirely") -> Item:  # noqa: A002
    """An item with that output."""
    return Item(id="i", fields={"input": input, "output": output})


def is_leak(anchor: Text, output: Text) -> bool:
    """Whether an item with this output, and another input, counts as that worked example."""
    known = rubric_with({"input": "When does the museum open?", "output": anchor})
    return leaked_anchors(known, [item(output)]) == {"i": "good"}


@pytest.mark.parametrize(
    "output",
    [
        OPENING,
        OPENING.upper(),
        OPENING.replace(",", "").replace(".", "!"),
        f"  {OPENING.replace(' ', '  ')}\n",
        f"**{OPENING}**",
        OPENING.replace("Sundays", "Sunday"),
        OPENING.replace("The museum", "Our museum"),
        OPENING + " Indeed.",
        "Well: " + OPENING,
        [{"role": "assistant", "content": OPENING}],
        [{"role": "assistant", "content": [{"type": "text", "text": OPENING}]}],
    ],
)
def test_the_same_text_is_found(output: Text) -> None:
    """Exact, in another case or punctuation, with a word changed or added, as a chat message."""
    assert is_leak(OPENING, output)


@pytest.mark.parametrize(
    "output",
    [
        REFUND,
        "The museum opens at nine.",
        "On Sundays the library, not the museum, says on its notice that it opens at ten.",
        " ".join(reversed(OPENING.split())),
        "",
        [],
    ],
)
def test_another_text_is_not(output: Text) -> None:
    """Other content, a short part, the same words in another order, or nothing at all."""
    assert not is_leak(OPENING, output)


@pytest.mark.parametrize("text", [CHINESE, JAPANESE, THAI, KOREAN])
def test_languages_without_spaces(text: str) -> None:
    """Signs stand for words there: the same text is found, also with a sign changed."""
    middle = len(text) // 2
    changed = text[:middle] + ("一" if text[middle] != "一" else "二") + text[middle + 1 :]

    assert is_leak(text, text)
    assert is_leak(text, text.replace("，", "、").replace("。", ""))
    assert is_leak(text, changed) or text == KOREAN  # there one sign changes a whole word
    assert not is_leak(text, text[: len(text) // 3])


def test_width_does_not_matter() -> None:
    """Full-width letters are letters."""
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in OPENING)

    assert is_leak(OPENING, wide)


@pytest.mark.parametrize(
    "short",
    ["Yes.", "I don't know.", "No, it does not.", "是的，没错。", "わかりません。", "👍", "42"],
)
def test_a_short_answer_to_something_else_is_no_leak(short: str) -> None:
    """Many items have the answer of an example and are not that example."""
    assert not is_leak(short, short)


@pytest.mark.parametrize("short", ["Yes.", "I don't know.", "是的，没错。"])
def test_a_short_answer_to_the_same_thing_is_one(short: str) -> None:
    """Then it is the very example."""
    known = rubric_with({"input": "Does it open on Sundays?", "output": short})
    same = item(short, "does it open on sundays")

    assert leaked_anchors(known, [same]) == {"i": "good"}


def test_a_short_example_without_its_question() -> None:
    """An example that shows its output only proves nothing about an item with an input."""
    known = rubric_with({"output": "Yes."})

    assert leaked_anchors(known, [item("Yes.")]) == {}
    assert leaked_anchors(known, [Item(id="i", fields={"output": "yes"})]) == {"i": "good"}


def test_what_the_rubric_shows_decides() -> None:
    """Where only the output is shown, an equal short output is all the judge ever sees."""
    known = rubric_with({"output": "Yes."})

    assert leaked_anchors(known, [item("Yes.")], ["output"]) == {"i": "good"}
    assert leaked_anchors(known, [item("Yes.")], ["input", "output"]) == {}


def test_every_item_is_looked_at() -> None:
    """The level of the example is told for each; the others are not named."""
    known = rubric_with({"output": OPENING}, {"output": REFUND})
    items = [Item(id=str(n), fields={"output": t}) for n, t in enumerate([REFUND, "x", OPENING])]

    assert leaked_anchors(known, items) == {"0": "good", "2": "good"}


def test_pairs_count_as_one_text() -> None:
    """A pairwise example is both outputs together, in either order."""
    levels = [
        {
            "name": "A",
            "definition": "A is better",
            "anchors": [{"output_a": OPENING, "output_b": REFUND, "reason": "so"}],
        },
        {"name": "B", "definition": "B is better"},
    ]
    known = criterion("pairwise", levels=levels)

    def found(a: str, b: str) -> dict[str, str]:
        return leaked_anchors(known, [Item(id="i", fields={"output_a": a, "output_b": b})])

    assert found(OPENING, REFUND) == {"i": "A"}
    assert found(REFUND, OPENING) == {"i": "A"}
    assert found(OPENING, CHINESE) == {}


def test_a_rubric_without_examples_leaks_nothing() -> None:
    """And items without text are no examples."""
    assert leaked_anchors(criterion("binary"), [item(OPENING)]) == {}
    assert leaked_anchors(rubric_with({"output": OPENING}), [Item(id="i", fields={})]) == {}


def test_long_texts_are_compared_quickly() -> None:
    """Two thousand items of a thousand words against an example of the same size."""
    words = [f"word{n % 700}" for n in range(1000)]
    known = rubric_with({"output": " ".join(words)})
    items = [
        Item(id=str(n), fields={"output": " ".join([*words[n % 90 :], *words[: n % 90]])})
        for n in range(300)
    ]

    assert len(leaked_anchors(known, items)) == 300
