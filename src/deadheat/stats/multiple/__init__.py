"""Many comparisons at once: adjustment, groups, ranks, and the first place."""
