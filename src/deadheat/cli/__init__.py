"""The command line: a file a verb; each builds documents, and only `main` writes and exits."""
