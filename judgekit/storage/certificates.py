"""Certificates, their evidence, the ledger of looks and revocations: one file an event.

Every file is named by what it holds, so that branches never write the same file differently
and merges never conflict.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from judgekit.calibration.certificate import CERTIFICATE_FORMAT, Certificate, recompute
from judgekit.calibration.gate import Presented, Revocation
from judgekit.calibration.looks import LOOK_FORMAT, Look
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.errors import CertificateError
from judgekit.fingerprint import canonical_json, fingerprint
from judgekit.storage.disk import encoded, shown, write_text

Kept = TypeVar("Kept", bound=BaseModel)
REVOCATION_FORMAT = "judgekit.revocation/1"
_RESTORE = "bring this file back from version control; an event is never edited"


@dataclass(frozen=True)
class Broken:
    """A certificate file that cannot be read, and why."""

    path: Path
    why: str

    def of_judge(self, judge: str, criteria: Sequence[str]) -> bool:
        """Tell whether the file is named as a certificate of this judge on one of the criteria."""
        return any(self.path.name.startswith(_stem(judge, name) + "-") for name in criteria)


def evidence_text(rows: tuple[Row, ...], spec: ScaleSpec) -> str:
    """Return the text of an evidence file: one row a line, in the order measured."""
    return "".join(canonical_json(row.to_json(spec)) + "\n" for row in rows)


def sha256_of(text: str) -> str:
    """Return the sha256 of a file's text as it will stand on disk."""
    return hashlib.sha256(encoded(text)).hexdigest()


class CertificateStore:
    """The ``certificates/`` folder of a project."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def evidence_path(self, digest: str) -> str:
        """Return where evidence of that sha256 stands, relative to the folder."""
        return f"evidence/{digest[:16]}.jsonl"

    def write(self, certificate: Certificate, evidence: str) -> Path:
        """Write evidence first, then the certificate that names it."""
        write_text(self.folder / certificate.evidence_file.path, evidence)
        path = self.path_of(certificate)
        data = certificate.model_dump(mode="json")
        text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False)
        write_text(path, text + "\n")
        return path

    def path_of(self, certificate: Certificate) -> Path:
        """Return where a certificate stands."""
        stem = _stem(certificate.judge.name, certificate.criterion)
        return self.folder / f"{stem}-{certificate.short}.json"

    def add_look(self, look: Look) -> None:
        """Enter a look in the ledger; the same look again changes nothing.

        A look that showed only its verdict is entered a second time when its details are shown.
        """
        name = fingerprint([look.identity, look.criterion, look.answers])[:16]
        shown = self.folder / "looks" / f"{name}.json"
        hidden = shown.with_name(f"{name}-hidden.json")
        path = shown if look.revealed == "full" else hidden
        if not (shown.exists() or path.exists()):
            write_text(path, canonical_json(look.model_dump(mode="json")) + "\n")

    def looks(self) -> list[Look]:
        """Return the ledger.

        Raises:
            CertificateError: an entry cannot be read: a ledger with holes protects nothing.
        """
        paths = self._files("looks/*.json")
        return [_read(path, Look, LOOK_FORMAT, hint=_RESTORE) for path in paths]

    def revocations(self) -> list[Revocation]:
        """Return the certificates that were taken back.

        Raises:
            CertificateError: an entry cannot be read: whom it takes back is not known.
        """
        paths = self._files("revocations/*.json")
        return [_read(path, Revocation, REVOCATION_FORMAT, hint=_RESTORE) for path in paths]

    def presented(self) -> tuple[list[Presented], list[Broken]]:
        """Return every certificate with its evidence, and the files that are not readable.

        Each is checked in full: its id, its evidence file, and every figure measured again.
        """
        good: list[Presented] = []
        broken: list[Broken] = []
        for path in self._files("*.json"):
            try:
                certificate = self.read(path)
            except CertificateError as error:
                broken.append(Broken(path, error.message))
            else:
                good.append(self.present(certificate))
        return good, broken

    def _files(self, pattern: str) -> list[Path]:
        """Return the files of that pattern; a pipe among them would hold every command up."""
        return sorted(path for path in self.folder.glob(pattern) if path.is_file() or path.is_dir())

    def certificates(self) -> list[Certificate]:
        """Return every certificate that can be read, unchecked."""
        found = []
        for path in self._files("*.json"):
            try:
                found.append(self.read(path))
            except CertificateError:
                continue  # presented() reports it, where it matters
        return found

    def read(self, path: Path) -> Certificate:
        """Read one certificate file.

        Raises:
            CertificateError: it is unreadable or of a newer format.
        """
        return _read(path, Certificate, CERTIFICATE_FORMAT)

    def present(self, certificate: Certificate) -> Presented:
        """Return a certificate with its evidence rows and whatever is wrong with them."""
        path = self.folder / certificate.evidence_file.path
        try:
            data = path.read_bytes()
        except (OSError, ValueError):
            return Presented(certificate, None, (f"its evidence file {shown(path)} is missing",))
        if hashlib.sha256(data).hexdigest() != certificate.evidence_file.sha256:
            fault = f"its evidence file {shown(path)} is not the one it was issued on"
            return Presented(certificate, None, (fault,))
        try:
            rows = _rows(data.decode(), certificate.scale)
            faults = recompute(certificate, rows)
        except (CertificateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            # Whatever a forger makes of the file, it is the certificate that is at fault.
            return Presented(certificate, None, (str(error) or repr(error),))
        return Presented(certificate, rows, tuple(faults))


def _stem(judge: str, criterion: str) -> str:
    return re.sub(r"[^\w.-]", "_", f"{judge}-{criterion}")


def _rows(text: str, spec: ScaleSpec) -> tuple[Row, ...]:
    return tuple(Row.from_json(_json(line), spec) for line in text.split("\n") if line)


def _read(path: Path, model: type[Kept], form: str, *, hint: str | None = None) -> Kept:
    name = shown(path)
    try:
        text = path.read_bytes().decode()
        data = _json(text)
        found = data.get("format") if isinstance(data, dict) else None
        if found != form:
            raise CertificateError(_wrong_format(found, form), file=name, hint=hint)
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise CertificateError(f"{where}: {first['msg'].lower()}", file=name, hint=hint) from error
    except OSError as error:
        raise CertificateError(f"cannot be read: {error.strerror}", file=name, hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise CertificateError(
            f"is not JSON as judgekit writes it: {error}", file=name, hint=hint
        ) from error


def _json(text: str) -> Any:
    def refuse(word: str) -> NoReturn:
        raise ValueError(f"{word} is no JSON number")

    return json.loads(text, parse_constant=refuse)


def _wrong_format(found: object, form: str) -> str:
    if isinstance(found, str) and found.split("/")[0] == form.split("/", maxsplit=1)[0]:
        return f"its format is {found!r}, this version reads {form!r}: upgrade judgekit"
    return f"this is no {form.split('/', maxsplit=1)[0]} file"
