"""The verb `compare`: did B beat A, on the same items."""

from deadheat.comparing.published import compare_published
from deadheat.comparing.verb import compare

__all__ = ["compare", "compare_published"]
