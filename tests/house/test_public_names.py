import ast
import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import judgekit


def test_public_names_are_sorted() -> None:
    """The list of public names is in order, each once."""
    assert list(judgekit.__all__) == sorted(set(judgekit.__all__))


def test_public_names_are_complete(fresh: Callable[[str], str]) -> None:
    """What `dir` shows of a fresh `import judgekit`, modules aside, is what `__all__` promises."""
    shown = fresh(
        "import judgekit, types\n"
        "for name in dir(judgekit):\n"
        "    value = vars(judgekit).get(name)\n"
        "    if not name.startswith('_') and not isinstance(value, types.ModuleType):\n"
        "        print(name)\n"
    ).split()

    assert set(shown) == {name for name in judgekit.__all__ if not name.startswith("_")}


def test_type_checkers_see_the_same_names(repo: Path) -> None:
    """Every public name is imported under TYPE_CHECKING or defined: lazy names have types."""
    tree = ast.parse((repo / "judgekit/__init__.py").read_text(encoding="utf-8"))
    seen: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(names=names):
                seen |= {alias.asname or alias.name for alias in names}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                seen.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                seen.add(name)

    assert set(judgekit.__all__) <= seen


@pytest.mark.parametrize("name", judgekit.__all__)
def test_public_name_resolves_and_explains_itself(name: str) -> None:
    """Each public name leads somewhere, and what it leads to has a docstring of its own."""
    value = getattr(judgekit, name)

    assert value is not None
    if inspect.isroutine(value) or inspect.isclass(value) or isinstance(value, ModuleType):
        assert (value.__doc__ or "").strip()


def test_unknown_name_is_an_attribute_error() -> None:
    """A name that is not there fails as in any module."""
    with pytest.raises(AttributeError, match="no_such_name"):
        judgekit.no_such_name  # noqa: B018
