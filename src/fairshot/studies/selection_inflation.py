"""How much "best on test" inflates: every snapshot of four trainings of prototypes on CIFAR-FS is a candidate."""

from fairshot.studies import two_sides as sides
from fairshot.studies.kinds.winner_inflation import Winners

STUDY = Winners(
    title="How much the best snapshot on test classes is printed too well",
    paper="a question of our own, on the trainings of two_sides_choices",
    name=sides.NAME,
    courses={
        "cifar-pn": sides.cifar("PN"),
        "cifar-pn-5-way": sides.cifar("PN", "way=5,tasks=2"),
        "cifar-pn-20-way": sides.cifar("PN", "way=20,steps=320,epoch=20"),
        "cifar-pn-fixed": sides.cifar("PN", "fixed_support=5"),
    },
    labels={
        "cifar-pn": "PN, 10 ways",
        "cifar-pn-5-way": "PN, 5 ways",
        "cifar-pn-20-way": "PN, 20 ways",
        "cifar-pn-fixed": "PN, fixed support",
    },
    split=sides.CIFAR,
    task=sides.CIFAR_TASK,
    images=60,
    episodes=400,
)
