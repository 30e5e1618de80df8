"""Evidence that stays valid however often it is looked at, and error that is spent over a history."""
