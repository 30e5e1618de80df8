"""deadheat."""
