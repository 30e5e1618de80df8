"""Settings of every test: hypothesis draws the same examples each time, and none is timed."""

import os

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("DEADHEAT_HYPOTHESIS", "steady"))
