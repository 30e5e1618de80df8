"""Pairs of entries on shared items: tests, intervals, margins, and what a comparison could detect."""
