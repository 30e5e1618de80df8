"""Attempts in, a Panel out: ids, columns, attempts, cells, the Table, and the last place with labels."""
