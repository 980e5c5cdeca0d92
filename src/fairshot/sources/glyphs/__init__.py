"""Invented handwriting, drawn when it is asked for; drawings of people are in `sources.omniglot`."""
