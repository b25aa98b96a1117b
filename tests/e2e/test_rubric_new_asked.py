"""``judgekit rubric new`` on a terminal: what cannot be used is asked for again, at once."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest

from tests.e2e.house import House
from tests.e2e.test_rubric_new import FLAGS, TONE, made

LEVELS = ("kind", "It thanks.", "", "", "rude", "It insults.", "")


def test_an_answer_no_rubric_can_have_is_asked_for_again(house: House) -> None:
    """With the reason: after the last question all answers would be lost."""
    inputs = ("criterion,levels", "a b,{{x}}", "input,input", "input, output")
    answers = ["tone", b"How \xff is it?", "How kind is it?", "", *inputs, "2", "n/a", "1", *LEVELS]
    code, screen = dialogue(house, [*answers, "rude", "kinder", "kind", ""])
    (criterion,) = made(house).criteria

    assert code == 0, screen
    for said in (
        "this is not UTF-8 text",
        "'criterion' cannot be the name of an input",
        "'{{x}}' cannot be the name of an input",
        "input 'input' is listed twice",
        "'n/a' is how a rater says",
        "every output passes",
        "'kinder' is not a level",
    ):
        assert said in screen
    assert (criterion.question, criterion.scale.names) == ("How kind is it?", ("rude", "kind"))
    assert criterion.passes == (False, True)
    assert made(house).inputs == ("input", "output")


def test_flags_that_do_not_go_with_the_answers_are_asked_for(house: House) -> None:
    """Only behind the levels is it known that the flag means none of them."""
    code, screen = dialogue(
        house, ["How kind?", "", "", "2", *LEVELS, "kind", ""], "tone", "--passes-at", "good"
    )

    assert code == 0, screen
    assert "'good' is not a level" in screen
    assert made(house).criteria[0].passes == (False, True)


def test_levels_that_pass(house: House) -> None:
    """Of levels without an order; none of them, and all of them, is no pass line."""
    levels = ("2", "kind", "It thanks.", "", "rude", "It insults.", "")
    answers = ["How kind?", "nominal", "", *levels, "kinder", "kind, rude", "kind", ""]
    code, screen = dialogue(house, answers, "tone")

    assert code == 0, screen
    assert "'kinder' is not a level" in screen
    assert "every output passes" in screen
    assert made(house).criteria[0].passes == (True, False)


def dialogue(
    house: House, answers: Sequence[str | bytes], *arguments: str, stop: bool = False
) -> tuple[int, str]:
    """Answer the questions of a command on a terminal; return its exit code and the screen."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "judgekit", "rubric", "new", *arguments],
        cwd=house.root,
        env=os.environ | {"COLUMNS": "80", "TERM": "dumb"},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    screen = b""
    try:
        for answer in [*answers, None]:
            screen += heard(master, until=b": ")
            if answer is not None:
                os.write(master, os.fsencode(answer) + b"\n")
            elif stop:
                time.sleep(0.5)  # between its prompt and its reading, Python misses a signal
                process.send_signal(signal.SIGINT)
        screen += heard(master)
        return process.wait(timeout=20), screen.decode(errors="replace")
    finally:
        process.kill()
        process.wait()
        os.close(master)


def heard(master: int, until: bytes | None = None) -> bytes:
    """Read what a terminal shows up to the end of a prompt, or to the end."""
    said = b""
    while select.select([master], [], [], 20)[0]:
        try:
            part = os.read(master, 4096)
        except OSError:  # the other end is closed
            return said
        said += part
        if not part or (until is not None and said.endswith(until)):
            return said
    return said


ANSWERS = [
    *("bad name!", "tone", "", "How kind is the reply?", "ordinale", "", "input, output", "9", "3"),
    *(
        "kind",
        "It thanks.",
        "No thanks.",
        "Where is it?",
        "It comes soon, thank you.",
        "It thanks.",
    ),
    *("kind", "flat", "It states facts.", "It insults.", ""),
    *("rude", "It calls names.", "Where is it?", "Look yourself, fool.", "It calls a name."),
    *("flat", ""),
]


def test_questions_on_a_terminal(house: House) -> None:
    """An answer that cannot be used is asked for again; one that may wait is left out."""
    code, screen = dialogue(house, ANSWERS)
    (criterion,) = made(house).criteria
    rude, flat, kind = criterion.scale.levels

    assert code == 0, screen
    assert "cannot be the name of a rubric" in screen
    assert "did you mean 'ordinal'?" in screen
    assert "a number from 2 to 5" in screen
    assert "there is a level 'kind' already" in screen
    assert (kind.definition, kind.drops_when) == ("It thanks.", "No thanks.")
    assert kind.anchors[0].fields == {
        "input": "Where is it?",
        "output": "It comes soon, thank you.",
    }
    assert (flat.anchors, rude.anchors[0].reason) == ((), "It calls a name.")
    assert criterion.passes == (False, True, True)
    assert f"{TONE}: written." in screen


def test_what_flags_say_is_not_asked(house: House) -> None:
    """Only the rest is."""
    code, screen = dialogue(house, ["How kind is it?", ""], "tone", *FLAGS[2:])

    assert code == 0, screen
    assert made(house).criteria[0].question == "How kind is it?"
    assert "Scale" not in screen
    assert "Name of" not in screen


def test_what_is_asked_says_where_on_the_scale_it_is(house: House) -> None:
    """The best level first, the worst last, and no prompt is wider than the screen."""
    long = "How far does the reply go in " + "making good " * 10 + "what went wrong?"
    answers = ["tone", long, "", "", "2", "kind", "It thanks.", "", "Where?", "", *LEVELS[4:]]
    code, screen = dialogue(house, [*answers, "", ""])

    assert code == 0, screen
    first, second = (screen.index(f"Level {n}") for n in ("2 (the best)", "1 (the worst)"))
    assert screen.index("the best first") < first < second
    typed = [line for line in screen.splitlines() if long[:20] not in line]
    assert max(map(len, typed)) <= 80


def test_an_example_without_its_output_is_none(house: House) -> None:
    """Nor is anybody asked why it has its level."""
    levels = ["kind", "It thanks.", "", "Where is it?", "", "rude", "It insults.", ""]
    code, screen = dialogue(house, ["tone", "How kind?", "", "", "2", *levels, "kind", ""])
    (criterion,) = made(house).criteria

    assert code == 0, screen
    assert "Without its output it is no example, and left out." in screen
    assert "Why that example" not in screen
    assert [level.anchors for level in criterion.scale.levels] == [(), ()]


@pytest.mark.parametrize(
    ("flags", "wrong", "said", "right"),
    [
        (("--passes-at", "kind"), "nominal", "--passes-at goes with ordinal scales", "ordinal"),
        (("--passing", "kind"), "binary", "--passing goes with nominal and pairwise", "nominal"),
    ],
)
def test_a_flag_of_another_kind_of_scale(
    house: House, flags: tuple[str, ...], wrong: str, said: str, right: str
) -> None:
    """It is refused right behind the answer it does not go with, not after the last."""
    answers = [wrong, right, "", "2", "kind", "It thanks.", *[""] * (1 + (right == "ordinal"))]
    code, screen = dialogue(
        house, [*answers, "rude", "It insults.", "", ""], "tone", "--question", "How kind?", *flags
    )

    assert code == 0, screen
    assert screen.index(said) < screen.index("Inputs the judge")
    assert made(house).criteria[0].passes == (False, True)[:: 1 if right == "ordinal" else -1]


def test_a_name_that_is_taken_is_asked_for_again(house: House) -> None:
    """Before all the other answers, which would be lost; --out is looked at first of all."""
    house.write(TONE, "mine")
    answers = ["tone", "mood", "How kind?", "", "", "2", *LEVELS, "kind", ""]
    code, screen = dialogue(house, answers)
    taken, _ = dialogue(house, [], "--out", TONE)

    assert (code, taken) == (0, 2), screen
    assert screen.index("is there already") < screen.index("The one question")
    assert made(house, "rubrics/mood.jinja").name == "mood"


def test_answers_are_shown_where_they_cannot_be_written(house: House) -> None:
    """So that they are not lost."""
    house.write("rubrics", "a file")
    code, screen = dialogue(house, ["tone", "How kind?", "", "", "2", *LEVELS, "kind", ""])

    assert code == 2
    assert "question: How kind?" in screen
    assert "rubrics is no folder" in screen


def test_keys_that_are_no_letters(house: House) -> None:
    """Nothing that steers a terminal comes into a file."""
    answers = ["tone", b"How \x1b[2J kind?", "", "", "2", *LEVELS, "kind", ""]
    code, screen = dialogue(house, answers)

    assert code == 0, screen
    assert "\x1b" not in made(house).criteria[0].question


@pytest.mark.parametrize("after", [0, 14])
def test_who_stops_in_the_middle_has_written_nothing(house: House, after: int) -> None:
    """Ctrl-C at whatever question: one line says so."""
    code, screen = dialogue(house, ANSWERS[:after], stop=True)

    assert code == 130
    assert screen.splitlines()[-1] == "Stopped; nothing was written."
    assert "Traceback" not in screen
    assert house.files() == {}


@pytest.mark.parametrize("answers", [["\x04"], ["tone", "Q?\n\x04"]])
def test_answers_that_end_too_early(house: House, answers: list[str]) -> None:
    """Ctrl-D is no answer: one line says so."""
    code, screen = dialogue(house, answers)

    assert code == 2
    assert screen.splitlines()[-1] == "the answers ended too early; nothing was written"
    assert house.files() == {}
