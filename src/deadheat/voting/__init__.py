"""Votes between two entries: boards, comparisons and plans of what voters preferred."""
