"""Rubric files as they stood in a revision of git.

git is asked for stored files and lists of commits only, so that nothing a repository configures
is run.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from judgekit.errors import InputError
from judgekit.importers.rubrics import template_loader

_TIMEOUT = 30.0
_BUILT_IN = "judgekit/"


class Revision:
    """The files of a folder as they stood in a revision.

    Args:
        folder: The folder; files are named from it.
        revision: What git understands: a commit, a tag, a branch, ``HEAD~3``.
    """

    def __init__(self, folder: Path, revision: str) -> None:
        self.folder, self.revision = folder, revision

    def text(self, name: str) -> str:
        """Return the text of a file of the folder.

        Raises:
            InputError: there is no git, no repository, no such revision, or no such file in it.
        """
        if not self.revision or self.revision.startswith("-"):
            raise InputError(f"{self.revision!r} is no revision of git", file=name)
        data = _git(self.folder, "cat-file", "blob", f"{self.revision}:./{name}")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            where = f"{name}@{self.revision}"
            raise InputError("this file is not UTF-8 text", file=where) from None

    def loader(self) -> Callable[[str], str | None]:
        """Return a function from template name to source, as ``template_loader`` has it."""
        built_in = template_loader(self.folder)

        def load(name: str) -> str | None:
            if name.startswith(_BUILT_IN):
                return built_in(name)
            if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
                raise InputError("it is outside the rubric's folder")
            try:
                return self.text(name)
            except InputError:
                return None

        return load


def revisions_of(path: Path, most: int) -> list[str]:
    """Return the revisions that changed a file, newest first; none without git or a repository."""
    folder = standing_folder(path)
    try:
        arguments = (f"--max-count={most}", "--abbrev-commit", "HEAD", "--", str(path.absolute()))
        data = _git(folder, "rev-list", *arguments)
    except InputError:
        return []
    return data.decode().split()


def standing_folder(path: Path) -> Path:
    """Return the nearest folder of a file that is there: git has files whose folders are gone."""
    return next(folder for folder in path.absolute().parents if folder.is_dir())


def _git(folder: Path, *arguments: str) -> bytes:
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(  # noqa: S603  (no shell; the revision cannot be an option)
            command, capture_output=True, check=False, stdin=subprocess.DEVNULL, timeout=_TIMEOUT
        )
    except FileNotFoundError:
        raise InputError(
            "git is not installed, which knows earlier revisions",
            hint="save the earlier version as a file of its own and name both files",
        ) from None
    except subprocess.TimeoutExpired:
        raise InputError(f"git did not answer within {_TIMEOUT:.0f} seconds") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        message = said.removeprefix("fatal: ") or f"git ended with {done.returncode}"
        raise InputError(
            f"git says: {message}",
            hint="name the file as it is called in that revision: FILE@REVISION",
        )
    return done.stdout
