"""``judgekit.toml``: the judges of a project, its policy and its paths."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from judgekit.calibration.policy import Policy
from judgekit.errors import InputError, UnknownName
from judgekit.storage.configuration import Configuration, JudgeEntry, PanelEntry
from judgekit.storage.configuration_errors import checked, load_toml
from judgekit.storage.configuration_lines import line_of
from judgekit.storage.disk import shown

__all__ = ["Configuration", "JudgeEntry", "PanelEntry", "Project", "open_project"]

FILE = "judgekit.toml"


@dataclass(frozen=True)
class Project:
    """A folder with a ``judgekit.toml``, or the current folder with every default."""

    root: Path
    configuration: Configuration
    file: str | None = None

    @property
    def policy(self) -> Policy:
        """Return what the gate asks in this project."""
        return self.configuration.policy

    @property
    def certificates(self) -> Path:
        """Return the folder of certificates, evidence and the ledger."""
        return self.root / self.configuration.paths.certificates

    @property
    def cache(self) -> Path:
        """Return the folder of cached replies."""
        return self.root / self.configuration.paths.cache

    @property
    def runs(self) -> Path:
        """Return the folder of run records."""
        return self.root / self.configuration.paths.runs

    @property
    def batches(self) -> Path:
        """Return the folder of batches that providers work on."""
        return self.root / self.configuration.paths.batches

    def entry(self, name: str) -> JudgeEntry:
        """Return the judge of that name.

        Raises:
            UnknownName: the project has none of that name.
        """
        judges = self.configuration.judges
        if name not in judges:
            hint = None if judges else "judgekit init writes a project with one judge"
            raise UnknownName("judge", name, judges, file=self.file, hint=hint)
        return judges[name]

    def path(self, name: str) -> Path:
        """Return a path of the configuration, seen from the project's folder."""
        return self.root / name

    def line(self, *where: str) -> int | None:
        """Return the line of the project's file on which a key stands, or its table."""
        if self.file is None:
            return None
        return line_of(where, _text(self.root / FILE, self.file))


def open_project(start: str | Path = ".") -> Project:
    """Return the project that holds ``start``: the nearest folder upwards with a judgekit.toml.

    Without any, the defaults, with ``start`` for a root.

    Raises:
        InputError: the file is there and cannot be used; names the line.
    """
    here = Path(start).resolve()
    for folder in (here, *here.parents):
        file = folder / FILE
        if file.is_file():
            return Project(folder, read_configuration(file), shown(file))
    return Project(here, Configuration())


def read_configuration(path: Path) -> Configuration:
    """Read a judgekit.toml.

    Raises:
        InputError: with file and line.
    """
    name = shown(path)
    text = _text(path, name)
    return checked(Configuration, load_toml(text, name), file=name, text=text)


def _text(path: Path, name: str) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("this file is not UTF-8 text", file=name) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=name) from error
