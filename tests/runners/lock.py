"""Lock again what the runners need: one file for each, and one of all together.

    python tests/runners/lock.py DATE COMPILE...

COMPILE is the command that locks packages of Python. A runner's own are the extra of its name in
pyproject.toml; Node's stand in a folder of that name, and releases younger than DATE are not taken.
That `together.lock` can be made shows that all the extras resolve with judgekit's own needs.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from judgekit.adapters.table import RUNNERS

LOCKS = Path(__file__).resolve().parents[2] / "requirements" / "runners"
TESTS = ("pytest", "pytest-timeout")
PLUGIN = ("pytest-asyncio",)
"""What the plugin for pytest is tried beside."""
HOSTS = ("funding", "license", "resolved", "deprecated")
"""Entries of a package of Node that hold addresses, or may, and that no installation needs."""


def lock(name: str, compile_: list[str], extras: list[str], packages: tuple[str, ...]) -> None:
    """Write the lock ``name`` of some extras and packages beside judgekit's own."""
    told = [word for extra in extras for word in ("--extra", extra)]
    command = [*compile_, "--no-annotate", *told, "pyproject.toml", "-"]
    subprocess.run(
        [*command, "--output-file", LOCKS / f"{name}.lock"],
        input="\n".join(packages),
        stdout=subprocess.DEVNULL,
        text=True,
        check=True,
    )


def lock_node(folder: Path, date: str) -> None:
    """Write ``package-lock.json`` for the ``package.json`` in a folder, without names of places.

    An integrity hash stands beside every version; whoever installs chooses the registry.
    """
    quiet = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    command = ["npm", "install", "--package-lock-only", f"--before={date}", *quiet]
    subprocess.run(command, cwd=folder, check=True)
    path = folder / "package-lock.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    for name, package in found["packages"].items():
        for entry in HOSTS:
            package.pop(entry, None)
        if name and "integrity" not in package:
            sys.exit(f"{path}: {name} has no integrity hash")
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def main(date: str, *compile_: str) -> None:
    """Lock them all."""
    names = [runner.name for runner in RUNNERS]
    for name in names:
        lock(name, [*compile_], [name], TESTS)
    lock("pytest", [*compile_], [], TESTS + PLUGIN)
    lock("together", [*compile_], names, ())
    for file in LOCKS.glob("*/package.json"):
        lock_node(file.parent, date)


if __name__ == "__main__":
    main(*sys.argv[1:])
