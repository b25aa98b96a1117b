"""The tools themselves: their own files are imported, and their own source has what is read."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.api.rubric_import import import_rubric
from judgekit.importers.graders import deepeval, mlflow
from tests.importers.graders.make import definitions, rules, usable

pytestmark = pytest.mark.slow

TOOLS = ("autorubric==1.6.1", "prometheus-eval==0.1.20", "deepeval==4.3.1", "mlflow==3.18.0")


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tools in a folder of their own; none of their code is ever imported."""
    folder = tmp_path_factory.mktemp("tools")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    done = subprocess.run(
        [*command, "--target", str(folder), *TOOLS], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"the tools cannot be installed here: {done.stderr.strip()[-200:]}")
    return folder


def parameters(path: Path, function: str) -> set[str]:
    """What a function in a file takes."""
    tree = ast.parse(path.read_text("utf-8"))
    found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == function]
    return {a.arg for node in found for a in (*node.args.args, *node.args.kwonlyargs)}


def test_prometheus_own_rubrics(tools: Path) -> None:
    """All five that come with it are read in full, with their names."""
    result = import_rubric(tools / "prometheus_eval" / "prompts.py")
    rubric = usable(result)

    assert result.tool == "prometheus"
    assert {"helpfulness", "harmlessness", "honesty", "reasoning"} <= set(result.criteria)
    assert all(criterion.scale.values == (1, 2, 3, 4, 5) for criterion in rubric.criteria)
    assert all("{" not in text for c in rubric.criteria for text in definitions(c).values())
    assert rules(result) == {"import-pass-line-missing"}


@pytest.mark.parametrize("name", ["meta_rubric_standalone.json", "meta_rubric_in_context.json"])
def test_autorubric_own_rubrics(tools: Path, name: str) -> None:
    """Its rubric of rubrics: every requirement is a criterion, errors turned round."""
    path = tools / "autorubric" / "meta" / "data" / name
    result = import_rubric(path)
    rubric = usable(result)
    text = path.read_text("utf-8")

    assert result.tool == "autorubric"
    assert len(rubric.criteria) == text.count('"requirement"')
    turned = [c for c in rubric.criteria if c.scale.names == ("present", "absent")]
    assert len(turned) == text.count('"weight": -')
    assert {"import-weight", "import-turned-round"} <= rules(result)


def test_mlflow_own_judges(tools: Path) -> None:
    """Every file of it that makes judges is imported, or flagged where it is not usable."""
    folder = tools / "mlflow"
    files = [
        *sorted((folder / "assistant" / "skills" / "tests" / "judges").glob("*.py")),
        folder / "demo" / "generators" / "judges.py",
        folder / "genai" / "discovery" / "pipeline.py",
    ]
    files = [path for path in files if "make_judge(" in path.read_text("utf-8")]
    assert len(files) >= 5
    for path in files:
        result = import_rubric(path)
        made = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if _makes_judge(n)]

        assert result.tool == "mlflow"
        assert len(result.criteria) == len(made)
        if "definition:\n" in result.text or "levels: []" in result.text:
            assert rules(result) & {"import-definition-missing", "import-scale-unknown"}
        else:
            usable(result)


def test_autorubric_takes_what_is_read(tools: Path) -> None:
    """The keys that are read are those of the version that is out, and it has no others."""
    types = (tools / "autorubric" / "types.py").read_text("utf-8")
    classes = {n.name: n for n in ast.walk(ast.parse(types)) if isinstance(n, ast.ClassDef)}
    keys = {
        name: {ast.unparse(f.target) for f in classes[name].body if isinstance(f, ast.AnnAssign)}
        for name in ("Criterion", "CriterionOption")
    }
    rubric = (tools / "autorubric" / "rubric.py").read_text("utf-8")

    assert keys["CriterionOption"] == {"label", "value", "na"}
    assert keys["Criterion"] == {
        *("weight", "requirement", "name", "options", "scale_type", "aggregation")
    }
    assert {"sections", "criteria", "rubric", "guidelines"} <= {
        n.value for n in ast.walk(ast.parse(rubric)) if isinstance(n, ast.Constant)
    }


def test_mlflow_takes_what_is_read(tools: Path) -> None:
    """The arguments that are read are those of the version that is out."""
    taken = parameters(tools / "mlflow" / "genai" / "judges" / "make_judge.py", "make_judge")

    assert {*mlflow._ORDER, *mlflow._OTHER, "inference_params", "base_url"} <= taken


def test_deepeval_takes_what_is_read(tools: Path) -> None:
    """Arguments, parameters and the form in JSON are those of the version that is out."""
    folder = tools / "deepeval" / "metrics" / "g_eval"
    source = (folder / "utils.py").read_text("utf-8")

    assert {*deepeval._ORDER, "strict_mode"} <= parameters(folder / "g_eval.py", "__init__")
    assert {"scoreRange", "expectedOutcome", "evaluationParams"} <= {
        node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)
    } | {node.target.id for node in ast.walk(ast.parse(source)) if _is_field(node)}
    for name in deepeval._SHOWN:
        assert f"Params.{name.upper()}:" in source, name


def _makes_judge(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("make_judge")


def _is_field(node: ast.AST) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
