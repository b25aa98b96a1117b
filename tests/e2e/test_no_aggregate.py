"""No command, library call, report or export gives a number over items for an uncertified judge."""

from __future__ import annotations

import json
import re

import pytest

import judgekit as jk
from judgekit.cli.app import COMMANDS
from tests.e2e.house import House, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
# 20 items: 12 friendly, 8 rude. No output may hold the share, the mean or the counts.
ITEMS = ["friendly"] * 12 + ["rude"] * 8
FORBIDDEN = re.compile(r"\b(0?\.60*|60(\.0+)?\s?%|2\.80*|12 (of|friendly)|8 (of|rude))\b")


@pytest.fixture
def uncertified(served: House) -> House:
    """Return a project whose judge was never calibrated, with items to score."""
    served.items(ITEMS)
    return served


ATTEMPTS = [
    ("lint",),
    ("explain", "scale-gap"),
    ("rubric", "schema"),
    ("rubric", "diff", "rubrics/tone.jinja", "rubrics/tone.jinja"),
    ("preview", "tone"),
    ("preview", "tone", "new-003", "--items", "items.jsonl"),
    ("try", "tone", "items.jsonl"),
    ("score", "tone", "items.jsonl"),
    ("score", "tone", "items.jsonl", "--out", "out.jsonl"),
    ("score", "tone", "items.jsonl", "--criterion", "tone"),
    ("score", "tone", "--judgments", "recorded.jsonl"),
    ("score", "rubrics/tone.jinja", "items.jsonl", "--model", "openai/stub"),
    ("status",),
    ("cache", "stats"),
    ("runs", "list"),
    ("batch", "list"),
    ("correct", "recorded.jsonl"),
    ("card", "tone"),
    ("export", "inspect", "tone", "--out", "out.jsonl"),
    ("export", "junit", "tone", "--scores", "recorded.jsonl", "--out", "out.jsonl"),
]


@pytest.mark.parametrize("arguments", ATTEMPTS, ids=" ".join)
def test_commands(uncertified: House, arguments: tuple[str, ...]) -> None:
    """Each command, in both forms, without a certificate."""
    rows = [
        {"item_id": f"new-{i:03}", "level": level, "judge": "other"}
        for i, level in enumerate(ITEMS)
    ]
    uncertified.write("recorded.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    for extra in ((), ("--json",)):
        result = uncertified.run(*arguments, *extra)

        assert not FORBIDDEN.search(result.out + result.err), result.out
        assert not (uncertified.root / "out.jsonl").exists()
        if arguments[0] in ("score", "card") or arguments[1:2] == ("inspect",):
            assert result.code == 3


def test_every_command_is_tried() -> None:
    """A new command must be added to the attempts above, or stand here with a reason."""
    elsewhere = {
        "agreement",  # measures against human labels, as calibrate does; certifies nothing
        "calibrate",  # measures against human labels; its table is the evidence, not a score
        "init",  # writes files, judges nothing
        "certificate",  # there is none to show
        "plan",  # computes from what is expected; reads no judgments
        "split",  # deals labelled items to train, dev and test; reads no judgments
    }

    assert set(COMMANDS) == {arguments[0] for arguments in ATTEMPTS} | elsewhere


def test_library(uncertified: House) -> None:
    """Judgments have no mean, and nothing turns them into a score without the gate."""
    setup = jk.load_judge("tone", project=uncertified.root)
    items = jk.read_items(uncertified.root / "items.jsonl", inputs=setup.judge.rubric.inputs)
    judgments = jk.judge_items(setup, items)

    public = [name for name in dir(judgments) if not name.startswith("_")]
    assert not {"mean", "rate", "score", "average", "pass_rate", "counts"} & set(public)
    for judge in (setup.judge, setup, None, "tone"):
        with pytest.raises(jk.GateRefusal):
            jk.score(judgments, judge)
    with pytest.raises(TypeError):
        jk.CertifiedJudge(setup.judge, {}, None, key=object())


def test_another_judges_judgments(served: House) -> None:
    """A certified judge does not lend its certificate to what another judge said."""
    assert served.run("calibrate", "tone").code == 0
    certified = jk.admit_judge(jk.load_judge("tone", project=served.root))
    other = jk.load_judge("tone", project=served.root, overrides={"temperature": 0.9})
    served.items(ITEMS)
    items = jk.read_items(served.root / "items.jsonl", inputs=other.judge.rubric.inputs)

    with pytest.raises(jk.GateRefusal) as refusal:
        jk.score(jk.judge_items(other, items), certified)

    assert [reason.code for reason in refusal.value.reasons] == ["judge_changed"]


def test_unlabelled_scores_are_withheld(served: House) -> None:
    """Below 95% judged a certified judge gives rows and no figure."""
    assert served.run("calibrate", "tone").code == 0
    honest = served.server._model._reply
    served.items(spread(LEVELS, 40))

    def reply(request: dict) -> str:
        text = request["messages"][-1]["content"]
        return "banana" if "answer 1" in text else honest(request)

    served.server._model._reply = reply
    result = served.run("score", "tone", "items.jsonl", "--out", "out.jsonl", "--json")

    criterion = result.json["criteria"][0]
    assert result.code == 3
    assert criterion["uncorrected"] is None
    assert criterion["levels"] == {}
    assert [reason["code"] for reason in criterion["withheld"]] == ["too_many_unjudged"]
    assert len((served.root / "out.jsonl").read_text().splitlines()) == 40
