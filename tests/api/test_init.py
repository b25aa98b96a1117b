"""The starter project: what it writes down, and what it shows as a comment, can be used."""

from __future__ import annotations

import re
from pathlib import Path

from judgekit.api.init import init_project
from judgekit.api.setup import load_judge
from judgekit.storage.project import JudgeEntry, open_project

SHOWN = {
    *("transport", "concurrency", "requests_per_minute", "tokens_per_minute", "run_timeout"),
    *("price", "panel", "replicates", "max_bytes"),
}


def test_the_starter_shows_what_a_judge_can_be_told(tmp_path: Path) -> None:
    """The useful keys stand there as comments, each of which works when it is uncommented."""
    init_project(tmp_path)
    path = tmp_path / "judgekit.toml"
    text = path.read_text()
    commented = re.findall(r"(?m)^# (\w+) = ", text)
    assert set(commented) >= SHOWN
    assert max(map(len, text.splitlines())) <= 100

    alone = re.sub(r"(?m)^model = .*\n", "", text)  # a panel stands instead of it
    path.write_text(re.sub(r"(?m)^# (\w+ = |\[)", r"\1", alone))
    used = open_project(tmp_path).configuration

    assert used.cache.max_bytes == 2 * 10**9
    given = used.judges["language"].model_fields_set
    assert {name for name in commented if name in JudgeEntry.model_fields} <= given
    assert len(load_judge("language", project=tmp_path).judge.panel) == 2
