"""What models cost: the same as the real litellm says, or unknown. Never 0 for unknown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from judgekit.judging.request import Message, ModelRequest
from judgekit.running import prices
from judgekit.running.litellm_client import import_litellm
from judgekit.running.prices import (
    NOTHING,
    REPLY_TOKENS,
    Price,
    cost_of,
    estimated_cost,
    price_of,
    price_per_million,
    request_tokens,
)

MODELS = [
    "gpt-4.1-mini",
    "openai/gpt-4.1-mini",
    "openai/gpt-4o",
    "openai/gpt-4o-2024-05-13",
    "gpt-4o-mini-2024-07-18",
    "openai/o3",
    "openai/o4-mini",
    "openai/gpt-5-mini",
    "openai/gpt-5.5",
    "openai/gpt-3.5-turbo",
    "anthropic/claude-haiku-4-5",
    "claude-sonnet-4-5-20250929",
    "anthropic/claude-opus-4-5",
    "azure/gpt-4o",
    "azure/gpt-4.1-mini",
    "azure/eu/gpt-4o-2024-08-06",
    "azure_ai/deepseek-v3",
    "gemini/gemini-2.5-pro",
    "gemini/gemini-2.5-flash",
    "gemini-2.5-pro",
    "vertex_ai/gemini-2.5-flash",
    "vertex_ai/claude-sonnet-4-5",
    "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "anthropic.claude-3-5-sonnet-20240620-v1:0",
    "bedrock/us.amazon.nova-lite-v1:0",
    "mistral/mistral-small-latest",
    "groq/openai/gpt-oss-120b",
    "groq/openai/gpt-oss-20b",
    "deepseek/deepseek-chat",
    "xai/grok-4.7",
    "xai/grok-4.3",
    "cerebras/gpt-oss-120b",
    "command-r-08-2024",
    "fireworks_ai/accounts/fireworks/models/deepseek-v3",
    "deepinfra/meta-llama/Llama-3.3-70B-Instruct",
    "together_ai/openai/gpt-oss-20b",
]
USAGES = [  # tokens in, out, cached, thinking, written
    (1000, 200, 0, 0, 0),
    (5000, 700, 3000, 500, 0),
    (5000, 700, 2000, 100, 1500),
    (200_000, 900, 0, 0, 0),
    (210_000, 900, 150_000, 300, 0),
    (600_000, 900, 0, 300, 0),
]


@pytest.fixture(scope="module")
def litellm() -> Any:
    """The real litellm."""
    return import_litellm()


def their_cost(litellm: Any, model: str, usage: tuple[int, ...], served: str | None = None) -> Any:
    """Return what litellm says a call cost; None where it does not find its own listed name."""
    tokens_in, tokens_out, cached, thinking, written = usage
    types = litellm.types.utils
    used = litellm.Usage(
        prompt_tokens=tokens_in,
        completion_tokens=tokens_out,
        total_tokens=tokens_in + tokens_out,
        prompt_tokens_details=types.PromptTokensDetailsWrapper(
            cached_tokens=cached, cache_creation_tokens=written or None
        ),
        completion_tokens_details=types.CompletionTokensDetailsWrapper(reasoning_tokens=thinking),
    )
    response = litellm.ModelResponse(model=served or model, usage=used)
    try:
        return litellm.completion_cost(response, model=model)
    except Exception as error:
        if re.search("isn't mapped|Provider NOT", str(error)):
            return None
        raise


@pytest.mark.parametrize("model", MODELS)
def test_costs_are_those_of_litellm(model: str, litellm: Any) -> None:
    """Complaint 54: cached tokens, thinking and long prompts at rates of their own included."""
    price = price_of(model)

    assert price is not None
    for usage in USAGES:
        expected = their_cost(litellm, model, usage)
        assert cost_of(price, *usage) == pytest.approx(expected, rel=1e-9), usage


@pytest.mark.slow
def test_no_price_of_the_whole_list_is_wrong(litellm: Any) -> None:
    """Each third of the listed models costs what litellm says, or its price is unknown."""
    # These make litellm log in, or it drops the surcharge of their region.
    leave_out = ("github_copilot/", "chatgpt/", "huggingface/", "bedrock_mantle/us-gov-")
    listed = [name for name in prices._listed() if not name.startswith(leave_out)]
    compared = 0
    for model in listed[::3]:
        price = price_of(model)
        if price is None or price.ceiling:
            continue
        expected = their_cost(litellm, model, USAGES[4])
        if expected is not None:
            assert cost_of(price, *USAGES[4]) == pytest.approx(expected, rel=1e-9), model
            compared += 1
    assert compared > 900


@pytest.mark.parametrize(
    ("model", "served"),
    [
        ("openai/gpt-4o", "gpt-4o-2024-05-13"),  # costs twice what gpt-4o costs today
        ("azure/our-deployment", "gpt-4o-2024-08-06"),
        ("gpt-4.1-mini", "gpt-4.1-mini-2025-04-14"),
        ("openai/gpt-4.1-mini", "a-name-nobody-knows"),
        ("gemini/gemini-2.5-flash", "gemini-2.5-flash"),
        ("anthropic/claude-haiku-4-5", "claude-haiku-4-5-20251001"),
    ],
)
def test_the_model_that_was_served_is_paid_for(model: str, served: str, litellm: Any) -> None:
    """As litellm has it: by the served name where that has a price, else by the one asked for."""
    for usage in USAGES[:2]:
        expected = their_cost(litellm, model, usage, served)
        assert cost_of(price_of(model, served), *usage) == pytest.approx(expected)


@pytest.mark.parametrize(
    "model",
    [
        "openai/no-such-model",
        "no-such-model",
        "hosted_vllm/gpt-4o",  # somebody's own server, whatever the model is called
        "anthropic/gpt-4o",
        "gemini/gemini-exp-1206",  # listed at 0, and run by somebody else
        "perplexity/sonar",  # each request costs as well
        "dashscope/qwen3-max",  # a table of tiers
        "opencode_go/qwen3.7-plus",  # the same, beside rates that are not all
        "vertex_ai/gemini-2.0-flash",  # by the character as well
        "openai/text-embedding-3-small",
        "openai/",
        "/",
        "",
    ],
)
def test_what_is_not_known_has_no_price(model: str) -> None:
    """Complaint 54: unknown, never 0."""
    assert price_of(model) is None
    assert estimated_cost(model, 1000) is None
    assert cost_of(price_of(model), 1000, 100) is None


@pytest.mark.parametrize("model", ["local/smollm2-135m", "ollama/llama3.2", "ollama_chat/any"])
def test_a_machine_of_ones_own_costs_nothing(model: str) -> None:
    """Known to be 0, whatever the usage, told or not."""
    assert price_of(model) == NOTHING
    assert cost_of(price_of(model), None, None) == 0.0
    assert estimated_cost(model, 1000) == 0.0


def test_without_usage_the_cost_is_unknown() -> None:
    """A reply that counts no tokens has a cost, and nobody knows it."""
    price = price_of("openai/gpt-4.1-mini")

    assert cost_of(price, None, 100) is None
    assert cost_of(price, 100, None) is None
    assert cost_of(price, 0, 0) == 0.0


def test_a_price_that_changes_with_the_hour_is_good_for_estimates_only() -> None:
    """The most a call can cost is known; what one did cost is not."""
    price = price_of("deepseek/deepseek-v4-pro")

    assert price is not None
    assert price.ceiling
    assert cost_of(price, 1000, 100) is None
    assert estimated_cost("deepseek/deepseek-v4-pro", 1000) == pytest.approx(
        1000 * price.input + REPLY_TOKENS * price.output
    )
    off_peak = prices._listed()["deepseek/deepseek-v4-pro"]["off_peak_pricing"]
    assert off_peak["input_cost_per_token"] <= price.input
    assert off_peak["output_cost_per_token"] <= price.output


def test_a_price_of_ones_own() -> None:
    """In US dollars for a million tokens; cached tokens cost as much as others."""
    price = price_per_million(0.40, 1.60)

    assert (price.input, price.output) == pytest.approx((0.4e-6, 1.6e-6))
    assert cost_of(price, 1_000_000, 500_000, 900_000, 100_000) == pytest.approx(1.20)
    assert cost_of(price_per_million(0, 0), None, None) == 0.0


def test_more_cached_than_there_are_is_no_credit() -> None:
    """A usage that does not add up never makes a call cheaper than free."""
    price = Price(1.0, 2.0, cached=0.5, written=4.0, reasoning=3.0)

    assert cost_of(price, 10, 10, 99, 99, 99) == 10 * 0.5 + 10 * 3.0


def test_asking_for_a_price_does_not_import_litellm() -> None:
    """It would take seconds."""
    script = (
        "import sys; from judgekit.running.prices import price_of;"
        "assert price_of('openai/gpt-4.1-mini'); assert 'litellm' not in sys.modules"
    )
    root = Path(__file__).resolve().parents[2]

    subprocess.run([sys.executable, "-c", script], cwd=root, check=True)


ENGLISH = "The answer names the capital but leaves out why it was moved there. " * 20
CODE = (
    "def area(r):\n    return 3.14159 * r ** 2  # in m²\n\nfor n in range(10):\n    print(n)\n" * 9
)
TEXTS = {
    "English": ENGLISH,
    "German": "Die Antwort nennt die Hauptstadt, verschweigt aber die Gründe dafür. " * 20,
    "Russian": "Ответ правильный, но в нем не хватает подробностей о причинах. " * 20,
    "Chinese": "这个答案是正确的，但是缺少一些细节。评分者应该考虑到这一点。" * 20,
    "Hindi": "यह उत्तर सही है लेकिन इसमें विवरण की कमी है। " * 20,
    "code": Path(prices.__file__).read_text(encoding="utf-8"),
}


def asked(text: Any, schema: dict[str, Any] | None = None) -> ModelRequest:
    """Return a request of one message."""
    return ModelRequest("openai/judge", (Message("user", text),), schema=schema)


@pytest.mark.parametrize("name", TEXTS)
def test_a_prompt_is_thought_a_little_longer_than_it_is(name: str, litellm: Any) -> None:
    """Rather too many tokens than too few, and not many too many, by a real tokenizer's count."""
    real = litellm.token_counter(model="gpt-4", text=TEXTS[name])

    assert real <= request_tokens(asked(TEXTS[name])) <= 1.75 * real


def test_a_prompt_is_all_that_is_sent() -> None:
    """Every message, the reply schema and the images; lone surrogates break nothing."""
    one = request_tokens(asked(ENGLISH))
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    seen = request_tokens(asked(({"type": "text", "text": ENGLISH}, image)))

    both = ModelRequest("m", (Message("system", ENGLISH), Message("user", ENGLISH)))
    assert request_tokens(both) == pytest.approx(2 * one, abs=1)
    assert request_tokens(asked(ENGLISH, {"type": "object", "required": ["level"]})) > one + 5
    assert seen == one + prices.IMAGE_TOKENS
    assert request_tokens(asked("\ud800")) > 0
