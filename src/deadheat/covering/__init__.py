"""The verb `coverage`: exact coverage of an interval method."""
