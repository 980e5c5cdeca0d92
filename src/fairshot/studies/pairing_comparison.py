"""Which drawings make a pair when a DA-GAN is trained? Three answers, and whether one explains its low diversity.

The text of Boutin et al. 2022 gives the exemplar and wants any drawing; DA-GAN itself pairs any two drawings of a
class; the released code gives any drawing and wants the exemplar, so that a network learns to draw the exemplar.
"""

from fairshot.scoring.sample_scores import HUMAN
from fairshot.studies.diversity_recognizability import RN, UN
from fairshot.studies.kinds.generator_model import Model
from fairshot.studies.kinds.model_comparison import Contrast, ModelComparison

TEXT, ORIGINAL, RELEASED = "prototype-sample", "sample-sample", "sample-prototype"
MODELS = {
    (name, pairing): Model(name, {"pairing": pairing}) for name in (UN, RN) for pairing in (TEXT, ORIGINAL, RELEASED)
}
LABELS = {key: model.label for key, model in MODELS.items()}

STUDY = ModelComparison(
    title="Does the released pairing explain the low diversity of DA-GAN?",
    paper="Boutin et al. 2022, section S11 and the released code",
    models=tuple(MODELS.values()),
    yardsticks=("copy",),
    contrasts=tuple(
        contrast
        for name in (UN, RN)
        for contrast in (
            Contrast(
                f"The released pairing makes {name} less diverse than the text's.",
                "diversity",
                ((LABELS[name, TEXT], LABELS[name, RELEASED]),),
            ),
            Contrast(
                f"The released pairing makes {name} more recognizable than the text's.",
                "recognizability",
                ((LABELS[name, RELEASED], LABELS[name, TEXT]),),
            ),
            Contrast(
                f"Pairs of any two drawings make {name} more diverse than the text's.",
                "diversity",
                ((LABELS[name, ORIGINAL], LABELS[name, TEXT]),),
            ),
            Contrast(
                f"With the pairing of the text, {name} is less diverse than people.",
                "diversity",
                ((HUMAN, LABELS[name, TEXT]),),
            ),
        )
    ),
)
