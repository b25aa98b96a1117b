"""Rubrics improved from disagreements: what may be edited, what a reflector is asked, what it says.

A reflector gives words for places that a rubric has already. Scale, level names, inputs and pass
line stay as they are, and worked examples are items of train, word for word.
"""
