"""Slices, as a person reads them."""

import json

from judgekit.calibration.slices import slice_reports
from judgekit.reports.slices import slice_lines, slices_json
from tests.calibration.make import spec, table_rows

EN = table_rows([[40, 4], [5, 41]])
DE = table_rows([[18, 12], [10, 20]], first=1000)
FR = table_rows([[3, 1], [1, 4]], first=2000)
OF = {
    **{row.item: "en" for row in EN},
    **{row.item: "de" for row in DE},
    **{row.item: "fr" for row in FR[:-2]},
}


def test_the_table() -> None:
    """Each slice with its figures; what differs, what cannot be told, what is left out."""
    (report,) = slice_reports((*EN, *DE, *FR), spec("binary"), {"language": OF})

    lines = slice_lines(report)

    assert "\n".join(lines) == TABLE
    assert max(map(len, lines)) <= 80


TABLE = """
By language (explored; of the slices said to differ, about 10% at most are false
alarms):
  language  items  kappa, 95% interval   passes met (n)  fails met (n)    errors
  en           90  0.80  (0.64 to 0.89)       0.89 (46)      0.91 (44)   9 of 90
  de           60  0.27  (0.01 to 0.49)       0.67 (30)      0.60 (30)  22 of 60
  fr            7  too few                     0.67 (3)       0.75 (4)    2 of 7
  en: 26 points fewer errors than elsewhere (13 to 39; p <0.001, adjusted
  <0.001).
  de: 25 points more errors than elsewhere (12 to 39; p <0.001, adjusted
  <0.001).
  Kappa is not the same in all slices (X^2 14.7 on 1 df, p <0.001). Other shares
  of levels move it too.
  Too few items to say anything, 30 are asked: fr.
  2 items without language.
""".strip()


def test_no_pass_line_no_sides() -> None:
    """A nominal scale has neither passes nor fails; slices that are alike are no proof."""
    rows = table_rows([[20, 1, 0], [0, 20, 1], [1, 0, 20]])
    of = {row.item: "ab"[i % 2] for i, row in enumerate(rows)}
    (report,) = slice_reports(rows, spec("nominal"), {"half": of}, declared=["half"])

    lines = slice_lines(report)

    assert "passes met" not in lines[1]
    assert lines[0].startswith("By half (named beforehand; the chance of any false alarm is held")
    assert "no proof that there is none" in " ".join(" ".join(lines).split())


def test_json() -> None:
    """Every figure and its doubt; no nan."""
    reports = slice_reports((*EN, *DE, *FR), spec("binary"), {"language": OF})

    (document,) = slices_json(reports)

    json.dumps(document, allow_nan=False)
    assert document["column"] == "language"
    assert document["unusable"] == ["fr"]
    assert [one["value"] for one in document["slices"]] == ["en", "de", "fr"]
    assert document["slices"][1]["differs"] is True
