"""Measures of a generator's samples, one a file; critics and intervals are in `fairshot.scoring`."""
