"""The JSON documents, key by key: other programs rely on them."""

import json
from typing import Any

import pytest

from judgekit.calibration.gate import admit
from judgekit.calibration.policy import Policy
from judgekit.errors import CertificateError, GateRefusal, LabelError, Problem, Reason, RubricError
from judgekit.judging.item import Item
from judgekit.reports.calibration_json import calibration_json
from judgekit.reports.documents import (
    certificate_json,
    error_json,
    refusal_json,
    scores_json,
)
from judgekit.reports.rows import score_rows, trial_rows
from judgekit.scoring.score import score
from tests.calibration.make import (
    GOOD,
    NOW,
    calibration,
    certificate,
    judge,
    judgments,
    rubric,
    table_rows,
)

ESTIMATE = {"metric", "value", "low", "high", "confidence", "n", "pairs", "method"}


def dumped(document: Any) -> Any:
    """The document as it arrives: strict JSON, no NaN."""
    return json.loads(json.dumps(document, allow_nan=False))


CASES = {
    "calibrated": calibration(GOOD),
    "not_calibrated": calibration(table_rows([[30, 20], [25, 35]])),
    "inconclusive": calibration(table_rows([[25, 3], [4, 28]], {"unreadable": 1})),
    None: calibration(table_rows([[40, 3], [4, 40]], {"provider_error": 10})),
}


@pytest.mark.parametrize("verdict", CASES)
def test_a_calibration(verdict: str | None) -> None:
    """Every promised key, in every outcome; further keys may come."""
    found = dumped(calibration_json(CASES[verdict]))
    (criterion,) = found["criteria"]

    assert found["format"] == "judgekit.calibration/1"
    assert found.keys() >= {
        "judge",
        "fingerprint",
        "verdict",
        "criteria",
        "certificates",
        "calls",
        "cost_usd",
    }
    assert found["verdict"] == criterion["verdict"] == verdict
    assert found["calls"] == {"asked": 0, "cached": 0, "failed": 0, "not_asked": 0}
    assert criterion.keys() >= {
        "criterion",
        "verdict",
        "agreement",
        "gate_agreement",
        "certificate",
        "confusion",
        "checks",
        "tally",
        "labels_needed",
    }
    for name in ("agreement", "gate_agreement"):
        assert criterion[name].keys() >= ESTIMATE
        assert criterion[name]["confidence"] == 0.95
        assert "undefined" not in criterion[name]
    assert criterion["confusion"].keys() >= {"levels", "table"}
    for check in criterion["checks"]:
        assert check.keys() >= {"name", "required", "observed", "passed"}
    assert criterion["tally"].keys() == {
        "items",
        "labelled",
        "judged",
        "paired",
        "unjudged",
        "set_aside",
    }
    tally = criterion["tally"]
    assert tally["items"] == tally["judged"] + sum(tally["unjudged"].values()) + sum(
        tally["set_aside"].values()
    )


def test_only_a_certified_judge_has_a_certificate() -> None:
    """Its path; null and an empty list otherwise."""
    for verdict, result in CASES.items():
        found = dumped(calibration_json(result))
        path = found["criteria"][0]["certificate"]

        assert (path is not None) is (verdict == "calibrated")
        assert found["certificates"] == ([path] if path else [])


def test_labels_needed() -> None:
    """A number where it is open, null elsewhere; null with a reason where no number helps."""
    needed = {
        v: dumped(calibration_json(r))["criteria"][0]["labels_needed"] for v, r in CASES.items()
    }
    hopeless = dumped(calibration_json(calibration(table_rows([[0, 0], [0, 50]]))))["criteria"][0]

    assert needed["inconclusive"] > 0
    assert [needed[v] for v in ("calibrated", "not_calibrated", None)] == [None] * 3
    assert hopeless["labels_needed"] is None
    assert "no label at all for bad" in hopeless["labels_needed_why"]


def test_undefined_is_null_with_its_reason() -> None:
    """Never NaN, never 0."""
    found = dumped(calibration_json(calibration(table_rows([[0, 0], [0, 50]]))))["criteria"][0]

    for name in ("agreement", "gate_agreement"):
        record = found[name]
        assert (record["value"], record["low"], record["high"]) == (None, None, None)
        assert record["undefined"] == "single_category"
        assert record["n"] == 50


def test_the_tables_rows_are_the_humans() -> None:
    """In scale order, with levels nobody used."""
    rows = table_rows([[0, 7, 0, 0, 0], [0] * 5, [0] * 5, [0] * 5, [0] * 5])
    found = dumped(calibration_json(calibration(rows, judge(rubric("ordinal")))))["criteria"][0]

    assert found["confusion"]["levels"] == [1, 2, 3, 4, 5]
    assert found["confusion"]["table"][0] == [0, 7, 0, 0, 0]


def test_unjudged_and_set_aside_by_name() -> None:
    """Causes and reasons are the keys."""
    result = calibration(table_rows([[40, 3], [4, 40]], {"refused": 2, "missing": 1}))

    assert dumped(calibration_json(result))["criteria"][0]["tally"]["unjudged"] == {
        "missing": 1,
        "refused": 2,
    }


def scored(levels: Any, rows: Any = GOOD, kind: str = "binary") -> dict[str, Any]:
    """The document of a score."""
    made = judge(rubric(kind))
    certified = admit(certificate(rows, made), made, Policy(), NOW)
    said = judgments(made, levels)
    return dict(dumped(scores_json(score(said, certified), said, "scores.jsonl")))


def test_a_score() -> None:
    """Corrected or null with why, uncorrected, tally, certificate."""
    found = scored({f"i{n}": n % 2 for n in range(40)})
    (criterion,) = found["criteria"]

    assert found["format"] == "judgekit.scores/1"
    assert criterion.keys() >= {
        "criterion",
        "certificate",
        "corrected",
        "why",
        "uncorrected",
        "tally",
    }
    assert criterion["certificate"] == certificate().id
    assert criterion["corrected"] is None
    assert criterion["why"]
    assert criterion["uncorrected"].keys() >= ESTIMATE
    assert criterion["uncorrected"]["value"] == 0.5


@pytest.mark.parametrize(
    "levels",
    [{}, {"a": "refused"}, {f"i{n}": "empty" if n < 9 else 1 for n in range(40)}],
)
def test_withheld_means_no_number_anywhere(levels: Any) -> None:
    """Neither the rate nor the shares, under no key."""
    (criterion,) = scored(levels)["criteria"]

    assert criterion["uncorrected"] is criterion["corrected"] is None
    assert criterion["levels"] == {}
    assert [r["code"] for r in criterion["withheld"]] == ["too_many_unjudged"]
    rest = {k: v for k, v in criterion.items() if k not in {"tally", "certificate"}}
    assert not any(isinstance(v, int | float) for v in rest.values())


def test_a_refusal() -> None:
    """Code, message and the next command of each reason."""
    refusal = GateRefusal(
        [Reason("expired", "it ran out", "judgekit recheck tone"), Reason("x", "y")]
    )

    assert dumped(refusal_json(refusal)) == {
        "format": "judgekit.refusal/1",
        "reasons": [
            {"code": "expired", "message": "it ran out", "next": "judgekit recheck tone"},
            {"code": "x", "message": "y", "next": None},
        ],
    }


def test_an_error() -> None:
    """Kind, message, file, line and hint, null where there is none."""
    full = error_json(LabelError("off the scale", file="l.csv", line=37, hint="rename it"))
    bare = error_json(CertificateError("unreadable"))

    assert full == {
        "format": "judgekit.error/1",
        "kind": "label",
        "message": "off the scale",
        "file": "l.csv",
        "line": 37,
        "hint": "rename it",
    }
    assert (bare["kind"], bare["file"], bare["line"], bare["hint"]) == ("certificate", *[None] * 3)


def test_a_rubric_error_has_all_its_problems() -> None:
    """Each with its place."""
    problems = [Problem(3, 5, "SC01", "levels-missing", "list them"), Problem(1, 1, "x", "y", "z")]
    found = dumped(error_json(RubricError(problems, file="r.jinja")))

    assert [p["line"] for p in found["problems"]] == [1, 3]
    assert found["problems"][1].keys() == {"line", "column", "rule", "code", "message"}


def test_a_verification() -> None:
    """Whether every figure follows, and what does not."""
    assert certificate_json(certificate(), [])["ok"] is True
    assert certificate_json(certificate(), ["x"])["faults"] == ["x"]
    assert certificate_json(certificate(), ["x"])["ok"] is False


def test_score_rows() -> None:
    """One row an item and criterion, in the order they came in, each with the promised keys."""
    made = judge()
    certified = admit(certificate(), made, Policy(), NOW)
    said = judgments(made, {"b": 1, "a": 0, "na": None, "lost": "refused"})
    extra = Item(id="unsaid", fields={"output": "x"})
    rows = list(
        score_rows(
            judgments(
                made, {"b": 1, "a": 0, "na": None, "lost": "refused"}, items=[*said.items, extra]
            ),
            certified,
        )
    )

    assert [row["item_id"] for row in rows] == ["b", "a", "na", "lost", "unsaid"]
    assert rows[0].keys() == {
        "item_id",
        "criterion",
        "level",
        "value",
        "status",
        "cause",
        "reason",
        "certificate",
        "cached",
        "text",
        "seal",
    }
    assert [(r["level"], r["value"], r["status"], r["cause"]) for r in rows] == [
        ("good", 1, "judged", None),
        ("bad", 0, "judged", None),
        (None, None, "not_applicable", None),
        (None, None, "unjudged", "refused"),
        (None, None, "unjudged", "missing"),
    ]
    assert {row["certificate"] for row in rows} == {certificate().id}


def test_trial_rows_are_stamped() -> None:
    """An uncalibrated judge's levels, item by item, and nothing over them."""
    made = judge()
    rows = list(trial_rows(judgments(made, {"a": 1, "b": "refused"}), made.rubric))

    assert [row["calibrated"] for row in rows] == [False, False]
    assert [row["level"] for row in rows] == ["good", None]
    assert not any("certificate" in row for row in rows)
