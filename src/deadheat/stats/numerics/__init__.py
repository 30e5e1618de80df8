"""What every subject uses: interval ends, p-values, searches, quadrature, bit counts, compiled loops."""
