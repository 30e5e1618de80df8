"""The verb `annotate`: statistics for a site's own leaderboard document."""
