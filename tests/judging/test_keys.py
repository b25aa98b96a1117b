"""Cache keys: never another for the same request, whichever way they are worked out."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judgekit.fingerprint import sha256_text
from judgekit.judging.item import Item
from judgekit.judging.prompt import Asker, build_request
from judgekit.judging.request import Message, ModelRequest
from tests.judging.keycases import CASES, ITEM, OWN, PAIRWISE, POINTWISE, Case, judge

PICTURE = "data:image/png;base64,iVBORw0KGgo="
SHOWN = [
    {"type": "text", "text": "What is it?"},
    {"type": "image_url", "image_url": {"url": PICTURE}},
    {"type": "image", "source": {"type": "url", "url": "https://e.example/b.png"}},
]
NEW = {
    "images": Case(judge(), {**ITEM, "input": [{"role": "user", "content": SHOWN}]}, {}),
    "in the user's message": Case(judge(system_in_user=True), ITEM, {}),
}

KEYS = {
    "plain": "8ce37393b0ab4ff509cb0301b918b7851cb3b3810a12cac067879b579774265a",
    "replicate": "94576b34ad94e5f6defd4d18562e0ebf305cbe6990be3d3ca81fbc030cafdbea",
    "parameters": "cd01265f5705d2cac9f462e47dfa3095ab7397cf579d302dff3b09cff3fcda8a",
    "endpoint": "28b63d44aafe14c77ebb3a7eb41dd35d8bf0b2d89b079525878b7c0fefb6335d",
    "text": "e384a100efd1e8e624bcb84a4fe19580b8a17f2b283b19c5424689a9cbd142ed",
    "model": "9831380a5edcb31303a232d3094c4b98fcb0ff9a651750ff4eac9803bcebb77d",
    "surrogate": "98b4ec88539b5e4404904527f4a22037e58e7c355be77fcfa340804b39e87e8f",
    "empty": "ede5d6a8892e81c56a4e9973804fc3ebc544751f57c55dcf60556d504789edd9",
    "chat": "8cd6f0b4e4db0d5f79681867881e09459da05e1bb0d32746192135de47a7542c",
    "own template": "72f99f039a50e3c05243464b4f9da7e6e0d46409c47b3b30502aa4cac6340091",
    "anchor's double": "1a48794a195210df1506952472106ef7d31b987f9c4b6a3c4473bb52f4431c9a",
    "likelihood": "39cd9700b4af5adad124ae01f0149c248393c492fe7e2833092545f4aaee2dbb",
    "pair": "0d4c81764bf3e77e0641051627ddf9a64f6bcc613630c82c998427098d0510de",
    "turned pair": "2302a7f4f167da2af1dc772a58c0a82f56e09ce7f770225f244f8dbfed4f9c5d",
    "panel member": "dd0fb9962810b0e386f2c8526290ef3523c1a9e96e25740b41a02be7327da4ef",
    "images": "1f8c071543868b122ba236edb57deb73bcc0b68f26f7557dd0a72ed31289fcaf",
    "in the user's message": "6728188d0efeb4f6fecab4ccc6e746903ff9c1ea58f5d6fcfded61c09d3a023b",
}
EVERY = {**CASES, **NEW}


@pytest.mark.parametrize("name", EVERY)
def test_keys_are_frozen(name: str) -> None:
    """Another key here is a cache that users have paid for and find empty."""
    case = EVERY[name]
    criterion, item = case.judge.rubric.criteria[0], Item(id="q", fields=case.fields)
    request = build_request(case.judge, criterion, item, **case.told)
    ask = Asker(case.judge, criterion).ask(item, **case.told)

    assert request.key == KEYS[name]
    assert ask.key == KEYS[name]


def test_no_two_of_them_are_the_same() -> None:
    """Each part of a request makes a difference."""
    assert len(set(KEYS.values())) == len(KEYS)


def test_the_key_is_the_digest_of_the_canonical_text() -> None:
    """Every part by name, keys sorted, no spaces."""
    request = ModelRequest(
        model="m", messages=(Message("user", 'é"'),), parameters={"b": 1, "a": 0.5}
    )

    assert request.keyed_text() == (
        '{"api_base":null,"key_version":1,"likelihood":null,"messages":[["user","é\\""]],'
        '"model":"m","parameters":{"a":0.5,"b":1},"replicate":0,"schema":null}'
    )
    assert request.key == sha256_text(request.keyed_text())


TRICKS = [
    *("\x00", "\ud800", "\udfff\ud83d", "\ude00", '"', "\\", "\\u0000", "\x1f\x7f\x85", "\u2028"),
    *("\r\n", "\ue0001\ue001", "牛乳 🙂", "</s>", '","', "{{ output }}", "Three."),
]
TEXT = st.lists(st.text(max_size=20) | st.sampled_from(TRICKS), max_size=5).map("".join)
PARTS = st.lists(
    st.sampled_from(SHOWN) | TEXT.map(lambda text: {"type": "text", "text": text}), max_size=3
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "tool", "a\nb"]), "content": TEXT | st.none() | PARTS}
)
FIELD = TEXT | st.lists(MESSAGE, max_size=3)
FIELDS = st.fixed_dictionaries(dict.fromkeys(("input", "output", "output_a", "output_b"), FIELD))
TOLD = st.fixed_dictionaries({"replicate": st.integers(0, 3), "member": st.integers(0, 1)})

PANEL = CASES["panel member"].judge.panel
JUDGES = [
    judge(POINTWISE, panel=PANEL, parameters={"temperature": 0, "stop": ["é", '"']}),
    judge(POINTWISE, panel=PANEL, system_in_user=True, structured=False),
    judge(OWN, panel=PANEL, api_base="http://localhost/v1"),
    judge(PAIRWISE, panel=PANEL),
    judge(replace(OWN, body="{{ output | length }} {{ output }}"), panel=PANEL),
]
ASKERS = [Asker(judge, judge.rubric.criteria[0]) for judge in JUDGES]


@settings(deadline=None, max_examples=100)
@given(FIELDS, TOLD, st.sampled_from([None, "AB", "BA"]))
@example(dict.fromkeys(("input", "output", "output_a", "output_b"), ""), {}, "BA")
@example(dict.fromkeys(("input", "output", "output_a", "output_b"), "\ud83d\ude00"), {}, None)
def test_both_ways_to_a_key_are_one(
    fields: dict[str, Any], told: dict[str, int], order: Any
) -> None:
    """The quick key, the plain key, and that of the request that is built, worked out afresh."""
    item = Item(id="q", fields=fields)
    for judge_, asker in zip(JUDGES, ASKERS, strict=True):
        turned = order if judge_.rubric is PAIRWISE else None
        request = build_request(judge_, judge_.rubric.criteria[0], item, **told, order=turned)
        ask = asker.ask(item, **told, order=turned)

        assert ask.key == request.key == sha256_text(ask.build().keyed_text())
        assert ask.build() == request
        assert ask.build().key == ask.key
