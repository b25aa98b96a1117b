"""One small model, two criteria: certified on one, refused on the other.

The model runs inside this process: no key, no network. The labelled sets were written for this
example by its authors, before the model was run on them; they are no independent raters, and
every output says so. Whatever is measured is printed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1] / ".demo"
OWN = ("rubrics", "labels", "items")
GROUNDEDNESS = """
[judges.groundedness]
rubric = "rubrics/groundedness.jinja"
model = "local/smollm2-135m"
labels = "labels/groundedness.csv"
"""


def run(*arguments: str, said: str = "") -> int:
    """Run one command as a user would, showing the command and everything it prints."""
    if said:
        print(f"\n# {said}")
    print(f"$ judgekit {' '.join(arguments)}", flush=True)
    done = subprocess.run([sys.executable, "-m", "judgekit", *arguments], cwd=HOME, check=False)
    if done.returncode:
        print(f"[exit {done.returncode}]", flush=True)
    return done.returncode


def prepare() -> None:
    """Make a fresh project: what `judgekit init` writes, and the example's second criterion."""
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir()
    if run("init"):
        sys.exit("the demo could not write its project")
    for name in OWN:
        shutil.copytree(HERE / name, HOME / name, dirs_exist_ok=True)
    with (HOME / "judgekit.toml").open("a", encoding="utf-8") as file:
        file.write(GROUNDEDNESS)


def main() -> int:
    """Walk from rubrics to a certificate and a refusal, and from there to a score."""
    prepare()
    run("lint", said="The rubrics are specifications; they are checked like code.")
    certified = run("calibrate", "language", said="Is the reply in English? The model may know.")
    refused = run(
        "calibrate",
        "groundedness",
        said="Does the answer claim only what the context supports? A harder question.",
    )
    scored = run(
        *("score", "language", "items/language-fresh.jsonl", "--out", "language.jsonl"),
        said="New items, scored by the judge that holds a certificate.",
    )
    withheld = run(
        *("score", "groundedness", "items/groundedness-fresh.jsonl", "--out", "grounded.jsonl"),
        said="The same for the judge that holds none: no number.",
    )
    run("status", said="Where the project stands.")
    agree = (scored == 0) == (certified == 0) and (withheld == 0) == (refused == 0)
    if {certified, refused} - {0, 1} or not agree:
        print("\nThe demo did not run as it should: see the exit codes above.")
        return 1
    print(f"\nEverything above stands in {HOME.name}/; to go on there:")
    print(f"cd {HOME.name} && ../.venv/bin/judgekit status")
    return 0


if __name__ == "__main__":
    sys.exit(main())
