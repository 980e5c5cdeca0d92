"""Checks of samplers of episodes, whoever wrote them: one fault a file."""
