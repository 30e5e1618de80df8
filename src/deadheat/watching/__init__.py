"""The verb `watch`: a comparison followed while results come in, and stopped when it is decided."""
