"""Regular expressions that are compiled when they are first used.

The reader knows a hundred and more of them, and the reply the schema asks for needs none:
compiling all on import would make every start of the program slower.
"""

from __future__ import annotations

import re
from typing import Any, cast


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what ``re.compile`` returns; an error in ``source`` shows at the first use."""
    return cast("re.Pattern[str]", _Pattern(source, flags))


class _Pattern:
    """Stands for a compiled pattern; after the first use its methods are the pattern's own."""

    __slots__ = ("_flags", "_source", "findall", "finditer", "fullmatch", "match", "search", "sub")

    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:  # called only for a slot that is not filled yet
        compiled = re.compile(self._source, self._flags)
        for method in self.__slots__[2:]:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
