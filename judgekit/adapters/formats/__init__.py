"""Scored rows as files of other programs: one file and one line of the table each."""
