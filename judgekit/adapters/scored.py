"""Rows that ``judgekit score --out`` has written, read again, with the certificate they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from judgekit.adapters.lent import LentJudge
from judgekit.adapters.outcome import Outcome
from judgekit.adapters.outcomes import judged_outcome
from judgekit.adapters.seal import PREFIX, sealed
from judgekit.api.admission import admit_judge
from judgekit.api.setup import JudgeSetup, load_judge
from judgekit.api.stream import Judged
from judgekit.calibration.certificate import Certificate
from judgekit.calibration.scope import read_traits
from judgekit.errors import GateRefusal, InputError, Reason, UnknownName
from judgekit.fingerprint import sha256_text
from judgekit.importers.table import Row, Table, read_table
from judgekit.judging.item import Item
from judgekit.judging.judgment import CAUSES, Judgment, Unjudged
from judgekit.reports.rows import row_seal
from judgekit.reports.words import listed
from judgekit.rubric.model import Criterion
from judgekit.storage.project import Project

_NEEDED = ("item_id", "criterion", "status", "certificate")


class ScoredItem(NamedTuple):
    """One item on one criterion.

    Attributes:
        item: The item's id.
        outcome: What became of it, as every adapter gives it.
    """

    item: str
    outcome: Outcome


class ScoredSet(NamedTuple):
    """The rows of one file, whose judge holds its certificates still.

    Attributes:
        judge: The judge's name.
        certificates: Those the values rest on, by criterion.
        items: The rows, in file order.
    """

    judge: str
    certificates: dict[str, Certificate]
    items: tuple[ScoredItem, ...]


def read_scored(
    judge: str,
    file: str | Path,
    *,
    project: Project,
    model: str | None = None,
    criteria: Sequence[str] | None = None,
) -> ScoredSet:
    """Return the scored rows of a file, if the judge that gave them is certified as it was then.

    Args:
        judge: The judge, by its name in the project or by its rubric file.
        file: What ``judgekit score --out`` wrote.
        project: The project.
        model: The judge's model, where a rubric file is named.
        criteria: Only rows of these criteria; all by default.

    Raises:
        GateRefusal: the judge is not certified, or has another certificate than the rows.
        InputError: with the line: the file holds something else, or was changed.
    """
    table = read_table(file)
    setup = _setup(judge, table, project, model)
    rubric = setup.judge.rubric
    asked = [rubric.criterion(name).name for name in criteria or ()]
    stated = {name for row in table.rows if isinstance(name := row.values.get("criterion"), str)}
    names = asked or [c.name for c in rubric.criteria if c.name in stated] or None
    certificates = dict(admit_judge(setup, criteria=names).certificates)
    rows = [row for row in table.rows if not asked or row.values.get("criterion") in asked]
    reader = _Reader(table.path, setup, certificates)
    for row in rows:
        reader.check(row)
    _check_once(table.path, rows)
    items = tuple(reader.item(row) for row in rows)
    if not items:
        raise InputError(f"the file has no rows of {listed(asked)}", file=table.path)
    return ScoredSet(setup.judge.name, certificates, items)


def _setup(judge: str, table: Table, project: Project, model: str | None) -> JudgeSetup:
    """Return the judge; of recorded judgments the one that the rows' certificate names."""
    from judgekit.storage.certificates import CertificateStore  # brings the statistics along

    stated = {one for row in table.rows if isinstance(one := row.values.get("certificate"), str)}
    certificates = CertificateStore(project.certificates).certificates()
    recorded = [c.judge for c in certificates if c.id in stated and c.judge.recorded]
    setup = load_judge(judge, project=project, model=model, recorded=bool(recorded))
    if not recorded:
        return setup
    declared, parameters = recorded[0].model, recorded[0].parameters
    made = replace(setup.judge, model=declared, parameters=parameters)
    return replace(setup, judge=made)


def _check_once(file: str, rows: Sequence[Row]) -> None:
    lines: dict[tuple[str, str], int] = {}
    for row in rows:
        key = (row.values["item_id"], row.values["criterion"])
        first = lines.setdefault(key, row.line)
        if first != row.line:
            message = f"item {key[0]!r} is on line {first} already"
            raise InputError(message, file=file, line=row.line)


class _Reader:
    """Reads the rows of one file.

    Args:
        file: The file, as the user named it.
        setup: The judge.
        certificates: Those it is admitted with, by criterion.
    """

    def __init__(
        self, file: str, setup: JudgeSetup, certificates: Mapping[str, Certificate]
    ) -> None:
        self._file, self._judge, self._certificates = file, setup.named, certificates
        lent = LentJudge(setup, [*certificates])
        self._criteria = {criterion.name: criterion for criterion in lent.criteria}
        self._columns, self._card = lent.columns, lent.card

    def item(self, row: Row) -> ScoredItem:
        """Return what a row says.

        Raises:
            InputError: it is not as it was written.
        """
        values, name = row.values, row.values["criterion"]
        item, certificate = values["item_id"], self._certificates[name]
        criterion = self._criteria[name]
        said = self._said(row, criterion)
        if values.get("seal") != row_seal(values):
            raise InputError(
                "the row is not as `judgekit score` wrote it",
                hint="a scored row is never edited; score the items again",
                file=self._file,
                line=row.line,
            )
        case = values.get("case")
        shown = Item(item, {}, case=case if isinstance(case, str) else None)
        judged = Judged(criterion, shown, said, ())
        traits = read_traits(values.get("text"))
        column = self._columns[name]
        outcome = judged_outcome(judged, column, certificate, self._card, traits)
        # The same row exported twice is one outcome.
        known = {"id": sha256_text(f"{certificate.id}\n{name}\n{item}")[:32]}
        facts = outcome.facts | {f"{PREFIX}{key}": value for key, value in known.items()}
        return ScoredItem(item, replace(outcome, metadata=sealed(facts)))

    def check(self, row: Row) -> None:
        """Refuse what is no scored row of this judge.

        Raises:
            GateRefusal: it was written by a judge without a certificate, or with another one.
            InputError: it is no row of a scored item.
        """
        values, at = row.values, f"{self._file}:{row.line}"
        if values.get("calibrated") is False:
            message = f"{at} is a row of `judgekit try`: its judge was not certified."
            raise GateRefusal([Reason("no_certificate", message, f"judgekit status {self._judge}")])
        missing = [name for name in _NEEDED if not isinstance(values.get(name), str)]
        if missing:
            raise InputError(
                f"not a row of `judgekit score`: no {listed(missing)}",
                hint=f"such a file is written by: judgekit score {self._judge} ITEMS --out FILE",
                file=self._file,
                line=row.line,
            )
        name, stated = values["criterion"], values["certificate"]
        if name not in self._criteria:
            known = self._criteria
            raise UnknownName("criterion", name, known, file=self._file, line=row.line)
        holds = self._certificates[name]
        if stated != holds.id:
            message = (
                f"{at} rests on certificate {stated[:6]}, and {holds.short} is the one that holds "
                f"for {self._judge} now."
            )
            again = f"judgekit score {self._judge} ITEMS --out FILE"
            raise GateRefusal([Reason("judge_changed", message, again, holds.id)])

    def _said(self, row: Row, criterion: Criterion) -> Judgment | Unjudged:
        """Return the judgment of a row, if a judge can have given it."""
        values, scale = row.values, criterion.scale
        item, status, level = values["item_id"], values["status"], values.get("level")
        reason = values.get("reason") if isinstance(values.get("reason"), str) else None
        if status == "unjudged" and values.get("cause") in CAUSES:
            return Unjudged(item, criterion.name, values["cause"], reason)
        if status == "not_applicable" and criterion.not_applicable is not None:
            return Judgment(item, criterion.name, None, reason)
        if status == "judged" and level in scale.names:
            index = scale.names.index(level)
            value = values.get("value")
            if scale.values[index] == value and not isinstance(value, bool):
                return Judgment(item, criterion.name, index, reason)
        raise InputError(
            f"status {status!r}, level {level!r} and value {values.get('value')!r} do not go "
            f"together on the scale of {criterion.name!r}",
            hint="a scored row is never edited; score the items again",
            file=self._file,
            line=row.line,
        )
