"""How people write that a criterion does not apply, or that it cannot be judged."""

from __future__ import annotations

import re

_ENDS = r"(?=\s*(?:$|[.,;:!()–—-]|\b(?:because|since|as|if|when|where|to|for|here|da|weil|wenn)\b))"

ABSENT = re.compile(
    r"(?i)\s*(?:"
    r"n/a|n\.a\.|k\.\s?a\.|n\.v\.t\."
    r"|(?:(?:this|the) (?:criterion|question|dimension|aspect) )?(?:is |does )?"
    r"(?:not (?:applicable|apply|assessable|ratable|rateable|gradable|judgeable)|inapplicable)"
    r"|(?:this |the )?(?:criterion |question )?(?:cannot|can't|can not) be"
    r" (?:judged|rated|assessed|graded|scored)"
    r"|(?:i |we |you )?(?:cannot|can't|unable to) (?:judge|rate|assess|grade|score|tell)"
    r"|does(?:n't| not) apply|none of (?:these|the above)"
    r"|nicht (?:anwendbar|zutreffend|beurteilbar|bewertbar)|trifft nicht zu|entfällt|keine angabe"
    r"|no aplica(?:ble)?|sans objet|non applicable|non applicabile|não se aplica"
    rf"){_ENDS}"
)
"""A name or a definition that begins so stands for no level."""
