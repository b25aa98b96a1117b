"""Rubric files and the templates beside them: what is found, and what stays out of reach."""

from pathlib import Path

import pytest

from judgekit.errors import InputError, RubricError
from judgekit.importers.rubrics import check_rubric, is_rubric, load_rubric, template_loader
from tests.rubric.make import BASES, edited, shown

SHARED = '{% extends "judgekit/pointwise@1.jinja" %}{% block task %}You are strict.{% endblock %}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of rubrics with a secret above it."""
    (tmp_path / "secret.jinja").write_text("SECRET", "utf-8")
    (tmp_path / "rubrics" / "parts").mkdir(parents=True)
    return tmp_path / "rubrics"


def written(folder: Path, body: str, *, base: str = "binary") -> Path:
    """A rubric file with this body."""
    path = folder / "r.jinja"
    path.write_text(edited(base, body=body), "utf-8")
    return path


def test_a_rubric_extends_a_template_beside_it(folder: Path) -> None:
    """Siblings and their parents are part of the rubric, which is then complete in itself."""
    (folder / "strict.jinja").write_text(SHARED, "utf-8")
    rubric = load_rubric(written(folder, "{% extends 'strict.jinja' %}"))
    (folder / "strict.jinja").unlink()

    assert sorted(rubric.templates) == ["judgekit/pointwise@1.jinja", "strict.jinja"]
    assert shown(rubric).startswith("=== system\nYou are strict.")


def test_a_template_may_stand_in_a_folder_below(folder: Path) -> None:
    """Below the rubric is beside it."""
    (folder / "parts" / "strict.jinja").write_text(SHARED, "utf-8")

    assert load_rubric(written(folder, "{% extends 'parts/strict.jinja' %}")).templates


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_how_a_template_is_saved_makes_no_difference(folder: Path, ending: str, mark: str) -> None:
    """Line ends and a byte order mark of a sibling are not shown to the judge."""
    text = "One.\nTwo.\n{{ input }}\n{{ output }}\n"
    (folder / "x.jinja").write_bytes((mark + text.replace("\n", ending)).encode())
    rubric = load_rubric(written(folder, "{% include 'x.jinja' %}"))

    assert shown(rubric).startswith("=== user\nOne.\nTwo.\n<<<input ")


@pytest.mark.parametrize(
    "name",
    [
        "../secret.jinja",
        "parts/../../secret.jinja",
        "{above}/secret.jinja",
        "linked.jinja",
        "way-out/secret.jinja",
        "/etc/passwd",
        "judgekit/../secret.jinja",
        "judgekit/../../pyproject.toml",
        "judgekit/__init__.py",
        "judgekit/",
        "judgekit",
        "~/secret.jinja",
        "file://{above}/secret.jinja",
        "..",
        ".",
        "parts",
        "loop.jinja",
        "x" * 5_000,
    ],
)
def test_nothing_outside_the_folder_is_read(folder: Path, name: str) -> None:
    """No path, link or folder leads out; the problem names the template and stands on its line."""
    (folder / "linked.jinja").symlink_to(folder.parent / "secret.jinja")
    (folder / "way-out").symlink_to(folder.parent)
    (folder / "loop.jinja").symlink_to(folder / "loop.jinja")
    wanted = name.format(above=folder.parent)
    path = written(folder, f"\n{{% include '{wanted}' %}}{{{{ input }}}}{{{{ output }}}}")

    with pytest.raises(RubricError) as caught:
        load_rubric(path)

    assert [(p.line, p.code) for p in caught.value.problems] == [(18, "TP01")]
    assert wanted in str(caught.value)
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "0 bytes"),
        (b"caf\xe9", "not UTF-8"),
        (b"\x00\x01\x02" * 9, "NUL"),
        (b"PK\x03\x04", "zip"),
    ],
)
def test_a_template_that_cannot_be_read_is_a_problem_of_the_rubric(
    folder: Path, content: bytes, said: str
) -> None:
    """The line that names it is told, and why it cannot be used; other problems as well."""
    (folder / "x.jinja").write_bytes(content)
    found = check_rubric(written(folder, "{% include 'x.jinja' %}\n{{ outptu }}"))

    assert [(p.line, p.code) for p in found] == [(17, "TP01"), (18, "TP04")]
    assert said in found[0].message


def test_built_in_templates_are_found_by_their_name_only() -> None:
    """The loader gives what the package ships, under its full name."""
    load = template_loader(Path("nowhere"))

    assert (load("judgekit/pointwise@1.jinja") or "").startswith("{% block rubric %}")
    assert load("judgekit/pointwise@2.jinja") is None
    assert load("pointwise@1.jinja") is None


def test_a_folder_called_judgekit_does_not_replace_what_is_built_in(folder: Path) -> None:
    """A built-in template never changes, whatever stands beside the rubric."""
    (folder / "judgekit").mkdir()
    (folder / "judgekit" / "pointwise@1.jinja").write_text("MINE", "utf-8")

    assert "MINE" not in load_rubric(written(folder, "")).templates["judgekit/pointwise@1.jinja"]


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "0 bytes"), (b"  \n", "only blanks"), (b"---\nrubric: caf\xe9\n---\n", "not UTF-8")],
)
def test_a_rubric_file_that_cannot_be_read(folder: Path, content: bytes, said: str) -> None:
    """What is wrong with the file itself is an input error that names it."""
    path = folder / "r.jinja"
    path.write_bytes(content)

    for read in (load_rubric, check_rubric):
        with pytest.raises(InputError, match=said) as caught:
            read(path)
        assert caught.value.file == str(path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BASES["binary"], True),
        ("---  \nrubric: r\n", True),
        ("\nrubric: lost its dashes\n", True),
        ("{# note #}\ncriteria:\n  - x\n", True),
        ("{% block a %}x{% endblock %}", False),
        ("<html>\n<p>Our rubric: be kind.</p>\n----\n", False),
        ("", True),
    ],
)
def test_what_is_meant_to_be_a_rubric(tmp_path: Path, text: str, *, expected: bool) -> None:
    """Front matter, or what stands in it; what cannot be read is somebody's to explain."""
    path = tmp_path / "x.jinja"
    path.write_text(text, "utf-8")

    assert is_rubric(path) is expected
