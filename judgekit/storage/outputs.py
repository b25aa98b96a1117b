"""What no output of a command may replace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from judgekit.running.cache import FORMAT
from judgekit.storage.project import FILE, Project


def precious(project: Project, *, labelled: bool = True) -> list[Path]:
    """Return what people made, and where judgekit keeps its own files, for ``check_output``.

    That is ``judgekit.toml``, every rubric that it names, and the folders of replies, run records,
    batches and certificates.

    Args:
        project: The project.
        labelled: Also the labelled sets and items that it or a certificate names; they are what
            a command that writes labels is there to write.
    """
    entries = project.configuration.judges.values()
    named = [e.rubric for e in entries]
    if labelled:
        named += [name for e in entries for name in (e.labels, e.items) if name is not None]
        named += _of_certificates(project)
    return [project.root / FILE, *map(project.path, named), *_own(project)]


def _of_certificates(project: Project) -> list[str]:
    """Return the labelled sets that certificates name."""
    if not project.certificates.is_dir():
        return []
    from judgekit.storage.certificates import CertificateStore  # brings the statistics along

    store = CertificateStore(project.certificates)
    return [c.labels.path for c in store.certificates() if c.labels.path is not None]


def _own(project: Project) -> Iterator[Path]:
    """Yield the folders of judgekit's own files; of one that holds the project too, the files."""
    for folder, files in (
        (project.cache / FORMAT, "*"),
        (project.runs, "*/*.json*"),
        (project.batches, "*.json*"),
        (project.certificates, "**/*"),
    ):
        if project.root.is_relative_to(folder.resolve()):
            yield from (path for path in folder.glob(files) if path.is_file())
        else:
            yield folder
