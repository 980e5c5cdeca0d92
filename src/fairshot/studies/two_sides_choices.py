"""Two sides of meta-learning evaluation: does what helps on novel classes cost accuracy on the base classes?"""

from fairshot.studies import two_sides as sides
from fairshot.studies.kinds.trade_off import Choice, Trades

STUDY = Trades(
    title="What helps out of distribution and costs within it",
    paper="Setlur et al. 2021, Section 5.1, with a benchmark that two cores can serve",
    name=sides.NAME,
    split=sides.CIFAR,
    task=sides.CIFAR_TASK,
    courses={
        "cifar-pn": sides.cifar("PN"),
        "cifar-pn-5-way": sides.cifar("PN", "way=5,tasks=2"),
        "cifar-pn-20-way": sides.cifar("PN", "way=20,steps=320,epoch=20"),
        "cifar-fomaml": sides.cifar("FOMAML"),
        "cifar-fomaml-fast": sides.cifar("FOMAML", "rate=0.008"),
        "cifar-pn-fixed": sides.cifar("PN", "fixed_support=5"),
    },
    choices=(
        Choice("PN, ways", {"5": "cifar-pn-5-way", "10": "cifar-pn", "20": "cifar-pn-20-way"}),
        Choice(
            "FOMAML, rate",
            {"0.002": "cifar-fomaml", "0.008": "cifar-fomaml-fast"},
            episodes=100,  # it adapts a network in each of them
        ),
        Choice("PN, support", {"any image": "cifar-pn", "5 fixed images (FIX-ML)": "cifar-pn-fixed"}),
    ),
    images=100,
    episodes=1000,
)
