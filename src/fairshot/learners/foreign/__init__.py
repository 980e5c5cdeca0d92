"""Learners out of somebody's own code: estimators, functions, encoders and modules; none that comes with fairshot."""
