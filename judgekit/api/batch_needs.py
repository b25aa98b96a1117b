"""What a calibration asks, for batches to bring it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from judgekit.api.material import ReadOptions, read_material
from judgekit.api.setup import JudgeSetup
from judgekit.api.stream import Only
from judgekit.errors import InputError
from judgekit.judging.item import Item
from judgekit.rubric.model import Criterion


class Needed(NamedTuple):
    """What has to be asked, as `submit_batches` takes it."""

    items: Sequence[Item]
    criteria: Sequence[Criterion]
    only: Only


def needed_by_calibration(
    setup: JudgeSetup,
    labels: str | Path,
    *,
    items: str | Path | None = None,
    options: ReadOptions | None = None,
) -> Needed:
    """Return what a calibration on a label file asks.

    Args:
        setup: The judge.
        labels: The label file.
        items: The items' text, where the labels do not carry it.
        options: How the files are to be read.

    Raises:
        InputError: a file cannot be used, or a criterion has no label.
    """
    from judgekit.api.evidence import part_of  # brings the statistics along

    options, rubric = options or ReadOptions(), setup.judge.rubric
    material = read_material(rubric, labels, options, items=items)
    criteria = [c for c in rubric.criteria if material.labels.of(c.name).labels]
    unlabelled = [c.name for c in rubric.criteria if c not in criteria]
    if unlabelled and (options.criterion is None or not criteria):
        raise InputError(f"no labels for criterion {unlabelled[0]!r}", file=material.labels.file)
    plans = {c.name: part_of(material, c, options, rubric.inputs) for c in criteria}

    def needed(criterion: Criterion, item: Item) -> bool:
        plan = plans[criterion.name]
        return item.id in plan.reference.levels and item.id not in plan.set_aside

    return Needed(material.items, criteria, needed)
