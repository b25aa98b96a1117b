"""Rubric files as they stood in a revision of git."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath

from judgekit.errors import InputError
from judgekit.importers.git import ask_git
from judgekit.importers.rubrics import template_loader

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
            InputError: there is no git, no repository, no such revision, no such file in it, or
                its text is lost.
        """
        if not self.revision or self.revision.startswith("-"):
            raise InputError(f"{self.revision!r} is no revision of git", file=name)
        where, stored = f"{name}@{self.revision}", f"{self.revision}:./{name}"
        data, trouble = ask_git(self.folder, "cat-file", "blob", stored)
        if trouble and not ask_git(self.folder, "rev-parse", "--verify", "-q", stored).trouble:
            raise InputError(
                "git lists this file there, but has no text for it: it is missing or damaged",
                hint="git fsck tells what is lost; what a partial clone lacks is not fetched here",
                file=where,
            )
        if trouble:
            raise InputError(
                f"git says: {trouble}",
                hint="name the file as it is called in that revision: FILE@REVISION",
            )
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
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
        data, trouble = ask_git(folder, "rev-list", *arguments)
    except InputError:
        return []
    return [] if trouble else data.decode().split()


def standing_folder(path: Path) -> Path:
    """Return the nearest folder of a file that is there: git has files whose folders are gone."""
    return next(folder for folder in path.absolute().parents if folder.is_dir())
