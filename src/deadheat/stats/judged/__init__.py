"""Rates that an imperfect judge reported."""
