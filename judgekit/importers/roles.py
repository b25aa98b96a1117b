"""The parts a column can play, and the names people give it."""

from __future__ import annotations

from typing import NamedTuple


class Role(NamedTuple):
    """A part that a column can play.

    Attributes:
        key: The role's name in code.
        names: The exact names, the one that messages use first.
        others: Other names that people use for it.
        needed: True when the file is useless without it.
        option: True when ``--KEY-column`` exists.
    """

    key: str
    names: tuple[str, ...]
    others: tuple[str, ...] = ()
    needed: bool = False
    option: bool = False


ITEM = Role(
    "item", ("item_id",), ("id", "item", "example_id", "sample_id"), needed=True, option=True
)
RATER = Role(
    "rater",
    ("rater",),
    (
        *("annotator", "labeler", "labeller", "grader", "worker", "user"),
        *("rater_id", "annotator_id", "labeler_id", "grader_id", "worker_id", "user_id"),
    ),
    option=True,
)
LEVEL = Role(
    "level",
    ("level",),
    ("label", "score", "rating", "grade", "verdict", "answer"),
    needed=True,
    option=True,
)
CRITERION = Role(
    "criterion", ("criterion",), ("dimension", "aspect", "metric", "criterion_id"), option=True
)
CASE = Role("case", ("case",), ("case_id", "group", "session"), option=True)
SOURCE = Role("source", ("source",))
SPLIT = Role("split", ("split",))
WEIGHT = Role("weight", ("weight",))
STRATUM = Role("stratum", ("stratum",))
NOTE = Role("note", ("note",), ("comment",))
LABEL_ROLES = (ITEM, RATER, LEVEL, CRITERION, CASE, SOURCE, SPLIT, WEIGHT, STRATUM, NOTE)
ITEM_ROLES = (
    ITEM._replace(names=("id", "item_id"), others=("item", "example_id", "sample_id")),
    CASE,
)
JUDGMENT_ROLES = (
    ITEM,
    LEVEL._replace(needed=False),
    Role("raw", ("raw",), ("raw_reply", "raw_output", "reply", "completion", "response")),
    CRITERION,
    Role("judge", ("judge",), ("judge_id", "judge_name", "evaluator")),
    Role("model", ("model",), ("model_name", "judge_model")),
    Role("replicate", ("replicate",), ("repeat", "trial", "epoch")),
    Role("order", ("order",)),
    Role("reason", ("reason",), ("explanation", "rationale", "reasoning", "justification")),
)
