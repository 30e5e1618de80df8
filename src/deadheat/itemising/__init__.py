"""The verb `items`: what the items of a board do."""
