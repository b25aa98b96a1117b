"""Every number and every word of a certificate and its evidence, changed one at a time."""

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from judgekit.calibration import certificate as certificate_module
from judgekit.calibration.gate import Presented, admit
from judgekit.calibration.measure import measure
from judgekit.calibration.policy import Policy
from judgekit.calibration.scope import Scope
from judgekit.errors import GateRefusal
from judgekit.fingerprint import fingerprint
from judgekit.judging.judge import Judge
from judgekit.storage.certificates import CertificateStore, evidence_text, sha256_of
from tests.calibration.make import DAY, NOW, certificate, judge, rubric, table_rows

Path_ = tuple[str | int, ...]

ROWS = table_rows(
    [[25, 1, 0, 0, 0], [1, 25, 1, 0, 0], [0, 1, 25, 1, 0], [0, 0, 1, 25, 1], [0, 0, 0, 1, 25]],
    {"unreadable": 2},
    na={3: 1},
)
JUDGE: Judge = judge(rubric("ordinal", passes_at=3), api_base="http://localhost:8000/v1")
MADE = certificate(
    ROWS,
    JUDGE,
    look=2,
    sampling="random",
    split="test",
    options={"level_map": {"ok": "grade 3"}},
    scope=Scope(items=120, length=(10, 20, 30), scripts={"LATIN": 1.0}, levels=(0.2,) * 5),
)
TEXT = json.dumps(MADE.model_dump(mode="json"))

# What is no figure and follows from nothing else: with a new id these read as another certificate.
# The gate compares the judge's with the judge; the rest is remembered for people.
FREE = {
    "criterion",
    "judge",
    "models_served",
    "parameters_left_out",
    "labels.sha256",
    "labels.path",
    "labels.split",
    "labels.sampling",
    "labels.options",
    "scope",
    "policy.recommended_items",
    "policy.max_incomplete",
    "policy.alias_days",
    "policy.local_days",
    "policy.warn_days",
    "policy.max_level_shift",
    "policy.beat_length",  # this evidence has no text to count
    "policy.human_margin",  # the fixed route does not ask
    "policy.human_floor",
    "judgekit",
    "signature",
    "evidence_file.path",
}


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every scalar of a JSON document and how it is reached."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, (*path, name))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))
    else:
        yield path, value


def edits(value: Any) -> list[Any]:
    """What somebody could write in the place of a scalar."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, float):
        return [value + 0.01, value * 0.99 + 1e-6]
    if isinstance(value, str):
        return [value + "x", "other"]
    return [0, "x"]


def edited(path: Path_, value: Any) -> dict[str, Any]:
    """The certificate with one scalar changed."""
    document = json.loads(TEXT)
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return dict(document)


LEAVES = list(leaves(json.loads(TEXT)))
NAMES = [".".join(map(str, path)) for path, _ in LEAVES]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CertificateStore]:
    """A store with the evidence of the untouched certificate, which is measured only once."""
    made = CertificateStore(tmp_path_factory.mktemp("certificates"))
    made.write(MADE, evidence_text(ROWS, MADE.scale)).unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificate_module, "measure", lru_cache(measure))
        yield made


def shown(store: CertificateStore, document: dict[str, Any]) -> Presented | None:
    """What storage makes of a certificate with this content; None when it cannot be read."""
    path = store.folder / "edited.json"
    path.write_text(json.dumps(document))
    try:
        presented, broken = store.presented()
    finally:
        path.unlink()
    assert len(presented) + len(broken) == 1
    return presented[0] if presented else None


def refusal_codes(presented: Presented) -> set[str]:
    """Why the gate refuses this certificate to its judge."""
    try:
        admit(presented, JUDGE, MADE.policy, NOW + DAY)
    except GateRefusal as refusal:
        return {reason.code for reason in refusal.reasons}
    return set()


def test_the_untouched_certificate_holds(store: CertificateStore) -> None:
    """The control: nothing below is refused for another reason."""
    presented = shown(store, json.loads(TEXT))

    assert presented is not None
    assert presented.faults == ()
    assert refusal_codes(presented) == set()
    assert len(LEAVES) > 300


@pytest.mark.parametrize(("path", "value"), LEAVES, ids=NAMES)
def test_one_edit_is_found(store: CertificateStore, path: Path_, value: Any) -> None:
    """Any leaf: the file cannot be read any more, or it is found not to hold, and is refused."""
    if path == ("signature",):
        return  # outside the id: a signature is checked by whoever knows the key
    for new in edits(value):
        presented = shown(store, edited(path, new))

        if presented is not None:
            assert presented.faults
            expected = "no_certificate" if path == ("criterion",) else "certificate_invalid"
            assert expected in refusal_codes(presented)


@pytest.mark.parametrize(("path", "value"), LEAVES, ids=NAMES)
def test_a_new_id_does_not_hide_an_edited_figure(
    store: CertificateStore, path: Path_, value: Any
) -> None:
    """Figures are measured again: making the id anew helps only where nothing is measured."""
    name = ".".join(map(str, path))
    document = edited(path, edits(value)[0])
    if path != ("id",):
        content = {k: v for k, v in document.items() if k not in {"id", "signature"}}
        document["id"] = fingerprint(content)

    presented = shown(store, document)

    if presented is None or presented.faults:
        return
    assert any(name == known or name.startswith(f"{known}.") for known in FREE), name
    if name.startswith("judge.") and name not in OUTSIDE:
        assert refusal_codes(presented), name


# Outside the fingerprint: a name may change without the judge changing.
OUTSIDE = {"judge.name", "judge.rubric.name", "judge.rubric.version"} | {
    name for name in NAMES if name.startswith("judge.rubric.parts.")
}


def test_every_edit_of_the_evidence_is_found(store: CertificateStore) -> None:
    """Any scalar of any row, a row taken out, doubled or moved."""
    path = store.folder / MADE.evidence_file.path
    original = path.read_text()
    lines = original.splitlines()
    try:
        for n in (0, 60, len(lines) - 1):
            row = json.loads(lines[n])
            for name, value in row.items():
                for new in edits(value):
                    changed = json.dumps({**row, name: new})
                    path.write_text("\n".join([*lines[:n], changed, *lines[n + 1 :]]) + "\n")
                    assert _faults(store), (n, name, new)
        for changed_lines in (lines[1:], [*lines, lines[0]], [*lines[1:], lines[0]]):
            path.write_text("\n".join(changed_lines) + "\n")
            assert _faults(store)
    finally:
        path.write_text(original)
    assert not _faults(store)


def _faults(store: CertificateStore) -> tuple[str, ...]:
    presented = shown(store, json.loads(TEXT))
    assert presented is not None
    return presented.faults


def test_evidence_with_its_hash_and_id_made_anew(store: CertificateStore, tmp_path: Path) -> None:
    """Changing what the judge said changes the figures, whatever hashes are made to fit."""
    other = CertificateStore(tmp_path)
    rows = list(ROWS)
    rows[0] = type(rows[0])(rows[0].item, None, "ann", 0, 4, text="t")
    text = evidence_text(tuple(rows), MADE.scale)
    file = MADE.evidence_file.model_copy(update={"sha256": sha256_of(text)})
    forged = MADE.model_copy(update={"evidence_file": file})
    forged = forged.model_copy(update={"id": forged.computed_id()})
    other.write(forged, text)

    ((presented,), _) = other.presented()

    assert any(fault.startswith("evidence.agreement.value") for fault in presented.faults)
    assert Policy() == MADE.policy
    assert refusal_codes(presented) == {"certificate_invalid"}
