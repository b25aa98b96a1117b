"""The pages on pytest and exports do what they say, in a project whose judge is certified."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from judgekit.testing import StubServer
from tests.docs.test_pages import name_of
from tests.docs.test_running import follow, runnable
from tests.e2e.house import House, spread

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "lending"
PAGES = [FOLDER / "pytest.md", FOLDER / "export.md"]
REPLIES = {
    "cold": "It arrives on Monday, as order {} says.",
    "polite": "Hello, and thank you for order {}.",
    "friendly": "Hello, thank you for order {}. Can I help you with anything else?",
}


def reply(request: dict) -> str:
    """The level of the reply by its words, as its author would give it."""
    text = request["messages"][-1]["content"]
    level = "friendly" if "anything else" in text else "polite" if "thank you" in text else "cold"
    return json.dumps({"reason": "as it reads", "level": level})


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A project with a judge called tone, certified on 60 replies."""
    with StubServer(reply=reply) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-of-the-test")
        made = House(tmp_path_factory.mktemp("certified"), server)
        made.judge()
        levels = spread([*REPLIES], 60)
        texts = [REPLIES[level].format(i) for i, level in enumerate(levels)]
        rows = [
            f'item-{i:03},question {i},"{text}",ann,{level}\n'
            for i, (text, level) in enumerate(zip(texts, levels, strict=True))
        ]
        made.write("labels.csv", "item_id,input,output,rater,level\n" + "".join(rows))
        done = made.run("calibrate", "tone")
        assert done.code == 0, done.out
        yield made


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_on_lending_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, template: House
) -> None:
    """Every block works for who reads the page; ids of certificates and dates are of the day."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-test")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    shutil.copytree(template.root, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    (certificate,) = tmp_path.glob("certificates/*.json")
    made = json.loads(certificate.read_text())
    blocks = [
        block._replace(
            prints=re.sub(r"\d{4}-\d\d-\d\d", made["expires_at"][:10], block.prints or "").replace(
                "a2c59e", made["id"][:6]
            )
        )
        for block in runnable(page)
    ]

    assert blocks
    follow(blocks, template.server)
