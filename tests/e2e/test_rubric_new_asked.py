"""``judgekit rubric new`` on a terminal: what cannot be used is asked for again, at once."""

from tests.e2e.house import House
from tests.e2e.test_rubric_new import dialogue, made

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
