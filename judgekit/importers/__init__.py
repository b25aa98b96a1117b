"""Importers: files that people have, read into labels, items and recorded judgments."""
