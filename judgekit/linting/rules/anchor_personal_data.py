"""A worked example holds personal data.

## What it does

Looks in anchors and their reasons for mail addresses, phone numbers, payment cards and IBANs whose
check digits are right, and US social security numbers. Addresses at `example.com`, `example.org`,
`example.net`, `.test` and `.invalid`, addresses of an office such as `support@`, numbers set aside
for fiction, dates, versions, order numbers and ISBNs are left alone. The datum itself is not
repeated in the message.

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

from judgekit.linting.examples import examples_of, fields_of
from judgekit.linting.personal import may_hold_personal_data, personal_data
from judgekit.linting.places import spot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.linting.finding import Finding
    from judgekit.linting.subject import Subject

_INSTEAD = {
    "a mail address": "name@example.com",
    "a phone number": "555-0100",
    "a payment card number": "4111 1111 1111 1111, which is for tests",
    "an IBAN": "one with other check digits",
    "a US social security number": "000-00-0000",
}


def check(subject: Subject) -> Iterator[Finding]:
    """Yield each piece of personal data in an example, without saying it."""
    if not may_hold_personal_data(subject.front):
        return
    for criterion in subject.criteria:
        for level, anchor in examples_of(criterion):
            for name, text in fields_of(anchor):
                for kind, start, end in personal_data(text.value):
                    yield subject.at(
                        spot(subject, text, start, end),
                        f"the {name} of an example of {level.called} holds {kind}",
                        help=f"make one up: {_INSTEAD[kind]}",
                    )
