"""The pages on writing and comparing rubrics do what they say: their commands run, in order."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from judgekit.importers.gallery import gallery_folder
from judgekit.testing import StubServer
from tests.docs.test_pages import name_of
from tests.docs.test_running import ADDRESS, follow, runnable

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "rubrics"
PAGES = [FOLDER / "authoring.md", FOLDER / "diff.md", FOLDER / "lint.md"]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(gallery_folder() is None, reason="no gallery beside the package")
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_on_rubrics_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every block of a page works for who reads it alone, in an empty folder."""
    if page.stem == "improve" and find_spec("gepa") is None:
        pytest.skip("gepa is not installed (extra 'improve')")
    monkeypatch.chdir(tmp_path)

    with StubServer() as server:
        blocks = runnable(page)
        follow([b._replace(code=b.code.replace(ADDRESS, server.base_url)) for b in blocks], server)
