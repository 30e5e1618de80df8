"""The verb `rank`: a board that says which gaps are real."""
