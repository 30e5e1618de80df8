"""The error of a command that was wrong."""


class UsageError(Exception):
    """The command was wrong, whatever the data: exit code 2."""
