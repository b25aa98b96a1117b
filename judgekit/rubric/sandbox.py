"""The Jinja a rubric is written in: nothing is changed, nothing reached, nothing silently empty."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jinja2
from jinja2 import nodes
from jinja2.exceptions import SecurityError, TemplateRuntimeError
from jinja2.sandbox import ImmutableSandboxedEnvironment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jinja2.runtime import Context

GIVEN = ("criterion", "item", "answer", "mark", "next_message", "range")
"""What every template may use besides the rubric's own inputs."""

MOST_STEPS = 10_000
"""How far all ``range`` loops of one prompt may count together."""

MOST_TURNS = 100_000
"""Turns of loops, and uses of macros, blocks and templates, that one prompt may take."""

_TURNS_LEFT: ContextVar[list[int] | None] = ContextVar("turns_left", default=None)
_COUNTED = (nodes.Block, nodes.Macro, nodes.CallBlock, nodes.For)

# A prompt that differs from run to run has no fingerprint; one that grows without bound, no price.
_TAKEN_OUT = ("random", "format", "center", "batch", "slice", "xmlattr", "pprint")
_WIDENING = {"center", "expandtabs", "format", "format_map", "ljust", "rjust", "zfill"}


class _Environment(ImmutableSandboxedEnvironment):
    """Jinja where nothing can be changed, nothing reached, and no name is silently empty."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def __init__(self, templates: Mapping[str, str]) -> None:
        super().__init__(
            loader=jinja2.FunctionLoader(lambda name: _source(templates, name)),
            undefined=jinja2.StrictUndefined,
            finalize=_shown,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            autoescape=False,
            cache_size=-1,
        )
        self.globals.clear()
        for name in _TAKEN_OUT:
            self.filters.pop(name, None)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Return the result of an operator; ``*`` and ``%`` are for small numbers only."""
        if operator == "**" or not all(isinstance(n, int | float) for n in (left, right)):
            raise SecurityError(f"{operator!r} is not for this; only * and % of two numbers are")
        return super().call_binop(context, operator, left, right)

    def wrap_str_format(self, value: Any) -> None:
        """Leave ``format`` to :meth:`is_safe_attribute`, which refuses it."""

    def take_turn(self) -> None:
        """Count one turn of a prompt.

        Raises:
            SecurityError: too many.
        """
        left = _TURNS_LEFT.get()
        if left is not None:
            left[0] -= 1
            if left[0] < 0:
                raise SecurityError(f"a prompt may take {MOST_TURNS:,} turns in all, not more")

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        # What can be done over and over counts itself in the compiled program; nothing is shown.
        found: list[Any] = [source, *source.find_all(_COUNTED)]
        for node in found:
            take = nodes.Call(nodes.EnvironmentAttribute("take_turn"), [], [], None, None)
            node.body.insert(0, nodes.ExprStmt(take).set_lineno(node.lineno))
        return super()._generate(source, *args, **kwargs)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return whether a template may read an attribute."""
        return attr not in _WIDENING and super().is_safe_attribute(obj, attr, value)


def _source(templates: Mapping[str, str], name: str) -> tuple[str, str, Any] | None:
    # The name takes the place of a file name, so that a failure says in which template it is.
    return (templates[name], name, None) if name in templates else None


def _shown(value: Any) -> Any:
    """Let text and numbers into the prompt, and say so when it is anything else."""
    if isinstance(value, str | int | float | jinja2.Undefined):
        return value
    what = "nothing (None)" if value is None else f"a {type(value).__name__}"
    way = "guard it with {% if ... %}" if value is None else "show its parts, as text"
    raise TemplateRuntimeError(f"it shows {what} where text belongs: {way}")


@lru_cache(maxsize=64)
def _environment(templates: tuple[tuple[str, str], ...]) -> _Environment:
    return _Environment(dict(templates))


def environment(templates: Mapping[str, str]) -> ImmutableSandboxedEnvironment:
    """Return the sandboxed environment over these template sources (cached)."""
    return _environment(tuple(sorted(templates.items())))


@contextmanager
def limited_turns() -> Iterator[None]:
    """Let the prompt that is rendered inside take so many turns."""
    token = _TURNS_LEFT.set([MOST_TURNS])
    try:
        yield
    finally:
        _TURNS_LEFT.reset(token)


@lru_cache(maxsize=64)
def statements_of(source: str) -> tuple[nodes.Node, ...]:
    """Return the statements of a template, to be read and not changed (cached).

    Raises:
        TemplateSyntaxError: it is not valid Jinja.
    """
    return tuple(environment({}).parse(source).body)


def fresh_environment() -> ImmutableSandboxedEnvironment:
    """Return an environment of one's own, to read templates with."""
    return _Environment({})


class Range:
    """``range`` for templates: loops of one prompt share a limit, however they are nested."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def __call__(self, *bounds: int) -> range:
        """Return the numbers.

        Raises:
            SecurityError: too many.
        """
        numbers = range(*bounds)
        try:
            self.left -= len(numbers)
        except OverflowError:  # more than there are numbers for
            self.left = -1
        if self.left < 0:
            raise SecurityError(f"a prompt may count to {MOST_STEPS:,} in all, not further")
        return numbers

    def __repr__(self) -> str:
        return "range"
