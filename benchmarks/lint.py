"""How long linting takes: ``python benchmarks/lint.py [--rounds N] [--files N] [--git]``.

One rubric file, and a folder of a thousand that all differ, by the installed command as people call
it: wall seconds of the whole process, best and median of a few rounds, and the seconds that its
processes computed, which other programs on the machine disturb less. Beside it stands what an empty
Python takes at the same time. The folder is no git repository; with ``--git`` there is a second
one, which is one: every file committed and then edited.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

HERE = Path(__file__).resolve().parent.parent
GALLERY = sorted((HERE / "rubrics").glob("*.jinja"))
COMMAND = Path(sys.executable).with_name("judgekit")
NOBODY = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost")


class Took(NamedTuple):
    """Seconds of a command: on the clock, and computed by it and its children."""

    wall: float
    computed: float


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--git", action="store_true", help="compare with what git has as well")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, edited = Path(name, "plain"), Path(name, "edited")
        fill(folder, asked.files)
        one = next(folder.glob("*.jinja"))
        rows = {
            "an empty Python": [sys.executable, "-c", "pass"],
            "one file": [str(COMMAND), "lint", str(one)],
            f"{asked.files:,} files": [str(COMMAND), "lint", str(folder)],
        }
        if asked.git:
            fill(edited, asked.files)
            commit(edited)
            rows["  edited, in git"] = [str(COMMAND), "lint", str(edited)]
        took: dict[str, list[Took]] = {label: [] for label in rows}
        for _ in range(asked.rounds):
            for label, command in rows.items():
                took[label].append(seconds(command, folder))
    print(f"{'seconds':<18} {'wall':>6} {'median':>7} {'computed':>9}")
    for label, found in took.items():
        walls, computed = [one.wall for one in found], [one.computed for one in found]
        print(f"{label:<18} {min(walls):>6.2f} {median(walls):>7.2f} {min(computed):>9.2f}")


def fill(folder: Path, files: int) -> None:
    """Write rubrics: those of the gallery in turn, each with a name and a wording of its own."""
    folder.mkdir()
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


def seconds(command: list[str], folder: Path) -> Took:
    """Return what a command took that must have said something sensible."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} failed: {done.stderr.strip()}")
    computed = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Took(took, computed)


if __name__ == "__main__":
    main()
