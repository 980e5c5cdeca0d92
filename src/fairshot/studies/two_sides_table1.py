"""Two sides of meta-learning evaluation, Table 1: do in- and out-of-distribution benchmarks agree on who is best?"""

from collections.abc import Mapping
from typing import Any

from fairshot.studies import two_sides as sides
from fairshot.studies.kinds.rank_table import Column, RankTable, Side
from fairshot.tasks.task import TaskDistribution

LEARNERS = tuple(sides.LEARNERS)
FOR_PAIRS = ("PN", "RR", "SVM", "FOMAML")  # the others learn names of classes first, and pairs have none
FEMNIST = {"PN": 0.9472, "RR": 0.9471, "SVM": 0.9422}
ZAPPOS = {"PN": 0.8658, "RR": 0.8556, "SVM": 0.8512, "FOMAML": 0.8014}
ZAPPOS_FEW = {"PN": 0.7767, "RR": 0.7475, "SVM": 0.7406, "FOMAML": 0.6985}
MINI = {"PN": 0.7622, "RR": 0.7720, "SVM": 0.7772, "FOMAML": 0.7596}

OMNIGLOT, CIFAR, DRAWER = (
    {name: f"{benchmark}-{name.lower()}" for name in LEARNERS} for benchmark in ("omniglot", "cifar", "drawer")
)
MANY, FEW = ({name: f"pairs-{name.lower()}-{tasks}" for name in FOR_PAIRS} for tasks in (1000, 50))


def on_glyphs(label: str, side: Side, task: TaskDistribution, courses: Mapping[str, str], **told: Any) -> Column:
    """Drawings by hands that were not trained on."""
    return Column(label, side, f"{sides.DRAWERS}/novel", task, courses, recipe="omniglot-eval", **told)


STUDY = RankTable(
    title="Who is best in distribution, and who out of it",
    paper="Setlur et al. 2021, Table 1, with benchmarks that two cores can serve",
    name=sides.NAME,
    learners=LEARNERS,
    courses={course: sides.omniglot(name) for name, course in OMNIGLOT.items()}
    | {course: sides.cifar(name) for name, course in CIFAR.items()}
    | {course: sides.one_drawer(name) for name, course in DRAWER.items()}
    | {course: sides.pairs(name, 1000) for name, course in MANY.items()}
    | {course: sides.pairs(name, 50) for name, course in FEW.items()},
    columns=(
        Column("Omniglot, base characters", "in", f"{sides.OMNIGLOT}/base_heldout", sides.OMNIGLOT_TASK, OMNIGLOT),
        Column("CIFAR-FS, base classes", "in", f"{sides.CIFAR}/base_heldout", sides.CIFAR_TASK, CIFAR),
        on_glyphs("one drawer a task", "in", sides.DRAWER_TASK, DRAWER, published=FEMNIST, stands_for="FEMNIST"),
        on_glyphs(
            "pairs of attributes, 1000 tasks",
            "in",
            sides.ID_PAIRS,
            MANY,
            published=ZAPPOS,
            stands_for="Zappos-ID (1000)",
        ),
        on_glyphs(
            "pairs of attributes, 50 tasks",
            "in",
            sides.ID_PAIRS,
            FEW,
            published=ZAPPOS_FEW,
            stands_for="Zappos-ID (50)",
        ),
        Column("Omniglot, novel characters", "out", f"{sides.OMNIGLOT}/novel", sides.OMNIGLOT_TASK, OMNIGLOT),
        Column(
            "CIFAR-FS, novel classes",
            "out",
            f"{sides.CIFAR}/novel",
            sides.CIFAR_TASK,
            CIFAR,
            published=MINI,
            stands_for="mini-ImageNet",
        ),
        on_glyphs("other attributes, 1000 tasks", "out", sides.OOD_PAIRS, MANY),
        on_glyphs("other attributes, 50 tasks", "out", sides.OOD_PAIRS, FEW),
    ),
    episodes=300,  # FOMAML adapts a network in each of them
)
