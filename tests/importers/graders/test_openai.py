"""OpenAI graders: score_model, label_model, multi, and what asks no model."""

import json
from pathlib import Path
from typing import Any

import pytest

from judgekit.api.rubric_import import import_rubric
from tests.importers.graders.make import (
    CASES,
    at,
    definitions,
    imported,
    only,
    rules,
    sample,
    usable,
)

SCORE: dict[str, Any] = {
    "type": "score_model",
    "name": "steps",
    "model": "gpt-4.1",
    "input": [{"role": "user", "content": "Are the steps of {{sample.output_text}} numbered?"}],
}


def grader(tmp_path: Path, **changes: object) -> Any:
    """What comes of one grader."""
    return imported(json.dumps({**SCORE, **changes}), ".json", tmp_path)


def test_an_eval_becomes_one_rubric(tmp_path: Path) -> None:
    """Both graders of it that ask a model, with their own words, labels, lines and inputs."""
    result = import_rubric(sample("openai", tmp_path))
    rubric = usable(result)
    number, tone = rubric.criteria

    assert rubric.inputs == ("input", "output", "shop_name")
    assert number.question == "Does the reply repeat the order number of the customer?"
    assert definitions(number)[2] == "It names the number with a digit missing."
    assert (number.scale.kind, number.passes_at) == ("ordinal", 3)
    assert (tone.scale.kind, tone.passing) == ("nominal", ("warm", "flat"))
    assert tone.scale.names == ("warm", "flat", "rude")
    assert tone.not_applicable == "The reply is empty."


def test_every_loss_names_its_line(tmp_path: Path) -> None:
    """The lines of the file the user has, not of the rubric."""
    path = sample("openai", tmp_path)
    lines = path.read_text("utf-8").split("\n")
    found = {v.rule: lines[v.line - 1] for v in import_rubric(path).lost}

    assert "pass_threshold" in found["import-threshold"]
    assert '"model": "o4-mini"' in found["import-model"]
    assert "string_check" in found["import-not-a-judge"]
    assert '"python"' in found["import-code"]
    assert "shop_name" in found["import-input-added"]


def test_the_files_of_these_tests_are_what_the_tool_takes() -> None:
    """The tool's own types accept each grader of the sample."""
    graders = pytest.importorskip("openai.types.graders")
    types = {"score_model": graders.ScoreModelGrader, "label_model": graders.LabelModelGrader}
    sample_ = json.loads((CASES / "openai.json").read_text("utf-8"))
    taken = [types[g["type"]].model_validate(g) for g in sample_["testing_criteria"][:2]]

    assert [one.name for one in taken] == ["Order number", "tone"]


@pytest.mark.parametrize("ends", [[0, 1], None])
def test_a_bare_range_has_two_ends_and_no_definition(tmp_path: Path, ends: object) -> None:
    """Nobody wrote what a point looks like: the definitions stay empty, and it is said."""
    result = grader(tmp_path, range=ends)

    assert result.text.count("definition:\n") == 2
    assert {"import-range-bare", "import-definition-missing"} <= rules(result)
    assert [v.rule for v in result.found].count("key-missing") == 2


def test_a_wide_range_keeps_the_points_that_have_words(tmp_path: Path) -> None:
    """The ends and the middle are defined; of what is between it is said that it is not."""
    prompt = "Count the sources.\n1 = none\n3 = two\n5 = four or more"
    result = grader(tmp_path, range=[1, 5], input=[{"role": "user", "content": prompt}])

    assert definitions(only(result)) == {1: "none", 3: "two", 5: "four or more"}
    assert "import-range-bare" in rules(result)
    assert "import-definition-missing" not in rules(result)


@pytest.mark.parametrize(
    ("threshold", "passes_at", "is_noted"),
    [(3, 3, False), (2.5, 3, True), (1, None, True), (9, None, True)],
)
def test_a_threshold_becomes_a_pass_line(
    tmp_path: Path, threshold: float, passes_at: int | None, *, is_noted: bool
) -> None:
    """At a level it is that level; between two, the next; outside, none."""
    content = "Count the sources.\n1: none\n3: two\n5: four or more"
    result = grader(
        tmp_path,
        range=[1, 5],
        pass_threshold=threshold,
        input=[{"role": "user", "content": content}],
    )

    assert only(result).passes_at == passes_at
    assert ("import-threshold" in rules(result)) is is_noted


def test_labels_that_say_yes_and_no_are_binary(tmp_path: Path) -> None:
    """Yes is the level 1, whatever the order."""
    result = grader(
        tmp_path,
        type="label_model",
        labels=["Yes", "No"],
        passing_labels=["Yes"],
        input=[{"role": "user", "content": "Answer Yes if it has a date, otherwise No."}],
    )

    assert only(result).scale.kind == "binary"
    assert definitions(only(result)) == {1: "it has a date", 0: "This is not so: it has a date"}


def test_a_label_no_that_passes_is_no_binary_scale(tmp_path: Path) -> None:
    """On a binary scale 1 passes: a scale on which "no" passes lists what passes."""
    content = "yes: a name is leaked\nno: none is"
    result = grader(
        tmp_path,
        type="label_model",
        labels=["yes", "no"],
        passing_labels=["no"],
        input=[{"role": "user", "content": content}],
    )

    assert only(result).passing == ("no",)


def test_a_multi_grader_loses_its_formula(tmp_path: Path) -> None:
    """Its graders are criteria; the sum of them is none."""
    multi = {
        "type": "multi",
        "name": "both",
        "graders": {"a": SCORE, "b": {**SCORE, "name": "other"}},
        "calculate_output": "0.5 * a + b",
    }
    result = imported(json.dumps(multi), ".json", tmp_path)

    assert result.criteria == ("steps", "other")
    assert "0.5 * a + b" in at(result, "import-formula")[0][1]


def test_graders_stand_in_python_as_well(tmp_path: Path) -> None:
    """Where they are handed to the client, as dicts that are written out."""
    source = f"MODEL = 'gpt-4.1-mini'\nclient.evals.create(testing_criteria=[{SCORE!r}])\n"
    result = imported(source.replace("'gpt-4.1'", "MODEL"), ".py", tmp_path)

    assert result.tool == "openai"
    assert 'model = "openai/gpt-4.1-mini"' in result.settings


def test_a_picture_in_the_prompt_is_noted(tmp_path: Path) -> None:
    """It is part of the prompt, which is text here."""
    blocks = [
        {"type": "input_image", "image_url": "file.png"},
        {"type": "input_text", "text": "As above?"},
    ]
    result = grader(tmp_path, input=[{"role": "user", "content": blocks}])

    assert "import-picture" in rules(result)
    assert "As above?" in result.text


def test_otherwise_defines_the_other_end(tmp_path: Path) -> None:
    """Of a range from 0 to 1, unless the prompt speaks of scores between."""
    text = "Look at {{sample.output_text}}. Score 0 if a step is missing; otherwise score 1."
    message = [{"role": "user", "content": text}]
    between = [{"role": "user", "content": f"{text} In doubt, 0.5."}]

    assert definitions(only(grader(tmp_path, input=message))) == {
        0: "a step is missing",
        1: "This is not so: a step is missing",
    }
    assert "import-definition-missing" in rules(grader(tmp_path, input=between))


def test_words_that_refer_back_are_no_definition(tmp_path: Path) -> None:
    """*if not, then* says nothing by itself."""
    text = "Label {{sample.output_text}}. If it is whole, label it correct, if not, then incorrect."
    message = [{"role": "user", "content": text}]
    labels = ["correct", "incorrect"]
    result = grader(
        tmp_path, type="label_model", input=message, labels=labels, passing_labels=["correct"]
    )

    assert "not, then" not in result.text
    assert "definition: it is whole" in result.text
    assert "import-definition-made" in rules(result)


def test_a_prompt_of_fields_alone_asks_nothing(tmp_path: Path) -> None:
    """Headings over fields are no question, and neither is what an example asks its user."""
    fields = "**User input** {{item.input}} **Response** {{sample.output_text}}"
    long = "Grade {{sample.output_text}}.\n\nAn example:\nWould you like to tell me more of it?\n"
    for text in (fields, long):
        result = grader(tmp_path, input=[{"role": "user", "content": text}])
        assert "import-question-missing" in rules(result)
        assert "Would you like" not in result.text.split("---")[1]


def test_a_grader_that_is_made_as_an_object_is_read(tmp_path: Path) -> None:
    """With the classes of the client's own types."""
    source = (
        "grader = ScoreModelGrader(name='steps', type='score_model', model='gpt-4.1',\n"
        "    input=[{'role': 'user', 'content': 'Are all steps of {{sample.output_text}} there?'}])"
    )
    result = imported(source, ".py", tmp_path)

    assert result.tool == "openai"
    assert "Are all steps of [Output] there?" in result.text
