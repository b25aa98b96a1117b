"""False alarms and misses of the linter on rubrics of other tools, by the verdicts of a reader.

python benchmarks/foreign_rubrics.py FOLDER [--verdicts FILE] [--half dev|held-back|later] [--list]
python benchmarks/foreign_rubrics.py --tools
python benchmarks/foreign_rubrics.py --judged [--half dev|held-back|later]

Every file in FOLDER that ``judgekit rubric import`` reads is imported and linted. With ``--tools``
the files are those that come with the tools' own packages, which are installed into a folder of
their own; none of their code is run. What the reader said of each finding is looked up in the
verdict file: JSON lines with the digest of the foreign file, the rule, and the digest of the line
it was found in, so that the verdicts hold no foreign text. ``--list`` prints each finding with its
key.

``--judged`` prints the verdicts alone: what was found when the files were read. For the
held-back half that is before anything was changed for what is in it.

A line {"file", "half", "tool"} names a judged file. A line {"file", "code", "line", "verdict",
"times"} says of a finding that it is ``true``, a false alarm (``false``) or ``debatable``, or of a
fault that the linter did not name it when the file was read (``missed``). A fault counts as missed
as long as no finding of its rule stands in its line.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from judgekit.api.rubric_import import ImportedRubric, import_rubric
from judgekit.errors import InputError
from judgekit.stats.estimate import Undefined
from judgekit.stats.proportions import wilson

VERDICTS = Path(__file__).parent / "foreign_verdicts.jsonl"
TOOLS = ("autorubric==1.6.1", "prometheus-eval==0.1.20", "mlflow==3.18.0")
FROM_TOOLS = (
    "autorubric/meta/data/*.json",
    "prometheus_eval/prompts.py",
    "mlflow/assistant/skills/tests/judges/*.py",
    "mlflow/demo/generators/judges.py",
    "mlflow/genai/discovery/pipeline.py",
)
PARTS = ("AN05", "RB06", "SC02", "SC08", "SC17", "SC20")
"""Rules that name a part which is not there; the others judge the words that are."""

_KEY = re.compile(r"\s*(?:- )?[a-z_]+:(?:\s|$)")


class Key(NamedTuple):
    """Where a finding stands: digests of the file and of the line, and the rule."""

    file: str
    code: str
    line: str


class Seen(NamedTuple):
    """A linted file: its digest, its path, what came of the import."""

    digest: str
    path: Path
    result: ImportedRubric

    def found_at(self) -> list[Key]:
        """Return the key of each finding."""
        lines = self.result.text.split("\n")
        return [Key(self.digest, v.code, place(lines, v.line)) for v in self.result.found]


class Verdicts(NamedTuple):
    """What the reader said: half and tool of each file; what each finding is, and how often."""

    files: dict[str, tuple[str, str]]
    said: dict[Key, tuple[str, int]]

    def half(self, file: str) -> str | None:
        """Return the half a file is in; None for one that nobody judged."""
        return self.files[file][0] if file in self.files else None

    def of(self, key: Key) -> str:
        """Return what was said of a finding."""
        return self.said[key][0] if key in self.said else "not judged"


def digest(text: str | bytes) -> str:
    """Return 12 signs that stand for a text; blanks around it do not count."""
    raw = text.strip().encode() if isinstance(text, str) else text
    return hashlib.sha256(raw).hexdigest()[:12]


def place(lines: list[str], line: int) -> str:
    """Return the digest of a 1-based line; of the first one where a text of several goes on."""
    end = lines.index("---", 1) if "---" in lines[1:] else len(lines)
    at = line - 1
    while 0 < at < end and not _KEY.match(lines[at]):
        at -= 1
    return digest(lines[at])


def read_verdicts(path: Path) -> Verdicts:
    """Return what is in a verdict file."""
    files: dict[str, tuple[str, str]] = {}
    said: dict[Key, tuple[str, int]] = {}
    for line in path.read_text("utf-8").splitlines():
        told = json.loads(line)
        if "half" in told:
            files[told["file"]] = (told["half"], told["tool"])
        else:
            key = Key(told["file"], told["code"], told["line"])
            said[key] = (told["verdict"], told["times"])
    return Verdicts(files, said)


def imported(folder: Path, patterns: tuple[str, ...] = ("**/*",)) -> Iterator[Seen]:
    """Yield every file that can be imported; what is no grader is passed over."""
    found = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    for path in sorted(found):
        try:
            result = import_rubric(path)
        except InputError:
            continue
        yield Seen(digest(path.read_bytes()), path, result)


def installed(folder: Path) -> None:
    """Install the tools' packages into a folder, without what they need to run."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    subprocess.run([*command, "--target", str(folder), *TOOLS], check=True)


def main() -> None:
    """Import, lint, compare with the verdicts, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--tools", action="store_true", help="the files of the tools' packages")
    parser.add_argument("--verdicts", type=Path, default=VERDICTS)
    parser.add_argument("--half", choices=("dev", "held-back", "later"))
    parser.add_argument("--judged", action="store_true", help="print the verdicts alone")
    parser.add_argument("--list", action="store_true", help="print each finding with its key")
    given = parser.parse_args()
    verdicts = read_verdicts(given.verdicts) if given.verdicts.exists() else Verdicts({}, {})
    if given.judged:
        as_judged(verdicts, given.half)
        return
    if given.tools:
        with tempfile.TemporaryDirectory() as folder:
            installed(Path(folder))
            seen = list(imported(Path(folder), FROM_TOOLS))
    elif given.folder is not None:
        seen = list(imported(given.folder))
    else:
        parser.error("name a folder, or --tools")
    if given.half:
        seen = [one for one in seen if verdicts.half(one.digest) == given.half]
    if given.list:
        listed(seen, verdicts)
    else:
        report(seen, verdicts)


def listed(seen: list[Seen], verdicts: Verdicts) -> None:
    """Print each finding: its key, the verdict, and what it says."""
    for one in seen:
        print(f"# {one.digest} {one.result.tool} {one.path.name}")
        for key, v in zip(one.found_at(), one.result.found, strict=True):
            said = verdicts.of(key)
            print(f"{key.code} {key.line} {said:10} {v.line}:{v.column} {v.message}")


def as_judged(verdicts: Verdicts, half: str | None) -> None:
    """Print the tables from the verdicts alone: as it was when the files were read."""
    rules: dict[str, Counter[str]] = defaultdict(Counter)
    tools: dict[str, Counter[str]] = defaultdict(Counter)
    files = {f: tool for f, (part, tool) in verdicts.files.items() if half in (None, part)}
    for tool in files.values():
        tools[tool]["rubrics"] += 1
    for key, (said, times) in verdicts.said.items():
        if key.file in files:
            rules[key.code][said] += times
            tools[files[key.file]][said] += times
    _tables(rules, tools, ("rubrics",))


def report(seen: list[Seen], verdicts: Verdicts) -> None:
    """Print the tables by rule and by tool, and the shares."""
    rules: dict[str, Counter[str]] = defaultdict(Counter)
    tools: dict[str, Counter[str]] = defaultdict(Counter)
    for one in seen:
        tools[one.result.tool].update(
            rubrics=1, criteria=len(one.result.criteria), notes=len(one.result.lost)
        )
        for code, what in counted(one, verdicts):
            rules[code][what] += 1
            tools[one.result.tool][what] += 1
    _tables(rules, tools, ("rubrics", "criteria", "notes"))


def _tables(
    rules: dict[str, Counter[str]], tools: dict[str, Counter[str]], columns: tuple[str, ...]
) -> None:
    kinds = ("true", "false", "debatable", "not judged", "missed")
    _table("rule", rules, kinds)
    _table("tool", tools, (*columns, *kinds))
    words = {code: counts for code, counts in rules.items() if code not in PARTS}
    for name, group in (("all rules", rules), ("rules that judge words", words)):
        total: Counter[str] = sum(group.values(), Counter())
        judged = total["true"] + total["false"] + total["debatable"]
        print(f"{name}: false alarms {_share(total['false'], judged)} of the judged findings")
        print(f"{name}: debatable {_share(total['debatable'], judged)} of the judged findings")
        faults = total["true"] + total["missed"]
        print(f"{name}: missed {_share(total['missed'], faults)} of the faults")


def counted(one: Seen, verdicts: Verdicts) -> Iterator[tuple[str, str]]:
    """Yield the rule of each finding and of each fault that is not named, and what it counts as."""
    keys = one.found_at()
    for key in keys:
        said = verdicts.of(key)
        yield key.code, "true" if said == "missed" else said
    named = set(keys)
    for key, (said, _) in verdicts.said.items():
        if key.file == one.digest and said in ("missed", "true") and key not in named:
            yield key.code, "missed"


def _table(what: str, rows: dict[str, Counter[str]], columns: tuple[str, ...]) -> None:
    print(f"| {what} | {' | '.join(columns)} |")
    print("|---" * (len(columns) + 1) + "|")
    for name in sorted(rows):
        print(f"| {name} | {' | '.join(str(rows[name][column]) for column in columns)} |")
    print()


def _share(part: int, whole: int) -> str:
    found = wilson(part, whole)
    if isinstance(found, Undefined):
        return f"{part} of {whole}"
    return f"{part} of {whole}, {found.value:.1%} [{found.low:.1%}, {found.high:.1%}]"


if __name__ == "__main__":
    main()
