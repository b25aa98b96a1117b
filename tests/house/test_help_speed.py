import sys
from collections.abc import Callable
from pathlib import Path

BARE_APP = '''
import typer

app = typer.Typer(help="A bare app.")


@app.command()
def first(name: str) -> None:
    """Do the first thing."""


@app.command()
def second(name: str, loud: bool = False) -> None:
    """Do the second thing."""


@app.command()
def third(number: int = 3) -> None:
    """Do the third thing."""


def main() -> None:
    app()
'''


def test_help_is_as_quick_as_a_bare_app(
    cpu_cost: Callable[..., list[float]], tmp_path: Path
) -> None:
    """`judgekit --help` costs at most 1.3 times the CPU of a typer app that does nothing."""
    (tmp_path / "bare_app.py").write_text(BARE_APP)
    start = "import sys; sys.argv[0] = 'app'; from {} import main; sys.exit(main())"
    bare_app = [sys.executable, "-c", start.format("bare_app"), "--help"]
    ours = [sys.executable, "-c", start.format("judgekit.cli"), "--help"]

    bare, full = cpu_cost(bare_app, ours)

    assert full <= 1.3 * bare
