"""Centroid Networks, Table 3: supervised accuracy, unsupervised accuracy, and the ratio of the two, on Omniglot
(Huang et al., Centroid Networks for Few-Shot Clustering and Unsupervised Few-Shot Classification, 2019).
"""

from fairshot.evaluation.consistency import Pair
from fairshot.studies.kinds.consistency_table import Consistency
from fairshot.studies.kinds.trained_table import Course
from fairshot.tasks.uniform import Uniform

FIVE, TWENTY = (Uniform(way=way, shot=5, query=15).label for way in (5, 20))
REFERENCE = "prototypes@omniglot-vinyals"

STUDY = Consistency(
    title="Unsupervised by supervised accuracy: the class semantics consistency criterion",
    paper="Huang et al. 2019, Table 3",
    name="centroid",
    what="omniglot/vinyals/novel",
    split="omniglot/vinyals",
    learners=("centroid", REFERENCE),
    courses={"centroid": Course("centroid", preset="reference")},
    tasks=(Uniform(way=5, shot=5, query=15), Uniform(way=20, shot=5, query=15)),
    pairs=(Pair("centroid", REFERENCE),),
    episodes=12_000,  # published: 1000; intervals over classes need more
    published={
        ("centroid", FIVE, "accuracy"): 0.991,
        ("centroid", TWENTY, "accuracy"): 0.981,
        (REFERENCE, FIVE, "accuracy"): 0.997,  # as Snell et al. report it
        (REFERENCE, TWENTY, "accuracy"): 0.989,
        ("centroid", FIVE, "cscc"): 0.994,
        ("centroid", TWENTY, "cscc"): 0.992,
    },
)
