"""One answer as a row of a run's record: how it was asked, what came back, how it was read.

Keys that say nothing are left out. Tokens, cost, latency, attempts and what became of the schema
are those of a call that was made in this run; an answer from the cache has none, so that the rows
of a run add up to its tally. A cost that is not known is not there; it is never 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from judgekit.errors import InputError
from judgekit.judging.item import Item
from judgekit.judging.judge import Judge
from judgekit.judging.judgment import Judgment, Unjudged
from judgekit.judging.prompt import build_request
from judgekit.judging.request import Content, Message, ModelReply, ModelRequest
from judgekit.rubric.meaning import probes
from judgekit.rubric.model import Criterion
from judgekit.running.progress import Answer
from judgekit.running.secrets import HIDDEN, credentials_of, without_credentials

FORMAT = "response_format"
ROOM = frozenset({"max_tokens", "max_completion_tokens"})


def run_row(
    judge: Judge,
    criterion: Criterion,
    outcome: Judgment | Unjudged,
    answer: Answer,
    request: ModelRequest | None = None,
    shared: Sequence[Message] = (),
) -> dict[str, Any]:
    """Return the row of one answer.

    Args:
        judge: Who was asked.
        criterion: What about.
        outcome: What the answer says, this one alone: no vote over several.
        answer: How the request ended.
        request: The request as sent; None for one that was answered by the cache.
        shared: The messages that are the same in every request about this criterion
            (:func:`shared_messages`); they are not repeated in the row.
    """
    row: dict[str, Any] = {
        "item": outcome.item,
        "criterion": outcome.criterion,
        "replicate": outcome.replicate,
    }
    model = judge.model
    if judge.panel:
        row["member"] = outcome.member
        model = judge.panel[outcome.member].model
    if outcome.order is not None:
        row["order"] = outcome.order
    if isinstance(outcome, Unjudged):
        row["status"] = "unjudged"
        row["cause"] = outcome.cause
        if outcome.detail:
            row["detail"] = outcome.detail
    else:
        _read(row, criterion, outcome)
    row["request"] = answer.ask.key
    row["model"] = model
    row["cached"] = answer.cached
    reply = answer.reply
    if reply is not None:
        _reply(row, reply)
    if not answer.cached:
        if reply is not None and judge.structured and judge.scoring == "generation":
            schema = _schema(outcome, reply)
            if schema is not None:
                row["schema"] = schema
        _call(row, answer, request, shared)
    return row


def shared_messages(judge: Judge, criterion: Criterion) -> tuple[Message, ...]:
    """Return the messages, from the first on, that are the same whatever the item is."""
    inputs = judge.rubric.inputs
    try:
        requests = [
            build_request(judge, criterion, Item(id="", fields=fields)) for fields in probes(inputs)
        ]
    except InputError:  # a template that takes only real items
        return ()
    same: list[Message] = []
    for first, *others in zip(*(request.messages for request in requests), strict=False):
        if any(message != first for message in others):
            break
        same.append(first)
    return tuple(same)


def messages_json(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Return messages for ``run.json``."""
    return [{"role": m.role, "content": content_text(m.content)} for m in messages]


def content_text(content: Content) -> str:
    """Return what a message shows as text; an image is named by its sha256 or its address."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] if "text" in part else _image(part) for part in content)


def _read(row: dict[str, Any], criterion: Criterion, outcome: Judgment) -> None:
    """Put in the level, or that none applies."""
    if outcome.level is None:
        row["status"] = "not_applicable"
    else:
        level = criterion.scale.levels[outcome.level]
        row["status"] = "judged"
        row["level"] = level.name
        row["value"] = level.value
    if outcome.reason:
        row["reason"] = outcome.reason
    if outcome.probabilities:
        row["probabilities"] = outcome.probabilities


def _reply(row: dict[str, Any], reply: ModelReply) -> None:
    """Put in the reply as it came, and how it was asked for."""
    row["raw"] = reply.text
    if reply.reasoning:
        row["reasoning"] = reply.reasoning
    if reply.refusal:
        row["refusal"] = reply.refusal
    if reply.served:
        row["served"] = reply.served
    if reply.finish:
        row["finish"] = reply.finish
    if reply.left_out:
        row["left_out"] = reply.left_out
    if reply.adjusted:
        row["adjusted"] = dict(reply.adjusted)
    if reply.notes:
        row["notes"] = reply.notes


def _schema(outcome: Judgment | Unjudged, reply: ModelReply) -> str | None:
    """Return what became of the reply schema; None where no whole reply came to tell it by."""
    if FORMAT in reply.left_out or any(name == FORMAT for name, _ in reply.adjusted):
        return "left_out"
    text = reply.text
    if not text or reply.finish == "length":
        return None
    followed = False
    if text[0] == "{" and not isinstance(outcome, Unjudged):
        try:
            said = orjson.loads(text)
        except ValueError:
            said = {}
        followed = said.keys() == {"reason", "level"}
    return "enforced" if followed else "not_followed"


def _call(
    row: dict[str, Any], answer: Answer, request: ModelRequest | None, shared: Sequence[Message]
) -> None:
    """Put in what the call took and cost, and what was sent."""
    row["attempts"] = answer.attempts
    reply = answer.reply
    if reply is not None:
        for name in ("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning"):
            if (number := getattr(reply, name)) is not None:
                row[name] = number
        if reply.cost_usd is not None:
            row["cost_usd"] = reply.cost_usd
        if reply.latency_s is not None:
            row["latency_s"] = round(reply.latency_s, 6)
    if request is None or answer.attempts == 0:
        return
    sent = _sent(request.parameters, reply)
    if sent:
        row["sent"] = sent
    if request.likelihood is not None:
        row["prompt"] = request.likelihood.prompts
        return
    row["prompt"] = [
        None if i < len(shared) and message == shared[i] else _shown(message)
        for i, message in enumerate(request.messages)
    ]


def _shown(message: Message) -> str | dict[str, str]:
    """Return a message; one that is not the user's says whose it is."""
    text = content_text(message.content)
    return text if message.role == "user" else {"role": message.role, "content": text}


def _sent(parameters: Mapping[str, Any], reply: ModelReply | None) -> dict[str, Any]:
    """Return the parameters as they were sent in the end."""
    if reply is None or not (reply.left_out or reply.adjusted):
        return dict(parameters)
    adjusted = dict(reply.adjusted)
    # One of the two names for the room of a reply stands in for the other.
    renamed = ROOM if adjusted.keys() & ROOM else frozenset()
    sent = {**{n: v for n, v in parameters.items() if n not in renamed}, **adjusted}
    return {name: value for name, value in sent.items() if name not in reply.left_out}


def _image(part: Mapping[str, Any]) -> str:
    """Return what stands for an image: its bytes are not worth keeping twice."""
    image = part.get("image_url")
    url = str(image.get("url") if isinstance(image, Mapping) else image)
    if not url.startswith("data:"):
        for secret in credentials_of(url):
            url = url.replace(secret, HIDDEN)
        return f"[image {without_credentials(url)}]"
    kind = url[5:].partition(";")[0].partition(",")[0]
    digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()
    return f"[image {kind}, {len(url):,} characters, sha256 {digest[:16]}]"
