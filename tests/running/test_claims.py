"""Runs on one cache at the same time: what one is asking, the others do not ask."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from judgekit.judging.request import ModelReply
from judgekit.running.cache import ReplyCache
from judgekit.running.claims import FILE, Claims, Flight
from judgekit.running.engine import answer_all
from judgekit.running.presence import Presence
from judgekit.testing import StubServer
from tests.running.helpers import DirectModel, how, question, questions

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(sys.platform != "linux", reason="locks of open files are Linux's"),
]
KEY, OTHER = "ab" * 32, "cd" * 32
HOLD = """
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from judgekit.running.claims import Claims
claims = Claims(Path(sys.argv[1]))
print(claims.take(sys.argv[2]), flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def holder(folder: Path, key: str) -> Iterator[None]:
    """Be asking something, in a process that never ends; it is killed at the end."""
    command = [sys.executable, "-c", HOLD, str(folder), key]
    with subprocess.Popen(
        command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        yield
        process.kill()


def test_one_request_has_one_asker(tmp_path: Path) -> None:
    """Within one process as well; other requests are free."""
    mine, theirs = Claims(tmp_path), Claims(tmp_path)

    assert mine.take(KEY)
    assert mine.take(KEY)
    assert not theirs.take(KEY)
    assert theirs.take(OTHER)
    mine.leave(KEY)
    assert theirs.take(KEY)
    assert not mine.take(KEY)
    theirs.close()
    assert mine.take(OTHER)
    mine.close()
    assert (tmp_path / FILE).stat().st_size == 0


def test_a_process_that_dies_holds_nothing(tmp_path: Path) -> None:
    """However it dies."""
    claims = Claims(tmp_path)
    with holder(tmp_path, KEY):
        assert not claims.take(KEY)

    assert claims.take(KEY)
    claims.close()


def test_what_is_no_file_of_ours_is_not_opened(tmp_path: Path) -> None:
    """A link leads nowhere; without a file, or told nobody, everything may be asked."""
    target = tmp_path / "target"
    (tmp_path / FILE).symlink_to(target)

    for claims in (Claims(tmp_path), Claims(None), Claims(tmp_path / "nowhere")):
        assert claims.take(KEY)
        claims.leave(KEY)
        claims.close()

    assert not target.exists()


def test_who_hangs_is_waited_for_no_longer_than_a_call_takes(tmp_path: Path) -> None:
    """Then it is asked here as well."""
    times = iter((10.0, 29.9, 39.9, 40.0))
    theirs = Claims(tmp_path)
    assert theirs.take(KEY)
    flight = Flight(Claims(tmp_path), lambda _: {}, clock=lambda: next(times))

    taken = [flight.take(KEY, patience=30.0) for _ in range(4)]

    assert taken == [False, False, False, True]
    theirs.leave(KEY)
    assert flight.take(KEY, patience=30.0)


def test_two_runs_in_one_process_share_their_calls(stub: StubServer, tmp_path: Path) -> None:
    """Started at the same moment with the same questions: each is asked once."""
    stub.configure(latency_ms=30)
    first, second = ReplyCache(tmp_path), ReplyCache(tmp_path)

    async def main() -> None:
        both = await asyncio.gather(
            *(
                answer_all(questions(40, stub.base_url), open_model=DirectModel, cache=cache)
                for cache in (first, second)
            )
        )
        assert all(answer.reply for answers in both for answer in answers)

    asyncio.run(main())
    first.close()
    second.close()

    assert stub.stats.requests == stub.stats.distinct == 40


def test_a_run_that_hangs_holds_nobody_up(stub: StubServer, tmp_path: Path) -> None:
    """The request in its hands is asked once its call could have ended; the others at once."""
    cache = ReplyCache(tmp_path)
    cache.put_many(())
    wanted = [question(n, stub.base_url) for n in range(3)]

    with holder(cache.folder, wanted[1].key):
        answers = asyncio.run(
            answer_all(wanted, open_model=DirectModel, cache=cache, settings=how(timeout=0.6))
        )
    cache.close()

    assert [answer.reply is not None for answer in answers] == [True] * 3
    assert stub.stats.requests == 3


def test_who_writes_is_seen_by_those_who_write(tmp_path: Path) -> None:
    """There or gone again meanwhile; alone is who was never joined."""
    first = Presence(tmp_path)
    alone = first.others()
    second = Presence(tmp_path)
    joined = first.others(), second.others()
    second.close()
    first.close()

    third = Presence(tmp_path)
    fourth = Presence(tmp_path)
    fourth.close()

    assert (alone, joined, third.others()) == (False, (True, True), True)
    assert Presence(tmp_path / "nowhere").others()


def test_replies_kept_while_the_model_is_opened_are_found(stub: StubServer, tmp_path: Path) -> None:
    """Another run came and went between the first look and the first call."""
    cache, wanted = ReplyCache(tmp_path), questions(5, stub.base_url)

    def open_model() -> DirectModel:
        with ReplyCache(tmp_path) as other:
            other.put_many((r.key, ModelReply("theirs")) for r in wanted[:4])
        return DirectModel()

    answers = asyncio.run(answer_all(wanted, open_model=open_model, cache=cache))
    cache.close()

    assert [a.cached for a in answers] == [True] * 4 + [False]
    assert stub.stats.requests == 1


def test_a_run_that_is_alone_looks_nothing_up_twice(stub: StubServer, tmp_path: Path) -> None:
    """The look before each call is for what others keep."""
    looked: list[int] = []

    class Counting(ReplyCache):
        def get_many(self, keys: Iterable[str]) -> dict[str, ModelReply]:
            wanted = list(keys)
            looked.append(len(wanted))
            return super().get_many(wanted)

    cache = Counting(tmp_path)
    asyncio.run(answer_all(questions(9, stub.base_url), open_model=DirectModel, cache=cache))
    cache.close()

    assert looked == [9, 9]
