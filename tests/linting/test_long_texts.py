"""Files that are far longer than any rubric cost what their length costs, not its square."""

import time

import pytest

from judgekit.linting.violations import check
from tests.rubric.make import LOAD, edited

QUESTION = "question: Is it met?"


def seconds(text: str) -> float:
    """CPU time of one check."""
    began = time.process_time()
    check(text, file="r.jinja", load=LOAD)
    return time.process_time() - began


@pytest.mark.parametrize("unit", ["„", "“", "«", '"', "'", "`", "“a", "3: ", "and "])
def test_a_long_question(unit: str) -> None:
    """Quotes that are opened again and again, and never closed."""
    text = edited("binary", {QUESTION: f"question: >-\n      Q {unit * (40_000 // len(unit))}"})

    assert seconds(text) < 2


MANY = {
    "names on one line": "".join(f"{{{{ foo{n} }}}}" for n in range(8_000)),
    "names on many lines": "".join(f"{{{{ foo{n} }}}}\n" for n in range(8_000)),
    "conditions": "".join(f"{{% if foo{n} %}}a{{% endif %}}" for n in range(4_000)),
    "filters": "".join(f"{{{{ input|foo{n} }}}}" for n in range(2_000)),
}


@pytest.mark.parametrize("kind", MANY)
def test_a_body_with_thousands_of_names(kind: str) -> None:
    """Each is found, or it is said that there are too many."""
    text = edited("binary", body=MANY[kind])

    assert seconds(text) < 4
    found = check(text, file="r.jinja", load=LOAD)
    assert any(
        "foo1999" in v.message or "more than 500 different names" in v.message for v in found
    )


def test_comments_that_are_never_closed() -> None:
    """A body of comments is an empty one; whether it is one is seen in one sweep."""
    text = edited("binary", body="{#" * 40_000)

    assert seconds(text) < 2
    assert [v.code for v in check(text, file="r.jinja", load=LOAD) if v.line >= 17] == ["TP03"]


def test_words_are_pointed_at_whole() -> None:
    """A name that another begins with is another name."""
    text = edited("binary", body="{{ input }}{{ output }} foobar {{ foo }}")
    (found,) = [v for v in check(text, file="r.jinja", load=LOAD) if v.code == "TP04"]

    assert found.column == "{{ input }}{{ output }} foobar {{ foo }}".index("foo }}") + 1


def test_an_unknown_filter_is_no_suggestion_for_the_next() -> None:
    """What is meant is a filter there is."""
    text = edited("binary", body="{{ input|uper2 }} {{ output|uper23 }}")
    helps = [v.help for v in check(text, file="r.jinja", load=LOAD) if v.code == "TP06"]

    assert len(helps) == 2
    assert not any(help_ and "uper2" in help_ for help_ in helps)
