import ast
from collections.abc import Iterator

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _public(tree: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, Documented]]:
    """Public classes, functions and methods; what is nested in a function is its own affair."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if node.name.startswith("_") or _is_exempt(node):
            continue
        yield f"{prefix}{node.name}", node
        if isinstance(node, ast.ClassDef):
            yield from _public(node, f"{prefix}{node.name}.")


def _is_exempt(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """An overload or override is documented where it is implemented or first declared."""
    return any(
        ast.unparse(mark).split(".")[-1] in {"overload", "override"} for mark in node.decorator_list
    )


def test_everything_public_is_documented(modules: dict[str, ast.Module]) -> None:
    """Modules, and their public classes, functions and methods, say what they are for."""
    silent = [
        f"{path}: {name}"
        for path, tree in modules.items()
        for name, node in [("the module", tree), *_public(tree, "")]
        if not (ast.get_docstring(node) or "").strip()
    ]

    assert silent == []


def test_the_check_sees_methods() -> None:
    """A public method without a docstring is found; private names and overloads are not asked."""
    tree = ast.parse(
        "class Open:\n"
        "    '''Say.'''\n"
        "    def silent(self): ...\n"
        "    def _own(self): ...\n"
        "    @typing.overload\n"
        "    def twice(self): ...\n"
        "async def later(): ...\n"
    )

    assert [name for name, _ in _public(tree, "")] == ["Open", "Open.silent", "later"]
