import re
import shutil
import subprocess
from pathlib import Path

import pytest

# Put together here, so that this file does not find itself.
HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("python" + "hosted", "org"),
        ("npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("deb", "debian", "org"),
        ("proxy", "golang", "org"),
        ("crates", "io"),
    )
]
MACHINE_PATHS = ["/" + path for path in ("work/", "root/", "tmp/bash", "opt/wheels")]
FORBIDDEN = re.compile(
    "|".join([*map(re.escape, HOSTS), *(rf"(?<![\w.~-]){re.escape(p)}" for p in MACHINE_PATHS)]),
    re.IGNORECASE,
)
IN_LOCKS = re.compile(r"://|^--|--(extra-)?index|--find-links|@ |\.(org|com|io|net|dev)\b")


@pytest.fixture(scope="module")
def texts(repo: Path) -> dict[str, str]:
    """Every text file that git tracks or would track."""
    if shutil.which("git") is None or not (repo / ".git").exists():
        pytest.skip("not a git checkout")
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=repo, check=True, capture_output=True, text=True).stdout
    found = {}
    for name in filter(None, names.split("\0")):
        path = repo / name
        if path.is_file():
            found[name] = path.read_bytes().decode("utf-8", errors="replace")
    return found


def test_no_file_names_a_registry_or_a_machine(texts: dict[str, str]) -> None:
    """Nothing says where packages come from or on which machine it was written."""
    hits = [
        f"{name}:{number}: {match.group()}"
        for name, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := FORBIDDEN.search(line))
    ]

    assert hits == []
    assert "pyproject.toml" in texts


def test_locks_name_no_place(texts: dict[str, str]) -> None:
    """A lock holds names, versions, markers and hashes; whoever installs chooses the index."""
    locks = {name: text for name, text in texts.items() if name.endswith(".lock")}

    hits = [
        f"{name}:{number}: {line}"
        for name, text in locks.items()
        for number, line in enumerate(text.splitlines(), 1)
        if IN_LOCKS.search(line)
    ]

    assert hits == []
    assert {Path(name).parent.as_posix() for name in locks} == {
        "requirements",
        "requirements/runners",
    }


def test_every_locked_package_has_hashes(texts: dict[str, str]) -> None:
    """Each pin is exact and is followed by at least one SHA-256."""
    pins = {
        f"{name}: {entry.split()[0]}": entry
        for name, text in texts.items()
        if name.endswith(".lock")
        for entry in re.split(r"\n(?=[a-zA-Z0-9])", re.sub(r"(?m)^#.*\n", "", text))
        if entry.strip()
    }

    loose = [pin for pin, entry in pins.items() if "==" not in pin or "--hash=sha256:" not in entry]

    assert loose == []
    assert pins


@pytest.mark.parametrize(
    ("line", "is_hit"),
    [
        ("see https://" + HOSTS[0] + "/simple", True),
        ("path = '" + MACHINE_PATHS[0] + "main'", True),
        ("open(" + MACHINE_PATHS[1] + "x)", True),
        ("tests/" + "work/notes.md", False),
        ("the root/ folder", False),
    ],
)
def test_the_check_sees_places(line: str, *, is_hit: bool) -> None:
    """An absolute path of a machine is found, a relative one of the same name is not."""
    assert bool(FORBIDDEN.search(line)) is is_hit
