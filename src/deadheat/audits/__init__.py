"""Checks of results against themselves and against what is published of them; a check is one function."""
