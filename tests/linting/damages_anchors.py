"""Damages of the worked examples."""

from __future__ import annotations

from tests.linting.patient import Damage, Damaged, Patient, pointwise


def _output(new: str) -> Damage:
    return lambda p: p.put(p.anchor.outputs[0], new)


def _input(new: str) -> Damage:
    return lambda p: p.put(p.anchor.fields["input"], new)


def _reason(new: str) -> Damage:
    return lambda p: p.put(p.anchor.reason, new.format(name=p.name(0)))


def _same_anchor(p: Patient) -> Damaged | None:
    """All texts of the first example of one level as an example of the next as well."""
    patient, lines = p, frozenset[int]()
    for name, text in p.levels[0].anchors[0].fields.items():
        done = patient.put(patient.levels[1].anchors[0].fields.get(name), text.value)
        if done is None:
            return None
        patient, lines = Patient(done.text), lines | done.lines
    return Damaged(patient.text, lines | {patient.line(patient.levels[1].anchors[0].node)})


def _without_anchors(p: Patient, stay: int | None) -> Damaged | None:
    """Every level without anchors, or all but one."""
    patient = p
    for at in range(len(p.levels)):
        done = None if at == stay else patient.without(patient.levels[at].node, "anchors")
        patient = Patient(done.text) if done else patient
    lines = {patient.line(level.node) for level in patient.levels}
    owner = set() if stay is not None else {patient.line(patient.criterion.keys["levels"]) - 1}
    return Damaged(patient.text, frozenset(lines | owner))


def _without_field(p: Patient) -> Damaged | None:
    name = next((n for n in p.anchor.fields if not n.startswith("output")), None)
    return p.without(p.anchor.node, name) if name else None


def _long_for_the_high(p: Patient) -> Damaged | None:
    """The higher the level, the longer its examples."""
    patient, last = p, None
    numbers = [level.number for level in p.criterion.ranked]
    if None in numbers or p.criterion.kind != "ordinal":
        return None
    for rank in range(len(numbers)):
        for at in range(len(patient.criterion.ranked[rank].anchors)):
            text = patient.criterion.ranked[rank].anchors[at].outputs[0]
            words = " ".join(f"word{n}" for n in range(8 * (rank + 1) ** 2 + at))
            last = patient.put(text, f"It says {words}.")
            assert last is not None
            patient = Patient(last.text)
    top = patient.criterion.ranked[-1].anchors
    return last and last._replace(lines=frozenset(patient.line(a.outputs[0]) for a in top))


ANCHORS: dict[str, Damage] = {
    "delete the anchors of a level": lambda p: p.without(p.levels[-1].node, "anchors"),
    "the anchors of a level emptied": lambda p: p.emptied(p.levels[0].node, "anchors"),
    "an empty list of anchors": lambda p: p.emptied(p.levels[0].node, "anchors", " []"),
    "delete the anchors of all levels": lambda p: _without_anchors(p, None),
    "delete the anchors of all levels but one": lambda p: _without_anchors(p, 0),
    "delete a reason": lambda p: p.without(p.anchor.node, "reason"),
    "a reason emptied": lambda p: p.emptied(p.anchor.node, "reason"),
    "a reason that is the level": _reason("It is {name}."),
    "a reason that says that it fits": _reason("This is an example of {name}."),
    "a reason to be written": _reason("TODO"),
    "delete a field of an anchor": _without_field,
    "delete the output of an anchor": lambda p: p.without(p.anchor.node, p.shown),
    "an output emptied": lambda p: p.emptied(p.anchor.node, p.shown),
    "a field misspelt": lambda p: p.renamed(p.anchor.node, p.shown, "ouptut"),
    "a field too many": lambda p: p.inserted(p.anchor.node, "rating: high"),
    "a level in an anchor": lambda p: p.inserted(p.anchor.node, "level: 3"),
    "an output that is a mapping": _output("{text: At nine.}"),
    "the same anchor twice": _same_anchor,
    "an output with dots": _output("..."),
    "an output to be written": _output("TODO: find one"),
    "an output that is a placeholder": _output("<a good answer here>"),
    "an output of five hundred words": _output("At nine, as ever. " * 125),
    "longer outputs for higher levels": pointwise(_long_for_the_high),
    "a mail address": _output("Write to anna.kowalska@shop-berlin.de and ask for a refund."),
    "a national phone number": _output("Ring me under 0171 8834127 in the evening."),
    "a British phone number": _output("My mother's is (020) 7946 0018."),
    "an international phone number": _output("I can be reached under +43 664 8765309."),
    "an American phone number": _output("Call 415-234-5678 and ask for me."),
    "a street address": _output("I live at 14 Elm Street, on the second floor."),
    "a German address": _output("Bitte an Lindenweg 4, 80331 München liefern."),
    "a French address": _output("Envoyez-le au 12 rue de la Paix."),
    "a name and a date of birth": _input("I am Maria Huber, born 3 May 1984, and forgot my code."),
    "an IBAN": _output("Pay it to AT33 0000 0123 4567 8901."),
    "a payment card": _output("It was charged to 4539 1488 0343 6467."),
    "a social security number": _input("My SSN is 219-08-1234, can you find me?"),
    "a passport": _input("My passport number is 533401234, can you find me?"),
    "a key": _input("Use my key sk-proj-4fGh7Kd92LmQp8sXv3TzWnB6 for the call."),
    "a key of a cloud": _output("It is AKIAJ7Q2LMXT5RVB3WZD."),
    "a token": _input("Log in with ghp_16C7e42F292c6912E7710c838347Ae178B4a please."),
    "a token of a chat": _output("Post it with xoxb-2849017364-918273645546-Qw8eRt6yUi4oPa2s."),
    "a web token": _output("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3NzQxIn0.q7Xv2LrT9bNc5KfWm3"),
    "a private key": _input("-----BEGIN RSA PRIVATE KEY----- MIIEpAIBAAKCAQEAxQvT"),
    "a password": _input("The login is anna, password: hunter2"),
    "a password, in German": _output("Mein Passwort lautet Sommer2031!"),
    "a password in an address": _output("Open postgres://anna:Zx81kk9@db.internal:5432/shop."),
    "a password in a line of code": _output("api_key='7Hd92kLmQp8sXv3T'"),
    "an address in the network": _output("You came from 84.112.33.201 last night."),
}
