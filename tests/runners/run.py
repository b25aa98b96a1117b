"""Run the tests of lent judges, each inside its own runner's environment.

An environment in ``.runners/`` is made from the runner's hash-checked lock in
``requirements/runners/``, the wheel is put into it, and the tests import nothing else of judgekit.

    python tests/runners/run.py WHEEL [RUNNER ...]

A runner that cannot be installed is a failure, unless RUNNERS_OPTIONAL names it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from judgekit.adapters.table import RUNNERS

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[1]
LOCKS = REPO / "requirements" / "runners"
UV = Path(sys.executable).with_name("uv")
LONGEST = 600
"""Seconds after which a step has failed."""
LONG_FIRST = ("promptfoo", "mlflow", "inspect", "deepeval")
PLUGIN = ("pytest", "pytest-asyncio")
KNOWN = {runner.name: runner.packages for runner in RUNNERS} | {"pytest": PLUGIN}
"""What there are tests for, and what is shown of each environment."""
TOGETHER = "together"
"""That all the extras resolve beside the core."""


@dataclass
class Ran:
    """What became of one runner.

    Attributes:
        name: The runner.
        versions: What was installed of it.
        tests: How many of its tests passed.
        made: Seconds that its environment took.
        took: Seconds that its tests took.
        missing: Why it could not be installed; empty where it was.
        failed: What its tests said; empty where they passed.
    """

    name: str
    versions: str = ""
    tests: int = 0
    made: float = 0.0
    took: float = 0.0
    missing: str = ""
    failed: str = ""

    @property
    def told(self) -> str:
        """Return the outcome in a word or two."""
        if self.missing:
            return f"NOT INSTALLED: {self.missing}"
        return "FAILED" if self.failed else "passed"


class StepFailed(Exception):
    """A command that did not end well, and what it said."""


def step(command: Sequence[str | Path], folder: Path = REPO, **variables: str) -> str:
    """Run a command and return what it printed.

    Raises:
        StepFailed: it is missing, failed or took too long.
    """
    env = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    try:
        ended = subprocess.run(
            command,
            cwd=folder,
            env=env | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=LONGEST,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StepFailed(str(error)) from error
    if ended.returncode != 0:
        raise StepFailed(ended.stdout)
    return ended.stdout


def make(name: str, wheel: Path) -> Path:
    """Return the runner's environment, made anew where its lock or the interpreter changed.

    Raises:
        StepFailed: it cannot be made.
    """
    home, node = REPO / ".runners" / name, LOCKS / name
    files = [LOCKS / f"{name}.lock", *sorted(node.glob("*.json"))]
    wanted = hashlib.sha256(b"".join(f.read_bytes() for f in files) + sys.version.encode())
    stamp = home / "made-from"
    if not stamp.exists() or stamp.read_text() != wanted.hexdigest():
        shutil.rmtree(home, ignore_errors=True)
        step([sys.executable, "-m", "venv", "--without-pip", home])
        sync = [UV, "pip", "sync", "--quiet", "--require-hashes", "--no-build"]
        step([*sync, "--python", home / "bin" / "python", files[0]])
        if node.is_dir():
            for file in node.glob("*.json"):
                shutil.copy(file, home)
            # What is optional there are clients of every provider there is, 1.1 GB of them.
            step(
                ["npm", "ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"],
                home,
            )
        stamp.write_text(wanted.hexdigest())
    install = [UV, "pip", "install", "--quiet", "--no-deps", "--reinstall"]
    step([*install, "--python", home / "bin" / "python", wheel])
    return home


def versions(name: str, home: Path) -> str:
    """Return what is installed of a runner."""
    places = [str(place) for place in home.glob("lib/*/site-packages")]
    found = {one.name.replace("_", "-"): one.version for one in distributions(path=places)}
    known = [f"{package} {found[package]}" for package in KNOWN[name]]
    node = home / "node_modules" / name / "package.json"
    if node.exists():
        known.append(f"{name} {json.loads(node.read_text())['version']}")
    return ", ".join(known)


def ran(name: str, wheel: Path) -> Ran:
    """Make a runner's environment and run its tests in it."""
    if name == TOGETHER:
        return together(wheel)
    result, began = Ran(name), time.monotonic()
    try:
        home = make(name, wheel)
    except (StepFailed, OSError) as error:
        result.missing = str(error).strip().splitlines()[-1]
        return result
    result.versions, result.made = versions(name, home), time.monotonic() - began
    tests = HERE / f"test_{name.replace('-', '_')}.py"
    try:
        said = step([home / "bin" / "pytest", "-q", tests], home)
        result.tests = int((re.findall(r"(\d+) passed", said) or ["0"])[-1])
    except StepFailed as error:
        result.failed = str(error)
    result.took = time.monotonic() - began - result.made
    return result


def together(wheel: Path) -> Ran:
    """Have the wheel resolved with all its extras in one environment, where nothing else is."""
    result, began = Ran(TOGETHER), time.monotonic()
    home, pins = REPO / ".runners" / TOGETHER, LOCKS / f"{TOGETHER}.lock"
    extras = ",".join(runner.name for runner in RUNNERS)
    asked = [UV, "pip", "install", "--dry-run", "--no-build", "--constraint", pins]
    try:
        step([sys.executable, "-m", "venv", "--clear", "--without-pip", home])
        said = step([*asked, "--python", home / "bin" / "python", f"{wheel}[{extras}]"])
        (count,) = re.findall(r"install (\d+) packages", said)
        result.versions = f"{count} packages resolve"
    except (StepFailed, OSError) as error:
        result.failed = str(error)
    result.made = time.monotonic() - began
    return result


def main(wheel: str, *names: str) -> int:
    """Run the runners' tests, some at a time; say of each what became of it."""
    known = [*KNOWN, TOGETHER]
    if unknown := {*names} - {*known}:
        sys.exit(f"no runner {', '.join(unknown)}; there are {', '.join(known)}")
    asked = sorted(names or known, key=lambda n: (n not in LONG_FIRST, n))
    optional = os.environ.get("RUNNERS_OPTIONAL", "").split()
    # One more than there are processors: an environment mostly waits for what it is made of.
    with ThreadPoolExecutor(max_workers=(os.cpu_count() or 1) + 1) as pool:
        results = [*pool.map(lambda name: ran(name, Path(wheel).resolve()), asked)]
    for result in results:
        if result.failed:
            print(f"--- {result.name}\n{result.failed}")
    print(f"{'runner':<15} {'version':<32} {'tests':>5} {'made':>6} {'ran':>6}")
    for one in sorted(results, key=lambda result: known.index(result.name)):
        seconds = f"{one.made:>4.0f} s {one.took:>4.0f} s"
        print(f"{one.name:<15} {one.versions:<32} {one.tests:>5} {seconds}  {one.told}")
    bad = [r.name for r in results if r.failed or (r.missing and r.name not in optional)]
    if bad:
        print(f"\nnot passed: {', '.join(bad)}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
