"""Two sides of meta-learning evaluation: conclusions that flip with the novel classes."""

from fairshot.studies import two_sides as sides
from fairshot.studies.kinds.class_set_flips import Classifiers, Rivals, Turns
from fairshot.tasks.uniform import Uniform

ONE_SHOT, FIVE_SHOT = Uniform(way=5, shot=1, query=5), Uniform(way=5, shot=5, query=5)
SPLIT, FEW = "cifar100/flips", "cifar100/flips-few"
OMNIGLOT = {"PN": "omniglot-pn", "RR": "omniglot-rr"}
CIFAR, FEWER = {"PN": "flips-pn", "SB": "flips-sb"}, {"PN": "few-pn", "SB": "few-sb"}

STUDY = Turns(
    title="How often a comparison flips on other novel classes",
    paper="Setlur et al. 2021, Section 5.2, with benchmarks that two cores can serve",
    name=sides.NAME,
    courses={course: sides.omniglot(name) for name, course in OMNIGLOT.items()}
    | {course: sides.cifar(name, split=SPLIT) for name, course in CIFAR.items()}
    | {course: sides.cifar(name, split=FEW) for name, course in FEWER.items()},
    rivals=(
        Rivals("Omniglot", sides.OMNIGLOT, ONE_SHOT, OMNIGLOT, (20, 40, 80, 160)),
        Rivals("Omniglot with fewer classes in all", sides.OMNIGLOT, ONE_SHOT, OMNIGLOT, (20, 40), classes=120),
        Rivals("CIFAR-100", SPLIT, FIVE_SHOT, CIFAR, (10, 20, 40), images=100),
        Rivals("CIFAR-100 with fewer base classes", FEW, FIVE_SHOT, FEWER, (20,), images=100),
    ),
    late=16,
    reference=Classifiers("CIFAR-100 as ordinary classification", SPLIT, "flips-sb"),
)
