"""Rubrics as specifications: scale, model, source with its lines, parsing, rendering, meaning."""
