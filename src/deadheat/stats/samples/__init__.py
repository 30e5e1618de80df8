"""Samples of an item: metrics made of them, and where the variance of scores comes from."""
