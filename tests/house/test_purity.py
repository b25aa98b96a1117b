import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.api import read_configuration

PURE = (
    *("fingerprint", "registry", "stats", "rubric", "linting", "judging", "paths"),
    *("labels", "calibration", "scoring", "suites", "evaluators"),
)
# Rooms of the plan that may not be built yet.
OPTIONAL = {"paths", "suites", "evaluators"}

OUTSIDE = {
    *("os", "io", "pathlib", "shutil", "tempfile", "subprocess", "sqlite3", "diskcache"),
    *("time", "random", "secrets", "socket", "urllib", "http", "asyncio", "litellm"),
    *("typer", "rich"),
}
CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
BUILTINS = {"open", "input", "print", "breakpoint"}
FILE_METHODS = {"read_text", "read_bytes", "write_text", "write_bytes"}


def impurities(tree: ast.AST) -> list[str]:
    """What reaches outside in a module: a clock, dice, a disk, a network, a screen."""
    return [
        f"line {node.lineno}: {what}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Call)
        for what in _impure(node)
    ]


def _impure(node: ast.Import | ast.ImportFrom | ast.Call) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (f"import {a.name}" for a in node.names if a.name.split(".")[0] in OUTSIDE)
    elif isinstance(node, ast.ImportFrom):
        if (node.module or "").split(".")[0] in OUTSIDE:
            yield f"from {node.module} import"
    elif (name := ast.unparse(node.func)) in BUILTINS or (
        isinstance(node.func, ast.Attribute) and node.func.attr in FILE_METHODS
    ):
        yield f"{name}()"
    elif ".".join(name.split(".")[-2:]) in CLOCKS:
        yield f"{name}() reads the clock"
    elif _rolls_dice(name, node):
        yield f"{name}() rolls dice that nobody passed in"


def _rolls_dice(name: str, call: ast.Call) -> bool:
    """NumPy's global generator, or a generator seeded by the operating system."""
    owner, _, function = name.rpartition(".")
    if function in {"default_rng", "SeedSequence"}:
        seeds = [*call.args, *(keyword.value for keyword in call.keywords)]
        return not seeds or all(isinstance(s, ast.Constant) and s.value is None for s in seeds)
    return owner in {"np.random", "numpy.random"} and function[:1].islower()


def _room(path: str) -> str:
    return Path(path).parts[1].removesuffix(".py")


def test_the_core_touches_nothing_outside(modules: dict[str, ast.Module]) -> None:
    """No clock, dice, disk, network or screen in the rooms below `running`."""
    pure = {path: tree for path, tree in modules.items() if _room(path) in PURE}

    found = {path: trouble for path, tree in pure.items() if (trouble := impurities(tree))}

    assert found == {}
    assert {_room(path) for path in pure} >= set(PURE) - OPTIONAL


def test_the_import_contract_covers_the_same_rooms(
    repo: Path, modules: dict[str, ast.Module]
) -> None:
    """The contract in pyproject.toml names every pure room there is and every module kept out."""
    config = read_configuration(str(repo / "pyproject.toml"))
    built = {f"judgekit.{_room(path)}" for path in modules if _room(path) in PURE}

    (contract,) = (c for c in config["contracts_options"] if c["id"] == "pure")

    assert set(contract["source_modules"]) == built
    assert set(contract["forbidden_modules"]) == OUTSIDE


@pytest.mark.parametrize(
    "code",
    [
        "import os.path",
        "def lazy():\n    from urllib.parse import quote",
        "from pathlib import Path",
        "now = datetime.now(UTC)",
        "now = datetime.datetime.utcnow()",
        "today = date.today()",
        "rng = np.random.default_rng()",
        "rng = numpy.random.default_rng(None)",
        "np.random.shuffle(rows)",
        "text = open('x').read()",
        "text = place.read_text()",
        "print('hello')",
    ],
)
def test_an_impurity_would_be_seen(code: str) -> None:
    """Each way to reach outside is found."""
    assert len(impurities(ast.parse(code))) == 1


@pytest.mark.parametrize(
    "code",
    [
        "from datetime import UTC, datetime, timedelta",
        "reading = read_text('Level: good', scale)",
        "import difflib, hashlib, json, re, unicodedata",
        "rng = np.random.default_rng(seed)",
        "rows = rng.integers(0, n, n)",
        "def draw(rng: np.random.Generator) -> int: ...",
        "later = now + timedelta(days=30)",
        "when = datetime.fromisoformat(text)",
    ],
)
def test_what_is_given_is_pure(code: str) -> None:
    """A seed, a generator or a time that was passed in is no impurity."""
    assert impurities(ast.parse(code)) == []
