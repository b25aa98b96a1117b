"""A database whose inside we do not know: through diskcache's own door, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judgekit.errors import StorageError
from judgekit.judging.request import ModelReply
from judgekit.running import cache_schema
from judgekit.running.cache import ReplyCache
from judgekit.running.cache_api import DiskcacheRows
from judgekit.testing import check_cache
from tests.running.cachefolder import KEY, REPLY, execute, insert, key


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReplyCache]:
    """Return a cache under a diskcache that makes other tables than those we know."""
    monkeypatch.setattr(cache_schema, "SCHEMA", frozenset({"CREATE TABLE Cache (another form)"}))
    with ReplyCache(tmp_path) as opened:
        yield opened


def test_it_keeps_the_contract(later: ReplyCache) -> None:
    """Slower, and with the same promise."""
    check_cache(later, reopen=lambda: ReplyCache(later.folder.parent))
    assert isinstance(later._slow, DiskcacheRows)


def test_what_is_there_stands_or_is_set_aside(later: ReplyCache) -> None:
    """As ever, but a pickle is passed over without a word: diskcache takes it for a miss."""
    later.put_many([(key(1), ModelReply("theirs")), (key(2), REPLY)])
    insert(later, key(3), "no JSON")
    insert(later, key(4), b"\x80", mode=4)

    others = later.add_many((key(n), REPLY) for n in range(1, 6))

    assert others == {key(1): ModelReply("theirs"), key(2): REPLY}
    assert later.set_aside == {key(3): "not JSON"}
    ours = [key(3), key(4), key(5)]
    assert later.get_many(ours) == dict.fromkeys(ours, REPLY)
    later.forget([key(3)])
    assert later.get(key(3)) is None


def test_what_needs_the_table_says_so(later: ReplyCache) -> None:
    """Counting, pruning, exporting."""
    later.put(KEY, REPLY)

    for door in (later.stats, lambda: later.prune(now=2e9), lambda: list(later.export_lines())):
        with pytest.raises(StorageError, match="made by a diskcache"):
            door()


def test_a_stranger_does_not_get_that_far(later: ReplyCache) -> None:
    """It obeys what it finds, so it opens only what it would have made itself."""
    later.put(KEY, REPLY)
    later.close()
    execute(later.folder, "CREATE TRIGGER evil AFTER INSERT ON Cache BEGIN SELECT 1; END")

    with pytest.raises(StorageError, match="not as judgekit makes it"):
        ReplyCache(later.folder.parent).get(KEY)
    execute(later.folder, "DROP TRIGGER evil")
    execute(later.folder, "INSERT INTO Settings VALUES ('_directory', '/nowhere')")
    with pytest.raises(StorageError, match="not as judgekit makes it"):
        ReplyCache(later.folder.parent).get(KEY)
