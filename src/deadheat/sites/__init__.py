"""A site's leaderboard document: where it keeps what, what it publishes, and statistics put into its text."""
