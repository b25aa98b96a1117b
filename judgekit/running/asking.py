"""Asking an endpoint, until it takes the request as it is put or says why not.

Every lane asks through ``ask``, so that a parameter that is refused, renamed or left out, a system
message that is moved and a schema that is not enforced are the same in all of them, and told in
the reply.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.running.endpoint import Endpoint
from judgekit.running.facts import Facts
from judgekit.running.failures import failure_of, reply_in
from judgekit.running.form import Put


async def ask(
    request: ModelRequest,
    endpoint: Endpoint,
    once: Callable[[Put], Awaitable[ModelReply | Facts]],
) -> ModelReply:
    """Ask, and again while the endpoint does not take the request as it is put.

    Args:
        request: What to ask.
        endpoint: What is known of whom to ask.
        once: Makes one call; returns its reply, or the facts of its failure.

    Raises:
        ModelCallError: there is no reply.
    """
    while True:
        put = endpoint.put(request)
        found = await once(put)
        if isinstance(found, Facts):
            if endpoint.learn(found, put):
                continue
            reply = reply_in(found)
            if reply is None:
                images = any(not isinstance(m.content, str) for m in request.messages)
                # Outside any except: no secret hides in its context.
                raise failure_of(found, request.model, endpoint.secrets, images=images)
            found = reply
        form = put.form
        if form.left_out or form.adjusted or put.notes:
            return found._replace(left_out=form.left_out, adjusted=form.adjusted, notes=put.notes)
        return found
