"""What the tests of imported graders share."""

from pathlib import Path

from judgekit.api.rubric_import import ImportedRubric, import_rubric
from judgekit.importers.rubrics import template_loader
from judgekit.rubric.model import Criterion, Rubric
from judgekit.rubric.parse import parse

CASES = Path(__file__).parents[2] / "cases" / "graders"
SAMPLES = {
    "openai": "openai.json",
    "promptfoo": "promptfoo.yaml",
    "deepeval": "deepeval.py.txt",
    "prometheus": "prometheus.json",
    "mlflow": "mlflow.py.txt",
    "autorubric": "autorubric.yaml",
}


def sample(tool: str, folder: Path) -> Path:
    """A file of a tool, written for these tests, under the suffix the tool gives it."""
    name = SAMPLES[tool]
    path = folder / name.removesuffix(".txt")
    path.write_text((CASES / name).read_text("utf-8"), "utf-8")
    return path


def imported(text: str, suffix: str, folder: Path, **options: object) -> ImportedRubric:
    """What comes of a text in a file of that suffix."""
    path = folder / f"source{suffix}"
    path.write_text(text, "utf-8")
    return import_rubric(path, **options)  # type: ignore[arg-type]


def usable(result: ImportedRubric) -> Rubric:
    """The rubric of an import that has nothing fatal."""
    rubric, problems = parse(result.text, load=template_loader(Path()))
    assert rubric is not None, problems
    return rubric


def only(result: ImportedRubric) -> Criterion:
    """The only criterion of an import."""
    (criterion,) = usable(result).criteria
    return criterion


def rules(result: ImportedRubric) -> set[str]:
    """The rules of what was lost."""
    return {violation.rule for violation in result.lost}


def at(result: ImportedRubric, rule: str) -> list[tuple[int, str]]:
    """Line and message of each loss of one rule."""
    return [(v.line, v.message) for v in result.lost if v.rule == rule]


def definitions(criterion: Criterion) -> dict[object, str]:
    """What each level of a criterion is defined as, by its value."""
    return {level.value: level.definition for level in criterion.scale.levels}
