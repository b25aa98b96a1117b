"""Certificates found by name, and every figure in them measured again."""

from __future__ import annotations

from pathlib import Path

from judgekit.calibration.certificate import Certificate
from judgekit.errors import CertificateError, UnknownName
from judgekit.storage.certificates import CertificateStore
from judgekit.storage.project import open_project


def find_certificate(name: str) -> tuple[Certificate, CertificateStore]:
    """Return the certificate in a file, or the project's with that id or beginning of one.

    Raises:
        UnknownName: neither a file nor an id of this project.
        CertificateError: the file cannot be read as a certificate.
    """
    path = Path(name)
    if path.is_file():
        store = CertificateStore(path.resolve().parent)
        return store.read(path), store
    store = CertificateStore(open_project().certificates)
    known = store.certificates()
    found = [c for c in known if c.id.startswith(name)] if name else []
    if len(found) == 1:
        return found[0], store
    if len(found) > 1:
        some = ", ".join(c.id[:12] for c in found)
        raise CertificateError(f"{name!r} begins several ids: {some}", hint="name more of it")
    raise UnknownName(
        "certificate",
        name,
        [c.short for c in known],
        hint="name a certificate file, or the beginning of an id under certificates/",
    )


def verify_certificate(name: str) -> tuple[Certificate, list[str]]:
    """Measure every figure of a certificate again, offline; return what does not hold.

    Raises:
        UnknownName: neither a file nor an id of this project.
        CertificateError: the file cannot be read as a certificate.
    """
    certificate, store = find_certificate(name)
    return certificate, list(store.present(certificate).faults)
