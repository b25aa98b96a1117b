"""The project's cache of replies, and how documents name it."""

from __future__ import annotations

from typing import Any

from judgekit.running.cache import ReplyCache
from judgekit.storage.disk import shown
from judgekit.storage.project import open_project

FORMAT = "judgekit.cache/1"


def document_of(kept: ReplyCache) -> dict[str, Any]:
    """Return what every JSON document about the cache begins with."""
    return {"format": FORMAT, "folder": place_of(kept)}


def place_of(kept: ReplyCache) -> str:
    """Return the cache folder as it is shown."""
    return shown(kept.folder.parent)


def open_cache() -> ReplyCache:
    """Return the cache of the project that this folder is in."""
    return ReplyCache(open_project().cache)
