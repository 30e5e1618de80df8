"""Pure functions over arrays: numpy and scipy in, arrays out; no label, no file, no text for a reader."""
