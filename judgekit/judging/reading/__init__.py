"""Read a model's raw reply: a level of the scale, or a cause why there is none.

The promises:

* A level is read only where the reply gives one, as a whole token that is a value, a name or a
  conventional form of one of the scale ("passed", a letter, "not valid" where two levels are valid
  and invalid). There is no default, no clamping and no "first number".
* Only the reply's answer is looked at: never the prompt, never the model's reasoning.
* Two different answers are ``contradictory``, an answer that is no level is ``out_of_scale``, and
  an earlier answer is never used because a later one failed.
* Whatever leaves a doubt is unjudged. Reading is pure: the same reply reads the same for good
  under one ``READER_VERSION``.

The order of evidence: the schema's JSON object, which is read without any of the rest; JSON inside
fences or prose, slightly broken JSON included; then a reply that is only the level; answers inside
marks; labelled answers; sentences.
"""

from __future__ import annotations

from judgekit.judging.reading.outcome import Reading
from judgekit.judging.reading.reader import read, read_text

__all__ = ["READER_VERSION", "Reading", "read", "read_text"]

READER_VERSION = 2
"""Part of every judge's fingerprint; raised when any reply could read differently than before."""
