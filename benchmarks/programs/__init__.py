"""Small programs that run in the peers' own environment."""
