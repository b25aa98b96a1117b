"""Damages of what the levels and the question say."""

from __future__ import annotations

import re

from tests.linting.patient import Damage, Damaged, Patient, ordinal, pointwise


def _definition(new: str, level: int = 0) -> Damage:
    """A definition in other words; ``{name}`` is that of the level, ``{first}`` the first's."""

    def damage(p: Patient) -> Damaged | None:
        written = new.format(name=p.name(level), first=p.name(0))
        return p.put(p.levels[level].definition, written)

    return damage


def _border(new: str) -> Damage:
    return lambda p: p.put(p.levels[0].drops_when, new)


def _question(new: str) -> Damage:
    return lambda p: p.put(p.criterion.question, new)


def _of_first(p: Patient, change: str) -> Damaged | None:
    first, second = (level.definition for level in p.levels[:2])
    if first is None or second is None:
        return None
    said = first.value
    if change == "same":
        return p.put(second, said)
    if change == "reordered":
        head, comma, tail = said.rstrip(".").partition(", ")
        return p.put(second, f"{tail.capitalize()}, {head}.") if comma else None
    return p.put(second, said.upper())


def _changed_over(p: Patient) -> Damaged | None:
    """The definitions of the highest and the lowest level in each other's place."""
    top, low = p.criterion.ranked[-1].definition, p.criterion.ranked[0].definition
    if top is None or low is None:
        return None
    once = p.put(top, low.value)
    if once is None:
        return None
    again = Patient(once.text)
    done = again.put(again.criterion.ranked[0].definition, top.value)
    return done and done._replace(lines=done.lines | once.lines)


def _no_output(p: Patient) -> Damaged | None:
    """Inputs and examples say "reply", the words still speak of the output."""
    if p.pairwise:
        return None
    text = re.sub(r"(?m)^(inputs: .*)\boutput\b", r"\1reply", p.text)
    text = re.sub(r"(?m)^(\s+(?:- )?)output:", r"\1reply:", text)
    texts = [text_ for text_ in p.criterion.texts if re.search(r"\boutputs?\b", text_.value)]
    return Damaged(text, frozenset(p.line(one) for one in texts)) if texts else None


def _not_applicable(new: str) -> Damage:
    return lambda p: p.put(p.criterion.not_applicable, new)


WORDS: dict[str, Damage] = {
    "delete a definition": lambda p: p.without(p.levels[0].node, "definition"),
    "delete the last definition": lambda p: p.without(p.levels[-1].node, "definition"),
    "a definition emptied": lambda p: p.emptied(p.levels[0].node, "definition"),
    "delete what drops": ordinal(lambda p: p.without(p.levels[0].node, "drops_when")),
    "what drops emptied": ordinal(lambda p: p.emptied(p.levels[0].node, "drops_when")),
    "the same definition twice": lambda p: _of_first(p, "same"),
    "the same definition with its parts reordered": pointwise(lambda p: _of_first(p, "reordered")),
    "the same definition in capitals": lambda p: _of_first(p, "capitals"),
    "two definitions changed over": ordinal(_changed_over),
    "a vague definition": _definition("It is of high quality."),
    "a definition that praises": _definition("The answer is very good overall."),
    "a definition of degrees": _definition("The answer is mostly adequate.", 1),
    "a relative definition": pointwise(_definition("Somewhat worse than the above.", -1)),
    "a definition worse than a level": pointwise(_definition("Worse than {first}.", -1)),
    "a definition between two": ordinal(_definition("Between the two others.", 1), least=3),
    "a definition like a level": pointwise(
        _definition("Everything as in {first}, with small flaws.", 1)
    ),
    "a definition that is the name": _definition("The answer is {name}."),
    "a definition in one word": _definition("{name}"),
    "a definition to be written": _definition("TODO"),
    "a definition with dots": _definition("..."),
    "a definition somewhere else": _definition("See the labelling guide, section 4."),
    "a definition that is left to the judge": _definition("Use your judgement."),
    "a vague border": _border("It is not good enough."),
    "a border that says otherwise": _border("Otherwise."),
    "a border that says n/a": _border("n/a"),
    "a border to be written": _border("TBD"),
    "a border that repeats the definition": lambda p: p.put(
        p.levels[0].drops_when, p.levels[0].definition.value if p.levels[0].definition else ""
    ),
    "not applicable without saying when": _not_applicable("n/a"),
    "not applicable to be written": _not_applicable("TODO"),
    "not applicable in vague words": _not_applicable("When appropriate."),
    "two questions": _question("Is the answer correct and polite?"),
    "two questions with as well as": _question("Is the answer correct as well as polite?"),
    "two questions with both": _question("Is the answer both complete and brief?"),
    "two questions with how": _question("How correct and how polite is the answer?"),
    "two questions one after the other": _question("Is the answer correct? Is it polite?"),
    "three things in one question": _question("Does the answer have facts, sources and examples?"),
    "two things with a slash": _question("Is the answer correct/complete?"),
    "a vague question": _question("Is the answer good?"),
    "a question of quality": _question("What is the overall quality of the output?"),
    "a negated question": _question("Is the answer not impolite?"),
    "a question to be written": _question("TODO"),
    "a reference that is not shown": lambda p: (
        None
        if "reference" in p.subject.inputs
        else _question("Does it say what the reference answer says?")(p)
    ),
    "a context that is not shown": lambda p: (
        None
        if "context" in p.subject.inputs
        else _question("Does the answer claim only what the context says?")(p)
    ),
    "the output under another name": _no_output,
}
