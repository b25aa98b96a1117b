"""Damages of what the levels and the question say."""

from __future__ import annotations

import json
import re

from tests.linting.patient import Damage, Damaged, Patient, ordinal, pointwise


def _definition(new: str, level: int = 0) -> Damage:
    """A definition in other words; ``{name}`` is that of the level, ``{first}`` the first's."""

    def damage(p: Patient) -> Damaged | None:
        written = new.format(name=p.name(level), first=p.name(0))
        return p.put(p.levels[level].definition, written)

    return damage


def _unquoted(new: str) -> Damage:
    """A definition as people write it: without quotes."""

    def damage(p: Patient) -> Damaged | None:
        done = p.put(p.levels[0].definition, new)
        return done and done._replace(text=done.text.replace(json.dumps(new), new))

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
    "a definition that is left to the judge's feeling": _definition("Go with your gut feeling."),
    "a definition at the judge's discretion": _definition("At the discretion of the grader."),
    "a definition as you like": _definition("Give it as you see fit.", 1),
    "a definition that is left to the judge, in German": _definition("Nach eigenem Ermessen."),
    "a definition by feeling, in German": _definition("Hier zählt dein Bauchgefühl.", 1),
    "a definition by standards": _definition("The output meets the highest standards."),
    "a definition by standards, in German": _definition("Entspricht hohen Ansprüchen.", -1),
    "a definition by people who are not there": _definition("Most readers would enjoy it."),
    "a definition that is still to come": _definition("No definition yet."),
    "a definition that comes soon": _definition("Coming soon.", 1),
    "a definition that is still to come, in German": _definition("Noch zu klären."),
    "a definition that follows, in German": _definition("Folgt in Kürze.", -1),
    "a definition on a field that is not there": _definition(
        "Each number in the output stands in `retrieved_docs` too."
    ),
    "a definition that YAML cuts": _unquoted("The output answers ticket #12 and no other one"),
    "a definition that YAML cuts at a word": _unquoted("The output is posted in #general or twice"),
    "a definition that YAML cuts at a blank": _unquoted("The output names order # 12 and its date"),
    "a border by taste": _border("You feel that it is off."),
    "a border by the judge's discretion": _border("Liegt in deinem Ermessen."),
    "a border that is still to come": _border("To be confirmed."),
    "a vague border": _border("It is not good enough."),
    "a border that says otherwise": _border("Otherwise."),
    "a border that says n/a": _border("n/a"),
    "a border to be written": _border("TBD"),
    "a border that repeats the definition": lambda p: p.put(
        p.levels[0].drops_when, p.levels[0].definition.value if p.levels[0].definition else ""
    ),
    "not applicable without saying when": _not_applicable("n/a"),
    "not applicable to be written": _not_applicable("TODO"),
    "not applicable as the judge likes": _not_applicable("As you see fit."),
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
    "a question of taste": _question("Do you like the output?"),
    "a question of feeling": _question("How do you feel about the output?"),
    "a question of opinion": _question("What do you think of it?"),
    "a question of taste, in German": _question("Wie gefällt dir die Ausgabe?"),
    "a question of opinion, in German": _question("Was hältst du von der Ausgabe?"),
    "a question that is left to the judge": _question("Use your own judgement."),
    "a question that is still to come": _question("Wird noch ergänzt."),
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
