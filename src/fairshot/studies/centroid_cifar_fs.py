"""Centroid Networks' tables on CIFAR-FS, at 32 pixels: photographs hold more than their class, and CSCC tells."""

from fairshot.evaluation.consistency import Pair
from fairshot.studies.kinds.consistency_table import Consistency
from fairshot.studies.kinds.trained_table import Course
from fairshot.tasks.uniform import Uniform

CHANGES = "way=20,shot=5,query=5,in_turn=True,steps=1000,augment=photo"

STUDY = Consistency(
    title="Clustering and CSCC on CIFAR-FS",
    paper="our own question, after Huang et al. 2019, Tables 2 and 3",
    name="centroid_cifar_fs",
    what="cifar100/cifar-fs/novel",
    split="cifar100/cifar-fs",
    learners=("centroid", "prototypes", "kmeans@prototypes", "kmeans"),
    courses={
        "centroid": Course("centroid:conditional=softmax", changes=CHANGES),
        "prototypes": Course("prototypes", changes=CHANGES),
    },
    tasks=(Uniform(way=5, shot=5, query=15),),
    pairs=(Pair("centroid", "prototypes"), Pair("kmeans@prototypes", "prototypes")),
    clustering=("centroid", "kmeans@prototypes", "kmeans"),
    episodes=5000,
)
