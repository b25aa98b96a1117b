"""The reader on recorded replies of real judges, against what their authors read.

The recordings live beside the repository and are not part of it; without them these tests skip.
``benchmarks/reading.py --list`` prints every difference.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.reading import SETS, Row, outcome
from judgekit.judging.reading import read_text
from tests.judging.reading.cases import scale

pytestmark = pytest.mark.slow

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"

# In these the authors' pattern, which takes any "Output (a) is better." for A, met a remark on one
# aspect before the conclusion for B.
ASPECT_FIRST = {("Falcon/CoT", "Natural-074 AB"), ("Falcon/CoT", "Neighbor-023 BA")}
# For this judge the authors took the first line that begins with "Output (a)", so a reply that
# opens with "Output (b) is better." and goes on with a line about Output (a) became an A.
FIRST_LINE_JUDGE = "PaLM2/CoT"

# Every reasoned reply of llmbar that its authors read and the reader does not.
UNREAD = {
    ("ChatGPT/CoT", "GPTInst-051 BA"): "truncated",  # ends in "Therefore, Output (a)"
    ("ChatGPT-0301/CoT", "Neighbor-027 BA"): "out_of_scale",  # "neither ... is better"
    ("LLaMA2/CoT", "GPTInst-012 BA"): "unreadable",  # breaks off in the middle of a sentence
    ("LLaMA2/CoT", "GPTInst-082 BA"): "refused",
    ("PaLM2/CoT", "Natural-035 BA"): "contradictory",  # better is first one, then the other
    ("PaLM2/CoT", "GPTInst-003 AB"): "contradictory",
    ("PaLM2/CoT", "GPTInst-086 AB"): "contradictory",
    ("Falcon/CoT", "Natural-007 AB"): "contradictory",
    ("Falcon/CoT", "GPTInst-026 BA"): "contradictory",
}
# The only step reply that is not read: "(score of 1)", "(score of 3)", "Usefulness: 3".
UNREAD_STEP = "conala-153-best-tranx-rerank"


@pytest.fixture(scope="module")
def rows() -> dict[str, list[Row]]:
    """Every recorded reply by its set."""
    found: dict[str, list[Row]] = {}
    for read in SETS:
        for row in read(DATA):
            found.setdefault(row.group, []).append(row)
    if not found:
        pytest.skip("the recorded replies are not beside this checkout")
    return found


def those(rows: list[Row], kind: str) -> list[Row]:
    """Return the rows of one outcome."""
    return [row for row in rows if outcome(row) == kind]


def test_every_plain_reply_of_llmbar_reads_as_its_authors_read_it(
    rows: dict[str, list[Row]],
) -> None:
    """No plain reply is read otherwise, and each that the authors could read is read."""
    plain = rows["llmbar plain"]

    assert len(plain) > 10_000
    assert Counter(map(outcome, plain)).keys() == {"same", "neither"}


def test_what_the_authors_could_not_read_is_unjudged(rows: dict[str, list[Row]]) -> None:
    """Empty, refused and broken-off replies and calls for a tie have a cause, and no level."""
    unread = [r for g in ("llmbar plain", "llmbar reasoned") for r in rows[g] if r.authors is None]
    causes = Counter(row.reading.cause for row in unread)

    assert those(unread, "more") == []
    assert causes["empty"] == sum(not row.raw.strip() for row in unread)
    assert causes["refused"] == 3
    assert set(causes) <= {"empty", "refused", "unreadable", "out_of_scale", "truncated"}


def test_reasoned_replies_of_llmbar_read_as_they_conclude(rows: dict[str, list[Row]]) -> None:
    """Every difference from the authors' reading is one of theirs, listed or shown to be so."""
    reasoned = rows["llmbar reasoned"]
    slips = those(reasoned, "slips")
    first_line = [row for row in slips if row.judge == FIRST_LINE_JUDGE]

    assert len(reasoned) > 5_000
    assert those(reasoned, "wrong") == []
    assert {(row.judge, row.key) for row in slips if row not in first_line} == ASPECT_FIRST
    for row in first_line:  # it opens with one side, never calls the other one better
        said = set(re.findall(r"Output \((a|b)\) is better", row.raw))
        assert {side.upper() for side in said} == {row.here}, row


def test_nearly_all_reasoned_replies_of_llmbar_are_read(rows: dict[str, list[Row]]) -> None:
    """All but nine of what the authors could read is read, and each of the nine has its cause."""
    unread = those(rows["llmbar reasoned"], "unread")

    assert {(row.judge, row.key): row.reading.cause for row in unread} == UNREAD


def test_rating_replies_of_llmbar(rows: dict[str, list[Row]]) -> None:
    """A number of the scale is that level, 10 is off a scale of 0 to 9, a filter is a filter."""
    ratings = rows["llmbar ratings"]

    assert Counter(map(outcome, ratings)).keys() == {"same", "neither"}
    assert Counter(row.reading.cause for row in ratings if row.reading.cause) == {
        "out_of_scale": sum(row.raw == "10" for row in ratings),
        "filtered": sum(row.raw == "" for row in ratings),
    }


def test_number_replies_of_ice_score(rows: dict[str, list[Row]]) -> None:
    """Each reply that is a number reads as it; the four without a number abstain."""
    numbers = rows["ice_conala numbers"]

    assert len(numbers) == 5_000
    assert Counter(map(outcome, numbers)) == {"same": 4_996, "neither": 4}
    assert {row.reading.cause for row in those(numbers, "neither")} == {"abstained"}


def test_step_replies_of_ice_score(rows: dict[str, list[Row]]) -> None:
    """No step reply is read as another grade than its last line or sentence gives."""
    steps = rows["ice_conala steps"]

    assert len(steps) == 5_000
    assert those(steps, "wrong") == []
    assert [row.key for row in those(steps, "unread")] == [UNREAD_STEP]
    for row in those(steps, "more"):  # what the plain pattern has no word for, and the reader has
        assert re.search(rf"(?:scores|rated|as) (?:a )?{row.here}(?: for usefulness)?\.", row.raw)


# What the odd replies without a reference say: "rated (as) 3", "the usefulness ... is 0", and the
# ones that have no code to judge.
ODD = {
    "conala-491-best-tranx-rerank": "3",
    "conala-399-best-tranx": "3",
    "conala-243-baseline": "0",
    "conala-180-baseline": None,
    "conala-293-baseline": None,
    "conala-419-tranx-annot": None,
}


def test_the_replies_set_aside_as_odd(rows: dict[str, list[Row]]) -> None:
    """The odd replies collected beside the recordings are read as they say, or not at all."""
    for row in rows["ice_conala odd"]:
        expected = ODD[row.key] if row.authors is None else row.authors
        assert row.here == expected, row
    assert [row.here for row in rows["llmbar odd"] if row.here is not None] == []


PAIR_TIE = scale("pairwise", (1, "1"), (2, "2"), (0, "tie"))


def recorded(folder: str) -> list[dict[str, Any]]:
    """Return the recorded judgments of a folder, or skip."""
    path = DATA / folder / "judgments.jsonl"
    if not path.is_file():
        pytest.skip(f"the recorded replies of {folder} are not beside this checkout")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def test_the_reasons_of_pandalm_never_speak_against_their_verdict(
    rows: dict[str, list[Row]],
) -> None:
    """A reason read without its verdict names the same side, or none.

    The two exceptions are reasons that do speak for the other side; the model erred.
    """
    reasons = rows["pandalm reasons"]

    assert those(reasons, "wrong") == []
    assert len(those(reasons, "same")) > 700
    assert len(those(reasons, "slips")) == 2


@pytest.mark.parametrize(
    "form",
    [
        "{verdict}",
        "{verdict}\n\n### Reason: {reason}\n\n### Reference: none",
        "Verdict: {verdict}\nReason: {reason}",
        "{reason}\n\nVerdict: {verdict}",
    ],
)
def test_the_replies_of_pandalm_put_together_again(form: str) -> None:
    """A verdict with its reason reads as the verdict; two reasons contradict theirs."""
    verdicts = {"1": 0, "2": 1, "0": 2, "Tie": 2}
    replies = [(form.format(**row), verdicts.get(str(row["score"]))) for row in recorded("pandalm")]
    read = [(read_text(text, PAIR_TIE), level) for text, level in replies]

    assert [level for reading, level in read if reading.level not in {None, level}] == []
    assert sum(level is not None and reading.level is None for reading, level in read) <= 2


def test_other_sets_hold_no_replies() -> None:
    """The two other folders hold no reply text, so there is nothing to read in them."""
    for folder in ("agent_as_judge", "llm_rubric_real"):
        assert {row.get("raw") for row in recorded(folder)} == {None}
