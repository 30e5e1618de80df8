"""Did B beat A, on the same items? The verb `compare`."""

from deadheat.comparing.published import compare_published
from deadheat.comparing.verb import compare

__all__ = ["compare", "compare_published"]
