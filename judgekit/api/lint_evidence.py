"""What certificates and runs have shown of the rubrics that are checked; no call is made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from judgekit.api.again import judge_words
from judgekit.api.certificates import find_certificate
from judgekit.api.lint_run import run_source
from judgekit.api.lint_source import Source, evidence_of, remembered, said_of
from judgekit.calibration.certificate import Certificate
from judgekit.errors import CertificateError, InputError, UnknownName
from judgekit.fingerprint import canonical_json, fingerprint
from judgekit.importers.rubrics import template_loader
from judgekit.linting.evidence import Evidence
from judgekit.rubric.meaning import changed_parts, meaning_parts
from judgekit.rubric.model import Criterion, Rubric
from judgekit.rubric.parse import parse
from judgekit.storage.certificates import CertificateStore
from judgekit.storage.project import Project, open_project
from judgekit.storage.runs_read import LAST, began, read_runs


class EvidenceFound(NamedTuple):
    """What is known of the files that are checked.

    Attributes:
        of: Evidence by file.
        notes: What was left out, and why.
    """

    of: dict[str, list[Evidence]]
    notes: list[str]


def find_evidence(names: Sequence[str], texts: Mapping[str, str]) -> EvidenceFound:
    """Return what certificates and runs have shown of rubric files, as they are now.

    Args:
        names: Certificates (files or beginnings of ids) and runs (ids or ``last``).
        texts: Rubric files and what is in them.

    Raises:
        UnknownName: a name is neither.
        CertificateError: a certificate does not hold.
        InputError: it is about none of the files.
    """
    project = open_project()
    rubrics = {
        name: rubric
        for name, text in texts.items()
        if (rubric := parse(text, load=template_loader(Path(name).parent))[0]) is not None
    }
    found = EvidenceFound({name: [] for name in texts}, [])
    for name in dict.fromkeys(names):
        source = _source(name, project)
        known = {file: rubric for file, rubric in rubrics.items() if _is_about(source, rubric)}
        broken = [file for file in texts if file not in rubrics and source.rubric in texts[file]]
        if not known and not broken:
            raise InputError(
                f"{source.where} is about rubric {source.rubric!r}, which is not among the files "
                "checked",
                hint="name its file too, or leave the evidence out",
            )
        found.notes.extend(f"{file}: mend it first; {source.where} is left out" for file in broken)
        for file, rubric in known.items():
            again = judge_words(project, source.judge, file, source.model)
            evidence, notes = _of_rubric(source, rubric, again)
            found.of[file].extend(evidence)
            found.notes.extend(f"{file}: {note}" for note in notes)
    return found


def _is_about(source: Source, rubric: Rubric) -> bool:
    """Tell whether evidence is about a rubric, or was before one of the two got another name."""
    return source.rubric == rubric.name or any(
        source.meanings.get(c.name) == fingerprint(meaning_parts(rubric, c))
        for c in rubric.criteria
    )


def _of_rubric(source: Source, rubric: Rubric, again: str) -> tuple[list[Evidence], list[str]]:
    """Return what a source shows of a rubric as it is, and what it shows of another one.

    ``again`` names the judge on a command line.
    """
    evidence, notes = [], []
    criteria = {c.name: c for c in rubric.criteria}
    for name, meaning in source.meanings.items():
        parts = meaning_parts(rubric, criteria[name]) if name in criteria else {}
        if fingerprint(parts) == meaning:
            one, more = source.show(rubric, criteria[name])
            evidence.append(one)
            notes += more
            continue
        told = changed_parts(source.parts.get(name, {}), parts) if name in source.parts else []
        changed = f" ({', '.join(told[:3])} changed since)" if told and parts else ""
        notes.append(
            f"{source.where} is evidence of another meaning of {name!r}{changed} and is left out; "
            f"measure the rubric as it is now: judgekit calibrate {again}"
        )
    return evidence, notes


def _source(name: str, project: Project) -> Source:
    """Return the certificate or run of that name."""
    if name == LAST or began(name) is not None:
        return run_source(name, project)
    if Path(name).is_file():
        _refuse_reports(Path(name))
    try:
        certificate, store = find_certificate(name)
    except UnknownName as error:
        if any(run.id.startswith(name) for run in read_runs(project.runs).runs if name):
            return run_source(name, project)
        hint = "name a certificate (its file or the start of its id) or a run (or: last)"
        raise UnknownName("certificate or run", name, error.known, hint=hint) from None
    return _of_certificate(certificate, store, project)


def _refuse_reports(path: Path) -> None:
    """Say what to name instead of a report, which holds figures and no items."""
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    form = document.get("format") if isinstance(document, dict) else None
    if str(form).startswith("judgekit.calibration/"):
        raise InputError(
            "a calibration's report holds no items",
            file=str(path),
            hint="name its certificate, or the run it was measured with: judgekit runs list",
        )


def _of_certificate(certificate: Certificate, store: CertificateStore, project: Project) -> Source:
    where = f"certificate {certificate.short}"
    presented = store.present(certificate)
    if presented.faults or presented.rows is None:
        why = presented.faults[0] if presented.faults else "it has no evidence"
        raise CertificateError(
            f"{where} does not hold: {why}", hint=f"judgekit certificate verify {certificate.short}"
        )
    rows, labels, judge = presented.rows, certificate.labels, certificate.judge

    def show(rubric: Rubric, criterion: Criterion) -> tuple[Evidence, list[str]]:
        found, _ = remembered(project, rubric, judge.name, labels)
        same = found is not None and found.labels.of(criterion.name).sha256 == labels.sha256
        evidence = evidence_of(
            where,
            judge=_asked(certificate),
            rubric=rubric,
            criterion=criterion,
            items=said_of(rows),
            labelled=found if same else None,
            set_aside=[row.item for row in rows if row.set_aside == "rubric_example"],
        )
        note = (
            f"the labels of {where} are not what they were: only items that it set aside are known "
            "to be worked examples"
        )
        return evidence, [] if same else [note]

    return Source(
        where=where,
        judge=judge.name,
        model=judge.model,
        rubric=judge.rubric.name,
        meanings={certificate.criterion: judge.rubric.sha256},
        parts={certificate.criterion: judge.rubric.parts},
        show=show,
    )


def _asked(certificate: Certificate) -> str:
    """Return what tells one judge from another, whatever the criterion."""
    told = certificate.judge.model_dump(mode="json", exclude={"fingerprint", "rubric"})
    return canonical_json(told)
