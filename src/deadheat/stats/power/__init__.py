"""Power, and what it takes: effects, paired and unpaired designs, whole boards."""
