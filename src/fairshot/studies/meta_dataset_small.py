"""Meta-Dataset with the images at hand: trained on mini-ImageNet or on six sources, tried on twelve
(Triantafillou et al. 2018, 2020; Huang et al. 2019, Table 4).

Sizes are those of two cores: 32 pixels, four blocks, 1000 steps (250 where each episode descends), the same for both
settings, all of them after the same 2000 steps on the labels of mini-ImageNet. Whole episodes are the released ones;
learners that descend answer small ones, which all learners are ranked on.
"""

from fairshot.studies.kinds.many_sources import Head, ManySources
from fairshot.studies.kinds.source_findings import Tested
from fairshot.studies.kinds.trained_table import Course
from fairshot.tasks.by_source import BySource

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
FIRST, EPISODES, INNER = (f"steps={steps},epoch={steps}" for steps in (2000, 1000, 250))
CENTROID = "centroid:predict={},sizes=known,conditional=softmax,center=0.01,gamma=0.1"
LEARNERS = {
    "baseline": ("baseline", EPISODES),
    "matching": ("matching", EPISODES),
    "prototypes": ("prototypes", EPISODES),
    "maml": ("maml:order=first,inner_rate=0.01,test_steps=5", INNER),
    "proto_maml": ("proto_maml", INNER),
    "centroid": (CENTROID.format("nearest"), EPISODES),
}
# Triantafillou et al. 2018, appendix, Table 1, in points: ILSVRC, Omniglot, Aircraft, Birds, Textures, Quick Draw,
# Fungi, VGG Flower, Traffic Signs, MSCOCO.
ROWS = (
    *("mini-ImageNet", "Omniglot", "Aircraft", "Birds", "Textures", "Quick Draw", "Fungi", "VGG Flower"),
    *("Traffic Signs", "MSCOCO"),
)
GAINS = {
    "k-NN": (-8.82, 32.61, 18.13, -3.64, -6.39, 23.45, 0.9, -3.67, -3.13, -6.14),
    "Finetune": (-12.5, 26.01, 17.04, -7.26, -9.69, 15.62, 0.7, -9.6, -9.34, -7.24),
    "Matching": (-5.01, 28.36, 28.8, 5.02, -1.09, 18.92, 3.89, 1.67, -2.16, -5.45),
    "Prototypes": (-4.86, 25.14, 29.4, 3.96, -1.64, 16.97, 4.78, 1.17, -4.09, -5.63),
    "MAML": (-7.54, 24.05, 26.1, 3.81, -2.01, 13.77, 0.77, 0.93, -0.87, -4.04),
}
# Huang et al. 2019, Table 4, CSCC in percent, in the same order: trained on ILSVRC only, and on all sources.
RATIOS = {
    "mini": (59.83, 68.96, 53.33, 64.61, 64.15, 62.60, 51.34, 61.44, 47.82, 51.05),
    "all": (57.06, 80.86, 82.82, 67.29, 65.57, 69.32, 55.89, 65.26, 45.50, 48.04),
}


def _courses() -> dict[str, Course]:
    courses = {START: Course("baseline", "released-laptop", FIRST, MINI)}
    for setting, split in SETTINGS.items():
        for name, (learner, changes) in LEARNERS.items():
            courses[f"{name}-{setting}"] = Course(learner, "released-laptop", changes, split, begin=START)
    return courses


STUDY = ManySources(
    title="Trained on one source or on six, tried on twelve, at 32 pixels",
    paper="Triantafillou et al. 2018, appendix, Table 1; Huang et al. 2019, Table 4",
    name="meta_dataset_small",
    courses=_courses(),
    recipe="32-colour",
    settings=("mini", "all"),
    episodes=600,
    task=BySource(),
    small=BySource(most_way=10, most_support=40, most_queries=5),
    heads={
        "k-NN": Head("baseline", "neighbours"),
        "Finetune": Head("baseline", "finetune"),
        "Matching": Head("matching"),
        "Prototypes": Head("prototypes"),
        "Centroid": Head("centroid"),
        "Centroid by Sinkhorn": Head("centroid", CENTROID.format("sinkhorn")),
        "MAML": Head("maml", slow=True),
        "Proto-MAML": Head("proto_maml", slow=True),
    },
    ranked=("k-NN", "Finetune", "Matching", "Prototypes", "MAML", "Proto-MAML"),
    ratios=(("Centroid", "Prototypes"), ("Centroid by Sinkhorn", "Prototypes")),
    grain="CIFAR-100",
    published={
        (learner, label): gain / 100
        for learner, gains in GAINS.items()
        for label, gain in zip(ROWS, gains, strict=True)
    },
    published_ratios={
        (f"Centroid ({setting})", label): ratio / 100
        for setting, ratios in RATIOS.items()
        for label, ratio in zip(ROWS, ratios, strict=True)
    },
    sources=(
        Tested(
            "mini-ImageNet",
            f"{MINI}/novel",
            True,
            "stands for ILSVRC: 20 novel classes, where ILSVRC has 130; 100 images each; episodes by WordNet",
            -1,
        ),
        Tested("Omniglot", "omniglot/meta-dataset/novel", True, "complete; black on white, not inverted", 1),
        Tested("Aircraft", "aircraft:copy=wild/meta-dataset/novel", True, "edge maps, 40 of 100 images a variant", 1),
        Tested("Birds", "cu_birds:copy=small/meta-dataset/novel", True, "complete; cropped to the bird's box"),
        Tested("Quick Draw", "quickdraw:copy=wild/meta-dataset/novel", True, "100 drawings a category, unfiltered", 1),
        Tested("VGG Flower", "vgg_flower:copy=small/meta-dataset/novel", True, "complete, at 32 pixels"),
        Tested(
            "Textures", "dtd:copy=wild/all-novel", False, "10 of 47 classes, not trained on, unlike in Meta-Dataset"
        ),
        Tested("Fungi", "fungi:copy=wild/all-novel", False, "9 genera, not species; not trained on, unlike there"),
        Tested("Traffic Signs", "traffic_sign:copy=small/meta-dataset/novel", False, "tracks of 5 frames, kept apart"),
        Tested("MSCOCO", "mscoco:copy=wild/meta-dataset/novel", False, "37 of 40 novel classes, 13 to 40 crops each"),
        Tested("CIFAR-100", "cifar100/fc100/novel", False, "not in Meta-Dataset: 20 classes of 4 superclasses"),
        Tested("Cars", "stanford_cars/all-novel", False, "not in Meta-Dataset: 98 models, 20 images each"),
    ),
)
