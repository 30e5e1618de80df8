"""A Panel in, labelled evidence out: scores, all pairs, order, groups and rank intervals; no sentence."""
