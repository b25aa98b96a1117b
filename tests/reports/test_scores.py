"""What a person reads after ``score``, scored or refused, and of a certificate."""

import re
from typing import Any

import pytest

from judgekit.calibration.gate import Presented, admit
from judgekit.calibration.policy import Policy
from judgekit.calibration.scope import Scope
from judgekit.errors import GateRefusal, Reason
from judgekit.judging.judge import Judge
from judgekit.reports.certificate import certificate_lines
from judgekit.reports.scores import error_lines, refusal_lines, score_lines
from judgekit.scoring.score import score
from tests.calibration.make import DAY, GOOD, NOW, certificate, judge, judgments, rubric, table_rows

DIAGONAL = [[24 if i == j else 0 for j in range(5)] for i in range(5)]
COLOURS = [[40 if i == j else 0 for j in range(3)] for i in range(3)]


def lines_of(levels: Any, of: Judge | None = None, rows: Any = GOOD, **more: Any) -> list[str]:
    """The report of scoring these levels."""
    made = of or judge()
    calls = {n: more.pop(n) for n in ("asked", "cached", "cost_usd") if n in more}
    population = more.pop("population", "unknown")
    certified = admit(certificate(rows, made, **more), made, Policy(), NOW)
    said = judgments(made, levels, **calls)
    found = score(said, certified, population=population)
    return score_lines(found, said, dict(certified.certificates), out="scores.jsonl")


def masked(lines: list[str]) -> str:
    """The text, with the certificate's id left out."""
    return re.sub(r"certificate [0-9a-f]{6}", "certificate XXXXXX", "\n".join(lines))


def half(n: int) -> dict[str, Any]:
    """So many items, every second passing."""
    return {f"i{i}": i % 2 for i in range(n)}


def test_a_score() -> None:
    """The figure, what it is not, the tally, the certificate, what it cost."""
    said = {**half(1988), **{f"r{i}": "refused" for i in range(9)}, "u": "unreadable", "n": None}

    assert masked(lines_of(said, asked=600, cached=1399, cost_usd=0.412)) == SCORE


SCORE = """
tone: 50.0% pass, 95% interval 47.8 to 52.2 (uncorrected).
  uncorrected: what the judge alone says; how the labels were sampled is not
  stated, so the judge's known error cannot be carried over to other items; if
  they were drawn at random or by strata, calibrate with --sampling random or
  --sampling stratified.
  1,999 items: 1,988 judged, 1 not applicable, 10 not (9 refused, 1 unreadable)
  certificate XXXXXX, valid until 2027-02-28; rests on one rater
  1,999 replies, 1,399 of them cached, 0.41 USD
  one row for each item: scores.jsonl
""".strip()


def corrected(levels: Any, of: Judge | None = None, rows: Any = GOOD, **more: Any) -> list[str]:
    """The report of a corrected score, up to the tally."""
    lines = lines_of(levels, of, rows, **{"sampling": "random", "population": "same", **more})
    return lines[: next(i for i, line in enumerate(lines) if " judged" in line)]


def new(*counts: int) -> dict[str, int]:
    """So many new items at each level."""
    return {f"n{i}{n}": i for i, size in enumerate(counts) for n in range(size)}


def test_corrected_first() -> None:
    """The corrected figure, the judge's own below it, labelled so, the labels' own, the terms."""
    assert "\n".join(corrected(new(450, 550))) == CORRECTED
    shifted = corrected(new(280, 720), population="shifted")
    assert "\n".join(shifted) == SHIFTED


CORRECTED = """
tone: 55.3% pass, 95% interval 49.6 to 60.8 (corrected with 110 labels, same
  population).
  uncorrected      55.0% pass  (what the judge alone would say)
  labels alone     50.0% pass, 95% interval 40.8 to 59.2
  assumes that the labelled items were drawn at random from the population of
  the scored ones.
""".strip()
SHIFTED = """
tone: 77.9% pass, 95% interval 71.0 to 88.0 (corrected with 110 labels, shifted
  population).
  uncorrected      72.0% pass  (what the judge alone would say)
  assumes that the judge treats items of each human level as it did when it was
  calibrated; how many items there are of each level may differ.
""".strip()


def test_a_remark_stands_below_the_figures() -> None:
    """A judge that adds nothing, a mix that differs."""
    text = " ".join(corrected(new(2, 3)))

    assert "the judge adds nothing: with it, 110 labels are worth 1" in text
    assert "say --population shifted" in " ".join(" ".join(corrected(new(100, 900))).split())


def test_a_corrected_mean() -> None:
    """Ordinal without a pass line."""
    lines = corrected(new(40, 40, 40, 40, 40), judge(rubric("ordinal")), table_rows(DIAGONAL))

    assert lines[0].startswith("tone: mean level 3.00, 95% interval 2.")
    assert lines[2] == "  uncorrected      mean level 3.00  (what the judge alone would say)"
    assert lines[3].startswith("  labels alone     mean level 3.00, 95% interval ")


@pytest.mark.parametrize("population", ["same", "shifted"])
def test_corrected_shares(population: str) -> None:
    """Every level, the uncorrected share beside it."""
    lines = corrected(
        new(100, 120, 80), judge(rubric("nominal")), table_rows(COLOURS), population=population
    )
    text = " ".join(lines[:2])

    assert "share of each level, with 95% intervals (corrected with 120 labels, " in text
    assert [line.split()[0] for line in lines[2:5]] == ["red", "green", "blue"]
    assert lines[2].endswith("uncorrected 33.3%  (28.2 to 38.8)")


def test_what_is_asked_is_told() -> None:
    """A figure that could be corrected says what to state."""
    text = " ".join(" ".join(corrected(half(40), population="unknown")).split())

    assert text.startswith("tone: 50.0% pass, 95% interval 35.2 to 64.8 (uncorrected).")
    assert "say --population same, or --population shifted" in text


def test_a_mean() -> None:
    """Ordinal without a pass line."""
    said = {f"i{n}": n % 5 for n in range(20)}
    lines = lines_of(said, judge(rubric("ordinal")), table_rows(DIAGONAL))

    assert lines[0] == "tone: mean level 3.00, 95% interval 2.32 to 3.68 (uncorrected)."


def test_shares() -> None:
    """Words: every level, none left out."""
    said = {f"i{n}": n % 2 for n in range(20)}
    lines = lines_of(said, judge(rubric("nominal")), table_rows(COLOURS))

    assert lines[:4] == [
        "tone: share of each level, with 95% intervals (uncorrected).",
        "  red    50.0%  (29.9 to 70.1)",
        "  green  50.0%  (29.9 to 70.1)",
        "  blue   0%  (0 to 16.1)",
    ]


def test_withheld() -> None:
    """No figure in any form; why, and what to do."""
    text = masked(lines_of({**half(90), **{f"x{n}": "provider_error" for n in range(10)}}))

    assert text.startswith(
        "tone: no figure is given.\n"
        "  too_many_unjudged  90 of 100 items judged (10 provider_error); 95% are asked.\n"
        "                     run it again: only what failed is asked\n"
        "  100 items: 90 judged, 10 not (10 provider error)\n"
    )
    assert "pass" not in text
    assert "uncorrected" not in text


def test_withheld_by_scope() -> None:
    """The ways in which the items are unlike."""
    scope = Scope(items=110, length=(900, 1000, 1100), scripts={"HAN": 1.0}, levels=(0.5, 0.5))
    lines = lines_of(half(40), scope=scope)

    assert lines[0] == "tone: no figure is given."
    assert [line.split()[0] for line in lines if line.startswith("  out")] == ["out_of_scope"] * 2


def test_undefined() -> None:
    """A reason in words where there is no number."""
    lines = lines_of(dict.fromkeys("abc"))

    assert lines[0] == "tone: pass rate undefined (empty)."


@pytest.mark.parametrize(
    ("cost", "told"), [(None, "cost unknown"), (0.0, "0.00 USD"), (12.5, "12.50 USD")]
)
def test_what_it_cost(cost: float | None, told: str) -> None:
    """Unknown is not free."""
    assert f"  1 reply, 0 of them cached, {told}" in lines_of(half(40), asked=1, cost_usd=cost)


def test_stamps_are_told_beside_the_figure() -> None:
    """What a reader must know."""
    recorded = judge(recorded=True)
    text = " ".join(" ".join(lines_of(half(40), recorded, source="demonstration")).split())

    assert "rests on demonstration labels, not on independent raters" in text
    assert "the judge is declared by the rows, not observed" in text
    assert "rests on one rater" in text


def refused(*arguments: Any, **more: Any) -> str:
    """The text of a refusal at the gate."""
    with pytest.raises(GateRefusal) as caught:
        admit(*arguments, **more)
    return masked(refusal_lines(caught.value))


def test_refused() -> None:
    """Nothing was scored; every reason with its code, and the command that gets further."""
    changed = judge(parameters={"temperature": 1.0})

    assert refused(certificate(), changed, Policy(min_items=200), NOW + 200 * DAY) == REFUSED


REFUSED = """
Refused: nothing was scored.
  judge_changed    temperature was 0, is 1, since certificate XXXXXX
                   (2026-11-30).
                   judgekit calibrate tone --labels FILE
  expired          certificate XXXXXX ran out on 2027-02-28.
                   judgekit calibrate tone --labels FILE --refresh
  policy_stricter  labelled items: the policy now asks 200, certificate XXXXXX
                   shows 110.
                   judgekit calibrate tone --labels FILE
""".strip()


def test_long_codes_keep_the_columns() -> None:
    """The text of all reasons begins in one column."""
    shown = Presented(certificate(), None, ("its evidence file is missing",))

    lines = refused(shown, judge(), Policy(), NOW + 200 * DAY).split("\n")

    assert lines[1].startswith("  certificate_invalid  certificate ")
    assert lines[-2].startswith("  expired              certificate ")
    assert lines[-1].startswith("                       judgekit calibrate ")


def test_every_refusal_fits_the_screen() -> None:
    """Eighty columns for what is prose; commands stay whole."""
    long = "word " * 60
    refusal = GateRefusal([Reason("model_served_changed", long), Reason("x", long, "do " * 40)])

    lines = [line for line in refusal_lines(refusal) if "do do" not in line]

    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("levels", "of", "rows"),
    [
        (half(40), judge(name="a-judge-with-quite-a-long-name-indeed"), GOOD),
        ({f"i{n}": n % 5 for n in range(20)}, judge(rubric("ordinal")), table_rows(DIAGONAL)),
        ({f"i{n}": n % 3 for n in range(20)}, judge(rubric("nominal")), table_rows(COLOURS)),
        ({f"i{n}": "refused" for n in range(20)}, judge(), GOOD),
        ({}, judge(), GOOD),
        (dict.fromkeys("abc"), judge(rubric("nominal")), table_rows(COLOURS)),
    ],
)
def test_it_fits_the_screen_and_says_nothing_strange(levels: Any, of: Judge, rows: Any) -> None:
    """Eighty columns, no nan, no None."""
    for lines in (lines_of(levels, of, rows), certificate_lines(certificate(rows, of))):
        assert max(map(len, lines)) <= 80
        assert not re.search(r"\bnan\b|\bNone\b|-0\.00", "\n".join(lines))


def test_a_certificate() -> None:
    """Who was certified, the checks as at calibration, and the facts behind them."""
    made = certificate(look=2, sampling="random")
    lines = certificate_lines(made)

    assert lines[0] == "tone: certified (single-rater)."
    assert lines[1] == "  kappa 0.85, 95% interval 0.73 to 0.93, asked 0.60 or more."
    assert re.search(
        r"agreement \(low end\) +>= 0\.60 +0\.70 +\(look 2: 97\.5% bound\) +ok", "\n".join(lines)
    )
    assert f"  id        {made.id}" in lines
    assert "  model     openai/gpt-4.1-mini-2025-04-14, served by gpt-4.1-mini-2025-04-14" in lines
    assert "  labels    110 items, 1 rater, 110 cases, human" in lines
    assert "  issued    2026-11-30, holds until 2027-02-28" in lines


def test_what_a_model_did_not_take_is_noted() -> None:
    """Parameters left out stand in the certificate and are told."""
    made = certificate().model_copy(update={"parameters_left_out": ("temperature",)})

    assert certificate_lines(made)[-1].endswith("left out: temperature")


def test_an_error_keeps_its_lines() -> None:
    """Messages that hold lines of their own, and the way out below."""
    assert error_lines("a:1: one\na:2: two", "mend both") == ["a:1: one", "a:2: two", "mend both"]
    assert error_lines("one", None) == ["one"]
