"""The real data sets that come with the project, read with options only."""

from collections import Counter
from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.importers.columns import ColumnOptions, share_options
from judgekit.importers.items import items_from_labels, read_item_set, read_items
from judgekit.importers.judgments import read_judgments
from judgekit.importers.labels import read_labels
from judgekit.importers.outcomes import one_per_item, to_outcomes
from judgekit.importers.recorded import RecordedSet
from judgekit.importers.table import read_table
from judgekit.importers.where import parse_where, select
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.reading import read_text
from judgekit.labels.adjudicate import adjudicate
from judgekit.labels.label import LabelSet
from judgekit.rubric.model import Criterion
from tests.importers.make import BINARY, PAIR, PAIR_WITH_TIE, criterion

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
ONE_TO_FOUR = criterion("overall", (1, 2, 3, 4), "ordinal")
USEFUL = criterion("usefulness", (0, 1, 2, 3, 4), "ordinal")
SIDES = {"1": "A", "2": "B", "0": "tie"}


@pytest.fixture
def folder(request: pytest.FixtureRequest) -> Path:
    """One data folder; the test is skipped where it is absent."""
    path = DATA / str(request.param)
    if not path.is_dir():
        pytest.skip(f"the data set {request.param} is not beside the repository")
    return path


def of(name: str) -> pytest.MarkDecorator:
    """Run a test on one data folder."""
    return pytest.mark.parametrize("folder", [name], indirect=True)


def outcomes(recorded: RecordedSet, target: Criterion) -> dict[str, Judgment | Unjudged]:
    """One outcome an item, its replies read by the reader of live judges."""
    return one_per_item(to_outcomes(recorded, target, lambda text: read_text(text, target.scale)))


def causes(recorded: RecordedSet, target: Criterion) -> Counter[str]:
    """What became of each item: its level's name, or the cause why it has none."""
    names = target.scale.names
    return Counter(
        o.cause if isinstance(o, Unjudged) else "na" if o.level is None else names[o.level]
        for o in outcomes(recorded, target).values()
    )


def agreeing(labels: LabelSet, recorded: RecordedSet, target: Criterion) -> tuple[int, int]:
    """Items on which the judge gives the humans' (majority) level, and items in all."""
    humans = adjudicate(labels.labels, rule="majority").levels
    judged = outcomes(recorded, target)
    same = [
        item
        for item, (rated,) in humans.items()
        if isinstance(found := judged[item], Judgment) and found.level == rated.level
    ]
    return len(same), len(humans)


@of("llm_rubric_real")
def test_llm_rubric(folder: Path) -> None:
    """Nine criteria told apart by the items file; 0 is a human's "not applicable"."""
    items = read_items(folder / "items.jsonl")
    whole = read_labels(folder / "labels.csv", [ONE_TO_FOUR], level_map={"0": "na"})

    assert len(items) == 2007
    assert items[0].metadata == {
        "dialogue": "65c5b4b9f174b2897703736a",
        "criterion": "Q0",
        "system": 2,
    }
    assert len(whole.labels) == 2007
    assert len(whole.raters) == 13
    assert Counter(v.level for v in whole.labels) == {None: 306, 0: 116, 1: 401, 2: 608, 3: 576}
    assert whole.notes == (
        "took 'annotator' for rater",
        "took 'label' for level",
        'read "0" as na (306 rows)',
    )


@of("llm_rubric_real")
@pytest.mark.parametrize("way", ["--where", "--criterion"])
def test_llm_rubric_on_one_criterion(folder: Path, way: str) -> None:
    """`--where criterion=Q0` and `--criterion Q0` reach the same rows."""
    judge, level_map = "gpt-3.5-turbo-16k/argmax", {"0": "na"}
    items = read_items(folder / "items.jsonl")
    asked, of_items = None, None
    if way == "--criterion":
        asked, of_items = "Q0", {i.id: str(i.metadata["criterion"]) for i in items}

    labels = read_labels(
        folder / "labels.csv",
        [ONE_TO_FOUR],
        level_map=level_map,
        criterion=asked,
        item_criteria=of_items,
    )
    recorded = read_judgments(
        folder / "judgments.jsonl",
        [ONE_TO_FOUR],
        judge_id=judge,
        level_map=level_map,
        criterion=asked,
        item_criteria=of_items,
    )
    if way == "--where":
        kept = {item.id for item in select(items, parse_where(["criterion=Q0"]))}
        labels, recorded = labels.keep(kept), recorded.keep(kept)

    assert len(labels.labels) == len(recorded.rows) == 223
    assert set(labels.items) == set(recorded.items)
    assert causes(recorded, ONE_TO_FOUR) == {"4": 144, "3": 74, "2": 3, "1": 2}


@of("llm_rubric_real")
def test_llm_rubric_expected_scores_are_no_levels(folder: Path) -> None:
    """A mean over token probabilities is off the scale: counted, not rounded."""
    recorded = read_judgments(
        folder / "judgments.jsonl", [ONE_TO_FOUR], judge_id="gpt-3.5-turbo-16k/expected"
    )

    assert causes(recorded, ONE_TO_FOUR) == {"out_of_scale": 2007}


@of("ice_conala")
def test_ice_conala(folder: Path) -> None:
    """Ragged raters, levels only in the raw replies, four judges in one file."""
    labels = read_labels(folder / "labels.csv", [USEFUL])
    items = read_items(folder / "items.jsonl", columns=ColumnOptions(case="question"))
    reference = adjudicate(labels.labels)

    assert (len(labels.labels), len(labels.items), len(labels.raters)) == (11_033, 2500, 16)
    assert Counter(len(rows) for rows in reference.levels.values()) == {
        2: 6,
        3: 450,
        4: 1068,
        5: 534,
        6: 380,
        7: 47,
        8: 15,
    }
    assert len({item.case for item in items}) == 500
    assert len(items) == len(items_from_labels(labels)) == 2500

    with pytest.raises(InputError, match=r"mixes 4 judges: .*no_step_no_ref \(2,500 rows\)"):
        read_judgments(folder / "judgments.jsonl", [USEFUL])
    recorded = read_judgments(
        folder / "judgments.jsonl", [USEFUL], judge_id="gpt-3.5-turbo/no_step_no_ref"
    )
    assert len(recorded.rows) == 2500
    assert all(row.level_written is None and row.raw for row in recorded.rows)
    assert recorded.notes == (
        "took 'score' for level",
        "7,500 rows of other judges left out",
    )


@of("ice_conala")
def test_ice_conala_replies_are_read(folder: Path) -> None:
    """Bare levels in the main, none of them lost."""
    recorded = read_judgments(
        folder / "judgments.jsonl", [USEFUL], judge_id="gpt-3.5-turbo/no_step_with_ref"
    )

    found = causes(recorded, USEFUL)

    assert sum(found.values()) == 2500
    assert sum(found[level] for level in "01234") >= 2490


@of("agent_as_judge")
@pytest.mark.parametrize("agent", ["MetaGPT", "GPT-Pilot", "OpenHands"])
def test_agent_as_judge(folder: Path, agent: str) -> None:
    """Three agents in one file; `criterion` is free text there and no criterion of ours."""
    items = read_item_set(folder / "items.jsonl", columns=ColumnOptions(case="task"))
    kept = {item.id for item in select(items.items, parse_where([f"agent={agent}"]))}
    of_items = {item.id: str(item.metadata["criterion"]) for item in items.items}

    labels = read_labels(folder / "labels.csv", [BINARY], item_criteria=of_items)
    recorded = read_judgments(folder / "judgments.jsonl", [BINARY], item_criteria=of_items)

    assert (len(items.items), len(labels.labels), len(recorded.rows)) == (1098, 1098, 1098)
    assert len({item.case for item in items.items}) == 57
    assert recorded.judge == "agent-as-a-judge/gray_box"
    # Published alignment 92.08, 86.61 and 90.16% of 366.
    aligned = {"MetaGPT": 337, "GPT-Pilot": 317, "OpenHands": 330}[agent]
    assert agreeing(labels.keep(kept), recorded.keep(kept), BINARY) == (aligned, 366)


@of("pandalm")
def test_pandalm_labels(folder: Path) -> None:
    """Three raters of every pair; the published majority counts come out."""
    labels = read_labels(folder / "labels.csv", [PAIR_WITH_TIE], level_map=SIDES)
    items = read_item_set(folder / "items.jsonl", inputs=["input", "output_a", "output_b"])

    reference = adjudicate(labels.labels, rule="majority")

    assert (len(labels.labels), labels.raters) == (2997, ("annotator1", "annotator2", "annotator3"))
    winners = Counter(rows[0].level for rows in reference.levels.values())
    assert winners == {0: 422, 1: 472, 2: 105}
    assert reference.ties == ()
    assert len(items.items) == 999
    assert items.notes == ("took the two outputs for output_a and output_b",)


@of("pandalm")
@pytest.mark.parametrize(
    ("judge", "expected", "same"),
    [
        ("gpt-3.5-turbo", {"A": 460, "B": 476, "tie": 38, "out_of_scale": 25}, 697),
        ("pandalm-7b", {"A": 433, "B": 459, "tie": 107}, 667),
    ],
)
def test_pandalm_judges(folder: Path, judge: str, expected: dict[str, int], same: int) -> None:
    """The word Tie needs no rename, garbage is off the scale; one option serves both files."""
    tables = [read_table(folder / name) for name in ("labels.csv", "judgments.jsonl")]
    for_labels, for_judgments = share_options(ColumnOptions(level="score"), tables)

    labels = read_labels(tables[0], [PAIR_WITH_TIE], level_map=SIDES, columns=for_labels)
    recorded = read_judgments(
        tables[1], [PAIR_WITH_TIE], level_map=SIDES, columns=for_judgments, judge_id=judge
    )

    assert len(labels.labels) == 2997
    assert set(recorded.items) == set(labels.items)
    assert causes(recorded, PAIR_WITH_TIE) == expected
    # The verified accuracies, .6977 and .6677 of 999.
    assert agreeing(labels, recorded, PAIR_WITH_TIE) == (same, 999)


@of("llmbar")
def test_llmbar(folder: Path) -> None:
    """Both orders of every pair: consistent, or contradictory on a scale without a tie."""
    level_map = {"1": "A", "2": "B"}
    labels = read_labels(folder / "labels.csv", [PAIR], level_map=level_map)
    items = read_item_set(folder / "items.jsonl", inputs=["input", "output_a", "output_b"])
    recorded = read_judgments(
        folder / "judgments.jsonl", [PAIR], level_map=level_map, judge_id="GPT-4/Vanilla_NoRules"
    )

    assert Counter(v.level for v in labels.labels) == {0: 206, 1: 213}
    assert (len(items.items), len(recorded.rows)) == (419, 838)
    assert Counter(row.order for row in recorded.rows) == {"AB": 419, "BA": 419}
    # Published for each subset: the pairs in which both orders name one winner.
    equal = {"Natural": 97, "Neighbor": 120, "GPTInst": 83, "GPTOut": 41, "Manual": 41}
    for subset, pairs in equal.items():
        kept = {i.id for i in select(items.items, parse_where([f"subset={subset}"]))}
        found = causes(recorded.keep(kept), PAIR)
        assert found["A"] + found["B"] == pairs
        assert found["contradictory"] == len(kept) - pairs


@of("llmbar")
def test_llmbar_levels_and_replies_agree(folder: Path) -> None:
    """The recorded winners are in item order, the replies in shown order: both lead to one."""
    level_map = {"1": "A", "2": "B"}
    both = read_judgments(
        folder / "judgments.jsonl", [PAIR], level_map=level_map, judge_id="GPT-4/Vanilla_NoRules"
    )
    options = ColumnOptions(level="target")  # a column without a value in these rows
    replies = read_judgments(
        folder / "judgments.jsonl",
        [PAIR],
        level_map=level_map,
        judge_id="GPT-4/Vanilla_NoRules",
        columns=options,
    )

    assert all(row.level_written is None for row in replies.rows)
    assert causes(replies, PAIR) == causes(both, PAIR)


@of("llmbar")
def test_llmbar_ratings_are_no_pairwise_judgments(folder: Path) -> None:
    """One row for each output: refused as two judgments of one item."""
    with pytest.raises(InputError, match=r"judged twice by 'GPT-4/Rating'"):
        read_judgments(folder / "judgments.jsonl", [PAIR], judge_id="GPT-4/Rating")
