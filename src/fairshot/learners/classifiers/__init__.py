"""Classifiers, one a file: what answers queries from a labelled support, on vectors that are there already."""
