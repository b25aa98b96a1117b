"""DeepEval: G-Eval metrics in Python, and in the JSON they are uploaded in."""

import json
import re
from pathlib import Path

import pytest

from judgekit.api.rubric_import import ImportedRubric, import_rubric
from tests.importers.graders.make import at, definitions, imported, only, rules, sample, usable

RANGES = [(0, 2, "None is there."), (3, 6, "Half are there."), (7, 10, "All are there.")]


def metric(tmp_path: Path, arguments: str, *, ranges: str = "") -> object:
    """What comes of one metric."""
    source = f"GEval(name='all there', criteria='Are all parts there?', {ranges}{arguments})\n"
    return imported(source, ".py", tmp_path)


def written(ranges: list[tuple[int, int, str]]) -> str:
    """A rubric argument."""
    made = [f"Rubric(score_range=({a}, {b}), expected_outcome={w!r})" for a, b, w in ranges]
    return f"rubric=[{', '.join(made)}], "


def test_a_metric_becomes_a_criterion(tmp_path: Path) -> None:
    """Criteria, steps, ranges, parameters; and the file was not run."""
    result = import_rubric(sample("deepeval", tmp_path), graders=["Facts"])
    rubric = usable(result)

    assert rubric.inputs == ("input", "output", "reference", "context", "retrieval_context")
    assert only(result).question == "Does the actual output agree with the expected output?"
    assert definitions(only(result))[1] == "A fact is contradicted."
    assert "2. Look each of them up in the actual output." in rubric.body
    assert {"import-steps", "import-span", "import-input-added"} <= rules(result)


def test_ranges_are_levels_and_old_labels_have_a_map(tmp_path: Path) -> None:
    """The map names each old score once."""
    result = import_rubric(sample("deepeval", tmp_path), graders=["Facts"])
    (help_,) = [v.help for v in result.lost if v.rule == "import-span"]
    pairs = (help_ or "").split("--level-map ")[1].split(",")

    assert [pair.split("=")[0] for pair in pairs] == [str(score) for score in range(11)]
    assert pairs[6:8] == ["6=2", "7=3"]


def test_ranges_of_one_score_keep_their_numbers(tmp_path: Path) -> None:
    """There is nothing to number anew."""
    one = [(0, 0, "None is there."), (5, 5, "Half are there."), (10, 10, "All are there.")]
    result = metric(tmp_path, "threshold=0.5", ranges=written(one))

    assert only(result).scale.values == (0, 5, 10)
    assert only(result).passes_at == 5
    assert not rules(result) & {"import-span", "import-threshold"}


@pytest.mark.parametrize(
    ("arguments", "passes_at", "is_noted"),
    [
        ("threshold=0.7", 3, False),
        ("threshold=0.3", 2, False),
        ("threshold=0.5", 3, True),
        ("threshold=0.9", 3, True),
        ("threshold=0.25", 2, False),
        ("threshold=0", None, True),
        ("strict_mode=True", 3, True),
        ("async_mode=False", 3, True),
    ],
)
def test_a_threshold_is_a_share_of_the_range(
    tmp_path: Path, arguments: str, passes_at: int | None, *, is_noted: bool
) -> None:
    """0.7 of 0 to 10 is where 7-10 begins; 0.5 is in the middle of 3-6; without one it is 0.5."""
    result = metric(tmp_path, arguments, ranges=written(RANGES))

    assert only(result).passes_at == passes_at
    assert bool(at(result, "import-threshold")) is is_noted


def test_a_metric_without_ranges_has_no_definitions(tmp_path: Path) -> None:
    """Its yardstick was made up on every run: 0 and 10 stand there, and are empty."""
    result = metric(tmp_path, "threshold=0.5")

    assert result.text.count("definition:\n") == 2
    assert {"import-range-bare", "import-definition-missing"} <= rules(result)


def test_the_uploaded_form_is_read(tmp_path: Path) -> None:
    """JSON with camel case."""
    payload = {
        "name": "parts",
        "evaluationParams": ["actualOutput", "expectedOutput"],
        "criteria": "Are all parts there?",
        "rubric": [{"scoreRange": [a, b], "expectedOutcome": words} for a, b, words in RANGES],
    }
    result = imported(json.dumps(payload), ".json", tmp_path)

    assert result.tool == "deepeval"
    assert usable(result).inputs == ("output", "reference")
    assert definitions(only(result))[3] == "All are there."


def test_an_arena_is_a_comparison(tmp_path: Path) -> None:
    """Two outputs at a time."""
    source = "ArenaGEval(name='funnier', criteria='Choose the funnier one.')"
    result = imported(source, ".py", tmp_path)

    assert only(result).scale.kind == "pairwise"
    assert "import-comparison" in rules(result)


def test_a_conversation_is_shown_as_the_output(tmp_path: Path) -> None:
    """Turns, scenario and expected outcome have their places."""
    params = "[MultiTurnParams.CONTENT, MultiTurnParams.ROLE, MultiTurnParams.EXPECTED_OUTCOME]"
    source = f"ConversationalGEval(name='n', criteria='Is it over?', evaluation_params={params})"
    result = imported(source, ".py", tmp_path)

    assert "inputs: [output, reference]" in result.text


def test_what_code_would_give_is_noted(tmp_path: Path) -> None:
    """A model object, a text that is put together, arguments from elsewhere."""
    source = 'GEval(name="n", criteria=f"Is it in {language}?", model=Judge(), **more)'
    result = imported(source, ".py", tmp_path)

    assert [line for line, _ in at(result, "import-code")] == [1, 1]
    assert "Is it in {language}?" in result.text
    assert "chosen by code" in at(result, "import-model")[0][1]


def test_a_parameter_without_a_name_is_no_input(tmp_path: Path) -> None:
    """It is left out, and the metric is read."""
    told = {"criteria": "Are all parts there?", "evaluationParams": [[], "actual_output"]}

    assert inputs_of(imported(json.dumps(told), ".json", tmp_path)) == ["output"]


def inputs_of(result: ImportedRubric) -> list[str]:
    """The inputs of an import whose definitions may be open."""
    said = re.search(r"^inputs: \[(.*)\]", result.text, re.MULTILINE)
    return said[1].split(", ") if said else []
