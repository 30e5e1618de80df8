"""What items do on a board: discrimination, reliability, twins, smaller sets."""
