"""``judgekit lint --evidence``: judged and certified for real, then told of the rubric."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Iterator

import pytest

from judgekit.api.lint import lint_paths, selection_of
from judgekit.testing import StubServer
from tests.e2e.house import RUBRIC, House, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
ANCHOR = "Hello and thank you for asking, it arrives tomorrow, may I do more for you?"
BLIND = 0.7
"""The temperature at which the judge takes polite replies for cold ones."""
LINT = ("lint", "rubrics/tone.jinja", "--select", "EV")


def lint(house: House, *evidence: str, form: str = "json") -> list[dict]:
    """What the rules from evidence find, without any call."""
    assert house.server is not None
    before = len(house.server.received)
    named = [word for one in evidence for word in ("--evidence", one)]
    done = house.run(*LINT, *named, "--format", form)
    assert len(house.server.received) == before
    assert done.code == (1 if json.loads(done.out) else 0), done.err
    return json.loads(done.out)


def calibrated(house: House, *options: str) -> dict:
    """The first criterion of a calibration."""
    return house.run("calibrate", "tone", "--json", *options).json["criteria"][0]


@pytest.fixture
def served(house: House) -> Iterator[House]:
    """A judge that says what stands in the item, or "cold"; one that is warm is never polite."""

    def reply(request: dict) -> str:
        found = re.search(r"reply (\d+) is (\w+)", request["messages"][-1]["content"])
        level = found[2] if found else "cold"
        if request.get("temperature") == BLIND and level == "polite":
            level = "cold"
        return json.dumps({"reason": "as it says", "level": level})

    with StubServer(reply=reply) as house.server:
        house.judge()
        yield house


@pytest.fixture
def certified(served: House) -> House:
    """A good judge that was never shown a polite reply, with a labelled worked example."""
    served.labels(spread(["rude", "cold", "friendly"], 120))
    with (served.root / "labels.csv").open("a") as file:
        file.write(f'leak,Where is my parcel number nine?,"{ANCHOR}",ann,friendly\n')
    assert calibrated(served)["verdict"] == "calibrated"
    return served


def test_a_certificate_shows_what_nobody_used_and_what_leaked(certified: House) -> None:
    """By file and by the start of its id, in every form, at the line of the level."""
    (path,) = (certified.root / "certificates").glob("*.json")
    short = path.stem[-6:]
    found = lint(certified, short)

    assert [(v["code"], v["line"], v["rule"]) for v in found] == [
        ("EV01", 18, "level-never-used"),
        ("EV06", 27, "anchor-in-labels"),
    ]
    assert "gave level 3 in 120 items: 0%, 95% interval 0% to 3.0%" in found[0]["message"]
    assert f"(certificate {short}): 'leak' (ann 4)" in found[1]["message"]
    assert lint(certified, str(path)) == found
    sarif = lint(certified, short, form="sarif")["runs"][0]
    assert [one["ruleId"] for one in sarif["results"]] == ["EV01", "EV06"]
    text = certified.run(*LINT, "--evidence", short)
    assert "level-never-used (EV01)" in text.out
    github = certified.run(*LINT, "--evidence", short, "--format", "github")
    assert github.out.count("::error file=rubrics/tone.jinja,line=18") == 1


def test_rules_are_chosen_and_ignored_as_any_other(certified: House) -> None:
    """By code and name, and by a comment, which nobody calls unused without evidence."""
    assert certified.run(*LINT, "--evidence", "last", "--ignore", "EV01,EV06").code == 0
    rubric = certified.root / "rubrics" / "tone.jinja"
    comment = "# judgekit: ignore-file[EV01, anchor-in-labels] it is known\n---\n"
    rubric.write_text(RUBRIC.replace("---\n{", "{").removesuffix("---\n") + comment)

    assert lint(certified, "last") == []
    assert "IG03" not in certified.run("lint", "rubrics/tone.jinja").out


def test_labels_that_changed_are_not_those_of_the_certificate(certified: House) -> None:
    """Their texts are not looked at; what was set aside is still known, and a note says so."""
    certified.labels(spread(["rude", "cold", "friendly"], 90))
    (path,) = (certified.root / "certificates").glob("*.json")
    done = certified.run(*LINT, "--evidence", str(path), "--json")

    leak = next(v for v in done.json if v["code"] == "EV06")
    assert (leak["code"], leak["line"]) == ("EV06", 6)
    assert "'leak'" in leak["message"]
    assert "are not what they were" in " ".join(done.err.split())


def test_evidence_of_another_meaning_is_left_out(certified: House) -> None:
    """Said in one note with the way out; a comment is no other meaning."""
    found = lint(certified, "last")
    rubric = certified.root / "rubrics" / "tone.jinja"
    rubric.write_text(RUBRIC.replace("version: 1", "version: 1  # the first"))
    assert lint(certified, "last") == found
    rubric.write_text(
        RUBRIC.replace("greets or thanks", "thanks").replace("version: 1", "version: 2")
    )
    (path,) = (certified.root / "certificates").glob("*.json")
    for evidence in ("last", str(path)):
        done = certified.run(*LINT, "--evidence", evidence, "--json")
        assert (done.code, done.json) == (0, [])
        note = " ".join(done.err.split())
        assert note.count("another meaning of 'tone'") == 1
        assert "judgekit calibrate tone" in note
    assert "(level 3 changed since)" in note


def test_a_broken_certificate_is_no_evidence(certified: House) -> None:
    """Nor one whose evidence file was edited."""
    (path,) = (certified.root / "certificates").glob("*.json")
    (rows,) = (certified.root / "certificates" / "evidence").glob("*.jsonl")
    rows.write_text(rows.read_text().replace('"judge":1', '"judge":3', 1))
    done = certified.run(*LINT, "--evidence", str(path))

    assert done.code != 0
    assert "does not hold" in done.err


def test_names_that_are_no_evidence(certified: House) -> None:
    """One clear error, exit 2: unknown, a report without items, and of no file that is checked."""
    unknown = certified.run(*LINT, "--evidence", "zzz")
    assert (unknown.code, "no certificate or run named 'zzz'" in unknown.err) == (2, True)
    report = certified.run("calibrate", "tone", "--json").out
    certified.write("report.json", report)
    told = certified.run(*LINT, "--evidence", "report.json")
    assert (told.code, "holds no items" in told.err) == (2, True)
    certified.write(
        "other.jinja",
        RUBRIC.replace("rubric: tone", "rubric: other").replace("greets or thanks", "thanks"),
    )
    other = certified.run("lint", "other.jinja", "--evidence", "last")
    assert (other.code, "is about rubric 'tone'" in other.err) == (2, True)
    certified.write("broken.jinja", RUBRIC.replace("scale: ordinal", "scale: [tone"))
    broken = certified.run("lint", "broken.jinja", "--evidence", "last")
    assert (broken.code, "mend it first" in broken.err) == (1, True)


def test_a_judge_that_failed_is_told_by_its_run(served: House) -> None:
    """What its calibration showed, with the items, and a border that it confuses."""
    served.labels(spread(LEVELS, 120))
    served.judge(temperature=BLIND)
    assert calibrated(served)["certificate"] is None, "no certificate"
    found = lint(served, "last")

    assert [(v["code"], v["line"]) for v in found] == [("EV01", 18), ("EV03", 18)]
    assert "the judge never gave level 3 in 120 items" in found[0]["message"]
    assert "'item-002' (ann 3, judge 2)" in found[1]["message"]


def test_labels_that_the_command_named(served: House) -> None:
    """A set of its own, in wide form and with a split, is found again by what the ledger keeps."""
    served.labels(spread(LEVELS, 160))
    rows = (served.root / "labels.csv").read_text().splitlines()[1:]
    wide = ["item_id,input,output,split,ann,bob"]
    for at, row in enumerate(rows):
        name, question, reply, _, level = row.rsplit(",", 4)
        wide.append(f"{name},{question},{reply},{('dev', 'test')[at % 5 > 0]},{level},{level}")
    served.write("sets/wide.csv", "\n".join(wide) + "\n")
    served.judge(temperature=BLIND)
    (served.root / "labels.csv").unlink()
    named = ("--labels", "sets/wide.csv", "--rater-columns", "ann,bob", "--split", "test")
    calibrated(served, *named, "--reveal", "none")
    assert [v["code"] for v in lint(served, "last")] == ["EV01"]
    calibrated(served, *named)
    found = lint(served, "last")

    assert [(v["code"], v["line"]) for v in found] == [("EV01", 18), ("EV03", 18)]
    assert "(ann 3, bob 3, judge 2)" in found[1]["message"]


def test_what_was_hidden_stays_hidden(served: House) -> None:
    """A calibration that showed its verdict only names no person, and compares with none."""
    served.labels(spread(LEVELS, 120))
    served.judge(temperature=BLIND)
    calibrated(served, "--reveal", "none")
    done = served.run(*LINT, "--evidence", "last", "--json")

    assert [v["code"] for v in done.json] == ["EV01"]
    assert "ann" not in done.out
    assert "is not compared with people" in done.err
    calibrated(served)
    assert [v["code"] for v in lint(served, "last")] == ["EV01", "EV03"]


def test_an_example_that_the_judge_levels_otherwise(served: House) -> None:
    """Three answers are enough, also where the second run has them from the cache."""
    served.judge(replicates=3)
    row = {"id": "mine", "input": "Where is my parcel number nine?", "output": ANCHOR}
    served.write("anchors.jsonl", json.dumps(row) + "\n")
    for _ in range(2):
        assert served.run("try", "tone", "anchors.jsonl").code == 0
        found = [v for v in lint(served, "last") if v["code"] == "EV05"]
        assert [v["line"] for v in found] == [27]
        message = found[0]["message"]
        assert "of level 4 on level 2 in 3 of 3 answers, 95% interval 29% to 100%" in message
        assert found[0]["message"].endswith("'mine'")


def test_an_example_to_which_the_judge_says_the_criterion_does_not_apply(house: House) -> None:
    """That is another level, too; an answer that is none says nothing."""
    rubric = RUBRIC.replace("    levels:", "    not_applicable: There is no reply.\n    levels:")
    row = {"id": "mine", "input": "Where is my parcel number nine?", "output": ANCHOR}
    house.write("anchors.jsonl", json.dumps(row) + "\n")
    said = ["na"]

    def reply(_: dict) -> str:
        return json.dumps({"reason": "r", "level": said[0]})

    with StubServer(reply=reply) as house.server:
        for said[0], temperature, codes in (("na", 0.1, ["EV05"]), ("no level", 0.2, [])):
            house.judge(rubric, replicates=3, temperature=temperature)
            house.run("try", "tone", "anchors.jsonl")
            found = lint(house, "last")
            assert [v["code"] for v in found] == codes, found
            told = "calls this example of level 4 not applicable in 3 of 3 answers"
            assert all(told in one["message"] for one in found)


def test_one_answer_is_one_however_often_it_is_read(served: House) -> None:
    """Three items of the same text are one request."""
    rows = [
        {"id": name, "input": "Where is my parcel number nine?", "output": ANCHOR}
        for name in ("a", "b", "c")
    ]
    served.write("anchors.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert served.run("try", "tone", "anchors.jsonl").code == 0

    assert lint(served, "last") == []


TWO = """---
rubric: two
version: 1
inputs: [output]
criteria:
  - criterion: tone
    question: How friendly are the words of the reply?
    scale: ordinal
    levels:
      - {value: 1, name: rude, definition: It insults the customer.}
      - {value: 2, name: cold, definition: It says nothing kind., drops_when: It insults.}
      - {value: 3, name: warm, definition: It thanks the customer., drops_when: It does not.}
  - criterion: facts
    question: Does the number in the reply stand in the order?
    scale: ordinal
    levels:
      - {value: 1, name: wrong, definition: It names another number.}
      - {value: 2, name: bare, definition: It names no number., drops_when: It names another.}
      - {value: 3, name: right, definition: It names the number., drops_when: It does not.}
---
"""


def test_one_impression_of_two_criteria(house: House) -> None:
    """A judge that gives both the middle of the two, by its run: items with what each side said."""
    kinds = [(1, 1), (3, 3), (1, 1), (3, 3), (2, 2), (1, 3), (3, 1)]
    levels = [kinds[i % len(kinds)] for i in range(105)]
    rows = ["item_id,output,rater,criterion,level"]
    for i, (tone, facts) in enumerate(levels):
        text = f"reply {i} is {(tone + facts) // 2}"
        rows += [f"i{i},{text},ann,tone,{tone}", f"i{i},{text},ann,facts,{facts}"]

    def reply(request: dict) -> str:
        user = request["messages"][-1]["content"]
        level = int(re.search(r"reply \d+ is (\d)", user)[1])
        names = ("wrong", "bare", "right") if "on facts" in user else ("rude", "cold", "warm")
        return json.dumps({"reason": "as it says", "level": names[level - 1]})

    with StubServer(reply=reply) as house.server:
        house.judge(TWO, "two")
        house.write("labels.csv", "\n".join(rows) + "\n")
        house.run("calibrate", "two")
        done = house.run(
            "lint", "rubrics/two.jinja", "--evidence", "last", "--select", "EV", "--json"
        )

    assert [(v["code"], v["line"], v["column"]) for v in done.json] == [("EV04", 13, 16)], done
    assert "'facts' move with those of 'tone': correlation 1.00" in done.json[0]["message"]
    assert "'i5' (tone: ann 1, judge 2; facts: ann 3, judge 2)" in done.json[0]["message"]


def test_watching_looks_at_the_evidence_again(certified: House) -> None:
    """With the same findings, until it is interrupted."""
    process = certified.spawn(*LINT, "--evidence", "last", "--watch")
    try:
        assert process.stdout is not None
        assert any("level-never-used (EV01)" in line for line in process.stdout)
        time.sleep(0.5)  # the look is told, and watching goes on
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    finally:
        process.kill()
        process.communicate()

    assert process.returncode == 1


def test_the_library_says_the_same(certified: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Violations, and notes of what was left out."""
    monkeypatch.chdir(certified.root)
    chosen = selection_of(["EV"], [])
    result = lint_paths(["rubrics"], selection=chosen, evidence=["last"])

    assert [v.code for v in result.violations] == ["EV01", "EV06"]
    assert result.notes == ()
    assert lint_paths(["rubrics"], selection=chosen).violations == ()
