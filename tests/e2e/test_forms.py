"""The other shapes a calibration comes in: several criteria, raters, orders, splits, replicates."""

from __future__ import annotations

import json
import subprocess
import sys

from judgekit.testing import StubServer
from tests.e2e.house import BINARY, RUBRIC, House, echo, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
TWO = BINARY.replace("rubric: grounded", "rubric: answer") + ""
SECOND = """  - criterion: brief
    question: Is the answer short?
    scale: nominal
    passing: [short]
    levels:
      - {name: short, definition: One sentence.}
      - {name: long, definition: More than one sentence.}
---
"""
PAIR = """---
rubric: preference
version: 1
criteria:
  - criterion: preference
    question: Which output is better?
    scale: pairwise
    levels:
      - {value: A, definition: The first is better.}
      - {value: B, definition: The second is better.}
      - {value: tie, definition: Neither is better.}
---
"""


def jsonl(*rows: dict) -> str:
    """Return rows as JSONL."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_several_criteria(house: House) -> None:
    """Each criterion has a call, evidence and a certificate of its own; scoring asks for some."""
    text = TWO.rsplit("---\n", 1)[0] + SECOND
    house.write(
        "labels.csv",
        "item_id,input,output,criterion,level\n"
        + "".join(f"i{n},q{n},a{n},grounded,{n % 2}\n" for n in range(60))
        + "".join(f"i{n},q{n},a{n},brief,{('short', 'long')[n % 2]}\n" for n in range(60)),
    )

    def reply(request: dict) -> str:
        about = "brief" in request["messages"][0]["content"].split("\n")[2]
        number = int(request["messages"][-1]["content"].split("\nq")[1].split("\n")[0])
        level = "short" if about else ("unsupported", "supported")[number % 2]
        return json.dumps({"reason": "r", "level": level})

    with StubServer(reply=reply) as server:
        house.server = server
        house.judge(text, name="answer")
        result = house.run("calibrate", "answer", "--json")
        assert server.stats.requests == 120
        house.write(
            "items.jsonl",
            jsonl(*({"id": f"n{n}", "input": f"\nq{n}\n", "output": "x"} for n in range(12))),
        )
        whole = house.run("score", "answer", "items.jsonl", "--json")
        some = house.run("score", "answer", "items.jsonl", "--criterion", "grounded", "--json")

    verdicts = {c["criterion"]: c["verdict"] for c in result.json["criteria"]}
    assert verdicts == {"grounded": "calibrated", "brief": "not_calibrated"}
    assert result.code == 1
    assert result.json["verdict"] == "not_calibrated"
    assert [len(result.json["certificates"]), whole.code, some.code] == [1, 3, 0]
    assert [c["criterion"] for c in some.json["criteria"]] == ["grounded"]


def test_several_criteria_on_the_same_items(house: House) -> None:
    """Two criteria labelled by the same rater on the same items are both admitted."""
    house.judge(TWO.rsplit("---\n", 1)[0] + SECOND, name="answer")
    rows = "".join(
        f"i{n},{criterion},ann,{pair[n % 2]}\n"
        for criterion, pair in (("grounded", "01"), ("brief", ("long", "short")))
        for n in range(60)
    )
    house.write("labels.csv", "item_id,criterion,rater,level\n" + rows)
    house.write("judged.csv", "item_id,criterion,rater,level\n" + rows)

    assert house.run("calibrate", "answer", "--judgments", "judged.csv").code == 0
    assert house.run("score", "answer", "--judgments", "judged.csv").code == 0


def test_one_changed_criterion_leaves_the_other(house: House) -> None:
    """Each criterion stands alone: a change to one does not void the other's certificate."""
    text = TWO.rsplit("---\n", 1)[0] + SECOND
    house.judge(text, name="answer")
    rows = "".join(
        f"i{n},{c},{(a, b)[n % 2]}\n"
        for c, a, b in (("grounded", "0", "1"), ("brief", "short", "long"))
        for n in range(60)
    )
    house.write("labels.csv", "item_id,criterion,level\n" + rows)
    house.write("judged.csv", "item_id,criterion,level\n" + rows)
    assert house.run("calibrate", "answer", "--judgments", "judged.csv").code == 0
    house.judge(text.replace("More than one", "Two or more"), name="answer")
    one = house.run("score", "answer", "--judgments", "judged.csv", "--criterion", "grounded")
    other = house.run("score", "answer", "--judgments", "judged.csv", "--criterion", "brief")

    assert one.code == 0
    assert other.code == 3
    assert "rubric_changed" in other.err


def test_pairwise_in_both_orders(house: House) -> None:
    """Raw replies speak of the shown order; levels are in item order; disagreement is a tie."""
    house.write("judge.jinja", PAIR)
    human = ["A", "B", "tie"] * 20
    house.write(
        "labels.csv", "item_id,level\n" + "".join(f"i{n},{h}\n" for n, h in enumerate(human))
    )
    swap = {"A": "B", "B": "A"}
    rows = []
    for n, h in enumerate(human):
        first, second = (h, swap[h]) if h != "tie" else ("A", "A")  # A both times: position bias
        rows += [
            {"item_id": f"i{n}", "order": "AB", "raw": f"[[{first}]]"},
            {"item_id": f"i{n}", "order": "BA", "raw": f"[[{second}]]"},
        ]
    house.write("judged.jsonl", jsonl(*rows))
    result = house.run(
        *("calibrate", "judge.jinja", "--labels", "labels.csv", "--judgments", "judged.jsonl"),
        "--json",
    )

    assert result.code == 0, result.out
    assert result.json["criteria"][0]["agreement"]["value"] == 1.0


def test_raters(house: House) -> None:
    """Several raters are pooled and clustered by item; an adjudicated label replaces them."""
    house.judge()
    human = [LEVELS[n % 4] for n in range(60)]
    wide = "item_id,alice,bob\n" + "".join(
        f"i{n},{h},{LEVELS[(n + (n % 5 == 0)) % 4]}\n" for n, h in enumerate(human)
    )
    house.write("wide.csv", wide)
    house.write(
        "judged.jsonl", jsonl(*({"item_id": f"i{n}", "level": h} for n, h in enumerate(human)))
    )
    options = ("calibrate", "tone", "--judgments", "judged.jsonl", "--json")
    pooled = house.run(*options, "--labels", "wide.csv", "--rater-columns", "alice,bob").json
    found = pooled["criteria"][0]
    assert (found["agreement"]["n"], found["agreement"]["pairs"]) == (60, 120)
    assert found["raters"]["alice"]["value"] == 1.0
    assert found["raters"]["bob"]["value"] < 1.0
    assert "single-rater" not in found["stamps"]

    long = "item_id,rater,level\n" + "".join(
        f"i{n},bob,{LEVELS[(n + 1) % 4]}\ni{n},adjudicated,{h}\n" for n, h in enumerate(human)
    )
    house.write("long.csv", long)
    settled = house.run(*options, "--labels", "long.csv").json["criteria"][0]
    assert settled["agreement"]["value"] == 1.0
    assert settled["agreement"]["pairs"] == 60


def test_not_applicable(house: House) -> None:
    """A human's "na" sets the item aside; a judge's "na" against a level disagrees."""
    house.judge(RUBRIC.replace("    levels:\n", "    not_applicable: No reply.\n    levels:\n", 1))
    human = ["na"] * 5 + [LEVELS[n % 4] for n in range(60)]
    house.write(
        "labels.csv", "item_id,level\n" + "".join(f"i{n},{h}\n" for n, h in enumerate(human))
    )
    said = ["na" if n in (5, 6) else h for n, h in enumerate(human)]
    house.write(
        "judged.jsonl", jsonl(*({"item_id": f"i{n}", "level": s} for n, s in enumerate(said)))
    )
    found = house.run("calibrate", "tone", "--judgments", "judged.jsonl", "--json").json[
        "criteria"
    ][0]

    assert found["tally"]["set_aside"] == {"human_na": 5}
    assert found["tally"]["judged"] == 60
    assert found["agreement"]["value"] < 1.0
    assert sum(found["confusion"]["na"]) == 2


def test_split(house: House) -> None:
    """With a split column only the test part is measured; the rest is set aside and counted."""
    house.judge()
    human = [LEVELS[n % 4] for n in range(80)]
    parts = ["train"] * 20 + ["test"] * 60
    house.write(
        "labels.csv",
        "item_id,level,split\n" + "".join(f"i{n},{h},{parts[n]}\n" for n, h in enumerate(human)),
    )
    house.write(
        "judged.jsonl", jsonl(*({"item_id": f"i{n}", "level": h} for n, h in enumerate(human)))
    )
    found = house.run("calibrate", "tone", "--judgments", "judged.jsonl", "--json").json[
        "criteria"
    ][0]

    assert found["tally"]["set_aside"] == {"other_split": 20}
    assert found["agreement"]["n"] == 60


def test_replicates(house: House) -> None:
    """Each replicate is a call of its own; the majority level counts."""
    seen: dict[str, int] = {}

    def reply(request: dict) -> str:
        text = request["messages"][-1]["content"]
        seen[text] = seen.get(text, 0) + 1
        if seen[text] == 2:
            return json.dumps({"reason": "a slip", "level": "rude"})
        return echo()(request)

    with StubServer(reply=reply) as server:
        house.server = server
        house.judge(replicates=3, concurrency=1)
        house.labels(spread(LEVELS, 40))
        result = house.run("calibrate", "tone", "--json")
        requests = server.stats.requests

    assert requests == 120
    assert result.json["criteria"][0]["agreement"]["value"] == 1.0


def test_recorded_judge_is_who_it_declares(house: House) -> None:
    """A certificate of recorded judgments admits only those that declare the same judge."""
    house.judge()
    human = [LEVELS[n % 4] for n in range(60)]
    house.write(
        "labels.csv", "item_id,level\n" + "".join(f"i{n},{h}\n" for n, h in enumerate(human))
    )
    for judge in ("ours", "theirs"):
        rows = ({"item_id": f"i{n}", "level": h, "judge": judge} for n, h in enumerate(human))
        house.write(f"{judge}.jsonl", jsonl(*rows))
    result = house.run("calibrate", "tone", "--judgments", "ours.jsonl", "--json")
    assert result.code == 0
    assert "recorded" in result.json["criteria"][0]["stamps"]

    assert house.run("score", "tone", "--judgments", "ours.jsonl").code == 0
    other = house.run("score", "tone", "--judgments", "theirs.jsonl")
    assert other.code == 3
    live = house.run("score", "tone", "whatever.jsonl")
    assert live.code == 3


def test_labels_are_not_judgments(house: House) -> None:
    """The label file in place of the judge's would agree with itself: it is refused."""
    house.judge()
    house.labels(spread(LEVELS, 60))
    result = house.run("calibrate", "tone", "--judgments", "labels.csv")

    assert result.code == 2
    assert "labels.csv" in result.err
    assert not list(house.root.glob("certificates/*.json"))


def test_incomplete_record(house: House) -> None:
    """More than 5% of the labelled items without a record: no verdict, exit 4."""
    house.judge()
    human = [LEVELS[n % 4] for n in range(60)]
    house.write(
        "labels.csv", "item_id,level\n" + "".join(f"i{n},{h}\n" for n, h in enumerate(human))
    )
    rows = ({"item_id": f"i{n}", "level": h} for n, h in enumerate(human[:50]))
    house.write("judged.jsonl", jsonl(*rows))
    result = house.run("calibrate", "tone", "--judgments", "judged.jsonl", "--json")

    assert result.code == 4
    assert result.json["verdict"] is None
    assert result.json["criteria"][0]["tally"]["unjudged"] == {"missing": 10}


def test_another_folder(served: House) -> None:
    """The project is found from a folder inside it."""
    (served.root / "deep" / "er").mkdir(parents=True)
    inside = House(served.root / "deep" / "er")

    assert inside.run("calibrate", "tone").code == 0
    assert inside.run("status").code == 0
    assert list(served.root.glob("certificates/tone-tone-*.json"))


def test_a_cached_run_imports_no_client(served: House) -> None:
    """Once everything is cached, calibrate runs without litellm."""
    assert served.run("calibrate", "tone").code == 0
    served.server.stop()
    program = (
        "import sys\nfrom judgekit.cli.run import run\n"
        "code = run(['calibrate', 'tone', '--json'])\n"
        "heavy = {'litellm', 'openai', 'aiohttp', 'sklearn'} & set(sys.modules)\n"
        "print(code, sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=served.root,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stderr.strip().splitlines()[-1] == "0 []"
    assert json.loads(done.stdout)["calls"] == {
        "asked": 0,
        "cached": 60,
        "failed": 0,
        "not_asked": 0,
    }
