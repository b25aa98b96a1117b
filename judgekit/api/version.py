"""The version of this judgekit, as certificates state it."""

__version__ = "0.1.0"
