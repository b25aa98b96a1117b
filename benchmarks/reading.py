"""How well does the reader read recorded replies of real judges?

Run from the repository: ``python benchmarks/reading.py [--data DIR] [--list]`` (half a minute).

For each set of recorded replies and each judge it prints how many replies there are, how many the
authors of the set could read, how many of those are read here, how many are read otherwise, and
what becomes of the rest. ``slips`` are differences where the reply itself says outright what is
read here, by a plain pattern that shares nothing with the reader: there the authors' program
erred. ``wrong`` are all others. ``--list`` prints every difference with its reason.

The bar: nothing wrong among llmbar's plain replies, less than 0.3% among its reasoned replies and
among the step replies of ice_conala, and at least 99% read of what the authors could read.

The recordings are not part of the repository. ``--data`` says where they are; by default they are
looked for in ``shared/data`` beside the checkout.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from judgekit.judging.reading import Reading, read_text
from judgekit.rubric.scale import Kind, Level, Scale

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


class Row(NamedTuple):
    """One recorded reply: what it was read as, what its authors read, and what it plainly says."""

    group: str
    judge: str
    key: str
    raw: str
    reading: Reading
    here: str | None
    authors: str | None
    plain: str | None


def scale(kind: Kind, *levels: tuple[int | str, str]) -> Scale:
    """Return a scale of levels, each a value and a name."""
    return Scale(kind=kind, levels=tuple(Level(value=v, name=n, definition=n) for v, n in levels))


PAIR = scale("pairwise", ("A", "A"), ("B", "B"))
PAIR_TIE = scale("pairwise", (1, "1"), (2, "2"), (0, "tie"))
NINE = scale("ordinal", *((n, str(n)) for n in range(10)))
USEFUL = scale("ordinal", *((n, str(n)) for n in range(5)))

PREFERS = re.compile(r"(?:^|(?<=[.!?] )|(?<=\n)|(?<=Therefore, ))Output \((a|b)\) is better")
CONCLUDES = re.compile(r"Therefore, Output \((a|b)\) is better\.")
LINE = re.compile(r"(?i)usefulness(?: score)?\s*:\s*(\d)\b")
SENTENCE = re.compile(
    r"(?i)\b(?:score|usefulness|rated?)\b[^.\n]{0,90}?"
    r"(?:\bis|\bof|\bas|\bfor usefulness:|:|\brated)\s+(\d)(?!\d|\.\d)\b"
)


def preferred(raw: str) -> str | None:
    """Return the one side that a reply calls better, or the side it concludes with."""
    said = {side.upper() for side in PREFERS.findall(raw)}
    if len(said) == 1:
        return said.pop()
    concluded = CONCLUDES.findall(raw)
    return concluded[-1].upper() if concluded else None


def grade_in(raw: str) -> str | None:
    """Return what a plain pattern finds in a step reply: its last line, else its last sentence."""
    lines = LINE.findall(raw)
    if lines:
        return str(lines[-1])
    text = re.sub(r"`[^`]*`", "", raw)
    found = [SENTENCE.findall(line)[-1] for line in text.split("\n") if SENTENCE.search(line)]
    return str(found[-1]) if found else None


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a JSONL file; none where it is absent."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def llmbar(data: Path) -> Iterator[Row]:
    """The replies of LLMBar; a side is named in the order the outputs were shown in."""
    for row in rows_of(data / "llmbar" / "judgments.jsonl"):
        raw, order = row["raw"], row.get("order")
        on = PAIR if order else NINE
        reading = read_text(raw, on, finish=row["finish"] or None)
        here = None if reading.level is None else str(on.values[reading.level])
        if order:
            authors = row["score"] and order[int(row["score"]) - 1]
            group = "llmbar reasoned" if "CoT" in row["judge"] else "llmbar plain"
            plain = preferred(raw)
        else:
            group, plain = "llmbar ratings", None
            authors = raw if raw in {str(n) for n in range(10)} else None
        key = f"{row['item_id']} {order or row.get('target', '')}"
        yield Row(group, row["judge"], key, raw, reading, here, authors, plain)


def ice_conala(data: Path) -> Iterator[Row]:
    """The replies of ICE-Score. Their authors published no readings: a plain pattern stands in."""
    for row in rows_of(data / "ice_conala" / "judgments.jsonl"):
        raw = row["raw"]
        reading = read_text(raw, USEFUL)
        here = None if reading.level is None else str(reading.level)
        steps = "with_step" in row["judge"]
        authors = grade_in(raw) if steps else raw if raw.isdigit() else None
        group = "ice_conala steps" if steps else "ice_conala numbers"
        yield Row(group, row["judge"], row["item_id"], raw, reading, here, authors, None)


def pandalm(data: Path) -> Iterator[Row]:
    """The reasons of PandaLM, which the authors cut off their verdicts; few name a side."""
    verdicts = {"1": "1", "2": "2", "0": "0", "Tie": "0"}
    for row in rows_of(data / "pandalm" / "judgments.jsonl"):
        raw = row["reason"] or ""
        reading = read_text(raw, PAIR_TIE)
        here = None if reading.level is None else str(PAIR_TIE.values[reading.level])
        authors = verdicts.get(str(row["score"]))
        said = re.findall(r"Response ([12]) is better", raw)
        plain = said[0] if len(set(said)) == 1 else None
        yield Row(
            "pandalm reasons", row["judge"], row["item_id"], raw, reading, here, authors, plain
        )


def odd(data: Path) -> Iterator[Row]:
    """The replies set aside as odd beside the recordings, with a reference where there is one."""
    for name, on in (("llmbar", PAIR), ("ice_conala", USEFUL)):
        for row in rows_of(data / name / "weird_raw.jsonl"):
            reference = re.search(r"ref=(\w)", row["why"])
            reading = read_text(row["raw"], on)
            here = None if reading.level is None else str(on.values[reading.level])
            authors = reference[1] if reference else None
            plain = preferred(row["raw"]) if on is PAIR else grade_in(row["raw"])
            yield Row(
                f"{name} odd",
                row["judge"],
                row["item_id"],
                row["raw"],
                reading,
                here,
                authors,
                plain,
            )


SETS: tuple[Callable[[Path], Iterator[Row]], ...] = (llmbar, ice_conala, pandalm, odd)


def outcome(row: Row) -> str:
    """Return which column of the table a reply is counted in."""
    if row.here is None:
        return "unread" if row.authors is not None else "neither"
    if row.authors is None:
        return "more"
    if row.here == row.authors:
        return "same"
    return "slips" if row.here == row.plain else "wrong"


def show(rows: list[Row]) -> None:
    """Print one line for each set and judge."""
    print(
        f"{'set':20}{'judge':36}{'replies':>8}{'authors':>8}{'read':>7}{'slips':>6}{'wrong':>6}"
        "  the rest"
    )
    tables: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        tables[row.group, row.judge].append(row)
    for (group, judge), members in tables.items():
        count = Counter(map(outcome, members))
        causes = Counter(row.reading.cause for row in members if row.reading.cause)
        readable = sum(row.authors is not None for row in members)
        rest = ", ".join(f"{cause} {n}" for cause, n in causes.most_common())
        more = f"; {count['more']} that the authors did not read" if count["more"] else ""
        read = readable - count["unread"]
        print(
            f"{group:20}{judge:36}{len(members):8}{readable:8}{read:7}{count['slips']:6}"
            f"{count['wrong']:6}  {rest}{more}"
        )


def listing(rows: list[Row]) -> None:
    """Print each reply that is read otherwise than by its authors, or not at all."""
    for row in rows:
        kind = outcome(row)
        if kind in {"slips", "wrong", "unread"}:
            theirs = f"its authors took {row.authors}"
            why = {
                "slips": f"says outright {row.plain}; {theirs}",
                "wrong": f"read as {row.here}; {theirs}",
                "unread": f"{row.reading.cause}: {row.reading.detail}; {theirs}",
            }[kind]
            said = " ".join(row.raw.split())
            short = said if len(said) <= 240 else f"{said[:80]} ... {said[-150:]}"
            print(f"\n{kind}: {row.group}, {row.judge}, {row.key}\n  {why}\n  {short}")


def main() -> int:
    """Read the recordings and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of recorded replies")
    parser.add_argument("--list", action="store_true", help="print every difference")
    options = parser.parse_args()
    rows = [row for read in SETS for row in read(options.data)]
    if not rows:
        print(
            f"No recorded replies under {options.data}; --data says where they are.",
            file=sys.stderr,
        )
        return 2
    show(rows)
    if options.list:
        listing(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
