"""From a rubric and labels to a certificate, from a certificate to a score; and every refusal."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest

import judgekit as jk
from tests.e2e.house import BINARY, RUBRIC, House, echo, spread

LEVELS = ["rude", "cold", "polite", "friendly"]


def certified(house: House) -> dict:
    """Calibrate the project's judge and return the JSON document."""
    result = house.run("calibrate", "tone", "--json")
    assert result.code == 0, result.out + result.err
    return result.json


def refused(house: House, *arguments: str) -> list[str]:
    """Score, expect a refusal that writes nothing, and return the codes of its reasons."""
    house.items(spread(LEVELS, 20))
    before = house.files()
    result = house.run("score", "tone", "items.jsonl", "--out", "out.jsonl", "--json", *arguments)

    assert result.code == 3
    assert result.json["format"] == "judgekit.refusal/1"
    assert house.files() == before
    return [reason["code"] for reason in result.json["reasons"]]


def test_calibrate_then_score(served: House) -> None:
    """A good judge is certified, and scores items with an interval and the certificate."""
    document = certified(served)

    assert document["verdict"] == "calibrated"
    assert document["criteria"][0]["agreement"]["value"] == 1.0
    assert document["criteria"][0]["tally"]["items"] == 60
    assert len(document["certificates"]) == 1
    served.items(spread(LEVELS, 40))
    result = served.run("score", "tone", "items.jsonl", "--out", "out.jsonl", "--json")
    assert result.code == 0
    criterion = result.json["criteria"][0]
    assert criterion["uncorrected"]["value"] == 0.5
    assert criterion["corrected"] is None
    assert criterion["why"]
    rows = [json.loads(line) for line in (served.root / "out.jsonl").read_text().splitlines()]
    assert len(rows) == 40
    assert set(rows[0]) == {
        *("item_id", "criterion", "level", "value", "status", "cause", "reason"),
        *("certificate", "cached", "text", "seal"),
    }
    assert {row["certificate"] for row in rows} == {criterion["certificate"]}


def test_score_without_certificate(served: House) -> None:
    """Nothing is asked or written, and the message names the command that gets a certificate."""
    assert refused(served) == ["no_certificate"]
    assert served.server.stats.requests == 0

    result = served.run("score", "tone", "items.jsonl", "--out", "out.jsonl")
    assert "Refused: nothing was scored." in result.err
    assert "judgekit calibrate tone --labels labels.csv" in result.err


def test_score_without_certificate_in_the_library(served: House) -> None:
    """The library refuses the same way, before the items are read."""
    judge = jk.load_judge("tone", project=served.root)

    with pytest.raises(jk.GateRefusal) as refusal:
        jk.score_items(judge, served.root / "no-such-file.jsonl")

    assert [reason.code for reason in refusal.value.reasons] == ["no_certificate"]


def test_one_changed_word(served: House) -> None:
    """One word of one definition voids the certificate and names the level."""
    certified(served)
    served.write("rubrics/tone.jinja", RUBRIC.replace("says nothing kind", "says nothing nice"))

    assert refused(served) == ["rubric_changed"]
    assert "level 2" in served.run("score", "tone", "items.jsonl").err


def test_cosmetic_edit(served: House) -> None:
    """Comments, key order and the version number leave the certificate valid."""
    certified(served)
    text = RUBRIC.replace("version: 1", "version: 2  # reviewed").replace(
        "        name: cold\n        definition: The reply is correct and says nothing kind.\n",
        "        definition: The reply is correct and says nothing kind.\n        name: cold\n",
    )
    assert text != RUBRIC
    served.write("rubrics/tone.jinja", text)
    served.items(spread(LEVELS, 20))

    assert served.run("score", "tone", "items.jsonl").code == 0


@pytest.mark.parametrize(
    "setting", [{"temperature": 0.5}, {"max_tokens": 99}, {"params": {}, "model": "openai/other"}]
)
def test_changed_parameter(served: House, setting: dict) -> None:
    """One changed parameter is another judge."""
    certified(served)
    setting.pop("params", None)
    served.judge(**setting)

    assert refused(served) == ["judge_changed"]


def test_changed_endpoint(served: House) -> None:
    """The same model at another address is another judge."""
    certified(served)
    served.judge(api_base="http://127.0.0.1:9/v1")

    assert refused(served) == ["judge_changed"]


def test_concurrency_and_timeout_are_no_change(served: House) -> None:
    """How fast it is asked is not who is asked."""
    certified(served)
    served.judge(concurrency=3, timeout=77.0)
    served.items(spread(LEVELS, 20))

    assert served.run("score", "tone", "items.jsonl").code == 0


def test_another_served_model(served: House) -> None:
    """Complaint 52: another model behind the name stops the run after one call, which is kept."""
    certified(served)
    served.server.reset()
    served.server.configure(served="stub-2026-09-09")

    assert refused(served) == ["model_served_changed"]
    assert served.server.stats.requests == 1


def test_a_few_replies_of_another_model_certify_nothing(served: House) -> None:
    """One new label answered by another model does not make that model a certified one."""
    certified(served)
    served.server.configure(served="stub-2026-09-09")
    served.labels([*spread(LEVELS, 60), "cold"])
    assert served.run("calibrate", "tone").code == 0

    assert refused(served) == ["model_served_changed"]


def test_secrets_are_no_parameters(served: House) -> None:
    """A key among the parameters would stand in git: it is refused before anything is asked."""
    toml = (served.root / "judgekit.toml").read_text()
    for line in ('api_key = "x"', 'headers = {Authorization = "x"}', 'aws_secret_access_key = "x"'):
        served.write("judgekit.toml", f"{toml}[judges.tone.params]\n{line}\n")
        result = served.run("calibrate", "tone")

        assert result.code == 2
        assert "secret" in result.err
    assert served.server.stats.requests == 0


def test_altered_labels(served: House) -> None:
    """A label that says something else now voids the certificate; an added one does not."""
    certified(served)
    levels = spread(LEVELS, 60)
    served.labels([*levels, "cold"])
    served.items(spread(LEVELS, 20))
    assert served.run("score", "tone", "items.jsonl").code == 0

    served.labels(["cold", *levels[1:]])
    assert refused(served) == ["labels_changed"]
    served.labels(levels[:-1])
    assert refused(served) == ["labels_changed"]


def test_another_label_set(served: House) -> None:
    """Labels of other items are other evidence."""
    certified(served)
    text = (served.root / "labels.csv").read_text().replace("item-", "other-")
    served.write("labels.csv", text)

    assert refused(served) == ["labels_changed"]


def test_the_project_names_another_label_set(served: House) -> None:
    """A judge whose project now names other labels was not measured on them."""
    certified(served)
    served.labels(spread(LEVELS[::-1], 60), name="other.csv")
    toml = (served.root / "judgekit.toml").read_text()
    served.write("judgekit.toml", toml.replace('"labels.csv"', '"other.csv"'))

    assert refused(served) == ["labels_changed"]


def test_labels_named_on_the_command_line(served: House) -> None:
    """A certificate stands on the labels it was measured on, whatever the project names."""
    served.labels(spread(LEVELS[::-1], 60), name="other.csv")
    assert served.run("calibrate", "tone", "--labels", "other.csv").code == 0
    served.items(spread(LEVELS, 20))
    assert served.run("score", "tone", "items.jsonl").code == 0

    served.labels(spread(LEVELS, 60), name="other.csv")
    assert refused(served) == ["labels_changed"]


def test_a_broken_ledger(served: House) -> None:
    """A ledger that cannot be read stops a calibration before anything is paid for."""
    served.write("certificates/looks/0000.json", "{")
    result = served.run("calibrate", "tone")

    assert result.code == 2
    assert "0000.json" in result.err
    assert served.server.stats.requests == 0


def test_a_broken_revocation(served: House) -> None:
    """A list of revocations with holes admits nobody."""
    certified(served)
    served.write("certificates/revocations/0000.json", "{")

    assert refused(served) == ["certificate_invalid"]


def test_expired(served: House) -> None:
    """A certificate of a dated hosted model runs out after 90 days."""
    document = certified(served)
    stated = json.loads((served.root / document["certificates"][0]).read_text())
    issued = datetime.fromisoformat(stated["issued_at"])
    assert datetime.fromisoformat(stated["expires_at"]) - issued == timedelta(days=90)
    judge = jk.load_judge("tone", project=served.root)

    jk.admit_judge(judge, now=issued + timedelta(days=89))
    with pytest.raises(jk.GateRefusal) as refusal:
        jk.admit_judge(judge, now=issued + timedelta(days=90))

    assert [reason.code for reason in refusal.value.reasons] == ["expired"]


def test_the_same_replies_extend_nothing(served: House) -> None:
    """Calibrating again without a new reply gives the same certificate; --refresh asks anew."""
    first = certified(served)["certificates"]
    served.server.reset()
    assert certified(served)["certificates"] == first
    assert served.server.stats.requests == 0

    result = served.run("calibrate", "tone", "--refresh", "--json")
    assert result.code == 0
    assert served.server.stats.requests == 60
    assert result.json["certificates"] != first


def test_following_the_advice_after_another_model(served: House) -> None:
    """The command that the refusal names leads out of it."""
    certified(served)
    served.server.configure(served="stub-2026-09-09")
    assert refused(served) == ["model_served_changed"]
    advice = served.run("score", "tone", "items.jsonl").err.split("judgekit ")[-1].split()

    assert served.run(*advice).code == 0
    served.write(
        "items.jsonl", (served.root / "items.jsonl").read_text().replace("answer", "reply")
    )
    assert served.run("score", "tone", "items.jsonl").code == 0


def test_failed_calls_cost_no_look(served: House) -> None:
    """Asking again for what failed is the same look."""
    served.server.configure(faults={"empty": 0.04})
    first = served.run("calibrate", "tone", "--json").json["criteria"][0]
    served.server.configure(faults={})
    second = served.run("calibrate", "tone", "--json").json["criteria"][0]

    assert first["tally"]["unjudged"].get("empty", 0) > 0
    assert (first["look"], second["look"]) == (1, 1)


def test_outputs_replace_no_input(served: House) -> None:
    """An output never overwrites what the same run reads."""
    certified(served)
    served.items(spread(LEVELS, 12))
    before = served.files()
    for name in (
        "items.jsonl",
        "judgekit.toml",
        "labels.csv",
        "rubrics/tone.jinja",
        "no/where.jsonl",
    ):
        assert served.run("score", "tone", "items.jsonl", "--out", name).code == 2
        if name != "items.jsonl":  # which calibrate does not read
            assert served.run("calibrate", "tone", "--disagreements", name).code == 2
    assert served.files().keys() >= before.keys()
    assert {n: d for n, d in served.files().items() if n in before} == before


def test_stricter_policy(served: House) -> None:
    """A bar raised above the evidence voids the certificate; a lowered one does not."""
    certified(served)
    toml = (served.root / "judgekit.toml").read_text()
    served.write("judgekit.toml", toml + "[policy]\nmin_items = 500\nrecommended_items = 500\n")
    assert refused(served) == ["policy_stricter"]

    served.write("judgekit.toml", toml + "[policy]\nmin_items = 20\n")
    assert served.run("score", "tone", "items.jsonl").code == 0


def test_all_reasons_at_once(served: House) -> None:
    """Every reason is named in one refusal."""
    certified(served)
    served.judge(temperature=0.7)
    served.write("rubrics/tone.jinja", RUBRIC.replace("nothing kind", "nothing nice"))
    served.labels(["cold", *spread(LEVELS, 60)[1:]])

    assert set(refused(served)) == {"rubric_changed", "judge_changed", "labels_changed"}


@pytest.mark.parametrize("where", ["certificate", "evidence"])
def test_tampered_files(served: House, where: str) -> None:
    """A number edited in a certificate or its evidence is found."""
    document = certified(served)
    path = served.root / document["certificates"][0]
    if where == "evidence":
        path = next((served.root / "certificates" / "evidence").iterdir())
        text = path.read_text().replace('"judge":3', '"judge":4', 1)
    else:
        text = path.read_text().replace('"min_agreement": 0.6', '"min_agreement": 0.1', 1)
    assert text != path.read_text()
    path.write_text(text)

    assert refused(served) == ["certificate_invalid"]
    verify = served.run("certificate", "verify", str(served.root / document["certificates"][0]))
    assert verify.code == 1


def test_verify_and_show(served: House) -> None:
    """A certificate is verified offline, from its two files alone."""
    document = certified(served)
    name = document["certificates"][0]
    for other in ("judgekit.toml", "labels.csv", "rubrics/tone.jinja"):
        (served.root / other).unlink()

    assert served.run("certificate", "verify", name).code == 0
    shown = served.run("certificate", "show", name)
    assert shown.code == 0
    assert "certified" in shown.out


def test_eight_perfect_labels(served: House) -> None:
    """Eight labels in perfect agreement decide nothing; it says how many more would."""
    served.labels(spread(LEVELS, 8))
    result = served.run("calibrate", "tone", "--json")

    assert result.code == 1
    criterion = result.json["criteria"][0]
    assert criterion["verdict"] == "inconclusive"
    assert criterion["labels_needed"] > 0
    assert not result.json["certificates"]
    assert "more labels" in served.run("calibrate", "tone").out


def test_single_level(served: House) -> None:
    """All labels and judgments in one level: undefined, and it says what needs labels."""
    served.labels(["polite"] * 40)
    result = served.run("calibrate", "tone", "--json")

    assert result.code == 1
    criterion = result.json["criteria"][0]
    assert criterion["verdict"] == "inconclusive"
    assert criterion["agreement"]["undefined"] == "single_category"
    assert criterion["agreement"]["value"] is None
    assert criterion["labels_needed"] is None
    text = served.run("calibrate", "tone").out
    assert "below 3" in text
    assert "nan" not in text.lower()


def test_constant_judge(house: House, server: object) -> None:
    """A judge that always says the same has a kappa of exactly 0."""
    house.server = server
    house.judge(BINARY, name="grounded")
    house.labels(spread(["supported", "unsupported"], 50))
    server._model._reply = echo({"unsupported": "supported"})
    result = house.run("calibrate", "grounded", "--json")

    assert result.code == 1
    assert result.json["criteria"][0]["agreement"]["value"] == 0.0
    assert result.json["verdict"] == "not_calibrated"


def test_one_level_too_kind(house: House) -> None:
    """A judge one level too kind throughout is not certified, with or without a pass line."""
    five = RUBRIC.replace(
        "- value: 1\n        name: rude", "- value: 0\n        name: vile"
    ).replace(
        "levels:\n",
        "levels:\n      - value: 1\n        name: rude\n        definition: It orders about.\n",
    )
    for text in (five, five.replace("    passes_at: 3\n", "")):
        house.judge(text)
        house.write(
            "labels.csv", "item_id,level\n" + "".join(f"i{n},{n % 5}\n" for n in range(200))
        )
        judged = [json.dumps({"item_id": f"i{n}", "level": min(4, n % 5 + 1)}) for n in range(200)]
        house.write("judged.jsonl", "\n".join(judged))
        result = house.run(
            *("calibrate", "tone", "--labels", "labels.csv", "--judgments", "judged.jsonl"),
            "--json",
        )

        criterion = result.json["criteria"][0]
        assert round(criterion["agreement"]["value"], 2) == 0.8
        assert criterion["raw_agreement"]["value"] == 0.2
        assert result.code == 1
        assert criterion["verdict"] == "not_calibrated"
        assert list((house.root / "certificates").glob("*.json")) == []


def test_five_of_a_hundred_are_nonsense(served: House) -> None:
    """Unreadable replies count as disagreement, not as five extreme levels."""
    levels = spread(LEVELS, 100)
    served.labels(levels)
    honest = echo()

    def reply(request: dict) -> str:
        text = request["messages"][-1]["content"]
        return "banana" if any(f"reply {i} is" in text for i in range(5)) else honest(request)

    served.server._model._reply = reply
    result = served.run("calibrate", "tone", "--json")

    criterion = result.json["criteria"][0]
    assert criterion["tally"]["unjudged"] == {"unreadable": 5}
    assert criterion["tally"]["judged"] == 95
    assert criterion["agreement"]["value"] == 1.0
    assert 0.8 < criterion["gate_agreement"]["value"] < 1.0
    assert criterion["worst_case"]["value"] < 1.0
    assert result.code == 0


def test_rubric_examples_are_set_aside(served: House) -> None:
    """A labelled item that is also a worked example measures nothing; it is named."""
    path = served.labels(spread(LEVELS, 60))
    anchor = "Hello and thank you for asking - it arrives tomorrow - may I do more for you"
    path.write_text(path.read_text().replace("reply 3 is friendly", anchor))
    result = served.run("calibrate", "tone", "--json")

    criterion = result.json["criteria"][0]
    assert criterion["rubric_examples"] == {"item-003": "friendly"}
    assert criterion["tally"]["set_aside"] == {"rubric_example": 1}
    assert served.server.stats.requests == 59


def test_looks(served: House) -> None:
    """Each changed judge on the same labels is a look; the same one again is none."""
    assert certified(served)["criteria"][0]["look"] == 1
    assert certified(served)["criteria"][0]["look"] == 1
    for look in range(2, 6):
        served.judge(temperature=look / 10)
        result = served.run("calibrate", "tone", "--json").json["criteria"][0]
        assert result["look"] == look
    served.judge(temperature=0.9)
    result = served.run("calibrate", "tone", "--json")
    assert result.code == 1
    failed = [c for c in result.json["criteria"][0]["checks"] if not c["passed"]]
    assert [c["reason"] for c in failed] == ["look_budget_spent"]


def test_meaning_changed_under_a_certified_version(served: House) -> None:
    """Once certified, a rubric that means something else needs a version of its own."""
    certified(served)
    changed = RUBRIC.replace("nothing kind", "nothing nice")
    served.write("rubrics/tone.jinja", changed)
    result = served.run("calibrate", "tone")
    assert result.code == 2
    assert "version: 2" in result.err

    served.write("rubrics/tone.jinja", changed.replace("version: 1", "version: 2"))
    assert served.run("calibrate", "tone").code == 0


def test_status(served: House) -> None:
    """`status` is 1 until every judge is fit."""
    assert served.run("status").code == 1
    certified(served)
    result = served.run("status", "--json")

    assert result.code == 0
    assert result.json["judges"][0]["fit"] is True
