"""The verb `records`: which records of a board stand."""
