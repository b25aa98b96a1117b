"""``judgekit certificate show`` and ``verify``."""

from __future__ import annotations

from typing import Annotated

import typer

from judgekit.api.certificates import verify_certificate
from judgekit.cli import options as opt
from judgekit.cli.app import SETTINGS
from judgekit.cli.run import FALLS_SHORT, FINE
from judgekit.cli.screen import document_or_lines
from judgekit.reports.certificate import certificate_lines
from judgekit.reports.documents import certificate_json

app = typer.Typer(help="Show and verify certificates offline.", no_args_is_help=True, **SETTINGS)
Name = Annotated[
    str, typer.Argument(metavar="CERTIFICATE", help="A certificate file, or the start of an id.")
]


@app.command()
def show(certificate: Name, as_json: opt.Json = False) -> int:
    """Show what a certificate says; exit 1 when it does not hold."""
    found, faults = verify_certificate(certificate)
    lines = certificate_lines(found)
    if faults:
        lines = [f"This certificate does not hold: {faults[0]}.", *lines]
    document_or_lines(found.model_dump(mode="json"), lines, as_json=as_json)
    return FALLS_SHORT if faults else FINE


@app.command()
def verify(certificate: Name, as_json: opt.Json = False) -> int:
    """Measure every figure again; exit 1 when one does not hold."""
    found, faults = verify_certificate(certificate)
    lines = [f"certificate {found.short}: every figure follows from its evidence."]
    if faults:
        lines = [f"certificate {found.short} does not hold:", *(f"  {fault}" for fault in faults)]
    document_or_lines(certificate_json(found, faults), lines, as_json=as_json)
    return FALLS_SHORT if faults else FINE
