"""What is said beside a lint report: what was mended, what would be, what changed meanwhile."""

from __future__ import annotations

from collections import Counter

from judgekit.errors import InputError, StorageError
from judgekit.linting.finding import Edit
from judgekit.linting.violations import Fix
from judgekit.reports.hints import hint_lines
from judgekit.reports.lint import beside_lines, fix_lines
from judgekit.reports.lint_fixes import fixes_json, patch_lines, would_text
from judgekit.reports.lint_watch import changed_text, rule_line, since_lines


def fix(*edits: Edit) -> Fix:
    """A violation that was mended by these edits."""
    return Fix("r.jinja", 9, 5, "key-unknown", "RB04", "unknown key", edits)


def test_each_fix_says_where_and_what() -> None:
    """A word for another, nothing for something, a line taken out."""
    put, out = Edit(1, 1, "", " 2"), Edit(1, 1, "  # judgekit: ignore[LV04] x", "")
    line = Edit(1, 1, "{# judgekit: ignore[LV04] x #}", None)

    assert fix_lines([fix(Edit(9, 5, "pases_at", "passes_at"))]) == [
        "r.jinja:9:5  key-unknown (RB04)",
        "   fixed: pases_at -> passes_at",
        "",
    ]
    assert fix(put).done == "put in: 2"
    assert fix(out).done == "taken out: # judgekit: ignore[LV04] x"
    assert fix(line).done == "line taken out: {# judgekit: ignore[LV04] x #}"
    assert fix(put, out).done == "put in: 2, taken out: # judgekit: ignore[LV04] x"


def test_what_would_be_mended_as_a_document() -> None:
    """Where, what, and each edit for programs that make it themselves."""
    assert fixes_json([fix(Edit(9, 5, "pases_at", "passes_at"))]) == [
        {
            "file": "r.jinja",
            "line": 9,
            "column": 5,
            "rule": "key-unknown",
            "code": "RB04",
            "message": "unknown key",
            "fix": "pases_at -> passes_at",
            "edits": [{"line": 9, "column": 5, "old": "pases_at", "new": "passes_at"}],
        }
    ]


def test_a_patch_shows_lines_whatever_their_ends() -> None:
    """Byte order mark and line ends are no part of what changes."""
    lines = patch_lines("r", "\ufeffa\r\nb\u2028c\r\n", "\ufeffa\r\nB\u2028c\r\n")

    assert lines == ["--- r", "+++ r", "@@ -1,2 +1,2 @@", " a", "-b\u2028c", "+B\u2028c"]
    assert would_text(0, 2) == "--fix would change nothing; 2 violations left."
    assert would_text(1, 0) == "--fix would mend 1 violation and leave 0."


def test_what_the_disk_would_not_have_is_said() -> None:
    """Names on one line each, the way out, and what was left out; nothing passes the screen."""
    gone = [InputError("no such file", file=f"a folder/{n}\n.jinja") for n in range(7)]
    full = StorageError("cannot be written: No space left on device", file="r", hint="make room")
    note = f"r.jinja: left out; measure it again: judgekit calibrate {'name-' * 20}"
    lines = beside_lines([note], gone, [full])

    assert lines[:2] == [
        "note: r.jinja: left out; measure it again:",
        f"      judgekit calibrate {'name-' * 20}",
    ]
    told = " ".join(" ".join(lines[2:-2]).split())
    assert told.startswith(r"Not checked: a folder/0\n.jinja, a folder/1\n.jinja,")
    assert told.endswith("and 2 more")
    assert lines[-2:] == ["r: cannot be written: No space left on device", "  make room"]
    assert max(map(len, lines[2:])) <= 80


def test_hints_keep_their_commands_whole() -> None:
    """Alone, at the end of a sentence, or in one that fits."""
    long = f"judgekit lint {'x' * 100}"

    assert hint_lines("begin with: judgekit init") == ["begin with: judgekit init"]
    assert hint_lines(long, first="   ") == [f"   {long}"]
    assert hint_lines(f"mend it: {long}", rest="  ") == ["mend it:", f"  {long}"]
    assert max(map(len, hint_lines("many words " * 30))) <= 80


def test_between_two_looks_it_is_said_what_changed() -> None:
    """Which files, and what is found more and less."""
    before, after = {"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2, "d\n": 1}

    assert changed_text(before, after) == r"changed: b; new: d\n; gone: c"
    assert rule_line("12:00:00") == f"---- 12:00:00 {'-' * 66}"
    assert since_lines(Counter({("a", "x"): 2}), Counter()) == [
        "2 new, 0 gone since the look before."
    ]
    assert since_lines(Counter(), Counter()) == ["The same as before."]
