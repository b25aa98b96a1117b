"""Two rubrics compared, wherever they stand: in files, in git, behind a certificate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from judgekit.api.again import label_words
from judgekit.api.rubric_named import Operand, meaning_sha256, named_rubric, recovered
from judgekit.errors import UnknownName
from judgekit.rubric.change import Change, Side
from judgekit.rubric.cosmetics import Cosmetic
from judgekit.rubric.difference import CriterionDifference, Difference, difference
from judgekit.rubric.difference_parts import Known, parts_changes
from judgekit.rubric.meaning import meaning_parts
from judgekit.rubric.outline import outline
from judgekit.storage.disk import shown
from judgekit.storage.project import Project, open_project

if TYPE_CHECKING:
    from judgekit.calibration.certificate import Certificate


@dataclass(frozen=True)
class Voided:
    """A certificate that holds for the first rubric and not for the second.

    Attributes:
        certificate: The certificate.
        path: Where it stands.
        next: The command that measures the judge again.
    """

    certificate: Certificate
    path: str
    next: str


@dataclass(frozen=True)
class RubricDiff:
    """What a comparison found.

    Attributes:
        before: The first rubric.
        after: The second.
        difference: What differs.
        voids: The certificates of the project that the step from the first to the second voids.
    """

    before: Operand
    after: Operand
    difference: Difference
    voids: tuple[Voided, ...]

    @property
    def changed(self) -> bool:
        """Return whether the meaning changed."""
        return self.difference.changed


def diff_rubrics(
    before: str, after: str, *, criterion: str | None = None, project: Project | None = None
) -> RubricDiff:
    """Compare two rubrics by what they mean.

    Args:
        before: A rubric file, a judge of the project, ``FILE@REVISION`` of git, or a certificate
            (its file, its id or the beginning of that).
        after: The same of the other.
        criterion: Only this criterion.
        project: The project; by default the one of the current folder.

    Raises:
        UnknownName: one of the two is none of these, or has no criterion of that name.
        RubricError: one of the rubrics cannot be used.
        InputError: a file or a revision cannot be read.
        CertificateError: a certificate cannot be read.
    """
    here = project or open_project()
    a, b = (named_rubric(name, here) for name in (before, after))
    a, b = recovered(a, b, here), recovered(b, a, here)
    found = _difference(a, b, criterion)
    if a.file and b.file and Path(a.file).name != Path(b.file).name:
        names = Cosmetic("file names", None, Path(a.file).name, Path(b.file).name)
        found = found._replace(cosmetic=(names, *found.cosmetic))
    return RubricDiff(a, b, found, tuple(_voided(a, b, found, here)))


def _difference(a: Operand, b: Operand, criterion: str | None) -> Difference:
    certified = [one.certificate.criterion for one in (a, b) if one.certificate is not None]
    if criterion is not None and any(name != criterion for name in certified):
        raise UnknownName("criterion", criterion, certified)
    only = criterion or next(iter(certified), None)
    if a.source is not None and b.source is not None:
        return difference(a.source, b.source, only)
    before, after = _known(a, only), _known(b, only)
    if before is not None and after is not None:
        changes = tuple(parts_changes(before, after))
        one = CriterionDifference(before.criterion, after.criterion, changes)
    else:  # the other rubric has others
        old, new = (None if known is None else known.criterion for known in (before, after))
        gone = Change("criterion", None, None, (old, new), ("shown", "read"))
        one = CriterionDifference(old, new, (gone,))
    return Difference((one,), ())


def _known(one: Operand, criterion: str | None) -> Known | None:
    """Return what is known of a criterion; None where the rubric has several others."""
    if one.source is None:
        return _certified(one)
    rubric = one.source.rubric
    named = [c for c in rubric.criteria if c.name == criterion]
    found = named or (list(rubric.criteria) if len(rubric.criteria) == 1 else [])
    if not found:
        return None
    scale = found[0].scale
    return Known(
        found[0].name,
        meaning_parts(rubric, found[0]),
        scale.kind,
        scale.values,
        scale.names,
        found[0].passes,
        found[0].weights,
        Side(rubric, found[0], outline(one.source.text, rubric)),
    )


def _certified(one: Operand) -> Known:
    """Return what a certificate knows of the rubric it was issued for."""
    cert = one.certificate
    assert cert is not None  # noqa: S101  (an operand has a source or a certificate)
    scale, parts = cert.scale, cert.judge.rubric.parts
    return Known(
        cert.criterion,
        parts,
        scale.kind,
        scale.values,
        scale.names,
        scale.passes,
        scale.weights,
    )


def _voided(a: Operand, b: Operand, found: Difference, project: Project) -> Iterator[Voided]:
    """Yield the certificates that were issued for what changed."""
    changed = {one.before for one in found.criteria if one.changes and one.before is not None}
    if not changed or not (project.certificates.is_dir() or a.certificate):
        return
    from judgekit.storage.certificates import CertificateStore  # brings the statistics along

    store = CertificateStore(project.certificates)
    kept = store.certificates()
    if a.certificate is not None and all(a.certificate.id != one.id for one in kept):
        kept.append(a.certificate)
    digests = {name: _digest(a, name) for name in changed}
    for cert in kept:
        if digests.get(cert.criterion) == cert.judge.rubric.sha256:
            path = store.path_of(cert)
            place = shown(path) if path.exists() else a.named
            yield Voided(cert, place, _again(cert, b.file or a.file, project))


def _digest(one: Operand, criterion: str) -> str:
    if one.source is not None:
        return meaning_sha256(one.source, criterion)
    assert one.certificate is not None  # noqa: S101  (an operand has a source or a certificate)
    return one.certificate.judge.rubric.sha256


def _again(cert: Certificate, file: str | None, project: Project) -> str:
    """Return the command that measures the judge of a certificate again."""
    entry = project.configuration.judges.get(cert.judge.name)
    if cert.judge.recorded:
        judge = f"{quote(file or 'RUBRIC')} --judgments FILE"
    elif entry is not None:
        judge = quote(cert.judge.name)
    else:
        judge = f"{quote(file or 'RUBRIC')} --model {quote(cert.judge.model)}"
    return f"judgekit calibrate {judge} --labels {label_words(project, entry, cert)}"
