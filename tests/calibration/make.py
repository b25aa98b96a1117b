"""Judges, evidence rows and whole calibrations for tests, made the way the program makes them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from judgekit.calibration.certificate import (
    Certificate,
    EvidenceFile,
    LabelsRecord,
    issue,
    label_facts,
    stamps,
)
from judgekit.calibration.decide import Decision, decide
from judgekit.calibration.evidence import Evidence
from judgekit.calibration.measure import measure
from judgekit.calibration.plan import labels_needed
from judgekit.calibration.policy import Policy
from judgekit.calibration.result import Calibration, CriterionCalibration
from judgekit.calibration.rows import Row, ScaleSpec, tally
from judgekit.calibration.scope import Scope
from judgekit.calibration.workup import work_up
from judgekit.importers.rubrics import template_loader
from judgekit.judging.item import Item
from judgekit.judging.judge import Judge
from judgekit.judging.judgment import Cause, Judgment, Unjudged
from judgekit.judging.judgments import Judgments
from judgekit.rubric.model import Criterion, Rubric
from judgekit.rubric.parse import parse_rubric
from judgekit.storage.certificates import evidence_text, sha256_of

NOW = datetime(2026, 11, 30, 9, 12, tzinfo=UTC)
DAY = timedelta(days=1)

_LEVELS: dict[str, list[dict[str, Any]]] = {
    "binary": [
        {"value": 1, "name": "good", "definition": "it is good", "drops_when": "it is not"},
        {"value": 0, "name": "bad", "definition": "it is bad"},
    ],
    "nominal": [{"name": n, "definition": f"it is {n}"} for n in ("red", "green", "blue")],
    "pairwise": [{"name": n, "definition": f"{n} is better"} for n in ("A", "B", "tie")],
    "ordinal": [
        {"value": v, "name": f"grade {v}", "definition": f"it is {v}", "drops_when": "less"}
        for v in (1, 2, 3, 4, 5)
    ],
}


def rubric(kind: str = "binary", name: str = "tone", **more: Any) -> Rubric:
    """A rubric with one criterion of its own name; ``more`` are further keys of the criterion.

    ``inputs``, ``version`` and ``criteria`` (names of several criteria) belong to the rubric.
    """
    front = {"rubric": name, "version": more.pop("version", 1)}
    if "inputs" in more:
        front["inputs"] = more.pop("inputs")
    names = more.pop("criteria", [name])
    levels = [dict(level) for level in _LEVELS[kind]]
    body = {"question": f"How is the {name}?", "scale": kind, "levels": levels, **more}
    front["criteria"] = [{"criterion": n, **body} for n in names]
    text = f"---\n{json.dumps(front, ensure_ascii=False)}\n---\n"
    return _parsed(text)


@lru_cache
def _parsed(text: str) -> Rubric:
    return parse_rubric(text, load=template_loader(Path()), file="made.jinja")


def criterion(kind: str = "binary", **more: Any) -> Criterion:
    """The one criterion of such a rubric."""
    return rubric(kind, **more).criteria[0]


def spec(kind: str = "binary", **more: Any) -> ScaleSpec:
    """Its scale as the statistics see it."""
    return ScaleSpec.of(criterion(kind, **more))


def judge(of: Rubric | None = None, **more: Any) -> Judge:
    """A judge by a rubric."""
    made = of or rubric()
    facts = {"name": made.name, "model": "openai/gpt-4.1-mini-2025-04-14", **more}
    return Judge(rubric=made, **{"parameters": {"temperature": 0.0}, **facts})


def table_rows(
    table: Sequence[Sequence[int]],
    unjudged: Mapping[Cause, int] | None = None,
    *,
    na: Mapping[int, int] | None = None,
    human: int = 0,
    rater: str = "ann",
    first: int = 0,
) -> tuple[Row, ...]:
    """Evidence rows of a table: rows are the human's levels, columns the judge's.

    Args:
        table: Counts.
        unjudged: How many more items of each cause, at human level ``human``.
        na: How many more items the judge called not applicable, by human level.
        human: The human level of the unjudged items.
        rater: Who labelled.
        first: Number of the first item.
    """
    made = [
        Row("", rater=rater, human=i, judge=j)
        for i, cells in enumerate(table)
        for j, n in enumerate(cells)
        for _ in range(n)
    ]
    made += [
        Row("", rater=rater, human=i, judge_na=True)
        for i, n in (na or {}).items()
        for _ in range(n)
    ]
    made += [
        Row("", rater=rater, human=human, cause=cause)
        for cause, n in (unjudged or {}).items()
        for _ in range(n)
    ]
    return tuple(renamed(row, f"i{first + n:04}") for n, row in enumerate(made))


def renamed(row: Row, item: str) -> Row:
    """The row with another item id and a digest for its text."""
    return Row(item, row.case, row.rater, row.human, row.judge, row.judge_na, row.cause, text="t")


def verdict(
    rows: Sequence[Row], of: ScaleSpec, policy: Policy | None = None, look: int = 1
) -> Decision:
    """What the gate decides of rows."""
    return decide(rows, of, measure(rows, of), policy or Policy(), look=look)


def needed(rows: Sequence[Row], of: ScaleSpec, policy: Policy | None = None, look: int = 1) -> Any:
    """How many more labels the rows ask for, with dice of a fixed seed."""
    rng = np.random.default_rng(7)
    return labels_needed(rows, of, measure(rows, of), policy or Policy(), look=look, rng=rng)


def labels_record(rows: Iterable[Row], **more: Any) -> LabelsRecord:
    """What a certificate keeps of the labels behind these rows."""
    facts = {"sha256": "0" * 64, "path": "labels/tone.csv", "source": "human"}
    return LabelsRecord(**{**facts, **label_facts(rows), **more})


def certificate(
    rows: Sequence[Row] | None = None,
    of: Judge | None = None,
    *,
    now: datetime = NOW,
    policy: Policy | None = None,
    look: int = 1,
    served: tuple[str, ...] = ("gpt-4.1-mini-2025-04-14",),
    name: str | None = None,
    scope: Scope | None = None,
    **labels: Any,
) -> Certificate:
    """A certificate of a judge on its rubric's first criterion, or the one of that name."""
    made, found = of or judge(), tuple(GOOD if rows is None else rows)
    crit = made.rubric.criteria[0] if name is None else made.rubric.criterion(name)
    scale = ScaleSpec.of(crit)
    evidence: Evidence = measure(found, scale)
    digest = sha256_of(evidence_text(found, scale))
    return issue(
        criterion=crit.name,
        judge=made.identity(crit),
        models_served=served,
        parameters_left_out=(),
        labels=labels_record(found, **labels),
        spec=scale,
        rows=found,
        evidence=evidence,
        decision=decide(found, scale, evidence, policy or Policy(), look=look),
        policy=policy or Policy(),
        scope=scope,
        evidence_file=EvidenceFile(path=f"evidence/{digest[:16]}.jsonl", sha256=digest),
        now=now,
        version="0.1.0",
    )


GOOD = table_rows([[52, 3], [5, 50]])
"""Evidence of a good judge on a binary scale: 110 items, 8 disagreements."""


def calibration(
    rows: Sequence[Row],
    of: Judge | None = None,
    *,
    look: int = 1,
    policy: Policy | None = None,
    leaked: Mapping[str, str] | None = None,
    **labels: Any,
) -> Calibration:
    """The result of calibrating a judge on its rubric's only criterion, with these rows."""
    made, asked = of or judge(), policy or Policy()
    crit = made.rubric.criteria[0]
    scale = ScaleSpec.of(crit)
    evidence = measure(rows, scale)
    decision = decide(rows, scale, evidence, asked, look=look)
    record = labels_record(rows, **labels)
    wanted = decision.verdict == "inconclusive"
    cert = None
    if decision.verdict == "calibrated":
        cert = certificate(rows, made, policy=asked, look=look, **labels)
    found = CriterionCalibration(
        criterion=crit,
        spec=scale,
        fingerprint=made.fingerprint,
        rows=tuple(rows),
        evidence=evidence,
        tally=tally(rows),
        decision=decision,
        needed=needed(rows, scale, asked, look) if wanted else None,
        labels=record,
        stamps=stamps(made.identity(crit), record, asked),
        leaked=leaked or {},
        outcomes={},
        work_up=work_up(rows, scale),
        revealed=look - 1,
        certificate=cert,
        path=f"certificates/{made.name}-{crit.name}-{cert.short}.json" if cert else None,
    )
    said = judgments(made, {})
    return Calibration(made, (found,), said, asked)


def judgments(
    of: Judge, levels: Mapping[str, int | Cause | None], *, served: str | None = None, **more: Any
) -> Judgments:
    """What a judge said: item -> level index, None for "not applicable", or an unjudged cause."""
    items = [Item(id=i, fields={"input": "a question", "output": f"answer {i}"}) for i in levels]
    outcomes: dict[str, dict[str, Judgment | Unjudged]] = {}
    for crit in of.rubric.criteria:
        outcomes[crit.name] = {
            i: Unjudged(i, crit.name, level, served=served)
            if isinstance(level, str)
            else Judgment(i, crit.name, level, served=served)
            for i, level in levels.items()
        }
    facts: dict[str, Any] = {
        "judge": of.name,
        "fingerprints": {c.name: of.identity(c).fingerprint for c in of.rubric.criteria},
        "items": items,
        "outcomes": outcomes,
        "cost_usd": 0.0,
    }
    return Judgments(**{**facts, **more})
