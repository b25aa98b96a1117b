"""Lock a runner's packages of Node again, and take out what names a place.

    python tests/runners/lock_node.py FOLDER DATE

An integrity hash stands beside every version; whoever installs chooses the registry. Releases
younger than DATE are not taken.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HOSTS = ("funding", "license", "resolved", "deprecated")
"""Entries of a package that hold addresses, or may, and that no installation needs."""


def lock(folder: Path, date: str) -> None:
    """Write ``package-lock.json`` for the ``package.json`` in a folder."""
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


if __name__ == "__main__":
    lock(Path(sys.argv[1]), sys.argv[2])
