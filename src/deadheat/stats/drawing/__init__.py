"""Random draws: resampling weights, sums over many items, and worlds with known rates."""
