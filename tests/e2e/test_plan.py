"""``judgekit plan``, from the command line and from the library."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from judgekit.api.plan import plan
from judgekit.errors import InputError, UnknownName
from tests.e2e.house import BINARY, House

TWO = """---
rubric: both
version: 1
inputs: [input, output]
criteria:
  - criterion: polite
    question: Is it polite?
    scale: binary
    levels:
      - {value: 1, definition: It greets., drops_when: It does not.}
      - {value: 0, definition: It does not.}
  - criterion: tone
    question: How friendly is it?
    scale: ordinal
    passes_at: 2
    levels:
      - {value: 1, definition: It is rude.}
      - {value: 2, definition: It is polite., drops_when: It is rude.}
      - {value: 3, definition: It is warm., drops_when: It is merely polite.}
---
"""


def test_the_ordinary_question(house: House) -> None:
    """In a process of its own, in a few seconds, the number stands in the first line."""
    begun = time.monotonic()
    process = house.spawn("plan", "--expect", "0.8", "--bar", "0.6", "--prevalence", "0.1")
    out, err = process.communicate(timeout=100)
    took = time.monotonic() - begun

    assert process.returncode == 0, err
    assert err == ""
    assert out.startswith("About 330 labels: a chance of 80% that a judge of kappa 0.80 is")
    assert "Even mix" in out
    assert all(len(line) <= 80 for line in out.splitlines())
    # 5 s are promised; a busy machine gets more
    assert took < 30


def test_the_document(house: House) -> None:
    """One JSON document; the same question, the same answer, from the library too."""
    found = house.run("plan", "--expect", "0.9", "--json")

    assert found.code == 0
    assert found.err == ""
    assert found.json["format"] == "judgekit.plan/1"
    assert found.json == house.run("plan", "--expect", "0.9", "--json").json
    assert found.json["items"] == plan(0.9, project=house.root).items
    assert found.json["items"] == found.json["chances"][1]["items"]


def test_a_bar_out_of_reach(house: House) -> None:
    """Exit 1, and the reason in both forms."""
    arguments = ("plan", "--expect", "0.8", "--human-agreement", "0.3")

    told, document = house.run(*arguments), house.run(*arguments, "--json")

    assert told.code == document.code == 1
    assert told.out.startswith("No number of labels gets a judge of kappa 0.80 over 0.60.")
    assert document.json["items"] is None
    assert document.json["reason"]["code"] == "ceiling_below_bar"


def test_scale_and_policy_of_a_judge(house: House) -> None:
    """The rubric's levels and pass line, the project's bar; no model is needed."""
    house.judge()
    with (house.root / "judgekit.toml").open("a") as file:
        file.write("[policy]\nmin_agreement = 0.5\n")

    found = house.run("plan", "tone", "--expect", "0.9", "--json")

    assert found.code == 0
    assert [level["name"] for level in found.json["planned"]["levels"]] == [
        *("rude", "cold", "polite", "friendly")
    ]
    assert found.json["judge"] == "tone"
    assert found.json["asked"]["min_agreement"] == 0.5
    assert "pass_agreement" in {check["name"] for check in found.json["checks"]}
    stricter = house.run("plan", "tone", "--expect", "0.9", "--bar", "0.7", "--json")
    assert stricter.json["asked"]["min_agreement"] == 0.7
    assert stricter.json["items"] > found.json["items"]


def test_the_policy_of_the_project_without_a_judge(house: House) -> None:
    """A judgekit.toml near by says what is asked."""
    house.write("judgekit.toml", "[policy]\nmin_agreement = 0.4\nmin_items = 60\n")

    found = house.run("plan", "--json").json

    assert found["asked"]["min_agreement"] == 0.4
    assert found["items"] >= 60


def test_a_rubric_file(house: House) -> None:
    """A file does as well as a name, and needs no model."""
    house.write("grounded.jinja", BINARY)

    found = house.run("plan", "grounded.jinja", "--prevalence", "0.3", "--json").json

    assert found["planned"]["levels"][1] == {"value": 1, "name": "supported", "share": 0.3}


def test_a_rubric_of_several_criteria(house: House) -> None:
    """Each is planned on its own."""
    house.write("both.jinja", TWO)

    which = house.run("plan", "both.jinja")
    found = house.run("plan", "both.jinja", "--criterion", "polite", "--json")
    wrong = house.run("plan", "both.jinja", "--criterion", "polit")

    assert which.code == wrong.code == 2
    assert "polite, tone" in which.err
    assert "Did you mean 'polite'?" in wrong.err
    assert found.json["criterion"] == "polite"
    assert found.json["planned"]["kind"] == "binary"


def test_everything_at_once(house: House) -> None:
    """Raters, cases, a judge with habits of its own, a later look, looks on the way."""
    found = house.run(
        *("plan", "--levels", "3", "--kind", "nominal", "--prevalence", "0.2,0.3,0.5"),
        *("--judge-shares", "0.25,0.3,0.45", "--raters", "2", "--human-agreement", "0.85"),
        *("--per-case", "2", "--icc", "0.2", "--power", "0.7", "--look", "2"),
        *("--looks", "60,121", "--expect", "0.8", "--json"),
    )

    assert found.code == 0, found.err
    assert found.json["labels"] == 2 * found.json["items"]
    assert found.json["items"] % 2 == 0
    assert found.json["looks"][0]["looks"] == [60, 122]
    assert [c["chance"] for c in found.json["chances"]] == [0.5, 0.7, 0.8, 0.9]
    assert found.json["planned"]["judge_shares"] == [0.25, 0.3, 0.45]


BAD = [
    (("--prevalence", "many"), "no list of numbers"),
    (("--prevalence", "0.5,0.6"), "add up to 1.1"),
    (("--prevalence", "0,1"), "above 0"),
    (("--prevalence", "0.2,0.3,0.5"), "has 3 shares, the scale has 2 levels"),
    (("--levels", "3", "--prevalence", "0.1"), "has 1 share, the scale has 3 levels"),
    (("--expect", "1.4"), "between 0.01 and 1"),
    (("--expect", "nan"), "between 0.01 and 1"),
    (("--bar", "2"), "bar must lie"),
    (("--levels", "1"), "levels must lie"),
    (("--levels", "3", "--kind", "binary"), "two levels, not 3"),
    (("--levels", "4", "--kind", "pairwise"), "A, B and a tie"),
    (("--levels", "3", "--kind", "nominal", "--weights", "linear"), "no order for linear"),
    (("--passes-at", "2"), "belongs to ordinal scales"),
    (("--levels", "5", "--passes-at", "6"), "passes_at must lie between 2 and 5"),
    (("--icc", "0.3"), "outputs of one case"),
    (("--per-case", "3", "--icc", "1.5"), "icc must lie"),
    (("--power", "1"), "power must lie"),
    (("--raters", "0"), "raters must lie"),
    (("--human-agreement", "0"), "human_agreement must lie"),
    (("--look", "0"), "look must lie"),
    (("--looks", "100,50"), "rising numbers"),
    (("--looks", "1.5"), "whole numbers"),
    (("--looks", "nan"), "no list of numbers"),
    (("--prevalence", "0.3", "--judge-shares", "0.6"), "allow kappa 0.4444 at most"),
    (("nobody",), "no judge named 'nobody'"),
    (("--criterion", "tone"), "belongs to a judge"),
    (("tone", "--levels", "3"), "a scale of its own"),
    (("--kind", "fuzzy"), "fuzzy"),
]


@pytest.mark.parametrize(("arguments", "why"), BAD, ids=lambda value: " ".join(value)[:40])
def test_bad_input(house: House, arguments: tuple[str, ...], why: str) -> None:
    """Exit 2 and one clear message, in both forms."""
    house.judge()

    told, document = house.run("plan", *arguments), house.run("plan", *arguments, "--json")

    assert (told.code, told.out) == (2, "")
    assert why in told.err
    assert document.code == 2
    assert document.json["format"] == "judgekit.error/1"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"levels": 2.5}, InputError),
        ({"raters": float("nan")}, InputError),
        ({"judge": "nobody"}, UnknownName),
        ({"looks": []}, InputError),
    ],
)
def test_bad_arguments(house: House, options: dict[str, Any], error: type[Exception]) -> None:
    """The library says the same."""
    with pytest.raises(error):
        plan(0.8, project=house.root, **options)


def test_shares_as_people_write_them(house: House) -> None:
    """Thirds are 0.33; they are read as shares of their sum."""
    found = plan(0.9, project=house.root, levels=3, prevalence=[0.33, 0.33, 0.33])

    assert found.design.human == pytest.approx((1 / 3,) * 3)


def test_nothing_is_written(house: House) -> None:
    """A plan leaves no trace."""
    house.judge()
    before = house.files()

    assert house.run("plan", "tone", "--expect", "0.9").code == 0

    assert house.files() == before
    assert not (house.root / ".judgekit").exists()
    assert json.dumps(sorted(before)) == json.dumps(sorted(house.files()))
