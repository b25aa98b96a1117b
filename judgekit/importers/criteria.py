"""Which criterion a row is about, and which rows ``--criterion`` leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from judgekit.errors import InputError, UnknownName, suggest
from judgekit.importers.problems import RowProblem
from judgekit.importers.table import Table
from judgekit.labels.levels import count, quoted
from judgekit.rubric.model import Criterion
from judgekit.rubric.scale import fold


class CriterionChoice:
    """Tells the criterion of each row.

    Args:
        table: The rows.
        column: The criterion column, or None.
        criteria: The criteria of the rubric.
        asked: What ``--criterion`` says, or None.
        item_criteria: The criterion of each item, for a file without a criterion column; it
            counts only if it knows a name that is looked for.
        is_whole: Without a column, take the whole file for ``asked`` even if the rubric calls
            its only criterion otherwise.

    Raises:
        InputError: several criteria and nothing that tells them apart.
        UnknownName: the criterion asked for is neither in the rubric nor in the file.
    """

    def __init__(
        self,
        table: Table,
        column: str | None,
        criteria: Sequence[Criterion],
        asked: str | None,
        item_criteria: Mapping[str, str] | None = None,
        *,
        is_whole: bool = False,
    ) -> None:
        self._file, self._column, self._asked = table.path, column, asked
        self._others: Counter[str] = Counter()
        self._taken = 0
        wanted = {fold(asked)} if asked is not None else {fold(c.name) for c in criteria}
        told = {} if column else item_criteria or {}
        self._by_item = told if any(fold(name) in wanted for name in told.values()) else {}
        self._is_told = bool(column or self._by_item)
        own = [c for c in criteria if fold(c.name) in wanted]
        if asked is not None and not own:
            if len(criteria) > 1 or not (self._is_told or is_whole):
                raise UnknownName("criterion", asked, [c.name for c in criteria], file=self._file)
            own = list(criteria)
        if len(own) > 1 and not self._is_told:
            raise InputError(
                f"no criterion column, and the rubric has {len(own)} criteria: "
                + ", ".join(c.name for c in own),
                hint="Say which column it is, --criterion-column NAME, or which criterion the "
                "whole file is about, --criterion NAME",
                file=self._file,
                line=table.header_line,
            )
        self.criteria = tuple(own)
        names = [asked] if asked is not None else [c.name for c in own]
        self._names = dict(zip(map(fold, names), own, strict=True))

    def of(self, item: str, values: Mapping[str, object]) -> Criterion | None:
        """Return the row's criterion, or None when the row is left out.

        Raises:
            RowProblem: the row names no criterion, or one that is not in the rubric.
        """
        if not self._is_told:
            self._taken += 1
            return self.criteria[0]
        written = values.get(self._column) if self._column else self._by_item.get(item)
        name = str(written).strip() if written is not None else ""
        found = self._names.get(fold(name))
        if found is not None:
            self._taken += 1
            return found
        if self._asked is not None or self._by_item:
            self._others[name or "none"] += 1
            return None
        hint = "To read one criterion only: --criterion NAME"
        if not name:
            raise RowProblem("criterion", "the row names no criterion", hint)
        near = suggest(name, [c.name for c in self.criteria])
        known = ", ".join(c.name for c in self.criteria)
        meant = f'. Did you mean "{near}"?' if near else ""
        message = f"criterion {quoted(name)} is not in the rubric ({known}){meant}"
        raise RowProblem("criterion", message, hint)

    def notes(self) -> list[str]:
        """Return remarks on the rows left out and on a criterion under another name.

        Raises:
            UnknownName: ``--criterion`` left out every row.
        """
        remarks, asked = [], self._asked
        if self._others:
            if not self._taken:
                looked_for = asked or ", ".join(c.name for c in self.criteria)
                raise UnknownName("criterion", looked_for, self._others, file=self._file)
            names = ", ".join(list(self._others)[:10])
            rows = count(sum(self._others.values()), "row")
            remarks.append(f"{rows} of other criteria left out ({names})")
        if asked is not None and fold(asked) != fold(self.criteria[0].name):
            remarks.append(f"took the rows of criterion {asked!r} for {self.criteria[0].name!r}")
        return remarks
