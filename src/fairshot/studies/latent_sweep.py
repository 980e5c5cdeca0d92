"""Boutin et al. 2022, Figs. S17 to S20: all four models with latent vectors of other sizes."""

from fairshot.studies.diversity_recognizability import NS, RN, STN, UN
from fairshot.studies.kinds.path_claim import NoTrendClaim
from fairshot.studies.kinds.sweep import Axis, Sweep, models_of

SEEDS = (0, 1)
AXES = (
    Axis(NS, "latent", (5, 16, 40, 100), SEEDS),
    Axis(STN, "latent", (5, 20, 80, 400), SEEDS),
    Axis(UN, "latent", (10, 128, 400, 1000), SEEDS),
    Axis(RN, "latent", (10, 128, 250, 500), SEEDS),
)

STUDY = Sweep(
    title="What does the size of the latent vector do?",
    paper="Boutin et al. 2022, Figs. S17 to S20",
    models=models_of(AXES),
    axes=AXES,
    questions=(
        NoTrendClaim("The size of the latent vector has no common effect on diversity.", "diversity"),
        NoTrendClaim("The size of the latent vector has no common effect on recognizability.", "recognizability"),
    ),
)
