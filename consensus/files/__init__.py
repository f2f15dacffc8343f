"""What the commands `consensus` and `agreement` do with files: read all, compute all, then write."""
