"""Judging as pure functions: item, judge, the request made of them, and the reply read."""
