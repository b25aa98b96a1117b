"""The pages are held to what they say: links lead somewhere, code runs, names and options exist."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import judgekit as jk
from judgekit import stats
from judgekit.cli.app import COMMANDS, build
from judgekit.reports.plan import rounded

ROOT = Path(__file__).resolve().parents[2]
STATISTICS = sorted((ROOT / "docs" / "statistics").glob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


class Block(NamedTuple):
    """A fenced block, and the text block right below it that holds what it prints."""

    language: str
    code: str
    prints: str | None
    line: int


def name_of(page: Path) -> str:
    """Return the path of a page as test ids show it."""
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path) -> list[Block]:
    """Return the fenced blocks of a page, each with its output where that follows."""
    text = page.read_text("utf-8")
    found = list(FENCE.finditer(text))
    blocks = []
    for i, match in enumerate(found):
        after = found[i + 1] if i + 1 < len(found) else None
        below = after is not None and after[1] == "text" and text[match.end() : after.start()]
        prints = after[2] if after is not None and below == "\n\n" else None
        line = text[: match.start()].count("\n") + 2
        blocks.append(Block(match[1], match[2], prints, line))
    return blocks


def prose_of(page: Path) -> str:
    """Return a page without its fenced blocks."""
    return FENCE.sub("", page.read_text("utf-8"))


def spans_of(page: Path) -> list[str]:
    """Return the code within sentences, with lines that were broken put together."""
    return [" ".join(span.split()) for span in CODE.findall(prose_of(page))]


def commands_of(page: Path) -> list[str]:
    """Return everything a page says to run."""
    lines = [line for block in blocks_of(page) for line in block.code.splitlines()]
    return [said.split("#")[0] for said in (*spans_of(page), *lines)]


@cache
def options_of(*command: str) -> frozenset[str]:
    """Return the options of a command; of a group, those of all its commands."""
    found: Any = build()
    for name in command:
        found = found.get_command(None, name)
        assert found is not None, f"no command is called judgekit {' '.join(command)}"
    own = {option for param in found.params for option in (*param.opts, *param.secondary_opts)}
    below = getattr(found, "commands", {}) if command else {}
    return frozenset(own | {"--help"}).union(*(options_of(*command, name) for name in below))


def slug(heading: str) -> str:
    """Return the anchor of a heading: its letters and digits, with hyphens for spaces."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def same(expected: str, found: str) -> bool:
    """Tell whether two outputs have the same words, and numbers that differ in the last digit."""
    if NUMBER.sub("#", expected).split() != NUMBER.sub("#", found).split():
        return False
    return all(
        abs(float(a) - float(b)) <= 1.5 * 10.0 ** -len(a.partition(".")[2])
        for a, b in zip(NUMBER.findall(expected), NUMBER.findall(found), strict=True)
    )


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a console block in a folder of its own, with the commands of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


CONSOLE = [
    pytest.param(block, id=f"{name_of(page)}:{block.line}")
    for page in STATISTICS
    for block in blocks_of(page)
    if block.language == "console" and "benchmarks/" not in block.code
]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file that is there, and a heading that is in it."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page

        assert file.exists(), f"{target}: no such file"
        if anchor and file.suffix == ".md":
            headings = re.findall(r"^#+ (.+)$", prose_of(file), re.MULTILINE)
            assert anchor in {slug(heading) for heading in headings}, f"{target}: no such heading"


@pytest.mark.filterwarnings("default::DeprecationWarning")
@pytest.mark.parametrize(
    "page",
    [p for p in STATISTICS if any(b.language == "python" for b in blocks_of(p))],
    ids=name_of,
)
def test_python_does_what_the_page_says(page: Path) -> None:
    """The blocks of a page run one after the other and print what stands below them."""
    namespace: dict[str, Any] = {"__name__": "page"}
    for block in blocks_of(page):
        if block.language != "python":
            continue
        printed = io.StringIO()
        code = compile("\n" * (block.line - 1) + block.code, str(page), "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)  # noqa: S102  (the page's own code)

        assert same(block.prints or "", printed.getvalue()), (
            f"line {block.line} prints\n{printed.getvalue()}"
        )


@pytest.mark.parametrize("block", CONSOLE)
def test_commands_do_what_the_page_says(block: Block, tmp_path: Path) -> None:
    """A console block succeeds, and each line below it is among what it prints, in order."""
    done = run(block.code, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr

    printed = iter(done.stdout.splitlines())
    for line in (block.prints or "").splitlines():
        assert any(same(line, shown) for shown in printed), f"{line!r} is not in\n{done.stdout}"


def test_every_public_name_is_on_a_page() -> None:
    """Whatever judgekit.stats offers is explained somewhere, and the map names nothing else."""
    spans = {span for page in STATISTICS for span in spans_of(page)}
    index = prose_of(ROOT / "docs" / "statistics" / "index.md")
    rows = re.findall(r"^\| (`.+?) \|", index.partition("## The map of methods")[2], re.MULTILINE)
    mapped = [name for row in rows for name in CODE.findall(row)]

    assert set(stats.__all__) - spans == set()
    assert sorted(mapped) == sorted(stats.__all__)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_and_options_exist(page: Path) -> None:
    """Each command a page names is one, and has each option the page gives it."""
    known = frozenset().union(*(options_of(name) for name in COMMANDS))
    for said in commands_of(page):
        for words in re.findall(r"^(?:\$ )?(?:\.venv/bin/)?judgekit ([a-z].*)", said):
            command, *rest = words.split()
            given = {word.partition("=")[0] for word in rest if re.match(r"--\w", word)}
            assert given <= options_of(command), f"{said}: no such option"
        if re.match(r"--\w", said):
            more = {"--quick", "--only", "--git"}
            assert said.split()[0] in known | more, f"{said}: no such option"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_benchmarks_exist(page: Path) -> None:
    """Each benchmark a page names is there and takes the options the page gives it."""
    for said in commands_of(page):
        for script, rest in re.findall(r"(benchmarks/\w+\.py)(.*)", said):
            text = (ROOT / script).read_text("utf-8")
            for option in re.findall(r"--\w+", rest):
                assert f'"{option}"' in text, f"{said}: no such option"
            for section in re.findall(r"--only ([a-z-]+)", rest):
                assert f'"{section}": (' in text, f"{said}: no such section"


def looks_in(text: str) -> dict[str, str]:
    """Return the rows of the two tables of looks, by what they are about."""
    kinds = (
        r"(?:no )?ledger[^|]*|first look only|one look[^|]*|(?:verdict|kappa|errors) \| \d+ \| \w+"
    )
    return dict(re.findall(rf"^\| ({kinds}) \| (.+%) \|$", text, re.MULTILINE))


def test_pages_agree_on_the_simulation_of_looks() -> None:
    """What the page on the gate repeats is what the page on coverage says."""
    folder = ROOT / "docs" / "statistics"
    told = looks_in((folder / "gate.md").read_text("utf-8"))

    assert len(told) == 6
    assert told.items() <= looks_in((folder / "coverage.md").read_text("utf-8")).items()


@pytest.mark.slow
def test_the_simulation_of_looks_prints_what_pages_say(tmp_path: Path) -> None:
    """A quick run is within four points (three and a half errors) of the long one in the page."""
    page = (ROOT / "docs" / "statistics" / "coverage.md").read_text("utf-8")
    done = run(f"python {ROOT / 'benchmarks' / 'looks.py'} --quick", tmp_path)
    told, found = looks_in(page), looks_in(done.stdout)

    assert done.returncode == 0, done.stderr
    assert told.keys() == found.keys()
    for row, shares in told.items():
        pairs = zip(NUMBER.findall(shares), NUMBER.findall(found[row]), strict=True)
        assert all(abs(float(a) - float(b)) <= 4 for a, b in pairs), row


@pytest.mark.long
def test_planned_numbers_are_those_of_the_commands() -> None:
    """The table of labels needed says what each of its commands says."""
    page = (ROOT / "docs" / "statistics" / "gate.md").read_text("utf-8")
    rows = re.findall(r"^\| `judgekit plan (.+?)` \| (?:about ([\d,]+)|none)", page, re.MULTILINE)
    assert len(rows) > 5

    for options, number in rows:
        words = iter(options.split())
        asked = {name.strip("-").replace("-", "_"): float(next(words)) for name in words}
        for name in ("levels", "passes_at"):
            if name in asked:
                asked[name] = int(asked[name])
        items = jk.plan(**asked).items  # type: ignore[arg-type]
        found = None if items is None else f"{rounded(items):,}"
        assert found == (number or None), options
