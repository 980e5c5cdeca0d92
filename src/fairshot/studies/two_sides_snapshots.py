"""Two sides of meta-learning evaluation: BaseGen, ValGen and NovelGen of every snapshot."""

from fairshot.studies import two_sides as sides
from fairshot.studies.kinds.snapshot_selection import Benchmark, Snapshots

LEARNERS = ("PN", "RR", "MB")
OMNIGLOT, CIFAR = ({name: f"{own}-{name.lower()}" for name in LEARNERS} for own in ("omniglot", "cifar"))

STUDY = Snapshots(
    title="Which snapshot to take",
    paper="Setlur et al. 2021, Figures 2 and 3a, with benchmarks that two cores can serve",
    name=sides.NAME,
    courses={course: sides.omniglot(name) for name, course in OMNIGLOT.items()}
    | {course: sides.cifar(name) for name, course in CIFAR.items()}
    | {"omniglot-sb": sides.omniglot("SB"), "cifar-sb": sides.cifar("SB")},
    benchmarks=(
        Benchmark("Omniglot", sides.OMNIGLOT, sides.OMNIGLOT_TASK, OMNIGLOT, "omniglot-sb"),
        Benchmark("CIFAR-FS", sides.CIFAR, sides.CIFAR_TASK, CIFAR, "cifar-sb", images=100),
    ),
)
