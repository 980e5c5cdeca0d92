"""How learners are trained, stopped and resumed; generators have `generators.training`."""
