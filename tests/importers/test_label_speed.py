from pathlib import Path

import pytest

from judgekit.importers.labels import read_labels
from tests.importers.make import ONE_TO_THREE
from tests.timing import cpu_seconds

BUSY = 4
"""How much slower a machine that does other things may be."""


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_a_hundred_thousand_labels(tmp_path: Path, name: str) -> None:
    """Under 2.5 CPU seconds, in either format."""
    path = tmp_path / name
    with path.open("w") as file:
        if name.endswith("csv"):
            file.write("item_id,rater,level,note\n")
            file.writelines(f"i{n // 3},r{n % 3},{n % 3 + 1},some remark\n" for n in range(100_000))
        else:
            file.writelines(
                f'{{"item_id": "i{n // 3}", "rater": "r{n % 3}", "level": {n % 3 + 1}}}\n'
                for n in range(100_000)
            )

    read: list[int] = []
    seconds = cpu_seconds(
        lambda: read.append(len(read_labels(path, [ONE_TO_THREE]).labels)), rounds=1
    )

    assert read == [100_000]
    assert seconds < 2.5 * BUSY
