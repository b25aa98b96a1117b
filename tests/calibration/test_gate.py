from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from judgekit.calibration.certificate import Certificate
from judgekit.calibration.gate import CertifiedJudge, Presented, Revocation, admit
from judgekit.calibration.policy import Policy
from judgekit.calibration.voiding import CurrentLabels
from judgekit.errors import GateRefusal, InputError, Reason, UnknownName
from judgekit.judging.judge import Judge
from tests.calibration.make import DAY, GOOD, NOW, certificate, judge, rubric, table_rows

SECOND = timedelta(seconds=1)


def reasons(
    shown: Certificate | Presented | Sequence[Certificate | Presented] | None,
    now: Judge | None = None,
    policy: Policy | None = None,
    at: datetime = NOW + DAY,
    **more: Any,
) -> list[Reason]:
    """Why the gate refuses; nothing when it does not."""
    try:
        admit(shown, now or judge(), policy or Policy(), at, **more)
    except GateRefusal as refusal:
        return list(refusal.reasons)
    return []


def codes(*arguments: Any, **more: Any) -> list[str]:
    """The codes of the reasons, in order."""
    return [reason.code for reason in reasons(*arguments, **more)]


def labels(rows: Sequence[Any] = GOOD) -> CurrentLabels:
    """The labels behind rows, as they stand in a label file."""
    return {(r.item, r.rater): (r.human, r.text) for r in rows}


def revoked(cert: Certificate, **more: Any) -> Revocation:
    """A revocation of a certificate two days after it was issued."""
    facts = {"message": "agreement fell to 0.41", "revoked_at": NOW + 2 * DAY, **more}
    return Revocation(certificate=cert.id, **facts)


def test_a_certificate_that_holds() -> None:
    """The judge is let through, and carries what it was let through with."""
    made = certificate()

    found = admit(made, judge(), Policy(), NOW + DAY, labels())

    assert isinstance(found, CertifiedJudge)
    assert found.judge == judge()
    assert dict(found.certificates) == {"tone": made}
    assert found.admitted_at == NOW + DAY
    assert repr(found) == "CertifiedJudge('tone', criteria=['tone'])"


@pytest.mark.parametrize("shown", [None, []])
def test_no_certificate(shown: None) -> None:
    """Never calibrated: says what is missing and the command that gets it."""
    (reason,) = reasons(shown)

    assert reason.code == "no_certificate"
    assert reason.message == (
        "tone has never been calibrated on 'tone' for this rubric, model and parameters."
    )
    assert reason.next == "judgekit calibrate tone --labels FILE"


def test_somebody_elses_certificate_is_none() -> None:
    """Another judge by the same rubric, under another name, was never calibrated."""
    other = judge(name="cheap", model="openai/cheap")

    assert codes(certificate(), other) == ["no_certificate"]


def test_a_renamed_judge_is_the_same_judge() -> None:
    """The name is outside the fingerprint."""
    assert codes(certificate(), judge(name="renamed")) == []


def test_a_certificate_for_another_criterion_is_none() -> None:
    """Each criterion stands alone."""
    both = judge(rubric(criteria=["tone", "facts"]))
    made = certificate(of=both)

    (reason,) = reasons(made, both)
    assert (reason.code, "'facts'" in reason.message) == ("no_certificate", True)
    assert codes(made, both, criteria=["tone"]) == []
    assert codes([made, certificate(of=both, name="facts")], both) == []
    with pytest.raises(UnknownName, match="style"):
        admit(made, both, Policy(), NOW, criteria=["style"])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"model": "openai/other"}, "model was openai/gpt-4.1-mini-2025-04-14, is openai/other"),
        ({"parameters": {"temperature": 1.0}}, "temperature was 0, is 1"),
        ({"parameters": {}}, "temperature was 0, is not sent"),
        ({"parameters": {"temperature": 0.0, "top_p": 0.5}}, "top_p was not sent, is 0.5"),
        ({"parameters": {"temperature": 0.0, "stop": None}}, "stop was not sent, is not set"),
        ({"api_base": "http://localhost:8000"}, "api_base was not set, is http://localhost:8000"),
        ({"replicates": 3}, "replicates was 1, is 3"),
        ({"structured": False}, "structured was on, is off"),
        ({"scoring": "likelihood"}, "scoring was generation/1, is likelihood/"),
        ({"recorded": True}, "recorded was off, is on"),
    ],
)
def test_another_judge(change: dict[str, Any], told: str) -> None:
    """One changed parameter: what it was, what it is, since when."""
    (reason,) = reasons(certificate(), judge(**change))

    assert reason.code == "judge_changed"
    assert told in reason.message
    assert f"since certificate {certificate().short} (2026-11-30)" in reason.message
    assert reason.next == "judgekit calibrate tone --labels FILE"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"question": "How is it?"}, "question of tone reads differently"),
        ({"not_applicable": "there is none"}, "not applicable of tone reads differently"),
        ({"inputs": ["output"]}, "inputs of tone reads differently"),
    ],
)
def test_another_rubric(more: dict[str, Any], told: str) -> None:
    """A part that means something else is named."""
    (reason,) = reasons(certificate(), judge(rubric(**more)), labels=labels())

    assert reason.code == "rubric_changed"
    assert told in reason.message


def test_one_changed_word_in_a_definition() -> None:
    """The level is named."""
    changed = [
        {"value": 1, "name": "good", "definition": "it is fine", "drops_when": "it is not"},
        {"value": 0, "name": "bad", "definition": "it is bad"},
    ]

    (reason,) = reasons(certificate(), judge(rubric(levels=changed)))

    assert reason.code == "rubric_changed"
    assert reason.message.startswith("level 1 of tone reads differently since certificate ")


@pytest.mark.parametrize(
    "changed",
    [
        rubric(inputs=["output"]),
        rubric(
            levels=[
                {"value": 1, "name": "fine", "definition": "it is good", "drops_when": "it is not"},
                {"value": 0, "name": "bad", "definition": "it is bad"},
            ]
        ),
    ],
    ids=["inputs", "scale"],
)
def test_labels_of_another_rubric_are_not_compared(changed: Any) -> None:
    """Other inputs give other digests, another scale other levels: the rubric changed, not they."""
    now: CurrentLabels = dict.fromkeys(labels(), (9, "another digest"))

    assert codes(Presented(certificate(), GOOD), judge(changed), labels=now) == ["rubric_changed"]
    assert codes(Presented(certificate(), GOOD), labels=now) == ["labels_changed"]


def test_a_version_alone_changes_nothing() -> None:
    """Meaning counts, not its number."""
    assert codes(certificate(), judge(rubric(version=2))) == []


def test_another_reader() -> None:
    """Replies read anew may mean something else: measuring again costs no call."""
    made = certificate()
    old = made.judge.model_copy(update={"reader": made.judge.reader - 1, "fingerprint": "f" * 64})
    made = made.model_copy(update={"judge": old})
    made = made.model_copy(update={"id": made.computed_id()})

    (reason,) = reasons(made)

    assert reason.code == "reader_changed"
    assert f"reader {old.reader + 1}" in reason.message
    assert reason.next is not None
    assert reason.next.startswith("judgekit calibrate")


def test_a_fingerprint_that_fits_nothing() -> None:
    """Whatever else is equal, another fingerprint is another judge."""
    made = certificate()
    odd = made.judge.model_copy(update={"fingerprint": "f" * 64})
    made = made.model_copy(update={"judge": odd})
    made = made.model_copy(update={"id": made.computed_id()})

    assert codes(made) == ["judge_changed"]


def altered(now: CurrentLabels) -> None:
    """One label says something else."""
    now["i0003", "ann"] = (1, "t")


def withdrawn(now: CurrentLabels) -> None:
    """One label is gone."""
    del now["i0003", "ann"]


def rewritten(now: CurrentLabels) -> None:
    """One item has another text under its label."""
    now["i0003", "ann"] = (0, "another text")


def rater_renamed(now: CurrentLabels) -> None:
    """A rater goes by another name now."""
    now["i0003", "anne"] = now.pop(("i0003", "ann"))


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (altered, "altered"),
        (withdrawn, "withdrawn"),
        (rewritten, "altered"),
        (rater_renamed, "withdrawn"),
    ],
)
def test_labels_altered_or_withdrawn(change: Callable[[CurrentLabels], None], kind: str) -> None:
    """The evidence is no longer what people say; the item is named."""
    now = labels()
    change(now)

    (reason,) = reasons(Presented(certificate(), GOOD), labels=now)

    assert reason.code == "labels_changed"
    assert reason.message == (
        f"labels of 1 of 110 items behind certificate {certificate().short} were {kind} (i0003)."
    )


def test_many_labels_changed() -> None:
    """All are counted, three are named."""
    now = {key: (1 - int(str(level)), text) for key, (level, text) in labels().items()}
    del now["i0000", "ann"]

    (reason,) = reasons(Presented(certificate(), GOOD), labels=now)

    assert "110 of 110 items" in reason.message
    assert "altered or withdrawn (i0000, i0001, i0002 ...)" in reason.message


def test_added_labels_change_nothing() -> None:
    """More items, or another rater of the same items."""
    now: CurrentLabels = {**labels(), ("new", "ann"): (1, "t"), ("i0003", "bob"): (1, "t")}

    assert codes(Presented(certificate(), GOOD), labels=now) == []


def test_labels_without_text_are_compared_by_level() -> None:
    """A label file that carries no item text says nothing of the texts."""
    bare: CurrentLabels = {key: (level, None) for key, (level, _) in labels().items()}

    assert codes(Presented(certificate(), GOOD), labels=bare) == []


def test_na_turned_into_a_level_is_an_alteration() -> None:
    """A human's "does not apply" is a statement of its own."""
    aside = table_rows([[0, 1]], first=900)[0]
    rows = (*GOOD, type(aside)(aside.item, None, "ann", set_aside="human_na"))
    made = Presented(certificate(rows), rows)

    assert codes(made, labels=labels()) == []
    assert codes(made, labels={**labels(), (aside.item, "ann"): (0, "t")}) == ["labels_changed"]


def test_each_certificate_is_compared_with_its_own_labels() -> None:
    """Two criteria labelled on the same items by the same rater do not mix."""
    both = judge(rubric(criteria=["tone", "facts"]))
    swapped = table_rows([[45, 5], [3, 57]])
    shown = [
        Presented(certificate(GOOD, both), GOOD, labels=labels()),
        Presented(certificate(swapped, both, name="facts"), swapped, labels=labels(swapped)),
    ]

    assert labels() != labels(swapped)
    assert codes(shown, both) == []
    assert codes(shown, both, labels={}) == []


def test_expired_at_the_second() -> None:
    """The last second is the one before."""
    made = certificate()

    assert codes(made, at=made.expires_at - SECOND) == []
    (reason,) = reasons(made, at=made.expires_at)
    assert reason.code == "expired"
    assert reason.message == f"certificate {made.short} ran out on 2027-02-28."


def test_time_zones_are_respected() -> None:
    """The same moment told in another zone."""
    made = certificate()
    tokyo = timezone(timedelta(hours=9))

    assert codes(made, at=made.expires_at.astimezone(tokyo)) == ["expired"]
    assert codes(made, at=(made.expires_at - SECOND).astimezone(tokyo)) == []
    with pytest.raises(InputError, match="time zone"):
        admit(made, judge(), Policy(), NOW.replace(tzinfo=None))


def test_drifted() -> None:
    """A revocation takes the certificate back, in its own words."""
    made = certificate()

    (reason,) = reasons(made, at=NOW + 3 * DAY, revocations=[revoked(made)])

    told = Reason("drifted", "agreement fell to 0.41", "judgekit recheck tone", made.id)
    assert reason == told


def test_a_drifted_judge_does_not_fall_back_on_an_older_certificate() -> None:
    """It is the judge that drifted; only what was measured afterwards holds."""
    old, new = certificate(now=NOW - DAY), certificate()
    later = certificate(now=NOW + 3 * DAY)

    assert codes([old, new], revocations=[revoked(new)]) == ["drifted"]
    assert codes([old, new, later], at=NOW + 4 * DAY, revocations=[revoked(new)]) == []


def test_a_certificate_taken_back_for_itself_leaves_the_others() -> None:
    """An invalid certificate says nothing about another of the same judge."""
    old, new = certificate(now=NOW - DAY), certificate()
    event = revoked(new, reason="certificate_invalid")

    assert codes([old, new], revocations=[event]) == []
    assert codes([new], revocations=[event]) == ["certificate_invalid"]


def test_somebody_elses_revocation() -> None:
    """Other certificates' events do not matter."""
    assert codes(certificate(), revocations=[revoked(certificate(now=NOW + DAY))]) == []


@pytest.mark.parametrize("rows", [GOOD, None], ids=["with rows", "bare"])
@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ({"min_agreement": 0.8}, "agreement: the policy now asks 0.8, certificate"),
        ({"min_items": 111}, "labelled items: the policy now asks 111, certificate"),
        ({"min_per_class": 56}, "labels per class: the policy now asks 56, certificate"),
        ({"min_per_class": 56}, "shows bad 55, good 55."),
        ({"min_judged": 1.0}, None),
    ],
)
def test_a_stricter_policy(rows: Any, policy: dict[str, Any], told: str | None) -> None:
    """The certificate's own figures are held against the policy of today."""
    found = reasons(Presented(certificate(), rows), policy=Policy(**policy))

    assert [r.code for r in found] == (["policy_stricter"] if told else [])
    assert told is None or told in found[0].message


def test_a_stricter_policy_knows_the_look() -> None:
    """The low end of a third look is that of the third look."""
    made = certificate(look=3)
    bound = made.checks[0].observed

    assert codes(made, policy=Policy(min_agreement=bound)) == []
    assert codes(made, policy=Policy(min_agreement=bound + 1e-6)) == ["policy_stricter"]
    assert codes(made, policy=Policy(max_looks=2)) == ["policy_stricter"]


def test_a_stricter_pass_line() -> None:
    """The pass decision and the shift are held as well."""
    table = [
        [25, 1, 0, 0, 0],
        [1, 25, 2, 0, 0],
        [0, 1, 25, 1, 0],
        [0, 0, 1, 25, 1],
        [0, 0, 0, 1, 25],
    ]
    of = judge(rubric("ordinal", passes_at=3))
    rows = table_rows(table)

    assert codes(certificate(rows, of), of, policy=Policy(min_agreement=0.87)) == [
        "policy_stricter"
    ]


def test_a_shorter_lifetime_counts_too() -> None:
    """A policy that now allows 7 days voids a certificate of 8, and says so."""
    made, week = certificate(), Policy(dated_days=7)

    assert codes(made, policy=week, at=NOW + 7 * DAY - SECOND) == []
    (reason,) = reasons(made, policy=week, at=NOW + 7 * DAY)
    assert reason.code == "policy_stricter"
    assert "hold 7 days" in reason.message
    assert codes(made, policy=week, at=NOW + 365 * DAY) == ["expired"]


def test_a_looser_policy_changes_nothing() -> None:
    """Less asked, less seen of it."""
    loose = Policy(min_agreement=0.1, min_items=10, dated_days=900, max_looks=20)

    assert codes(certificate(), policy=loose) == []


def test_a_changed_number_with_the_old_id() -> None:
    """Its content does not have the id it carries."""
    made = certificate()
    forged = made.model_copy(update={"look": 2})

    (reason,) = reasons(forged)

    assert reason.code == "certificate_invalid"
    assert "does not have the id it carries" in reason.message
    assert reason.next == f"judgekit certificate verify {made.short}"


def test_faults_of_the_files_are_refused() -> None:
    """What storage found wrong comes first; one fault is enough."""
    shown = Presented(certificate(), None, ("its evidence file x is missing", "and more"))

    (reason,) = reasons(shown)

    assert reason.code == "certificate_invalid"
    assert reason.message.endswith("cannot be trusted: its evidence file x is missing.")


def test_a_scale_that_is_not_the_rubrics() -> None:
    """Measured on another scale than the rubric has: whatever the id says."""
    made = certificate()
    scale = made.scale.model_copy(update={"passes": (True, False)})
    forged = made.model_copy(update={"scale": scale})
    forged = forged.model_copy(update={"id": forged.computed_id()})

    assert codes(forged) == ["certificate_invalid"]


def test_a_content_that_is_no_json() -> None:
    """A NaN put in by a program: refused, no crash."""
    made = certificate()
    check = made.checks[0].model_copy(update={"observed": float("nan")})
    forged = made.model_copy(update={"checks": (check, *made.checks[1:])})

    assert codes(forged)[0] == "certificate_invalid"


def test_everything_at_once() -> None:
    """All reasons together, each once."""
    made = certificate()
    changed = judge(rubric(question="How is it?"), model="openai/other")
    now = labels()
    altered(now)

    found = codes(
        Presented(made, GOOD, ("edited",)),
        changed,
        policy=Policy(min_agreement=0.8),
        at=made.expires_at,
        labels=now,
        revocations=[revoked(made)],
    )

    assert found == [
        "certificate_invalid",
        "rubric_changed",
        "judge_changed",
        "labels_changed",
        "expired",
        "drifted",
        "policy_stricter",
    ]


def test_reasons_of_all_criteria_are_told() -> None:
    """Not only the first criterion's."""
    both = judge(rubric(criteria=["tone", "facts"]))

    found = reasons([certificate(of=both)], both, at=NOW + 300 * DAY)

    assert [(r.code) for r in found] == ["expired", "no_certificate"]


def test_any_certificate_that_holds_is_enough() -> None:
    """An old one that holds admits although a newer one was made under another policy."""
    old = certificate(now=NOW - DAY)
    new = certificate(table_rows([[30, 2], [2, 30]]), now=NOW)
    policy = Policy(min_items=100)

    found = admit([new, old], judge(), policy, NOW + DAY)

    assert found.certificates["tone"] == old


def test_the_newest_certificate_speaks() -> None:
    """Where none holds, the reasons are those against the newest."""
    old = certificate(now=NOW - 300 * DAY)
    new = certificate(now=NOW - 200 * DAY)

    (reason,) = reasons([old, new])

    assert new.short in reason.message
