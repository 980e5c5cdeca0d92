"""Boutin et al. 2022, Figs. 4b, S15 and S16: both VAEs with a larger or smaller weight of their divergences."""

from fairshot.studies.diversity_recognizability import NS, STN
from fairshot.studies.kinds.path_claim import PathClaim, ReachClaim
from fairshot.studies.kinds.sweep import Axis, Sweep, models_of

AXES = (Axis(STN, "beta", (0.25, 1.0, 2.25, 3.0, 4.0)), Axis(NS, "beta", (0.25, 1.0, 2.0, 3.0, 5.0)))

STUDY = Sweep(
    title="What does the weight of the divergence do to VAEs?",
    paper="Boutin et al. 2022, Figs. 4b, S15 and S16",
    models=models_of(AXES),
    axes=AXES,
    questions=(
        PathClaim("With a larger weight VAE-STN is less diverse.", STN, "diversity falls"),
        PathClaim("VAE-STN is most recognizable at a weight in between.", STN, "recognizability is concave"),
        PathClaim("With a larger weight the Neural Statistician is less diverse.", NS, "diversity falls"),
        PathClaim(
            "The Neural Statistician is most recognizable at a weight in between.", NS, "recognizability is concave"
        ),
        ReachClaim("The weight moves VAE-STN more than the Neural Statistician.", STN, (NS,)),
    ),
)
