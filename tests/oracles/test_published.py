"""Published tables, measured again from the data beside the checkout."""

import csv
import json
import math
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from judgekit.stats import Estimate, Undefined, contingency, identity, kappa
from judgekit.stats.arrays import FloatArray, IntArray
from judgekit.stats.pairwise import NO_VERDICT, A, B, position_consistency
from judgekit.stats.scored import Kind, Scored, score_correlation, score_squared_error
from judgekit.stats.shares import share
from judgekit.stats.table import Pairs
from judgekit.stats.token_levels import expected_level

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
LEVELS = np.array([1.0, 2.0, 3.0, 4.0])


def folder(name: str) -> Path:
    """The folder of a data set, or a skip where it is absent."""
    if not (DATA / name).is_dir():
        pytest.skip(f"the data set {name} is not beside this checkout")
    return DATA / name


def judgments(name: str) -> Iterable[dict[str, Any]]:
    """Recorded judgments, row by row."""
    lines = (folder(name) / "judgments.jsonl").read_text(encoding="utf-8").splitlines()
    return map(json.loads, lines)


def labels(name: str) -> list[dict[str, str]]:
    """Human labels, row by row."""
    with (folder(name) / "labels.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def published(name: str) -> dict[str, Any]:
    """The figures the authors published."""
    meta = json.loads((folder(name) / "meta.json").read_text(encoding="utf-8"))
    values: dict[str, Any] = meta["published"]["values"]
    return values


def number(found: Estimate | Undefined) -> float:
    """The value, where there must be one."""
    assert isinstance(found, Estimate)
    return found.value


# --- LLM-Rubric: one criterion, scores of a judge with token probabilities ----------------------


def overall_satisfaction(row: str) -> Scored:
    """Human levels and one of the published baselines, for the criterion Q0."""
    human = {r["item_id"]: int(r["label"]) for r in labels("llm_rubric_real")}
    scores = {
        r["item_id"]: float(r["score"])
        for r in judgments("llm_rubric_real")
        if r["judge"].endswith(f"/{row}") and r["item_id"].endswith("|Q0")
    }
    return Scored(
        np.array([human[item] - 1 for item in scores]), np.array([*scores.values()]), LEVELS
    )


@pytest.mark.parametrize("row", ["argmax", "expected"])
def test_llm_rubric_to_six_decimals(row: str) -> None:
    """Root mean squared error, three correlations and the mean, as in the README of LLM-Rubric."""
    scored, expected = overall_satisfaction(row), published("llm_rubric_real")["Q0"][row]
    kinds: tuple[tuple[str, Kind], ...] = (
        ("pearson", "pearson"),
        ("spearman", "spearman"),
        ("kendall", "kendall_tau_b"),
    )

    assert len(scored.score) == 223
    assert round(number(score_squared_error(scored)), 6) == expected["rmse"]
    for name, kind in kinds:
        assert round(number(score_correlation(scored, kind)), 6) == expected[name]
    assert round(float(scored.score.mean()), 6) == expected["mean"]


def test_llm_rubric_expected_scores_from_the_probabilities() -> None:
    """The recorded expected scores are those of the recorded distributions (six digits each)."""
    recorded = {
        r["item_id"]: r["score"]
        for r in judgments("llm_rubric_real")
        if r["judge"].endswith("/expected")
    }
    names, checked = ["1", "2", "3", "4"], 0
    for row in judgments("llm_rubric_real"):
        if "probs" not in row:
            continue
        listed = [(name, math.log(p)) for name, p in zip(names, row["probs"], strict=True) if p > 0]
        found = expected_level(listed, names, LEVELS)

        assert found.value == pytest.approx(recorded[row["item_id"]], abs=1e-5)
        assert found.captured_mass == pytest.approx(1, abs=1e-5)
        checked += 1
    assert checked == 2007


# --- LLMBar: pairs, both orders ------------------------------------------------------------------


class Cell(NamedTuple):
    """Verdict codes of one judge on one subset: the right ones and those of both orders."""

    gold: IntArray
    ab: IntArray
    ba: IntArray


@cache
def llmbar() -> dict[str, Cell]:
    """Every judge that compares, on every subset."""
    code = {"1": A, "2": B, None: NO_VERDICT}
    gold = {r["item_id"]: code[r["label"]] for r in labels("llmbar")}
    cells: dict[str, dict[str, dict[str, int]]] = {}
    for row in judgments("llmbar"):
        if "order" in row:
            name = f"{row['item_id'].split('-')[0]}|{row['judge']}"
            verdicts = cells.setdefault(name, {}).setdefault(row["item_id"], {})
            verdicts[row["order"]] = code[row["score"]]
    return {
        name: Cell(
            np.array([gold[item] for item in verdicts]),
            np.array([both["AB"] for both in verdicts.values()]),
            np.array([both["BA"] for both in verdicts.values()]),
        )
        for name, verdicts in cells.items()
    }


def count(text: str) -> int:
    """The count in ``94 / 100 = 94.0%``."""
    return int(text.partition(" / ")[0])


def table_of(first: IntArray, second: IntArray) -> FloatArray:
    """The table of two verdicts, ties and unread answers included."""
    return contingency(first, second, 4)


def test_llmbar_counts() -> None:
    """In all 90 cells: right answers in both orders, and how often the orders agree.

    The authors count two unread answers as agreement of the orders; here they are none.
    """
    figures = published("llmbar")
    assert len(llmbar()) == 90
    for name, (gold, ab, ba) in llmbar().items():
        n, expected = gold.size, figures[name]
        for verdicts, key in ((ab, "correct_False"), (ba, "correct_True")):
            pairs = Pairs(gold, verdicts, 4, extra=1)
            right = share(pairs, pairs.human == pairs.judge, name="accuracy")
            assert number(right) == pytest.approx(count(expected[key]) / n)
        unread = int(((ab == NO_VERDICT) & (ba == NO_VERDICT)).sum())
        stays = number(position_consistency(ab, ba))
        assert stays == pytest.approx((count(expected["equal"]) - unread) / n)


def test_llmbar_kappa_of_the_orders() -> None:
    """Where every answer was read, kappa of the two orders is the published one."""
    checked = 0
    for name, (_, ab, ba) in llmbar().items():
        if NO_VERDICT in ab or NO_VERDICT in ba:
            continue
        found = kappa(table_of(ab, ba), identity(4))

        assert found == pytest.approx(published("llmbar")[name]["kappa_agreement"])
        checked += 1
    assert checked >= 60


def test_llmbar_kappa_with_the_right_answers() -> None:
    """0.878, not 0.264: the authors' code turned every "2" of the judge into a code of its own."""
    gold, ab, _ = llmbar()["Natural|GPT-4/CoT"]
    printed = published("llmbar")["Natural|GPT-4/CoT"]["kappa_False"]
    mistaken = np.where(ab == A, A, NO_VERDICT)

    assert kappa(table_of(gold, ab), identity(4)) == pytest.approx(0.878, abs=5e-4)
    assert kappa(table_of(gold, mistaken), identity(4)) == pytest.approx(printed)
    assert printed == pytest.approx(0.264, abs=5e-4)


# --- PandaLM: three annotators, ties --------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "three_digits", "printed"),
    [("1", "2", 0.852, "kappa_12"), ("1", "3", 0.879, "kappa_13"), ("2", "3", 0.862, "kappa_23")],
)
def test_pandalm_kappas(first: str, second: str, three_digits: float, printed: str) -> None:
    """Each pair of annotators on all 999 comparisons; the README has two digits."""
    ratings: dict[str, list[int]] = {}
    for row in labels("pandalm"):
        ratings.setdefault(row["annotator"].removeprefix("annotator"), []).append(int(row["label"]))
    table = contingency(ratings[first], ratings[second], 3)
    found = kappa(table, identity(3))
    assert isinstance(found, float)

    assert table.sum() == 999
    assert round(found, 3) == three_digits
    assert round(found, 2) == published("pandalm")[printed]
