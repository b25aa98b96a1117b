import json
from datetime import UTC, datetime, timedelta, timezone
from inspect import signature

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from judgekit.calibration.certificate import Certificate, issue, lifetime, recompute, stamps
from judgekit.calibration.measure import measure
from judgekit.calibration.policy import Policy
from judgekit.calibration.rows import Row, ScaleSpec, tally
from judgekit.errors import CertificateError
from judgekit.fingerprint import canonical_json, sha256_text
from tests.calibration.make import (
    DAY,
    GOOD,
    NOW,
    certificate,
    judge,
    labels_record,
    rubric,
    spec,
    table_rows,
    verdict,
)
from tests.calibration.strategies import calibrations, unhurried


def test_the_id_is_the_hash_of_the_content() -> None:
    """Of the canonical JSON of everything but ``id`` and ``signature``."""
    made = certificate()
    content = made.model_dump(mode="json")
    del content["id"], content["signature"]

    assert made.id == sha256_text(canonical_json(content))
    assert made.short == made.id[:6]


def test_a_signature_does_not_change_the_id() -> None:
    """It may be added later."""
    made = certificate()

    assert made.model_copy(update={"signature": "signed"}).computed_id() == made.id


def test_json_and_back() -> None:
    """Reading what was written gives the very same certificate, and writing it the same text."""
    for made in (
        certificate(),
        certificate(now=datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=timezone(timedelta(hours=2)))),
        certificate(ORDINAL, judge(rubric("ordinal", passes_at=3)), look=3),
    ):
        text = made.model_dump_json()

        back = Certificate.model_validate_json(text)

        assert back == made
        assert back.model_dump_json() == text
        assert back.computed_id() == made.id


def test_equal_calibrations_have_equal_ids() -> None:
    """The id depends on the content alone; another second is another certificate."""
    assert certificate().id == certificate().id
    assert certificate().id != certificate(now=NOW + timedelta(seconds=1)).id


ORDINAL = table_rows(
    [[25, 1, 0, 0, 0], [1, 25, 1, 0, 0], [0, 1, 25, 1, 0], [0, 0, 1, 25, 1], [0, 0, 0, 1, 25]],
    {"unreadable": 2},
    na={3: 1},
)
POOLED = tuple(
    Row(f"i{n}", f"c{n // 2}", who, n % 2, n % 2 if (n + k) % 13 else 1 - n % 2, text="t")
    for n in range(120)
    for k, who in enumerate(("ann", "bob"))
)


@pytest.mark.parametrize(
    ("rows", "kind", "more"),
    [
        (GOOD, "binary", {}),
        (ORDINAL, "ordinal", {}),
        (ORDINAL, "ordinal", {"passes_at": 3}),
        (table_rows([[40, 1, 0], [0, 40, 1], [1, 0, 40]]), "nominal", {"passing": ["red"]}),
        (POOLED, "binary", {}),
    ],
)
def test_a_certificate_follows_from_its_evidence(
    rows: tuple[Row, ...], kind: str, more: dict[str, object]
) -> None:
    """Measured again, every figure is what it says."""
    assert recompute(certificate(rows, judge(rubric(kind, **more))), rows) == []


def test_labels_are_counted_from_the_rows() -> None:
    """Whatever the caller says, the certificate counts what takes part."""
    aside = Row("out", set_aside="rubric_example")
    made = certificate((*POOLED, aside), items=7, cases=7, raters=7)

    assert (made.labels.items, made.labels.cases, made.labels.raters) == (120, 60, 2)
    assert made.tally == tally((*POOLED, aside))


LENIENT = Policy(
    min_agreement=-1,
    min_items=10,
    min_per_class=1,
    min_judged=0.01,
    max_pass_shift=1,
    max_level_shift=99,
    max_incomplete=0.99,
)
JUDGES = [
    judge(rubric("binary")),
    judge(rubric("nominal")),
    judge(rubric("pairwise")),
    judge(rubric("ordinal")),
    judge(rubric("ordinal", passes_at=3)),
]


@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
@given(calibrations(), st.integers(1, 5))
def test_any_certificate_follows_from_its_evidence(
    run: tuple[ScaleSpec, tuple[Row, ...]], look: int
) -> None:
    """Arbitrary evidence, a policy that asks next to nothing: every number again, from files."""
    scale, rows = run
    of = next((j for j in JUDGES if ScaleSpec.of(j.rubric.criteria[0]) == scale), None)
    assume(of is not None)
    assume(verdict(rows, scale, LENIENT, look).verdict == "calibrated")
    made = certificate(rows, of, policy=LENIENT, look=look)
    back = Certificate.model_validate_json(made.model_dump_json())
    lines = [canonical_json(row.to_json(scale)) for row in rows]

    again = tuple(Row.from_json(json.loads(line), scale) for line in lines)

    assert back == made
    assert recompute(back, again) == []


@pytest.mark.parametrize(
    ("update", "told"),
    [
        ({"look": 2, "earlier_looks": 1}, "checks: it has [0], [1]"),
        ({"earlier_looks": 3}, "earlier_looks"),
        ({"stamps": ()}, "stamps"),
        ({"expires_at": NOW + 400 * DAY}, "expires_at"),
        ({"policy": Policy(min_agreement=0.5)}, "checks[0].required"),
        ({"policy": Policy(min_agreement=0.9)}, "verdict: its own policy finds inconclusive"),
        ({"scale": spec("binary").model_copy(update={"names": ("good", "bad")})}, "levels[0].name"),
        ({"tally": tally(GOOD[1:])}, "tally.items"),
        ({"labels": labels_record(GOOD[1:])}, "labels.items"),
        ({"evidence": measure(GOOD[1:], spec("binary"))}, "evidence.agreement.value"),
        ({"id": "0" * 64}, "its content does not have the id it carries"),
    ],
)
def test_what_does_not_follow_is_named(update: dict[str, object], told: str) -> None:
    """An edited figure is found although the id was made anew, and the message says which."""
    changed = certificate().model_copy(update=update)
    if "id" not in update:
        changed = changed.model_copy(update={"id": changed.computed_id()})

    faults = recompute(changed, GOOD)

    assert any(told in fault for fault in faults), faults


@unhurried
@given(calibrations())
def test_evidence_survives_its_file(run: tuple[ScaleSpec, tuple[Row, ...]]) -> None:
    """Rows to JSON and back are the same rows, and give every number again."""
    scale, rows = run
    lines = [canonical_json(row.to_json(scale)) for row in rows]

    back = tuple(Row.from_json(json.loads(line), scale) for line in lines)

    assert back == rows
    assert measure(back, scale) == measure(rows, scale)
    assert tally(back) == tally(rows)
    assert verdict(back, scale) == verdict(rows, scale)


@pytest.mark.parametrize(
    "row",
    [
        None,
        3,
        "row",
        [],
        {},
        {"item": 3, "rater": "a", "human": 0, "judge": 1},
        {"item": ["i"], "rater": "a", "human": 0, "judge": 1},
        {"item": "i", "rater": "a", "human": 2, "judge": 1},
        {"item": "i", "rater": "a", "human": True, "judge": 1},
        {"item": "i", "rater": "a", "human": "0", "judge": 1},
        {"item": "i", "rater": "a", "human": None, "judge": 1},
        {"item": "i", "rater": "a", "human": 0, "judge": "good"},
        {"item": "i", "rater": "a", "human": 0, "judge": None},
        {"item": "i", "rater": "a", "human": 0, "judge": 1, "cause": "refused"},
        {"item": "i", "rater": "a", "human": 0, "judge": None, "cause": "asleep"},
        {"item": "i", "rater": "a", "human": 0, "judge": 1, "weight": -1},
        {"item": "i", "rater": "a", "human": 0, "judge": 1, "weight": "1"},
        {"item": "i", "rater": "a", "human": 0, "judge": 1, "remark": "!"},
        {"item": "i", "set_aside": 1},
    ],
)
def test_what_is_no_row_is_refused(row: object) -> None:
    """Anything that does not fit the scale or has a field of the wrong kind."""
    with pytest.raises(CertificateError, match="evidence row"):
        Row.from_json(row, spec("binary"))


def test_only_a_calibrated_judge_gets_one() -> None:
    """Every other verdict is a programming error here."""
    for rows in (table_rows([[30, 20], [25, 35]]), GOOD[:20]):
        with pytest.raises(ValueError, match="gets no certificate"):
            certificate(rows)


def test_a_certificate_has_a_time_zone() -> None:
    """Without one nobody could say when it runs out."""
    with pytest.raises(ValueError, match="time zone"):
        certificate(now=NOW.replace(tzinfo=None))


@pytest.mark.parametrize(
    ("model", "days"),
    [
        ("openai/gpt-4o-2024-08-06", 90),
        ("anthropic/claude-3-5-sonnet-20241022", 90),
        ("openai/gpt-4-0613", 90),
        ("vertex_ai/claude-3-opus@20240229", 90),
        ("openai/gpt-4.1-mini", 30),
        ("openai/gpt-4o", 30),
        ("mistral/mistral-large-2411", 30),
        ("together_ai/Llama-3-70B-Instruct", 30),
        ("openai/model-9999", 30),
        ("openai/model-1399", 30),
        ("openai/model-0000", 30),
        ("openai/model-120250101", 30),
        ("local/smollm2-135m", 365),
        ("local/weights.gguf", 365),
    ],
)
def test_how_long_it_holds(model: str, days: int) -> None:
    """Dated models 90 days, floating names 30, local weights 365."""
    made = certificate(of=judge(model=model))

    assert made.expires_at - made.issued_at == timedelta(days=days)


def test_the_policy_sets_the_lifetimes() -> None:
    """Each of the three is a setting."""
    policy = Policy(dated_days=1, alias_days=2, local_days=3)
    crit = judge().rubric.criteria[0]

    def days(**more: object) -> int:
        return lifetime(judge(**more).identity(crit), policy).days

    assert days(model="x-2024-08-06") == 1
    assert days(model="x") == 2
    assert days(model="local/x") == 3
    assert days(model="local/x", recorded=True) == 2


def test_stamps() -> None:
    """What must be said beside every figure."""
    identity = judge().identity(judge().rubric.criteria[0])
    recorded = judge(recorded=True).identity(judge().rubric.criteria[0])

    assert stamps(identity, labels_record(POOLED), Policy()) == ()
    assert stamps(identity, labels_record(GOOD), Policy()) == ("single-rater",)
    assert stamps(identity, labels_record(POOLED), Policy(route="human-level")) == ("human-level",)
    assert stamps(recorded, labels_record(GOOD, source="demonstration"), Policy()) == (
        "demonstration",
        "recorded",
        "single-rater",
    )


def test_issue_takes_the_time_as_it_is() -> None:
    """The core has no clock: what is passed in is what stands there."""
    assert certificate(now=NOW).issued_at == NOW
    assert certificate(now=NOW).issued_at.tzinfo is UTC
    assert "now" in signature(issue).parameters


@pytest.mark.parametrize(
    "update",
    [
        {"names": ("one",)},
        {"values": (0,), "names": ("one",), "passes": None},
        {"values": (1, 1)},
        {"values": ("a", "b")},
        {"passes": (True,)},
    ],
)
def test_a_scale_is_whole(update: dict[str, object]) -> None:
    """As many names and sides as values, all different, numbers where there is an order."""
    with pytest.raises(ValidationError):
        ScaleSpec.model_validate({**spec("binary").model_dump(), **update})
