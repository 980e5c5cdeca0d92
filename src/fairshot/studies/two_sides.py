"""What "Two sides of meta-learning evaluation" (Setlur, Li and Smith, NeurIPS 2021) is repeated with on two cores.

Conv4 instead of ResNet-12, a few hundred steps, and benchmarks that are at hand: Omniglot and CIFAR-FS with held-out
images of base classes, and glyphs where the paper has writers (FEMNIST) and pairs of attributes (UT-Zappos).
"""

from fairshot.studies.kinds.trained_table import Course
from fairshot.tasks.attribute_pair import AttributePair
from fairshot.tasks.per_attribute import PerAttribute
from fairshot.tasks.uniform import Uniform

NAME = "two_sides"  # where all of them keep their weights
FOMAML = "maml:order=first"
LEARNERS = {
    "PN": "prototypes",
    "RR": "meta_ridge",
    "SVM": "meta_svm",
    "FOMAML": FOMAML,
    "SB": "baseline",
    "MB": "meta_baseline",
}

OMNIGLOT, CIFAR, DRAWERS = "omniglot/mod", "cifar100/cifar-fs-mod", "glyphs/by-drawer"
OMNIGLOT_TASK, CIFAR_TASK = Uniform(way=20, shot=2, query=4), Uniform(way=5, shot=5, query=15)
DRAWER_TASK = PerAttribute(attribute="drawer", way=0, shot=1, query=0)
# What tasks in the distribution of training are made of, and what those beyond it.
ID_TRAITS = ("strokes.2", "strokes.3", "strokes.4", "loop", "dot", "curved")
OOD_TRAITS = ("strokes.1", "strokes.5", "symmetric", "crossing", "wide")
ID_PAIRS, OOD_PAIRS = (AttributePair(shot=5, query=10, only=traits) for traits in (ID_TRAITS, OOD_TRAITS))

COMMON = "cosine=True,rate=0.002,val_episodes=40"
DRAWINGS = f"{COMMON},steps=320,epoch=20,augment=drawing"
PHOTOS = f"{COMMON},steps=640,epoch=40,augment=photo,val_way=5,val_shot=5"
GLYPHS = f"{DRAWINGS},recipe=omniglot-eval"
ONE_DRAWER = f"{GLYPHS},task=per-attribute:attribute=drawer/way=0/query=0,shot=1"
PAIRS = f"{GLYPHS},task=attribute-pair:only={'+'.join(ID_TRAITS)},shot=5,query=10"

CIFAR_SIZES = {
    "PN": "way=10,shot=5,query=5",
    "RR": "way=5,shot=10,query=10,tasks=1",
    "SVM": "way=5,shot=10,query=10,tasks=1",
    "FOMAML": "way=5,shot=5,query=5,tasks=1,steps=240,epoch=15,val_episodes=10",
    "SB": "images=100",
    "MB": "images=100,way=10,shot=5,query=5,supervised=480",
}
# On drawings: FOMAML adapts a network to each task, which takes its time; Meta-Baseline begins with labels.
SPECIAL = {
    "FOMAML": "tasks=1,steps=160,epoch=10,val_episodes=10",
    "SB": "images=120",
    "MB": "images=120,supervised=240",
}


def omniglot(learner: str) -> Course:
    """Episodes of 120 drawings, or as many with labels."""
    return _course(learner, OMNIGLOT, DRAWINGS, "way=20,shot=2,query=4,tasks=1", SPECIAL.get(learner, ""))


def cifar(learner: str, *changes: str, split: str = CIFAR) -> Course:
    """Episodes of 100 photographs, or as many with labels; FOMAML looks five times at each of 25, and once at 25."""
    return _course(learner, split, PHOTOS, CIFAR_SIZES[learner], *changes)


def one_drawer(learner: str) -> Course:
    """All 30 characters of two drawers, one drawing each to learn from and one to be asked about."""
    return _course(learner, DRAWERS, ONE_DRAWER, "tasks=2", SPECIAL.get(learner, ""))


def pairs(learner: str, tasks: int) -> Course:
    """Four of so many fixed tasks at a time, 120 drawings."""
    return _course(learner, DRAWERS, PAIRS, f"tasks=4,fixed_tasks={tasks}", SPECIAL.get(learner, ""))


def _course(learner: str, split: str, *changes: str) -> Course:
    return Course(LEARNERS[learner], changes=",".join(filter(None, changes)), split=split)
