"""Improving a rubric: edits learnt from disagreements on train, chosen and measured on dev.

Items of the test take no part. Nothing is certified: the new version is a file to read, to accept
or not, and to calibrate.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path
from typing import Any, NamedTuple

from judgekit.api.material import ReadOptions
from judgekit.api.rubric_draft_calls import Spending
from judgekit.api.rubric_draft_place import (
    check_folder,
    drafter,
    free_path,
    place_of,
    write_rubric,
)
from judgekit.api.rubric_improve_calls import Bench, Purse, Reflector
from judgekit.api.rubric_improve_material import Ground, Grounds, gather
from judgekit.api.rubric_improve_next import Found, Named, ahead, next_commands, notes
from judgekit.api.rubric_improve_search import Candidate, Said, Search, library
from judgekit.api.runtime import Report
from judgekit.api.setup import JudgeSetup
from judgekit.calibration.evidence import EstimateRecord
from judgekit.calibration.measure import kappa_of
from judgekit.calibration.pairs import agreement_weights, for_the_gate
from judgekit.calibration.rows import ScaleSpec, tally
from judgekit.errors import InputError, ModelCallError
from judgekit.importers.rubrics import template_loader
from judgekit.importers.text import load_text
from judgekit.judging.improving.edits import Refused
from judgekit.judging.improving.rewriting import written
from judgekit.judging.judgment import Unjudged
from judgekit.linting.violations import Violation, check
from judgekit.reports.rubric_improve_story import ImproveResult, Outcome
from judgekit.reports.words import count as counted
from judgekit.rubric.parse import parse_rubric
from judgekit.stats.kappa_difference import kappa_difference

ROUNDS = 5
"""Rounds unless others are asked for."""

_MOST_LOST = 0.05
"""Share of items without an answer from which nothing can be measured."""
_RISK = 0.05
"""How often an interval may miss, all candidates together."""
_VERSIONED = re.compile(r"-v\d+$")


@dataclass(frozen=True, slots=True)
class ImproveOptions:
    """What may be said of an improvement besides the judge and the labels.

    Attributes:
        items: The items' text, where the labels do not carry it.
        rounds: How many proposals are asked for; with more, a second run goes on from the first.
        reflector: The model that proposes edits; the judge's own by default.
        out: The file to write; a new one beside the rubric by default.
        reading: How the files are to be read.
        max_cost_usd: Most that all calls together may cost, by an estimate before each.
        offline: Make no call: a reply that is not in the cache is an error.
        refresh: Ask everything anew, past the cache.
        progress: Called after each batch of the judge's answers.
    """

    items: str | Path | None = None
    rounds: int = ROUNDS
    reflector: str | None = None
    out: str | Path | None = None
    reading: ReadOptions = field(default_factory=ReadOptions)
    max_cost_usd: float | None = None
    offline: bool = False
    refresh: bool = False
    progress: Report | None = None


def improve_rubric(
    setup: JudgeSetup, labels: str | Path, options: ImproveOptions | None = None
) -> ImproveResult:
    """Improve the rubric of a judge, and write the new version into a file of its own.

    Of labelled items only those of train are shown to the reflector, and only those of train and
    dev to the judge.

    Args:
        setup: The judge; it must be one that can be asked.
        labels: The label file.
        options: All else that is said of it.

    Raises:
        MissingExtra: GEPA is not installed.
        InputError: a file cannot be used, or the output is there already; nothing was asked.
        ModelCallError: a call failed, or the budget ran out. Nothing was written; what was
            answered is in the cache, and the next run goes on from there.
    """
    options = options or ImproveOptions()
    library()
    text = load_text(setup.rubric_file)
    load = template_loader(Path(setup.rubric_file).parent)
    if options.out is None:
        check_folder(Path(setup.rubric_file))
    else:
        reads = (labels, options.items, setup.rubric_file)
        place_of(setup.project, options.out, "", reads=reads)
        parse_rubric(text, load=template_loader(Path(options.out).parent), file=str(options.out))
    grounds = gather(setup.judge.rubric, labels, options.items, options.reading)
    reflects = _reflector(setup, options.reflector)
    spending = Spending(options.max_cost_usd, options.offline, options.refresh)
    purse = Purse(spending, judges=(setup, reflects))
    bench, reflector = Bench(setup, purse, options.progress), Reflector(reflects, purse)
    seed = Candidate(text, setup.judge.rubric)
    grounds, said = _baseline(bench, seed, grounds)
    search = Search(seed, said, grounds, bench, reflector, load)
    wrong = len(search.wrong())
    found = search.run(options.rounds) if wrong else []
    best = _best(search, grounds, found)
    return _written(_Done(setup, labels, options, grounds, search, bench, reflector, wrong), best)


def _reflector(setup: JudgeSetup, model: str | None) -> JudgeSetup:
    """Return a setup that asks one model for edits; of the judge's provider, at its place."""
    entry, first = setup.entry, setup.judge.members[0]
    asked = model or first.model
    if asked == first.model and not setup.judge.panel:
        return setup
    price = next((m.price or entry.price for m in entry.panel if m.model == asked), None)
    kept: dict[str, Any] = {
        "transport": entry.transport,
        "timeout": entry.timeout,
        "run_timeout": entry.run_timeout,
        "output": entry.output,
        "price": None if price is None else price.model_dump(),
    }
    if asked.partition("/")[0] == first.model.partition("/")[0]:
        kept["api_base"] = first.api_base
        kept["api_key_env"] = first.api_key_env or entry.api_key_env
    return drafter(setup.project, asked, {k: v for k, v in kept.items() if v is not None})


def _baseline(bench: Bench, seed: Candidate, grounds: Grounds) -> tuple[Grounds, Said]:
    """Return what the judge says by the rubric as it is; what was not answered is set aside."""
    criterion = seed.rubric.criterion(grounds.criterion)
    items = [*grounds.train.items, *grounds.dev.items]
    if why := bench.why_not(seed.rubric, criterion, items):
        raise InputError(why)
    said = bench.judge(seed.rubric, criterion, items)
    lost = {
        item: one
        for item, one in said.items()
        if isinstance(one, Unjudged) and one.cause == "provider_error"
    }
    if len(lost) > _MOST_LOST * len(items):
        first, one = next(iter(lost.items()))
        raise ModelCallError(
            f"{counted(len(lost), 'item')} of {len(items):,} got no answer from the judge; "
            f"{first!r}: {one.detail}",
            cause="server",
            transient=True,
            hint="run it again: what was answered is kept",
        )
    why_not = dict.fromkeys(lost, "provider_error")
    notes = grounds.notes
    if lost:
        notes = (*notes, f"{counted(len(lost), 'item')} got no answer and took no part")
    train, dev = (ground.without(why_not) for ground in (grounds.train, grounds.dev))
    return Grounds(grounds.criterion, train, dev, grounds.splits, notes), said


class _Best(NamedTuple):
    """The best candidate on dev, if any is better; and what was measured of each."""

    candidate: Candidate | None
    before: EstimateRecord
    after: EstimateRecord | None
    difference: EstimateRecord | None
    measured: dict[int, EstimateRecord]
    outcome: Outcome


def _best(search: Search, grounds: Grounds, found: Sequence[Candidate]) -> _Best:
    dev = [item.id for item in grounds.dev.items]
    spec = ScaleSpec.of(search.seed.rubric.criterion(grounds.criterion))

    def pairs_of(candidate: Candidate) -> Any:
        criterion = candidate.rubric.criterion(grounds.criterion)
        rows = grounds.dev.rows(candidate.rubric, criterion, search.said(candidate, dev))
        return for_the_gate(rows, spec)

    old = pairs_of(search.seed)
    before = kappa_of("gate_agreement", old, spec)
    measured = {one.round: kappa_of("gate_agreement", pairs_of(one), spec) for one in found}
    best, high = None, before.value
    for one in found:
        value = measured[one.round].value
        if high is not None and value is not None and value > high:
            best, high = one, value
    if best is None:
        return _Best(None, before, None, None, measured, "nothing_better")
    new = pairs_of(best)
    # The best of several is the luckiest of several: each of them may claim its share of 5%.
    confidence = 1 - _RISK / len(measured)
    weights = agreement_weights(spec, extra=new.extra)
    told = kappa_difference(new, old.judge, weights, confidence=confidence)
    difference = EstimateRecord.of("agreement_difference", told)
    shown = difference.low is not None and difference.low > 0
    outcome: Outcome = "improved" if shown else "not_shown"
    return _Best(best, before, measured[best.round], difference, measured, outcome)


class _Done(NamedTuple):
    """All that a result is told from."""

    setup: JudgeSetup
    labels: str | Path
    options: ImproveOptions
    grounds: Grounds
    search: Search
    bench: Bench
    reflector: Reflector
    wrong: int


def _written(done: _Done, best: _Best) -> ImproveResult:
    """Write the new version, if there is one, and tell what came of it all."""
    setup, grounds, seed = done.setup, done.grounds, done.search.seed
    file, text = None, ""
    violations: tuple[Violation, ...] = ()
    if best.candidate is not None:
        file, text = _new_version(done, best.candidate)
        violations = _new_violations(seed.text, text, file)
        write_rubric(file, text)
    old, new = seed.text.splitlines(), text.splitlines()
    diff = unified_diff(old, new, setup.rubric_file, file or "", lineterm="") if file else ()
    said = done.search.said(seed, [item.id for item in grounds.dev.items])
    criterion = seed.rubric.criterion(grounds.criterion)
    found = Found(best.outcome, file, done.wrong, len(best.measured), best.before, best.after)
    kappa = (best.after or best.before).value
    test = ahead(grounds, criterion, setup.project.policy, kappa)
    return ImproveResult(
        judge=setup.judge.name,
        model=setup.judge.model,
        reflector=done.reflector.setup.judge.members[0].model,
        criterion=grounds.criterion,
        rubric_file=setup.rubric_file,
        file=file,
        version=(seed.rubric.version, seed.rubric.version + 1),
        text=text,
        diff=tuple(diff),
        outcome=best.outcome,
        before=best.before,
        after=best.after,
        difference=best.difference,
        kept=None if best.candidate is None else best.candidate.round,
        candidates=len(best.measured),
        rounds=tuple(
            replace(one, agreement=best.measured.get(one.number)) for one in done.search.rounds
        ),
        train=(len(grounds.train.items), done.wrong),
        dev=tally(grounds.dev.rows(seed.rubric, criterion, said)),
        splits=grounds.splits,
        taken=_taken(grounds.train, best.candidate, grounds.criterion),
        violations=violations,
        asked_judge=done.bench.calls,
        asked_reflector=done.reflector.calls,
        notes=(*grounds.notes, *notes(grounds, found, test)),
        next=next_commands(_named(done), found, len(grounds.dev.items), test),
    )


def _new_version(done: _Done, candidate: Candidate) -> tuple[str, str]:
    """Return the file of the new version and its text."""
    setup, out = done.setup, done.options.out
    version = done.search.seed.rubric.version + 1
    load = template_loader(Path(setup.rubric_file).parent)
    after = replace(candidate.rubric, version=version)
    text = written(candidate.text, candidate.rubric, after, load)
    if isinstance(text, Refused):
        raise InputError(f"the version cannot be written: {text.why}", file=setup.rubric_file)
    if out is not None:
        return str(out), text
    path = Path(setup.rubric_file)
    stem = f"{_VERSIONED.sub('', path.stem)}-v{version}"
    return str(free_path(path.with_name(f"{stem}{path.suffix}"))), text


def _new_violations(old: str, new: str, file: str) -> tuple[Violation, ...]:
    load = template_loader(Path(file).parent)
    known = {(v.code, v.message) for v in check(old, file=file, load=load)}
    found = check(new, file=file, load=load)
    return tuple(v for v in found if (v.code, v.message) not in known)


def _taken(train: Ground, candidate: Candidate | None, criterion: str) -> dict[str, str]:
    if candidate is None:
        return {}
    examples = train.examples(candidate.rubric.criterion(criterion))
    return {item: one.level for item, one in examples.items() if item in candidate.taken}


def _named(done: _Done) -> Named:
    options = done.options
    return Named(
        done.setup,
        done.grounds.criterion,
        done.labels,
        options.items,
        options.reading,
        options.rounds,
        options.reflector,
        options.max_cost_usd,
    )
