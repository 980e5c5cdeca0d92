"""Estimates, comparisons and forecasts out of answers: numbers alone, without learners, images or text."""
