"""Latent diffusion that keeps more or less to its exemplar when it draws, 1 being no guidance; nothing is trained.

After Boutin et al. 2023, who ask how diffusion models draw when they are guided.
"""

from fairshot.studies.diversity_recognizability import DIFFUSION, SEEDS
from fairshot.studies.kinds.path_claim import PathClaim
from fairshot.studies.kinds.sweep import Axis, Sweep, models_of

AXES = (Axis(DIFFUSION, "guidance", (0.5, 1.0, 2.0, 3.0, 5.0), SEEDS, "laptop", sampling=True),)

STUDY = Sweep(
    title="What does guidance do to latent diffusion?",
    paper="a question of our own, after Boutin et al. 2023",
    models=models_of(AXES),
    axes=AXES,
    questions=(
        PathClaim("With more guidance samples are less diverse.", DIFFUSION, "diversity falls"),
        PathClaim("With more guidance samples are more recognizable.", DIFFUSION, "recognizability rises"),
    ),
)
