"""How long linting takes: ``python benchmarks/lint.py [--rounds N] [--files N]``.

One rubric file, and a folder of a thousand that all differ, by the installed command as people call
it: wall seconds of the whole process, best and median of a few rounds. Beside it stands what an
empty Python takes on the same machine at the same time. The folder is no git repository; with
``--git`` it is one, with every file committed and then edited.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent.parent
GALLERY = sorted((HERE / "rubrics").glob("*.jinja"))
COMMAND = Path(sys.executable).with_name("judgekit")
NOBODY = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost")


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--git", action="store_true", help="compare with what git has as well")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder, asked.files)
        if asked.git:
            commit(folder)
        one = next(folder.glob("*.jinja"))
        rows = {
            "an empty Python": [sys.executable, "-c", "pass"],
            "one file": [str(COMMAND), "lint", str(one)],
            f"{asked.files:,} files": [str(COMMAND), "lint", str(folder)],
        }
        took: dict[str, list[float]] = {label: [] for label in rows}
        for _ in range(asked.rounds):
            for label, command in rows.items():
                took[label].append(seconds(command, folder))
    print(f"{'wall seconds':<18} {'best':>6} {'median':>7}")
    for label, found in took.items():
        print(f"{label:<18} {min(found):>6.2f} {median(found):>7.2f}")


def fill(folder: Path, files: int) -> None:
    """Write rubrics: those of the gallery in turn, each with a name and a wording of its own."""
    for n in range(files):
        source = GALLERY[n % len(GALLERY)]
        text = source.read_text("utf-8")
        text = re.sub(r"(?m)^name: *(\S+)$", rf"name: \1-{n}", text, count=1)
        text = re.sub(r"(?m)^( *question:.*)\?", rf"\1, in case {n}?", text, count=1)
        (folder / f"{source.stem}-{n}.jinja").write_text(text, "utf-8")


def commit(folder: Path) -> None:
    """Commit every file, then edit each of them."""
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "rubrics")):
        subprocess.run(["git", *NOBODY, *command], cwd=folder, check=True)  # noqa: S607
    for path in folder.glob("*.jinja"):
        text = path.read_text("utf-8")
        path.write_text(text.replace(", in case ", ", as in case "), "utf-8")


def seconds(command: list[str], folder: Path) -> float:
    """Return the wall seconds of a command that must have said something sensible."""
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return took


if __name__ == "__main__":
    main()
