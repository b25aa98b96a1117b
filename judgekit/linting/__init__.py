"""Rubrics checked like code; what is wrong comes back as values."""
