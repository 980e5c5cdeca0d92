"""Boutin et al. 2022, supplement S17, as the paper runs it: few-shot learners on characters they have never seen.

80 epochs at 50 pixels with rates that are halved every 20; the standard classifier meets other drawings of characters
that it knows. `overfitting_control` puts all learners before the same kind of drawings instead.
"""

from fairshot.studies.overfitting_control import as_published

STUDY = as_published()
