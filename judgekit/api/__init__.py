"""The use-cases: what the command line and the library do, each in one call."""
