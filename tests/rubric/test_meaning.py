"""What an edit changes: the parts of the meaning it should, and no others."""

from collections.abc import Mapping

import pytest

from judgekit.rubric.meaning import changed_parts, meaning_parts, probes
from judgekit.rubric.sandbox import environment
from judgekit.rubric.syntax import templates_meaning
from tests.rubric.make import BASES, edited, shown, usable

Files = Mapping[str, str]


def parts(text: str, files: Files | None = None) -> dict[str, str]:
    """The digests of a rubric's first criterion."""
    rubric = usable(text, files)
    return meaning_parts(rubric, rubric.criteria[0])


def changed(base: str, swaps: Mapping[str, str]) -> set[str]:
    """The names of all parts that an edit of a base changes, ``prompt`` among them."""
    before, after = parts(BASES[base]), parts(edited(base, swaps))
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


@pytest.mark.parametrize(
    ("base", "swaps", "names"),
    [
        ("ordinal", {"Every claim is supported": "Most claims are supported"}, {"level 3"}),
        ("ordinal", {"One claim is not supported": "One claim is not backed"}, {"level 2"}),
        ("ordinal", {"Two are not.": "Three are not."}, {"level 2"}),
        ("ordinal", {"        drops_when: Two are not.\n": ""}, {"level 2"}),
        ("ordinal", {"name: stretched": "name: loose"}, {"level 2", "scale"}),
        ("ordinal", {"value: 2": "value: 2.5"}, {"level 2", "level 2.5", "scale"}),
        ("ordinal", {"At nine.": "At ten."}, {"level 3"}),
        ("ordinal", {"When do you open?": "When do you close?"}, {"level 3"}),
        ("ordinal", {"The context says so.": "It says so."}, {"level 3"}),
        ("ordinal", {"            reason: The context says so.\n": ""}, {"level 3"}),
        ("ordinal", {"            output: At nine.\n": ""}, {"level 3"}),
        ("ordinal", {"Does the answer claim": "Does it claim"}, {"question"}),
        ("ordinal", {"Nothing is claimed.": "It is a greeting."}, {"not applicable"}),
        ("ordinal", {"    not_applicable: Nothing is claimed.\n": ""}, {"not applicable"}),
        (
            "ordinal",
            {"[input, output, context]": "[output, input, context]"},
            {"inputs"},
        ),
        ("ordinal", {"[input, output, context]": "[input, output, context, case_id]"}, {"inputs"}),
        ("nominal", {"name: rude": "name: hostile"}, {"level rude", "level hostile", "scale"}),
        (
            "nominal",
            {
                "      - name: neutral\n        definition: Plain.\n": "",
                "Insulting.\n": "Insulting.\n      - name: neutral\n        definition: Plain.\n",
            },
            {"scale", "pass line"},
        ),
        ("pairwise", {"value: tie": "value: draw"}, {"level tie", "level draw", "scale"}),
        ("binary", {"Any part is not.": "Most parts are not."}, {"level 1"}),
        ("ordinal", {"You grade answers.": "You grade answers strictly."}, set()),
        (
            "ordinal",
            {"{% block task %}": "{% block task %}{% if mark == 'x' %}a{% endif %}"},
            set(),
        ),
    ],
)
def test_an_edit_changes_what_it_says(base: str, swaps: dict[str, str], names: set[str]) -> None:
    """The part that is named, the prompt that shows it, and nothing else."""
    assert changed(base, swaps) == names | {"prompt"}


@pytest.mark.parametrize(
    "swaps",
    [
        {"You grade answers.": "You grade answers strictly."},
        {"{% block task %}": "{% block task %}{% if mark == 'x' %}a{% endif %}"},
        {"{% endblock %}": "{% endblock %}{% block question %}Well?{% endblock %}"},
        {"{% block task %}You grade answers.{% endblock %}": ""},
        {"pointwise@1": "pairwise@1"},
    ],
)
def test_an_edit_of_the_template_changes_the_prompt(swaps: dict[str, str]) -> None:
    """And nothing else: the criterion is the same."""
    assert changed("ordinal", swaps) == {"prompt"}


@pytest.mark.parametrize(
    ("base", "swaps", "names"),
    [
        ("ordinal", {"passes_at: 3": "passes_at: 2"}, {"pass line"}),
        ("ordinal", {"    passes_at: 3\n": ""}, {"pass line"}),
        ("nominal", {"[friendly, neutral]": "[friendly]"}, {"pass line"}),
        ("ordinal", {"passes_at: 3": "passes_at: 3\n    weights: linear"}, {"weights"}),
        ("binary", {"scale: binary": "scale: ordinal"}, {"scale", "pass line", "weights"}),
    ],
)
def test_what_no_prompt_shows_counts_all_the_same(
    base: str, swaps: dict[str, str], names: set[str]
) -> None:
    """How answers are used is meaning too; the prompt stays as it is."""
    assert changed(base, swaps) == names


TWO = (
    "          - input: A?\n            output: B.\n          - input: C?\n            output: D.\n"
)
ONE = "          - input: When do you open?\n            output: At nine.\n            reason: The context says so.\n"  # noqa: E501


def test_the_order_of_anchors_counts() -> None:
    """Worked examples are read in order, and the last weighs most."""
    turned = TWO.replace("A?", "x").replace("C?", "A?").replace("x", "C?")
    turned = turned.replace("B.", "x").replace("D.", "B.").replace("x", "D.")
    before, after = (parts(edited("ordinal", {ONE: text})) for text in (TWO, turned))

    assert changed_parts(before, after) == ["level 3"]


COSMETIC: list[tuple[str, dict[str, str]]] = [
    ("ordinal", {"rubric: groundedness": "rubric: support"}),
    ("ordinal", {"version: 1": "version: 2"}),
    ("ordinal", {"version: 1": "version: 1   # first"}),
    ("ordinal", {"criteria:": "# all of them\n\n\ncriteria:"}),
    ("ordinal", {"rubric: groundedness\nversion: 1": "version: 1\nrubric: groundedness"}),
    ("ordinal", {"version: 1\n": "version: 1\ndescription: For the help desk.\n"}),
    ("ordinal", {"Every claim is supported.": "'Every claim is supported.'"}),
    ("ordinal", {"Every claim is supported.": "|\n          Every claim is supported."}),
    (
        "ordinal",
        {"Every claim is supported.": ">\n          Every claim\n          is supported.\n"},
    ),
    ("ordinal", {"Every claim is supported.": "  Every claim is supported.   "}),
    ("ordinal", {"value: 2": "value: '2'"}),
    ("ordinal", {"value: 2": "value: 2.0"}),
    ("ordinal", {"passes_at: 3": "passes_at: grounded"}),
    ("ordinal", {"passes_at: 3": "passes_at: 3\n    weights: quadratic"}),
    ("ordinal", {"[input, output, context]": "\n  - input\n  - output\n  - context"}),
    (
        "ordinal",
        {"- value: 2\n        name: stretched\n": "- name: stretched\n        value: 2\n"},
    ),
    (
        "ordinal",
        {
            "          - input: When do you open?\n            output: At nine.\n": (
                "          - output: At nine.\n            input: When do you open?\n"
            )
        },
    ),
    ("ordinal", {"output: At nine.\n": "output: |\n              At nine.\n"}),
    ("ordinal", {"You grade answers.": "{# who #}You grade{# how #} answers."}),
    ("ordinal", {"{% block task %}": "{%block   task%}"}),
    ("ordinal", {"{% block task %}": "\n\n{% block task %}"}),
    ("ordinal", {"{% block task %}": "{# a note #}\n{% block task %}"}),
    ("ordinal", {"{% endblock %}": "{% endblock task %}"}),
    ("ordinal", {"{% endblock %}": "{% endblock %}\n\nA note to myself."}),
    ("ordinal", {'"judgekit/pointwise@1.jinja"': "'judgekit/pointwise@1.jinja'"}),
    ("nominal", {"name: rude": "value: rude"}),
    ("nominal", {"name: rude": "value: rude\n        name: rude"}),
    ("nominal", {"[friendly, neutral]": "[neutral, FRIENDLY]"}),
    (
        "nominal",
        {"Insulting.\n---\n": 'Insulting.\n---\n{% extends "judgekit/pointwise@1.jinja" %}\n'},
    ),
    ("binary", {"version: 1\n": "version: 1\ninputs: [input, output]\n"}),
    ("binary", {"value: 1": "value: true"}),
    ("binary", {"scale: binary\n": "scale: binary\n    passes_at: 1\n"}),
]


@pytest.mark.parametrize(("base", "swaps"), COSMETIC)
def test_a_cosmetic_edit_changes_nothing(base: str, swaps: dict[str, str]) -> None:
    """Section 4.2: comments, key order, quotes, blanks and names are outside the fingerprint."""
    assert changed(base, swaps) == set()


def test_the_order_in_which_ordinal_levels_are_listed_is_cosmetic() -> None:
    """An ordinal scale is shown by value; listed upside down it is the same scale."""
    front, body = BASES["ordinal"].split("\n    not_applicable", 1)
    head, *levels = front.split("\n      - value")
    turned = "\n      - value".join([head, *levels[::-1]]) + "\n    not_applicable" + body

    assert turned != BASES["ordinal"]
    assert parts(turned) == parts(BASES["ordinal"])


def test_line_ends_are_cosmetic() -> None:
    """A checkout on another system voids no certificate."""
    for text in BASES.values():
        assert parts(text.replace("\n", "\r\n")) == parts(text)


# --- templates ---------------------------------------------------------------------------------

BODY = """\
{{ criterion.question }}
{% if 'zebra' in output %}
Be kind.
{% elif mark == 'x' %}
Be quick.
{% else %}
Be strict.
{% endif %}
{% for level in criterion.levels %}
{{ level.name }}
{% endfor %}
{% macro show(text, sign='!') %}
{{ text ~ sign }}
{% endmacro %}
{{ show('x') }}
{{ input }}{{ output }}"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Be kind.", "Be cruel."),
        ("Be quick.", "Be slow."),
        ("Be strict.", "Be lax."),
        ("'zebra' in output", "'zebra' not in output"),
        ("'zebra'", "'horse'"),
        ("mark == 'x'", "mark != 'x'"),
        ("level.name", "level.value_text"),
        ("sign='!'", "sign='?'"),
        ("show('x')", "show('y')"),
        ("{{ input }}{{ output }}", "{{ output }}{{ input }}"),
        ("{{ input }}{{ output }}", "{{ input }}\n{{ output }}"),
        ("{{ criterion.question }}", "{{ criterion.question | upper }}"),
    ],
)
def test_a_branch_that_no_probe_takes_counts(old: str, new: str) -> None:
    """What some item may be shown is meaning, whether a probe is shown it or not."""
    before, after = (parts(edited("binary", body=text)) for text in (BODY, BODY.replace(old, new)))

    assert changed_parts(before, after) == ["prompt"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{% if 'zebra'", "{# a note #}{% if 'zebra'"),
        ("Be kind.", "Be{# a note #} kind."),
        ("Be kind.\n", "{# a note #}\nBe kind.\n"),
        ("'zebra'", '"zebra"'),
        ("{% else %}", "{%else%}"),
        ("{{ level.name }}", "{{level.name}}"),
        ("{{ criterion.question }}", "\n\n  {{ criterion.question }}"),
        ("{{ input }}{{ output }}", "{{ input }}{{ output }}\n\n"),
        ("{% for level", "{% for  level"),
    ],
)
def test_the_layout_of_a_template_is_cosmetic(old: str, new: str) -> None:
    """Comments anywhere, blanks inside tags and at either end of the prompt."""
    assert parts(edited("binary", body=BODY.replace(old, new))) == parts(
        edited("binary", body=BODY)
    )


INCLUDES = "{{ input }}{{ output }}{% include 'a.jinja' %}{% include 'b.jinja' %}"


def test_the_names_of_templates_are_cosmetic() -> None:
    """Section 4.2: names of files are outside the fingerprint; a renamed sibling says the same."""
    files = {"a.jinja": "One.{% include 'c.jinja' %}", "b.jinja": "Two.", "c.jinja": "Three."}
    renamed = {"x.jinja": "One.{% include 'z.jinja' %}", "y.jinja": "Two.", "z.jinja": "Three."}
    body = INCLUDES.replace("a.jinja", "x.jinja").replace("b.jinja", "y.jinja")

    assert parts(edited("binary", body=INCLUDES), files) == parts(
        edited("binary", body=body), renamed
    )


@pytest.mark.parametrize("name", ["a.jinja", "b.jinja", "c.jinja"])
def test_what_an_included_template_says_counts(name: str) -> None:
    """Even below one that is included, and in a branch that is not taken."""
    files = {
        "a.jinja": "One.{% if mark == 'x' %}{% include 'c.jinja' %}{% endif %}",
        "b.jinja": "Two.",
        "c.jinja": "Three.",
    }
    text = edited("binary", body=INCLUDES)

    before, after = parts(text, files), parts(text, {**files, name: files[name] + " More."})
    assert changed_parts(before, after) == ["prompt"]


def test_two_templates_that_change_places_are_a_change() -> None:
    """The name is no meaning, but which text stands where is."""
    text = edited("binary", body=INCLUDES)

    assert parts(text, {"a.jinja": "One.", "b.jinja": "Two."}) != parts(
        text, {"a.jinja": "Two.", "b.jinja": "One."}
    )


def test_text_before_extends_is_shown_and_counts() -> None:
    """Jinja shows what stands before ``extends``, in whatever branch."""
    body = '{% if mark == "x" %}NOTE{% endif %}{% extends "judgekit/pointwise@1.jinja" %}'
    before, after = (
        parts(edited("binary", body=text)) for text in (body, body.replace("NOTE", "Note"))
    )

    assert changed_parts(before, after) == ["prompt"]
    assert "=== system\nNOTE" in shown(usable(edited("binary", body=f"NOTE {body}")))


def test_numbers_without_end_have_a_meaning() -> None:
    """``1e999`` is infinite and still JSON."""
    assert templates_meaning("{{ 1e999 }}{{ -1.5 }}{{ true }}", {})


def test_a_template_that_is_not_there_has_no_meaning_but_its_name() -> None:
    """A rubric made by hand may lack a template, or hold one that includes itself."""
    loop = "{% include 'x' %}"

    assert templates_meaning(loop, {}) != templates_meaning("{% include 'y' %}", {})
    assert templates_meaning(loop, {"x": loop})


def test_the_meaning_of_the_built_in_templates_is_frozen() -> None:
    """A digest that moves voids every certificate: with our code, or with a new Jinja."""
    assert parts(BASES["ordinal"])["prompt"] == "ce2c13c93ef29a19"
    assert parts(BASES["pairwise"])["prompt"] == "5c483239cf5e7c9e"


# --- words -------------------------------------------------------------------------------------


def test_changed_parts_name_the_most_telling_first() -> None:
    """Levels, then the rest; the prompt only when nothing else has changed."""
    before = {"level 1": "a", "question": "a", "prompt": "a", "scale": "a"}

    assert changed_parts(before, before) == []
    assert changed_parts(before, {**before, "prompt": "b"}) == ["prompt"]
    assert changed_parts(before, dict.fromkeys(before, "b")) == ["level 1", "question", "scale"]
    assert changed_parts(before, {"question": "a", "prompt": "b", "scale": "a"}) == ["level 1"]


def test_every_part_has_its_own_digest() -> None:
    """One digest a part; levels by value, so that a message can name them."""
    assert set(parts(BASES["ordinal"])) == {
        "question",
        "scale",
        "pass line",
        "not applicable",
        "weights",
        "inputs",
        "prompt",
        "level 1",
        "level 2",
        "level 3",
    }


def test_probes_are_fixed_and_cover_the_kinds_of_item() -> None:
    """Plain, empty, chat, and long text with braces in it."""
    plain, empty, chat, long = probes(["input", "output", "context"])

    assert probes(["input", "output", "context"]) == [plain, empty, chat, long]
    assert set(empty.values()) == {""}
    assert isinstance(chat["input"], list)
    assert "{{" in long["context"]


def test_an_environment_is_made_once() -> None:
    """Templates are compiled once for all items of a run."""
    assert environment({"a": "x"}) is environment({"a": "x"})
    assert environment({"a": "x"}) is not environment({"a": "y"})
