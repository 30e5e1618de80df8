"""Pairwise preferences: win rates and strengths."""
