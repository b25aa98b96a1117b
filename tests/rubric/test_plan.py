"""A plan gives what its template gives, byte for byte, or there is none."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from judgekit.rubric import fence
from judgekit.rubric.model import Rubric
from judgekit.rubric.plan import Plan
from judgekit.rubric.planning import plan_of
from judgekit.rubric.render import TemplateFails, render
from tests.rubric.make import BASES, ITEM, edited, usable

ORDINAL, PAIRWISE = usable(BASES["ordinal"]), usable(BASES["pairwise"])
LONE = usable(BASES["nominal"])
ALL = ("input", "output", "context", "output_a", "output_b")

TRICKS = [
    *(
        "zebra",
        "{{ 7*7 }}",
        "{{ output }}",
        "\x00",
        "\ud800",
        "\udfff",
        "\r\n",
        "\u2028",
        '"\\\x1f',
    ),
    *("<<<output ", " output>>>", "000000000000", "<<<output 000000000000\n", "\ue0001\ue001"),
    *("\x00000000000000\x00user\x00", "aaaaaaaaaaaaa", "牛乳 🙂"),
]
TEXT = st.lists(st.text(max_size=20) | st.sampled_from(TRICKS), max_size=5).map("".join)
ROLES = st.sampled_from(["user", "assistant", "<<<output", "x <<<input", "\x00", "a\nb"])
CONTENT = TEXT | st.none() | st.lists(TEXT, max_size=2)
MESSAGE = st.fixed_dictionaries({"role": ROLES, "content": CONTENT})
FIELD = TEXT | st.lists(MESSAGE, max_size=3)


def items(*names: str) -> st.SearchStrategy[dict[str, Any]]:
    """Items of hostile texts and chats."""
    return st.fixed_dictionaries(dict.fromkeys(names, FIELD))


def planned(rubric: Rubric) -> Plan:
    """The plan of a rubric that has one."""
    plan = plan_of(rubric, rubric.criteria[0])
    assert plan is not None
    return plan


def agree(plan: Plan | None, rubric: Rubric, item: dict[str, Any]) -> bool:
    """Whether a plan, where there is one for the item, gives what the template gives."""
    values = plan and plan.values(item)
    if plan is None or values is None:
        return True
    return plan.fill(values) == render(rubric, rubric.criteria[0], item)


PLANS = [planned(rubric) for rubric in (ORDINAL, PAIRWISE, LONE)]


@settings(deadline=None, max_examples=100)
@given(items(*ALL))
@example(dict.fromkeys(ALL, ""))
@example({name: [{"a": 1}] for name in ALL})
def test_a_plan_gives_what_the_template_gives(item: dict[str, Any]) -> None:
    """Any item by any of the built-in templates: the same messages, byte for byte."""
    for plan, rubric in zip(PLANS, (ORDINAL, PAIRWISE, LONE), strict=True):
        assert agree(plan, rubric, item)


def test_a_plan_is_used_for_ordinary_items() -> None:
    """Texts and chats of text need no template; the property above is not about nothing."""
    chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None}]

    assert planned(ORDINAL).values(ITEM) is not None
    assert planned(ORDINAL).values({**ITEM, "output": chat}) is not None


def test_fields_that_are_not_shown_change_nothing() -> None:
    """Neither the mark nor the prompt."""
    plan = planned(ORDINAL)

    assert plan.values({**ITEM, "reference": "x"}) == plan.values(ITEM)


# --- templates of every kind ---------------------------------------------------------------------

SHOWING = [
    *("{{ output }}", "{{ input }}", "{{ mark }}", " ", "\n", "a", "f", "0", "<<<output ", "\x00"),
    *("{{ criterion.name }}", "{{ next_message('user') }}", "{{ next_message('system') }}"),
    *(" output>>>", "\x00user\x00", "000000000000", "{{ '0' }}", "{{ 'aaaaaaaaaaaa' }}"),
    "{% for f in item %}{{ f.label }}:{{ f.text }}{{ loop.index }}{% endfor %}",
    "{% include 'inner' %}",
    "{{ super() }}",
]
ASKING = [
    *("{{ output | upper }}", "{{ output ~ '' }}", "{{ output | replace('zebra', '') }}"),
    *("{{ mark[0] }}", "{{ 'Z' if 'zebra' in output }}", "{{ output | length }}"),
    "{% if 'zebra' in output %}Z{% endif %}",
    "{% set x = output %}{% if 'zebra' in x %}Z{% endif %}",
    "{% for f in item if 'zebra' in f.text %}Z{% endfor %}",
    "{% for field in item %}{% include 'inner' %}{% endfor %}",
    "{% for f in item %}{% if loop.last and 'z' in loop.previtem.text %}Z{% endif %}{% endfor %}",
    "{% macro m() %}{{ output }}{% endmacro %}{{ 'Z' if 'zebra' in m() }}",
    "{% import 'inner' as t with context %}{{ t | string | length }}",
    "{% if 'zebra' in field.text %}Z{% endif %}",
    "{% if 'zebra' in self.b0() %}Z{% endif %}",
    "{% autoescape true %}{{ output }}{% endautoescape %}",
]
AROUND: list[Callable[[str, int], str]] = [
    lambda inside, n: f"{{% if criterion.levels %}}{inside}{{% endif %}}",
    lambda inside, n: f"{{% for l in criterion.levels %}}{inside}{{% endfor %}}",
    lambda inside, n: f"{{% for field in item %}}{inside}{{% endfor %}}",
    lambda inside, n: f"{{% block b{n} %}}{inside}{{% endblock %}}",
    lambda inside, n: f"{{% block b{n} scoped %}}{inside}{{% endblock %}}",
    lambda inside, n: f"{{% filter lower %}}{inside}{{% endfilter %}}",
    lambda inside, n: f"{{% set x %}}{inside}{{% endset %}}{{{{ x | length }}}}",
    lambda inside, n: f"{{% with mark = 'x', q = criterion %}}{inside}{{% endwith %}}",
    lambda inside, n: f"{{% macro m() %}}{inside}{{% endmacro %}}{{{{ m() }}}}",
]


@st.composite
def templates(draw: st.DrawFn, *, asking: bool = True) -> str:
    """A template: pieces, some of them inside others."""
    leaves = st.sampled_from([*SHOWING, *ASKING] if asking else SHOWING)
    parts = []
    for n in range(draw(st.integers(1, 5))):
        inside = "".join(draw(st.lists(leaves, min_size=1, max_size=2)))
        around = draw(st.none() | st.sampled_from(AROUND))
        parts.append(around(inside, n) if around else inside)
    return draw(st.sampled_from(["", "", "{% extends 'base' %}"])) + "".join(parts)


def made(body: str, inner: str, base: str) -> Rubric:
    """A rubric by hand: none of what parsing would refuse is refused."""
    files = {"inner": inner.replace("{% include 'inner' %}", ""), "base": base}
    files["base"] = files["base"].replace("{% extends 'base' %}", "")
    return replace(LONE, inputs=("input", "output"), body=body, templates=files)


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(templates(), templates(), templates(), st.lists(items("input", "output"), min_size=3))
@example("{% if 'zebra' in output %}Z{% endif %}{{ output }}", "", "", [])
@example(
    "{{ output }}\x00{{ mark }}\x00user {{ output }}", "", "", [{"input": "", "output": "\x00"}]
)
def test_plans_of_any_template_give_what_it_gives(
    body: str, inner: str, base: str, found: list[dict[str, Any]]
) -> None:
    """Templates that ask, cut and capture have no plan, or one that agrees on every item."""
    rubric = made(body, inner, base)
    plan = plan_of(rubric, rubric.criteria[0])

    for item in [*found, {"input": "zebra", "output": "a zebra"}, {"input": "", "output": "zebra"}]:
        assert agree(plan, rubric, item)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(templates(asking=False), templates(asking=False), st.lists(items("input", "output")))
@example("<<<output 0{{ mark }} output>>>{{ output }}", "", [{"input": "", "output": ""}])
@example("{{ mark }}{{ mark }} output>>>{{ output }}", "", [{"input": "", "output": ""}])
@example("<<<output 000000000000{{ output }}", "", [{"input": "", "output": "x"}])
def test_marks_that_are_easily_met_by_chance_make_no_difference(
    body: str, inner: str, found: list[dict[str, Any]]
) -> None:
    """With sixteen marks instead of 2^48, constants, roles and neighbours look like marks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            fence,
            "sha256_text",
            lambda text: hashlib.md5(text.encode("utf-8", "replace")).hexdigest()[0] * 64,  # noqa: S324
        )
        rubric = made(body, inner, "")
        plan = plan_of(rubric, rubric.criteria[0])
        more = [{"input": str(n), "output": "0" * 12 + "f" * 12} for n in range(20)]
        for item in [*found, *more]:
            assert agree(plan, rubric, item)


# --- no plan for this item, or for this rubric ---------------------------------------------------


def test_an_item_that_is_a_worked_example_is_rendered_by_the_template() -> None:
    """Its mark is the example's, so its fence stands in the prompt twice."""
    chat = "[{role: user, content: Hi.}]"
    anchors = (
        f"        definition: Warm.\n        anchors: [{{output: Bye.}}, {{output: {chat}}}]\n"
    )
    plan = planned(usable(edited("nominal", {"        definition: Warm.\n": anchors})))

    assert plan.values({"output": "Bye."}) is None
    assert plan.values({"output": [{"role": "user", "content": "Hi."}]}) is None
    assert plan.values({"output": "Hello."}) is not None
    assert plan.values({"output": [{"role": "user", "content": "Ho."}]}) is not None


def test_a_role_that_looks_like_a_fence_is_rendered_by_the_template() -> None:
    """There it is refused, as it was."""
    item = {"output": [{"role": "<<<output", "content": "x"}]}

    assert planned(LONE).values(item) is None
    with pytest.raises(TemplateFails, match="cuts or changes"):
        render(LONE, LONE.criteria[0], item)


def test_an_item_with_images_is_rendered_by_the_template() -> None:
    """Its images have to be put beside the text."""
    part = {"type": "image_url", "image_url": {"url": "https://e.example/a.png"}}

    assert planned(LONE).values({"output": [{"role": "user", "content": [part]}]}) is None


@pytest.mark.parametrize(
    "body",
    [
        "{{ output | trim }}{{ output }}",
        "{{ output }}a{{ mark }}",
        "{{ output }} {{ mark }}{{ mark }}",
        "{{ output }}\x00{{ mark }}\x00user {{ output }}",
        "{{ output }}{{ criterion.nmae }}",
        "{{ '' }}",
    ],
)
def test_what_is_not_certain_has_no_plan(body: str) -> None:
    """Each for another reason: proof, a mark's neighbours, a message of its own, failing, empty."""
    rubric = replace(LONE, body=body)

    assert plan_of(rubric, rubric.criteria[0]) is None


def test_a_plan_that_differs_on_the_probes_is_dropped() -> None:
    """A constant that looks like the sign of a hole would be taken for one."""
    rubric = replace(LONE, body="{{ output }} \ue0000\ue001")

    assert plan_of(rubric, rubric.criteria[0]) is None


def test_most_templates_without_questions_have_plans() -> None:
    """The properties above are not about nothing."""
    with_plan = without = 0

    @settings(deadline=None, max_examples=60, database=None, derandomize=True)
    @given(templates(asking=False))
    def count(body: str) -> None:
        nonlocal with_plan, without
        rubric = made(body, "{{ output }}", "")
        try:
            render(rubric, rubric.criteria[0], ITEM)
        except TemplateFails:
            assume(False)  # noqa: FBT003
        found = plan_of(rubric, rubric.criteria[0])
        with_plan, without = with_plan + (found is not None), without + (found is None)

    count()
    assert with_plan > 10
    assert without > 5
