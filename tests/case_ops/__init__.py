"""What each kind of question asks of the package: an op takes its input and gives named answers."""

from . import contests, pairs, plans, rates, reading, samples, tables

OPS = {
    **rates.OPS,
    **samples.OPS,
    **pairs.OPS,
    **tables.OPS,
    **contests.OPS,
    **plans.OPS,
    **reading.OPS,
}
