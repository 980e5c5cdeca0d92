"""Does a classifier overfit that would judge drawings? Diversity against recognizability, Boutin et al. 2022, S17.

At 28 pixels and for 24 epochs, which one core can serve; `control("diversity")` is the same at the published 50 pixels,
where the standard classifier has its 676,759 parameters, with three times the pixels.
"""

from fairshot.studies.kinds.overfitting_curve import Overfitting
from fairshot.studies.kinds.trained_table import Course

SNAPSHOTS = 24
CLASSIFIER, ONE_SHOT, FIVE_SHOT = "standard classifier", "1-shot prototypes", "5-shot prototypes"


def control(recipe: str) -> Overfitting:
    """All three learners on images of that recipe, at a constant rate and without augmentation."""
    return Overfitting(
        title="Does a classifier that judges drawings overfit?",
        paper="Boutin et al. 2022, supplement S17 and Figure S21",
        name="overfitting_control",
        split="omniglot/drawings",
        recipe=recipe,
        courses={
            CLASSIFIER: _course("baseline", "network=critic_trunk,images=128", 228),  # an epoch of 29,214 images
            # About half as many images each.
            ONE_SHOT: _course("prototypes", "network=critic,way=60,shot=1,query=2", 76),
            FIVE_SHOT: _course("prototypes", "network=critic,way=20,shot=5,query=5", 68),
        },
        shots={ONE_SHOT: 1, FIVE_SHOT: 5},
        published={CLASSIFIER: "rises", ONE_SHOT: "does not rise", FIVE_SHOT: "does not rise"},
        episodes=500,
    )


def _course(learner: str, changes: str, epoch: int) -> Course:
    constant = "rate=0.001,cosine=False,augment=none"
    return Course(learner, changes=f"{changes},{constant},steps={SNAPSHOTS * epoch},epoch={epoch}")


STUDY = control("diversity-28")
