import json
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.judging.judge import Judge, JudgeIdentity, Member, panel_model
from judgekit.judging.votes import check_protocol
from tests.calibration.make import certificate, rubric

A, B = Member(model="openai/a"), Member(model="openai/b")


def judge(kind: str = "binary", **more: Any) -> Judge:
    """A judge on a scale of this kind."""
    return Judge(**{"name": "tone", "rubric": rubric(kind), "model": "openai/a", **more})


def panel(*members: Member, kind: str = "binary", **more: Any) -> Judge:
    """A panel of these members."""
    return judge(kind, model=panel_model(members), panel=members, **more)


def identity(of: Judge) -> JudgeIdentity:
    """Who the judge is on its only criterion."""
    return of.identity(of.rubric.criteria[0])


def test_one_model_asked_once_is_told_briefly() -> None:
    """No word of panels, orders or rules where they mean nothing."""
    told = json.loads(identity(judge()).model_dump_json())

    assert set(told) == {
        *("name", "fingerprint", "rubric", "model", "api_base", "parameters", "replicates"),
        *("scoring", "reader", "structured", "recorded"),
    }


def test_an_older_certificate_is_still_itself() -> None:
    """One that was written before panels existed reads, and has the id it carries."""
    cert = certificate()
    text = cert.model_dump_json()

    again = type(cert).model_validate_json(text)

    assert "panel" not in text
    assert again.judge.panel == ()
    assert again.judge.rule is None
    assert again.computed_id() == cert.id


def test_a_panels_certificate_is_itself_again() -> None:
    """Members with all they are asked with, through the file and back."""
    cert = certificate(of=panel(A, B, replicates=3, parameters={"temperature": 0}))

    again = type(cert).model_validate_json(cert.model_dump_json())

    assert again == cert
    assert again.computed_id() == cert.id
    assert [m.model for m in again.judge.panel] == ["openai/a", "openai/b"]
    assert again.judge.models == ("openai/a", "openai/b")
    assert again.judge.rule == "majority"


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ({}, {"rule": "median"}, True),  # one vote has no middle
        ({"replicates": 3}, {"replicates": 3, "rule": "median"}, False),
        ({}, {"system_in_user": True}, False),
        ({}, {"orders": "given"}, True),  # no pairs
        ({}, {"inconsistent": "unjudged"}, True),
        ({"kind": "pairwise"}, {"kind": "pairwise", "orders": "given"}, False),
        ({"kind": "pairwise"}, {"kind": "pairwise", "inconsistent": "unjudged"}, False),
        (
            {"kind": "pairwise", "orders": "given"},
            {"kind": "pairwise", "orders": "given", "inconsistent": "unjudged"},
            True,  # there is nothing to be inconsistent with
        ),
        ({"recorded": True}, {"recorded": True, "rule": "median"}, False),
        (
            {"kind": "pairwise", "recorded": True},
            {"kind": "pairwise", "recorded": True, "orders": "given"},
            True,  # the rows say how they were shown
        ),
        (
            {"kind": "pairwise", "recorded": True},
            {"kind": "pairwise", "recorded": True, "inconsistent": "unjudged"},
            False,
        ),
    ],
)
def test_the_protocol_is_part_of_a_judge_where_it_matters(
    before: dict[str, Any], after: dict[str, Any], *, same: bool
) -> None:
    """And only there: a setting without effect voids no certificate."""
    kinds = {"kind": "ordinal"}

    first, second = (judge(**{**kinds, **facts}) for facts in (before, after))

    assert (first.fingerprint == second.fingerprint) is same


def test_which_member_was_named_first_means_nothing() -> None:
    """A panel is a set."""
    assert identity(panel(A, B)) == identity(panel(B, A))
    assert identity(panel(B, A)).model == "openai/a + openai/b"


def test_what_all_members_share_may_be_said_once() -> None:
    """Parameters and endpoint of the judge are those of members that say nothing else."""
    shared = panel(A, B, parameters={"temperature": 0}, api_base="http://gate")
    said = [
        Member(model=m.model, api_base="http://gate", parameters={"temperature": 0}) for m in (A, B)
    ]

    assert identity(shared) == identity(panel(*said))
    assert identity(shared).parameters == {"temperature": 0}
    assert identity(shared).api_base == "http://gate"


@pytest.mark.parametrize(
    "other",
    [
        Member(model="openai/c"),
        Member(model="openai/b", api_base="http://elsewhere"),
        Member(model="openai/b", parameters={"temperature": 1}),
    ],
)
def test_another_member_is_another_judge(other: Member) -> None:
    """Its model, its endpoint, its parameters."""
    assert panel(A, B).fingerprint != panel(A, other).fingerprint


def test_keys_and_secrets_are_no_part_of_a_member() -> None:
    """Neither the name of a key nor what stands in an address shows or matters."""
    keyed = Member(model="openai/b", api_key_env="OTHER_KEY", api_base="https://me:hush@x.test/v1")
    plain = Member(model="openai/b", api_base="https://x.test/v1")

    told = identity(panel(A, keyed)).model_dump_json()

    assert identity(panel(A, keyed)) == identity(panel(A, plain))
    assert "hush" not in told
    assert "OTHER_KEY" not in told


def test_a_panel_is_not_its_first_member() -> None:
    """Nor a judge of one model that is asked twice."""
    prints = {judge().fingerprint, panel(A, B).fingerprint, judge(replicates=2).fingerprint}

    assert len(prints) == 3


def test_members_are_complete() -> None:
    """What one does not say is the judge's own; what it says wins."""
    one = Member(model="openai/b", parameters={"temperature": 1, "seed": 2})

    found = panel(A, one, parameters={"temperature": 0, "max_tokens": 9}, api_base="http://x")

    assert found.members == (
        Member(
            model="openai/a", api_base="http://x", parameters={"temperature": 0, "max_tokens": 9}
        ),
        Member(
            model="openai/b",
            api_base="http://x",
            parameters={"temperature": 1, "max_tokens": 9, "seed": 2},
        ),
    )
    assert judge().members == (Member(model="openai/a"),)


@pytest.mark.parametrize(
    ("of", "places"),
    [
        (judge(), [(0, None, 0)]),
        (judge(replicates=2), [(0, None, 0), (0, None, 1)]),
        (judge("pairwise"), [(0, "AB", 0), (0, "BA", 0)]),
        (judge("pairwise", orders="given"), [(0, "AB", 0)]),
        (
            panel(A, B, kind="pairwise", replicates=2),
            [(m, o, r) for m in (0, 1) for o in ("AB", "BA") for r in (0, 1)],
        ),
    ],
)
def test_what_has_to_be_asked(of: Judge, places: list[tuple[int, str | None, int]]) -> None:
    """Members, orders and replicates, each with each."""
    found = of.places(of.rubric.criteria[0])

    assert found == places
    assert [one.replicate for one in found] == [place[2] for place in places]


def test_one_member_twice_is_refused() -> None:
    """With another key it is the same member; with other parameters it is another."""
    twice = panel(A, Member(model="openai/a", api_key_env="K"))

    with pytest.raises(InputError, match=r"panel of 'tone' names 'openai/a' twice") as found:
        check_protocol(twice, file="judgekit.toml")

    assert found.value.file == "judgekit.toml"
    assert "replicates" in str(found.value.hint)
    check_protocol(panel(A, Member(model="openai/a", parameters={"temperature": 1})))


@pytest.mark.parametrize("kind", ["binary", "nominal", "pairwise"])
def test_levels_without_order_have_no_median(kind: str) -> None:
    """Refused when the judge is loaded, before anything is paid for."""
    with pytest.raises(InputError, match=f"takes the median, but the scale of 'tone' is {kind}"):
        check_protocol(judge(kind, rule="median", replicates=3))


def test_a_sound_protocol_is_let_through() -> None:
    """A median of grades; a tie declared on a scale without one, which then is unjudged."""
    for made in (
        judge("ordinal", rule="median", replicates=3),
        judge("pairwise", inconsistent="tie"),
    ):
        assert check_protocol(made) is None
