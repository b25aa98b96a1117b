"""How many tokens a text has to a model, where its tokenizer is at hand; nothing is fetched.

litellm brings two of the tables with which tiktoken cuts texts as the models of OpenAI do.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from judgekit.running.prices import estimated_tokens

_PROVIDERS = ("", "openai", "azure", "openrouter/openai")
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
"""What tiktoken would fetch a table from; the name of the file it is kept in is a digest of it."""
_TABLES = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
"""Table -> the digest that tiktoken asks of it; it would fetch one that has another."""
_SETTING = "TIKTOKEN_CACHE_DIR"


class Tokens(NamedTuple):
    """A way to count tokens.

    Attributes:
        count: Returns how many tokens a text has.
        table: The table it is cut with; None for an estimate of four characters each.
    """

    count: Callable[[str], int]
    table: str | None = None


def tokens_of(model: str) -> Tokens:
    """Return how to count the tokens of a model: exactly where that needs no network."""
    provider, _, name = model.rpartition("/")
    if provider in _PROVIDERS and find_spec("tiktoken") is not None:
        from tiktoken import encoding_name_for_model

        try:
            table = encoding_name_for_model(name)
        except KeyError:  # none of theirs
            table = ""
        folder = _folder_of(table)
        if folder is not None:
            return Tokens(_counter(table, folder), table)
    return Tokens(lambda text: estimated_tokens(len(text)))


def _folder_of(table: str) -> Path | None:
    """Return the folder that has a table, whole and unaltered."""
    spec = find_spec("litellm") if table in _TABLES else None
    digest = hashlib.sha1(_ADDRESS.format(table).encode(), usedforsecurity=False).hexdigest()
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(place) / "litellm_core_utils" / "tokenizers"
        try:
            data = (folder / digest).read_bytes()
        except OSError:
            continue
        if hashlib.sha256(data).hexdigest() == _TABLES[table]:
            return folder
    return None


def _counter(table: str, folder: Path) -> Callable[[str], int]:
    from tiktoken import get_encoding

    before = os.environ.get(_SETTING)
    os.environ[_SETTING] = str(folder)
    try:
        encoding = get_encoding(table)
    finally:
        if before is None:
            del os.environ[_SETTING]
        else:
            os.environ[_SETTING] = before
    return lambda text: len(encoding.encode_ordinary(text))
