"""Names that lead to code loaded only when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from judgekit.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def load(target: str) -> Any:
    """Import ``package.module:name`` and return what it names."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


class Registry:
    """A table of names and the places where their code stands.

    Args:
        what: What the names are names of, for messages: "command", "metric".
        targets: ``name -> "package.module:attribute"``.
    """

    def __init__(self, what: str, targets: Mapping[str, str]) -> None:
        self.what, self._targets = what, dict(targets)

    def __iter__(self) -> Iterator[str]:
        return iter(self._targets)

    def __getitem__(self, name: str) -> Any:
        """Return the object of that name.

        Raises:
            UnknownName: no such name; the hint offers the nearest.
        """
        if name not in self._targets:
            raise UnknownName(self.what, name, self._targets)
        return load(self._targets[name])
