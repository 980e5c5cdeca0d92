"""Centroid Networks, ablation on Omniglot (O1 to O8): k-means against Sinkhorn K-means, how queries are shared out in
training and in evaluation, and the center loss (Huang et al. 2019).
"""

from fairshot.studies.kinds.contrast_table import Contrasts
from fairshot.studies.kinds.trained_table import Course
from fairshot.tasks.uniform import Uniform

TASK = Uniform(way=5, shot=5, query=15)
CHANGES = "begin=prototypes@omniglot-vinyals,parts=base+val,steps=800,rate=0.001"
TRAINED = {
    "softmax": "conditional=softmax,center=0",
    "softmax+center": "conditional=softmax,center=1",
    "sinkhorn": "conditional=sinkhorn,center=0",
    "sinkhorn+center": "conditional=sinkhorn,center=1",
}
NEAREST = "centroid:predict=nearest"
PUBLISHED = {  # clustering and unsupervised accuracy
    "kmeans@softmax": (83.80, 85.20),
    "kmeans:predict=sinkhorn@softmax": (87.32, 84.00),
    "kmeans:predict=sinkhorn@sinkhorn+center": (89.80, 86.00),
    "centroid@sinkhorn": (99.20, 98.50),
    f"{NEAREST}@softmax": (99.40, 98.90),
    f"{NEAREST}@softmax+center": (99.50, 99.00),
    "centroid@softmax+center": (99.50, 99.00),
    "centroid@sinkhorn+center": (99.60, 99.10),
}
SUPERVISED = tuple(f"prototypes@{course}" for course in TRAINED)

STUDY = Contrasts(
    title="What makes clusters right: Sinkhorn K-means, conditionals, center loss",
    paper="Huang et al. 2019, ablation O1 to O8",
    name="centroid_ablation",
    what="omniglot/vinyals/novel",
    split="omniglot/vinyals",
    learners=(*PUBLISHED, *SUPERVISED),
    courses={name: Course(f"centroid:{settings}", changes=CHANGES) for name, settings in TRAINED.items()},
    tasks=(TASK,),
    episodes=5000,  # published: 1000
    contrasts=(
        ("centroid@sinkhorn+center", "kmeans:predict=sinkhorn@sinkhorn+center"),  # Sinkhorn K-means
        (f"{NEAREST}@softmax", "kmeans@softmax"),
        ("kmeans:predict=sinkhorn@softmax", "kmeans@softmax"),  # conditionals of evaluation
        ("centroid@softmax+center", f"{NEAREST}@softmax+center"),
        ("centroid@sinkhorn+center", "centroid@sinkhorn"),  # center loss
        (f"{NEAREST}@softmax+center", f"{NEAREST}@softmax"),
        ("centroid@sinkhorn+center", "centroid@softmax+center"),  # conditionals of training
        ("prototypes@sinkhorn+center", "prototypes@sinkhorn"),  # what center loss costs with labels
        ("prototypes@softmax+center", "prototypes@softmax"),
    ),
    published={
        (name, TASK.label, metric): value / 100
        for name, values in PUBLISHED.items()
        for metric, value in zip(("clustering", "accuracy"), values, strict=True)
    },
)
