"""Centroid Networks, Table 2: how well a support set is clustered without its labels, on Omniglot
(Huang et al., Centroid Networks for Few-Shot Clustering and Unsupervised Few-Shot Classification, 2019).
"""

from fairshot.studies.kinds.trained_table import Course, TrainedTable
from fairshot.tasks.uniform import Uniform

FIVE, TWENTY = (Uniform(way=way, shot=5, query=15) for way in (5, 20))
FEATURES = "kmeans@prototypes@omniglot-vinyals"

STUDY = TrainedTable(
    title="Clustering accuracy without labels: raw pixels, Prototypical features, Centroid Networks",
    paper="Huang et al. 2019, Table 2",
    name="centroid",
    what="omniglot/vinyals/novel",
    split="omniglot/vinyals",
    learners=("kmeans", FEATURES, "centroid"),
    courses={"centroid": Course("centroid", preset="reference")},
    tasks=(FIVE, TWENTY),
    metric="clustering",
    episodes=12_000,  # published: 1000; intervals over classes need more
    published={
        ("kmeans", FIVE.label): 0.452,
        ("kmeans", TWENTY.label): 0.307,
        (FEATURES, FIVE.label): 0.835,
        (FEATURES, TWENTY.label): 0.768,
        ("centroid", FIVE.label): 0.996,
        ("centroid", TWENTY.label): 0.991,
    },
)
