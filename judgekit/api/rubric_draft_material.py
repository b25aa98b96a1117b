"""What a rubric is drafted from: items to try it on, labelled cases of train, an example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judgekit.api.material import ReadOptions
from judgekit.errors import InputError, UnknownName
from judgekit.importers.columns import share_options
from judgekit.importers.gallery import gallery
from judgekit.importers.items import FIELDS, read_item_set
from judgekit.importers.labelsheet import LabelSheet, read_label_sheet
from judgekit.importers.rubrics import template_loader
from judgekit.importers.table import read_table
from judgekit.importers.text import load_text
from judgekit.judging.authoring.draft import CRITERION_NAME, Frame, Labelled, number_of
from judgekit.judging.item import Item
from judgekit.labels.split import assign, part_of_case
from judgekit.reports.rubric_draft_story import Source
from judgekit.rubric.levels import NA_WORDS
from judgekit.rubric.parse import parse_rubric
from judgekit.rubric.scale import Kind, fold, spelling
from judgekit.storage.project import Project

TRIAL, SHOWN = 5, 12
"""Most items a draft is tried on, and most labelled items the drafter is shown."""

_MOST_LEVELS = 12
_MOST_TEXT = 40_000
"""Characters of labelled items that the drafter is shown, at most."""

_TRAIN, _TEST = "train", "test"
_SIDES = {"output_a", "output_b"}
_YES, _NO = ("true", "yes"), ("false", "no")


@dataclass(frozen=True, slots=True)
class Material:
    """What a rubric is drafted from.

    Attributes:
        frame: What is settled before the model is asked.
        trial: The items a draft is tried on.
        source: What the draft rests on, for the report.
        labelled: Every labelled item with its text, of whatever part.
        train: The labelled items of train.
        test: The cases of the labelled items of the test whose text is here, one entry an item.
        untried: Why there is nothing to try a draft on; None when there is.
    """

    frame: Frame
    trial: tuple[Item, ...]
    source: Source
    labelled: tuple[Item, ...] = ()
    train: frozenset[str] = frozenset()
    test: tuple[str, ...] = ()
    untried: str | None = None


def gather(
    frame: Frame,
    *,
    items: str | Path | None,
    labels: str | Path | None,
    example: tuple[str, str] | None,
    options: ReadOptions,
) -> Material:
    """Return what a rubric is drafted from.

    Of labelled items only those of train are ever shown to a model: where the file has a split
    column, its train; else the cases that are train by their hash and in the split that
    ``judgekit split`` would write.

    Args:
        frame: What the author asked for.
        items: A file of items, or None.
        labels: A file of labels, with or without the items' text, or None.
        example: The name and the text of a rubric to start from, or None.
        options: How the files are to be read.

    Raises:
        InputError: a file cannot be used.
    """
    if example is not None:
        frame = replace(frame, example=example[1], example_levels=_levels_of_example(*example))
    name = None if example is None else example[0]
    files = [read_table(path) for path in (items, labels) if path is not None]
    columns = share_options(options.columns, files)
    texts: dict[str, Item] = {}
    notes: list[str] = []
    for table, column in zip(files[::-1], columns[::-1], strict=True):  # an item file wins
        found = read_item_set(table, columns=column)
        texts.update((item.id, item) for item in found.items)
        notes += found.notes
    if labels is None:
        found_items = [item for item in texts.values() if _shown(item)]
        frame = _paired(replace(frame, inputs=_inputs_of(found_items)))
        source = Source(example=name, notes=tuple(notes))
        return Material(frame, _spread(found_items), source, untried=_untried(found_items, items))
    cases = {item.id: item.case for item in texts.values()} if items is not None else {}
    raters = options.rater_columns
    sheet = read_label_sheet(files[-1], columns[-1], rater_columns=raters, cases=cases)
    return _labelled(frame, sheet, texts, options, Source(example=name, notes=tuple(notes)))


def _labelled(
    frame: Frame,
    sheet: LabelSheet,
    texts: Mapping[str, Item],
    options: ReadOptions,
    source: Source,
) -> Material:
    criterion, given = _given(sheet, options)
    levels = _levels(given, sheet.table.path)
    train, test, split = _parts(sheet)
    known = [texts[name] for name in given if name in texts and _shown(texts[name])]
    of_train = [item for item in known if item.id in train]
    free = [i for i in texts.values() if _shown(i) and i.id not in sheet.case_of]
    inputs = _inputs_of([*of_train, *free] or known)
    frame = replace(frame, inputs=inputs, levels=levels, kinds=_kinds(levels))
    frame = replace(frame, not_applicable=_has_na(given), name=criterion or frame.name)
    told = _chosen(of_train, given, levels, frame.inputs)
    shown = {one.item for one in told}
    rest = [i for i in of_train if i.id not in shown]
    trial = _spread(free or rest or of_train)
    notes = list(source.notes)
    if not told:
        notes.append(
            "no labelled case of train has its text here: the drafter saw no labelled item"
        )
    case_of = sheet.case_of
    cases = sorted({case_of[item] for item in shown | {i.id for i in trial if i.id in case_of}})
    source = replace(
        source,
        levels=levels,
        shown=tuple(one.item for one in told),
        cases=tuple(cases),
        split=split,
        notes=tuple(notes),
    )
    frame = _paired(replace(frame, labelled=told))
    return Material(
        frame,
        trial,
        source,
        labelled=tuple(known),
        train=frozenset(train),
        test=tuple(case_of[i.id] for i in known if i.id in test and any(given[i.id])),
        untried=None if trial else "no item without a label, and none of train, has its text here",
    )


def _untried(found: Sequence[Item], items: str | Path | None) -> str | None:
    """Return why there is nothing to try a draft on, if so."""
    if found:
        return None
    return "no items were given (--items FILE)" if items is None else "no item has an output"


def find_example(name: str, project: Project) -> tuple[str, str]:
    """Return the name and the text of a rubric to start from: of the project or of the gallery.

    Raises:
        UnknownName: there is none of that name.
    """
    if Path(name).is_file():
        return name, load_text(name)
    own = {path.stem: path for path in sorted((project.root / "rubrics").glob("*.jinja"))}
    known = {**{one.name: one.path for one in gallery()}, **own}
    if name not in known:
        raise UnknownName("rubric", name, known)
    return name, load_text(known[name])


def _levels_of_example(name: str, text: str) -> tuple[str, ...]:
    """Return the names of the levels of a rubric, best first."""
    rubric = parse_rubric(text, load=template_loader(Path(name).parent), file=name)
    scale = rubric.criteria[0].scale
    ordered = scale.kind in ("ordinal", "binary")
    return tuple(reversed(scale.names)) if ordered else scale.names


Given = dict[str, list[str]]
"""The levels that raters gave each item; "" stands for "not applicable"."""


def _given(sheet: LabelSheet, options: ReadOptions) -> tuple[str, Given]:
    """Return the criterion that is drafted ("" where nothing names it), and each item's levels."""
    criteria = {name for row in sheet.rows for name, _ in row.levels if name is not None}
    wanted = options.criterion
    if wanted is None and len(criteria) > 1:
        raise InputError(
            f"the labels are of {len(criteria)} criteria: {', '.join(sorted(criteria))}",
            hint="a rubric is drafted for one of them: --criterion NAME",
            file=sheet.table.path,
        )
    if wanted is not None and criteria and fold(wanted) not in map(fold, criteria):
        raise UnknownName("criterion", wanted, criteria, file=sheet.table.path)
    renames = {spelling(old): new for old, new in options.level_map.items()}
    given: Given = {}
    for row in sheet.rows:
        for name, written in row.levels:
            if row.item is None or (wanted and name and fold(name) != fold(wanted)):
                continue
            level = renames.get(spelling(written), written)
            given.setdefault(row.item, []).append("" if fold(level) in NA_WORDS else level)
    named = [name for name in criteria if wanted is None or fold(name) == fold(wanted)]
    return next((name for name in named if CRITERION_NAME.fullmatch(name)), ""), given


def _has_na(given: Given) -> bool:
    return any(not level for levels in given.values() for level in levels)


def _levels(given: Given, file: str) -> tuple[str, ...]:
    """Return the levels in the labels: numbers highest first, words as they first appear."""
    found: dict[str, str] = {}
    for level in (level for levels in given.values() for level in levels if level):
        found.setdefault(spelling(level), level)
    levels = list(found.values())
    if not 1 < len(levels) <= _MOST_LEVELS:
        some = ", ".join(levels[:5]) + (" ..." if len(levels) > 5 else "")
        raise InputError(
            f"the labels use {len(levels)} levels ({some}); a scale has 2 to {_MOST_LEVELS}",
            hint="put several into one while reading: --level-map FROM=TO",
            file=file,
        )
    numbers = {level: number for level in levels if (number := number_of(level)) is not None}
    if len(numbers) == len(levels):
        return tuple(sorted(levels, key=numbers.__getitem__, reverse=True))
    if len(levels) == 2 and fold(levels[0]) in _NO and fold(levels[1]) in _YES:
        levels.reverse()
    return tuple(levels)


def _kinds(levels: Sequence[str]) -> tuple[Kind, ...]:
    """Return the kinds of scale that these levels can be."""
    numbers = {number_of(level) for level in levels}
    if numbers == {0, 1} or {fold(level) for level in levels} <= {*_YES, *_NO}:
        return ("binary",)
    if None not in numbers:
        return ("ordinal",)
    return ("binary", "nominal") if len(levels) == 2 else ("ordinal", "nominal")


def _paired(frame: Frame) -> Frame:
    """Return the frame with the one kind of scale that items with two outputs have."""
    return replace(frame, kinds=("pairwise",)) if set(frame.inputs) >= _SIDES else frame


def _parts(sheet: LabelSheet) -> tuple[set[str], set[str], str]:
    """Return the items of train and of the test, and how they were told."""
    known, case_of = sheet.known(), sheet.case_of
    if known:
        train, test = (
            {item for item, case in case_of.items() if known.get(case) == part}
            for part in (_TRAIN, _TEST)
        )
        return train, test, "column"
    dealt = assign(sheet.levels_of_cases(), balanced=True)
    both = {c for c, part in dealt.items() if part == _TRAIN == part_of_case(c)}
    train = {item for item, case in case_of.items() if case in both}
    return train, {item for item, case in case_of.items() if dealt.get(case) == _TEST}, "hash"


def _chosen(
    items: Sequence[Item], given: Given, levels: Sequence[str], inputs: Sequence[str]
) -> tuple[Labelled, ...]:
    """Return up to a dozen items on whose level all raters agree, the levels taken in turn."""
    groups: dict[str, list[Labelled]] = {spelling(level): [] for level in levels}
    names = {spelling(level): level for level in levels}
    for item in items:
        said = {spelling(level) for level in given[item.id]}
        if len(said) == 1 and (level := said.pop()) in groups:
            fields = {name: item.fields[name] for name in inputs if name in item.fields}
            groups[level].append(Labelled(item.id, names[level], fields))
    most = max(map(len, groups.values()), default=0)
    chosen: list[Labelled] = []
    room = _MOST_TEXT
    for one in (g[turn] for turn in range(most) for g in groups.values() if turn < len(g)):
        room -= (size := len(str(one.fields)))
        if room < 0:
            room += size
        elif len(chosen) < SHOWN:
            chosen.append(one)
    return tuple(chosen)


def _shown(item: Item) -> bool:
    """Whether an item has anything that could be judged."""
    return "output" in item.fields or item.fields.keys() >= _SIDES


def _inputs_of(items: Sequence[Item]) -> tuple[str, ...]:
    """Return the inputs that all items hold."""
    if not items:
        return ()
    pair = all(item.fields.keys() >= _SIDES for item in items)
    left_out = {"output"} if pair else _SIDES
    return tuple(n for n in FIELDS if n not in left_out and all(i.fields.get(n) for i in items))


def _spread(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return up to five items from all over a file, in its order."""
    wanted = min(TRIAL, len(items))
    return tuple(items[i * len(items) // wanted] for i in range(wanted))
