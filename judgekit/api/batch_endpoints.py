"""The endpoints of batches: their addresses, and a client for each."""

from __future__ import annotations

from typing import Self

from judgekit.errors import InputError
from judgekit.judging.judge import without_secrets
from judgekit.running.batch_client import BatchClient
from judgekit.running.batch_record import BatchRecord
from judgekit.storage.project import Project


def bare_address(api_base: str | None) -> str | None:
    """Return an address as it may be kept: whole if it holds no secret, else what is left of it."""
    bare = without_secrets(api_base)
    return api_base if api_base is None or bare == api_base.rstrip("/") else bare


class Endpoints:
    """The clients of one command, one for each endpoint, opened when they are first needed.

    Args:
        project: Where the batches were submitted from; its file says again what no state file
            may hold, the credentials in an endpoint's address.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._addresses: dict[str | None, str | None] = {}
        self._clients: dict[tuple[str, str | None, str | None], BatchClient] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for client in self._clients.values():
            await client.aclose()

    async def client(self, record: BatchRecord, api_base: str | None = None) -> BatchClient:
        """Return the client of a batch's endpoint, ready to be used.

        Args:
            record: The batch.
            api_base: Its whole address, where it is at hand.
        """
        if api_base is not None:
            self._addresses[record.api_base] = api_base
        address = self._address(record)
        key = (record.model, address, record.api_key_env)
        if key not in self._clients:
            self._clients[key] = BatchClient(*key)
        await self._clients[key].prepare()
        return self._clients[key]

    def _address(self, record: BatchRecord) -> str | None:
        if not record.secret_base:
            return record.api_base
        if record.api_base in self._addresses:
            return self._addresses[record.api_base]
        for entry in self._project.configuration.judges.values():
            for address in (entry.api_base, *(getattr(m, "api_base", None) for m in entry.panel)):
                if address and bare_address(address) == record.api_base != address:
                    return address
        raise InputError(
            f"batch {record.id}: the address {record.api_base} has credentials, which are not "
            "kept with the batch",
            hint="name it as api_base of a judge in judgekit.toml, or use api_key_env for the key",
        )
