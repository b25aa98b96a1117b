"""What does it cost to get from an item to its request, and to the key the cache knows it by?

Run from the repository: ``python benchmarks/prompting.py`` or ``--quick``.

CPU time for one item, in microseconds, of a pointwise rubric with worked examples and a question
and an answer of some 600 characters together:

- plain Jinja: the rubric's template, run by an ordinary Jinja environment over the item's text;
- ordinary rendering: the same in the sandbox, with fences, checks and messages;
- plan: the messages from what was worked out once;
- ``build_request`` and its key; and the same request's key by an ``Asker``, then the request.

Each is the shortest of many short rounds in which the candidates take turns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import jinja2

import judgekit.rubric.render as rendering
from judgekit.importers.rubrics import template_loader
from judgekit.judging.item import Item
from judgekit.judging.judge import Judge
from judgekit.judging.prompt import Asker, build_request
from judgekit.rubric.parse import parse_rubric
from judgekit.rubric.planning import plan_of

RUBRIC = """\
---
rubric: grounded
version: 1
inputs: [input, output]
criteria:
  - criterion: grounded
    question: Does the answer claim only what can be known?
    scale: ordinal
    passes_at: 3
    levels:
      - value: 1
        name: invented
        definition: Most of what it claims is made up.
        anchors: [{input: When do you open?, output: We never close., reason: Nobody said so.}]
      - value: 2
        name: stretched
        definition: Something in it goes beyond what can be known.
        drops_when: A second thing does.
        anchors: [{input: When do you open?, output: 'At nine, as most shops do.'}]
      - value: 3
        name: grounded
        definition: Every claim can be known.
        drops_when: One cannot.
        anchors: [{input: When do you open?, output: At nine.}]
---
"""
ROUND = 500
"""Items in one round."""


def candidates() -> dict[str, Callable[[Item], object]]:
    """Return what is timed, by name."""
    rubric = parse_rubric(RUBRIC, load=template_loader("."))
    criterion = rubric.criteria[0]
    judge = Judge(name="j", rubric=rubric, model="openai/gpt-4.1-mini")
    asker, plan = Asker(judge, criterion), plan_of(rubric, criterion)
    loader = jinja2.DictLoader({**rubric.templates, "": rubric.body})
    plain = jinja2.Environment(loader=loader).get_template("")  # noqa: S701  (text for a model)
    given = rendering._constants(rendering.Same(criterion))  # noqa: SLF001  (the same for both)

    def by_jinja(item: Item) -> object:
        shown = [{"label": n.capitalize(), "text": t} for n, t in item.fields.items()]
        return plain.render(
            **given, item=shown, mark="0123456789ab", next_message=lambda role: f"\0{role}\0"
        )

    def by_plan(item: Item) -> object:
        assert plan is not None  # noqa: S101  (the built-in template has one)
        values = plan.values(item.fields)
        assert values is not None  # noqa: S101  (no item is a worked example)
        return plan.fill(values)

    return {
        "plain Jinja": by_jinja,
        "ordinary rendering": lambda item: rendering.render(rubric, criterion, item.fields),
        "plan": by_plan,
        "build_request": lambda item: build_request(judge, criterion, item),
        "build_request and its key": lambda item: build_request(judge, criterion, item).key,
        "Asker: key": lambda item: asker.ask(item).key,
        "Asker: key, then the request": lambda item: asker.ask(item).build(),
    }


def items(count: int) -> list[Item]:
    """Return items that are all different."""
    return [
        Item(
            id=str(n),
            fields={
                "input": f"Customer {n} asks: when do you open on Sundays, and may dogs come in?",
                "output": f"Answer {n}. We open at nine.\n" + "Dogs are welcome, on a lead. " * 17,
            },
        )
        for n in range(count)
    ]


def shortest(rounds: int) -> dict[str, float]:
    """Return the CPU time for an item of each candidate, in microseconds."""
    ways, shown = candidates(), items(ROUND)
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.process_time()
            for item in shown:
                way(item)
            best[name] = min(best[name], (time.process_time() - start) / ROUND * 1e6)
    return best


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a few rounds only")
    rounds = 5 if parser.parse_args().quick else 25
    print(f"us of CPU for one item, shortest of {rounds} rounds of {ROUND} items")
    for name, time_us in shortest(rounds).items():
        print(f"{name:30} {time_us:7.1f}")


if __name__ == "__main__":
    main()
