"""Solvers that classifiers and clusterers are built on: numbers in, numbers out, and no learner among them."""
