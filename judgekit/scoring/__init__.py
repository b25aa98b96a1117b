"""Scores: reportable numbers over items, only from a certified judge."""
