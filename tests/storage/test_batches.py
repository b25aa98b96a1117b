"""What is written down of batches, and what is made of files that are none."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError, StorageError, UnknownName
from judgekit.running.batch_record import BatchRecord, Place, Seen, Trouble
from judgekit.storage.batches import BatchStore, new_id


@pytest.fixture
def store(tmp_path: Path) -> BatchStore:
    """Return an empty store."""
    return BatchStore(tmp_path / "batches")


def record(name: str = "aa", **more: Any) -> BatchRecord:
    """Return a batch."""
    given: dict[str, Any] = {"judge": "j", "model": "openai/m", "requests": 1, "created_at": 1.0}
    return BatchRecord(id=name, **(given | more))


def submitted(status: str, **seen: Any) -> BatchRecord:
    """Return a batch that the provider speaks of so."""
    return record(state="submitted", seen=Seen(status=status, **seen))


def test_a_batch_is_read_as_it_was_written(store: BatchStore) -> None:
    """State, requests and failures; readable by the owner only."""
    places = [
        Place("k1", "item ü \ud83d", "tone", 1, 0, "BA", ("mended_text",)),
        Place("k2", "b", "c"),
    ]
    planned = store.plan(record(adjusted=(("max_completion_tokens", 9),)), places, [b"{}\n"])
    store.save_troubles("aa", [Trouble("k2", "expired", "late")])

    assert store.some(["aa"]) == store.all() == [planned]
    assert store.places("aa") == places
    assert store.troubles("aa") == [Trouble("k2", "expired", "late")]
    assert store.input("aa").read_bytes() == b"{}\n"
    assert [
        p.name for p in (store.folder, *store.folder.iterdir()) if p.stat().st_mode & 0o077
    ] == []


def test_the_file_to_upload_goes_once_the_batch_is_there(store: BatchStore) -> None:
    """It is needed until then, and large."""
    planned = store.plan(record(), [], [b"{}\n"])
    store.save(planned.but(state="creating"))
    assert store.input("aa").exists()
    store.save(planned.but(state="submitted"))
    assert not store.input("aa").exists()


def test_keys_are_held_until_replies_are_collected(store: BatchStore) -> None:
    """Through every state before; not by what is over."""
    for name, state in enumerate(("planned", "creating", "submitted", "collected", "withdrawn")):
        store.plan(record(str(name), state=state), [Place(f"k{name}", "i", "c")], [])

    assert store.open_keys() == {"k0": "0", "k1": "1", "k2": "2"}


@pytest.mark.parametrize(
    ("batch", "ended"),
    [
        (submitted("in_progress"), False),
        (submitted("cancelling"), False),
        (submitted("cancelled"), True),
        (submitted("expired"), True),
        (submitted("failed"), True),
        (submitted("completed", output_file="f", completed=1), True),
        (submitted("completed", error_file="f", failed=1), True),
        # The status may be ahead of the files by a moment.
        (submitted("completed"), False),
        (submitted("completed", completed=1, error_file="f"), False),
        (record(), False),
    ],
)
def test_when_a_batch_has_ended(batch: BatchRecord, ended: bool) -> None:  # noqa: FBT001
    """When nothing more is to come of it, its files included."""
    assert batch.ended is ended


def test_what_a_dead_process_left_is_swept(store: BatchStore) -> None:
    """Files of a batch that was never written down, and halves of files; nothing else."""
    store.plan(record("aa"), [Place("k", "i", "c")], [b"{}\n"])
    kept = sorted(p.name for p in store.folder.iterdir())
    for name in ("bb.input.jsonl", "bb.places.jsonl", ".bb.json.x1", ".bb.input.jsonl.x2"):
        (store.folder / name).write_text("x")

    store.sweep()

    assert sorted(p.name for p in store.folder.iterdir()) == kept


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"id": "aa"}', '{"format": "judgekit.batch/2", "id": "aa"}']
)
def test_a_state_that_is_none_is_named(store: BatchStore, text: str) -> None:
    """With its file, and never by a traceback."""
    store.folder.mkdir()
    (store.folder / "aa.json").write_text(text)

    with pytest.raises(InputError, match="not the state of a batch") as caught:
        store.all()
    assert (caught.value.file or "").endswith("aa.json")


def test_lost_files_are_named(store: BatchStore) -> None:
    """And an id that nobody has; no batches at all are no error."""
    assert store.all() == []
    with pytest.raises(UnknownName):
        store.some(["zz"])
    store.plan(record("aa"), [], [])
    (store.folder / "aa.places.jsonl").unlink()
    with pytest.raises(StorageError, match=r"aa\.places\.jsonl"):
        store.places("aa")


def test_the_lock_is_for_one_at_a_time(store: BatchStore) -> None:
    """Whoever comes second waits until the first is done."""
    order: list[str] = []

    async def work(name: str) -> None:
        async with store.lock(make=True):
            order.append(f"{name} in")
            await asyncio.sleep(0.1)
            order.append(f"{name} out")

    async def both() -> None:
        await asyncio.gather(work("a"), work("b"))

    asyncio.run(both())

    assert order in (["a in", "a out", "b in", "b out"], ["b in", "b out", "a in", "a out"])


def test_ids_differ() -> None:
    """And can stand in a file name."""
    names = {new_id() for _ in range(100)}

    assert len(names) == 100
    assert all(name.isalnum() for name in names)


def test_what_the_disk_does_not_allow_is_one_clear_error(store: BatchStore, tmp_path: Path) -> None:
    """Where a file cannot be taken out, and where a file stands in the folder's place."""
    store.plan(record(), [], [b"{}\n"])
    store.input("aa").unlink()
    store.input("aa").mkdir()
    (tmp_path / "file").write_text("mine")

    with pytest.raises(StorageError, match="cannot be taken out"):
        store.forget("aa")
    with pytest.raises(StorageError, match="cannot be made") as told:
        BatchStore(tmp_path / "file").plan(record(), [], [])
    assert "paths.batches in judgekit.toml" in (told.value.hint or "")
