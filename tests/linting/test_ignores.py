"""Comments that ignore: where they count, what is wrong with them, and how they are taken out."""

from __future__ import annotations

import time

import pytest

from judgekit.linting.comments import comments_of
from judgekit.linting.engine import lint
from judgekit.linting.fixing import fixed
from judgekit.linting.selection import EVERYTHING, Selection
from judgekit.linting.subject import Earlier, Subject
from judgekit.rubric.meaning import meaning_parts
from judgekit.rubric.parse import read
from judgekit.rubric.render import render
from tests.rubric.make import BASES, LOAD, usable

CLEAN = BASES["clean"]
DROPS = "        drops_when: A second one stands nowhere in it.\n"
"""Without it level 2, on line 19, violates SC08."""
LEVEL = "      - value: 2\n"
WHY = "the guide for raters says it"
ITEM = {"input": "When?", "output": "At nine.", "context": "From nine to five."}


def swapped(*swaps: tuple[str, str]) -> str:
    """The clean rubric, edited."""
    text = CLEAN
    for old, new in swaps:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def bare(*swaps: tuple[str, str]) -> str:
    """The clean rubric with one violation of SC08, edited."""
    return swapped((DROPS, ""), *swaps)


def codes(text: str, selection: Selection = EVERYTHING) -> list[str]:
    """What is wrong, as line and code."""
    found = lint(text, file="r.jinja", load=LOAD, selection=selection)
    return [f"{f.finding.line} {f.code}" for f in found]


def mended(text: str) -> str:
    """The text after ``--fix``."""
    return fixed(text, lambda t: lint(t, file="r.jinja", load=LOAD))[0]


def test_the_bases_are_what_these_tests_take_them_for() -> None:
    """One violation, and none."""
    assert codes(CLEAN) == []
    assert codes(bare()) == ["20 SC08"]


@pytest.mark.parametrize(
    "new",
    [
        f"      - value: 2  # judgekit: ignore[SC08] {WHY}\n",
        f"      - value: 2 # judgekit: ignore[sc08] {WHY}\n",
        f"      - value: 2  #judgekit:ignore[level-drops-undefined] {WHY}\n",
        f"      - value: 2  # judgekit: ignore [SC08]: {WHY}\n",
        f"      - value: 2  # judgekit:  ignore[ SC08 , ] - {WHY}\n",
        f"      # judgekit: ignore[SC08] {WHY}\n      - value: 2\n",
        f"# judgekit: ignore[SC08] {WHY}\n      - value: 2\n",
        f"      # judgekit: ignore[SC08] {WHY}\n      # as long as it stands\n      - value: 2\n",
    ],
)
def test_a_comment_ignores_what_stands_on_its_line_or_below_it(new: str) -> None:
    """By code or name, with any space; further comments may stand between."""
    assert codes(bare((LEVEL, new))) == []


@pytest.mark.parametrize(
    "swap",
    [
        (LEVEL, f"      # judgekit: ignore[SC08] {WHY}\n\n      - value: 2\n"),
        ("name: stretched", f"name: stretched  # judgekit: ignore[SC08] {WHY}"),
        ("      - value: 3\n", f"      - value: 3  # judgekit: ignore[SC08] {WHY}\n"),
        (LEVEL, f"      - value: 2  # judgekit: ignore[SC17] {WHY}\n"),
    ],
    ids=["a blank line between", "the line below", "another level", "another rule"],
)
def test_a_comment_elsewhere_ignores_nothing(swap: tuple[str, str]) -> None:
    """What is wrong is reported, and so is the comment."""
    found = [code.split()[1] for code in codes(bare(swap))]

    assert sorted(found) == ["IG03", "SC08"]


def test_several_comments_alone_count_for_the_same_line() -> None:
    """One rule each, stacked."""
    text = bare(
        ("        name: stretched\n", ""),
        (
            LEVEL,
            f"      # judgekit: ignore[SC08] {WHY}\n      # judgekit: ignore[LV01] so\n{LEVEL}",
        ),
    )

    assert codes(text) == ["21 IG03"]
    assert codes(text.replace("LV01", "LV04")) == ["21 IG03"]
    assert codes(text.replace("[LV01]", "[SC08]")) == []


@pytest.mark.parametrize("where", ["version: 1\n", "---\n{% extends"])
def test_a_comment_for_the_whole_file_stands_anywhere(where: str) -> None:
    """In the front matter or in the body."""
    comment = f"# judgekit: ignore-file[SC08] {WHY}\n"
    if "extends" in where:
        new = f"---\n{{# judgekit: ignore-file[SC08] {WHY} #}}\n{{% extends"
    else:
        new = f"version: 1\n{comment}"

    assert codes(bare((where, new))) == []


@pytest.mark.parametrize(
    "body",
    [
        f"{{{{ input }}}}{{{{ output }}}}{{# judgekit: ignore[TP11] {WHY} #}}\n",
        f"{{# judgekit: ignore[TP11] {WHY} #}}\n{{{{ input }}}}{{{{ output }}}}\n",
        f"{{#- judgekit: ignore[TP11] {WHY} -#}}\n{{{{ input }}}}{{{{ output }}}}\n",
        f"{{# judgekit: ignore[TP11]\n     {WHY} #}}\n{{{{ input }}}}{{{{ output }}}}\n",
    ],
)
def test_a_comment_in_the_body_is_one_of_jinja(body: str) -> None:
    """The rule's finding is on the body's first line; a comment may take several lines."""
    only = Selection(("TP11", "IG"))
    front = CLEAN.split("\n---\n")[0]

    assert codes(f"{front}\n---\n{body}", only) == []
    assert codes(f"{front}\n---\n{{{{ input }}}}{{{{ output }}}}\n", only) == ["39 TP11"]


VAGUE = "The answer is\n          appropriate."


@pytest.mark.parametrize("sign", ["|", ">-", ""])
def test_a_comment_counts_for_all_lines_of_a_text(sign: str) -> None:
    """No comment can stand inside a text, so the one above it or at its beginning counts."""
    old = "definition: One hour or price in the answer stands nowhere in the context."
    text = f"definition: {sign}\n          {VAGUE}"
    above = f"# judgekit: ignore[LV04] {WHY}\n        {text}"

    assert codes(swapped((old, text))) == ["24 LV04"]
    assert codes(swapped((old, above))) == []
    if sign:
        behind = text.replace(f" {sign}\n", f" {sign}  # judgekit: ignore[LV04] {WHY}\n")
        assert codes(swapped((old, behind))) == []


@pytest.mark.parametrize(
    "output",
    [
        "'At ten. # judgekit: ignore-file[SC08] really'",
        "|\n              At ten. # judgekit: ignore-file[SC08] really",
        "At ten.#judgekit:ignore-file[SC08] really",
        "'At # ten' ",
    ],
)
def test_in_a_text_no_comment_begins(output: str) -> None:
    """Item texts may say anything."""
    text = bare(("output: At ten, and we close at four.", f"output: {output}"))

    assert [code.split()[1] for code in codes(text)] == ["SC08"]


def test_a_text_that_is_only_begun_hides_no_comment() -> None:
    """It ends where the front matter ends."""
    front = f"rubric: r  # judgekit: ignore[ID01] {WHY}\ndescription: |"

    assert "2 IG03" in codes(f"---\n{front}\n---\n")


def test_a_comment_behind_a_text_with_such_a_sign_is_one() -> None:
    """The text ends first."""
    new = f"      - value: '2'  # judgekit: ignore[SC08] {WHY}\n"
    both = f"        name: 'half # way'  # judgekit: ignore[SC17] {WHY}\n"

    assert codes(bare((LEVEL, new))) == []
    assert "21 IG03" in codes(bare(("        name: stretched\n", both)))


@pytest.mark.parametrize(
    "body",
    [
        "{% raw %}{# judgekit: ignore-file[SC08] really #}{% endraw %}",
        "{{ '{# judgekit: ignore-file[SC08] really #}' }}",
        "{% set x = '{# judgekit: ignore-file[SC08] really #}' %}",
        "{# an example: {# judgekit: ignore-file[SC08] really #}",
        "# judgekit: ignore-file[SC08] really",
    ],
)
def test_in_raw_text_and_inside_tags_no_comment_begins(body: str) -> None:
    """What the judge is shown, or what is another comment's text, ignores nothing."""
    text = bare(("{% block task %}", f"{{% block task %}}{body}"))

    assert codes(text, Selection(("SC08", "IG"))) == ["20 SC08"]


@pytest.mark.parametrize(
    ("comment", "says"),
    [
        ("ignore[SC80] no", "there is no rule 'SC80' to ignore"),
        ("ignore[SC08, scale-gaps] no", "there is no rule 'scale-gaps' to ignore"),
        ("ignore no", "it names no rule"),
        ("ignore[] no", "it names no rule"),
        ("ignore-files[SC08] no", "it names no rule"),
    ],
)
def test_an_unknown_rule_is_said_and_ignores_nothing(comment: str, says: str) -> None:
    """A comment without effect must not look like one with it."""
    text = bare((LEVEL, f"      - value: 2  # judgekit: {comment}\n"))
    found = lint(text, file="r.jinja", load=LOAD)
    said = {f.code: f.finding for f in found}

    assert said["IG01"].message == says
    assert said["IG01"][:2] == (20, 19)
    assert ("SC08" in said) == ("SC08, " not in comment)


def test_without_a_reason_it_is_said() -> None:
    """It ignores, and asks why."""
    for reason in ("", "  ", " -", ":", " -- "):
        text = bare((LEVEL, f"      - value: 2  # judgekit: ignore[SC08]{reason}\n"))
        assert codes(text) == ["20 IG02"], reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LEVEL, f"      - value: 2  # judgekit: ignore[SC08] {WHY}\n"),
        (LEVEL, f"      # judgekit: ignore[SC08] {WHY}  \n      - value: 2\n"),
        ("output: At ten, ", f"output: >-  # judgekit: ignore[LV04] {WHY}\n              At ten, "),
        ("---\n{%", f"---\n{{# judgekit: ignore[TP11] {WHY} #}}\n{{%"),
        ("---\n{%", f"---\n  {{# judgekit: ignore[TP11]\n\n {WHY}\n#}}\n{{%"),
        ("You grade", f"You {{# judgekit: ignore[TP11] {WHY} #}}grade"),
    ],
)
def test_an_unused_comment_is_taken_out_and_nothing_else(old: str, new: str) -> None:
    """With the blanks before it, or with its whole line."""
    text = swapped((old, new))
    found = [f for f in lint(text, file="r.jinja", load=LOAD) if f.code == "IG03"]

    assert len(found) == 1
    plain = new.replace("  # judgekit: ignore[LV04] " + WHY, "") if ">-" in new else old
    assert mended(text) == swapped((old, plain))


@pytest.mark.parametrize(
    "new",
    [
        f"You {{#- judgekit: ignore[TP11] {WHY} #}}grade",
        f"You {{# judgekit: ignore[TP11] {WHY} -#}} grade",
        f"You {{# judgekit: ignore[TP11] {WHY} #}}\ngrade",
        f"\n  {{# judgekit: ignore[TP11] {WHY} #}} You grade",
        f"You\n  {{# judgekit: ignore[TP11] {WHY} #}}  \ngrade",
        f"You\n{{#- judgekit: ignore[TP11] {WHY} -#}}\ngrade",
        f"You\n{{# judgekit: ignore[TP11] {WHY} +#}}\ngrade",
        f"You\n  {{# judgekit: ignore[TP11] {WHY} #}}\ngrade",
        f"You{{# judgekit: ignore[TP11] {WHY} #}} grade",
    ],
)
def test_taking_a_comment_out_moves_no_blank_of_the_prompt(new: str) -> None:
    """Jinja drops line ends behind comments: where that would come back, nothing is mended."""
    text = swapped(("You grade", new))
    after = mended(text)

    def prompt(text: str) -> list[tuple[str, str]]:
        rubric = usable(text)
        return render(rubric, rubric.criteria[0], ITEM)

    assert [code.split()[1] for code in codes(text)] == ["IG03"]
    assert prompt(after) == prompt(text)


def test_of_several_rules_only_the_unused_one_is_taken_out() -> None:
    """The reason stays."""
    text = bare((LEVEL, f"      - value: 2  # judgekit: ignore[SC17,SC08, LV04] {WHY}\n"))
    found = lint(text, file="r.jinja", load=LOAD)

    assert [f.finding.message for f in found] == ["nothing here violates SC17, LV04"]
    assert mended(text) == bare((LEVEL, f"      - value: 2  # judgekit: ignore[SC08] {WHY}\n"))


def test_what_makes_a_rubric_unusable_cannot_be_ignored() -> None:
    """A rubric that no command takes must not be called clean; the comment is told so, not lost."""
    text = swapped(("version: 1", f"version: one  # judgekit: ignore[ID02] {WHY}"))
    found = lint(text, file="r.jinja", load=LOAD)

    assert [f.code for f in found] == ["ID02", "IG03"]
    assert "ID02 cannot be ignored" in found[1].finding.message
    assert mended(text) == text


def test_in_a_broken_rubric_no_comment_is_called_unused() -> None:
    """Half of the rules had nothing to look at: a comment that is needed later must stay."""
    used = bare((LEVEL, f"      - value: 2  # judgekit: ignore[SC08] {WHY}\n"))
    broken = used.replace("name: stretched", "name: 'stretched")

    assert [code.split()[1] for code in codes(broken)] == ["RB02"]
    assert mended(broken) == broken


def test_what_needs_an_earlier_version_is_not_called_unused_without_one() -> None:
    """In an editor, or outside git, nobody knows what the rubric was."""
    text = swapped(("version: 1", f"version: 1  # judgekit: ignore[ID03] {WHY}"))
    rubric = usable(CLEAN)
    criterion = rubric.criteria[0]
    same = Earlier("git HEAD", 1, {criterion.name: meaning_parts(rubric, criterion)})
    other = Earlier("git HEAD", 1, {criterion.name: {"levels": "others"}})

    assert codes(text) == []
    for state, expected in ((same, ["IG03"]), (other, [])):
        found = lint(text, file="r.jinja", load=LOAD, earlier=[state])
        assert [f.code for f in found] == expected


def test_what_is_not_selected_is_still_used() -> None:
    """A comment is not unused because only some rules are asked for."""
    used = bare((LEVEL, f"      - value: 2  # judgekit: ignore[SC08] {WHY}\n"))
    unused = swapped((LEVEL, f"      - value: 2  # judgekit: ignore[SC08] {WHY}\n"))

    for selection in (Selection(("LV",)), Selection((), ("SC08",)), Selection(("IG03",))):
        assert codes(used, selection) == []
    assert codes(unused, Selection(("LV",))) == []
    assert codes(unused, Selection(("IG03",))) == ["20 IG03"]
    assert codes(unused, Selection((), ("IG",))) == []


@pytest.mark.parametrize("end", ["\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_make_no_difference(end: str, mark: str) -> None:
    """Comments are found in files of any editor, and taken out of them."""
    used = bare((LEVEL, f"      - value: 2  # judgekit: ignore[SC08] {WHY}\n"))
    unused = swapped(
        (
            LEVEL,
            f"      # judgekit: ignore[SC08] {WHY}\n      - value: 2  # judgekit: ignore[SC08] x\n",
        ),
        ("---\n{%", f"---\n{{# judgekit: ignore[TP11]\n {WHY} #}}\n{{%"),
    )

    assert codes(mark + used.replace("\n", end)) == []
    assert len(codes(mark + unused.replace("\n", end))) == 3
    assert mended(mark + unused.replace("\n", end)) == mark + CLEAN.replace("\n", end)


def test_text_before_a_comment_is_counted_in_characters() -> None:
    """Whatever script stands before it."""
    text = bare(
        ("rubric: groundedness", "rubric: 'gr😠 字 é # x'"),
        (LEVEL, f"      - value: 2  # judgekit: ignore[SC08] {WHY}\n"),
    )

    assert codes(text) == []


@pytest.mark.parametrize("text", ["", "# judgekit: ignore[SC08]", "---\n# judgekit: ignore[X]\n"])
def test_what_is_no_rubric_has_no_comments(text: str) -> None:
    """There is no front matter to look in."""
    assert [code.split()[1][:2] for code in codes(text)] == ["RB"]


def test_signs_that_are_never_closed_take_no_time() -> None:
    """Nothing is searched for again that was not found once."""
    text = bare((LEVEL, f"      - value: 2  # judgekit: ignore[SC08] {WHY}\n"))
    text += "{#" * 20_000 + "{{" * 20_000 + "{% raw %}" * 5_000
    reading = read(text, load=LOAD)
    start = time.process_time()
    comments = comments_of(Subject("r.jinja", text, reading))

    assert [comment.line for comment in comments] == [20]
    assert time.process_time() - start < 1
