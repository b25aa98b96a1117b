"""What prompts say of their levels: every form, and nothing that is lost without a word."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from judgekit.api.rubric_import import ImportedRubric
from judgekit.importers.graders.wording import level_words, yes_or_no
from tests.importers.graders.make import at, definitions, imported, only, rules

NOT_TOWN = "This is not so: it names a town"
NONE = "None of the other definitions fits."


def said(text: str, labels: tuple[str, ...] | None = None) -> dict[str, str]:
    """What is read of the levels; nothing of it may be left unread."""
    words = level_words(text, labels)
    assert not words.unread, [words.rest[start:end] for start, end in words.unread]
    return words.said


@pytest.mark.parametrize(
    "text",
    [
        "Score 1 if it names a town; 0.5 if it names a land; 0.0 otherwise.",
        "Return 1 if it names a town, 0.5 if it names a land, else 0.",
        "1.0 if it names a town. 0.5 if it names a land. Anything else scores 0.",
        "1 when it names a town, 0.5 when it names a land, and 0 in all other cases.",
        "If it names a town, return 1. If it names a land, return 0.5. Otherwise, return 0.",
        "If it names a town → 1\nIf it names a land → 0.5\nElse → 0",
        "- Score 1.0 if it names a town\n- Score 0.5 if it names a land\n- 0.0: otherwise",
        "Give it 1 if it names a town, 0.5 if it names a land. All others get a score of 0.",
    ],
)
def test_what_is_left_over_is_a_level(text: str) -> None:
    """However the prompt says "otherwise"; the sentences are gone from the question."""
    found = level_words(text)
    left = {"otherwise", NONE}

    assert found.said.keys() == {"1", "0.5", "0"}
    assert found.said["1"] == "it names a town"
    assert found.said["0.5"] == "it names a land"
    assert found.said["0"] in left
    assert found.rest.strip() == ""


@pytest.mark.parametrize(
    "text",
    [
        "PASS if it names a town. Otherwise: fail",
        "pass if it names a town, fail otherwise",
        "Return true if it names a town, else return false.",
        "Answer 'yes' only if it names a town.",
        "Antworte ja, wenn it names a town, sonst nein.",
        "Réponds oui si it names a town, sinon non.",
        "evet: it names a town\nhayır: This is not so: it names a town",
    ],
)
def test_two_answers_in_any_words(text: str) -> None:
    """Pass and fail, true and false, yes and no, in the languages rubrics are written in."""
    assert yes_or_no(text).said == {"yes": "it names a town", "no": NOT_TOWN}


SOME = {"0": "none", "1": "some", "5": "all"}


@pytest.mark.parametrize(
    "text",
    [
        "How many? 0 = none, 1 = some, 5 = all.",
        "How many? 0: none; 1: some; 5: all",
        "How many? 0 - none, 1 - some, 5 - all.",
        "How many? 0 means none, 1 means some and 5 means all.",
        "How many?\n0 => none\n1 => some\n5 => all",
        "How many? 0 is none, 1 is some, 5 is all.",
        "How many, with 0 being none, 1 being some and 5 being all?",
        "How many, on a scale from 0 (none), 1 (some) to 5 (all)?",
        'How many? {"0": "none", "1": "some", "5": "all"}',
        "How many?\n\n| Score | Words |\n|---|---|\n| 0 | none |\n| **1** | some |\n| 5 | all |\n",
        "How many?\n| Meaning | Level |\n| --- | :-: |\n| none | 0 |\n| some | 1 |\n| all | 5/5 |",
        "How many?\n\n### 5\nall\n\n### 1\nsome\n\n### 0\nnone\n",
        "How many?\n**Score 5**: all\n**Score 1**: some\n**Score 0**: none",
        "How many? Score from 0 to 5:\n  5 all\n  1 some\n  0 none\n",
        "How many?\nScore 0 points: none\nScore 1 point: some\nScore 5 points: all",
        "Combien ?\nNote 0 : none\nNote 1 : some\nNote 5 : all",
    ],
)
def test_lists_of_numbers(text: str) -> None:
    """In a table, line by line, in one line."""
    assert said(text) == SOME
    assert level_words(text).rest.strip().startswith(("How many", "Combien"))


def test_bullets_below_a_level_are_its_words() -> None:
    """All of them, up to the next level."""
    text = "### 5 - Whole\n- all facts\n- no errors\n\n### 1 - Bare\n- no fact\n\nBe strict."
    words = level_words(text)

    assert words.said == {"5": "Whole: all facts; no errors", "1": "Bare: no fact"}
    assert words.rest.strip() == "Be strict."
    assert said("Score 1.0 if:\n- it rings\n- it opens\n\nScore 0.0 otherwise.") == {
        "1": "it rings; it opens",
        "0": "This is not so: it rings; it opens",
    }


def test_labels_with_words_in_brackets() -> None:
    """And labels in any of the other forms."""
    labels = ("warm", "cold")
    told = {"warm": "it greets", "cold": "it blames"}

    assert said("Label it 'warm' (it greets) or 'cold' (it blames).", labels) == told
    assert said("WARM means it greets. COLD means it blames.", labels) == told
    assert said("warm = it greets; cold = it blames", labels) == told
    assert said("'warm' if it greets, 'cold'\n   if it blames.", labels) == told


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Award 1 point if it rings. Award 1 point if it opens.", 2),
        ("Add 1 point for each source. Deduct 2 points if it is rude.", 2),
        ("Facts: 1 = wrong, 5 = right. Tone: 1 = rude, 5 = kind.", 2),
        ("Facts:\n1: wrong\n5: right\n\nTone:\n1: rude\n5: kind", 4),
        ("Scoring:\n1. Poor: nothing\n2. Fair: some\n3. Whole: all", 3),
        ("Fair (3): some facts\nWhole (5): all facts", 2),
        ("A score of 5 goes to whole answers, a score of 1 to empty ones.", 1),
        ("A 5 is given to whole answers.", 1),
        ("| 1 | 2 |\n|---|---|\n| none | all |", 1),
        ("In doubt, 0.5.", 1),
        ("Rate it from 1 to 10, where 10 is whole.", 1),
        ("PASS if it rings. FAIL if it does not.", 2),
        ("Give 5 for whole answers, 1 for bare ones and 0 for each other.", 1),
        ("If yes, fail. Otherwise, pass.", 2),
        ("Answer 'yes' only if both hold:\nit rings, and it opens.", 1),
    ],
)
def test_what_cannot_be_read_is_named(text: str, left: int) -> None:
    """Sums of points, two scales in one, numbers that may be weights: no level is made of them."""
    words = level_words(text)

    assert len(words.unread) == left
    assert not words.said


@pytest.mark.parametrize(
    "text",
    [
        "Step 1: read it. Step 2: count. Step 3: decide.",
        "1. Read it.\n2. Count them.",
        "Is the sum (($21,213 - $19,604) / $19,604) x 100 there?",
        "Does it say that 29% = Azure, and when 19% = Cloud?",
        "Does it arrive at 10:30 or 11:15?",
        "Is it shorter than 3 sentences, with 2 examples?",
    ],
)
def test_other_numbers_are_no_levels(text: str) -> None:
    """Steps, figures, times, counts."""
    words = level_words(text)

    assert (words.said, words.unread) == ({}, ())


def test_a_level_of_two_conditions_is_left_open() -> None:
    """The first is a list, which is not read: the second alone would say something else."""
    text = (
        "Answer 'yes' only if both hold:\n1. it rings\n2. it opens\n\n"
        "It is still 'yes' if it shuts. Answer 'no' if it burns."
    )
    words = level_words(text, ("yes", "no"))

    assert words.said == {"no": "it burns"}
    assert len(words.unread) == 2


def test_a_condition_that_is_a_list_is_no_definition() -> None:
    """Of "both hold" nobody can tell what it is."""
    words = level_words("Answer yes only if both hold:\n1. it rings\n2. it opens", ("yes", "no"))

    assert words.said == {}
    assert len(words.unread) == 1


def test_a_sentence_stays_that_has_more_numbers() -> None:
    """What was read of it is not all that it says."""
    words = level_words("Give 5, 1 for some and 0 for none.")

    assert words.said == {"1": "some", "0": "none"}
    assert words.rest == "Give 5, 1 for some and 0 for none."
    assert len(words.unread) == 1


def test_a_long_condition_is_whole() -> None:
    """Its parts are its own, with semicolons between them; only a level ends it."""
    text = "Answer yes only if all of it holds: (1) it rings; (2) it opens; and (3) it shuts."

    assert said(text, ("yes", "no"))["yes"].endswith("(3) it shuts")
    assert said("1 if a; 0.5 if b; 0 if c.") == {"1": "a", "0.5": "b", "0": "c"}


def test_levels_in_between_leave_the_rest_open() -> None:
    """Where a score between was not read, the lowest is not all that the highest is not."""
    words = level_words("Score 1 if it rings, otherwise 0. A score of 0.5 goes to some.")

    assert words.said == {"1": "it rings", "0": ""}


def score_model(prompt: str, folder: Path, **more: Any) -> ImportedRubric:
    """What comes of a grader with this prompt."""
    content = [{"role": "user", "content": f"{prompt} {{{{sample.output_text}}}}"}]
    grader = {"type": "score_model", "name": "n", "input": content, **more}
    return imported(json.dumps(grader), ".json", folder)


def rubric(value: str, folder: Path, **more: Any) -> ImportedRubric:
    """What comes of an assertion."""
    assertion = {"type": "llm-rubric", "value": value, **more}
    whole = {"prompts": ["x"], "defaultTest": {"assert": [assertion]}}
    return imported(yaml.safe_dump(whole), ".yaml", folder)


def test_ranges_are_levels(tmp_path: Path) -> None:
    """Each is one, and labels with the old scores have a map."""
    prompt = "How many? 1-2: none; 3-4: some; 5: all."
    result = score_model(prompt, tmp_path, range=[1, 5], pass_threshold=3)

    assert definitions(only(result)) == {1: "none", 2: "some", 3: "all"}
    assert only(result).passes_at == 2
    assert "(1-2, 3-4, 5)" in at(result, "import-span")[0][1]
    parts = rubric("Is it right?\n0.0-0.4: no\n0.5-1.0: all of it", tmp_path)
    assert definitions(only(parts)) == {1: "no", 2: "all of it"}
    assert [v.help for v in parts.lost if v.rule == "import-span"] == [
        "labels with the old scores: write the number of the range in their place"
    ]


def test_scores_outside_of_the_range_are_named(tmp_path: Path) -> None:
    """What the grader would never give; without a range of its own, the prompt's levels count."""
    prompt = "How many? 0 = none, 1 = some, 5 = all."
    outside = score_model(prompt, tmp_path, range=[0, 1])
    without = score_model(prompt, tmp_path)

    assert definitions(only(outside)) == {0: "none", 1: "some"}
    assert "says what 5 means" in at(outside, "import-level-unread")[0][1]
    assert definitions(only(without)) == {0: "none", 1: "some", 5: "all"}
    assert "import-setting" in rules(without)


def test_a_range_without_words_is_no_requirement(tmp_path: Path) -> None:
    """*Rate it from 1 to 10* is no statement that holds or does not."""
    result = rubric("Rate how funny it is on a scale of 1 to 10", tmp_path)

    assert "value: 10" in result.text
    assert "import-range-bare" in rules(result)
    assert "This is not so" not in result.text


def test_one_score_of_two_takes_its_words(tmp_path: Path) -> None:
    """The other is the requirement itself."""
    result = rubric("It names the park. Score 0 if the park is another one.", tmp_path)

    assert definitions(only(result)) == {1: "It names the park.", 0: "the park is another one"}


@pytest.mark.parametrize("negated", [False, True])
def test_definitions_nobody_wrote_are_named(tmp_path: Path, *, negated: bool) -> None:
    """On whichever side "not" stands."""
    kind = "not-llm-rubric" if negated else "llm-rubric"
    result = rubric("Names the park", tmp_path, type=kind)
    name = "absent" if negated else "no"

    assert f"level '{name}' of 'names_park'" in at(result, "import-definition-made")[0][1]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Is it polite and short?", "polite_short"),
        ("The response must not mention a price", "mention_price"),
        ("Does it do it?", "does_it_do_it"),
        ("Nennt den Preis der Ware", "nennt_den_preis_der"),
        ("是否礼貌?", "是否礼貌"),
    ],
)
def test_a_name_says_what_it_is_about(tmp_path: Path, text: str, name: str) -> None:
    """Not with which words a question begins."""
    assert rubric(text, tmp_path).criteria == (name,)
