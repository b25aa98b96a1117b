"""What was found out about a text, kept: rubrics of one folder often say the same."""

from __future__ import annotations

from functools import lru_cache

remembered = lru_cache(maxsize=8192)
"""Keeps what a function of texts returned; about as many as a hundred rubrics hold."""
