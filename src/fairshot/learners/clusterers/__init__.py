"""Clusterers, one a file: what groups a support without its labels, on vectors that are there already."""
