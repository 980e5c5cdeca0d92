"""Layers that networks share; whole networks are in `learners.networks`."""
