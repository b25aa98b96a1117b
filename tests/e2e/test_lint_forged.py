"""``judgekit lint --evidence`` with what was forged, edited, cut or is about something else.

One clear error, exit 2, and nothing else on stdout: no rule looks at a part of the evidence.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judgekit.fingerprint import fingerprint
from judgekit.storage.runs import ABOUT, ROWS
from judgekit.testing import StubServer
from tests.e2e.house import RUBRIC, House, spread

LINT = ("lint", "rubrics/tone.jinja", "--json", "--evidence")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with a certificate and a run, made once."""
    house = House(tmp_path_factory.mktemp("measured"))

    def reply(request: dict) -> str:
        found = re.search(r"reply \d+ is (\w+)", request["messages"][-1]["content"])
        return json.dumps({"reason": "as it says", "level": found[1] if found else "cold"})

    with pytest.MonkeyPatch.context() as patch, StubServer(reply=reply) as house.server:
        patch.setenv("OPENAI_API_KEY", "sk-of-the-test")
        house.judge()
        house.labels(spread(["rude", "cold", "friendly"], 120))
        assert house.run("calibrate", "tone").code == 0
        yield house.root


@pytest.fixture
def house(measured: Path, tmp_path: Path) -> House:
    """The project, to be damaged."""
    shutil.copytree(measured, tmp_path / "copy")
    return House(tmp_path / "copy")


def files(house: House) -> tuple[Path, Path]:
    """Return the certificate and its evidence file."""
    kept = house.root / "certificates"
    return next(kept.glob("*.json")), next((kept / "evidence").glob("*.jsonl"))


def refused(house: House, evidence: str, words: str) -> None:
    """The command says one thing, and finds nothing."""
    done = house.run(*LINT, evidence)
    error = json.loads(done.out)

    assert (done.code, error["format"]) == (2, "judgekit.error/1"), done
    assert words in error["message"], error
    assert error["message"].count("\n") == 0


def sealed(certificate: Path, change: Callable[[dict], None]) -> None:
    """Change a certificate as a forger does: with an id that fits."""
    document = json.loads(certificate.read_text())
    change(document)
    del document["id"]
    bare = {name: value for name, value in document.items() if name != "signature"}
    certificate.write_text(json.dumps({"id": fingerprint(bare), **document}))


def test_undamaged_it_is_evidence(house: House) -> None:
    """Or all the rest would show nothing."""
    for evidence in (str(files(house)[0]), "last"):
        done = house.run(*LINT, evidence)
        assert (done.code, "EV01" in done.out) == (1, True), done
    sealed(files(house)[0], lambda _: None)
    assert house.run(*LINT, str(files(house)[0])).code == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (lambda text: text[: len(text) // 2], "is not JSON as judgekit writes it"),
        (lambda _: "", "is not JSON as judgekit writes it"),
        (lambda _: "[" * 50_000, "is not JSON as judgekit writes it"),
        (lambda _: "[]", "this is no judgekit.certificate file"),
        (lambda text: text.replace("certificate/1", "certificate/9", 1), "upgrade judgekit"),
        (lambda text: text.replace('"judged"', '"jugded"', 1), ""),
        (lambda text: text.replace('"rude"', '"rough"', 1), "does not hold"),
        (lambda text: re.sub(r'"value": 0\.\d+', '"value": 0.99', text, count=1), "does not hold"),
    ],
    ids=["cut", "empty", "deep", "list", "newer", "misspelt", "renamed", "another figure"],
)
def test_an_edited_certificate_is_refused(
    text: Callable[[str], str], words: str, house: House
) -> None:
    """Whatever was done to its text."""
    certificate, _ = files(house)
    before = certificate.read_text()
    certificate.write_text(text(before))

    assert certificate.read_text() != before
    refused(house, str(certificate), words)


def test_figures_are_measured_again_from_rows_that_can_be_read(house: House) -> None:
    """A forged one has an id that fits, and its evidence file is untouched: its figures are not."""
    certificate, _ = files(house)

    def better(document: dict) -> None:
        document["evidence"]["agreement"]["value"] = 0.5

    sealed(certificate, better)
    refused(house, str(certificate), "does not hold")


def test_forged_rows_with_a_digest_that_fits_are_refused(house: House) -> None:
    """Rows were changed or left out, and the certificate names them as its own."""
    certificate, rows = files(house)
    text = rows.read_text()
    for forged in (
        text.replace('"judge":1', '"judge":3', 1),
        "".join(text.splitlines(keepends=True)[:-40]),
        text + text.splitlines(keepends=True)[0],
        text.replace('"judge":1', '"judge":99', 1),
        text.replace('"judge":1', '"judge":NaN', 1),
        "{}\n" + text,
    ):
        assert forged != text
        digest = hashlib.sha256(forged.encode()).hexdigest()
        name = f"evidence/{digest[:16]}.jsonl"
        (certificate.parent / name).write_text(forged)

        def other(document: dict, name: str = name, digest: str = digest) -> None:
            document["evidence_file"] |= {"path": name, "sha256": digest}

        sealed(certificate, other)
        refused(house, str(certificate), "does not hold")


@pytest.mark.parametrize("damage", ["edited", "cut", "gone", "folder"])
def test_rows_that_are_not_those_it_was_issued_on_are_refused(damage: str, house: House) -> None:
    """By the sha256 that the certificate holds."""
    certificate, rows = files(house)
    text = rows.read_text()
    rows.unlink()
    if damage == "edited":
        rows.write_text(text.replace('"judge":1', '"judge":3', 1))
    elif damage == "cut":
        rows.write_text(text[: len(text) // 2])
    elif damage == "folder":
        rows.mkdir()

    refused(house, str(certificate), "does not hold: its evidence file")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("cut", "was cut short while it was written"),
        ("half", "and holds rows of 60"),
        ("gone", "is missing"),
        ("junk", "is not a row"),
        ("odd", "1 of its rows are not as judgekit writes them"),
        ("killed", "did not come to its end (killed)"),
        ("stopped", "did not come to its end (stopped)"),
        ("nothing said", "does not say which rubric it was about"),
        ("other format", "does not say which rubric it was about"),
    ],
)
def test_a_run_that_is_not_whole_is_refused(damage: str, words: str, house: House) -> None:
    """Its rows were cut or damaged, or it never came to its end."""
    (run,) = (house.root / ".judgekit" / "runs").iterdir()
    about, rows = run / ABOUT, run / ROWS
    text, lines = about.read_text(), rows.read_text().splitlines(keepends=True)
    match damage:
        case "cut":
            rows.write_text("".join(lines)[:-30])
        case "half":
            rows.write_text("".join(lines[: len(lines) // 2]))
        case "gone":
            rows.unlink()
        case "junk":
            rows.write_text("".join([*lines, "no row\n"]))
        case "odd":
            rows.write_text("".join(lines).replace('"replicate":0', '"replicate":"x"', 1))
        case "killed" | "stopped":
            state = {"killed": "running"}.get(damage, damage)
            about.write_text(text.replace('"state": "done"', f'"state": "{state}"'))
        case "nothing said":
            about.write_text(text.replace('"sha256": {', '"sha2": {'))
        case "other format":
            about.write_text("{}")

    refused(house, "last", words)


def test_evidence_of_another_rubric_is_refused(house: House) -> None:
    """A certificate and a run; the message names both rubrics' names, or says what to name."""
    other = RUBRIC.replace("rubric: tone", "rubric: other").replace("greets or thanks", "thanks")
    house.write("rubrics/tone.jinja", other)

    for evidence in (str(files(house)[0]), "last"):
        refused(house, evidence, "is about rubric 'tone', which is not among the files checked")


def test_one_that_does_not_hold_spoils_the_look(house: House) -> None:
    """What the other one shows is not said either."""
    certificate, rows = files(house)
    rows.write_text("")
    done = house.run(*LINT, "last", "--evidence", str(certificate))

    assert done.code == 2
    assert "EV01" not in done.out
