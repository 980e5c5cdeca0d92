"""Does a classifier overfit that would judge drawings? Diversity against recognizability, Boutin et al. 2022, S17.

`STUDY` is at 28 pixels and for 24 epochs, which one core can serve, with all learners judged on held-out drawings of
characters that they know; `control("diversity")` is the same at the published 50 pixels, where the standard classifier
has its 676,759 parameters, with three times the pixels. `overfitting_control_paper` is the paper's own setting.
"""

from dataclasses import replace

from fairshot.studies.kinds.overfitting_curve import Overfitting
from fairshot.studies.kinds.trained_table import Course

SNAPSHOTS, PUBLISHED_EPOCHS = 24, 80
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


def _published_course(learner: str, changes: str, epoch: int, split: str = "") -> Course:
    """80 epochs of so many steps with Adam, the rate of 0.001 halved every 20 epochs."""
    falling = f"rate=0.001,cosine=False,halve_every={20 * epoch},augment=none"
    steps = f"steps={PUBLISHED_EPOCHS * epoch},epoch={epoch}"
    return Course(learner, changes=f"{changes},{falling},{steps}", split=split)


def as_published(split: str = "omniglot/weak", recipe: str = "diversity") -> Overfitting:
    """The standard classifier on other drawings, few-shot learners on other characters, as in Figure S21."""
    few = "network=critic,way=60,query=5"
    return replace(
        control(recipe),
        name="overfitting_control-paper",
        courses={
            CLASSIFIER: _published_course("baseline", "network=critic_trunk,images=128", 228),
            ONE_SHOT: _published_course("prototypes", f"{few},shot=1", 100, split),
            FIVE_SHOT: _published_course("prototypes", f"{few},shot=5", 100, split),
        },
    )


STUDY = control("diversity-28")
