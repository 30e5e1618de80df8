"""Scores of entries that ran different items, by models of entries and items."""
