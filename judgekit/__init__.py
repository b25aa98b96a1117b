"""judgekit: an LLM judge as a measuring instrument.

Measure a judge against human labels, certify it, and give no number from one that is not::

    import judgekit as jk

    judge = jk.load_judge("language")                     # a name in judgekit.toml
    result = jk.calibrate(judge, "labels/language.csv")   # verdict, evidence, certificate
    scoring = jk.score_items(judge, "items.jsonl")        # GateRefusal without a certificate

Everything is loaded on first use: importing judgekit costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judgekit.api.admission import admit_judge
    from judgekit.api.agreement import declare_scale, measure_agreement
    from judgekit.api.calibrate import calibrate
    from judgekit.api.certificates import verify_certificate
    from judgekit.api.init import init_project
    from judgekit.api.lint import lint_paths
    from judgekit.api.material import ReadOptions
    from judgekit.api.plan import PlanOptions, plan
    from judgekit.api.preview import preview_judge
    from judgekit.api.runtime import How, Judged, judge_items, judge_items_async, judge_stream
    from judgekit.api.score import score_items
    from judgekit.api.setup import JudgeSetup, load_judge
    from judgekit.api.status import project_status
    from judgekit.api.version import __version__
    from judgekit.calibration.certificate import Certificate
    from judgekit.calibration.gate import CertifiedJudge, admit
    from judgekit.calibration.policy import Policy
    from judgekit.calibration.result import Agreement, Calibration
    from judgekit.errors import (
        AlignmentError,
        CertificateError,
        GateRefusal,
        InputError,
        JudgekitError,
        JudgingError,
        LabelError,
        MissingExtra,
        ModelCallError,
        Reason,
        RubricError,
        StorageError,
        UnknownName,
    )
    from judgekit.importers.items import read_items
    from judgekit.importers.itemstream import ItemFile
    from judgekit.importers.labels import read_labels
    from judgekit.importers.rubrics import load_rubric
    from judgekit.importers.verdicts import VerdictColumns
    from judgekit.judging.item import Item
    from judgekit.judging.judge import Judge
    from judgekit.judging.judgment import Judgment, Unjudged
    from judgekit.judging.judgments import Judgments
    from judgekit.labels.label import Label
    from judgekit.rubric.model import Criterion, Rubric
    from judgekit.scoring.score import Scores, score
    from judgekit.stats.estimate import Estimate, Undefined
    from judgekit.storage.project import open_project

_HOMES = {
    "judgekit.api.admission": ("admit_judge",),
    "judgekit.api.agreement": ("declare_scale", "measure_agreement"),
    "judgekit.api.calibrate": ("calibrate",),
    "judgekit.api.certificates": ("verify_certificate",),
    "judgekit.api.init": ("init_project",),
    "judgekit.api.lint": ("lint_paths",),
    "judgekit.api.material": ("ReadOptions",),
    "judgekit.api.plan": ("PlanOptions", "plan"),
    "judgekit.api.preview": ("preview_judge",),
    "judgekit.api.runtime": ("How", "Judged", "judge_items", "judge_items_async", "judge_stream"),
    "judgekit.api.score": ("score_items",),
    "judgekit.api.setup": ("JudgeSetup", "load_judge"),
    "judgekit.api.status": ("project_status",),
    "judgekit.api.version": ("__version__",),
    "judgekit.calibration.certificate": ("Certificate",),
    "judgekit.calibration.gate": ("CertifiedJudge", "admit"),
    "judgekit.calibration.policy": ("Policy",),
    "judgekit.calibration.result": ("Agreement", "Calibration"),
    "judgekit.errors": (
        "AlignmentError",
        "CertificateError",
        "GateRefusal",
        "InputError",
        "JudgekitError",
        "JudgingError",
        "LabelError",
        "MissingExtra",
        "ModelCallError",
        "Reason",
        "RubricError",
        "StorageError",
        "UnknownName",
    ),
    "judgekit.importers.items": ("read_items",),
    "judgekit.importers.itemstream": ("ItemFile",),
    "judgekit.importers.labels": ("read_labels",),
    "judgekit.importers.rubrics": ("load_rubric",),
    "judgekit.importers.verdicts": ("VerdictColumns",),
    "judgekit.judging.item": ("Item",),
    "judgekit.judging.judge": ("Judge",),
    "judgekit.judging.judgment": ("Judgment", "Unjudged"),
    "judgekit.judging.judgments": ("Judgments",),
    "judgekit.labels.label": ("Label",),
    "judgekit.rubric.model": ("Criterion", "Rubric"),
    "judgekit.scoring.score": ("Scores", "score"),
    "judgekit.stats.estimate": ("Estimate", "Undefined"),
    "judgekit.storage.project": ("open_project",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Agreement",
    "AlignmentError",
    "Calibration",
    "Certificate",
    "CertificateError",
    "CertifiedJudge",
    "Criterion",
    "Estimate",
    "GateRefusal",
    "How",
    "InputError",
    "Item",
    "ItemFile",
    "Judge",
    "JudgeSetup",
    "Judged",
    "JudgekitError",
    "JudgingError",
    "Judgment",
    "Judgments",
    "Label",
    "LabelError",
    "MissingExtra",
    "ModelCallError",
    "PlanOptions",
    "Policy",
    "ReadOptions",
    "Reason",
    "Rubric",
    "RubricError",
    "Scores",
    "StorageError",
    "Undefined",
    "Unjudged",
    "UnknownName",
    "VerdictColumns",
    "__version__",
    "admit",
    "admit_judge",
    "calibrate",
    "declare_scale",
    "init_project",
    "judge_items",
    "judge_items_async",
    "judge_stream",
    "lint_paths",
    "load_judge",
    "load_rubric",
    "measure_agreement",
    "open_project",
    "plan",
    "preview_judge",
    "project_status",
    "read_items",
    "read_labels",
    "score",
    "score_items",
    "verify_certificate",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module the first time it is used."""
    if name not in _HOME:
        raise AttributeError(f"module 'judgekit' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
