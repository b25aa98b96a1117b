"""A worked example holds personal data or a secret.

## What it does

Looks in anchors and their reasons for mail addresses, phone numbers, postal addresses (a street
with its number, in several languages), full names with a date of birth, public IP addresses,
payment cards and IBANs whose check digits are right, US social security numbers, and numbers of
passports, identity cards and the like; and for keys, tokens and passwords. The datum itself is not
repeated in the message.

Left alone is what is nobody's: mail at `example.com`, `example.org`, `example.net`, `.test` and
`.invalid`, addresses of an office such as `support@`, of shops, offices and museums, American
numbers with 555, `192.0.2.1` and its like, the numbers that payment services give for tests,
Max Mustermann and Jane Doe, keys of manuals and those in order (`sk-12345...`); and so are dates,
versions, amounts, order numbers and ISBNs. A number
in the British or German form is found even if it is set aside for films: nobody sees that from it.

## Why it hurts

Anchors are copied from real conversations, live in git and are sent to the model with every call,
for as long as the rubric is in use. Nobody who wrote that mail agreed to it.

## Example

```yaml
anchors:
  - input: My parcel is late. I am Maria Huber, (her real mail address).
```

## Use instead

```yaml
anchors:
  - input: My parcel is late. I am Vera Muster, vera@example.com.
```

## When to ignore

When the datum is public and the level depends on it, such as the number of a hotline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.examples import fields_of
from judgekit.linting.personal import personal_data
from judgekit.linting.places import spot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_ENOUGH = 20
"""So much of one text is told: what holds more is no example but a list of customers."""
_INSTEAD = {
    "a mail address": "name@example.com",
    "a phone number": "555-0100",
    "a payment card number": "4111 1111 1111 1111, which is for tests",
    "an IBAN": "one with other check digits",
    "a US social security number": "000-00-0000",
    "an identity number": "000000000",
    "a postal address": "1 Example Street",
    "a name with a date of birth": "Jane Doe, who has none",
    "a public IP address": "192.0.2.1",
    "a key or token": "sk-example",
    "a password or token": "example-password",
}


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each piece of personal data in an example, without saying it."""
    for criterion in subject.criteria:
        for level, anchor in criterion.examples:
            for name, text in fields_of(anchor):
                for kind, start, end in personal_data(text.value)[:_ENOUGH]:
                    yield subject.at(
                        spot(subject, text, start, end),
                        f"the {name} of an example of {level.called} holds {kind}",
                        help=f"make one up: {_INSTEAD[kind]}",
                    )
