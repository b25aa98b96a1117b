"""Rubrics by what they are called on the command line: files, judges, revisions, certificates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from judgekit.errors import InputError, UnknownName
from judgekit.fingerprint import fingerprint
from judgekit.importers.revisions import Revision, revisions_of, standing_folder
from judgekit.importers.rubrics import template_loader
from judgekit.importers.text import load_text
from judgekit.rubric.difference import RubricText
from judgekit.rubric.meaning import meaning_parts
from judgekit.rubric.parse import parse_rubric
from judgekit.storage.disk import shown
from judgekit.storage.project import Project

if TYPE_CHECKING:
    from judgekit.calibration.certificate import Certificate

_SUFFIXES = (".jinja", ".jinja2", ".j2")
_REVISIONS = 100
"""How many earlier versions of a file are looked through for the one that was certified."""


@dataclass(frozen=True)
class Operand:
    """One of the two rubrics, as it was named and as it was found.

    Attributes:
        named: As the user named it.
        kind: What that is.
        file: The rubric file; None where only a certificate is known.
        revision: The revision of git it was read from, where it was.
        source: The rubric and its text; None where only digests are known.
        certificate: The certificate, where one was named.
    """

    named: str
    kind: Literal["file", "revision", "certificate"]
    file: str | None
    revision: str | None = None
    source: RubricText | None = None
    certificate: Certificate | None = None

    @property
    def version(self) -> int:
        """Return the version number of the rubric."""
        if self.source is not None:
            return self.source.rubric.version
        assert self.certificate is not None  # noqa: S101  (an operand has one of the two)
        return self.certificate.judge.rubric.version


def named_rubric(name: str, project: Project) -> Operand:
    """Return what a name on the command line stands for.

    Args:
        name: A rubric file, a judge of the project, ``FILE@REVISION`` of git, or a certificate
            (its file, its id or the beginning of that).
        project: The project.

    Raises:
        UnknownName: it is none of these.
        RubricError: the rubric cannot be used.
        InputError: the file or the revision cannot be read.
        CertificateError: the certificate cannot be read.
    """
    path = Path(name)
    file = _file_of(name, project)
    if file is not None:
        return Operand(name, "file", file, source=_read(file))
    if path.is_file():
        from judgekit.api.certificates import find_certificate  # brings the statistics along

        return Operand(name, "certificate", None, certificate=find_certificate(name)[0])
    base, _, revision = name.rpartition("@")
    if base:
        return _of_revision(name, _file_of(base, project) or base, revision)
    if path.suffix in _SUFFIXES or path.exists():
        return Operand(name, "file", name, source=_read(name))
    return _of_certificate(name, project)


def _file_of(name: str, project: Project) -> str | None:
    """Return the rubric file that a judge's name or a path stands for, if it does."""
    judges = project.configuration.judges
    if name in judges:
        return shown(project.path(judges[name].rubric))
    return name if Path(name).is_file() and Path(name).suffix != ".json" else None


def _read(file: str) -> RubricText:
    text = load_text(file)
    load = template_loader(Path(file).parent)
    return RubricText(parse_rubric(text, load=load, file=file), text)


def _of_revision(name: str, file: str, revision: str) -> Operand:
    """Return a rubric as it stood in git."""
    folder = standing_folder(Path(file))
    inside = Path(file).absolute().relative_to(folder)
    if len(inside.parts) > 1:  # its folder is gone: what it extends stood there as well
        raise InputError(f"there is no folder {str(Path(file).parent)!r}", file=name)
    source = _in_git(Revision(folder, revision), inside.name, named=name)
    return Operand(name, "revision", file, revision, source)


def _in_git(revision: Revision, file: str, *, named: str) -> RubricText:
    text = revision.text(file)
    return RubricText(parse_rubric(text, load=revision.loader(), file=named), text)


def _of_certificate(name: str, project: Project) -> Operand:
    from judgekit.api.certificates import find_certificate  # brings the statistics along

    try:
        found, _ = find_certificate(name)
    except UnknownName as error:
        known = [*project.configuration.judges, *error.known]
        raise UnknownName(
            "rubric file, judge or certificate",
            name,
            known,
            hint="name a rubric file, a judge, FILE@REVISION or the start of a certificate's id",
        ) from None
    return Operand(name, "certificate", None, certificate=found)


def recovered(one: Operand, other: Operand, project: Project) -> Operand:
    """Return a certificate's operand with the rubric it was issued for, where git still has it."""
    certificate = one.certificate
    if certificate is None:
        return one
    entry = project.configuration.judges.get(certificate.judge.name)
    files = [other.file, None if entry is None else shown(project.path(entry.rubric))]
    for file in dict.fromkeys(name for name in files if name is not None):
        path = Path(file)
        if other.file == file and other.source and _is_of(certificate, other.source):
            return replace(one, file=file, source=other.source)
        for revision in revisions_of(path, _REVISIONS):
            try:
                source = _in_git(Revision(standing_folder(path), revision), path.name, named=file)
            except InputError:  # it was no rubric then, or stood elsewhere
                continue
            if _is_of(certificate, source):
                return replace(one, file=file, revision=revision, source=source)
    return one


def _is_of(certificate: Certificate, source: RubricText) -> bool:
    """Tell whether a certificate was issued for this rubric."""
    known = [c for c in source.rubric.criteria if c.name == certificate.criterion]
    return any(meaning_sha256(source, c.name) == certificate.judge.rubric.sha256 for c in known)


def meaning_sha256(source: RubricText, criterion: str) -> str:
    """Return the digest that certificates keep of what a criterion means."""
    return fingerprint(meaning_parts(source.rubric, source.rubric.criterion(criterion)))
