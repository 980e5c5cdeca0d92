"""Boutin et al. 2022, Figs. 4a and S14: VAE-STN with more or fewer steps of attention.

The paper has 20 to 90 steps around 60, which its base model has; the quick preset has 12, so here they are 4 to 20.
"""

from fairshot.studies.diversity_recognizability import STN
from fairshot.studies.kinds.path_claim import PathClaim
from fairshot.studies.kinds.sweep import Axis, Sweep, models_of

AXES = (Axis(STN, "glimpses", (4, 8, 12, 16, 20)),)

STUDY = Sweep(
    title="What does the number of attention steps do to VAE-STN?",
    paper="Boutin et al. 2022, Figs. 4a and S14",
    models=models_of(AXES),
    axes=AXES,
    questions=(
        PathClaim("Diversity is lowest at the middle number of steps.", STN, "diversity is convex"),
        PathClaim("Recognizability is highest at the middle number of steps.", STN, "recognizability is concave"),
        PathClaim("The path is quasi-linear.", STN, "is straight"),
        PathClaim("The path turns sharply at the middle number of steps.", STN, "turns back"),
    ),
)
