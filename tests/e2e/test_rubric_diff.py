"""``judgekit rubric diff``: what an edit changes, and which certificates it voids."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.e2e.house import BINARY, RUBRIC, House, Result

TONE = "rubrics/tone.jinja"


def edit(house: House, *swaps: tuple[str, str], name: str = TONE) -> House:
    """Change texts of the rubric, each once."""
    text = (house.root / name).read_text()
    for old, new in swaps:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    house.write(name, text)
    return house


def git(house: House, *arguments: str) -> None:
    """Run git in the project, as nobody in particular."""
    who = {
        f"GIT_{role}_{what}": "test@test"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    settings = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    subprocess.run(
        ["git", *arguments],
        cwd=house.root,
        env=os.environ | who | settings,
        check=True,
        capture_output=True,
    )


@pytest.fixture
def kept(house: House) -> House:
    """Return a project in git."""
    house.judge()
    git(house, "init", "-q")
    git(house, "add", "-A")
    git(house, "commit", "-qm", "first")
    return house


@pytest.fixture
def certified(served: House) -> House:
    """Return a project with a certificate."""
    assert served.run("calibrate", "tone").code == 0
    return served


def certificate(house: House) -> Path:
    """Return the one certificate file of the project."""
    (path,) = house.root.glob("certificates/*.json")
    return path


def diff(house: House, *arguments: str, code: int) -> Result:
    """Compare, and hold the exit code of the JSON document against that of the lines."""
    told = house.run("rubric", "diff", *arguments)
    assert told.code == code, told.out + told.err
    document = house.run("rubric", "diff", *arguments, "--json")
    assert document.code == code
    if code < 2:
        assert document.json["meaning_changed"] == bool(code)
        assert document.json["format"] == "judgekit.rubric-diff/1"
        assert document.err == ""
        assert max(map(len, told.out.splitlines())) <= 80
    return told


def test_the_same_file_has_no_difference(house: House) -> None:
    """By whatever name."""
    house.judge()

    assert "no difference" in diff(house, "tone", TONE, code=0).out


def test_cosmetic_edits_are_listed_and_called_so(kept: House) -> None:
    """A comment, another version, other quotes, keys in another order; nothing is voided."""
    edit(
        kept,
        ("version: 1", "version: 2  # for the help desk"),
        ("      - value: 2\n        name: cold\n", "      - name: cold\n        value: 2\n"),
        ("The reply greets or thanks the customer.", "'The reply greets or thanks the customer.'"),
    )

    told = diff(kept, f"{TONE}@HEAD", TONE, code=0).out

    assert "only cosmetic edits" in told
    assert re.search(r"^  version +1 -> 2 \(line 3\)$", told, re.MULTILINE)
    assert "comments" in told
    assert "of the keys of level 2 of tone" in told
    assert "quotes and line breaks" in told
    assert "Voids" not in told


def test_an_edit_of_the_meaning_is_told_word_by_word(kept: House) -> None:
    """With level, part, line, words, and what it does."""
    edit(
        kept,
        ("and says nothing kind", "but says nothing very kind"),
        ("passes_at: 3", "passes_at: 2"),
        ("version: 1", "version: 2\ndescription: For us."),
    )

    told = diff(kept, f"{TONE}@HEAD", "tone", code=1).out

    assert told.startswith(f"{TONE}@HEAD -> {TONE}: the meaning changed in 2 places.\n")
    assert (
        "tone, level 2, definition  line 16 -> 17\n"
        "    The reply is correct [-and-]{+but+} says nothing {+very +}kind.\n"
        "    Changes what the model is shown.\n"
    ) in told
    assert (
        "tone, pass line  line 9 -> 10\n"
        "    {+2 cold, +}3 polite, 4 friendly\n"
        "    Changes only what passes: the model is shown the same.\n"
    ) in told
    assert "description added (line 4)" in " ".join(told.split())
    assert "no certificate of this project" in told
    assert "Version" not in told


def test_a_version_that_did_not_change_is_said(kept: House) -> None:
    """Design: changing the meaning without a new version is an error once certified."""
    edit(kept, ("nothing kind", "nothing at all"))

    told = diff(kept, f"{TONE}@HEAD", TONE, code=1).out

    assert "Version  still 1: a rubric that means something else" in told
    assert "version: 2" in told


def test_the_certificates_it_voids_are_named(certified: House) -> None:
    """And the command that measures the judge again, ready to run."""
    certified.write("old.jinja", (certified.root / TONE).read_text())
    edit(certified, ("nothing kind", "nothing at all"), ("version: 1", "version: 2"))

    told = diff(certified, "old.jinja", TONE, code=1).out

    short = json.loads(certificate(certified).read_text())["id"][:6]
    assert f"Voids    certificate {short} (tone on tone, " in told
    assert f"certificates/{certificate(certified).name}" in told
    (command,) = re.findall(r"^Next +judgekit (.+)$", told, re.MULTILINE)
    assert shlex.split(command) == ["calibrate", "tone", "--labels", "labels.csv"]
    assert certified.run(*shlex.split(command)).code == 0
    back = certified.run("rubric", "diff", TONE, "old.jinja", "--json").json
    (voided,) = back["voids"]  # the new one, on the way back
    assert not voided["certificate"].startswith(short)


def test_what_is_voided_is_what_the_gate_refuses(certified: House) -> None:
    """The diff and `score` are of one mind about an edit, cosmetic or not."""
    certified.items(["cold", "polite"])
    certified.write("old.jinja", (certified.root / TONE).read_text())
    score = ("score", "tone", "items.jsonl", "--out", "s.jsonl")

    edit(certified, ("version: 1", "version: 2 # the same"))
    diff(certified, "old.jinja", TONE, code=0)
    assert certified.run(*score).code == 0

    edit(certified, ("nothing kind", "nothing at all"))
    diff(certified, "old.jinja", TONE, code=1)
    refused = certified.run(*score)
    assert refused.code == 3
    assert "rubric_changed" in refused.err


@pytest.mark.parametrize("named", ["path", "id", "short"])
def test_a_certificate_knows_which_parts(certified: House, named: str) -> None:
    """Not how they changed, which is said; of scale and pass line it knows that as well."""
    path = certificate(certified)
    full = json.loads(path.read_text())["id"]
    name = {"path": str(path), "id": full, "short": full[:6]}[named]
    edit(certified, ("nothing kind", "nothing at all"), ("passes_at: 3", "passes_at: 4"))

    told = diff(certified, name, TONE, code=1).out

    assert told.startswith(f"certificate {full[:6]} -> {TONE}: the meaning changed in 2 places.")
    assert "tone, level 2  line 14\n    It differs; what it said is not kept" in told
    assert "    [-3 polite, -]4 friendly\n" in told
    assert f"Voids    certificate {full[:6]}" in told


def test_a_certificate_of_the_same_meaning(certified: House) -> None:
    """Its rubric is the one at hand."""
    edit(certified, ("version: 1", "version: 3"))
    short = json.loads(certificate(certified).read_text())["id"][:6]

    assert (
        f"certificate {short} ({TONE}) -> {TONE}: no diff"
        in diff(certified, short, TONE, code=0).out
    )


def test_git_still_has_the_rubric_that_was_certified(certified: House) -> None:
    """Then the words are known as well, and the revision is named."""
    git(certified, "init", "-q")
    git(certified, "add", "-A")
    git(certified, "commit", "-qm", "certified")
    edit(certified, ("nothing kind", "nothing at all"))
    git(certified, "commit", "-qam", "sharper")
    short = json.loads(certificate(certified).read_text())["id"][:6]

    told = diff(certified, short, TONE, code=1).out

    assert re.match(rf"certificate {short} \({TONE}@[0-9a-f]+\) ->", told)
    assert "says nothing [-kind-]{+at all+}." in told


def test_templates_of_a_revision_are_those_of_that_time(kept: House) -> None:
    """A rubric that extends a file of its folder."""
    kept.write(
        "rubrics/base.jinja",
        '{% extends "judgekit/pointwise@1.jinja" %}{% block task %}One.{% endblock %}',
    )
    kept.write(TONE, RUBRIC + '{% extends "base.jinja" %}')
    git(kept, "add", "-A")
    git(kept, "commit", "-qm", "base")
    edit(kept, ("One.", "Two."), name="rubrics/base.jinja")

    told = diff(kept, "tone@HEAD", "tone", code=1).out

    assert "tone, prompt, base.jinja\n" in told
    assert "[-One-]{+Two+}" in told


def test_one_criterion_of_several(house: House) -> None:
    """The others are left alone."""
    criterion = RUBRIC.partition("criteria:\n")[2].removesuffix("---\n")
    both = (
        RUBRIC.removesuffix("---\n")
        + criterion.replace("criterion: tone", "criterion: mood")
        + "---\n"
    )
    house.write("a.jinja", both)
    house.write("b.jinja", both.replace("The reply greets or thanks", "The reply thanks", 1))

    assert "tone, level 3" in diff(house, "a.jinja", "b.jinja", code=1).out
    diff(house, "a.jinja", "b.jinja", "--criterion", "tone", code=1)
    diff(house, "a.jinja", "b.jinja", "--criterion", "mood", code=0)
    assert (
        "no criterion named 'moot'"
        in diff(house, "a.jinja", "b.jinja", "--criterion", "moot", code=2).err
    )
    house.write("c.jinja", RUBRIC)
    assert "mood, criterion  line" in diff(house, "a.jinja", "c.jinja", code=1).out


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("rubrics/tome.jinja", "no such file"),
        ("tome", "no rubric file, judge or certificate named 'tome'"),
        ("bad.jinja", "bad.jinja:"),
        (f"{TONE}@nowhere", "git says: "),
        (f"{TONE}@--output=x", "no revision"),
        ("rubrics/gone.jinja@HEAD", "git says: "),
        ("bad.json", "no judgekit.certificate file"),
        ("rubrics", "this is a directory"),
    ],
)
def test_what_cannot_be_read(kept: House, before: str, said: str) -> None:
    """Exit 2 and one clear error; nothing is written."""
    kept.write("bad.jinja", BINARY.replace("question", "kwestion"))
    kept.write("bad.json", "{}")

    assert said in diff(kept, before, TONE, code=2).err
    assert not (kept.root / "x").exists()


def test_without_git(kept: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to do instead."""
    monkeypatch.setenv("PATH", str(kept.root))

    told = diff(kept, f"{TONE}@HEAD", TONE, code=2).err

    assert "git is not installed" in told
    assert "name both files" in told


def test_without_a_repository(house: House) -> None:
    """What git says is handed on."""
    house.judge()

    assert "git says: not a git repository" in diff(house, f"{TONE}@HEAD", TONE, code=2).err


def test_colours_take_the_place_of_marks(kept: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where there are colours; the words are the same."""
    edit(kept, ("nothing kind", "nothing at all"))
    plain = diff(kept, f"{TONE}@HEAD", TONE, code=1).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = kept.run("rubric", "diff", f"{TONE}@HEAD", TONE).out
    monkeypatch.setenv("NO_COLOR", "1")

    assert "\x1b[" in coloured
    assert "[-kind-]" not in coloured
    bare = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert bare == plain.replace("[-kind-]{+at all+}", "kindat all")
    assert kept.run("rubric", "diff", f"{TONE}@HEAD", TONE).out == plain


def test_what_a_rubric_says_never_steers_the_terminal(
    kept: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Escapes in its words are shown as escapes, with colours and without."""
    edit(kept, ("question: How friendly is the reply?", 'question: "How \\e[2J\\u202e is it?"'))

    for forced in (False, True):
        if forced:
            monkeypatch.setenv("FORCE_COLOR", "1")
        told = kept.run("rubric", "diff", f"{TONE}@HEAD", TONE)
        assert told.code == 1
        assert r"\x1b[2J\u202e" in told.out
        assert not re.search("[\x1b\u202e](?!\\[[0-9;]*m)", told.out)
