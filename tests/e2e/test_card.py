"""`judgekit card`: one page on a certified judge, and none on any other."""

from __future__ import annotations

import json

import pytest

from judgekit.reports.card import _cell
from tests.e2e.house import House

LEVELS = ("rude", "cold", "polite", "friendly")


@pytest.fixture
def certified(served: House) -> House:
    """A project whose judge takes a polite reply in ten for a cold one."""
    said = [LEVELS[i % 4] for i in range(120)]
    served.labels(said)
    path = served.root / "labels.csv"
    lines = path.read_text().splitlines()
    for i in range(2, 120, 40):  # the reply says polite, and the rater cold
        lines[i + 1] = lines[i + 1].removesuffix("polite") + "cold"
    path.write_text("\n".join(lines) + "\n")
    assert served.run("calibrate", "tone", "--sampling", "random").code == 0
    return served


def test_the_page_says_what_the_number_is_worth(certified: House) -> None:
    """Its parts, with the figures of the certificate."""
    done = certified.run("card", "tone")
    page = (certified.root / "cards" / "tone.md").read_text()
    document = json.loads((certified.root / "cards" / "tone.json").read_text())
    certificate = json.loads(next(certified.root.glob("certificates/tone-*.json")).read_text())
    (part,) = document["criteria"]

    assert done.code == 0
    assert "cards/tone.md" in done.out
    assert part["certificate"] == certificate["id"]
    assert part["evidence"]["gate_agreement"] == certificate["evidence"]["gate_agreement"]
    assert part["confused"] == [{"people": "cold", "judge": "polite", "times": 3, "of": 33}]
    assert "people say cold, the judge polite: 3 of 33" in page
    assert certificate["id"] in page
    assert "The reply greets or thanks the customer." in page
    assert "120 items in 120 cases, by 1 rater" in page
    assert f"holds until {certificate['expires_at'][:10]}" in page
    assert "the price is not known" in page
    assert certified.run("card", "tone", "--json").json == document


def test_costs_where_the_price_is_known(certified: House) -> None:
    """Every call that one item takes is counted."""
    path = certified.root / "judgekit.toml"
    path.write_text(path.read_text() + "price = { input = 1.0, output = 2.0 }\n")
    part = certified.run("card", "tone", "--json").json["criteria"][0]

    assert part["cost"]["calls_per_item"] == 1
    tokens = part["cost"]["prompt_tokens"]
    assert tokens * 1e-6 < part["cost"]["usd_per_item"] < tokens * 1e-6 + 0.001


def test_no_card_without_a_certificate(served: House) -> None:
    """Refused like every number, and nothing is written."""
    done = served.run("card", "tone")

    assert done.code == 3
    assert "no_certificate" in done.out + done.err
    assert not (served.root / "cards").exists()


def test_it_takes_no_file_of_the_project(certified: House) -> None:
    """The labels, the rubric and the certificates stay what they are."""
    for name in ("labels.csv", "rubrics/tone.jinja", "certificates/x.md"):
        assert certified.run("card", "tone", "--out", name).code == 2


def test_no_other_file_is_replaced(certified: House) -> None:
    """Neither by the page nor by the JSON beside it; a card is replaced by a newer one."""
    certified.write("labels/lab.json", "[]")
    certified.write("cards/tone.md", "my own words")
    for told in (["--out", "labels/lab.md"], ["--out", "card.json"], ["--out", "/dev/stdout"], []):
        done = certified.run("card", "tone", *told)
        assert done.code == 2, told
    assert (certified.root / "labels" / "lab.json").read_text() == "[]"
    assert (certified.root / "cards" / "tone.md").read_text() == "my own words"
    assert not (certified.root / "card.json").exists()
    certified.write("judgekit-labels.md", "")
    assert certified.run("card", "tone", "--out", "page.md").code == 0
    assert certified.run("card", "tone", "--out", "page.md").code == 0


def test_texts_are_shown_as_they_are() -> None:
    """Nothing in a rubric is taken for Markdown or HTML."""
    assert _cell("a | b\n<script>`x`</script> \\| [c](d)") == (
        r"a \| b &lt;script&gt;\`x\`&lt;/script&gt; \\\| \[c\](d)"
    )
