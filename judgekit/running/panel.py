"""Several models behind one seam: each request goes to the model it names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from judgekit.judging.request import ModelReply, ModelRequest
from judgekit.running.model import ChatModel, Preparable

Endpoint = tuple[str, str | None]
"""Model and address, as a request names them."""


class PanelModel:
    """A ``ChatModel`` that is several.

    Args:
        make: Opens the model of each endpoint.
    """

    def __init__(self, make: Mapping[Endpoint, Callable[[], ChatModel]]) -> None:
        self._models = {endpoint: opened() for endpoint, opened in make.items()}

    async def prepare(self) -> None:
        """Prepare those that have something to prepare."""
        models = self._models.values()
        await asyncio.gather(*(m.prepare() for m in models if isinstance(m, Preparable)))

    async def complete(self, request: ModelRequest, *, timeout: float) -> ModelReply:  # noqa: ASYNC109
        """Ask the model that the request names."""
        return await self._models[request.model, request.api_base].complete(
            request, timeout=timeout
        )

    async def aclose(self) -> None:
        """Close them all."""
        await asyncio.gather(*(model.aclose() for model in self._models.values()))
