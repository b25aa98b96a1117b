"""Drafting a rubric with a model: written, linted, tried, mended, and checked once.

A draft is a beginning and certified by nothing: what it is worth is measured against people, by
``calibrate``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from judgekit.api.material import ReadOptions
from judgekit.api.rubric_draft_authors import Author, Complaint, author_of
from judgekit.api.rubric_draft_calls import Desk, Spending
from judgekit.api.rubric_draft_material import Material, find_example, gather
from judgekit.api.rubric_draft_next import Files, few_tests, next_commands
from judgekit.api.rubric_draft_place import drafter, place_of, write_rubric
from judgekit.api.setup import JudgeSetup
from judgekit.calibration.leaks import leaked_anchors
from judgekit.errors import InputError, JudgingError
from judgekit.importers.rubrics import template_loader
from judgekit.judging.authoring.draft import CRITERION_NAME, Draft, Frame, NoDraft, slug
from judgekit.judging.authoring.writing import Written, write_draft
from judgekit.linting.violations import Violation, check
from judgekit.reports.rubric_draft_story import Checked, DraftResult, Linted, Step, Tried, Wrote
from judgekit.rubric.model import Rubric
from judgekit.rubric.parse import parse
from judgekit.running.bridge import run_blocking
from judgekit.storage.disk import is_stream
from judgekit.storage.project import Project, open_project

MENDS = 3
"""How often a draft is mended."""

_ENDED = {"refused", "filtered", "empty", "truncated", "provider_error"}
"""Why a model that is asked again the same would say no more."""

Told = Callable[[Step], None]


@dataclass(frozen=True, slots=True)
class DraftOptions:
    """What may be said of a drafting besides what is to be measured.

    Attributes:
        items: Items to try the draft on; up to five of them.
        labels: Labels, whose levels become the scale; the drafter sees items of train only.
        example: The rubric to start from: a file, or a name of the project or the gallery.
        model: The model that drafts; the one that the project's judges name by default.
        out: The file to write; ``rubrics/NAME.jinja`` by default.
        reading: How the files are to be read.
        spending: How the calls are made.
        overrides: Keys of a judge's table in ``judgekit.toml``, such as ``api_base``.
    """

    items: str | Path | None = None
    labels: str | Path | None = None
    example: str | None = None
    model: str | None = None
    out: str | Path | None = None
    reading: ReadOptions = field(default_factory=ReadOptions)
    spending: Spending = field(default_factory=Spending)
    overrides: dict[str, Any] = field(default_factory=dict)


def draft_rubric(
    wish: str,
    options: DraftOptions | None = None,
    *,
    project: Project | str | Path = ".",
    told: Told | None = None,
) -> DraftResult:
    """Draft a rubric and write it into a file of its own.

    Args:
        wish: What is to be measured, in plain words.
        options: All else that is known of it.
        project: The project, or a folder in it.
        told: Called after each step.

    Raises:
        InputError: a file cannot be used, or the output is there already; nothing was asked.
        ModelCallError: a call failed, or the budget ran out. Nothing was written; what was
            answered is in the cache, and the next run goes on from there.
        JudgingError: the model wrote no rubric.
    """
    options = options or DraftOptions()
    here = project if isinstance(project, Project) else open_project(project)
    if not wish.strip():
        raise InputError(
            "nothing to measure is named", hint='say it: --from "what I want measured"'
        )
    place_of(here, options.out, "", reads=(options.items, options.labels))
    example = None if options.example is None else find_example(options.example, here)
    stem = "" if options.out is None else _stem(Path(options.out))
    material = gather(
        Frame(wish=wish.strip(), name=stem),
        items=options.items,
        labels=options.labels,
        example=example,
        options=options.reading,
    )
    setup = drafter(here, options.model, options.overrides)
    desk = Desk(setup, options.spending)
    run = _Run(material, desk, lambda name: place_of(here, options.out, name), told)
    kept = run_blocking(run.run)
    return _written(run, kept, setup, options)


def _stem(path: Path) -> str:
    """Return the name a rubric gets from its file; "" where it goes to no file."""
    stem = "" if is_stream(path) else path.name.split(".")[0]
    return stem if CRITERION_NAME.fullmatch(stem) else slug(stem)


class _Version(NamedTuple):
    """A draft that was looked at."""

    round: int
    draft: Draft
    written: Written
    file: str
    rubric: Rubric | None
    violations: tuple[Violation, ...]
    tried: Tried | None

    @property
    def complaints(self) -> list[Complaint]:
        """What is wrong with it, for its author."""
        found = [
            Complaint(
                f"line {v.line}: {v.message}" + (f" ({v.help})" if v.help else ""),
                self.written.field(v.line),
            )
            for v in self.violations
        ]
        if self.tried is not None:
            if self.tried.why is not None:
                found.append(Complaint(f"it cannot be tried: {self.tried.why}"))
            found += [
                Complaint(f"item {row['item_id']!r} got no level from the judge: {row['cause']}")
                for row in self.tried.unjudged
            ]
        return found

    @property
    def badness(self) -> tuple[bool, int]:
        """How far it is from being without complaint; less is better."""
        return self.rubric is None, len(self.complaints)


class _Run:
    """One drafting, from the first question to the last."""

    def __init__(
        self,
        material: Material,
        desk: Desk,
        place: Callable[[str], str],
        told: Told | None,
    ) -> None:
        self.material, self._desk, self._place, self._told = material, desk, place, told
        self.steps: list[Step] = []

    async def run(self) -> _Version:
        """Return the draft that is kept, once it has been checked."""
        author = author_of(self._desk, self.material.frame)
        try:
            kept = await self._best(author)
            check_found, calls = await author.check(kept.written.text)
            self._tell(Checked(calls, check_found))
            return kept
        finally:
            await self._desk.close()

    async def _best(self, author: Author) -> _Version:
        """Draft and mend; return the version with the fewest complaints, the latest of equals."""
        versions: list[_Version] = []
        complaints: list[Complaint] = []
        failure: NoDraft | None = None
        for turn in range(MENDS + 1):
            if turn:
                text = versions[-1].written.text if versions else ""
                draft, calls = await author.mend(text, complaints)
            else:
                draft, calls = await author.draft()
            same = any(draft == version.draft for version in versions)
            self._tell(Wrote(turn, calls, draft, same=same))
            if same:
                break
            if isinstance(draft, NoDraft):
                failure = draft
                if versions or draft.cause in _ENDED:
                    break
                complaints = [Complaint(f"the reply was no rubric: {draft.why}")]
                continue
            versions.append(await self._look(turn, draft))
            complaints = versions[-1].complaints
            if not complaints:
                break
        if not versions:
            why = failure.why if failure else "it said nothing"
            raise _no_rubric(why, cause=failure.cause if failure else "empty")
        best = versions[0]
        for version in versions[1:]:
            if version.badness <= best.badness:
                best = version
        return best

    async def _look(self, turn: int, draft: Draft) -> _Version:
        """Lint a draft and try it on some items, where it can be judged with."""
        source, file = self.material.source, self._place(draft.name)
        written = write_draft(draft, notes=_notes(source.cases))
        load = template_loader(Path(file).parent)
        rubric, _ = parse(written.text, load=load)
        violations = tuple(check(written.text, file=file, load=load))
        self._tell(Linted(turn, violations, usable=rubric is not None))
        tried = None
        if rubric is not None and self.material.trial:
            rows, calls, why = await self._desk.try_on(rubric, file, self.material.trial)
            tried = Tried(turn, calls, rows, why)
            self._tell(tried)
        return _Version(turn, draft, written, file, rubric, violations, tried)

    def _tell(self, step: Step) -> None:
        self.steps.append(step)
        if self._told is not None:
            self._told(step)


def _notes(cases: Sequence[str]) -> list[str]:
    """Return the comments of a rubric file that was drafted."""
    notes = ["Drafted by a model. Measured against nobody, so certified by nothing."]
    if cases:
        notes.append(f"Labelled cases it was drafted from (train): {', '.join(map(repr, cases))}")
    return notes


def _no_rubric(why: str, cause: str) -> JudgingError:
    again = "ask anew with --refresh"
    if cause in ("empty", "truncated", "provider_error"):
        again = "run it again"
    return JudgingError(
        f"the model wrote no rubric: {why}. Nothing was written",
        hint=f"{again}, or name another model: --model MODEL",
    )


def _untried(material: Material) -> str:
    """Return why no draft was tried on anything."""
    return material.untried or "no draft can be judged with as it is"


def _written(run: _Run, kept: _Version, setup: JudgeSetup, options: DraftOptions) -> DraftResult:
    """Write the draft that is kept, and tell what came of it all."""
    text = kept.written.text
    write_rubric(kept.file, text)
    material = run.material
    taken: dict[str, str] = {}
    if kept.rubric is not None:
        criterion = kept.rubric.criteria[0]
        taken = leaked_anchors(criterion, material.labelled, kept.rubric.inputs)
    tried = kept.tried
    usable, source = kept.rubric is not None, material.source
    few = None if options.labels is None else few_tests(material, setup)
    if few is not None:
        source = replace(source, notes=(*source.notes, f"{few}: label more before calibrate"))
    named = Files(options.items, options.labels, options.reading)
    next_ = next_commands(
        setup, kept.file, named, material, clean=not kept.violations, usable=usable
    )
    return DraftResult(
        file=kept.file,
        text=text,
        name=kept.draft.name,
        model=setup.judge.model,
        steps=tuple(run.steps),
        round=kept.round,
        violations=kept.violations,
        usable=usable,
        unjudged=None if tried is None or tried.why is not None else len(tried.unjudged),
        untried=None if any(isinstance(s, Tried) for s in run.steps) else _untried(material),
        check=next((s.check for s in run.steps if isinstance(s, Checked)), None),
        source=source,
        taken=taken,
        outside=tuple(sorted(item for item in taken if item not in material.train)),
        next=next_,
    )
