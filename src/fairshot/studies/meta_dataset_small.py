"""Meta-Dataset with the images at hand: trained on mini-ImageNet or on six sources, tried on twelve
(Triantafillou et al. 2018, 2020; Huang et al. 2019, Table 4).
"""

from fairshot.studies.kinds.many_sources import ManySources, Tested
from fairshot.studies.kinds.trained_table import Course

MINI = "mini_imagenet:copy=small/ravi"
TRAINED = (
    MINI,
    "omniglot/meta-dataset",
    "aircraft:copy=wild/meta-dataset",
    "cu_birds:copy=small/meta-dataset",
    "quickdraw:copy=wild/meta-dataset",
    "vgg_flower:copy=small/meta-dataset",
)
START = "start"  # labels of mini-ImageNet: every other course begins with its weights
SETTINGS = {"mini": MINI, "all": "+".join(TRAINED)}
LABELS, EPISODES, INNER = (f"steps={steps},epoch={steps}" for steps in (2000, 2000, 500))
LEARNERS = {
    "baseline": ("baseline", LABELS),
    "matching": ("matching", EPISODES),
    "prototypes": ("prototypes", EPISODES),
    "maml": ("maml:order=first,inner_rate=0.01,test_steps=5", INNER),
    "proto_maml": ("proto_maml", INNER),
    "centroid": ("centroid:predict=nearest,sizes=known,conditional=softmax,center=0.01,gamma=0.1", EPISODES),
}


def _courses() -> dict[str, Course]:
    courses = {START: Course("baseline", "released-laptop", LABELS, MINI)}
    for setting, split in SETTINGS.items():
        for name, (learner, changes) in LEARNERS.items():
            courses[f"{name}-{setting}"] = Course(learner, "released-laptop", changes, split, begin=START)
    return courses


STUDY = ManySources(
    title="Trained on one source or on six, tried on twelve, at 32 pixels",
    paper="Triantafillou et al. 2018, appendix; Huang et al. 2019, Table 4",
    name="meta_dataset_small",
    courses=_courses(),
    recipe="32-colour",
    episodes=600,
    sources=(Tested("mini-ImageNet", f"{MINI}/novel", True, "stands for ILSVRC: 20 of 130 classes, 100 images each"),),
)
