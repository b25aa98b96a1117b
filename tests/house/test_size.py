import ast
import statistics
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "judgekit"
FILES = sorted(PACKAGE.rglob("*.py"))


def lines_of(path: Path) -> int:
    """Lines in a file, blank ones and docstrings included."""
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(modules: dict[str, ast.Module]) -> dict[str, int]:
    """Length of every function, docstring included, by file, name and line."""
    return {
        f"{path}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_room_outgrows_the_house(path: Path) -> None:
    """A file over 400 lines has two purposes."""
    assert lines_of(path) <= 400


def test_modules_are_small() -> None:
    """Half of the modules fit on two screens; a bare package marker is not counted."""
    assert statistics.median(lines for path in FILES if (lines := lines_of(path)) > 1) <= 120


def test_no_function_is_long(modules: dict[str, ast.Module]) -> None:
    """A function over 60 lines does two things."""
    long = {name: lines for name, lines in functions(modules).items() if lines > 60}

    assert long == {}


def test_functions_are_short(modules: dict[str, ast.Module]) -> None:
    """Nine functions in ten fit on one screen."""
    lengths = sorted(functions(modules).values())

    assert statistics.quantiles(lengths, n=10)[-1] <= 30
