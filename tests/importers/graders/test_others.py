"""Prometheus, autorubric and MLflow."""

import json
from pathlib import Path

import pytest
import yaml

from judgekit.api.rubric_import import ImportedRubric, import_rubric
from judgekit.errors import InputError
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


def test_a_score_rubric_is_a_scale_of_five(tmp_path: Path) -> None:
    """Its descriptions are the definitions; where a reference comes along it is shown."""
    result = import_rubric(sample("prometheus", tmp_path))

    assert definitions(only(result))[4] == "They count the streets, and leave out the side."
    assert usable(result).inputs == ("input", "output", "reference")
    assert rules(result) == {"import-pass-line-missing"}


def test_a_formatted_score_rubric_is_read(tmp_path: Path) -> None:
    """Alone or in the prompt it was filled into."""
    text = (CASES / "prometheus.txt").read_text("utf-8")
    result = imported(text, ".txt", tmp_path)

    assert only(result).question == "Does the receipt list every item?"
    assert definitions(only(result))[1] == "No item is listed."
    assert [line for line, _ in at(result, "import-pass-line-missing")] == [5]


def test_a_checklist_keeps_its_words(tmp_path: Path) -> None:
    """A requirement is what "yes" means; options are levels, the worst first."""
    result = import_rubric(sample("autorubric", tmp_path))
    rubric = usable(result)
    dose, brand, length = rubric.criteria

    assert definitions(dose)[1] == "States the dose in milligrams"
    assert definitions(brand)[0] == "Recommends a drug by its brand name"
    assert definitions(length) == {
        1: "more than a page",
        2: "half a page to a page",
        3: "less than half a page",
    }
    assert length.not_applicable == "There is no note"
    assert "The reader is a nurse." in rubric.body


def test_weights_are_noted_and_negative_ones_turn_round(tmp_path: Path) -> None:
    """At the lines they stand on."""
    path = sample("autorubric", tmp_path)
    lines = path.read_text("utf-8").split("\n")
    found = {v.rule: lines[v.line - 1].strip() for v in import_rubric(path).lost}

    assert found["import-weight"] == "weight: 10"
    assert found["import-turned-round"] == "- weight: -5"
    assert "Long - more than a page" in found["import-level-values"]


def test_equal_weights_and_even_scores_are_no_loss(tmp_path: Path) -> None:
    """Nothing is lost with them but what every import says."""
    options = [{"label": f"{n} of them - {n} are there", "value": n / 2} for n in range(3)]
    rubric = [{"name": "n", "weight": 1, "requirement": "How many are there?", "options": options}]
    result = imported(json.dumps(rubric), ".json", tmp_path)

    assert rules(result) == {"import-pass-line-missing"}


def options_of(options: list[dict[str, object]], folder: Path, **more: object) -> ImportedRubric:
    """What comes of one criterion with these options."""
    entry = {"name": "n", "requirement": "How is it?", "options": options, **more}
    return imported(yaml.safe_dump([entry]), ".yaml", folder)


def test_options_that_count_against_an_output_turn_round(tmp_path: Path) -> None:
    """The level with the highest score costs most: it is the worst."""
    words = {"1 - Safe: nothing happens": 0.0, "2 - Risky: a fall": 0.5, "3 - Grave: a death": 1.0}
    options = [{"label": label, "value": value} for label, value in words.items()]
    against = options_of(options, tmp_path, weight=-5)

    assert definitions(only(options_of(options, tmp_path, weight=5)))[3] == "a death"
    assert definitions(only(against)) == {1: "a death", 2: "a fall", 3: "nothing happens"}
    assert "the other way round" in at(against, "import-turned-round")[0][1]


def test_numbers_of_labels_are_the_levels(tmp_path: Path) -> None:
    """Where they rise with the scores; a label that is only a number names nothing."""
    scale = {"0: none": 0.0, "5: some": 0.5, "10: all": 1.0}
    options = [{"label": label, "value": value} for label, value in scale.items()]
    likert = [{"label": f"{n}", "value": n / 4} for n in range(1, 5)]

    ours = options_of(options, tmp_path).text
    assert [f"value: {n}\n        name: {w}\n" in ours for n, w in ((0, "none"), (10, "all"))] == [
        True
    ] * 2
    assert "name:" not in options_of(likert, tmp_path).text
    assert [f"value: {n}\n" in options_of(likert, tmp_path).text for n in (1, 4)] == [True] * 2


def test_settings_of_a_whole_rubric(tmp_path: Path) -> None:
    """Guidelines, a reference, how judges are made one, and every weight."""
    text = """
    rubric:
      guidelines: The reader is a nurse.
      criteria:
        - {requirement: Names the dose, weight: 10}
        - {requirement: Names the day, weight: 2.5, aggregation: median}
    reference_submission: Two pills on Monday.
    """
    result = imported(text, ".yaml", tmp_path)

    assert usable(result).inputs == ("input", "output", "reference")
    assert "The reader is a nurse." in usable(result).body
    assert "(10, 2.5)" in at(result, "import-weight")[0][1]
    assert "aggregation" in at(result, "import-setting")[0][1]


def test_an_option_without_words_has_no_definition(tmp_path: Path) -> None:
    """A label is a name; nobody said what it looks like."""
    options = [{"label": label, "value": i} for i, label in enumerate(("Bad", "Good"))]
    rubric = [{"name": "n", "requirement": "How is it?", "options": options}]
    result = imported(json.dumps(rubric), ".json", tmp_path)

    assert "'Bad', 'Good'" in at(result, "import-definition-missing")[0][1]


def test_a_rubric_for_each_item_is_refused(tmp_path: Path) -> None:
    """It is a checklist that comes with the items, and the error says how to make one."""
    item = {"submission": "x", "rubric": [{"requirement": "Has a date"}]}
    text = json.dumps({"name": "n", "items": [item]})
    with pytest.raises(InputError, match="a rubric of its own") as caught:
        imported(text, ".json", tmp_path)

    assert "criterion_text" in (caught.value.hint or "")


def test_judges_of_python_source_are_read(tmp_path: Path) -> None:
    """Scales from types, words from instructions, and constants that are plain."""
    path = sample("mlflow", tmp_path)
    sources = only(import_rubric(path, graders=["sources"]))
    place = only(import_rubric(path, graders=["same_place"]))

    assert definitions(sources) == {
        1: "It has no source.",
        2: "It has one source.",
        3: "It has two or more.",
    }
    assert sources.question == "How many sources has [Output], an answer to [Input]?"
    assert definitions(place)[1] == "both name the same town"
    assert place.scale.kind == "binary"


def test_a_judge_without_a_list_of_answers_has_no_scale(tmp_path: Path) -> None:
    """None is made up; the linter points at the empty list."""
    result = import_rubric(sample("mlflow", tmp_path), graders=["free"])

    assert {"import-scale-unknown", "import-variable-unknown", "import-code"} <= rules(result)
    assert "scale-too-short" in {v.rule for v in result.found}


def test_a_number_takes_its_range_from_the_instructions(tmp_path: Path) -> None:
    """From 1 to 5: both ends stand there, without words."""
    result = import_rubric(sample("mlflow", tmp_path), graders=["number"])

    assert "value: 5" in result.text
    assert "value: 1" in result.text
    assert "import-range-bare" in rules(result)


def test_labels_without_words_are_named_and_not_defined(tmp_path: Path) -> None:
    """And nothing says which of them pass."""
    result = import_rubric(sample("mlflow", tmp_path), graders=["mood"])

    assert {"import-definition-missing", "import-pass-line-missing"} <= rules(result)
    assert "name: glad" in result.text


JUDGE = """
judge = make_judge(
    name="route",
    instructions={text!r},{more}
)
"""


def test_answers_that_the_instructions_list_are_levels(tmp_path: Path) -> None:
    """Where no type lists them."""
    text = "Rate the route of {{ outputs }} as: 'short', 'long', or 'lost'"
    result = imported(JUDGE.format(text=text, more=""), ".py", tmp_path)

    assert [f"name: {name}" in result.text for name in ("short", "long", "lost")] == [True] * 3
    assert "import-scale-unknown" not in rules(result)
    assert "import-definition-missing" in rules(result)


def test_only_if_defines_the_other_answer_too(tmp_path: Path) -> None:
    """It is the one for all the rest."""
    text = "Look at {{ outputs }}. Answer 'yes' only if the route names two streets."
    more = '\n    feedback_value_type=Literal["yes", "no"],'
    result = imported(JUDGE.format(text=text, more=more), ".py", tmp_path)

    assert definitions(only(result)) == {
        1: "the route names two streets",
        0: "This is not so: the route names two streets",
    }


def test_a_number_in_front_of_an_option_is_its_value(tmp_path: Path) -> None:
    """And no name: what follows it is one."""
    options = [{"label": f"{n} - {w}", "value": n} for n, w in ((1, "Short"), (2, "Very long"))]
    rubric = [{"name": "length", "requirement": "How long is it?", "options": options}]
    result = imported(json.dumps(rubric), ".json", tmp_path)

    assert "name: Very long" in result.text
    assert "name: '2'" not in result.text
