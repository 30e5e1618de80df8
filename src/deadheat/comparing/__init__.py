"""The verb `compare`: did B beat A, on the same items, or reach a published number."""
