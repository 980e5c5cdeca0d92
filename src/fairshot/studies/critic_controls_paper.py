"""Boutin et al. 2022, Tables S2 to S4, with each class asked for 500 times, and logits read in two ways."""

from fairshot.studies.critic_controls import WHOLE

STUDY = WHOLE
