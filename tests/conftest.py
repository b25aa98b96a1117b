"""What holds for every test."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

pytest_plugins = ["pytester"]
"""Runs pytest inside a test, for our plugin."""

# The same examples on every run: what passes here passes there. To look for new ones:
# HYPOTHESIS_PROFILE=explore make test
settings.register_profile("same", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# A shell starts what it puts into the background with Ctrl-C switched off, and so would be every
# program that the tests start and stop.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
