"""Speed beside named peers, measured in the same run: see `python -m benchmarks --help`."""
