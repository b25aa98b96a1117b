"""Which templates are proven to do nothing with an item but show it, and which are not."""

from dataclasses import replace

import pytest

from judgekit.rubric.taint import only_shows
from tests.rubric.make import BASES, usable

RUBRIC = usable(BASES["ordinal"])
FILES = {
    "pure": "{{ criterion.question }}",
    "shows": "{{ output }}",
    "asks": "{% if 'zebra' in output %}Z{% endif %}",
    "macros": "{% macro m(x) %}[{{ x }}]{% endmacro %}",
    "macro-shows": "{% macro m() %}{{ output }}{% endmacro %}",
    "block": "{% block a %}{{ output }}{% endblock %}",
    "field": "{{ field.text | upper }}",
    "sets": "{% set field = criterion %}{{ field.text }}",
    "extends-asks": "{% extends 'asks' %}",
    "captures": "{% filter upper %}{% include 'shows' %}{% endfilter %}",
    "round": "{% include 'round' %}",
    "broken": "{% if %}",
}

SHOWS = [
    "",
    "{{ output }}",
    "{{ output }}{{ input }}{{ output }} {{ mark }}",
    "{{ next_message('user') }}{{ output }}",
    "{{ next_message(role='user') }}{{ next_message() }}",
    "{{ criterion.name | upper }}{{ answer.levels | join(', ') }}{{ output }}",
    "{% for field in item %}{{ field.label | upper }}: {{ field.text }}{% endfor %}",
    "{% for f in item if f.name != 'input' %}{{ loop.index }}{{ f.text }}{% endfor %}",
    "{% for f in item %}{% if f.name == 'input' %}{{ f.text }}{% else %}-{% endif %}{% endfor %}",
    "{% for f in item %}{% for g in item %}{{ f.text }}{{ g.label }}{% endfor %}{% endfor %}",
    "{% for f in item %}{% for l in answer.levels %}{{ l }}{{ f.text }}{% endfor %}{% endfor %}",
    "{% for l in criterion.levels %}{{ l.name | upper }}{{ loop.changed(l) }}{% endfor %}",
    "{% for l in criterion.levels %}{{ output }}{% else %}{{ output }}{% endfor %}",
    "{% if criterion.not_applicable %}{{ output }}{% elif answer %}a{% else %}b{% endif %}",
    "{% set n = criterion.levels | length %}{% if n > 2 %}{{ output }}{% endif %}",
    "{% set t %}{{ criterion.name }}{% endset %}{{ t }}{{ output }}",
    "{% with n = criterion.name %}{{ n }}{{ output }}{% endwith %}",
    "{% filter upper %}{{ criterion.name }}{% endfilter %}{{ output }}",
    "{% macro m(x) %}{{ x | upper }}{% endmacro %}{{ m(criterion.name) }}{{ output }}",
    "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}a{% endcall %}{{ output }}",
    "{% for i in range(3) %}{{ output }}{% endfor %}",
    "{% include 'shows' %}{% include 'pure' %}",
    "{% for l in criterion.levels %}{% include 'shows' %}{% endfor %}",
    "{% from 'macros' import m %}{{ m('a') }}{{ output }}",
    "{% import 'macros' as t %}{{ t.m('a') }}{{ output }}",
    "{% extends 'block' %}",
    "{% extends 'block' %}{% block a %}{{ super() }}{{ input }}{% endblock %}",
    "{% extends 'judgekit/pointwise@1.jinja' %}{% block question %}Well?{% endblock %}",
    "{% filter upper %}{% include 'pure' %}{% endfilter %}",
]

DOES_MORE = [
    "{{ output | upper }}",
    "{{ output | trim }}",
    "{{ output ~ '' }}",
    "{{ output + '' }}",
    "{{ output[0] }}",
    "{{ output.upper() }}",
    "{{ [output] | first }}",
    "{{ output is defined }}",
    "{{ output if criterion else '' }}",
    "{{ 'Z' if 'zebra' in output }}",
    "{{ output | length }}",
    "{{ item | length }}",
    "{{ item[0].text }}",
    "{{ item | map(attribute='text') | first }}",
    "{{ mark | upper }}",
    "{{ mark ~ output }}",
    "{{ next_message }}",
    "{{ next_message(output) }}",
    "{{ next_message(*item) }}",
    "{{ next_message() ~ '' }}",
    "{% if output %}{% endif %}",
    "{% if criterion %}a{% elif mark == 'x' %}b{% endif %}",
    "{% if criterion %}{% else %}{{ output | upper }}{% endif %}",
    "{% set x = output %}{{ x }}",
    "{% set x %}{{ output }}{% endset %}{{ x | length }}",
    "{% set x | upper %}{% for f in item %}{{ f.text }}{% endfor %}{% endset %}{{ x }}",
    "{% with x = output %}{{ x | upper }}{% endwith %}",
    "{% with %}{{ output | upper }}{% endwith %}",
    "{% for c in output %}{{ c }}{% endfor %}",
    "{% for l in criterion.levels if output %}{{ l.name }}{% endfor %}",
    "{% for l in criterion.levels %}{{ l.name }}{% else %}{{ output | upper }}{% endfor %}",
    "{% for f in item %}{{ f }}{% endfor %}",
    "{% for f in item %}{{ f['text'] }}{% endfor %}",
    "{% for f in item %}{{ f.text | upper }}{% endfor %}",
    "{% for f in item if f.text %}{{ f.label }}{% endfor %}",
    "{% for f in item %}{% if 'zebra' in f.text %}Z{% endif %}{% endfor %}",
    "{% for f in item %}{{ f.items() }}{% endfor %}",
    "{% for f in item %}{{ f.values() | join }}{% endfor %}",
    "{% for f in item %}{{ loop.previtem.text }}{% endfor %}",
    "{% for f in item %}{{ loop.changed(f) }}{% endfor %}",
    "{% for f in item %}{{ loop }}{% endfor %}",
    "{% for f in item %}{% for l in criterion.levels %}{{ loop.nextitem }}{% endfor %}{% endfor %}",
    "{% for f in item recursive %}{{ f.text }}{% endfor %}",
    "{% for a, b in item %}{{ a }}{% endfor %}",
    "{% for f in item | reverse %}{{ f.text }}{% endfor %}",
    "{% for f in item %}{% set x = f.text %}{% endfor %}",
    "{% for f in item %}{% include 'field' %}{% endfor %}",
    "{% for field in item %}{% include 'sets' %}{% endfor %}",
    "{% for f in item %}{% block b scoped %}{{ f.text | upper }}{% endblock %}{% endfor %}",
    "{% for l in criterion.levels %}{% block b scoped %}{{ output }}{% endblock %}{% endfor %}",
    "{% for f in item %}{% macro m() %}{{ f.text }}{% endmacro %}{{ m() | upper }}{% endfor %}",
    "{% for criterion in item %}{{ criterion.text | upper }}{% endfor %}",
    "{% for item in item %}{% for f in item %}{{ f }}{% endfor %}{% endfor %}",
    "{% for item in item %}{% for f in item %}{{ f.label | upper }}{% endfor %}{% endfor %}",
    "{% for output in item %}{{ output }}{% endfor %}",
    "{% filter upper %}{{ output }}{% endfilter %}",
    "{% filter upper %}{% block a %}x{% endblock %}{% endfilter %}",
    "{% filter upper %}{% include 'shows' %}{% endfilter %}",
    "{% filter upper %}{% include 'extends-asks' %}{% endfilter %}",
    "{% macro m(x) %}{{ x }}{% endmacro %}{{ m(output) }}",
    "{% macro m() %}{{ output }}{% endmacro %}{{ m() }}",
    "{% macro m(x=output) %}{{ x }}{% endmacro %}{{ m() }}",
    "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ output }}{% endcall %}",
    "{% import 'shows' as t with context %}{{ t }}",
    "{% from 'macro-shows' import m with context %}{{ m() }}",
    "{% import 'extends-asks' as t with context %}",
    "{% include 'asks' %}",
    "{% include 'captures' %}",
    "{% include ['shows', 'pure'] %}",
    "{% include criterion.name %}",
    "{% include 'lacking' ignore missing %}",
    "{% include 'broken' %}",
    "{% include 'shows' %}{% import 'shows' as t with context %}",
    "{% extends 'extends-asks' %}",
    "{% extends 'block' %}{% block a %}{{ super() | upper }}{% endblock %}",
    "{% extends 'block' %}{% block a %}{% set s = super() %}{% endblock %}",
    "{% extends 'block' %}{% block a %}{{ super.super() }}{% endblock %}",
    "{{ self.a() }}{% block a %}{{ output }}{% endblock %}",
    "{% block a %}{{ output | upper }}{% endblock %}",
    "{% autoescape true %}{{ output }}{% endautoescape %}",
    "{% if %}",
    "{{ " + "(" * 2000 + "1" + ")" * 2000 + " }}",
]


def proven(body: str) -> bool:
    """Whether a body is proven only to show items."""
    templates = {**RUBRIC.templates, **FILES}
    return only_shows(replace(RUBRIC, body=body, templates=templates))


@pytest.mark.parametrize("body", SHOWS)
def test_what_only_shows_items_is_proven(body: str) -> None:
    """Constants may be anything; of the item, only what is written out as it is."""
    assert proven(body)


@pytest.mark.parametrize("body", DOES_MORE, ids=lambda body: body[:60])
def test_whatever_else_is_done_with_an_item_is_seen(body: str) -> None:
    """Filters, questions, assignments, captures, in whichever template; the unknown as well."""
    assert not proven(body)


def test_built_in_templates_only_show() -> None:
    """The templates that most rubrics use have plans."""
    assert all(only_shows(usable(text)) for text in BASES.values())


def test_templates_that_go_round_end() -> None:
    """A circle is read once; that it cannot be rendered is for rendering to say."""
    assert proven("{% include 'round' %}")
