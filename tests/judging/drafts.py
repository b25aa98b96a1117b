"""Drafts as a model would send them."""

from __future__ import annotations

import json
from typing import Any

from judgekit.judging.request import ModelReply


def anchor(output: str, **more: str) -> dict[str, str]:
    """One worked example."""
    begins = " ".join(output.split()[:3])
    reason = f"What decides are the words {begins!r}."
    return {"input": "Where is it?", "output": output, "reason": reason, **more}


def level(name: str, definition: str, *outputs: str, **more: Any) -> dict[str, Any]:
    """One level of the reply's form."""
    return {
        "name": name,
        "definition": definition,
        "drops_when": "It does not name what went wrong.",
        "passes": name != "rude",
        "anchors": [anchor(output) for output in outputs],
        **more,
    }


def tone(**more: Any) -> dict[str, Any]:
    """A whole draft without a flaw."""
    return {
        "name": "support tone",
        "task": "You read replies of a support desk.",
        "question": "How does the reply treat the customer?",
        "scale": "ordinal",
        "inputs": ["input", "output"],
        "highest": level(
            "warm",
            "The reply greets the customer and names what went wrong for them.",
            "Hello Ann, two weeks without your loom is long. It leaves here today.",
            "Good morning. That broken cup must have spoilt the gift, and a new one is on its way "
            "to you with the evening post; you need not send anything back to us.",
        ),
        "between": [
            level(
                "flat",
                "The reply states facts in form phrases and has no word about the customer.",
                "The parcel was handed over on Monday. Delivery takes three working days from that "
                "date on. A notice is sent once it has arrived at the branch you have chosen.",
                "Your request was filed under number nine.",
                drops_when="One sentence scolds the customer or makes fun of them.",
            )
        ],
        "lowest": level(
            "rude",
            "At least one sentence scolds or mocks the customer.",
            "Had you read the page, you would know.",
            "Some people manage to open a box. The form is on our site, where it has been for years"
            ", and the link stands below each of our letters.",
        ),
        "not_applicable": "The output holds no reply to a customer.",
        **more,
    }


def reply(said: Any, **more: Any) -> ModelReply:
    """A reply with a text, or with a document as its text."""
    return ModelReply(said if isinstance(said, str) else json.dumps(said), **more)
