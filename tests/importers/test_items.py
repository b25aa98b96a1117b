from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError, LabelError
from judgekit.importers.columns import ColumnOptions
from judgekit.importers.items import items_from_labels, read_item_set, read_items
from judgekit.importers.labels import read_labels
from judgekit.importers.table import read_table
from judgekit.judging.item import Item
from judgekit.labels.label import LabelSet
from tests.importers.make import TONE, write, write_jsonl
from tests.labels.make import label

CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Weather?", "name": "kim"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
    {"role": "tool", "content": "rain", "tool_call_id": "1"},
    {"role": "assistant", "content": [{"type": "text", "text": "Rain."}]},
]


def refused(path: Path, *inputs: str) -> InputError:
    """The error that reading items gives."""
    with pytest.raises(InputError) as caught:
        read_items(path, inputs=inputs)
    assert caught.value.file == str(path)
    return caught.value


def test_text_case_and_the_rest(tmp_path: Path) -> None:
    """What a rubric may show, the case, and metadata that is never shown."""
    rows = [
        {
            "id": 7,
            "input": "Hi?",
            "output": "Hi.",
            "context": "",
            "case": 3,
            "agent": "x",
            "n": 1.5,
        },
        {"id": "b", "input": "Ho?", "output": CHAT, "metadata": {"lang": "en", "agent": "no"}},
    ]

    items = read_items(write_jsonl(tmp_path, "a.jsonl", rows), inputs=["input", "output"])

    assert items == [
        Item(
            id="7",
            fields={"input": "Hi?", "output": "Hi.", "context": ""},
            case="3",
            metadata={"case": 3, "agent": "x", "n": 1.5},
            line=1,
        ),
        Item(
            id="b",
            fields={"input": "Ho?", "output": CHAT},
            metadata={"lang": "en", "agent": "no"},
            line=2,
        ),
    ]


def test_a_column_wins_over_a_key_of_metadata(tmp_path: Path) -> None:
    """The outer one is what people see in the file."""
    rows = [{"id": "a", "agent": "out", "metadata": {"agent": "in", "k": 1}}]

    assert read_items(write_jsonl(tmp_path, "a.jsonl", rows))[0].metadata == {
        "agent": "out",
        "k": 1,
    }


def test_any_column_can_be_an_input(tmp_path: Path) -> None:
    """The rubric names what it shows; a list of other columns stays metadata."""
    path = write(tmp_path, "a.csv", "item_id,question,answer,topic\na,Why?,Because.,life\n")

    found = read_item_set(path, inputs=["question", "answer"])

    assert found.items[0].fields == {"question": "Why?", "answer": "Because."}
    assert found.items[0].metadata == {"topic": "life"}
    assert found.notes == ()


def test_other_names_of_the_id_are_reported(tmp_path: Path) -> None:
    """As everywhere."""
    path = write(tmp_path, "a.csv", "sample_id,session\na,s1\nb,s1\n")

    found = read_item_set(path)

    assert found.notes == ("took 'sample_id' for id", "took 'session' for case")
    assert [item.case for item in found.items] == ["s1", "s1"]


def test_columns_by_option(tmp_path: Path) -> None:
    """The column of the case stays in the metadata, for `--where`."""
    path = write(tmp_path, "a.csv", "key,thread\na,t1\n")

    items = read_items(path, columns=ColumnOptions(item="key", case="thread"))

    assert items == [Item(id="a", fields={}, case="t1", metadata={"thread": "t1"}, line=2)]


def test_no_inputs_are_needed_for_recorded_judgments(tmp_path: Path) -> None:
    """Then items serve to select and to group."""
    rows = [{"id": "a", "output": ["not", "a", "chat"], "tags": [1]}]

    item = read_items(write_jsonl(tmp_path, "a.jsonl", rows))[0]

    assert item.fields == {}
    assert item.metadata == {"output": ["not", "a", "chat"], "tags": [1]}


@pytest.mark.parametrize(
    ("value", "text"), [(7, "7"), (7.5, "7.5"), (True, "true"), ("", ""), (" x ", " x ")]
)
def test_scalars_become_text_as_they_stand(tmp_path: Path, value: object, text: str) -> None:
    """An empty output is a thing to be judged, and blanks are not ours to remove."""
    path = write_jsonl(tmp_path, "a.jsonl", [{"id": "a", "output": value}])

    assert read_items(path, inputs=["output"])[0].fields == {"output": text}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "'output' is null"),
        ({"text": "x"}, "'output' is an object"),
        ([], "'output' is an empty list"),
        (["x"], "'output', message 1: \"x\" is no chat message"),
        ([*CHAT, {"content": "x"}], "'output', message 6: null is no role"),
        ([{"role": "robot", "content": "x"}], "'output', message 1: \"robot\" is no role"),
        ([{"role": ["user"], "content": "x"}], "is no role"),
        ([{"role": "user"}], "'output', message 1: the content is null, not text"),
        ([{"role": "user", "content": 5}], "'output', message 1: the content is 5, not text"),
        ([{"role": "user", "content": ["x"]}], 'the content is ["x"], not text'),
        ([{"role": "user", "content": {"long": "x" * 99}}], "…, not text"),
    ],
)
def test_what_is_no_item_text_is_refused(tmp_path: Path, value: object, message: str) -> None:
    """With line, field and message number."""
    rows = [{"id": "a", "output": "fine"}, {"id": "b", "output": value}]

    error = refused(write_jsonl(tmp_path, "a.jsonl", rows), "output")

    assert message in error.message
    assert error.line == 2
    assert error.hint


def test_a_needed_input_that_one_row_lacks(tmp_path: Path) -> None:
    """The row is named."""
    rows = [{"id": "a", "output": "x"}, {"id": "b"}]

    error = refused(write_jsonl(tmp_path, "a.jsonl", rows), "output")

    assert error.message == "item 'b' has no 'output', which the rubric shows"
    assert error.line == 2


def test_a_needed_input_that_the_file_lacks(tmp_path: Path) -> None:
    """Complaint 27: never judged on an empty prompt. A near name is suggested."""
    path = write(tmp_path, "a.csv", "id,input,ouput\na,x,y\n")

    near, far = refused(path, "input", "output"), refused(path, "input", "context")

    assert near.message == "column 'ouput': did you mean 'output'?"
    assert far.message == "no column 'context', which the rubric shows"
    assert "The rubric shows input, context; the columns are id, input, ouput." in str(far.hint)
    assert (near.line, far.line) == (1, 1)


def test_a_row_without_an_id(tmp_path: Path) -> None:
    """It could not be matched with anything."""
    error = refused(write(tmp_path, "a.csv", "id,output\na,x\n,y\n"), "output")

    assert error.message == "the row has no item id (column 'id')"
    assert error.line == 3


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,x,1\na,x,1\n", "item 'a' occurs twice (lines 2 and 3)"),
        ("a,x,1\na,x,2\n", "item 'a' occurs twice (lines 2 and 3)"),
        ("a,x,1\na,y,1\n", "item 'a' occurs twice (lines 2 and 3) and differs in 'output'"),
    ],
)
def test_an_id_twice_is_refused(tmp_path: Path, rows: str, message: str) -> None:
    """Numbers and text alike: 7 and "7" are one id."""
    error = refused(write(tmp_path, "a.csv", "id,output,n\n" + rows), "output")

    assert (error.message, error.line) == (message, 3)


@pytest.mark.parametrize("name", ["item_id", "sample_id"])
def test_two_ids_are_refused(tmp_path: Path, name: str) -> None:
    """`id` and `item_id` are both the documented name; any other name gives way to them."""
    path = write(tmp_path, "a.csv", f"id,{name}\n1,a\n")

    if name == "sample_id":
        assert read_items(path)[0].id == "1"
    else:
        assert "'id' and 'item_id' could both be the item" in refused(path).message


SHARED = (
    "item_id,input,output,agent,rater,level,when\n"
    "a,Q,A,x,ann,rude,mon\n"
    "b,Q,B,y,ann,rude,mon\n"
    "a,Q,A,x,bob,friendly,tue\n"
)


def test_a_file_shared_with_labels(tmp_path: Path) -> None:
    """Rows of one item collapse; what differs between them belongs to the labels."""
    table = read_table(write(tmp_path, "a.csv", SHARED))

    found = read_item_set(table, inputs=["input", "output"])
    labels = read_labels(table, [TONE], inputs=["input", "output"])

    assert [(i.id, i.fields["output"], i.metadata, i.line) for i in found.items] == [
        ("a", "A", {"agent": "x"}, 2),
        ("b", "B", {"agent": "y"}, 3),
    ]
    assert found.notes == (
        "several rows an item: level, rater, when belong to the labels, not to the items",
    )
    assert len(labels.labels) == 3


def test_a_shared_file_with_label_columns_by_option(tmp_path: Path) -> None:
    """What an option calls a rater is one for the items too."""
    path = write(tmp_path, "a.csv", "id,output,who,tone\na,A,ann,rude\na,A,bob,rude\n")

    items = read_items(path, inputs=["output"], columns=ColumnOptions(rater="who", level="tone"))

    assert [item.id for item in items] == ["a"]


@pytest.mark.parametrize("case", ["k1", "k2"])
def test_a_shared_file_whose_items_contradict_themselves(tmp_path: Path, case: str) -> None:
    """Text and case are the item's own."""
    path = write(tmp_path, "a.csv", f"id,output,case,rater\na,A,k1,ann\na,{case},{case},bob\n")

    assert "differs in" in refused(path, "output").message


def test_two_outputs_in_a_list(tmp_path: Path) -> None:
    """Common in pairwise sets; taken for output_a and output_b where no column has the name."""
    rows = [{"id": "a", "outputs": ["x", CHAT]}, {"id": "b", "outputs": ["y", "z"]}]

    found = read_item_set(write_jsonl(tmp_path, "a.jsonl", rows), inputs=["output_a", "output_b"])

    assert [i.fields for i in found.items] == [
        {"output_a": "x", "output_b": CHAT},
        {"output_a": "y", "output_b": "z"},
    ]
    assert found.notes == ("took the two outputs for output_a and output_b",)


@pytest.mark.parametrize("outputs", [["x"], ["x", "y", "z"], "xy", None])
def test_a_list_that_is_no_pair(tmp_path: Path, outputs: object) -> None:
    """Then it is a column like any other, and the inputs are missing."""
    rows = [{"id": "a", "outputs": ["x", "y"]}, {"id": "b", "outputs": outputs}]

    error = refused(write_jsonl(tmp_path, "a.jsonl", rows), "output_a", "output_b")

    assert "output_a" in error.message


def test_items_of_a_label_file() -> None:
    """Ids, cases and lines, each once."""
    labels = LabelSet(
        (
            label("a", "ann", 0, case="k", line=2),
            label("b", "ann", 0),
            label("a", "bob", 0, case="k"),
        )
    )

    assert items_from_labels(labels) == [
        Item(id="a", fields={}, case="k", line=2),
        Item(id="b", fields={}),
    ]


def test_an_item_is_in_one_case() -> None:
    """Two rows that disagree are both named."""
    rows = (label("a", "ann", 0, case="k", line=2), label("a", "bob", 0, line=3))

    with pytest.raises(LabelError, match=r"'k' \(line 2\) and in case None \(line 3\)") as caught:
        items_from_labels(LabelSet(rows, file="f.csv"))

    assert caught.value.where == "f.csv:3"
