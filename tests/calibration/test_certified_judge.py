import copy
import dataclasses
import pickle
from typing import Any

import pytest

from judgekit.calibration import gate
from judgekit.calibration.gate import CertifiedJudge, admit, is_admitted
from judgekit.calibration.policy import Policy
from judgekit.errors import GateRefusal
from judgekit.scoring.score import score
from tests.calibration.make import NOW, certificate, judge, judgments


@pytest.fixture
def certified() -> CertifiedJudge:
    """A judge the gate let through."""
    return admit(certificate(), judge(), Policy(), NOW)


def facts() -> dict[str, Any]:
    """What a CertifiedJudge is made of."""
    return {"judge": judge(), "certificates": {"tone": certificate()}, "admitted_at": NOW}


def test_it_cannot_be_made_by_hand() -> None:
    """Without the gate's own key there is none; the key is not in reach by accident."""
    with pytest.raises(TypeError):
        CertifiedJudge(**facts())
    with pytest.raises(TypeError, match="never by hand"):
        CertifiedJudge(**facts(), key=object())
    with pytest.raises(TypeError, match="never by hand"):
        CertifiedJudge(**facts(), key=None)
    assert "_KEY" not in gate.__all__


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_it_is_not_pickled(certified: CertifiedJudge, protocol: int) -> None:
    """A stored admission would outlive its reasons."""
    with pytest.raises(TypeError, match="admit the judge again"):
        pickle.dumps(certified, protocol)


@pytest.mark.parametrize(
    "copying",
    [
        copy.copy,
        copy.deepcopy,
        lambda one: dataclasses.replace(one, judge=judge(name="other")),
        lambda one: copy.deepcopy({"nested": [one]}),
    ],
)
def test_it_is_not_copied(certified: CertifiedJudge, copying: Any) -> None:
    """Neither as it is nor with a part exchanged."""
    with pytest.raises(TypeError):
        copying(certified)


def test_it_does_not_change(certified: CertifiedJudge) -> None:
    """No attribute, and no entry of its certificates."""
    with pytest.raises(AttributeError, match="does not change"):
        certified.judge = judge(name="other")
    with pytest.raises(AttributeError, match="does not change"):
        del certified.judge
    with pytest.raises(AttributeError):
        certified.extra = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        certified.certificates["facts"] = certificate()  # type: ignore[index]


def test_it_has_no_other_kinds() -> None:
    """A subclass could leave out the check."""
    with pytest.raises(TypeError, match="no other kinds"):
        type("Sham", (CertifiedJudge,), {"__init__": lambda self: None})


def test_a_hollow_one_is_refused() -> None:
    """Made around the constructor: empty, or filled from outside. It is not an admitted judge."""
    hollow = object.__new__(CertifiedJudge)
    filled = object.__new__(CertifiedJudge)
    for name, value in facts().items():
        object.__setattr__(filled, name, value)

    for sham in (hollow, filled):
        assert not is_admitted(sham)
        assert repr(sham) == "CertifiedJudge(not admitted)"
        with pytest.raises(GateRefusal) as refused:
            score(judgments(judge(), {"a": 1}), sham)
        assert [r.code for r in refused.value.reasons] == ["no_certificate"]


def test_a_look_alike_is_refused() -> None:
    """The same attributes on another class."""
    sham = type("CertifiedJudge", (), facts())()

    assert not is_admitted(sham)
    with pytest.raises(GateRefusal, match="not admitted by the gate"):
        score(judgments(judge(), {"a": 1}), sham)


@pytest.mark.parametrize("shown", [judge(), certificate(), None, "tone"])
def test_a_bare_judge_gives_no_score(shown: Any) -> None:
    """At run time as for the type checker: what is missing, and the command that gets it."""
    with pytest.raises(GateRefusal) as refused:
        score(judgments(judge(), {"a": 1}), shown)

    (reason,) = refused.value.reasons
    assert reason.code == "no_certificate"
    assert reason.next is not None
    assert reason.next.startswith("judgekit calibrate ")


def test_the_admitted_one_is_told_apart(certified: CertifiedJudge) -> None:
    """The gate knows its own."""
    assert is_admitted(certified)
    assert not is_admitted(judge())
