"""Projects whose judges are lent to other runners."""

from tests.e2e.conftest import house, served, server

__all__ = ["house", "served", "server"]
