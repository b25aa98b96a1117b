"""Graders of other tools, read into rubrics: one file a tool, and a neutral form between them.

A file is read into nodes that know their lines (:mod:`node`, :mod:`python`), a tool's reader makes
drafts of criteria out of them (:mod:`grader`), and :mod:`writer` writes the rubric. Nothing in the
file is ever run. What is lost on the way is a violation (:mod:`notes`).
"""
