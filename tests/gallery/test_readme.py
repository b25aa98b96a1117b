"""The gallery's page says of each rubric what is in its file, and its commands run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.testing import StubServer
from tests.gallery.test_gallery import GALLERY, RUBRICS, read_set

README = (GALLERY / "README.md").read_text("utf-8")
LABELS = (GALLERY / "labels" / "README.md").read_text("utf-8")
ADDRESS = "http://127.0.0.1:8099/v1"
ROW = re.compile(r"^\| \[([\w-]+)\]\(([\w.-]+)\) \|(.*)\|$", re.MULTILINE)


def rows() -> dict[str, list[str]]:
    """Return the cells of the table behind each rubric's name."""
    return {
        match[1]: [cell.strip() for cell in match[3].split("|")] for match in ROW.finditer(README)
    }


def test_every_rubric_has_a_row_and_every_row_a_rubric() -> None:
    """The table is the gallery, in order of names."""
    assert list(rows()) == RUBRICS
    assert [match[2] for match in ROW.finditer(README)] == [f"{name}.jinja" for name in RUBRICS]


@pytest.mark.parametrize("name", RUBRICS)
def test_a_row_says_what_is_in_the_files(name: str) -> None:
    """Inputs, kind of scale, levels best first, what passes, and the rater columns."""
    _, inputs, scale, raters = rows()[name]
    entry = read_set(GALLERY / f"{name}.jinja", GALLERY / "labels" / f"{name}.jsonl")
    criterion, kind = entry.criterion, entry.criterion.scale.kind
    levels = list(criterion.scale.levels)
    if kind in ("ordinal", "binary"):
        levels.reverse()
    floor = 1 if kind == "binary" else criterion.passes_at
    shown = []
    for level in levels:
        by_line = floor is not None and level.value >= floor
        passes = by_line or level.value in criterion.passing
        shown.append(f"**{level.name}**" if passes else level.name)

    assert re.findall(r"`(\w+)`", inputs) == list(entry.rubric.inputs)
    assert scale == f"{kind}: {', '.join(shown)}"
    assert re.findall(r"`(\w+)`", raters) == list(entry.raters)


def test_the_page_on_labels_says_that_they_are_demonstrations() -> None:
    """Who wrote them, and what they are not good for, in as many words."""
    assert "demonstration" in LABELS
    assert "not collected from people" in LABELS
    assert "certify nothing" in LABELS


@pytest.mark.parametrize("page", [GALLERY / "README.md", GALLERY / "labels" / "README.md"])
def test_links_lead_somewhere(page: Path) -> None:
    """Every link of the two pages names a file that is there."""
    targets = re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))

    assert targets
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.slow
def test_the_commands_run(tmp_path: Path) -> None:
    """One after the other in one shell, from the top of a checkout; the stub is refused."""
    shutil.copytree(GALLERY, tmp_path / "rubrics")
    blocks = re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    assert len(blocks) == 4
    with StubServer() as server:
        done = subprocess.run(
            ["bash", "-e", "-c", "".join(blocks).replace(ADDRESS, server.base_url)],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert f"No violations in {len(RUBRICS)} files" in done.stdout
    for told in ("NOT CALIBRATED", "demonstration: written for this example"):
        assert done.stdout.count(told) == 3
