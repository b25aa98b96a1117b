"""``judgekit export``: what is written, what is refused, and what is never replaced."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from judgekit.adapters.table import RUNNERS
from judgekit.testing import StubServer
from tests.e2e.house import House, echo, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
FORMS = ["otel", "junit", "csv", "jsonl", "inspect-scores"]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A project whose judge is certified, with 8 scored items."""
    with StubServer(reply=echo()) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-of-the-test")
        made = House(tmp_path_factory.mktemp("certified"), server)
        made.judge()
        made.labels(spread(LEVELS, 60))
        assert made.run("calibrate", "tone").code == 0
        made.items(spread(LEVELS, 8))
        assert made.run("score", "tone", "items.jsonl", "--out", "scores.jsonl").code == 0
        yield made


@pytest.fixture
def certified(house: House, template: House) -> House:
    """The same project, in a folder of the test's own."""
    shutil.copytree(template.root, house.root, dirs_exist_ok=True)
    return House(house.root, template.server)


def test_a_judge_that_is_not_certified_is_not_exported(certified: House) -> None:
    """Refused with its reasons, and no file is written."""
    shutil.rmtree(certified.root / "certificates")
    before = certified.files()
    refused = certified.run("export", "promptfoo", "tone")
    said = certified.run("export", "deepeval", "tone", "--json")

    assert (refused.code, said.code) == (3, 3)
    assert "no_certificate" in refused.err
    assert said.json["reasons"][0]["code"] == "no_certificate"
    assert certified.files() == before


@pytest.mark.parametrize("form", FORMS)
def test_nor_are_scores_of_a_judge_that_lost_its_certificate(certified: House, form: str) -> None:
    """Scores given before do not outlive it."""
    path = certified.root / "rubrics" / "tone.jinja"
    path.write_text(path.read_text().replace("says nothing kind", "says nothing nice"))
    before = certified.files()
    refused = certified.run("export", form, "tone", "--scores", "scores.jsonl")

    assert refused.code == 3
    assert "rubric_changed" in refused.err
    assert certified.files() == before


def test_the_report_says_what_to_do_with_the_file(certified: House) -> None:
    """For people on 80 columns; for programs as one document."""
    told = certified.run("export", "deepeval", "tone")
    said = certified.run("export", "promptfoo", "tone", "--out", "p.py", "--json").json
    rows = certified.run("export", "csv", "tone", "--scores", "scores.jsonl")

    assert told.out.splitlines()[0] == "tone for deepeval: judgekit_tone.py"
    assert told.out.splitlines()[-1] == "Use     from judgekit_tone import tone"
    assert (said["format"], said["kind"], said["file"]) == (
        "judgekit.export/1",
        "promptfoo",
        "p.py",
    )
    assert rows.out.splitlines()[0] == "tone, CSV, one row an item: judgekit_tone.csv"
    assert "8 rows, 8 with a value; certificate" in rows.out
    assert max(map(len, (told.out + rows.out).splitlines())) <= 80


def test_the_list_names_every_runner_and_form(house: House) -> None:
    """Outside a project too; with how each says that there is no score."""
    listed = house.run("export", "--list")
    said = house.run("export", "--list", "--json").json

    assert [one["name"] for one in said["runners"]] == [runner.name for runner in RUNNERS]
    assert [one["name"] for one in said["forms"]] == FORMS
    text = " ".join(listed.out.split())
    for runner in RUNNERS:
        assert f" {runner.name} " in text
        assert runner.unscored in text
    assert max(map(len, listed.out.splitlines())) <= 80


def test_nothing_is_replaced_unless_told(certified: House) -> None:
    """And with --force nothing that people made, or that judgekit keeps."""
    assert certified.run("export", "promptfoo", "tone", "--out", "mine.py").code == 0
    other = certified.run("export", "inspect", "tone", "--out", "mine.py")
    assert "such a file already, made for promptfoo" in " ".join(other.err.split())
    certified.write("mine.py", "# mine\n")
    again = certified.run("export", "promptfoo", "tone", "--out", "mine.py")

    assert (again.code, (certified.root / "mine.py").read_text()) == (2, "# mine\n")
    assert "mine.py: there is such a file already" in again.err
    assert certified.run("export", "promptfoo", "tone", "--out", "mine.py", "--force").code == 0
    assert "get_assert" in (certified.root / "mine.py").read_text()
    before = certified.files()
    (certificate,) = certified.root.glob("certificates/*.json")
    for place in ("labels.csv", "rubrics/tone.jinja", "judgekit.toml", str(certificate)):
        for words in (["promptfoo", "tone"], ["csv", "tone", "--scores", "scores.jsonl"]):
            assert certified.run("export", *words, "--out", place, "--force").code == 2, place
    words = ["csv", "tone", "--scores", "scores.jsonl", "--out", "scores.jsonl", "--force"]
    assert certified.run("export", *words).code == 2
    assert certified.files() == before


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["prompfoo", "tone"], "Did you mean 'promptfoo'?"),
        (["junitt", "tone"], "Did you mean 'junit'?"),
        (["promptfoo"], "name a runner and a judge"),
        (["promptfoo", "tune"], "Did you mean 'tone'?"),
        (["promptfoo", "tone", "--criterion", "tine"], "no criterion named 'tine'"),
        (["deepeval", "tone", "--provider"], "leave out --provider; it is for: promptfoo"),
        (["deepeval", "tone", "--scores", "scores.jsonl"], "--scores goes with a form of rows"),
        (["csv", "tone"], "--scores names none"),
        (["csv", "tone", "--scores", "nowhere.jsonl"], "nowhere.jsonl"),
        (["csv", "tone", "--scores", "scores.jsonl", "--provider"], "--provider does not go with"),
        (["promptfoo", "tone", "--out", "no/such/folder.py"], "has no folder to stand in"),
        (
            ["promptfoo", "tone", "--api-base", "http://me:sk-1234567890@host/v1"],
            "the address holds a secret",
        ),
    ],
)
def test_words_that_cannot_be(certified: House, words: list[str], says: str) -> None:
    """One sentence and the way out; nothing is written."""
    before = certified.files()
    wrong = certified.run("export", *words)

    assert wrong.code == 2
    assert says in wrong.err
    assert "sk-1234567890" not in wrong.err
    assert certified.files() == before


def edited(house: House, old: str, new: str) -> str:
    """The scored rows with something changed, under another name."""
    text = (house.root / "scores.jsonl").read_text()
    assert old in text
    house.write("other.jsonl", text.replace(old, new, 1))
    return "other.jsonl"


@pytest.mark.parametrize(
    ("old", "new", "code", "says"),
    [
        ('"value": 2', '"value": 4', 2, "other.jsonl:2: status 'judged', level 'cold' and value 4"),
        ('"level": "cold"', '"level": "warm"', 2, "other.jsonl:2:"),
        ('"status": "judged"', '"status": "fine"', 2, "other.jsonl:1: status 'fine'"),
        ('"criterion": "tone"', '"criterion": "tune"', 2, "Did you mean 'tone'?"),
        ('"item_id": "new-001"', '"item_id": "new-000"', 2, "other.jsonl:2: item 'new-000'"),
        ('"item_id": "new-001"', '"item_id": "new-901"', 2, "other.jsonl:2: the row is not as"),
        (
            '"level": "cold", "value": 2',
            '"level": "friendly", "value": 4',
            2,
            "other.jsonl:2: the row is not as",
        ),
        ('"item_id": "new-001"', '"id": "new-001"', 2, "no item_id"),
        ('"certificate": "', '"certificate": "0000', 3, "judge_changed"),
        ('"certificate": "', '"calibrated": false, "c": "', 3, "judgekit try"),
        ("}", "", 2, "other.jsonl:1: not valid JSON"),
    ],
)
def test_rows_that_no_certified_judge_wrote(
    certified: House, old: str, new: str, code: int, says: str
) -> None:
    """Edited, mixed up or of another certificate: named with their line, and nothing written."""
    file = edited(certified, old, new)
    before = certified.files()
    wrong = certified.run("export", "csv", "tone", "--scores", file)

    assert wrong.code == code
    assert says in " ".join(wrong.err.split())
    assert certified.files() == before


def test_scores_of_recorded_judgments(house: House) -> None:
    """A judge that ran elsewhere is known by its certificate."""
    house.judge()
    house.labels(spread(LEVELS, 60))
    said = [{"item_id": f"item-{i:03}", "level": v} for i, v in enumerate(spread(LEVELS, 60))]
    house.write("said.jsonl", "".join(f"{row}\n".replace("'", '"') for row in said))
    given = ("--judgments", "said.jsonl")
    assert house.run("calibrate", "tone", *given).code == 0
    assert house.run("score", "tone", *given, "--out", "scores.jsonl").code == 0
    done = house.run("export", "csv", "tone", "--scores", "scores.jsonl", "--json")

    assert (done.code, done.json["rows"]) == (0, {"scored": 60})
    shutil.rmtree(house.root / "certificates")
    assert house.run("export", "csv", "tone", "--scores", "scores.jsonl", "--force").code == 3


def test_the_file_may_be_sent_on(certified: House) -> None:
    """A device is written to, and asks for no --force."""
    words = ("export", "csv", "tone", "--scores", "scores.jsonl", "--out", "/dev/null")

    assert certified.run(*words).code == 0
    assert not Path("/dev/null").is_file()
