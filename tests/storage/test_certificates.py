import json
import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from judgekit.calibration.certificate import Certificate
from judgekit.calibration.gate import Presented, Revocation
from judgekit.calibration.looks import Look, item_digests
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.errors import CertificateError
from judgekit.storage.certificates import CertificateStore, evidence_text, sha256_of
from tests.calibration.make import DAY, GOOD, NOW, certificate, judge, rubric, spec, table_rows

BINARY = spec("binary")


@pytest.fixture
def store(tmp_path: Path) -> CertificateStore:
    """An empty folder of certificates, which is not there yet."""
    return CertificateStore(tmp_path / "certificates")


def put(store: CertificateStore, rows: tuple[Row, ...] = GOOD, **more: Any) -> Path:
    """Write a certificate with its evidence."""
    made = certificate(rows, **more)
    return store.write(made, evidence_text(rows, made.scale))


def look(fingerprint: str = "a" * 64, **more: Any) -> Look:
    """A look at ten items."""
    facts: dict[str, Any] = {
        "judge": "tone",
        "criterion": "tone",
        "fingerprint": fingerprint,
        "labels": "e" * 64,
        "items": item_digests(Row(str(i), human=0, judge=0) for i in range(10)),
        "verdict": "calibrated",
        "looked_at": NOW,
    }
    return Look(**{**facts, **more})


def test_there_and_back(store: CertificateStore) -> None:
    """What was written is read again, with its rows and without fault."""
    made = certificate()
    path = put(store)

    assert store.read(path) == made
    assert store.certificates() == [made]
    assert store.presented() == ([Presented(made, GOOD, ())], [])


def test_reading_and_writing_changes_no_byte(store: CertificateStore) -> None:
    """A certificate written from what was read is the same file."""
    path = put(store)
    before = path.read_bytes()

    again = store.write(store.read(path), evidence_text(GOOD, BINARY))

    assert again == path
    assert path.read_bytes() == before


def test_an_empty_project_has_none(store: CertificateStore) -> None:
    """No folder, no trouble."""
    assert store.presented() == ([], [])
    assert store.looks() == store.revocations() == store.certificates() == []


def test_files_are_named_by_what_they_hold(store: CertificateStore) -> None:
    """Equal content, equal name; another content, another name."""
    first, again, other = put(store), put(store), put(store, now=NOW + DAY)

    assert first == again != other
    assert first.name == f"tone-tone-{certificate().short}.json"
    evidence = sorted((store.folder / "evidence").iterdir())
    assert [e.name for e in evidence] == [f"{sha256_of(evidence_text(GOOD, BINARY))[:16]}.jsonl"]


@pytest.mark.parametrize("name", ["a/b", "../up", "with space", "ünï", "a\\b", "x:y", "n\nl"])
def test_names_stay_in_the_folder(store: CertificateStore, name: str) -> None:
    """Whatever a judge is called."""
    path = put(store, of=judge(name=name))

    assert path.parent == store.folder
    assert store.read(path).judge.name == name
    assert not any(c in path.name for c in "/\\: \n")


def test_evidence_is_one_row_a_line(store: CertificateStore) -> None:
    """Canonical JSON, levels by value, no item text."""
    rows = (
        *table_rows([[30, 1], [1, 30]], {"unreadable": 1}, na={0: 1}),
        Row("aside", "case", set_aside="rubric_example"),
        Row("na", None, "ann", set_aside="human_na"),
        Row("line\u2028sep", 'quo"te', "bob", 1, 1, weight=0.5),
    )
    made = certificate(rows)
    store.write(made, evidence_text(rows, made.scale))
    lines = (store.folder / made.evidence_file.path).read_text("utf-8").split("\n")

    assert lines[0] == '{"human":0,"item":"i0000","judge":0,"rater":"ann","text":"t"}'
    assert '{"case":"case","item":"aside","set_aside":"rubric_example"}' in lines
    assert '{"item":"na","rater":"ann","set_aside":"human_na"}' in lines
    assert store.presented()[0] == [Presented(made, rows, ())]


def test_half_a_surrogate_is_kept_as_its_escape(store: CertificateStore) -> None:
    """An item id that UTF-8 cannot hold still makes a file whose hash is right."""
    rows = (*GOOD, Row("half \ud83d", None, "ann", 1, 1))
    made = certificate(rows)

    store.write(made, evidence_text(rows, made.scale))

    assert store.presented()[0] == [Presented(made, rows, ())]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"\x00\xff\xfe\x89PNG", "is not JSON"),
        (b"[]", "this is no judgekit.certificate file"),
        (b"null", "this is no judgekit.certificate file"),
        (b"3", "this is no judgekit.certificate file"),
        (b"{}", "this is no judgekit.certificate file"),
        (b'{"format": "judgekit.look/1"}', "this is no judgekit.certificate file"),
        (b'{"format": 1}', "this is no judgekit.certificate file"),
        (
            b'{"format": "judgekit.certificate/2", "id": "x"}',
            "/2', this version reads 'judgekit.certificate/1': upgrade judgekit",
        ),
        (b'{"format": "judgekit.certificate/1"}', "id: field required"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"format": NaN}', "is not JSON"),
        (b'{"format": ' + b"9" * 5000 + b"}", "is not JSON"),
    ],
)
def test_what_is_no_certificate_is_told_apart(
    store: CertificateStore, content: bytes, told: str
) -> None:
    """Empty, cut off, binary, something else, of a newer format: one clear message, no crash."""
    good = put(store)
    bad = store.folder / "tone-tone-000000.json"
    bad.write_bytes(content)

    with pytest.raises(CertificateError) as refused:
        store.read(bad)
    presented, (broken,) = store.presented()

    assert told in refused.value.message
    assert refused.value.file is not None
    assert refused.value.file.endswith(bad.name)
    assert (broken.path, broken.why) == (bad, refused.value.message)
    assert [p.certificate for p in presented] == store.certificates() == [store.read(good)]


def test_a_folder_named_like_a_certificate(store: CertificateStore) -> None:
    """Cannot be read, and says so."""
    (store.folder / "x.json").mkdir(parents=True)

    _, (broken,) = store.presented()

    assert "cannot be read: Is a directory" in broken.why


def test_a_broken_file_belongs_to_the_judge_it_is_named_after(store: CertificateStore) -> None:
    """Judges whose names begin alike are told apart by the criterion."""
    put(store)
    path = put(store, of=judge(rubric(criteria=["facts"]), name="tone-2"), name="facts")
    path.write_bytes(b"")
    _, (broken,) = store.presented()

    assert broken.of_judge("tone-2", ["facts", "style"])
    assert not broken.of_judge("tone", ["tone"])
    assert not broken.of_judge("tone-2", ["style"])


def test_evidence_that_is_missing(store: CertificateStore) -> None:
    """The certificate stays readable and cannot be trusted."""
    put(store)
    made = certificate()
    (store.folder / made.evidence_file.path).unlink()

    ((shown,), broken) = store.presented()

    assert broken == []
    assert shown.rows is None
    assert "is missing" in shown.faults[0]
    assert made.evidence_file.path in shown.faults[0]


@pytest.mark.parametrize("change", [b"", b"\n", b"{}\n", b"\xff"])
def test_evidence_that_was_touched(store: CertificateStore, change: bytes) -> None:
    """Emptied, or anything added at the end."""
    put(store)
    path = store.folder / certificate().evidence_file.path
    path.write_bytes(path.read_bytes() + change if change else b"")

    ((shown,), _) = store.presented()

    assert shown.rows is None
    assert "is not the one it was issued on" in shown.faults[0]


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"item": "i"}', '{"item": "i", "human": 7, "judge": 1}', '{"weight": NaN}']
)
def test_evidence_that_is_no_evidence(store: CertificateStore, line: str) -> None:
    """Even when hash and id were made to fit: what cannot be read is a fault, not a crash."""
    made = certificate()
    text = evidence_text(GOOD, BINARY) + line + "\n"
    file = made.evidence_file.model_copy(update={"sha256": sha256_of(text)})
    forged = made.model_copy(update={"evidence_file": file})
    forged = forged.model_copy(update={"id": forged.computed_id()})
    store.write(forged, text)

    ((shown,), _) = store.presented()

    assert shown.rows is None
    assert shown.faults


def test_the_ledger(store: CertificateStore) -> None:
    """One file a look; the same look again changes nothing."""
    store.add_look(look())
    before = {p.name: p.read_bytes() for p in (store.folder / "looks").iterdir()}
    store.add_look(look(looked_at=NOW + DAY))

    assert store.looks() == [look()]
    assert {p.name: p.read_bytes() for p in (store.folder / "looks").iterdir()} == before

    store.add_look(look("b" * 64))
    store.add_look(look(criterion="facts"))
    assert len(store.looks()) == 3


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"<<<<<<< ours", b'{"format":"judgekit.look/2"}', b'{"format":"judgekit.look/1"}'],
)
def test_a_ledger_with_a_hole_protects_nothing(store: CertificateStore, content: bytes) -> None:
    """An entry that cannot be read is named, with the way out; the others do not hide it."""
    store.add_look(look())
    bad = store.folder / "looks" / "0000.json"
    bad.write_bytes(content)

    with pytest.raises(CertificateError) as refused:
        store.looks()

    assert refused.value.file is not None
    assert refused.value.file.endswith("looks/0000.json")
    assert "version control" in (refused.value.hint or "")


def revocation(**more: Any) -> Revocation:
    """A certificate taken back."""
    facts = {"certificate": "c" * 64, "message": "agreement fell", "revoked_at": NOW}
    return Revocation(**{**facts, **more})


def test_revocations(store: CertificateStore) -> None:
    """Each is a file of its own; one that cannot be read is not passed over."""
    folder = store.folder / "revocations"
    folder.mkdir(parents=True)
    (folder / "a.json").write_text(revocation().model_dump_json())

    assert store.revocations() == [revocation()]

    (folder / "b.json").write_text('{"format": "judgekit.revocation/1", "certificate": ')
    with pytest.raises(CertificateError, match=r"b\.json"):
        store.revocations()


def test_times_have_zones(store: CertificateStore) -> None:
    """An edited time without a zone is refused when it is read, not when it is compared."""
    path = put(store)
    path.write_text(path.read_text().replace("2026-11-30T09:12:00Z", "2026-11-30T09:12:00"))

    with pytest.raises(CertificateError, match="issued_at"):
        store.read(path)


def _write_many(folder: Path, start: int) -> None:
    store = CertificateStore(folder)
    for n in range(start, start + 20):
        put(store, now=NOW + n % 25 * DAY)
        store.add_look(look(f"{n % 25:064}"))


def test_several_writers_do_not_harm_each_other(store: CertificateStore) -> None:
    """Four processes write the same and other files at once: all are whole, none is left over."""
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_many, args=(store.folder, n)) for n in (0, 5, 10, 20)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)

    presented, broken = store.presented()

    assert [w.exitcode for w in writers] == [0] * 4
    assert broken == []
    assert len(presented) == 25
    assert all(p.faults == () for p in presented)
    assert len(store.looks()) == 25
    assert [p for p in store.folder.rglob("*") if p.name.startswith(".")] == []


def test_json_on_disk_holds_no_nan(store: CertificateStore) -> None:
    """A number that is none is written as null, and then does not fit its certificate."""
    made = certificate()
    check = made.checks[0].model_copy(update={"observed": float("nan")})
    odd: Certificate = made.model_copy(update={"checks": (check, *made.checks[1:])})

    path = store.write(odd, evidence_text(GOOD, BINARY))

    assert "nan" not in path.read_text().casefold()
    assert store.presented()[0][0].faults


def test_what_a_person_finds(store: CertificateStore) -> None:
    """Readable JSON: one fact a line, letters as they are."""
    path = put(store, of=judge(name="Größe"))
    text = path.read_text("utf-8")

    assert '\n "format": "judgekit.certificate/1",' in text
    assert '"name": "Größe"' in text
    assert text.endswith("}\n")
    assert ScaleSpec.model_validate_json(json.dumps(json.loads(text)["scale"])) == BINARY
