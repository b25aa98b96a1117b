"""What holds for every test."""

from __future__ import annotations

import os

from hypothesis import settings

pytest_plugins = ["pytester"]
"""Runs pytest inside a test, for our plugin."""

# The same examples on every run: what passes here passes there. To look for new ones:
# HYPOTHESIS_PROFILE=explore make test
settings.register_profile("same", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
