import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest
from importlinter.api import read_configuration


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the package in a folder against the contracts in that folder."""
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


def test_every_contract_is_kept(repo: Path) -> None:
    """The floor plan, the purity of the core and the narrowness of statistics hold."""
    checked = lint_imports(repo)

    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("path", "code", "complaint"),
    [
        ("attic/__init__.py", "", "judgekit.attic"),
        ("stats/clock.py", "def tick():\n    import time\n", "judgekit.stats.clock -> time"),
        (
            "stats/up.py",
            "def climb():\n    from judgekit import api\n",
            "judgekit.stats.up -> judgekit.api",
        ),
        (
            "labels/paint.py",
            "def draw():\n    import rich.table\n",
            "judgekit.labels.paint -> rich",
        ),
    ],
    ids=["a room without a place", "a clock in the core", "a lazy way up", "a screen in the core"],
)
def test_a_breach_would_be_seen(
    repo: Path, tmp_path: Path, path: str, code: str, complaint: str
) -> None:
    """The contracts catch a breach of each kind, imports inside functions included."""
    shutil.copy(repo / "pyproject.toml", tmp_path)
    shutil.copytree(
        repo / "judgekit", tmp_path / "judgekit", ignore=shutil.ignore_patterns("__pycache__")
    )
    breach = tmp_path / "judgekit" / path
    breach.parent.mkdir(exist_ok=True)
    breach.write_text(code)

    checked = lint_imports(tmp_path)

    assert checked.returncode == 1
    assert complaint in " ".join(checked.stdout.split())


def test_the_plan_is_exhaustive(repo: Path) -> None:
    """The layers contract covers the whole package, so a new room must be placed to pass."""
    config = read_configuration(str(repo / "pyproject.toml"))

    floors = [c for c in config["contracts_options"] if c["type"] == "layers"]

    assert [(c["containers"], c["exhaustive"]) for c in floors] == [(["judgekit"], "True")]


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """Who imports whom inside the package, imports inside functions included."""
    return grimp.build_graph("judgekit", cache_dir=None)


def test_no_module_escapes_the_plan(repo: Path, graph: grimp.ImportGraph) -> None:
    """A folder without `__init__.py` is invisible to the contracts, so none may hold code."""
    on_disk = {
        ".".join(path.relative_to(repo).with_suffix("").parts).removesuffix(".__init__")
        for path in (repo / "judgekit").rglob("*.py")
    }

    assert on_disk == set(graph.modules)


def cycles(graph: grimp.ImportGraph) -> list[set[str]]:
    """Groups of modules that reach each other through imports (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> Iterator[set[str]]:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in sorted(graph.find_modules_directly_imported_by(module)):
            if other not in index:
                yield from visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            cut = stack.index(module)
            group, stack[cut:] = set(stack[cut:]), []
            if len(group) > 1:
                yield group

    found: list[set[str]] = []
    for module in sorted(graph.modules):
        if module not in index:
            found.extend(visit(module))
    return found


def test_no_imports_in_a_circle(graph: grimp.ImportGraph) -> None:
    """No cycles between modules; imports inside functions and for type checkers count.

    A string target that is resolved at run time is no import: it is how the lazy names and the
    registries reach upwards.
    """
    assert cycles(graph) == []


def test_a_lazy_circle_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cycle test counts an import inside a function, and leaves one-way imports alone."""
    house = tmp_path / "tiny_house"
    house.mkdir()
    (house / "__init__.py").write_text("")
    (house / "above.py").write_text("from tiny_house import below, cellar\n")
    (house / "below.py").write_text("def lazy():\n    from tiny_house.above import x\n")
    (house / "cellar.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)

    found = cycles(grimp.build_graph("tiny_house", cache_dir=None))

    assert found == [{"tiny_house.above", "tiny_house.below"}]
