"""Two wordings shown as one, in lines that fit the screen."""

from __future__ import annotations

from judgekit.reports.spans import plain, wording


def shown(before: str | None, after: str | None) -> list[str]:
    """The lines without colours."""
    return [plain(line) for line in wording(before, after, coloured=False)]


def test_marks_tell_old_from_new() -> None:
    """As wdiff has them."""
    assert shown("One is bad.", "One was bad.") == ["    One [-is-]{+was+} bad."]
    assert shown(None, "new") == ["    {+new+}"]
    assert shown("old", None) == ["    [-old-]"]


def test_colours_take_the_place_of_marks() -> None:
    """Each stretch has the style of what became of it."""
    (line,) = wording("One is bad.", "One was bad.", coloured=True)

    assert plain(line) == "    One iswas bad."
    assert {span.text: span.style for span in line if span.style} == {
        "is": "red strike",
        "was": "green",
    }


def test_long_texts_fit_the_screen() -> None:
    """Lines break between words, never inside of one."""
    words = " ".join(f"word{i}" for i in range(60))
    lines = shown(words, words.replace("word30", "other"))

    assert max(map(len, lines)) <= 80
    assert " ".join(line.strip() for line in lines) == words.replace(
        "word30", "[-word30-]{+other+}"
    )


def test_of_several_lines_only_those_that_differ() -> None:
    """With a sign between them where others were left out."""
    old = "same\none\nsame\nsame\ntwo\nsame"

    assert shown(old, old.replace("one", "1").replace("two", "2")) == [
        "    [-one-]{+1+}",
        "    ...",
        "    [-two-]{+2+}",
    ]
    assert shown("a\nb", None) == ["    [-a-]", "    [-b-]"]


def test_blanks_that_changed_alone_can_be_seen() -> None:
    """A line break is named where it came or went."""
    assert shown("a b", "a\nb") == ["    a[- -]{+\\n+}b"]
