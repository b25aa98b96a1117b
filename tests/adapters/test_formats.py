"""Scored rows in the forms of other programs: values as they were, no number where none is."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest

from judgekit.testing import StubServer
from tests.e2e.house import RUBRIC, House, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
NA = "    not_applicable: The reply is empty.\n---\n"
ODD = "=cmd|' /C calc'!A0 <b>&\"\x1b[31m \u202e naïve 🙂,\nsecond line"


WORDS = [*LEVELS, "unheard_of", "na"]


def reply(request: dict) -> str:
    """The level that stands in the item, and a reason that is none of a file's form."""
    text = request["messages"][-1]["content"]
    level = next(word for word in reversed(WORDS) if f" is {word}" in text)
    return json.dumps({"reason": ODD, "level": level})


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A project with scored items: 4 levels, one unjudged, one that the criterion is not about."""
    with StubServer(reply=reply) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-of-the-test")
        made = House(tmp_path_factory.mktemp("scored"), server)
        made.judge(RUBRIC.removesuffix("---\n") + NA)
        made.labels(spread(LEVELS, 60))
        assert made.run("calibrate", "tone", "--sampling", "random").code == 0
        made.items(WORDS)
        made.run("score", "tone", "items.jsonl", "--out", "scores.jsonl")
        yield made


def exported(house: House, form: str) -> str:
    """The text of the scored rows in a form."""
    done = house.run(
        "export", form, "tone", "--scores", "scores.jsonl", "--out", "out.txt", "--force"
    )
    assert done.code == 0, done.err
    return (house.root / "out.txt").read_text()


def rows_of(house: House) -> list[dict[str, Any]]:
    """The rows as `score` wrote them."""
    return [json.loads(line) for line in (house.root / "scores.jsonl").read_text().splitlines()]


def test_the_rows_are_of_every_kind(house: House) -> None:
    """Else the tests below show less than they say."""
    assert [row["status"] for row in rows_of(house)] == ["judged"] * 4 + [
        "unjudged",
        "not_applicable",
    ]


def test_json_lines(house: House) -> None:
    """Values and reasons as they were; null where there is none."""
    made = [json.loads(line) for line in exported(house, "jsonl").splitlines()]

    for row, one in zip(rows_of(house), made, strict=True):
        for name in ("item_id", "criterion", "level", "value", "cause"):
            assert one[name] == row[name]
        assert one["judgekit_certificate"] == row["certificate"]
    assert made[0]["reason"] == rows_of(house)[0]["reason"]
    assert [one["passed"] for one in made] == [False, False, True, True, None, None]


def test_csv(house: House) -> None:
    """An empty cell where there is no value, and no formula in any reason."""
    made = list(csv.DictReader(io.StringIO(exported(house, "csv"))))

    assert [one["value"] for one in made] == ["1", "2", "3", "4", "", ""]
    assert [one["status"] for one in made][4:] == ["unjudged", "not_applicable"]
    assert {one["certificate"] for one in made} == {rows_of(house)[0]["certificate"]}
    assert made[0]["reason"] == "'" + rows_of(house)[0]["reason"]


def test_junit(house: House) -> None:
    """Failures where a level does not pass, an error and a skipped test where there is none."""
    (suite,) = ET.fromstring(exported(house, "junit"))  # noqa: S314  (our own)
    kinds = [[child.tag for child in case] for case in suite.iter("testcase")]
    facts = {p.get("name"): p.get("value") for p in suite.iter("property")}

    assert kinds == [["failure"], ["failure"], [], [], ["error"], ["skipped"]]
    counted = [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counted == ["6", "2", "1", "1"]
    assert facts["judgekit.certificate"] == rows_of(house)[0]["certificate"]
    assert facts["judgekit.judge"] == "tone"
    assert [child.tag for child in suite] == [
        "properties",
        *["testcase"] * 6,
        "system-out",
        "system-err",
    ]
    assert suite.find("testcase/error").get("type") == "out_of_scale"
    assert "new-002: polite" in suite.findtext("system-out")


KINDS = {"stringValue": str, "doubleValue": float, "boolValue": bool, "intValue": str}


def test_otel(house: House) -> None:
    """Events by the semantic conventions, in the JSON form of the protocol."""
    text = exported(house, "otel")
    (resource,) = json.loads(text, parse_constant=pytest.fail)["resourceLogs"]
    records = resource["scopeLogs"][0]["logRecords"]
    events = []
    for record in records:
        assert set(record) == {
            *("timeUnixNano", "observedTimeUnixNano", "severityNumber", "eventName", "attributes"),
        }
        assert record["eventName"] == "gen_ai.evaluation.result"
        assert record["timeUnixNano"].isdigit()
        event = {}
        for one in record["attributes"]:
            ((kind, value),) = one["value"].items()
            assert type(value) is KINDS[kind]
            event[one["key"]] = value
        assert len(event) == len(record["attributes"])
        events.append(event)

    value, label = "gen_ai.evaluation.score.value", "gen_ai.evaluation.score.label"
    assert [e.get(value) for e in events] == [1.0, 2.0, 3.0, 4.0, None, None]
    assert [e.get(label) for e in events] == [*LEVELS, None, "not_applicable"]
    assert [e.get("error.type") for e in events] == [None] * 4 + ["out_of_scale", None]
    assert {e["gen_ai.evaluation.name"] for e in events} == {"tone"}
    assert {e["judgekit.certificate"] for e in events} == {rows_of(house)[0]["certificate"]}
    assert [e["judgekit.item_id"] for e in events] == [row["item_id"] for row in rows_of(house)]


def test_precomputed_scores_of_inspect(house: House) -> None:
    """A record for each value, none where there is none."""
    made = [json.loads(line) for line in exported(house, "inspect-scores").splitlines()]

    assert [(one["id"], one["value"]) for one in made] == [
        (row["item_id"], row["value"]) for row in rows_of(house)[:4]
    ]
    assert made[0]["metadata"]["judgekit_certificate"] == rows_of(house)[0]["certificate"]


def test_what_was_exported_can_be_corrected(house: House) -> None:
    """The figure over the exported rows is the one over the scored rows, twice exported or not."""
    house.write("one.jsonl", exported(house, "jsonl"))
    house.write("two.jsonl", exported(house, "inspect-scores"))
    done = house.run("correct", "one.jsonl", "two.jsonl", "--json")
    again = house.run("score", "tone", "items.jsonl", "--out", "again.jsonl", "--json")

    (found,), (wanted,) = done.json["criteria"], again.json["criteria"]
    assert found["tally"] == wanted["tally"]
