"""The calculators of pages opened from disk: the engine itself, in a Python that runs in the page."""
