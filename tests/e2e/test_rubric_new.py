"""``judgekit rubric new``: from flags, from answers on a terminal, from the gallery."""

from __future__ import annotations

import re
import resource
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.api.rubric_new import write_rubric
from judgekit.errors import InputError
from judgekit.importers.gallery import find_example, gallery, gallery_folder
from judgekit.importers.rubrics import load_rubric
from judgekit.rubric.model import Rubric
from tests.e2e.house import RUBRIC, House, Result

TONE = "rubrics/tone.jinja"
FLAGS = (
    *("--question", "How kind is the reply?", "--passes-at", "kind", "--inputs", "input,output"),
    *("--level", "3:kind:It thanks the customer: in words.", "--drops-when", "kind:No thanks."),
    *("--level", "2:flat:It states facts and nothing else.", "--drops-when", "2:It insults."),
    *("--level", "1:rude:It calls the customer names."),
)


def new(house: House, *arguments: str, code: int = 0) -> Result:
    """Write a rubric, or fail to."""
    result = house.run("rubric", "new", *arguments)
    assert result.code == code, result.out + result.err
    return result


def made(house: House, name: str = TONE) -> Rubric:
    """The rubric in a file."""
    return load_rubric(house.root / name)


def test_from_flags(house: House) -> None:
    """All of it; what the linter finds left to do is told with its lines."""
    told = new(house, "tone", *FLAGS).out
    rubric = made(house)
    (criterion,) = rubric.criteria

    assert told.startswith(f"{TONE}: written.\n")
    assert (rubric.name, rubric.version, rubric.inputs) == ("tone", 1, ("input", "output"))
    assert criterion.scale.names == ("rude", "flat", "kind")
    assert criterion.scale.levels[2].definition == "It thanks the customer: in words."
    assert [level.drops_when for level in criterion.scale.levels] == [
        None,
        "It insults.",
        "No thanks.",
    ]
    assert criterion.passes == (False, False, True)


def test_what_is_left_to_do_is_what_lint_says(house: House) -> None:
    """The same violations, in the document as on the screen."""
    flags = [flag for flag in FLAGS if flag not in ("--drops-when", "2:It insults.")]
    flags.remove("kind:No thanks.")
    document = new(house, "tone", *flags, "--json").json
    linted = house.run("lint", TONE, "--json").json

    assert document["format"] == "judgekit.rubric-new/1"
    assert document["file"] == TONE
    assert document["violations"] == linted
    assert {one["code"] for one in linted} >= {"SC08"}
    (house.root / TONE).unlink()
    told = new(house, "tone", *flags).out
    lines = (house.root / TONE).read_text().splitlines()
    (at,) = {one["line"] for one in linted if one["code"] == "SC08" and "level 3" in one["message"]}
    assert f"  line {at}  " in told
    assert "value: 3" in lines[at - 1]


def levels(*told: str) -> list[str]:
    """The flags of these levels."""
    return [word for level in told for word in ("--level", level)]


@pytest.mark.parametrize(
    ("flags", "kind", "passes"),
    [
        (
            ["--scale", "binary", *levels("1:met:It is there.", "0:unmet:It is not.")],
            "binary",
            (False, True),
        ),
        (
            ["--scale", "nominal", "--passing", "kind", *levels("rude:No: worse.", "kind:Yes.")],
            "nominal",
            (False, True),
        ),
        (
            ["--scale", "pairwise", *levels("A:The first.", "B:The second.", "tie:Neither.")],
            "pairwise",
            None,
        ),
    ],
)  # fmt: skip
def test_every_kind_of_scale(
    house: House, flags: list[str], kind: str, passes: tuple[bool, ...] | None
) -> None:
    """Levels without an order go by their names."""
    new(house, "tone", "--question", "Which is it?", *flags)
    (criterion,) = made(house).criteria

    assert criterion.scale.kind == kind
    assert criterion.passes == passes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "a rubric needs NAME, --question, --level"),
        (("tone", "--question", "Q?"), "a rubric needs --level"),
        (("tone", "--question", "Q?", "--level", "3:kind"), "'3:kind' is not VALUE:NAME"),
        (("tone", *FLAGS, "--level", "3:nice:x"), "two levels have the value '3'"),
        (("tone", *FLAGS, "--level", "0:kind:x"), "two levels have the name 'kind'"),
        (("tone", *FLAGS, "--drops-when", "kind:x"), "said twice of level 'kind'"),
        (("tone", "--drops-when", "kind:x"), "give each --level as well"),
        (("tone", *FLAGS, "--scale", "binary"), "--passes-at goes with ordinal scales, not binary"),
        (("--scale", "nominal", "--passes-at", "3"), "--passes-at goes with ordinal scales"),
        (("--scale", "ordinal", "--passing", "a"), "--passing goes with nominal and pairwise"),
        (("tone", *FLAGS, "--question", " "), "--question says nothing"),
        (("tone", *FLAGS, "--inputs", ","), "--inputs says nothing"),
        (("tone", *FLAGS, "--out", ""), "--out names no file"),
        (("tone", *FLAGS, "--not-applicable", "x\x1b[2J"), "a control character, '\\x1b'"),
        (("𝒜" * 64, *FLAGS), "cannot be the name of a rubric"),
        (("tone", *FLAGS, "--out", "x" * 300), "no file can have this name"),
        (("tone", "--question", "Q?", "--level", "1:a:b"), "one level"),
        (("tone", *FLAGS, "--drops-when", "kindly:x"), "which level"),
        (("tone", *FLAGS[:2], *FLAGS[4:], "--passes-at", "kinder"), "'kinder' is not a level"),
        (("../tone", *FLAGS), "cannot be the name of a rubric"),
        (("tone", "--example", "no-such"), "no example named 'no-such'"),
        (("tone", "--example", "safety", "--question", "Q?"), "cannot go with --question"),
        (("tone", *FLAGS, "--scale", "ordinale"), "ordinale"),
        (("tone", *FLAGS, "--inputs", "a b,output"), "--inputs: 'a b' cannot be the name"),
        (("tone", *FLAGS, "--inputs", "criterion"), "--inputs: 'criterion' cannot be the name"),
        (("tone", *FLAGS, "--question", "bad\udcff is it?"), "--question: this is not UTF-8"),
        (("tone", *FLAGS, "--drops-when", "rude:\udcff"), "--drops-when: this is not UTF-8"),
    ],
)  # fmt: skip
def test_what_cannot_be_written(house: House, arguments: tuple[str, ...], said: str) -> None:
    """Exit 2, one clear error, and nothing on disk."""
    error = new(house, *arguments, code=2).err

    assert said in error
    assert "YAML" not in error
    assert house.files() == {}


def test_no_file_is_ever_replaced(house: House) -> None:
    """Whatever it holds, by whatever way."""
    house.write(TONE, "mine")
    (house.root / "link.jinja").symlink_to("nowhere")
    before = house.files()

    for arguments in (
        ("tone", *FLAGS),
        ("x", *FLAGS, "--out", TONE),
        ("x", *FLAGS, "--out", "link.jinja"),
    ):
        assert "is there already" in new(house, *arguments, code=2).err
    assert house.files() == before


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("file/x.jinja", "file is no folder"),
        ("gone/x.jinja", "is no folder"),
        ("/proc/x.jinja", "cannot be written"),
    ],
)
def test_a_place_where_nothing_can_stand(house: House, out: str, said: str) -> None:
    """A file or a lost link on the way, a system that takes none: told as what it is."""
    house.write("file", "mine")
    (house.root / "gone").symlink_to("nowhere")
    error = new(house, "tone", *FLAGS, "--out", out, code=2).err

    assert said in error
    assert "--out FILE" in error
    assert house.files() == {"file": b"mine"}


def test_a_disk_that_takes_no_more(house: House) -> None:
    """Nothing half-written is left, and another place is named as the way out."""
    done = subprocess.run(
        [sys.executable, "-m", "judgekit", "rubric", "new", "tone", *FLAGS],
        cwd=house.root,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert "--out FILE" in done.stderr
    assert house.files() == {}


@pytest.mark.parametrize("name", ["-x.jinja", "a b.jinja", "ü'x.jinja"])
def test_the_next_command_works_for_any_file(house: House, name: str) -> None:
    """As a shell takes it, and for no option."""
    told = new(house, "tone", *FLAGS, "--out", name).out
    (command,) = re.findall(r"^Next    judgekit (.*)$", told, re.MULTILINE)

    assert house.run(*shlex.split(command)).code in (0, 1)


def test_a_file_that_came_in_between_stays(house: House) -> None:
    """Looking first is not enough: somebody may be quicker."""
    house.write(TONE, "mine")

    with pytest.raises(InputError, match="is there already"):
        write_rubric(RUBRIC, house.root / TONE)
    assert (house.root / TONE).read_text() == "mine"


def test_out_names_the_file(house: House) -> None:
    """Folders on the way are made."""
    told = new(house, "tone", *FLAGS, "--out", "deep/er/kind.jinja").out

    assert told.startswith("deep/er/kind.jinja: written.")
    assert made(house, "deep/er/kind.jinja").name == "tone"


# --- the gallery ---------------------------------------------------------------------------------

needs_gallery = pytest.mark.skipif(gallery_folder() is None, reason="no gallery beside the package")


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """Return a gallery of two rubrics, one of which says what it is."""
    folder = tmp_path / "shelf"
    (folder / "labels").mkdir(parents=True)
    told = RUBRIC.replace(
        "version: 1", "version: 7  # of the gallery\ndescription: How kind it is."
    )
    (folder / "tone.jinja").write_text(told)
    (folder / "plain.jinja").write_text(RUBRIC)
    (folder / "labels" / "tone.jsonl").write_text("{}\n")
    return folder


def test_a_gallery_knows_its_rubrics(shelf: Path) -> None:
    """By name, with a line on each and the labelled set."""
    plain, tone = gallery(shelf)

    assert (plain.name, plain.description, plain.labels) == (
        "plain",
        "How friendly is the reply?",
        None,
    )
    assert (tone.description, tone.labels) == ("How kind it is.", shelf / "labels" / "tone.jsonl")
    assert find_example("tone", shelf) == tone


@needs_gallery
def test_the_gallery_is_listed(house: House) -> None:
    """As lines and as a document; nothing is written."""
    told = new(house, "--list").out
    listed = new(house, "--list", "--json").json["examples"]

    assert [one["name"] for one in listed] == [one.name for one in gallery()]
    assert all(one["description"] for one in listed)
    assert all(one["name"] in told for one in listed)
    assert max(map(len, told.splitlines())) <= 80
    assert house.files() == {}


@needs_gallery
def test_an_example_under_a_name_of_ones_own(house: House) -> None:
    """Its first version, all else to the letter."""
    example = gallery()[0]
    told = new(house, "mine", "--example", example.name)
    text, copy = example.path.read_text(), (house.root / "rubrics/mine.jinja").read_text()
    rubric, source = made(house, "rubrics/mine.jinja"), load_rubric(example.path)

    assert "rubrics/mine.jinja: written." in told.out
    assert (rubric.name, rubric.version) == ("mine", 1)
    assert rubric.criteria == source.criteria
    pairs = zip(text.split("\n"), copy.split("\n"), strict=True)
    assert {new.partition(":")[0] for old, new in pairs if old != new} <= {"rubric", "version"}
    assert "cosmetic" in house.run("rubric", "diff", str(example.path), "rubrics/mine.jinja").out


@needs_gallery
def test_an_example_keeps_its_name_without_another(house: House) -> None:
    """And is at home where rubrics are."""
    name = gallery()[0].name
    new(house, "--example", name)

    assert made(house, f"rubrics/{name}.jinja").name == name
