"""Records of runs that end early, or that the disk would not have."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judgekit.errors import StorageError
from judgekit.storage.runs import RunRecorder
from judgekit.storage.runs_read import read_runs
from tests.storage.test_runs import NOW, TALLY, row


def full(_handle: int) -> None:
    """Say what a full disk says when bytes are forced down."""
    raise OSError(28, "No space left on device")


def test_a_full_disk_at_the_end_is_no_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ended by an error says so, where it stands, though no file can be written any more."""

    def fail() -> None:
        with RunRecorder(tmp_path, command="try", now=NOW, about={}) as run:
            run.write([row()])
            monkeypatch.setattr(os, "fsync", full)
            raise ValueError("the first error")

    def end() -> None:
        with RunRecorder(tmp_path, command="try", now=NOW, about={}) as run:
            monkeypatch.setattr(os, "fsync", full)
            run.finish("done", TALLY)

    with pytest.raises(ValueError, match="the first error"):
        fail()
    monkeypatch.undo()
    with pytest.raises(StorageError, match="No space") as told:
        end()
    monkeypatch.undo()

    found = read_runs(tmp_path).runs
    assert [run.state for run in found] == ["failed", "failed"]
    assert not any(run.problem for run in found)
    assert "make room on the disk" in (told.value.hint or "")


def test_a_record_that_cannot_be_begun_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No folder without a description."""
    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(StorageError),
        RunRecorder(tmp_path / "runs", command="try", now=NOW, about={}),
    ):
        raise AssertionError

    assert list((tmp_path / "runs").iterdir()) == []


def test_a_file_in_the_place_of_all_runs(tmp_path: Path) -> None:
    """The setting that goes round it is named."""
    (tmp_path / "runs").write_text("mine")

    with (
        pytest.raises(StorageError, match="cannot be written") as told,
        RunRecorder(tmp_path / "runs", command="try", now=NOW, about={}),
    ):
        raise AssertionError

    assert "paths.runs in judgekit.toml" in (told.value.hint or "")


def test_a_run_that_ends_early_tells_its_tally(tmp_path: Path) -> None:
    """What it came to until then."""
    with (
        pytest.raises(ValueError, match="early"),
        RunRecorder(tmp_path, command="try", now=NOW, about={}, tally=lambda: TALLY),
    ):
        raise ValueError("early")

    (run,) = read_runs(tmp_path).runs
    assert (run.state, run.about["tally"]["judged"]) == ("failed", 1)
