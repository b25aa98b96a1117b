"""The reader on recorded replies of real judges, against what their authors read.

The recordings live beside the repository and are not part of it; without them these tests skip.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from judgekit.judging.reading import Reading, read_text
from tests.judging.reading.cases import SCALES, scale

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
NINE = scale("ordinal", *((n, str(n)) for n in range(10)))
PAIR, USEFUL = SCALES["pair"], SCALES["useful"]

# Read and judged by hand, one by one: in these the authors' pattern, which takes any
# "Output (a) is better." for A, met a remark on one aspect before the conclusion for B.
JUDGED = {
    ("Falcon/CoT", "Natural-074", "AB"): "B",
    ("Falcon/CoT", "Neighbor-023", "BA"): "B",
}
# For this judge the authors took the first line that begins with "Output (a)", so a reply that
# opens with "Output (b) is better." and goes on with a line about Output (a) became an A.
FIRST_LINE_JUDGE = "PaLM2/CoT"
PREFERS = re.compile(r"(?:^|(?<=[.!?] )|(?<=\n)|(?<=Therefore, ))Output \((a|b)\) is better")


class Row(NamedTuple):
    """One recorded reply: how it was read, and what the authors read in the shown order."""

    key: tuple[str, str, str]
    raw: str
    reading: Reading
    authors: str | None


def recorded(folder: str) -> list[dict[str, Any]]:
    """Return the recorded judgments of a folder, or skip."""
    path = DATA / folder / "judgments.jsonl"
    if not path.is_file():
        pytest.skip(f"the recorded replies of {folder} are not beside this checkout")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


@pytest.fixture(scope="module")
def llmbar() -> list[Row]:
    """The pairwise replies of LLMBar, in the order the outputs were shown in."""
    rows = []
    for row in recorded("llmbar"):
        if row.get("order") is None:
            continue
        authors = row["score"]
        if authors is not None:
            shown = "AB" if row["order"] == "AB" else "BA"
            authors = shown[int(authors) - 1]
        reading = read_text(row["raw"], PAIR, finish=row["finish"] or None)
        rows.append(Row((row["judge"], row["item_id"], row["order"]), row["raw"], reading, authors))
    return rows


def level(reading: Reading) -> str | None:
    """Return the side a reading names."""
    return None if reading.level is None else "AB"[reading.level]


def test_every_plain_reply_of_llmbar_reads_as_its_authors_read_it(llmbar: list[Row]) -> None:
    """No plain reply is read wrongly, and each that the authors could read is read."""
    plain = [row for row in llmbar if "CoT" not in row.key[0]]

    assert len(plain) > 10_000
    assert [row.key for row in plain if level(row.reading) != row.authors] == []


def test_what_the_authors_could_not_read_is_unjudged(llmbar: list[Row]) -> None:
    """Empty, refused and broken-off replies and calls for a tie have a cause, and no level."""
    unread = [row for row in llmbar if row.authors is None]
    causes = Counter(row.reading.cause for row in unread)

    assert [row.key for row in unread if row.reading.level is not None] == []
    assert causes["empty"] == sum(not row.raw.strip() for row in unread)
    assert causes["refused"] == 3
    assert set(causes) <= {"empty", "refused", "unreadable", "out_of_scale", "truncated"}


def test_reasoned_replies_of_llmbar_read_as_they_conclude(llmbar: list[Row]) -> None:
    """Every difference from the authors' reading is one of theirs, listed or shown to be so."""
    reasoned = [row for row in llmbar if "CoT" in row.key[0] and row.authors is not None]
    differ = {
        row.key: level(row.reading)
        for row in reasoned
        if row.reading.level is not None and level(row.reading) != row.authors
    }
    first_line = {key: side for key, side in differ.items() if key[0] == FIRST_LINE_JUDGE}
    stated = {
        row.key: {side.upper() for side in PREFERS.findall(row.raw)}
        for row in reasoned
        if row.key in first_line
    }

    assert {key: side for key, side in differ.items() if key not in first_line} == JUDGED
    assert stated == {key: {side} for key, side in first_line.items()}


def test_nearly_all_reasoned_replies_of_llmbar_are_read(llmbar: list[Row]) -> None:
    """At least 99.5% of what the authors could read is read; the rest has one of these causes."""
    readable = [row for row in llmbar if "CoT" in row.key[0] and row.authors is not None]
    unread = [row for row in readable if row.reading.level is None]

    assert len(unread) <= 0.005 * len(readable)
    assert {row.reading.cause for row in unread} <= {
        "contradictory", "out_of_scale", "refused", "truncated", "unreadable",
    }  # fmt: skip


def test_rating_replies_of_llmbar() -> None:
    """A number of the scale is that level, 10 is off a scale of 0 to 9, a filter is a filter."""
    rows = [row for row in recorded("llmbar") if row.get("order") is None]
    read = [read_text(row["raw"], NINE, finish=row["finish"]) for row in rows]
    wrong = [
        row["raw"]
        for row, reading in zip(rows, read, strict=True)
        if reading.level is not None and row["raw"] != str(reading.level)
    ]

    assert wrong == []
    assert Counter(reading.cause for reading in read if reading.cause) == {
        "out_of_scale": sum(row["raw"] == "10" for row in rows),
        "filtered": sum(row["raw"] == "" for row in rows),
    }


LINE = re.compile(r"(?i)usefulness(?: score)?\s*:\s*(\d)\b")
SENTENCE = re.compile(
    r"(?i)\b(?:score|usefulness|rated?)\b[^.\n]{0,90}?"
    r"(?:\bis|\bof|\bas|\bfor usefulness:|:|\brated)\s+(\d)(?!\d|\.\d)\b"
)


def grade_in(raw: str) -> int | None:
    """Return what a plain pattern finds in a step reply: its last line, else its last sentence."""
    lines = LINE.findall(raw)
    if lines:
        return int(lines[-1])
    text = re.sub(r"`[^`]*`", "", raw)
    found = [SENTENCE.findall(line)[-1] for line in text.split("\n") if SENTENCE.search(line)]
    return int(found[-1]) if found else None


def test_number_replies_of_ice_score() -> None:
    """Each reply that is a number reads as it; the four without a number abstain."""
    rows = [row["raw"] for row in recorded("ice_conala") if "no_step" in row["judge"]]
    read = {raw: read_text(raw, USEFUL) for raw in rows}

    assert len(rows) == 5_000
    assert [raw for raw in rows if raw.isdigit() and read[raw].level != int(raw)] == []
    assert {read[raw].cause for raw in rows if not raw.isdigit()} == {"abstained"}


def test_step_replies_of_ice_score() -> None:
    """No step reply is read as another grade than its last line or sentence gives."""
    rows = [row["raw"] for row in recorded("ice_conala") if "with_step" in row["judge"]]
    read = {raw: read_text(raw, USEFUL).level for raw in rows}
    plain = {raw: grade_in(raw) for raw in rows}
    readable = [raw for raw in rows if plain[raw] is not None]

    assert [raw for raw in readable if read[raw] is not None and read[raw] != plain[raw]] == []
    assert sum(read[raw] is None for raw in readable) <= 0.002 * len(readable)
    for raw in rows:  # what the pattern has no word for, and the reader has
        if plain[raw] is None and read[raw] is not None:
            assert re.search(rf"(?:scores|rated|as) (?:a )?{read[raw]}(?: for usefulness)?\.", raw)


# What the odd replies without a reference say: "rated (as) 3", no code to judge, and one whose
# "the usefulness of this snippet is 0" has no form of an answer that the reader knows.
ODD = {
    "conala-491-best-tranx-rerank": 3,
    "conala-399-best-tranx": 3,
    "conala-180-baseline": None,
    "conala-293-baseline": None,
    "conala-419-tranx-annot": None,
    "conala-243-baseline": None,
}


def test_the_replies_set_aside_as_odd() -> None:
    """The odd replies collected beside the recordings are read as they say, or not at all."""
    path = DATA / "ice_conala" / "weird_raw.jsonl"
    if not path.is_file():
        pytest.skip("the odd replies are not beside this checkout")
    odd = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    for row in odd:
        reference = re.search(r"ref=(\d)", row["why"])
        said = int(reference[1]) if reference else ODD[row["item_id"]]
        assert read_text(row["raw"], USEFUL).level == said, row


def test_the_reasons_of_pandalm_never_speak_against_their_verdict() -> None:
    """A reason read without its verdict names the same side, or none.

    The two exceptions are reasons that do speak for the other side; the model erred.
    """
    tie = scale("pairwise", (1, "1"), (2, "2"), (0, "tie"))
    rows = [row for row in recorded("pandalm") if row["reason"]]
    verdicts = {"1": 0, "2": 1, "0": 2, "Tie": 2}
    read = [(row, read_text(row["reason"], tie)) for row in rows]
    against = [
        row["reason"]
        for row, reading in read
        if reading.level is not None and reading.level != verdicts.get(str(row["score"]))
    ]

    assert sum(reading.level is not None for _, reading in read) > 700
    assert len(against) == 2
    assert all("Response 2 is better" in reason for reason in against)
