"""What is written: inert templates, front matter that reads back, no word that nobody wrote."""

import contextlib
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judgekit.api.rubric_import import ImportedRubric, import_rubric
from judgekit.errors import JudgekitError
from judgekit.importers.graders.writer import inert
from judgekit.rubric.render import render
from judgekit.rubric.sandbox import environment
from judgekit.storage.configuration import Configuration
from judgekit.storage.configuration_errors import checked, load_toml
from tests.importers.graders.make import SAMPLES, imported, only, sample, usable

PIECES = st.sampled_from(
    (
        *("{{", "}}", "{%", "%}", "{#", "#}", "{", "}", "-", " ", "7*7", "raw", "endraw"),
        *("endblock", "include 'x'", "'", '"', "\n", "---", "é", "| safe", "criterion.name"),
        *("\u202e", "# a"),
    )
)
HOSTILE = st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join)


@given(HOSTILE)
@example("{{ 7*7 }}")
@example("{% raw %}{% endraw %}{{ x }}")
@example("{% include 'secret' %}")
@example("{{{{ x }}}}{#")
def test_any_text_is_inert_as_a_template(text: str) -> None:
    """It renders as itself; only characters that cannot be shown are gone."""
    shown = environment({"t": f"[{inert(text)}]"}).get_template("t").render()

    expected = re.sub("[\u202a-\u202e\u2066-\u2069]", "", text.replace("\t", "  "))
    assert re.sub(r"\s+", "", shown) == re.sub(
        r"[\s\x00-\x1f\x7f-\x9f\ufeff\ufffe\uffff]+", "", f"[{expected}]"
    )


@settings(max_examples=60)
@given(HOSTILE)
@example("{{ 7*7 }} {% include 'x' %}")
@example("---\n---")
def test_any_prompt_gives_a_rubric_that_says_it(text: str) -> None:
    """Whatever stands in a prompt, the rubric parses and shows the item in its place."""
    yes_or_no = "Answer yes if it has a date, otherwise no."
    grader = {
        "type": "label_model",
        "name": "n",
        "labels": ["yes", "no"],
        "input": [{"role": "user", "content": f"{text}\n\n{yes_or_no} {{{{sample.output_text}}}}"}],
    }
    with TemporaryDirectory() as folder:
        result = imported(json.dumps(grader), ".json", Path(folder))
    rubric = usable(result)
    fields = dict.fromkeys(rubric.inputs, "THE ITEM")
    messages = render(rubric, rubric.criteria[0], fields)

    assert "THE ITEM" in messages[-1][1]
    assert "49" not in messages[0][1].replace(text, "")


@pytest.mark.parametrize("tool", SAMPLES)
def test_every_sample_is_usable_or_flagged(tool: str, tmp_path: Path) -> None:
    """A rubric that does not parse has a violation of the linter, and one of the import."""
    result = import_rubric(sample(tool, tmp_path))
    empty = result.text.count("definition:\n") + result.text.count("levels: []")

    assert result.tool == tool
    assert bool(empty) is any(v.code in ("RB06", "SC02") for v in result.found)
    if not empty:
        usable(result)


@pytest.mark.parametrize("tool", SAMPLES)
def test_no_definition_is_made_up(tool: str, tmp_path: Path) -> None:
    """Every word of a definition stands in the source; but for the two ways to say "not"."""
    path = sample(tool, tmp_path)
    source = " ".join(re.findall(r"\w+", path.read_text("utf-8").replace("\\n", " "))).lower()
    result = import_rubric(path)
    said = re.findall(r"definition: (.+(?:\n {10,}.+)*)", result.text)

    assert said
    for written in said:
        text = written.strip("'").removeprefix("This is not so: ")
        words = " ".join(re.findall(r"\w+", text.replace("[Input]", "question"))).lower()
        assert words in source, text


@pytest.mark.parametrize("tool", SAMPLES)
def test_the_settings_are_what_a_project_takes(tool: str, tmp_path: Path) -> None:
    """The lines for judgekit.toml are read as they stand."""
    result = import_rubric(sample(tool, tmp_path))
    text = "\n".join(result.settings)
    read = checked(Configuration, load_toml(text, "judgekit.toml"), file="judgekit.toml", text=text)

    assert len(read.judges) == text.count("rubric = ")
    if tool == "openai":
        assert read.judges["openai"].model == "openai/gpt-4.1-mini"
        assert read.judges["openai"].params == {"seed": 7}
        assert read.judges["openai"].max_tokens == 200


def rubric_of(requirement: str, folder: Path) -> ImportedRubric:
    """What comes of a checklist with one entry."""
    return imported(json.dumps([{"requirement": requirement}]), ".json", folder)


@pytest.mark.parametrize(
    "text",
    ["yes", "null", "~", "1.0", "- a: b # c", "'\"", "a\n---\nb", "*a &b !c", "\u2028x", "x" * 900],
)
def test_front_matter_reads_back(text: str, tmp_path: Path) -> None:
    """What YAML would take for something else stays the text it was."""
    found = only(rubric_of(text, tmp_path)).scale.levels[1].definition

    assert found == " ".join(text.split())


def test_criteria_of_different_prompts_keep_their_own(tmp_path: Path) -> None:
    """Each is shown the task that was its own."""
    content = "You read {0}.\n\nCount them. Answer yes if {0} are there, otherwise no."
    graders = [
        {
            "type": "label_model",
            "name": name,
            "labels": ["yes", "no"],
            "input": [{"role": "user", "content": content.format(name)}],
        }
        for name in ("recipes", "letters")
    ]
    rubric = usable(imported(json.dumps(graders), ".json", tmp_path))
    fields = dict.fromkeys(rubric.inputs, "x")
    shown = [render(rubric, criterion, fields)[0][1] for criterion in rubric.criteria]

    assert ["You read recipes" in text for text in shown] == [True, False]
    assert ["You read letters" in text for text in shown] == [False, True]


KEYS = (
    *("type", "name", "input", "labels", "range", "pass_threshold", "content", "assert", "tests"),
    *("prompts", "value", "criteria", "rubric", "evaluationParams", "weight", "scoreRange"),
    *("requirement", "options", "label", "score1_description", "model", "items", "defaultTest"),
    *("threshold", "sections"),
)
KINDS = st.sampled_from(["score_model", "label_model", "multi", "llm-rubric", "select-best"])
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | HOSTILE,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS), inner | KINDS, max_size=5)
    ),
    max_leaves=25,
)


@pytest.mark.slow
@settings(max_examples=400)
@given(TREES, st.sampled_from([None, *SAMPLES]))
def test_any_document_is_imported_or_refused(tree: object, tool: str | None) -> None:
    """A file of any form gives a rubric or one clear error, never a traceback."""
    with TemporaryDirectory() as folder, contextlib.suppress(JudgekitError):
        result = imported(json.dumps(tree), ".json", Path(folder), tool=tool)
        assert result.text.startswith("---\n")
