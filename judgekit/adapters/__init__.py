"""Judges lent to other eval runners; each adapter imports its runner when it is used."""
