import sys
from collections.abc import Callable
from pathlib import Path

HEAVY = ("litellm", "sklearn", "scipy", "typer", "diskcache", "rich", "jinja2", "numpy", "gepa")


def test_import_loads_nothing_heavy(fresh: Callable[[str], str]) -> None:
    """`import judgekit` in a fresh interpreter leaves the heavy packages alone."""
    loaded = fresh("import judgekit, sys; print(*sys.modules)").split()

    assert "judgekit" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_import_costs_little(cpu_cost: Callable[..., list[float]]) -> None:
    """`import judgekit` costs less than 60 ms of CPU over an interpreter that does nothing."""
    python = [sys.executable, "-c"]

    bare, imported = cpu_cost([*python, "pass"], [*python, "import judgekit"])

    assert imported - bare < 0.060


def test_judging_loads_no_statistics(fresh: Callable[[str], str]) -> None:
    """A cached run begins at once: what it needs comes without numpy, clients and libraries."""
    code = "import judgekit.api.runtime, judgekit.importers.itemstream, sys; print(*sys.modules)"
    loaded = fresh(code).split()

    heavy = {"litellm", "aiohttp", "diskcache", "numpy", "scipy", "sklearn", "httpx"}
    assert "judgekit.api.setup" in loaded
    assert heavy & set(loaded) == set()


def test_linting_loads_what_it_needs(fresh: Callable[[str], str]) -> None:
    """`judgekit lint` of a clean file begins at once, and so does `explain`."""
    rubric = str(Path(__file__).parents[2] / "rubrics" / "support-tone.jinja")
    code = (
        "import contextlib, io, sys; from judgekit.cli.run import run\n"
        "with contextlib.redirect_stdout(io.StringIO()) as said:\n"
        f"    codes = [run(['lint', {rubric!r}]), run(['explain', 'SC06'])]\n"
        "print(*codes, len(said.getvalue()) > 99, *sys.modules)"
    )
    *told, loaded = fresh(code).split(maxsplit=3)

    heavy = {*HEAVY, "pydantic", "aiohttp", "orjson", "asyncio"} - {"typer", "jinja2", "rich"}
    assert told == ["0", "0", "True"]
    assert heavy & set(loaded.split()) == set()
