"""promptfoo configurations: llm-rubric, g-eval, select-best, and what is not one of them."""

from pathlib import Path

import pytest
import yaml

from judgekit.api.rubric_import import import_rubric
from judgekit.errors import InputError
from tests.importers.graders.make import (
    at,
    definitions,
    imported,
    only,
    rules,
    sample,
    usable,
)


def asserted(tmp_path: Path, assertion: dict[str, object], **config: object) -> object:
    """What comes of a configuration with one assertion for every test."""
    whole = {"prompts": ["x"], "defaultTest": {"assert": [assertion]}, **config}
    return imported(yaml.safe_dump(whole), ".yaml", tmp_path)


def test_a_configuration_becomes_one_rubric(tmp_path: Path) -> None:
    """Every assertion that asks a model by words of its own is a criterion."""
    result = import_rubric(sample("promptfoo", tmp_path))
    rubric = usable(result)
    by_name = {criterion.name: criterion for criterion in rubric.criteria}

    assert rubric.inputs == ("input", "output")
    assert by_name["Sources"].passes_at == 1
    assert definitions(by_name["Sources"])[0.5] == "Some claims carry one."
    assert len(rubric.criteria) == 6
    assert 'Answers the question "[Input]"' in rubric.criteria[0].question


def test_what_asks_no_model_is_noted_once_a_kind(tmp_path: Path) -> None:
    """Programs, plain checks and prompts of the tool's own are told apart."""
    result = import_rubric(sample("promptfoo", tmp_path))

    assert {"import-code", "import-not-a-judge", "import-built-in"} <= rules(result)
    assert "'javascript'" in at(result, "import-code")[0][1]
    assert "'factuality'" in at(result, "import-built-in")[0][1]


def test_a_negated_assertion_passes_where_the_words_do_not_hold(tmp_path: Path) -> None:
    """The level 1 passes: it is the one where nothing is found."""
    result = asserted(tmp_path, {"type": "not-llm-rubric", "value": "Names another customer"})
    levels = {level.value: level for level in only(result).scale.levels}

    assert levels[0].definition == "Names another customer"
    assert levels[1].definition.startswith("This is not so:")
    assert "import-turned-round" in rules(result)


def test_an_assertion_of_one_test_is_noted(tmp_path: Path) -> None:
    """It was asked of one item; here it is of all."""
    path = sample("promptfoo", tmp_path)
    result = import_rubric(path, graders=["mentions_tracking_page"])

    assert [line for line, _ in at(import_rubric(path), "import-item-criterion")] == [37, 39]
    assert {v.line for v in result.lost if v.rule != "import-model"} <= {37, *range(28, 33)}


def test_the_same_assertion_in_every_test_is_one_criterion(tmp_path: Path) -> None:
    """And it belongs to all of them."""
    tests = [{"assert": [{"type": "llm-rubric", "value": "Has a date"}]}] * 3
    result = imported(yaml.safe_dump({"prompts": ["x"], "tests": tests}), ".yaml", tmp_path)

    assert only(result).name == "date"
    assert "import-item-criterion" not in rules(result)


def test_an_assertion_for_every_test_is_no_tests_own(tmp_path: Path) -> None:
    """However many tests have others beside it."""
    tests = [{"assert": [{"type": "llm-rubric", "value": f"Names town {n}"}]} for n in range(3)]
    default = {"assert": [{"type": "llm-rubric", "value": "Has a date"}]}
    whole = {"prompts": ["x"], "defaultTest": default, "tests": tests}
    result = imported(yaml.safe_dump(whole), ".yaml", tmp_path)

    assert len(at(result, "import-item-criterion")) == 3


def test_a_comparison_is_imported_by_itself(tmp_path: Path) -> None:
    """Pairs and single outputs share no rubric: --grader takes the one that was left out."""
    path = sample("promptfoo", tmp_path)
    left_out = at(import_rubric(path), "import-kinds-mixed")
    result = import_rubric(path, graders=["choose_shorter"])

    assert "'choose_shorter'" in left_out[0][1]
    assert only(result).scale.kind == "pairwise"
    assert usable(result).inputs == ("output_a", "output_b")
    assert "import-comparison" in rules(result)


def test_a_prompt_of_ones_own_is_the_task(tmp_path: Path) -> None:
    """With the assertion in its place, and what it says of the answer's form noted."""
    prompt = '[{"role": "system", "content": "You read recipes. {{rubric}} Return JSON only."}]'
    result = asserted(
        tmp_path,
        {"type": "llm-rubric", "value": "Names the oven's heat"},
        evaluateOptions={},
        tests=[],
        defaultTest={
            "options": {"rubricPrompt": prompt},
            "assert": [{"type": "llm-rubric", "value": "Names the oven's heat"}],
        },
    )

    assert "You read recipes. Names the oven's heat Return JSON only." in usable(result).body
    assert "import-answer-form" in rules(result)


def test_a_threshold_without_levels_is_noted(tmp_path: Path) -> None:
    """Nobody defined the points of its score."""
    result = asserted(tmp_path, {"type": "llm-rubric", "value": "Has a date", "threshold": 0.7})

    assert "import-threshold" in rules(result)
    assert only(result).scale.kind == "binary"


@pytest.mark.parametrize(
    ("value", "rule"), [("file://tone.txt", "import-file"), ("file://t.py", "import-code")]
)
def test_another_file_is_not_read(tmp_path: Path, value: str, rule: str) -> None:
    """Neither its text nor, of course, its code."""
    (tmp_path / "t.py").write_text("raise SystemExit")

    assert rule in rules(asserted(tmp_path, {"type": "llm-rubric", "value": value}))


def test_weights_and_transforms_are_noted(tmp_path: Path) -> None:
    """A weighted total is none of ours, and a program is not run."""
    found = rules(
        asserted(
            tmp_path,
            {"type": "llm-rubric", "value": "Has a date", "weight": 3, "transform": "output.x"},
        )
    )

    assert {"import-weight", "import-code"} <= found


def test_templates_and_sets_are_followed(tmp_path: Path) -> None:
    """``$ref`` and ``assert-set`` lead to assertions like any other."""
    text = """
    prompts: [x]
    assertionTemplates:
      dated: {type: llm-rubric, value: Has a date in it}
    tests:
      - assert:
          - type: assert-set
            threshold: 0.5
            assert: [{$ref: "#/assertionTemplates/dated"}]
    """
    result = imported(text, ".yaml", tmp_path)

    assert only(result).name == "date"
    assert "import-formula" in rules(result)


def test_yaml_anchors_and_merges_are_followed(tmp_path: Path) -> None:
    """Configurations share options that way; what stands in the mapping itself goes first."""
    text = """
    prompts: [x]
    base: &base {type: llm-rubric, value: Has a date, metric: date}
    tests:
      - assert: [{<<: *base, value: Has an hour in it}]
    """
    result = imported(text, ".yaml", tmp_path)

    assert only(result).name == "date"
    assert "Has an hour in it" in result.text


def test_a_configuration_without_a_judge_is_no_import(tmp_path: Path) -> None:
    """One clear error, and what there is instead."""
    with pytest.raises(InputError, match="no promptfoo assertions") as caught:
        asserted(tmp_path, {"type": "contains", "value": "x"})

    assert "'contains'" in (caught.value.hint or "")
