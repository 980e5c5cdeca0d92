"""Centroid Networks, ablation on photographs (M1 to M11 of Huang et al. 2019), here on CIFAR-FS at 32 pixels."""

from fairshot.studies.centroid_cifar_fs import CHANGES, NAME, SPLIT, TRAINED
from fairshot.studies.contrasts import Contrasts
from fairshot.studies.trained import Course
from fairshot.tasks.uniform import Uniform

NEAREST = "centroid:predict=nearest"
SHARED = "kmeans:predict=sinkhorn"

STUDY = Contrasts(
    title="What makes clusters of photographs right: Sinkhorn K-means, conditionals, center loss",
    paper="our own question, after Huang et al. 2019, ablation M1 to M11",
    name=NAME,
    what=f"{SPLIT}/novel",
    split=SPLIT,
    learners=(
        "kmeans@softmax", f"{SHARED}@softmax",
        "kmeans@centroid", f"{SHARED}@centroid",
        "kmeans@sinkhorn+center", f"{SHARED}@sinkhorn+center",
        "centroid@sinkhorn",
        f"{NEAREST}@softmax",
        f"{NEAREST}@centroid", "centroid@centroid",
        "centroid@sinkhorn+center",
        *(f"prototypes@{course}" for course in ("softmax", "centroid", "sinkhorn", "sinkhorn+center")),
    ),
    courses={
        "centroid": TRAINED["centroid"],  # softmax conditionals and the center loss
        "softmax": Course("centroid:conditional=softmax,center=0", changes=CHANGES),
        "sinkhorn": Course("centroid:conditional=sinkhorn,center=0", changes=CHANGES),
        "sinkhorn+center": Course("centroid:conditional=sinkhorn", changes=CHANGES),
    },
    tasks=(Uniform(way=5, shot=5, query=15),),
    episodes=5000,
    contrasts=(
        (f"{NEAREST}@softmax", "kmeans@softmax"),  # Sinkhorn K-means
        (f"{NEAREST}@centroid", "kmeans@centroid"),
        ("centroid@sinkhorn+center", f"{SHARED}@sinkhorn+center"),
        (f"{SHARED}@softmax", "kmeans@softmax"),  # conditionals of evaluation
        (f"{SHARED}@centroid", "kmeans@centroid"),
        ("centroid@centroid", f"{NEAREST}@centroid"),
        (f"{NEAREST}@centroid", f"{NEAREST}@softmax"),  # center loss
        ("centroid@sinkhorn+center", "centroid@sinkhorn"),
        ("kmeans@centroid", "kmeans@softmax"),
        ("centroid@sinkhorn+center", "centroid@centroid"),  # conditionals of training
        ("prototypes@centroid", "prototypes@softmax"),  # what center loss costs with labels
        ("prototypes@sinkhorn+center", "prototypes@sinkhorn"),
    ),
)  # fmt: skip
