"""Rubrics written by a model: what it is asked, how its words are read, and what becomes of them.

A model gives the content of a rubric, never its form: names, sentences and worked examples are
taken from its reply as text, and the file is written from them here. No template of a model's is
ever rendered.
"""
