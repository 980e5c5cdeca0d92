"""Centroid Networks, ablation on photographs (M1 to M11 of Huang et al. 2019), here on CIFAR-FS at 32 pixels."""

from fairshot.studies.centroid_ablation import NEAREST, TRAINED
from fairshot.studies.kinds.contrast_table import Contrasts
from fairshot.studies.kinds.trained_table import Course
from fairshot.tasks.uniform import Uniform

CHANGES = "way=20,shot=5,query=5,in_turn=True,steps=300,augment=photo"
SHARED = "kmeans:predict=sinkhorn"

STUDY = Contrasts(
    title="What makes clusters of photographs right: Sinkhorn K-means, conditionals, center loss",
    paper="our own question, after Huang et al. 2019, ablation M1 to M11",
    name="centroid_ablation_photos",
    what="cifar100/cifar-fs/novel",
    split="cifar100/cifar-fs",
    learners=(
        "kmeans@softmax",
        f"{SHARED}@softmax",
        "kmeans@softmax+center",
        f"{SHARED}@softmax+center",
        "kmeans@sinkhorn+center",
        f"{SHARED}@sinkhorn+center",
        "centroid@sinkhorn",
        f"{NEAREST}@softmax",
        f"{NEAREST}@softmax+center",
        "centroid@softmax+center",
        "centroid@sinkhorn+center",
        *(f"prototypes@{course}" for course in TRAINED),
    ),
    courses={name: Course(f"centroid:{settings}", changes=CHANGES) for name, settings in TRAINED.items()},
    tasks=(Uniform(way=5, shot=5, query=15),),
    episodes=5000,
    contrasts=(
        (f"{NEAREST}@softmax", "kmeans@softmax"),  # Sinkhorn K-means
        (f"{NEAREST}@softmax+center", "kmeans@softmax+center"),
        ("centroid@sinkhorn+center", f"{SHARED}@sinkhorn+center"),
        (f"{SHARED}@softmax", "kmeans@softmax"),  # conditionals of evaluation
        (f"{SHARED}@softmax+center", "kmeans@softmax+center"),
        ("centroid@softmax+center", f"{NEAREST}@softmax+center"),
        (f"{NEAREST}@softmax+center", f"{NEAREST}@softmax"),  # center loss
        ("centroid@sinkhorn+center", "centroid@sinkhorn"),
        ("kmeans@softmax+center", "kmeans@softmax"),
        ("centroid@sinkhorn+center", "centroid@softmax+center"),  # conditionals of training
        ("prototypes@softmax+center", "prototypes@softmax"),  # what center loss costs with labels
        ("prototypes@sinkhorn+center", "prototypes@sinkhorn"),
    ),
)
