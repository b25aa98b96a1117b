"""What holds of every reply, however it looks."""

from __future__ import annotations

import json
import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from judgekit.judging.reading import Reading, read, read_text
from judgekit.judging.reading.clean import normalise
from judgekit.judging.reading.conventions import INITIALS, NUMBER_WORDS, forms
from judgekit.judging.reading.loosely import read_loosely
from judgekit.judging.reading.reader import schema_reply
from judgekit.judging.reading.scales import vocabulary
from judgekit.judging.reading.vocabulary import SIDE_NOUN
from judgekit.judging.request import ModelReply
from judgekit.rubric.scale import Scale, number_text
from tests.judging.reading.cases import SCALES
from tests.judging.reading.strategies import any_scale, finishes, replies, scales

NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
RULES = settings(max_examples=400, deadline=None)
FEWER = settings(max_examples=150, deadline=None)


def pair_words(scale: Scale, level: int) -> set[str]:
    """Return the words that name a side or a tie on any pairwise scale."""
    first, second = scale.sides
    if level == first:
        return {"a", "1", "first"}
    return (
        {"b", "2", "second"}
        if level == second
        else {"c", "equal", "equally", "neither", "tie", "draw"}
    )


def known(scale: Scale) -> dict[str, int]:
    """Return the names of a scale's levels, folded."""
    return {" ".join(n.replace("_", " ").split()).casefold(): i for i, n in enumerate(scale.names)}


def evidence_for(text: str, scale: Scale, level: int) -> bool:
    """Return whether the level occurs in ``text`` as a whole token, by any of its written forms."""
    plain = normalise(text)
    folded = " ".join(re.sub(r"[-_\s]+", " ", re.sub(r"[*`~]", "", plain)).split()).casefold()
    value, name = scale.values[level], scale.names[level]
    words = {name, number_text(value)} | {w for w, n in NUMBER_WORDS.items() if n == value}
    words |= {letter for letter, known in INITIALS.items() if name.lower() in known}
    if scale.kind == "binary":
        words |= {"true", "t"} if value == 1 else {"false", "f"}
    words |= {form for form, meant in forms(known(scale), len(scale.levels)) if meant == level}
    if scale.kind == "pairwise" and len(scale.levels) <= 3:
        words |= pair_words(scale, level)
        if level not in scale.sides and "=" in plain:
            return True  # A = B
        if any(re.search(rf"(?i){SIDE_NOUN}_?{side}(?!\w)", plain) for side in words & set("ab12")):
            return True  # Response1
    spelled = {" ".join(re.sub(r"[-_\s]+", " ", word).split()).casefold() for word in words}
    if any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", folded) for form in spelled if form):
        return True
    numbers = {float(n.replace(",", ".")) for n in NUMBER.findall(plain)}
    return isinstance(value, int | float) and value in numbers


@given(text=replies, scale=scales, allowed=st.sampled_from(["na", ""]), finish=finishes)
@RULES
def test_any_text_reads_as_exactly_one_thing(
    text: str, scale: Scale, allowed: str, finish: str | None
) -> None:
    """Nothing raises, and a reading is a level, "not applicable" or a cause with its detail."""
    reading = read(ModelReply(text, finish=finish), scale, allow_na=bool(allowed))

    assert sum([reading.level is not None, reading.not_applicable, reading.cause is not None]) == 1
    assert (reading.cause is None) == (reading.detail is None)
    assert reading.level is None or 0 <= reading.level < len(scale.levels)
    assert allowed or not reading.not_applicable


@given(text=replies, scale=any_scale())
@RULES
def test_any_scale_reads_any_text(text: str, scale: Scale) -> None:
    """Names that are alike, empty of letters or made of joints break nothing."""
    reading = read_text(text, scale)

    assert reading.level is None or 0 <= reading.level < len(scale.levels)


@given(text=replies, scale=scales)
@RULES
def test_a_level_is_only_one_that_was_written(text: str, scale: Scale) -> None:
    """A level is read only where its value, its name or a conventional form of them stands."""
    reading = read_text(text, scale)

    assert reading.level is None or evidence_for(text, scale, reading.level)


@given(text=replies, scale=scales)
@RULES
def test_reading_is_the_same_each_time(text: str, scale: Scale) -> None:
    """The same reply reads the same."""
    assert read_text(text, scale) == read_text(text, scale)


@given(text=st.text(max_size=300))
@RULES
@example('Score: four out of five. Final answer: excellent [[A]] {"level": "better"}')
@example('I would rate it as high as it gets. Therefore, it is the best. {"score": "top"}')
def test_without_a_word_of_the_scale_nothing_is_read(text: str) -> None:
    """A text that holds no level of the scale in any form never reads as one."""
    scale = SCALES["grounded"]
    numbers = "|".join(word for word, number in NUMBER_WORDS.items() if number in scale.values)
    bare = re.sub(rf"(?i)grounded|[123]|{numbers}", " ", normalise(text))

    assert read_text(bare, scale).level is None


@given(
    scale=scales,
    pick=st.integers(0, 9),
    reason=replies,
    order=st.permutations(["reason", "level"]),
)
@RULES
def test_the_schemas_reply_round_trips_whatever_the_reason_says(
    scale: Scale, pick: int, reason: str, order: list[str]
) -> None:
    """The level of a complete schema reply is read, whatever levels and marks its reason names."""
    level = pick % len(scale.levels)
    said = {"reason": reason, "level": (scale.names if pick > 4 else scale.values)[level]}
    reply = json.dumps({key: said[key] for key in order}, ensure_ascii=pick % 2 == 0)
    expected = Reading(level, not_applicable=False, cause=None, reason=reason or None, detail=None)

    if reason.strip() or order[0] == "reason":
        assert read_text(reply, scale) == expected
    assert read_text(reply, scale).level == level
    assert read_text(f"```json\n{reply}\n```", scale).level == level
    assert read_text(f"<think>{reason.replace('<', '')}</think>{reply}", scale).level == level


@given(scale=scales, pick=st.integers(0, 9), keep=st.floats(0, 1))
@RULES
def test_a_reply_that_was_cut_is_never_read_as_another_level(
    scale: Scale, pick: int, keep: float
) -> None:
    """However much of a reply is lost, what is left is that reply's level or none."""
    level = pick % len(scale.levels)
    whole = json.dumps({"reason": "It is in the text.", "level": scale.names[level]})
    part = whole[: int(len(whole) * keep)]

    assert read_text(part, scale).level in {None, level}
    assert read_text(part, scale, finish="length").level in {None, level}
    if part != whole:
        assert read_text(part, scale, finish="length").cause == "truncated"


@given(
    scale=scales,
    first=st.integers(0, 9),
    second=st.integers(0, 9),
    form=st.sampled_from(
        [
            "Score: {}\n\nScore: {}",
            "Final answer: {}\n\nFinal answer: {}",
            "<score>{}</score><score>{}</score>",
        ]
    ),
)
@RULES
def test_two_answers_are_never_one_of_them(
    scale: Scale, first: int, second: int, form: str
) -> None:
    """Two different answers of one form contradict each other, in either order."""
    one, other = (scale.names[n % len(scale.levels)] for n in (first, second))
    reading = read_text(form.format(one, other), scale)

    if one == other:
        assert reading.level == scale.names.index(one)
    else:
        assert reading.cause == "contradictory"


@given(scale=scales, pick=st.integers(0, 9), draft=st.integers(0, 9))
@RULES
def test_reasoning_is_never_the_answer(scale: Scale, pick: int, draft: int) -> None:
    """What stands in a reasoning block, closed or not, has no say."""
    name, other = (scale.names[n % len(scale.levels)] for n in (pick, draft))
    thought = f"Final answer: {other}"

    for open_mark, close_mark in (
        ("<think>", "</think>"),
        ("<THINKING>", "</THINKING>"),
        ("", "</think>"),
    ):
        reply = f"{open_mark}{thought}{close_mark}\nFinal answer: {name}"
        assert read_text(reply, scale).level == scale.names.index(name)
    assert read_text(f"<think>{thought}", scale).level is None


@given(
    scale=st.one_of(scales, any_scale()),
    picks=st.lists(st.integers(0, 40), min_size=1, max_size=3),
    keys=st.lists(st.sampled_from(["reason", "level", "score"]), min_size=3, max_size=3),
    schema=st.sampled_from(["schema", ""]),
    reason=st.one_of(replies, st.text()),
    form=st.sampled_from(["{}", "{}", " {}", "{}\n", "{}{}", "{}x"]),
)
@FEWER
def test_the_quick_way_reads_as_the_long_one(
    scale: Scale, picks: list[int], keys: list[str], schema: str, reason: str, form: str
) -> None:
    """What the schema asks for is read quickly, and as the loose reader reads it."""
    levels = [*scale.names, *scale.values]
    written = [*levels, "na", "Unsure", True, None, 7, 2.5, [1], {}, reason]
    given_levels = [written[pick % len(written)] for pick in picks]
    pairs = list(zip(keys, given_levels, strict=False))
    if schema:
        pairs = [("reason", reason), ("level", given_levels[0])]
    reply = f"{{{', '.join(f'{json.dumps(key)}: {json.dumps(value)}' for key, value in pairs)}}}"
    text = form.replace("{}", reply)
    quick = schema_reply(vocabulary(scale), text)
    loose = read_loosely(vocabulary(scale), text, None, allow_na=False)

    assert quick is None or quick == loose
    if schema and form == "{}" and any(given_levels[0] is level for level in levels):
        assert (quick is not None) == (loose.level is not None)


FORMS = ["{}", "Score: {}", "Final answer: {}", "It is short.\n\nRating: {}", "<score>{}</score>"]


@given(
    scale=scales,
    pick=st.integers(0, 9),
    form=st.sampled_from(FORMS),
    around=st.sampled_from(
        ["\u200b", "\ufeff", "\u2060", "\u200f", "\u00ad", "**", "`", "__", "*"]
    ),
)
@FEWER
def test_what_has_no_width_and_bold_change_no_reading(
    scale: Scale, pick: int, form: str, around: str
) -> None:
    """Marks nobody sees and marks of emphasis around an answer leave it what it was."""
    name = scale.names[pick % len(scale.names)]
    if around in {"*", "**", "__", "`"} and not name.replace(" ", "").isalnum():
        return  # "A-" in bold is a mark of its own
    plain, marked = form.format(name), form.format(f"{around}{name}{around}")

    assert read_text(marked, scale)[:3] == read_text(plain, scale)[:3]


@given(
    scale=scales,
    first=st.integers(0, 9),
    second=st.integers(0, 9),
    form=st.sampled_from(FORMS),
    then=st.sampled_from(
        [
            *(
                "\n\nFinal answer: {}",
                "\n\nCorrection: {}",
                "\nFinal score: {}",
                "\n\nActually, {}.",
            ),
            *("\n\nWait, I was wrong.\n\nFinal rating: {}", '\n{{"level": "{}"}}', "\n\n[[{}]]"),
        ]
    ),
)
@FEWER
def test_an_answer_that_another_one_follows_is_never_kept(
    scale: Scale, first: int, second: int, form: str, then: str
) -> None:
    """Whatever form the later answer has, the earlier one is not what the reply says."""
    one, other = (scale.names[n % len(scale.names)] for n in (first, second))
    if one == other:
        return

    assert read_text(form.format(one) + then.format(other), scale).level != scale.names.index(one)


@given(scale=scales, pick=st.integers(0, 9), form=st.sampled_from(FORMS))
@FEWER
def test_an_answer_that_a_failed_one_follows_is_never_used(
    scale: Scale, pick: int, form: str
) -> None:
    """An earlier answer does not stand in for a final one that says nothing."""
    name = scale.names[pick % len(scale.names)]

    for failed in ("\n\nFinal answer:", "\n\nFinal score: ...", '\n{"level": ', "\n\n[[?]]"):
        assert read_text(form.format(name) + failed, scale).level is None
