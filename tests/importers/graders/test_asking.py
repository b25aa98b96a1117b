"""The question of a prompt, and what a prompt says of how to answer."""

from pathlib import Path

import pytest

from judgekit.importers.graders.answering import answering
from judgekit.importers.graders.dividing import divided
from judgekit.importers.graders.node import START, Place
from judgekit.importers.graders.notes import Notes
from judgekit.importers.graders.wording import defined_elsewhere
from tests.importers.graders.make import at, definitions, imported, only, rules, usable


@pytest.mark.parametrize(
    "sentence",
    [
        "Respond with only a number.",
        "Return only the score.",
        "Answer with exactly one word: yes or no.",
        "Please give a single number between 0 and 10.",
        "Output JSON with the keys score and reason.",
        'Return your answer as JSON:\n{"score": 1-5, "reason": "..."}',
        'Reply in the following JSON format:\n```json\n{"score": 3}\n```',
        "Do not output any other text.",
        "Rate as: warm, cold",
    ],
)
def test_what_only_says_how_to_answer_is_taken_out(sentence: str) -> None:
    """With the JSON it shows; nothing is gone without being named."""
    found = answering(f"Is it warm?\n\n{sentence}\n", ("warm", "cold", "yes", "no"))

    assert found.rest == "Is it warm?"
    assert found.taken == (" ".join(sentence.split()),)


@pytest.mark.parametrize(
    "sentence",
    [
        "Return JSON with the name of each town that is missing.",
        "Answer only if the text names a town.",
        "Provide a score out of ten for each of the three parts.",
        "You must return just the score, as in the example of the letter.",
    ],
)
def test_what_says_more_stays_and_is_named(sentence: str) -> None:
    """It may hold what the judge has to know."""
    found = answering(f"Is it warm? {sentence}")

    assert sentence in found.rest
    assert found.left == (sentence,)


@pytest.mark.parametrize(
    "sentence",
    ["Does it answer only the question?", "Given [Output], is the sum exactly 20?", "It is short."],
)
def test_other_sentences_say_nothing_of_it(sentence: str) -> None:
    """Questions, and fields whose name is a verb."""
    found = answering(sentence)

    assert (found.taken, found.left) == ((), ())


@pytest.mark.parametrize(
    ("text", "question", "task"),
    [
        ("Is it warm?", "Is it warm?", ""),
        (
            "You read letters.\n\nIs the greeting warm?\n\nBe strict.",
            "Is the greeting warm?",
            "You",
        ),
        (
            "Evaluate whether it is warm. Ignore its length.",
            "Evaluate whether it is warm.",
            "Ignore",
        ),
        ("Look at [Output] and decide if it is warm.\nBe strict.", "Look at [Output] and", "Be"),
        ("Judge only the last turn. Determine if it is warm.", "Determine if it is warm.", "Judge"),
    ],
)
def test_the_sentence_that_asks_is_the_question(text: str, question: str, task: str) -> None:
    """The rest is the task; nothing is noted."""
    notes = Notes("f")
    asked = divided(defined_elsewhere(text), "n", at=START, notes=notes)

    assert asked.question.startswith(question)
    assert asked.task.startswith(task)
    assert notes.found == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("It is warm. It is short.", "import-question-missing"),
        ("Is the letter warm? Is the letter short?\n\nBe strict.", "import-question-missing"),
        ("Score it.", "import-question-missing"),
        ("Reference: [Reference]\nAnswer: [Output]", "import-question-missing"),
        ("Look at:\n- its warmth\n- its length", "import-several-questions"),
        ("Score 1-5 on warmth of the letter. Score 1-5 on its length.", "import-several-questions"),
    ],
)
def test_where_several_ask_or_none_it_is_named(text: str, rule: str) -> None:
    """Nothing of the text is lost."""
    notes = Notes("f")
    asked = divided(defined_elsewhere(text), "n", at=START, notes=notes)

    assert rule in {v.rule for v in notes.found}
    for word in text.replace("Answer:", "").split():
        assert word in f"{asked.question} {asked.task}"


def test_instructions_of_several_paragraphs_are_divided(tmp_path: Path) -> None:
    """The question, the levels and the form of the answer each go where they belong."""
    source = '''
judge = make_judge(
    name="politeness",
    instructions="""You read replies of a help desk.

    Evaluate whether the reply in {{ outputs }} to {{ inputs }} greets the customer.

    Levels:
    - warm: it greets the customer by name
    - cold: it begins with the answer

    A greeting at the end counts as well.

    Respond with exactly one label.
    """,
    feedback_value_type=Literal["warm", "cold"],
)
'''
    result = imported(source, ".py", tmp_path)
    criterion = only(result)

    assert criterion.question.startswith("Evaluate whether the reply in [Output] to [Input]")
    assert [level.definition for level in criterion.scale.levels] == [
        "it greets the customer by name",
        "it begins with the answer",
    ]
    assert "You read replies of a help desk." in usable(result).body
    assert "A greeting at the end counts as well." in usable(result).body
    assert "Levels:" not in result.text
    assert at(result, "import-answer-form") == [
        (14, "the prompt says how to answer, which is left out: 'Respond with exactly one label.'")
    ]


def test_levels_without_a_type_are_a_scale(tmp_path: Path) -> None:
    """The instructions define them, and nothing else does."""
    text = "How warm is {{ outputs }}?\\n1 = it blames\\n3 = it answers\\n5 = it greets"
    result = imported(f'make_judge(name="n", instructions="{text}")', ".py", tmp_path)

    assert definitions(only(result)) == {1: "it blames", 3: "it answers", 5: "it greets"}
    assert "import-scale-unknown" not in rules(result)


def test_pass_and_fail_of_a_metric_are_named(tmp_path: Path) -> None:
    """Its scores run from 0 to 10, and its words are of two answers."""
    text = "Decide if it is warm. PASS if it greets. FAIL if it blames."
    result = imported(f"GEval(name='n', criteria='{text}')", ".py", tmp_path)

    assert len(at(result, "import-level-unread")) == 2
    assert "PASS if it greets." in result.text


def test_scores_up_to_1_are_the_scale_of_a_metric(tmp_path: Path) -> None:
    """Criteria that speak of 0 and 1 mean the score that comes out."""
    text = "Is it warm? Score 1.0 if it greets, 0.5 if it answers, 0.0 otherwise."
    result = imported(f"GEval(name='n', criteria='{text}', threshold=0.5)", ".py", tmp_path)

    assert definitions(only(result)).keys() == {0, 0.5, 1}
    assert only(result).passes_at == 0.5


@pytest.mark.parametrize(
    ("source", "phrase", "place"),
    [
        ("a: |\n  One.\n  Return {{ x }} two three", "Return [X] two three", Place(3, 18)),
        ('{"a": "One.\\nReturn a \\"b\\" c"}', 'Return a "b" c', Place(1, 14)),
        ("x = ('Return a '\n     'b c')", "Return a b c", Place(1, 7)),
        ("A = 'far below'\n" + "#\n" * 20_000 + "Return it", "Return it", Place(20_002, 1)),
        ("Return it. Return it.", "Return that", Place(1, 1)),
    ],
)
def test_a_phrase_is_found_in_the_source(source: str, phrase: str, place: Place) -> None:
    """Whatever a file's form makes of blanks, quotes, line ends and variables."""
    assert Notes("f", source).place(START, phrase, len(phrase)) == place


def test_a_prompt_that_asks_nothing_else_keeps_its_levels(tmp_path: Path) -> None:
    """All of it was read: the question is made, and that is noted."""
    text = "Answer 'yes' if {{ outputs }} has a date, otherwise 'no'."
    source = f'make_judge(name="dated", instructions="{text}", feedback_value_type=bool)'
    result = imported(source, ".py", tmp_path)

    assert definitions(only(result))[1] == "[Output] has a date"
    assert "import-question-missing" in rules(result)
