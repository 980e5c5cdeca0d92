"""Boutin et al. 2022, Fig. 3: generators in the plane of diversity and recognizability, beside people.

The published positions are read off the authors' own figures (give or take 0.01 in diversity and 0.3 points in
recognizability) and are on the scale of their released critics. Ours are smaller networks at 28 pixels, trained for
about a quarter of an hour of one core each.
"""

from fairshot.scoring.sample_scores import HUMAN
from fairshot.studies.kinds.generator_model import Model
from fairshot.studies.kinds.model_comparison import Contrast, ModelComparison

STN, NS, UN, RN = "vae_stn", "neural_statistician", "dagan_un", "dagan_rn"
DIFFUSION, EDITOR = "latent_diffusion", "warp_editor"
SEEDS = (0, 1)
BASE = tuple(Model(name, preset="laptop", seeds=SEEDS) for name in (STN, NS, UN, RN))
NEWER = tuple(Model(name, preset="laptop", seeds=SEEDS) for name in (DIFFUSION, EDITOR))
POSITIONS = {UN: (0.315, 0.882), RN: (0.36, 0.829), NS: (1.75, 0.85), STN: (2.05, 0.748), HUMAN: (1.286, 0.976)}

STUDY = ModelComparison(
    title="How diverse and how recognizable are samples of generators?",
    paper="Boutin et al. 2022, Fig. 3",
    models=(*BASE, *NEWER),
    yardsticks=("copy", "warped", "strangers", "noise"),
    positions=POSITIONS,
    contrasts=(
        Contrast("Skip connections make DA-GAN less diverse.", "diversity", ((RN, UN),)),
        Contrast("Skip connections make DA-GAN more recognizable.", "recognizability", ((UN, RN),)),
        Contrast("GANs are less diverse than people.", "diversity", ((HUMAN, UN), (HUMAN, RN))),
        Contrast("VAEs are more diverse than people.", "diversity", ((STN, HUMAN), (NS, HUMAN))),
        Contrast(
            "Of the four published models, the Neural Statistician is nearest to people.",
            "distance",
            ((STN, NS), (UN, NS), (RN, NS)),
        ),
        Contrast("Latent diffusion is nearer to people than the Neural Statistician.", "distance", ((NS, DIFFUSION),)),
        Contrast("The warp editor is nearer to people than plain warping.", "distance", (("warped", EDITOR),)),
    ),
)
